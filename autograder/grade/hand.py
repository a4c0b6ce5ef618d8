"""Which answer a person's score was given for.

nbgrader keeps a hand score for ever: a new hand-in with another answer inherits it. So beside each hand score we note, in
a table of our own in the gradebook, a hash of the answer that lay in autograded/ when the score was given. A score whose
answer has changed since is stale until a person gives or confirms it again. Scores given at our desk are noted at once;
those given by other means are noted before grading replaces what the person saw.
"""
from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import nbformat
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Assignment, Grade, Gradebook, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import Column, Float, MetaData, String, Table, delete, insert, inspect, or_, select
from sqlalchemy.exc import OperationalError

from autograder.grade.folder import CourseFolder

NOTES = Table(
    "hand_score_answer",
    MetaData(),
    Column("grade_id", String(32), primary_key=True),
    Column("answer", String(64), nullable=False),
    Column("manual_score", Float),
    Column("extra_credit", Float),
)


@contextmanager
def kept(course: CourseFolder, assignment: str) -> Iterator[None]:
    """Around grading: afterwards only hand scores whose answer changed ask for a person again.

    nbgrader asks for every one of them after each regrade, changed or not, so that nobody looks any more.
    """
    with course.gradebook() as gradebook:
        answer, notes = _reader(course), _notes(gradebook)
        for grade in _by_hand(gradebook, assignment):
            # nbgrader marks each score it regrades: without its mark, the score is for what lies there now. (It never marks
            # extra credit alone; with its mark and without our note, nobody knows what the score was for.)
            if not grade.needs_manual_grade and (grade.manual_score is not None or not _is_about(notes.get(grade.id), grade)):
                _write(gradebook, grade, answer(grade))
        gradebook.db.commit()
    try:
        yield
    finally:  # a gradebook that is in use now is put right by the next run
        with suppress(OperationalError), course.gradebook() as gradebook:
            outdated, notes = stale(course, gradebook, assignment), _notes(gradebook)
            for grade in _by_hand(gradebook, assignment):
                if _is_about(notes.get(grade.id), grade):
                    without = grade.manual_score is None and grade.auto_score is None
                    grade.needs_manual_grade = without or grade.id in outdated
            gradebook.db.commit()


def note(course: CourseFolder, gradebook: Gradebook, grade: Grade) -> None:
    """A person has just scored, or confirmed, what lies in autograded/. Commits."""
    _write(gradebook, grade, _reader(course)(grade))
    gradebook.db.commit()


def stale(course: CourseFolder, gradebook: Gradebook, assignment: str, student: str | None = None) -> set[str]:
    """Ids of the grades whose hand score was given for another answer than the one now in autograded/.

    A score that was confirmed elsewhere (nbgrader then takes its own mark away) is not stale, nor is one whose graded
    notebook is missing: there is nothing newer to look at.
    """
    answer, notes, found = _reader(course), _notes(gradebook), set()
    for grade in _by_hand(gradebook, assignment, student):
        noted = notes.get(grade.id)
        confirmed = grade.manual_score is not None and not grade.needs_manual_grade
        if not confirmed and _is_about(noted, grade) and answer(grade) not in (noted.answer, ""):
            found.add(grade.id)
    return found


def answers(notebook: NotebookNode) -> dict[str, str]:
    """Grade id -> hash of what a person judges there: a written answer with its pictures; for a check, the student's code
    above it; for a task, all that the student wrote."""
    free = [cell for cell in notebook.cells if not utils.is_locked(cell)]
    found, code = {}, []
    for cell in notebook.cells:
        if cell.cell_type == "code" and not utils.is_locked(cell):
            code.append(cell)
        if utils.is_grade(cell) or utils.is_task(cell):
            judged = free if utils.is_task(cell) else [cell] if utils.is_solution(cell) else code
            found[cell.metadata.nbgrader.grade_id] = _hash(judged)
    return found


def _hash(cells: list[NotebookNode]) -> str:
    content = [[cell.cell_type, cell.source.rstrip(), cell.get("attachments", {})] for cell in cells]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _reader(course: CourseFolder) -> Callable[[Grade], str]:
    """A function: grade -> hash of the answer in autograded/, "" when there is none."""

    @functools.cache
    def read(student: str, assignment: str, notebook: str) -> dict[str, str]:
        try:
            path = course.path("autograded", student, assignment) / f"{notebook}.ipynb"
            return answers(nbformat.read(path, as_version=4))
        except Exception:  # nbformat raises many kinds; what cannot be read cannot be compared
            return {}

    return lambda grade: read(grade.student.id, grade.assignment.name, grade.notebook.name).get(grade.name, "")


def _by_hand(gradebook: Gradebook, assignment: str, student: str | None = None) -> list[Grade]:
    query = (
        gradebook.db.query(Grade)
        .join(SubmittedNotebook, Grade.notebook_id == SubmittedNotebook.id)
        .join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        .filter(Assignment.name == assignment, or_(Grade.manual_score.is_not(None), Grade.extra_credit != 0))
    )
    return query.filter(SubmittedAssignment.student_id == student).all() if student else query.all()


def _notes(gradebook: Gradebook) -> dict:
    if not inspect(gradebook.db.connection()).has_table(NOTES.name):
        return {}
    return {row.grade_id: row for row in gradebook.db.execute(select(NOTES))}


def _is_about(noted, grade: Grade) -> bool:
    return noted is not None and (noted.manual_score, noted.extra_credit) == (grade.manual_score, grade.extra_credit)


def _write(gradebook: Gradebook, grade: Grade, answer: str) -> None:
    NOTES.create(gradebook.db.connection(), checkfirst=True)
    gradebook.db.execute(delete(NOTES).where(NOTES.c.grade_id == grade.id))
    if answer and (grade.manual_score is not None or grade.extra_credit):
        scores = {"manual_score": grade.manual_score, "extra_credit": grade.extra_credit}
        gradebook.db.execute(insert(NOTES).values(grade_id=grade.id, answer=answer, **scores))
