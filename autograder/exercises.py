"""Exercises as objects: built once from cells with nbgrader metadata; nobody parses cells a second time.

An exercise begins at a solution cell and owns the grade cells up to the next one, plus the read-only cells directly
before it (prompt, given data). This holds for any nbgrader source notebook, not only for ours.
"""
from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import lru_cache

from nbformat import NotebookNode

BEGIN_SOLUTION, END_SOLUTION = "### BEGIN SOLUTION", "### END SOLUTION"
BEGIN_HIDDEN, END_HIDDEN = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
HANGUL = re.compile("[가-힣]")


@dataclass(frozen=True)
class Check:
    """One graded test cell: `points` are given whole when every assertion in it holds."""

    grade_id: str
    points: float
    source: str
    hidden: bool  # the cell holds a hidden region, which no student sees
    messages: frozenset[str]  # declared messages: the only text of a hidden check that may reach a student
    forms: tuple[str, ...] = ()  # regular expressions of what a visible check may say with computed numbers

    def says(self, text: str) -> bool:
        """Whether a message comes from this check, not from student code that raised a text of its own."""
        return text in self.messages or any(re.fullmatch(form, text, flags=re.S) for form in self.forms)


@dataclass(frozen=True)
class Exercise:
    """One 직접 해보기."""

    grade_id: str  # of the answer cell
    title: str
    prompt: str  # Markdown
    answer: str  # the answer cell as its author wrote it, with the solution region
    cell_type: str  # of the answer cell
    checks: tuple[Check, ...]
    manual_points: float  # > 0 when a person grades the answer cell
    minutes: int | None
    difficulty: int | None  # 1 to 3
    cells: tuple[str, ...]  # ids of the cells that go into the assignment, in order

    @property
    def points(self) -> float:
        return self.manual_points + sum(check.points for check in self.checks)

    @property
    def names(self) -> list[str]:
        """Names that the answer cell defines."""
        return defined_names(self.answer)


def mark(cell: NotebookNode) -> dict:
    """nbgrader metadata of a cell, {} when it has none."""
    return cell.metadata.get("nbgrader") or {}


def is_solution(cell: NotebookNode) -> bool:
    return bool(mark(cell).get("solution"))


def is_check(cell: NotebookNode) -> bool:
    return bool(mark(cell).get("grade")) and not is_solution(cell)


def is_runtime_only(cell: NotebookNode) -> bool:
    """A cell for the reader's own runtime (it downloads or trains): the assignment carries it, grading never runs it."""
    return bool(cell.metadata.get("course", {}).get("runtime_only"))


def parse(nb: NotebookNode) -> list[Exercise]:
    """All exercises of an nbgrader source notebook, in order."""
    shared = _shared_messages(nb)
    exercises, before, open_exercise = [], [], None
    for cell in nb.cells:
        if is_solution(cell):
            _close(exercises, open_exercise, shared)
            open_exercise = (before, cell, [])
            before = []
        elif is_check(cell) and open_exercise:
            open_exercise[2].append(cell)
            before = []
        elif mark(cell).get("grade_id"):
            heading = cell.cell_type == "markdown" and re.search(r"^#+ ", cell.source, flags=re.M)
            before = [cell] if heading else [*before, cell]  # a heading starts a new prompt
        else:
            before = []
    _close(exercises, open_exercise, shared)
    return exercises


def _close(exercises: list[Exercise], parts, shared: frozenset[str]) -> None:
    if not parts:
        return
    before, answer, checks = parts
    info = next((c.metadata["course"] for c in before if "course" in c.metadata), {})
    prompt = "\n\n".join(c.source for c in before if c.cell_type == "markdown")
    title = re.search(r"^#+\s*(.+)$", prompt, flags=re.M)
    grade = mark(answer)
    exercises.append(
        Exercise(
            grade_id=grade["grade_id"],
            title=title.group(1).strip() if title else grade["grade_id"],
            prompt=prompt,
            answer=answer.source,
            cell_type=answer.cell_type,
            checks=tuple(_check(cell, shared) for cell in checks),
            manual_points=float(grade.get("points") or 0) if grade.get("grade") else 0.0,
            minutes=info.get("minutes"),
            difficulty=info.get("difficulty"),
            cells=tuple(c.id for c in (*before, answer, *checks)),
        )
    )


def _check(cell: NotebookNode, shared: frozenset[str]) -> Check:
    hidden = BEGIN_HIDDEN in cell.source
    return Check(
        grade_id=mark(cell)["grade_id"],
        points=float(mark(cell).get("points") or 0),
        source=cell.source,
        hidden=hidden,
        # All of a visible check is public, in whatever language; of a hidden one its Korean messages are.
        messages=shared | (korean_strings(cell.source) if hidden else constant_strings(cell.source)),
        forms=() if hidden else formatted_strings(cell.source),
    )


def _shared_messages(nb: NotebookNode) -> frozenset[str]:
    """Korean strings of read-only code outside checks: those cells are public, and checks raise their messages."""
    found: frozenset[str] = frozenset()
    for cell in nb.cells:
        public = not is_solution(cell) and not is_check(cell)
        if cell.cell_type == "code" and public and (mark(cell).get("locked") or cell.metadata.get("course", {}).get("setup")):
            found |= korean_strings(cell.source)
    return found


def korean_strings(source: str) -> frozenset[str]:
    """Constant Korean strings of a piece of code."""
    return frozenset(text for text in constant_strings(source) if HANGUL.search(text))


@lru_cache(maxsize=4096)  # grading asks for the same cells with every hand-in
def constant_strings(source: str) -> frozenset[str]:
    """Constant strings of a piece of code (parts of f-strings are not constants and do not count)."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return frozenset()
    pieces = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    return frozenset(
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in pieces
    )


@lru_cache(maxsize=4096)
def formatted_strings(source: str) -> tuple[str, ...]:
    """The f-strings of a piece of code as regular expressions; each computed part may be up to 80 characters."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return ()
    forms = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
            if any(parts):
                forms.append("".join(".{0,80}?" if part is None else re.escape(part) for part in parts))
    return tuple(forms)


def defined_names(source: str) -> list[str]:
    """Functions, classes and variables that a cell defines at module level."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    names = []
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.append(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names += [t.id for t in targets if isinstance(t, ast.Name)]
    return names


def region(source: str, begin: str, end: str) -> str:
    """The lines between two delimiters (several regions are joined); '' when there is none."""
    return _split(source, begin, end)[0]


def outside(source: str, begin: str, end: str) -> str:
    """The lines outside two delimiters: what a student may see of a cell."""
    return _split(source, begin, end)[1]


def _split(source: str, begin: str, end: str) -> tuple[str, str]:
    """nbgrader's reading of its delimiters: anywhere in a line, the delimiter lines belong to neither side."""
    inside, around, within = [], [], False
    for line in source.splitlines():
        if begin in line:
            within = True
        elif end in line:
            within = False
        else:
            (inside if within else around).append(line)
    return "\n".join(inside), "\n".join(around)
