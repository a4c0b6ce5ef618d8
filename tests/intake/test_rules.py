"""Rules: whose time was up when, which attempt counts, and that no time is made up against a student."""
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from autograder import CourseError
from autograder.course import load
from autograder.intake.attempts import Attempt
from autograder.intake.rules import Rules, lateness, read_rules

DUE = datetime(2026, 12, 14, 14, 59, tzinfo=timezone.utc)  # 23:59 in Seoul
MINUTE = timedelta(minutes=1)
LONGER = {"2024000002": DUE + timedelta(days=2), "12345678": DUE + timedelta(days=1)}
RULES = Rules(DUE, 10 * MINUTE, extensions=LONGER)


def change(course, old: str, new: str) -> None:
    path = course.root / "course.yml"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def attempt(time=None, received=DUE, late=False) -> Attempt:
    return Attempt(Path(), "x", "hw.ipynb", "hw.ipynb", "x.zip", "0" * 64, received, time, late)


@pytest.mark.parametrize(("student", "later"), [("2024000001", 0), ("2024000002", 2), ("0012345678", 1)])
def test_deadline(student, later):
    assert RULES.deadline(student) == DUE + timedelta(days=later)


@pytest.mark.parametrize(
    ("after", "late"),
    [(-MINUTE, timedelta()), (10 * MINUTE, timedelta()), (11 * MINUTE, 11 * MINUTE), (timedelta(days=1), timedelta(days=1))],
)
def test_grace_is_on_time_and_lateness_counts_from_the_due_date(after, late):
    assert RULES.late_by(DUE + after, "2024000001") == late


@pytest.mark.parametrize(
    ("counts", "times", "chosen"),
    [
        ("last_on_time", [-9, -1, 5], 2),  # within the grace
        ("last_on_time", [-9, -1, 60], 1),
        ("last_on_time", [30, 60], 1),
        ("last", [-9, 60], 1),
    ],
)
def test_which_attempt_counts(counts, times, chosen):
    rules = Rules(DUE, 10 * MINUTE, counts)
    assert rules.choose([DUE + n * MINUTE for n in times], "2024000001") == chosen


# Where nobody says when it came, collecting late makes nobody late; what the platform calls late is late by a second.
@pytest.mark.parametrize(
    ("one", "decided", "used"),
    [
        (attempt(time=DUE + MINUTE), None, DUE + MINUTE),
        (attempt(time=DUE + MINUTE), DUE, DUE),
        (attempt(received=DUE - MINUTE), None, DUE - MINUTE),
        (attempt(received=DUE + timedelta(days=9)), None, DUE + 10 * MINUTE),
        (attempt(received=DUE + timedelta(days=9), late=True), None, DUE + 10 * MINUTE + timedelta(seconds=1)),
        (attempt(received=DUE + timedelta(days=9), late=True), DUE + timedelta(days=1), DUE + timedelta(days=1)),
    ],
)
def test_time_of_handing_in(one, decided, used):
    assert RULES.handed_in(one, "2024000001", decided) == used
    assert Rules().handed_in(one, "2024000001", decided) == decided or one.time or one.received


@pytest.mark.parametrize(("minutes", "text"), [(0.01, "1분"), (1, "1분"), (185, "3시간 5분"), (60, "1시간"), (3065, "2일 3시간")])
def test_lateness_for_people(minutes, text):
    assert lateness(minutes * MINUTE) == text


def test_what_course_yml_and_extensions_say(mini):
    change(mini, "due: 2026-12-14 23:59", "due: 2026-12-14 23:59\n    grace_minutes: 10\n    counts: last")
    (mini.root / "extensions.csv").write_bytes("학번,과제,마감,메모\n2026000001,lab1,2026-12-16 오후 11:59,병결\n2026000002,lab9,x,\n".encode("cp949"))
    rules = read_rules(mini.root, "lab1")
    assert (rules.due, rules.grace, rules.counts) == (DUE, 10 * MINUTE, "last")
    assert rules.deadline("2026000001") == DUE + timedelta(days=2) and rules.deadline("2026000002") == DUE
    assert rules.shown(DUE) == "2026-12-14 23:59"
    assert read_rules(mini.root, "lab9") is None and read_rules(mini.root / "nowhere", "lab1") is None


@pytest.mark.parametrize(("content", "says"), [("학번,과제,마감\n2026000001,lab1,내일\n", "2번째 줄"), ("학번,기한\n1,2\n", "첫 줄은")])
def test_a_faulty_extension_is_named(mini, content, says):
    (mini.root / "extensions.csv").write_text(content, encoding="utf-8")
    with pytest.raises(CourseError, match=says):
        read_rules(mini.root, "lab1")


@pytest.mark.parametrize("wrong", ["grace_minutes: 곧", "grace_minutes: -1", "counts: best"])
def test_a_faulty_rule_is_named(mini, wrong):
    change(mini, "due: 2026-12-14 23:59", f"due: 2026-12-14 23:59\n    {wrong}")
    with pytest.raises(CourseError, match=wrong.partition(":")[0]):
        load(mini.root)


def test_due_with_a_zone_of_its_own(mini):
    change(mini, "2026-12-14 23:59", "2026-12-14 14:59+00:00")
    assert read_rules(mini.root, "lab1").due == DUE
