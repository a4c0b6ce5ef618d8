"""Promises about the file of grades: Excel opens it, every hand-in is in it, sums are right, no cell is a formula."""
from __future__ import annotations

import csv
import shutil

import pytest

from autograder.export import COLUMNS, text, write_grades
from autograder.grade.folder import CourseFolder, HandScore, HandScores
from autograder.grade.records import Record
from autograder.grade.totals import total
from tests.grade.small_course import ASSIGNMENT, graded_class


def read(path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {row["학번"]: row for row in csv.DictReader(file)}


# Every record is a row; hand scores come from the gradebook, and what is missing stays empty.
def test_rows(tmp_path):
    graded = graded_class()
    root = tmp_path / "course"
    shutil.copytree(graded.root, root)
    with CourseFolder(root).gradebook() as gradebook:
        gradebook.find_grade("essay", "hw", ASSIGNMENT, "right").manual_score = 3.5
        gradebook.find_grade("add-visible", "hw", ASSIGNMENT, "wrong").manual_score = 1
        gradebook.find_submission_notebook("hw", ASSIGNMENT, "right").late_submission_penalty = 2
        gradebook.db.commit()
    path = write_grades(root, ASSIGNMENT, list(graded.records.values()), tmp_path / "out" / "grades.csv")
    assert path.read_bytes().startswith(b"\xef\xbb\xbf") and b"\r\n" in path.read_bytes()
    rows = read(path)
    assert sorted(rows) == sorted(graded.records) and tuple(rows["right"]) == COLUMNS
    assert list(rows["right"].values()) == ["right", "hw", "10", "3.5", "11.5", "15", "채점함", "지각 감점 2점"]
    assert list(rows["wrong"].values()) == ["wrong", "hw", "5", "1", "6", "15", "확인 전", "사람이 볼 셀: essay"]
    assert list(rows["blank"].values()) == ["blank", "hw", "0", "0", "0", "15", "채점함", "답이 비어 있습니다: essay"]  # an empty essay is 0, as in nbgrader
    assert rows["cut_off"]["상태"] == "채점 못 함" and "잘렸거나" in rows["cut_off"]["이유"] and rows["cut_off"]["손 채점"] == ""
    assert rows["exit"]["상태"] == "중간에 멈춤" and rows["exit"]["자동 채점"] == "5"


# Student numbers keep their zeros and their digits; text that a spreadsheet would compute is text.
def test_cells_are_text(tmp_path):
    students = {"0012345678": "=1+1", "2024123456": "\t@SUM(A1)", "=cmd|' /C calc'!A1": "둘째\n줄"}
    records = [Record(student, ASSIGNMENT, reason=reason) for student, reason in students.items()]
    rows = read(write_grades(tmp_path, ASSIGNMENT, records, tmp_path / "g.csv"))
    assert set(rows) == {"0012345678", "2024123456", "'=cmd|' /C calc'!A1"}
    assert [row["이유"] for row in rows.values()] == ["'=1+1", "'@SUM(A1)", "둘째 줄"]


@pytest.mark.parametrize("value", ["=1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", " =1", "＝1"])
def test_formulas(value):
    assert text(value).startswith("'")


# A person's score replaces a check's, extra credit adds, lateness takes away, a sum is never below 0.
def test_total():
    cell = {"score": 2.0, "max": 2.0, "message": "", "hidden": False, "from_grader": False}
    record = Record("a", "hw", auto_score=2, max_auto=2, max_manual=5, cells={"c": cell})
    assert (total(record, None).score, total(record, None).hand) == (2, None)
    scores = HandScores({"c": HandScore(1, 2, True), "e": HandScore(4, 5, True, extra=0.5), "f": HandScore(None, 3, False)}, penalty=1)
    sums = total(record, scores)
    assert (sums.auto, sums.hand, sums.score, sums.max, sums.waiting) == (2, 3.5, 4.5, 7, ["f"])
    assert total(record, HandScores({}, penalty=9)).score == 0
