"""Promises about hand scores: a regrade keeps them, another answer sets them aside, a person decides."""
from __future__ import annotations

import csv
import html
import re
import shutil

import nbformat
import pytest

from autograder.export import write_grades
from autograder.feedback import write_feedback
from autograder.grade import hand
from autograder.grade.folder import CourseFolder
from autograder.grade.records import read_records
from autograder.grade.run import grade
from autograder.grade.totals import total
from autograder.report import write_report
from tests.desk.conftest import SCORED, STOPPED, open_submission
from tests.grade.small_course import ASSIGNMENT, filled, find, hand_in

STALE = "채점한 뒤 답이 바뀌었습니다"


def score(page, cell: str, value: str) -> None:
    page.fill(f"#{cell}", value)
    with page.expect_response("**/api/grade/*") as answer:
        page.press(f"#{cell}", "Escape")
    assert answer.value.ok


def totals(root, student: str):
    record = next(one for one in read_records(root, ASSIGNMENT) if one.student == student)
    return total(record, CourseFolder(root).hand_scores(ASSIGNMENT)[student])


def seen(path) -> str:
    return " ".join(
        html.unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", path.read_text(encoding="utf-8"), flags=re.S)).split()
    )


# The whole way in a browser. A written answer is scored, and what was not run of a hand-in that broke off. After a regrade
# both scores stand and nobody is asked again. After another hand-in they are out of date: they do not count, and desk,
# export, report and feedback say so. Confirming one and giving the other anew makes them count again.
def test_hand_scores_from_first_to_last(desk, visit):
    root = desk.root
    page, found = visit(desk)
    open_submission(page, desk, SCORED)
    assert not page.is_visible(".desk-stale")
    score(page, "essay", "3.5")
    open_submission(page, desk, STOPPED)
    assert "GradingStopped: 코드를 실행하던 파이썬이 도중에 끝났습니다." in page.inner_text("#notebook")
    assert page.get_attribute("#mul-hidden", "class").count("needs_manual_grade") == 1 and totals(root, STOPPED).waiting == [
        "mul-visible",
        "mul-hidden",
        "essay",
    ]
    score(page, "mul-hidden", "2")
    page.fill("#essay-comment", "짧지만 맞습니다.")
    with page.expect_response("**/api/comment/*"):  # saved when the field is left; a click that leaves it could miss its button
        page.locator("#essay-comment").blur()
    with page.expect_response("**/api/grade/*"):
        page.click(".nbgrader_cell:has(#mul-visible) .full-credit")
    assert (totals(root, SCORED).score, totals(root, STOPPED).score) == (13.5, 8)

    grade(root, ASSIGNMENT, students=[SCORED, STOPPED])
    assert (totals(root, SCORED).score, totals(root, STOPPED).score) == (13.5, 8)
    for student, cell in ((SCORED, "essay"), (STOPPED, "mul-hidden")):
        assert not desk.grades(student)[cell]["needs_manual_grade"]
    open_submission(page, desk, SCORED)
    assert page.input_value("#essay") == "3.5" and not page.is_visible(".desk-stale") and not page.is_visible(".mark-graded")

    hand_in(root, SCORED, filled(root, essay="교환되지 않습니다."))
    hand_in(root, STOPPED, filled(root))
    records = grade(root, ASSIGNMENT, students=[SCORED, STOPPED])
    essay, checks = totals(root, SCORED), totals(root, STOPPED)
    assert (essay.score, essay.waiting, essay.stale) == (10, ["essay"], ["essay"])
    assert (checks.score, checks.stale) == (10, ["mul-visible", "mul-hidden"])  # what the checks themselves say counts
    with write_grades(root, ASSIGNMENT, records, root / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["학번"]: row for row in csv.DictReader(file)}
    assert (rows[SCORED]["합계"], rows[SCORED]["상태"]) == ("10", "확인 전") and f"{STALE}: essay" in rows[SCORED]["이유"]
    assert f"{STALE}: essay" in seen(write_report(root, ASSIGNMENT, records, []))
    feedback = [seen(path) for path in write_feedback(root, ASSIGNMENT, records, [], {})]
    assert "essay 채점 전 -점 / 5점 채점한 뒤 답이 바뀌어 강사가 다시 확인합니다." in feedback[1] and "3.5" not in feedback[1]
    assert "mul-hidden 확인 전 -점 / 4점 채점한 뒤 답이 바뀌어" in feedback[0]

    open_submission(page, desk, SCORED)
    assert STALE in page.inner_text(".desk-stale:visible") and "교환되지 않습니다." in page.inner_text("#notebook")
    with page.expect_response("**/api/grade/*"):
        page.click(".mark-graded:visible")
    page.wait_for_selector(".desk-stale", state="hidden")
    open_submission(page, desk, STOPPED)
    assert page.locator(".desk-stale:visible").count() == 2
    score(page, "mul-hidden", "")
    score(page, "mul-visible", "0.5")
    assert page.locator(".desk-stale:visible").count() == 0
    essay, checks = totals(root, SCORED), totals(root, STOPPED)
    assert (essay.score, essay.stale, checks.score, checks.stale) == (13.5, [], 9.5, [])
    assert found.console == []


