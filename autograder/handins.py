"""Hand-ins made by code from a release: model answers, stubs and the variants beside the chapters.

A variant is a small Python file, chapters/variants/<exercise>/wrong_<mistake>.py or right_<way>.py: the docstring is
the message that the student must get (wrong) or what is different (right), the rest is the answer cell. Where the message
has numbers of the exercise, a second paragraph says the same without them, for the calculator of the site.
"""
from __future__ import annotations

import ast
import copy
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from autograder import CourseError
from autograder.course import Course
from autograder.exercises import BEGIN_SOLUTION, END_SOLUTION, Exercise


@dataclass(frozen=True)
class Variant:
    """One way to answer one exercise."""

    exercise: str
    kind: str  # model, stub, wrong, right
    name: str
    code: str
    message: str = ""  # expected message of a wrong one
    mistake: str = ""  # what is wrong, without numbers of the exercise


def variants(course: Course, exercise: Exercise, stub: str) -> list[Variant]:
    """Model, stub, then the wrong and right files of an exercise in alphabetical order."""
    answer = "\n".join(line for line in exercise.answer.splitlines() if BEGIN_SOLUTION not in line and END_SOLUTION not in line)
    found = [Variant(exercise.grade_id, "model", "model", answer), Variant(exercise.grade_id, "stub", "stub", stub)]
    folder = course.chapters / "variants" / exercise.grade_id
    files = sorted(folder.glob("wrong_*.py")) + sorted(folder.glob("right_*.py"))
    return found + [read(path) for path in files]


def read(path: Path) -> Variant:
    """One file of chapters/variants/. Raises CourseError when it is no Python or has no docstring."""
    grade_id = path.parent.name
    source = path.read_text(encoding="utf-8")
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise CourseError(f"chapters/variants/{grade_id}/{path.name}의 문법이 틀렸습니다: {error}") from error
    message = ast.get_docstring(tree)
    if not message:
        raise CourseError(f"chapters/variants/{grade_id}/{path.name} 맨 위에 docstring이 없습니다. 틀린 답이면 기대하는 메시지를, 맞는 답이면 무엇이 다른지 쓰세요.")
    code = "\n".join(source.splitlines()[tree.body[0].end_lineno :]).strip()
    kind, _, name = path.stem.partition("_")
    paragraphs = [" ".join(paragraph.split()) for paragraph in message.split("\n\n")]
    return Variant(grade_id, kind, name, code, paragraphs[0], paragraphs[-1])


def filled(release: NotebookNode, answers: dict[str, str]) -> NotebookNode:
    """A copy of the release with the named answer cells filled in: {grade_id: code}."""
    nb = copy.deepcopy(release)
    for cell in nb.cells:
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        if grade_id in answers:
            cell.source = answers[grade_id]
    return nb
