"""Grades as a CSV file that Excel opens as it is: Hangul readable, student numbers whole, no cell a formula."""
from __future__ import annotations

import csv
from pathlib import Path

from autograder.grade.folder import CourseFolder
from autograder.grade.records import REFUSED, STOPPED, Record
from autograder.grade.totals import STALE, Total, points, total

COLUMNS = ("학번", "과제", "자동 채점", "손 채점", "합계", "만점", "상태", "이유")
FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


def write_grades(course_dir: Path | str, assignment: str, records: list[Record], path: Path | str) -> Path:
    """Write one row per record, by student, with hand scores from the gradebook; the path.

    자동 채점 + 손 채점 - a late penalty = 합계. 손 채점 stays empty until a person has given something; it contains what
    a person changed in automatic scores, too.
    """
    scores = CourseFolder(course_dir).hand_scores(assignment)
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(COLUMNS)
        for record in sorted(records, key=lambda record: record.student):
            sums = total(record, scores.get(record.student))
            numbers = [points(value) for value in (sums.auto, sums.hand, sums.score, sums.max)]
            status, reason = _status(record, sums.waiting), _reason(record, sums)
            rows.writerow([text(record.student), text(assignment), *numbers, status, text(reason)])
    return path


def text(value: str) -> str:
    """A text cell on one line that no spreadsheet takes for a formula."""
    flat = " ".join(value.split())
    return "'" + flat if flat.startswith(FORMULA) or value.startswith(("\t", "\r", "\n")) else flat


def _status(record: Record, waiting: list[str]) -> str:
    if record.status == REFUSED:
        return "채점 못 함"
    if record.status == STOPPED:
        return "중간에 멈춤"
    return "확인 전" if waiting else "채점함"


def _reason(record: Record, sums: Total) -> str:
    parts = [*([record.reason] if record.reason else []), *record.flags]
    if sums.stale:
        parts.append(STALE.format(cells=", ".join(sums.stale)))
    if sums.waiting:
        parts.append(f"사람이 볼 셀: {', '.join(sums.waiting)}")
    if sums.penalty:
        parts.append(f"지각 감점 {points(sums.penalty)}점")
    return " / ".join(parts)