# ---- the rules, without a browser -------------------------------------------------------------------------------


@pytest.fixture
def course(desk, tmp_path):
    shutil.copytree(desk.before, tmp_path / "course")
    return CourseFolder(tmp_path / "course")


def give(course, cell: str, at_desk: bool = True, **values) -> None:
    """A person scores a cell: at our desk, or anywhere else."""
    with course.gradebook() as gradebook:
        given = gradebook.find_grade(cell, "hw", ASSIGNMENT, SCORED)
        for name, value in values.items():
            setattr(given, name, value)
        given.needs_manual_grade = given.manual_score is None and given.auto_score is None
        gradebook.db.commit()
        if at_desk:
            hand.note(course, gradebook, given)


def regrade(course, change) -> list[str]:
    """Grade the one hand-in again, as far as hand scores go: what the student changed, nbgrader's marks. The stale cells."""
    with hand.kept(course, ASSIGNMENT):
        path = course.path("autograded", SCORED, ASSIGNMENT) / "hw.ipynb"
        notebook = nbformat.read(path, as_version=4)
        change(notebook)
        path.chmod(0o644)
        nbformat.write(notebook, path)
        with course.gradebook() as gradebook:
            for given in gradebook.find_submission_notebook("hw", ASSIGNMENT, SCORED).grades:
                given.needs_manual_grade = given.manual_score is not None or given.auto_score is None
            gradebook.db.commit()
    cells = course.hand_scores(ASSIGNMENT)[SCORED].cells
    with course.gradebook() as gradebook:  # nbgrader's mark says the same
        for given in gradebook.find_submission_notebook("hw", ASSIGNMENT, SCORED).grades:
            if given.manual_score is not None:
                assert given.needs_manual_grade == cells[given.name].stale
    return [name for name, cell in cells.items() if cell.stale]


def rewrite(cell: str, source: str):
    return lambda notebook: find(notebook, cell).update(source=source)


def attach(notebook) -> None:
    find(notebook, "essay").attachments = {"a.png": {"image/png": "AAAA"}}


def add_cell(notebook) -> None:
    notebook.cells.insert(1, nbformat.v4.new_code_cell("def mul(a, b): ..."))


@pytest.mark.parametrize(
    ("cell", "change", "outdated"),
    [
        ("essay", lambda notebook: None, False),
        ("essay", rewrite("essay", "다른 답"), True),
        ("essay", rewrite("essay", "덧셈은 교환됩니다.  \n"), False),
        ("essay", attach, True),
        ("essay", rewrite("add", "def add(a, b):\n    return 0"), False),
        ("mul-hidden", rewrite("add", "def add(a, b):\n    return 0"), True),
        ("mul-hidden", rewrite("mul", "def mul(a, b):\n    return 0"), True),
        ("mul-hidden", add_cell, True),
        ("mul-hidden", rewrite("mul-visible", "assert True"), False),
        ("add-hidden", rewrite("mul", "def mul(a, b):\n    return 0"), False),
        ("mul-hidden", lambda notebook: notebook.cells.insert(0, nbformat.v4.new_markdown_cell("메모")), False),
    ],
)
def test_what_makes_a_score_stale(course, cell, change, outdated):
    give(course, cell, manual_score=1.0)
    assert regrade(course, change) == [cell] * outdated


# A score given with nbgrader's own formgrader, or by a script.
def test_given_elsewhere(course):
    give(course, "essay", at_desk=False, manual_score=1.0)
    assert regrade(course, lambda notebook: None) == []
    assert regrade(course, rewrite("essay", "다른 답")) == ["essay"]


# It stays so over further regrades, until the old answer is back or a person looks.
def test_stale_until_somebody_looks(course):
    give(course, "essay", manual_score=3.0)
    assert regrade(course, rewrite("essay", "다른 답")) == ["essay"]
    assert regrade(course, lambda notebook: None) == ["essay"]
    assert regrade(course, rewrite("essay", "덧셈은 교환됩니다.")) == []
    assert regrade(course, rewrite("essay", "또 다른 답")) == ["essay"]
    give(course, "essay", manual_score=3.0)
    assert regrade(course, lambda notebook: None) == []


# Confirmed with nbgrader's own formgrader, which knows nothing of our notes.
def test_confirmed_elsewhere(course):
    give(course, "essay", manual_score=3.0)
    assert regrade(course, rewrite("essay", "다른 답")) == ["essay"]
    give(course, "essay", at_desk=False, manual_score=3.0)
    assert not course.hand_scores(ASSIGNMENT)[SCORED].cells["essay"].stale
    assert regrade(course, lambda notebook: None) == []


# Extra credit alone is given for an answer, too.
def test_extra_credit(course):
    give(course, "essay", extra_credit=1.0)
    assert totals_of(course).hand == 1
    assert regrade(course, rewrite("essay", "다른 답")) == ["essay"]
    assert totals_of(course).hand is None


def totals_of(course):
    return totals(course.root, SCORED)
