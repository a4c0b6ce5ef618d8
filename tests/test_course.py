"""course.yml: what an instructor gets wrong is named, with the key."""
from datetime import datetime, timedelta

import pytest

from autograder import CourseError
from autograder.course import glossary_entries, load

WRONG = {
    "missing title": ("title: 작은 교재\n", "", "title"),
    "repository as URL": ("owner/name", "https://github.com/owner/name", "student_repository"),
    "repository with .git": ("owner/name", "owner/name.git", "student_repository"),
    "unknown policy": ("answers: never", "answers: sometimes", "answers"),
    "site without scheme": ("https://example.org/book/", "example.org", "site_url"),
    "broken YAML": ("title: 작은 교재", "title: [작은", "course.yml"),
    "missing chapter": ("chapters: [one]", "chapters: [one, two]", "chapters/two.ipynb"),
    "due that is no time": ("2026-12-14 23:59", "다음 주", "due"),
    "assignment name with a space": ("lab1:", "'lab 1':", "lab 1"),
    "version that cannot be counted": ("title: 작은 과제", "title: 작은 과제\n    version: 2026년 2판", "version"),
    "unknown zone": ("answers: never", "answers: never\ntimezone: Asia/Soul", "timezone"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_each_mistake_is_named(mini, fault):
    old, new, named = WRONG[fault]
    path = mini.root / "course.yml"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(CourseError, match=named):
        load(mini.root)


@pytest.mark.parametrize("text", ["", "a: 1", "- 낱말", "- meaning: 뜻", "- [", "- term: 3"])
def test_a_broken_glossary_is_named(tmp_path, text):
    path = tmp_path / "glossary.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match="glossary.yml"):
        glossary_entries(path)


def test_due_date_has_the_course_zone(mini):
    assert mini.assignment("lab1").due.utcoffset() == timedelta(hours=9)


def test_a_bare_day_is_due_at_its_end(mini):
    path = mini.root / "course.yml"
    path.write_text(path.read_text(encoding="utf-8").replace("2026-12-14 23:59", "2026-12-14"), encoding="utf-8")
    due = load(mini.root).assignment("lab1").due
    assert (due.hour, due.minute) == (23, 59)


@pytest.mark.parametrize(
    ("policy", "before", "after"), [("never", False, False), ("always", True, True), ("after_due", False, True)]
)
def test_answers_follow_the_policy(mini, policy, before, after):
    path = mini.root / "course.yml"
    path.write_text(path.read_text(encoding="utf-8").replace("answers: never", f"answers: {policy}"), encoding="utf-8")
    course = load(mini.root)
    due = datetime(2026, 12, 14, 23, 59, tzinfo=course.timezone)
    assert course.answers_allowed("one", due - timedelta(minutes=1)) is before
    assert course.answers_allowed("one", due + timedelta(minutes=1)) is after


def test_a_chapter_of_no_assignment_never_opens_by_due_date(mini):
    path = mini.root / "course.yml"
    path.write_text(path.read_text(encoding="utf-8").replace("answers: never", "answers: after_due"), encoding="utf-8")
    assert not load(mini.root).answers_allowed("elsewhere", datetime(2099, 1, 1, tzinfo=mini.timezone))
