"""Lint: what would hurt a student or an instructor later is refused while the author still sits there.

One function per rule; each yields Problems. LINTS is the list of rules that ./course check runs.
"""
from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from nbformat import NotebookNode

from autograder import language, notebooks
from autograder.book import calculator
from autograder.course import Course
from autograder.exercises import (
    BEGIN_HIDDEN,
    BEGIN_SOLUTION,
    END_HIDDEN,
    END_SOLUTION,
    HANGUL,
    is_check,
    is_runtime_only,
    is_solution,
    korean_strings,
    mark,
    parse,
    region,
)
from autograder.views import LABEL, LOCAL_LINK

TAGS = {"hide-input", "hide-output", "hide-cell", "remove-cell", "raises-exception", "keep-output"}
RUNTIME = "runtime_only"
DOCUMENTS = ("*.md", "chapters/data/*.md", "autograder/**/*.py", "autograder/**/*.j2", "autograder/**/*.tpl", "autograder/**/*.js")
EXACT = {f"{d}" for d in (BEGIN_SOLUTION, END_SOLUTION, BEGIN_HIDDEN, END_HIDDEN)}
NEAR_DELIMITER = re.compile(r"(begin|end)[\s\u3000_-]*(solution|hidden[\s\u3000_-]*tests?)", flags=re.I)
HEADING = re.compile(r"^#{1,6} .+$", flags=re.M)
IMAGE = re.compile(r"!\[(?P<alt>[^\]]*)\]\(")
DIRECTIVE = re.compile(r"^\s*(:::|```\{|\{(ref|doc|numref|eq|term)\})", flags=re.M)


@dataclass(frozen=True)
class Problem:
    """One finding: where (chapter and cell) and what to do about it."""

    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


@dataclass(frozen=True)
class Chapter:
    """A chapter with its name, for messages that say where."""

    name: str
    nb: NotebookNode

    def place(self, cell: NotebookNode) -> str:
        return f"chapters/{self.name}.ipynb [{cell.id}]"


def lint(course: Course) -> list[Problem]:
    """Run every rule over every chapter."""
    chapters = [Chapter(p.stem, notebooks.read(p)) for p in sorted(course.chapters.glob("*.ipynb"))]
    return [problem for rule in LINTS for problem in rule(course, chapters)]


def canonical_form(course: Course, chapters: list[Chapter]) -> Iterator[Problem]:
    """Chapters are as ./course tidy leaves them, so that a diff shows what a person changed."""
    for chapter in chapters:
        path = course.chapters / f"{chapter.name}.ipynb"
        tidied = notebooks.canonical(chapter.nb)
        notebooks.fill_setup(tidied, course)
        if notebooks.dumps(tidied) != path.read_text(encoding="utf-8"):
            yield Problem(f"chapters/{chapter.name}.ipynb", "정돈되지 않았습니다. ./course tidy를 실행하세요.")


def ids(course: Course, chapters: list[Chapter]) -> Iterator[Problem]:
    """Ids are unique over the book, and tags are known."""
    for chapter in chapters:
        for cell in chapter.nb.cells:
            place = chapter.place(cell)
            # The chapter's name in front keeps ids unique over the whole book, as the assignment needs them.
            if not (notebooks.CELL_ID.fullmatch(cell.id) and cell.id.startswith(f"{chapter.name}-")):
                yield Problem(place, f"셀 id를 '{chapter.name}-'로 시작하는 영문 소문자, 숫자, - 로 지으세요.")
            for tag in cell.metadata.get("tags", []):
                if tag not in TAGS:
                    yield Problem(place, f"모르는 태그 '{tag}'입니다. 쓸 수 있는 태그: {', '.join(sorted(TAGS))}")


