"""Proof of the exercises through the real grading path: the model answer scores full, the stub 0, every named wrong
answer loses points and gets the message that names its mistake, every right answer that computes differently scores full.

The k-th variant of every exercise shares one hand-in, so that the proof of a whole lab takes as many gradings as the
exercise with the most variants has.
"""
from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autograder import CourseError, notebooks
from autograder.assemble import release_notebook, source_notebook
from autograder.course import Course
from autograder.exercises import Exercise, parse
from autograder.grade.records import Record
from autograder.grade.run import Settings, grade
from autograder.handins import Variant, filled, variants

MIN_WRONG, MIN_RIGHT = 5, 2


@dataclass(frozen=True)
class Row:
    """What happened to one variant; `surprise` is "" when it did what its kind promises."""

    variant: Variant
    score: float
    max: float
    messages: tuple[str, ...]
    surprise: str


def prove(course: Course, name: str, progress: Callable[[str], None] = lambda text: None) -> list[Row]:
    """Grade every variant of every exercise of an assignment. Rows in order of exercise, then of variant."""
    source = source_notebook(course, course.assignment(name))
    release = release_notebook(course, name, source)
    exercises = [e for e in parse(source) if e.checks]  # a hand-graded exercise has nothing to prove
    stubs = {cell.metadata.nbgrader.grade_id: cell.source for cell in release.cells if "nbgrader" in cell.metadata}
    by_exercise = {e.grade_id: variants(course, e, stubs[e.grade_id]) for e in exercises}
    _no_strays(course)

    with tempfile.TemporaryDirectory(prefix="proof-") as folder:
        root = Path(folder)
        notebooks.write(source, root / "source" / name / f"{name}.ipynb")
        if (course.root / "nbgrader_config.py").is_file():
            shutil.copy(course.root / "nbgrader_config.py", root)
        for k in range(max(len(v) for v in by_exercise.values())):
            answers = {i: (v[k] if k < len(v) else v[0]).code for i, v in by_exercise.items()}
            notebooks.write(filled(release, answers), root / "submitted" / f"variant{k:02}" / name / f"{name}.ipynb")
        records = grade(
            root,
            name,
            settings=Settings.of(course.limits),
            progress=lambda record, done, total: progress(f"증명 {done}/{total}"),
        )
    by_student = {record.student: record for record in records}
    return [
        _row(exercise, variant, by_student[f"variant{k:02}"])
        for exercise in exercises
        for k, variant in enumerate(by_exercise[exercise.grade_id])
    ]


def shortfalls(rows: list[Row]) -> list[str]:
    """Exercises with too few or indistinct variants."""
    texts = []
    for grade_id in dict.fromkeys(row.variant.exercise for row in rows):
        mine = [row.variant for row in rows if row.variant.exercise == grade_id]
        wrong = [v for v in mine if v.kind == "wrong"]
        right = [v for v in mine if v.kind == "right"]
        if len({v.message for v in wrong}) < MIN_WRONG:
            texts.append(f"{grade_id}: 메시지가 서로 다른 틀린 답이 {MIN_WRONG}개 이상 필요합니다. chapters/variants/{grade_id}/에 더하세요.")
        if len(right) < MIN_RIGHT:
            texts.append(f"{grade_id}: 다르게 계산하는 맞는 답이 {MIN_RIGHT}개 이상 필요합니다. chapters/variants/{grade_id}/에 더하세요.")
    return texts


def _row(exercise: Exercise, variant: Variant, record: Record) -> Row:
    cells = {c.grade_id: record.cells.get(c.grade_id, {"score": 0.0, "max": c.points, "message": ""}) for c in exercise.checks}
    score, full = sum(c["score"] for c in cells.values()), sum(c.points for c in exercise.checks)
    messages = tuple(" ".join(c["message"].split()) for c in cells.values() if c["message"])
    if record.status != "graded":
        surprise = f"채점되지 않았습니다({record.status}): {record.reason}"
    elif variant.kind in ("model", "right"):
        surprise = "" if score == full else f"만점이어야 합니다: {' / '.join(messages)}"
    elif variant.kind == "stub":
        astray = [message for message in messages if not message.startswith("NotImplementedError")]
        surprise = "" if score == 0 else "빈칸은 0점이어야 합니다."
        surprise = surprise or (f"빈칸이 다른 실수의 메시지를 받았습니다: {' / '.join(astray)}" if astray else "")
    elif score >= full:
        surprise = "틀린 답이 만점을 받았습니다."
    else:
        surprise = "" if variant.message in messages else f"기대한 메시지가 아닙니다: {' / '.join(messages)}"
    return Row(variant, score, full, messages, surprise)


def _no_strays(course: Course) -> None:
    """A folder of variants without its exercise would look like proof and prove nothing."""
    known = {e.grade_id for path in course.chapters.glob("*.ipynb") for e in parse(notebooks.read(path))}
    for folder in sorted((course.chapters / "variants").glob("[a-z]*/")):
        if folder.name not in known:
            raise CourseError(f"chapters/variants/{folder.name}에 맞는 직접 해보기가 없습니다. 폴더 이름을 grade_id와 같게 하세요.")
