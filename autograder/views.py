"""Views of a chapter, one function each: Colab (plain Markdown, no answers) and site (Colab view plus labels,
outputs that teach and the answers that course.yml allows). The author's view is the chapter file itself.

Both student views are built from the same steps, so nothing can be removed from one and forgotten in the other.
"""
from __future__ import annotations

import copy
import functools
import re
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions
from traitlets.config import Config, PyFileConfigLoader

from autograder import CourseError, notebooks
from autograder.course import Course
from autograder.exercises import BEGIN_HIDDEN, BEGIN_SOLUTION, END_SOLUTION, Exercise, is_check, outside, parse, region

LABEL = re.compile(r"^\(([a-z][a-z0-9-]*)\)=[ \t]*\n", flags=re.M)
LOCAL_LINK = re.compile(r"\]\(#([a-z][a-z0-9-]*)\)")
FIGURE = re.compile(r"\]\(figures/([\w.-]+)\)")
HEADING = re.compile(r"^#+ .+$", flags=re.M)
DIFFICULTY = {1: "하", 2: "중", 3: "상"}


def colab_view(course: Course, nb: NotebookNode, chapter: str) -> NotebookNode:
    """What Colab opens: plain Markdown, links to the site, stubs for answers, no hidden check, no nbgrader metadata."""
    view = _without_secrets(course, nb)
    setups = [cell for cell in view.cells if cell.metadata.get("course", {}).get("setup") == "chapter"]
    for cell in view.cells:
        if cell.cell_type == "markdown":
            cell.source = plain_markdown(course, cell.source)
        cell.metadata = {k: v for k, v in cell.metadata.items() if k in ("id", "tags")}
        if cell.cell_type == "code":
            cell.metadata |= colab_form(cell.source)
            cell.outputs, cell.execution_count = [], None
    # The name tells a chapter from an assignment when somebody hands it in; a chapter's version is what it says.
    view.metadata.course = {"chapter": chapter, "hash": notebooks.cells_hash(view)}
    for cell in setups:
        cell.source += "\n\n\n" + notebooks.version_code(course, f"chapters/{chapter}.ipynb", view.metadata.course["hash"])
    return view


def site_view(course: Course, nb: NotebookNode, chapter: str) -> NotebookNode:
    """What the site is built from: labels stay, worked cells keep the outputs that NB (an executed chapter) has."""
    answers = {e.grade_id: e for e in parse(nb)} if course.answers_allowed(chapter) else {}
    exercise_cells = {cell_id for e in parse(nb) for cell_id in e.cells}
    view = _without_secrets(course, nb)
    cells = []
    for cell in view.cells:
        source_id = cell.id
        tags = cell.metadata.get("tags", [])
        if cell.cell_type == "code":
            cell.execution_count = None
            if source_id in exercise_cells and "keep-output" not in tags:
                cell.outputs = []
        cell.metadata = {k: v for k, v in cell.metadata.items() if k in ("id", "tags", "mystnb")}
        cells.append(cell)
        if source_id in answers:
            cells.append(_answer_cell(answers[source_id]))
    view.cells = cells
    view.metadata.course = {"chapter": chapter}
    return view


def colab_form(source: str) -> dict:
    """Metadata by which Colab folds a cell that opens with #@title: the reader sees the title and the run button."""
    return {"cellView": "form"} if source.startswith("#@title") else {}


def plain_markdown(course: Course, text: str) -> str:
    """Markdown for a place that knows neither our labels nor our files: labels go, links and figures point to the site."""
    where = label_pages(course)

    def to_site(match: re.Match) -> str:
        label = match.group(1)
        if label not in where:
            raise CourseError(f"링크 '#{label}'이 가리키는 곳이 없습니다. ({label})= 줄이 있는지 확인하세요.")
        return f"]({course.site_url}chapters/{where[label]}.html#{label})"

    text = LOCAL_LINK.sub(to_site, re.sub(r"\n{3,}", "\n\n", LABEL.sub("", text)).strip("\n"))
    return FIGURE.sub(lambda m: f"]({course.site_url}_images/{m.group(1)})", text)


def label_pages(course: Course) -> dict[str, str]:
    """Label -> chapter, over all chapters."""
    return _labels(tuple((path, path.stat().st_mtime_ns) for path in sorted(course.chapters.glob("*.ipynb"))))


@functools.lru_cache(maxsize=2)  # asked once for every cell of a view
def _labels(chapters: tuple[tuple[Path, int], ...]) -> dict[str, str]:
    pages: dict[str, str] = {}
    for path, _ in chapters:
        for cell in notebooks.read(path).cells:
            if cell.cell_type == "markdown":
                pages |= {label: path.stem for label in LABEL.findall(cell.source + "\n")}
    return pages


def with_header(prompt: str, exercise: Exercise) -> str:
    """The prompt with the line of points, minutes and difficulty under its heading."""
    visible = sum(check.points for check in exercise.checks if not check.hidden)
    hidden = sum(check.points for check in exercise.checks if check.hidden)
    parts = [f"{exercise.points:g}점"]
    if visible and hidden:
        parts[0] += f"(보이는 점검 {visible:g}점, 숨은 점검 {hidden:g}점)"
    if exercise.manual_points and not exercise.checks:
        parts[0] += "(손으로 채점)"
    if exercise.minutes:
        parts.append(f"약 {exercise.minutes}분")
    if exercise.difficulty:
        parts.append(f"난이도 {DIFFICULTY[exercise.difficulty]}")
    return HEADING.sub(lambda m: f"{m.group(0)}\n\n*{' · '.join(parts)}*", prompt, count=1)


def clear_solutions(course: Course, nb: NotebookNode) -> NotebookNode:
    """Answers replaced by stubs, by nbgrader's own rule and the stubs of nbgrader_config.py."""
    view, _ = ClearSolutions(config=nbgrader_config(course.root)).preprocess(copy.deepcopy(nb), {})
    return view


def nbgrader_config(root: Path) -> Config:
    """The folder's nbgrader_config.py as a traitlets Config (empty when there is none)."""
    if not (root / "nbgrader_config.py").is_file():
        return Config()
    return PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config()


def _without_secrets(course: Course, nb: NotebookNode) -> NotebookNode:
    """Common to all student views: stubs, no hidden check, the header line of each exercise."""
    prompts = {cell_id: e for e in parse(nb) for cell_id in e.cells[:1]}
    view = clear_solutions(course, nb)
    kept = []
    for cell in view.cells:
        if is_check(cell) and BEGIN_HIDDEN in cell.source:
            continue
        if cell.id in prompts and cell.cell_type == "markdown":
            cell.source = with_header(cell.source, prompts[cell.id])
        kept.append(cell)
    view.cells = kept
    return view


def _answer_cell(exercise: Exercise) -> NotebookNode:
    """The worked solution as a folded code cell of the site."""
    head = outside(exercise.answer, BEGIN_SOLUTION, END_SOLUTION).rstrip()
    body = region(exercise.answer, BEGIN_SOLUTION, END_SOLUTION)
    return notebooks.nbformat.from_dict(
        {
            "cell_type": "code",
            "id": f"{exercise.grade_id}-answer",
            "metadata": {
                "id": f"{exercise.grade_id}-answer",
                "tags": ["hide-input"],
                "mystnb": {"code_prompt_show": "풀이 보기", "code_prompt_hide": "풀이 접기"},
            },
            "source": f"{head}\n{body}".strip(),
            "outputs": [],
            "execution_count": None,
        }
    )