def nbgrader_metadata(course: Course, chapters: list[Chapter]) -> Iterator[Problem]:
    """What nbgrader and the engine read is whole, and an exercise has its checks, facts, label and hints."""
    for chapter in chapters:
        for cell in chapter.nb.cells:
            grade, place = mark(cell), chapter.place(cell)
            if not grade:
                continue
            if grade.get("grade_id") != cell.id:
                yield Problem(place, f"grade_id '{grade.get('grade_id')}'를 셀 id와 같게 하세요.")
            if grade.get("schema_version") != 3:
                yield Problem(place, "nbgrader schema_version은 3이어야 합니다.")
            if is_check(cell) and not (float(grade.get("points") or 0) > 0 and grade.get("locked")):
                yield Problem(place, "점검 셀에는 0보다 큰 points와 locked: true가 필요합니다.")
            if is_check(cell) and is_runtime_only(cell):
                yield Problem(place, "점검 셀은 runtime_only일 수 없습니다. 채점할 때 실행해야 합니다.")
            if is_solution(cell) and grade.get("locked"):
                yield Problem(place, "답 셀은 locked: false여야 학생이 고칠 수 있습니다.")
        for exercise in parse(chapter.nb):
            place = f"chapters/{chapter.name}.ipynb [{exercise.grade_id}]"
            if not exercise.checks and not exercise.manual_points:
                yield Problem(place, "점검 셀이 없습니다. 답 셀 바로 아래에 점검 셀을 두세요.")
            if exercise.checks and not (any(c.hidden for c in exercise.checks) and any(not c.hidden for c in exercise.checks)):
                yield Problem(place, "보이는 점검과 숨은 점검이 모두 있어야 합니다.")
            if not exercise.minutes or exercise.difficulty not in (1, 2, 3):
                yield Problem(place, "문제 셀의 metadata.course에 minutes와 difficulty(1~3)를 쓰세요.")
            if f"(ex-{exercise.grade_id})=" not in exercise.prompt:
                yield Problem(place, f"문제 제목 앞에 (ex-{exercise.grade_id})= 줄을 두세요. 피드백이 이 자리를 가리킵니다.")
            if exercise.prompt.count("<details>") < 2:
                yield Problem(place, "힌트를 두 단계(말로, 의사코드) 이상 <details>로 두세요.")


