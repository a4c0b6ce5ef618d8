"""When an attempt came, whether that was on time, and which one counts.

Due dates, grace and the choice are in course.yml; who has longer is in extensions.csv beside it (학번, 과제, 마감), which
git does not see. A course without course.yml has no due dates.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

from autograder import CourseError, tables
from autograder.course import LAST_ON_TIME, load
from autograder.intake.attempts import Attempt
from autograder.intake.listings import moment
from autograder.tables import plain

EXTENSIONS = "extensions.csv"


@dataclass(frozen=True)
class Rules:
    """Of one assignment. Times are UTC."""

    due: datetime | None = None
    grace: timedelta = timedelta()
    counts: str = LAST_ON_TIME
    zone: ZoneInfo = ZoneInfo("Asia/Seoul")
    extensions: dict[str, datetime] = field(default_factory=dict)

    def deadline(self, student: str) -> datetime | None:
        """When the student's time is up; grace comes on top."""
        same = [when for number, when in self.extensions.items() if number.lstrip("0") == student.lstrip("0")]
        return self.extensions.get(student, same[0] if len(same) == 1 else self.due)

    def handed_in(self, attempt: Attempt, student: str, decided: datetime | None = None) -> datetime:
        """The time that is used: what the instructor says, else what the platform says.

        Where neither says it, nobody is late by our collecting late: it is the time of collecting, but not after the
        student's time was up; one second after when the platform says that the attempt was late.
        """
        last = self.deadline(student) and self.deadline(student) + self.grace
        if decided or attempt.time or not last:
            return decided or attempt.time or attempt.received
        return last + timedelta(seconds=1) if attempt.late else min(attempt.received, last)

    def late_by(self, when: datetime, student: str) -> timedelta:
        """How long after the student's time was up; nothing within the grace."""
        deadline = self.deadline(student)
        return when - deadline if deadline and when > deadline + self.grace else timedelta()

    def choose(self, times: Sequence[datetime], student: str) -> int:
        """Which one counts of one or more attempts in order: the last one on time, or the last one."""
        on_time = [n for n, when in enumerate(times) if not self.late_by(when, student)]
        return on_time[-1] if on_time and self.counts == LAST_ON_TIME else len(times) - 1

    def shown(self, when: datetime) -> str:
        """A time in the course's zone, for people."""
        return f"{when.astimezone(self.zone):%Y-%m-%d %H:%M}"


def read_rules(root: Path, assignment: str) -> Rules | None:
    """What course.yml and extensions.csv of a course say; None where it says nothing of this assignment.

    Raises CourseError naming the line that is wrong.
    """
    course = load(root) if (root / "course.yml").is_file() else None
    if not course or assignment not in course.assignments:
        return None
    found = course.assignments[assignment]
    due = found.due.astimezone(timezone.utc) if found.due else None
    return Rules(due, found.grace, found.counts, course.timezone, _extensions(root, assignment, course.timezone))


def _extensions(root: Path, assignment: str, zone: ZoneInfo) -> dict[str, datetime]:
    path = root / EXTENSIONS
    if not path.is_file():
        return {}
    table = tables.read(path)
    columns = [table.column(name) for name in ("학번", "과제", "마감")]
    if None in columns:
        raise CourseError(f"{EXTENSIONS}의 첫 줄은 학번,과제,마감이어야 합니다. 지금 있는 열: {', '.join(table.header)}")
    found = {}
    for line, row in enumerate(table.rows, 2):
        student, which, text = (row[n].strip() for n in columns)
        if plain(which) != plain(assignment):
            continue
        when = moment(text, zone)
        if not student or not when:
            raise CourseError(f"{EXTENSIONS} {line}번째 줄의 마감 '{text}'을 읽을 수 없습니다. 예: 2026123456,lab11,2026-12-16 23:59")
        found[student] = when
    return found


def lateness(late: timedelta) -> str:
    """A length of time for people: 2일 3시간, 3시간 5분, 1분."""
    minutes = max(1, round(late.total_seconds() / 60))
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [f"{days}일" * bool(days), f"{hours}시간" * bool(hours), f"{minutes}분" * bool(minutes and not days)]
    return " ".join(filter(None, parts))
