"""Promises about the summary of the class."""
from __future__ import annotations

import html
import re

import pytest

from autograder.grade.records import Record
from autograder.report import write_report
from tests.grade.small_course import ASSIGNMENT, graded_class


@pytest.fixture(scope="module")
def page() -> str:
    graded = graded_class()
    path = write_report(graded.root, ASSIGNMENT, list(graded.records.values()), graded.exercises)
    assert path == graded.root / "reports" / ASSIGNMENT / "index.html"
    return path.read_text(encoding="utf-8")


def seen(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.S)).split())


# Counts by status; every student in the table, with scores, status and reason.
def test_everyone_is_in_it(page):
    records = graded_class().records
    for status, text in {"graded": "채점함", "stopped": "중간에 멈춤", "refused": "채점 못 함"}.items():
        assert f"{text} {sum(r.status == status for r in records.values())} " in seen(page)
    for student, record in records.items():
        assert f"<td>{student}</td>" in page and record.reason in html.unescape(page)
    assert re.search(r"right 10 10 15 채점함, 확인 전", seen(page))


# Pass rate of every check, with the mistakes that were made most often first.
def test_common_mistakes(page):
    records = graded_class().records.values()
    cells = [r.cells["add-hidden"] for r in records if r.cells]
    text = seen(page)
    assert f"직접 해보기 (1) 더하기 add-hidden {sum(not c['message'] for c in cells)} / {len(cells)}" in text
    times = sum(c["message"] == "음수를 더하지 못했습니다." for c in cells)
    assert f"{times}명: 음수를 더하지 못했습니다." in text


# Two plots with text for those who do not see them, drawn with the Korean font without a missing letter; the page asks
# nobody for anything and runs nothing, whatever a student wrote.
def test_plots_and_nothing_from_elsewhere(recwarn):
    graded = graded_class()
    page = write_report(graded.root, ASSIGNMENT, list(graded.records.values()), graded.exercises).read_text(encoding="utf-8")
    alts = re.findall(r'<img src="data:image/svg\+xml;base64,[^"]+" alt="([^"]+)"', page)
    assert len(alts) == 2 and "점수 분포" in alts[0] and "통과율" in alts[1]
    assert not [warning for warning in recwarn if "Glyph" in str(warning.message) or "findfont" in str(warning.message)]
    assert not re.search(r'(src|href)="(?!data:)', page) and "<script" not in page


def test_slowest_first(page):
    slowest = sorted(graded_class().records.values(), key=lambda record: -record.seconds)[0]
    assert re.search(rf"오래 걸린 과제 학번 초 {slowest.student} {slowest.seconds:.1f}", seen(page))


# A class of which nothing could be graded has a page, too.
def test_nothing_graded(tmp_path):
    page = write_report(tmp_path, ASSIGNMENT, [Record("a", ASSIGNMENT, "refused", reason="비어 있습니다.")], []).read_text(encoding="utf-8")
    assert "비어 있습니다." in page and "<img" not in page
