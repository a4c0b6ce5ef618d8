"""An nbgrader course folder, ours or any other: its nbgrader_config.py, its paths and what its gradebook says.

nbgrader takes seconds to import, so it is imported where it is used: reading records must stay quick.
"""
from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from autograder import CourseError

if TYPE_CHECKING:
    from nbgrader.api import Gradebook
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config


@dataclass(frozen=True)
class HandScore:
    """What the gradebook says about one graded cell of one hand-in."""

    score: float | None  # None: a person has still to look at it
    max: float
    by_hand: bool  # a person gave the score (possible for an automatic check, too)
    extra: float = 0.0
    comment: str = ""  # written by a person
    stale: bool = False  # a person gave something here, but for another answer than the present one


@dataclass(frozen=True)
class HandScores:
    """One hand-in in the gradebook: its graded cells (named as in a record) and its late penalty."""

    cells: dict[str, HandScore] = field(default_factory=dict)
    penalty: float = 0.0


class CourseFolder:
    """Paths and settings as nbgrader's own commands would see them when started in this folder."""

    def __init__(self, root: Path | str):
        self.root = Path(root).resolve()

    @cached_property
    def config(self) -> Config:
        """nbgrader_config.py of the folder. Raises CourseError when it does not run."""
        from traitlets.config.loader import Config, PyFileConfigLoader

        if not (self.root / "nbgrader_config.py").is_file():
            return Config()
        if str(self.root) not in sys.path:  # a configuration may name classes of modules beside it
            sys.path.append(str(self.root))
        with self.inside():
            try:
                return PyFileConfigLoader("nbgrader_config.py", path=str(self.root)).load_config()
            except Exception as error:  # it is a program: anything may go wrong in it
                raise CourseError(f"{self.root}/nbgrader_config.py를 실행하지 못했습니다. 고친 뒤 다시 실행하세요.\n{error}") from error

    def directory(self, assignment: str = "", student: str = "*", **changes) -> CourseDirectory:
        """nbgrader's view of the folder; `changes` replace what the configuration says."""
        from nbgrader.coursedir import CourseDirectory

        settings = {"root": str(self.root), "assignment_id": assignment, "student_id": student} | changes
        return CourseDirectory(config=self.config, **settings)

    def path(self, step: str, student: str, assignment: str) -> Path:
        """Folder of one step ("source", "release", "submitted", "autograded", "feedback"); student "." for the first two."""
        directory = self.directory()
        return Path(os.path.normpath(directory.format_path(getattr(directory, f"{step}_directory"), student, assignment)))

    def notebooks(self, step: str, student: str, assignment: str) -> list[Path]:
        return sorted(self.path(step, student, assignment).glob("*.ipynb"))

    def students(self, assignment: str) -> list[str]:
        """Students with a folder for this assignment among the submitted ones."""
        directory = self.directory()
        excluded = directory.student_id_exclude.split(",")
        parts = Path(directory.format_path(directory.submitted_directory, "\0", assignment)).parts
        at = next(i for i, part in enumerate(parts) if "\0" in part)
        pattern = re.compile(re.escape(parts[at]).replace(re.escape("\0"), "(.+)"))
        found = []
        for folder in sorted(Path(*parts[:at]).glob("*")):
            match = pattern.fullmatch(folder.name)
            if not match or folder.name.startswith(".") or match.group(1) in excluded:
                continue
            if folder.joinpath(*parts[at + 1 :]).is_dir():
                found.append(match.group(1))
        return found

    @contextmanager
    def inside(self) -> Iterator[None]:
        """What nbgrader expects around it: relative paths (a database, a header) are meant from the course folder, and
        to create a gradebook it calls `alembic`, which is on PATH only where the environment is activated."""
        from sqlalchemy.exc import SAWarning

        before, path = os.getcwd(), os.environ.get("PATH", os.defpath)
        os.chdir(self.root)
        os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), path])
        try:
            with warnings.catch_warnings():  # nbgrader 0.9.6 makes rows in an order that SQLAlchemy 2.1 remarks on
                warnings.filterwarnings("ignore", "Object of type <Submitted", SAWarning)
                yield
        finally:
            os.chdir(before)
            os.environ["PATH"] = path

    @contextmanager
    def gradebook(self) -> Iterator[Gradebook]:
        with self.inside(), self.open_gradebook() as gradebook:
            yield gradebook

    def open_gradebook(self) -> Gradebook:
        """For use inside(); a context that closes it."""
        from nbgrader.api import Gradebook

        directory = self.directory()
        return Gradebook(directory.db_url, directory.course_id)

    def has_gradebook(self) -> bool:
        """False when opening the gradebook would only create an empty file."""
        url = self.directory().db_url
        return not url.startswith("sqlite:///") or (self.root / url.removeprefix("sqlite:///").partition("?")[0]).is_file()

    def hand_scores(self, assignment: str) -> dict[str, HandScores]:
        """Every hand-in of an assignment that the gradebook knows."""
        from nbgrader.api import MissingEntry

        from autograder.grade import hand

        if not self.has_gradebook():
            return {}
        with self.gradebook() as gradebook:
            try:
                found = gradebook.find_assignment(assignment)
            except MissingEntry:
                return {}
            name = namer({book.name: [c.name for c in (*book.grade_cells, *book.task_cells)] for book in found.notebooks})
            stale = hand.stale(self, gradebook, assignment)
            return {hand_in.student_id: _hand_scores(hand_in, name, stale) for hand_in in _loaded(gradebook, found)}


def namer(notebooks: dict[str, list[str]]):
    """A function (notebook, grade id) -> name in a record: the grade id, or both where two notebooks share it."""
    ids = [grade_id for cells in notebooks.values() for grade_id in cells]
    shared = {grade_id for grade_id in ids if ids.count(grade_id) > 1}
    return lambda notebook, grade_id: f"{notebook}/{grade_id}" if grade_id in shared else grade_id


def _loaded(gradebook: Gradebook, assignment) -> list:
    """Its submissions, with what _hand_scores() reads: in five queries, not in several for each cell."""
    from nbgrader.api import Comment, Grade, SubmittedAssignment, SubmittedNotebook
    from sqlalchemy.orm import joinedload, selectinload, undefer

    books = selectinload(SubmittedAssignment.notebooks)
    cells = (
        selectinload(SubmittedNotebook.grades).options(joinedload(Grade.cell), undefer(Grade.max_score)),
        selectinload(SubmittedNotebook.comments).joinedload(Comment.cell),
    )
    query = gradebook.db.query(SubmittedAssignment).options(books.options(joinedload(SubmittedNotebook.notebook), *cells))
    return query.filter(SubmittedAssignment.assignment_id == assignment.id).all()


def _hand_scores(hand_in, name, stale: set[str]) -> HandScores:
    cells = {}
    for notebook in hand_in.notebooks:
        comments = {comment.name: comment.manual_comment for comment in notebook.comments}
        for grade in notebook.grades:
            by_hand = grade.manual_score is not None
            cells[name(notebook.name, grade.name)] = HandScore(
                score=grade.manual_score if by_hand else grade.auto_score,
                max=grade.max_score,
                by_hand=by_hand,
                extra=grade.extra_credit or 0.0,
                comment=comments.get(grade.name) or "",
                stale=grade.id in stale,
            )
    return HandScores(cells, float(hand_in.late_submission_penalty or 0.0))