def delimiters(course: Course, chapters: list[Chapter]) -> Iterator[Problem]:
    """Delimiters are exact, in pairs and in their kind of cell; nbgrader would release an answer behind a misspelt one."""
    for chapter in chapters:
        for cell in chapter.nb.cells:
            place = chapter.place(cell)
            lines = [line.strip() for line in cell.source.splitlines() if NEAR_DELIMITER.search(line)]
            for line in lines:
                if line not in EXACT:
                    yield Problem(place, f"nbgrader가 알아보지 못하는 구분 표시입니다: {line!r}. '### BEGIN SOLUTION'처럼 정확히 쓰세요.")
            for begin, end, allowed, kind in (
                (BEGIN_SOLUTION, END_SOLUTION, is_solution(cell), "답"),
                (BEGIN_HIDDEN, END_HIDDEN, is_check(cell), "점검"),
            ):
                order = [line for line in lines if line in (begin, end)]
                if order != [begin, end] * (len(order) // 2) or len(order) % 2:
                    yield Problem(place, f"'{begin}'과 '{end}'가 차례로 짝을 이루지 않습니다.")
                if order and not allowed:
                    yield Problem(place, f"'{begin}'은 {kind} 셀에만 쓸 수 있습니다. 이 셀의 nbgrader 메타데이터를 확인하세요.")
            if is_solution(cell) and cell.cell_type == "code" and not region(cell.source, BEGIN_SOLUTION, END_SOLUTION).strip():
                yield Problem(place, "답 셀에 '### BEGIN SOLUTION'과 '### END SOLUTION' 사이의 답이 없습니다.")


def checks_that_check(course: Course, chapters: list[Chapter]) -> Iterator[Problem]:
    """A check runs the answer, gives no value, and a hidden one says nothing that it computed."""
    for chapter in chapters:
        for exercise in parse(chapter.nb):
            for check in exercise.checks:
                place = f"chapters/{chapter.name}.ipynb [{check.grade_id}]"
                try:
                    tree = ast.parse(check.source)
                except SyntaxError as error:
                    yield Problem(place, f"점검 셀의 문법이 틀렸습니다: {error}")
                    continue
                if not _runs(tree, set(exercise.names)):
                    yield Problem(place, f"점검 셀이 {', '.join(exercise.names) or '답'}을 부르지 않습니다. 정의만 하고 끝나지 않는지 확인하세요.")
                if tree.body and _is_value(tree.body[-1]):
                    yield Problem(place, "점검 셀이 값으로 끝납니다. nbgrader가 부분 점수로 읽으니 assert나 print로 끝내세요.")
                if check.hidden and any(
                    isinstance(n, ast.JoinedStr) and any(isinstance(v, ast.Constant) and HANGUL.search(str(v.value)) for v in n.values)
                    for n in ast.walk(tree)
                ):
                    yield Problem(place, "숨은 점검의 메시지는 f-string이 아닌 그대로의 문자열이어야 합니다. 숨은 값이 새어 나갈 수 있습니다.")


def independent_cells(course: Course, chapters: list[Chapter]) -> Iterator[Problem]:
    """Worked cells use no name that an exercise made (the page runs before a student has solved anything, and a hidden
    value must not be printed), and exercises none that a worked cell made (the assignment has no worked cells). The
    runtime-only cells go into the assignment, too, so they stand on their own; grading does not know their names."""
    for chapter in chapters:
        exercise_of = {cell_id: e.grade_id for e in parse(chapter.nb) for cell_id in e.cells}
        made: dict[str, str] = {}  # name -> exercise that gave it its present value; "" for a worked cell, or RUNTIME
        for cell in chapter.nb.cells:
            if cell.cell_type != "code":
                continue
            stored, used = _names(cell.source)
            exercise, runtime = exercise_of.get(cell.id), is_runtime_only(cell)
            if "setup" in cell.metadata.get("course", {}):
                continue
            for name in sorted(used & made.keys()):
                if exercise is None and made[name] not in ("", RUNTIME):
                    yield Problem(chapter.place(cell), f"본문 셀이 직접 해보기 '{made[name]}'의 이름 {name}을 씁니다. 본문은 답 없이 실행되어야 합니다.")
                elif (exercise or runtime) and not made[name]:
                    text = f"과제에 들어가는 셀이 본문 셀의 이름 {name}을 씁니다. 과제에는 본문이 없으니 값을 문제 안에 두세요."
                    yield Problem(chapter.place(cell), text)
                elif exercise and not runtime and made[name] == RUNTIME:
                    yield Problem(chapter.place(cell), f"채점할 때 실행되는 셀이 runtime_only 셀의 이름 {name}을 씁니다. 값을 문제 안에 두세요.")
            made |= dict.fromkeys(stored, exercise or (RUNTIME if runtime else ""))


def anchors(course: Course, chapters: list[Chapter]) -> Iterator[Problem]:
    """Every heading has a label, labels are unique, and links lead to one."""
    labels: dict[str, str] = {}
    links: list[tuple[str, str]] = []
    for chapter in chapters:
        for cell in chapter.nb.cells:
            if cell.cell_type != "markdown":
                continue
            text = re.sub(r"```.*?```", "", cell.source, flags=re.S)
            for label in LABEL.findall(text + "\n"):
                if label in labels:
                    yield Problem(chapter.place(cell), f"이름표 '{label}'이 {labels[label]}에도 있습니다.")
                labels[label] = chapter.place(cell)
            lines = [line for line in text.splitlines() if line.strip()]
            for k, line in enumerate(lines):
                if HEADING.fullmatch(line) and not (k and re.fullmatch(r"\([a-z][a-z0-9-]*\)=", lines[k - 1].strip())):
                    yield Problem(chapter.place(cell), f"제목 '{line}' 바로 위에 (영문-이름)= 줄을 두세요. 그래야 주소가 바뀌지 않습니다.")
            links += [(chapter.place(cell), target) for target in LOCAL_LINK.findall(text)]
    for place, target in links:
        if target not in labels:
            yield Problem(place, f"링크 '#{target}'이 가리키는 곳이 없습니다.")


def alt_texts(course: Course, chapters: list[Chapter]) -> Iterator[Problem]:
    """Figures and plots say in Korean what they show."""
    for chapter in chapters:
        for cell in chapter.nb.cells:
            if cell.cell_type == "markdown":
                for match in IMAGE.finditer(cell.source):
                    if not HANGUL.search(match["alt"]):
                        yield Problem(chapter.place(cell), "그림에 무엇이 보이는지 한국어로 적으세요: ![설명](...)")
            elif "plt.show(" in cell.source and not HANGUL.search(_image_alt(cell)):
                yield Problem(chapter.place(cell), "그래프의 metadata.mystnb.image.alt에 무엇이 보이는지 한국어로 적으세요.")


def korean(course: Course, chapters: list[Chapter]) -> Iterator[Problem]:
    """Terms, particles and bold in the text, comments and messages of the chapters."""
    terms = language.glossary(course.root)
    for chapter in chapters:
        for cell in chapter.nb.cells:
            if cell.cell_type == "markdown":
                found = language.remarks(cell.source, terms)
            else:
                lines = [*sorted(korean_strings(cell.source)), *re.findall(r"#(.*)$", cell.source, flags=re.M)]
                found = language.remarks("\n".join(lines), terms, plain=True)
            yield from (Problem(chapter.place(cell), text) for text in found)


def first_mentions(course: Course, chapters: list[Chapter]) -> Iterator[Problem]:
    """A term is explained where a page first uses it."""
    terms = language.glossary(course.root)
    for chapter in chapters:
        text = "\n".join(language.prose(cell.source) for cell in chapter.nb.cells if cell.cell_type == "markdown")
        page = "\n".join(line for line in text.splitlines() if not line.startswith(("#", "(")))  # without headings and labels
        yield from (Problem(f"chapters/{chapter.name}.ipynb", found) for found in language.first_mentions(page, terms))


def directives(course: Course, chapters: list[Chapter]) -> Iterator[Problem]:
    """No MyST directives: Colab shows them as they are written."""
    for chapter in chapters:
        for cell in chapter.nb.cells:
            if cell.cell_type == "markdown" and DIRECTIVE.search(cell.source):
                yield Problem(chapter.place(cell), "MyST 지시문은 Colab에서 글자 그대로 보입니다. 보통의 Markdown이나 <details>로 쓰세요.")


def calculators(course: Course, chapters: list[Chapter]) -> Iterator[Problem]:
    """Scenes can be shown, and their pictures show them."""
    for place, text in calculator.problems(course):
        yield Problem(place, text)


def documents(course: Course, chapters: list[Chapter]) -> Iterator[Problem]:
    """The same language in what is not a chapter: README, messages of the programs, templates, scripts."""
    terms = language.glossary(course.root)
    for path in [path for pattern in DOCUMENTS for path in sorted(course.root.glob(pattern))]:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".md":
            found = language.remarks(text, terms)
        else:
            found = language.remarks("\n".join(_spoken(path.suffix, text)), terms, plain=True)
        yield from (Problem(path.relative_to(course.root).as_posix(), problem) for problem in found)


def _spoken(kind: str, text: str) -> Iterator[str]:
    """The Korean that a program may show: strings of Python and JavaScript, the text of a template."""
    if kind == ".py":
        strings = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant) and isinstance(node.value, str))
        yield from (string for string in strings if HANGUL.search(string))
    elif kind == ".js":
        yield from (match[0] for match in re.finditer(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`", text) if HANGUL.search(match[0]))
    else:
        yield re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", "…", text, flags=re.S)


def _image_alt(cell: NotebookNode) -> str:
    return cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")


def _runs(tree: ast.Module, names: set[str]) -> bool:
    """Whether running the cell reaches one of NAMES: at module level, or in a function that module level calls."""
    functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
    todo: list[ast.AST] = [n for n in tree.body if not isinstance(n, (ast.FunctionDef, ast.ClassDef))]
    seen: set[str] = set()
    while todo:
        for node in ast.walk(todo.pop()):
            if isinstance(node, ast.Name) and node.id in names:
                return True
            if isinstance(node, ast.Name) and node.id in functions and node.id not in seen:
                seen.add(node.id)
                todo.append(functions[node.id])
    return False


def _names(source: str) -> tuple[set[str], set[str]]:
    """(names that a cell makes at module level, names that it uses without making them itself)."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set(), set()  # execution will say so
    scopes = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.SetComp)
    inner = {n for f in ast.walk(tree) if isinstance(f, scopes) for n in ast.walk(f) if n is not f}
    made = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    made |= {n.name for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    made |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    outer = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n not in inner}
    outer |= {n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    return outer, {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} - made


def _is_value(node: ast.stmt) -> bool:
    """Whether a statement leaves a value for nbgrader to read as partial credit. A bare call of print, expect or a
    check function gives None."""
    if not isinstance(node, ast.Expr):
        return False
    call = node.value
    name = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
    return not (name in ("print", "expect") or name.startswith("check_"))


LINTS: list[Callable[[Course, list[Chapter]], Iterator[Problem]]] = [
    canonical_form,
    ids,
    nbgrader_metadata,
    delimiters,
    checks_that_check,
    independent_cells,
    anchors,
    alt_texts,
    korean,
    first_mentions,
    directives,
    documents,
    calculators,
]
