"""What the judge runs: the cells of a source notebook in order, without its answers."""
from __future__ import annotations

import ast
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader import utils

from autograder.exercises import is_runtime_only

GIVEN, ANSWER, CHECK = "given", "answer", "check"


@dataclass(frozen=True)
class Step:
    """One code cell of the source. `code` is what instructors see with hidden tests; "" for answers.

    given: run by both sides unless `needless`; answer: `defines` names that live in the student's process; check: run by
    the judge, or beside the student's code when its author says `weak`. `reader_only`: never run while grading.
    """

    id: str  # nbgrader's grade_id, "" for a cell without one
    kind: str
    code: str = ""
    names: tuple[str, ...] = ()  # names of the student that the judge needs for it
    weak: bool = False
    needless: bool = False  # depends on the student's names, and no check depends on it
    reader_only: bool = False
    hidden: bool = False


@dataclass(frozen=True)
class Programme:
    """`preload`: modules that the notebook imports. `imports`: import statements of answer cells, which the judge runs itself."""

    steps: tuple[Step, ...] = ()
    preload: tuple[str, ...] = ()
    imports: str = ""
    places: dict[str, int] = field(default_factory=dict)  # grade_id -> place among the steps

    def judged(self) -> list[str]:
        """Cells that judges are asked to run."""
        given = [s for s in self.steps if s.kind == GIVEN and not (s.needless or s.reader_only)]
        return [self.imports, *(s.code for s in (*given, *self.steps) if s in given or s.kind == CHECK and not s.weak)]

    def step(self, grade_id: str | None) -> Step | None:
        return self.steps[self.places[grade_id]] if grade_id in self.places else None


def read(path: Path, hidden: tuple[str, str] = ("BEGIN HIDDEN TESTS", "END HIDDEN TESTS")) -> Programme:
    """The programme of a source notebook. `hidden`: the words that mark lines around hidden tests."""
    return plan(nbformat.read(path, as_version=4), hidden)


def plan(source: NotebookNode, hidden: tuple[str, str] = ("BEGIN HIDDEN TESTS", "END HIDDEN TESTS")) -> Programme:
    cells = [(cell, _tree(cell.source)) for cell in source.cells if cell.cell_type == "code" and cell.source.strip()]
    answers = [tree for cell, tree in cells if _kind(cell) == ANSWER]
    imports = [node for tree in answers for node in _imports(tree)]
    imported = {(alias.asname or alias.name.partition(".")[0]) for _, tree in cells for node in _imports(tree) for alias in node.names}
    theirs = {name for tree in answers for name in defined(tree)} - imported

    # Given cells that use the student's names make names that depend on them; which of those does a check need?
    derived, dependent = set(theirs), []
    for cell, tree in cells:
        dependent.append(_kind(cell) == GIVEN and bool(used(tree) & derived))
        if dependent[-1]:
            derived |= defined(tree)
    needed, needless = set(), [False] * len(cells)
    for place in reversed(range(len(cells))):
        cell, tree = cells[place]
        kind = _kind(cell)
        needless[place] = dependent[place] and not defined(tree) & needed
        if kind == CHECK or kind == GIVEN and not needless[place]:
            needed |= used(tree)
    wanted = tuple(sorted(theirs & needed))

    steps = []
    for (cell, tree), skip in zip(cells, needless, strict=True):
        kind, course = _kind(cell), cell.metadata.get("course") or {}
        code = "" if kind == ANSWER else _without(cell.source, hidden)
        names = wanted if kind == CHECK or kind == GIVEN and used(tree) & set(wanted) else ()
        mark = {
            "weak": bool(course.get("weak")),
            "reader_only": is_runtime_only(cell) and kind != CHECK,  # a check that is not run would pass
            "hidden": any(m in cell.source for m in hidden),
        }
        steps.append(Step(cell.metadata.get("nbgrader", {}).get("grade_id", ""), kind, code, names, needless=skip, **mark))
    every = [node for _, tree in cells for node in _imports(tree)]
    modules = [name for node in every for name in ([node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])]
    return Programme(
        tuple(steps),
        tuple(dict.fromkeys(name for name in modules if name)),
        "\n".join(dict.fromkeys(ast.unparse(node) for node in imports)),
        {step.id: place for place, step in enumerate(steps) if step.id},
    )


def _kind(cell: NotebookNode) -> str:
    if utils.is_solution(cell):
        return ANSWER
    return CHECK if utils.is_grade(cell) else GIVEN


def _tree(source: str) -> ast.Module:
    """The syntax of a cell; lines that only IPython understands (%magic, !command) are made comments first."""
    lines = [f"#{line}" if line.lstrip().startswith(("%", "!", "?")) else line for line in source.splitlines()]
    try:
        return ast.parse("\n".join(lines))
    except SyntaxError:  # the author's; running it will say so
        return ast.Module([], [])


def defined(tree: ast.AST) -> set[str]:
    """Names that a cell's top level binds, or whose objects it changes (model.head = ..., table["x"] = ...)."""
    found: set[str] = set()
    for node in _top_level(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            while isinstance(node, (ast.Attribute, ast.Subscript)):
                node = node.value
            found |= {node.id} if isinstance(node, ast.Name) else set()
    return found


def _imports(tree: ast.AST) -> list[ast.Import | ast.ImportFrom]:
    return [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]


def used(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _top_level(tree: ast.AST):
    """Nodes outside of function and class bodies."""
    for node in ast.iter_child_nodes(tree):
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield from _top_level(node)


def _without(source: str, marks: tuple[str, str]) -> str:
    return "\n".join(line for line in source.splitlines() if not any(mark in line for mark in marks))
