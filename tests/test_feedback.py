"""Promises about the page a student gets: it tells enough, and nothing that is hidden."""
from __future__ import annotations

import html
import re
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from autograder.exercises import Check, formatted_strings
from autograder.feedback import BARE, BLANK, HIDDEN_FAILED, HIDDEN_RAISED, RAISED, public_message, write_feedback
from autograder.grade.folder import CourseFolder
from autograder.grade.records import Record
from tests.grade.small_course import ASSIGNMENT, graded_class

LINKS = {"add": "https://example.org/hand.html#ex-add", "essay": "https://example.org/hand.html#ex-essay"}
NOW = datetime(2026, 12, 3, 9, 5)
HIDDEN = Check("h", 3, "", hidden=True, messages=frozenset({"음수를 더하지 못했습니다.", "축을 확인하세요. "}))
VISIBLE = Check("v", 2, "", hidden=False, messages=frozenset(), forms=formatted_strings('f"행의 합이 {x}입니다."'))


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, str]:
    """Pages of the graded class, in a copy of its course in which one essay and one check were graded by hand."""
    graded = graded_class()
    root = tmp_path_factory.mktemp("feedback") / "course"
    shutil.copytree(graded.root, root)
    with CourseFolder(root).gradebook() as gradebook:
        essay = gradebook.find_grade("essay", "hw", ASSIGNMENT, "right")
        essay.manual_score = 3.5
        gradebook.find_comment("essay", "hw", ASSIGNMENT, "right").manual_comment = "<b>근거</b>를 더 쓰세요."
        gradebook.find_grade("mul-hidden", "hw", ASSIGNMENT, "exit").manual_score = 4
        gradebook.db.commit()
    paths = write_feedback(root, ASSIGNMENT, list(graded.records.values()), graded.exercises, LINKS, now=NOW)
    assert [path.relative_to(root) for path in paths] == [Path("feedback", s, ASSIGNMENT, "feedback.html") for s in graded.records]
    assert sorted(p for p in (root / "feedback").rglob("*") if p.is_file()) == sorted(paths)
    return {student: path.read_text(encoding="utf-8") for student, path in zip(graded.records, paths)}


def seen(page: str) -> str:
    """What a reader sees, on one line."""
    return " ".join(html.unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.S)).split())


# Totals, per exercise and per check; hand score and comment; links; the date.
def test_tells_what_was_graded(pages):
    text = seen(pages["right"])
    assert "13.5점 / 15점" in text and "자동 채점 10점, 손 채점 3.5점" in text and "2026년 12월 3일 09:05" in text
    assert re.search(r"직접 해보기 \(1\) 더하기 5점 / 5점 교재에서 다시 보기 보이는 점검 통과 2점 / 2점 숨은 점검 통과 3점 / 3점", text)
    assert re.search(r"손으로 채점하는 답 손 채점 3.5점 / 5점 <b>근거</b>를 더 쓰세요.", text)
    assert all(f'href="{link}"' in pages["right"] for link in LINKS.values())


def test_tells_what_is_not_graded_yet(pages):
    text = seen(pages["wrong"])
    assert "손으로 채점하는 답 채점 전 -점 / 5점" in text and "달라질 수 있습니다" in text


def test_messages(pages):
    text = seen(pages["wrong"])
    assert "보이는 점검 미통과 0점 / 2점 1 + 2가 3이 아닙니다." in text
    assert "숨은 점검 미통과 0점 / 3점 음수를 더하지 못했습니다." in text  # declared, so it may be told


# No page holds a piece of a hidden check: not its code or values, not what a student's code says about them, not an
# f-string that computed with them.
def test_hidden_stays_hidden(pages):
    for student, page in pages.items():
        for secret in ("1234", "-34", "1200", "77", "1001", "틀렸습니다", "숨은 값은", "HIDDEN TESTS"):
            assert secret not in re.sub(r"<style>.*?</style>", "", page, flags=re.S), (student, secret)
    assert HIDDEN_FAILED in seen(pages["leaks"]) and HIDDEN_RAISED.format(name="ValueError") in seen(pages["raises"])


# Stopped and refused hand-ins get a page that says why; what waits for a person is not called failed.
def test_stopped_and_refused(pages):
    text = seen(pages["exit"])
    assert "채점이 중간에 멈췄습니다" in text and "os._exit()" in text and "보이는 점검 확인 전 -점 / 1점" in text
    assert "숨은 점검 손 채점 4점 / 4점 강사가 점수를 고쳤습니다." in text and "9점 / 15점" in text
    refused = seen(pages["web_page"])
    assert "웹 페이지" in refused and "0점" not in refused
    assert "제한 시간 2초" in seen(pages["slow_check"]) and "답이 비어 있습니다" in seen(pages["blank"])


# Text of students is text; the page has no script and asks for nothing from elsewhere.
def test_page_is_inert(pages):
    for page in pages.values():
        assert "<script" not in page and "http-equiv" in page and "<img" not in page and "<link" not in page
    assert "alert(1)" not in pages["markup"] and BARE in pages["markup"]


# Without exercises or links, and without a gradebook, there is still a page.
def test_foreign_course(tmp_path):
    shutil.copytree(graded_class().root / "source", tmp_path / "source")
    cells = {
        "t": {"score": 0.0, "max": 2.0, "message": "비밀 11", "hidden": True, "from_grader": False},
        "u": {"score": 1.0, "max": 1.0, "message": "", "hidden": False, "from_grader": False},
    }
    path = write_feedback(tmp_path, ASSIGNMENT, [Record("alice", ASSIGNMENT, auto_score=1, max_auto=3, cells=cells)], [], {})[0]
    text = seen(path.read_text(encoding="utf-8"))
    assert "t 미통과 0점 / 2점 숨은 점검을 통과하지 못했습니다." in text and "u 통과 1점 / 1점" in text and "비밀" not in text
    assert not (tmp_path / "gradebook.db").exists()


@pytest.mark.parametrize(
    ("check", "message", "public"),
    [
        (VISIBLE, "ValueError: 무엇이든 12", RAISED.format(name="ValueError")),
        (VISIBLE, "AssertionError: 학생이 지은 글", BARE),
        (VISIBLE, "행의 합이 0.5, 1입니다.", "행의 합이 0.5, 1입니다."),
        (VISIBLE, f"행의 합이 {'1 ' * 50}입니다.", BARE),
        (VISIBLE, "NotImplementedError: 아직 빈칸입니다.", BLANK),
        (VISIBLE, "AssertionError", BARE),
        (HIDDEN, "", ""),
        (HIDDEN, "음수를 더하지 못했습니다.", "음수를 더하지 못했습니다."),
        (HIDDEN, "ValueError: 음수를 더하지 못했습니다.", "음수를 더하지 못했습니다."),
        (HIDDEN, "축을 확인하세요.", "축을 확인하세요."),
        (HIDDEN, "음수를 더하지 못했습니다. 1200", HIDDEN_FAILED),
        (HIDDEN, "TypeError: 1200", HIDDEN_RAISED.format(name="TypeError")),
        (HIDDEN, "NotImplementedError: 1200", BLANK),
        (HIDDEN, "Secret1200: 1", HIDDEN_FAILED),
        (HIDDEN, "AssertionError", HIDDEN_FAILED),
        (None, "print: 1200", HIDDEN_FAILED),
    ],
)
def test_public_message(check, message, public):
    assert public_message(check, message) == public
