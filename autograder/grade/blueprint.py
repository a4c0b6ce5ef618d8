"""What grading needs to know of an assignment: its graded cells and a gradebook without any student in it.

Both come out of nbgrader's own generate_assignment, run into a folder of its own; `release/` is not touched. The real
gradebook gets the same cells by the same way, so that nbgrader's formgrader and exporters work on it.
"""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbgrader import utils
from nbgrader.api import Base, Gradebook, MissingEntry
from sqlalchemy import create_engine
from sqlalchemy.exc import SQLAlchemyError

from autograder import CourseError
from autograder.grade.converters import Release
from autograder.grade.folder import CourseFolder, namer
from autograder.grade.records import Record

AUTO, HAND, ANSWER, TEXT = "auto", "hand", "answer", "text"


@dataclass(frozen=True)
class Blueprint:
    """`cells`: notebook -> grade id -> {"kind", "points", "hidden", "weak", "mark",
    "source"}; mark is the released nbgrader metadata, source what instructors see of a locked cell."""

    course: str
    assignment: str
    folder: str  # holds gradebook.db
    cells: dict[str, dict[str, dict]]

    @property
    def gradebook(self) -> Path:
        return Path(self.folder) / "gradebook.db"

    def graded(self, kind: str) -> list[tuple[str, str, dict]]:
        """(notebook, name in a record, cell) of every graded cell of a kind, AUTO or HAND."""
        name = self.namer()
        return [
            (notebook, name(notebook, grade_id), cell)
            for notebook, cells in self.cells.items()
            for grade_id, cell in cells.items()
            if cell["kind"] == kind
        ]

    def namer(self):
        graded = {book: [i for i, c in cells.items() if c["kind"] in (AUTO, HAND)] for book, cells in self.cells.items()}
        return namer(graded)

    def record(self, student: str, **known) -> Record:
        """A record with the maxima filled in."""
        top = {kind: sum(cell["points"] for _, _, cell in self.graded(kind)) for kind in (AUTO, HAND)}
        return Record(student, self.assignment, max_auto=top[AUTO], max_manual=top[HAND], **known)


def need_source(course: CourseFolder, assignment: str) -> None:
    """Raises CourseError when there is no such assignment."""
    if not course.notebooks("source", ".", assignment):
        raise CourseError(
            f"{course.path('source', '.', assignment)}에 노트북이 없습니다. 과제 이름을 확인하거나 과제를 먼저 만드세요."
        )


def build(course: CourseFolder, assignment: str, into: Path) -> Blueprint:
    """Make the blueprint in folder `into` and bring the course's gradebook up to date with source/.

    Raises CourseError when source/ is missing or broken, or when graded cells were added or removed after hand-ins
    have been graded.
    """
    need_source(course, assignment)
    private = f"sqlite:///{into / 'gradebook.db'}"
    engine = create_engine(private)
    Base.metadata.create_all(engine)  # into a file without tables nbgrader would first call alembic, for seconds
    engine.dispose()
    _release(course, assignment, into / "release", private)
    with Gradebook(private, course.directory().course_id) as gradebook:
        cells = _read_cells(gradebook, assignment, into / "release")
        layout = _layout(gradebook, assignment)
    if not any(cell["kind"] in (AUTO, HAND) for book in cells.values() for cell in book.values()):
        raise CourseError(f"과제 {assignment}의 source 노트북에 채점 셀이 없습니다. nbgrader로 점수를 지정한 셀이 필요합니다.")
    try:
        with course.gradebook() as gradebook:
            _refuse_new_layout(gradebook, assignment, layout)
        _release(course, assignment, into / "again", course.directory().db_url)
    except SQLAlchemyError as error:
        raise CourseError(
            "gradebook.db를 열거나 쓸 수 없습니다. 다른 프로그램이 쓰고 있으면 닫고, 오래된 파일이면 복사해 둔 뒤 "
            f"nbgrader db upgrade를 실행하세요.\n{error}"
        ) from error
    return Blueprint(str(course.root), assignment, str(into), cells)


def _release(course: CourseFolder, assignment: str, output: Path, db_url: str) -> None:
    directory = course.directory(assignment, ".", db_url=db_url)
    try:
        with course.inside():
            Release(coursedir=directory, config=course.config, output=str(output)).start()
    except SQLAlchemyError:
        raise
    except Exception as error:  # nbgrader and nbformat raise many kinds
        raise CourseError(f"nbgrader가 source/{assignment}를 읽지 못했습니다. 노트북을 고친 뒤 다시 실행하세요.\n{error}") from error


def _read_cells(gradebook: Gradebook, assignment: str, release: Path) -> dict[str, dict[str, dict]]:
    cells = {}
    for path in sorted(release.glob("*.ipynb")):
        full = {cell.name: cell.source for cell in gradebook.find_notebook(path.stem, assignment).source_cells}
        marked = [c for c in nbformat.read(path, as_version=4).cells if c.metadata.get("nbgrader", {}).get("grade_id")]
        cells[path.stem] = {
            cell.metadata.nbgrader.grade_id: {
                "kind": _kind(cell),
                "points": float(cell.metadata.nbgrader.get("points") or 0),
                # What students got differs from what is checked, whatever the course's delimiters are.
                "hidden": cell.source != full.get(cell.metadata.nbgrader.grade_id, cell.source),
                "weak": bool((cell.metadata.get("course") or {}).get("weak")),
                "mark": dict(cell.metadata.nbgrader),
                "source": full.get(cell.metadata.nbgrader.grade_id, cell.source),
            }
            for cell in marked
        }
    return cells


def _kind(cell) -> str:
    if utils.is_task(cell) or (utils.is_grade(cell) and utils.is_solution(cell)):
        return HAND
    if utils.is_grade(cell):
        return AUTO
    return ANSWER if utils.is_solution(cell) else TEXT


def _layout(gradebook: Gradebook, assignment: str) -> set[tuple[str, str, str]]:
    """(notebook, kind, grade id) of all cells nbgrader keeps; these must not change once a hand-in is graded."""
    kinds = ("grade_cells", "solution_cells", "task_cells", "source_cells")
    books = gradebook.find_assignment(assignment).notebooks
    return {(book.name, kind, cell.name) for book in books for kind in kinds for cell in getattr(book, kind)}


def _refuse_new_layout(gradebook: Gradebook, assignment: str, new: set) -> None:
    try:
        hand_ins = len(gradebook.find_assignment(assignment).submissions)
        old = _layout(gradebook, assignment)
    except MissingEntry:
        return
    if not hand_ins or old == new:
        return
    added, removed = ({f"{book}/{cell}" for book, _, cell in cells} for cells in (new - old, old - new))
    changes = [f"새로 생긴 셀: {', '.join(sorted(added))}"] * bool(added)
    changes += [f"없어진 셀: {', '.join(sorted(removed))}"] * bool(removed)
    raise CourseError(
        f"과제 {assignment}은 이미 {hand_ins}명의 채점 결과가 있는데, source의 셀 구성이 그때와 다릅니다.\n"
        + "\n".join(changes)
        + "\n점검의 내용은 바꿀 수 있지만 채점 셀을 더하거나 빼려면 다음 중 하나를 하세요.\n"
        "1) source를 이전 구성으로 되돌립니다.\n"
        "2) 과제를 새 이름으로 만듭니다.\n"
        f"3) gradebook.db를 복사해 둔 뒤 nbgrader db assignment remove {assignment} --force 로 지우고 다시 채점합니다. "
        "이때 손으로 준 점수도 지워집니다."
    )
