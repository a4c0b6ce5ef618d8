"""Promises about grading a class, kept by students of whom each does one harmful thing."""
from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from nbgrader.apps.api import NbGraderAPI
from nbgrader.utils import parse_utc

from autograder.grade import records
from autograder.grade.folder import CourseFolder
from autograder.grade.trial import DIED, LIMIT, STOPPED, STUCK
from tests.grade.small_course import ADDS, ASSIGNMENT, BYTES, SECONDS, STAMP, graded_class, tree


@pytest.fixture(scope="module")
def graded():
    return graded_class()


@pytest.fixture(scope="module")
def grades(graded):
    return CourseFolder(graded.root).hand_scores(ASSIGNMENT)


def messages(record):
    return {name: cell["message"] for name, cell in record.cells.items()}


# Every hand-in gets exactly one record, whatever it does, and progress tells of each.
def test_everyone_has_a_record(graded):
    students = sorted(path.name for path in (graded.root / "submitted").iterdir())
    assert list(graded.records) == students
    assert [n for _, n, _ in graded.progress] == list(range(1, len(students) + 1))
    assert {(student, of) for student, _, of in graded.progress} == {(student, len(students)) for student in students}


# Records lie in reports/<assignment>/records and read back as grade() returned them.
def test_records_are_kept(graded):
    assert records.read_records(graded.root, ASSIGNMENT) == list(graded.records.values())


# Hand-ins, their times, the source and the release are read only: not one byte or date changes.
def test_nothing_else_is_written(graded):
    after = tree(graded.root)
    assert {path for path in graded.before if after.get(path) != graded.before[path]} == {"gradebook.db"}
    assert {path.split("/")[0] for path in set(after) - set(graded.before)} == {"autograded", "reports"}


def test_right_answers_score_full(graded):
    record = graded.records["right"]
    assert (record.status, record.auto_score, record.max_auto, record.max_manual) == ("graded", 10, 10, 5)
    assert set(messages(record).values()) == {""} and record.flags == [] and record.reason == ""


def test_wrong_answer_loses_its_points_only_and_says_why(graded):
    record = graded.records["wrong"]
    assert record.auto_score == 5
    assert messages(record) == {"add-visible": "1 + 2가 3이 아닙니다.", "add-hidden": "음수를 더하지 못했습니다.", "mul-visible": "", "mul-hidden": ""}


def test_stub_scores_nothing(graded):
    record = graded.records["blank"]
    assert record.auto_score == 0 and all(messages(record).values())
    assert "답을 쓴 셀이 하나도 없습니다" in record.flags[0] and record.flags[1:] == ["답이 비어 있습니다: essay"]


# nbgrader gives 0 for a test cell with text on stderr.
def test_warnings_cost_nothing(graded):
    assert graded.records["warns"].auto_score == 10


# A check that is cut gives 0 and names the limit; what comes after it runs.
def test_endless_check(graded):
    record = graded.records["slow_check"]
    limit = LIMIT.format(seconds=SECONDS)
    assert record.status == "graded" and record.auto_score == 5
    assert messages(record) == {"add-visible": limit, "add-hidden": limit, "mul-visible": "", "mul-hidden": ""}


def test_endless_answer(graded):
    record = graded.records["slow_answer"]
    assert record.auto_score == 5
    assert messages(record)["add-hidden"] == records.ANSWER_CUT.format(seconds=SECONDS)
    assert record.flags == [f"제한 시간 {SECONDS}초를 넘겨 멈춘 셀이 있습니다: add"]


# A kernel that dies or cannot be interrupted: finished checks keep their points, the others get none, with a reason.
@pytest.mark.parametrize(("student", "reason"), [("exit", DIED), ("stuck", STUCK)])
def test_stopped(graded, student, reason):
    record = graded.records[student]
    assert (record.status, record.auto_score, record.reason) == ("stopped", 5, reason)
    unfinished = records.NOT_FINISHED.format(reason=reason)
    assert messages(record) == {"add-visible": "", "add-hidden": "", "mul-visible": unfinished, "mul-hidden": unfinished}


# Code that would kill its grader reaches nobody; it is merely late.
def test_killing(graded):
    record = graded.records["kills"]
    assert (record.status, record.auto_score) == ("graded", 5)


# Stopped hand-ins are in the gradebook, their unfinished checks without a score and waiting for a person.
@pytest.mark.parametrize("student", ["stuck", "exit"])
def test_stopped_can_be_graded_by_hand(graded, grades, student):
    assert grades[student].cells["mul-hidden"].score is None
    assert grades[student].cells["add-hidden"].score == 3
    notebook = nbformat.read(graded.root / "autograded" / student / ASSIGNMENT / "hw.ipynb", as_version=4)
    assert [out.ename for cell in notebook.cells for out in cell.get("outputs", []) if out.get("ename") == STOPPED]
    api = NbGraderAPI(CourseFolder(graded.root).directory())
    assert student in api.get_autograded_students(ASSIGNMENT)
    assert api.get_submission(ASSIGNMENT, student)["needs_manual_grade"]


def test_sys_exit_ends_a_cell_only(graded):
    assert graded.records["sysexit"].auto_score == 10


def test_memory_is_limited(graded):
    assert graded.records["memory"].auto_score == 5
    assert messages(graded.records["memory"])["add-visible"].startswith("MemoryError")


# nbgrader takes the first output that says something; a value before the error would be partial credit.
def test_shown_value_is_no_score(graded):
    assert graded.records["value"].cells["add-visible"]["score"] == 0


def test_flood_of_output_is_cut(graded):
    path = graded.root / "autograded" / "flood" / ASSIGNMENT / "hw.ipynb"
    assert path.stat().st_size < 1_500_000 and "출력이 너무 길어" in path.read_text(encoding="utf-8")
    assert graded.records["flood"].auto_score == 10


# Points, kinds, locks, tags and texts of checks come from the course.
def test_tampered_checks(graded):
    record = graded.records["tampered"]
    assert (record.status, record.auto_score, record.max_auto) == ("graded", 5, 10)
    assert graded.records["copied_check"].auto_score == 5


@pytest.mark.parametrize(("student", "says"), [("cut_off", "잘렸습니다"), ("web_page", "웹 페이지"), ("empty", "빈 파일")])
def test_refused(graded, grades, student, says):
    record = graded.records[student]
    assert (record.status, record.auto_score, record.max_auto) == ("refused", 0, 10)
    assert says in record.reason and student not in grades


# What can be mended is graded, and the record tells what was mended.
@pytest.mark.parametrize(("student", "says"), [("renamed", "hw (1).ipynb"), ("missing", "지워진 점검"), ("twice", "같은 답 셀")])
def test_mended(graded, student, says):
    record = graded.records[student]
    assert (record.status, record.auto_score, len(record.flags)) == ("graded", 10, 1) and says in record.flags[0]


def test_byte_order_mark_is_no_damage(graded):
    assert graded.records["bom"].auto_score == 10


# A time that nbgrader cannot read concerns one student; the score is in the record, the reason says what is missing.
def test_gradebook_trouble_stays_with_one_student(graded):
    record = graded.records["no_time"]
    assert record.status == "stopped" and "gradebook" in record.reason


# nbgrader's own view agrees with the records: scores, maxima, times.
def test_gradebook_agrees(graded):
    api = NbGraderAPI(CourseFolder(graded.root).directory())
    for student in ("right", "wrong", "slow_check", "exit", "tampered", *ADDS):
        found = api.get_submission(ASSIGNMENT, student)
        assert (found["score"], found["max_score"]) == (graded.records[student].auto_score, 15), student
        assert parse_utc(found["timestamp"]) == parse_utc(STAMP)


# Kernels, and the processes that a hand-in started, end with it.
def test_no_process_is_left(graded):
    assert graded.records["forks"].auto_score == 10
    left = [process.name for process in Path("/proc").glob("[0-9]*") if str(graded.root.parent).encode() in environment(process)]
    assert left == []


# Start-up files and the like: the home folder of a hand-in is its own.
def test_nothing_is_left_at_home(graded):
    assert graded.records["home"].auto_score == 10 and not (Path.home() / ".left-by-a-student").exists()


def environment(process: Path) -> bytes:
    try:
        return (process / "environ").read_bytes()
    except OSError:  # it has just ended
        return b""


def test_hidden_is_known_and_json_is_plain(graded):
    record = graded.records["wrong"]
    assert [cell["hidden"] for cell in record.cells.values()] == [False, True, False, True]
    assert json.loads(record.to_json()) == record.as_dict()
    assert set(BYTES) <= set(graded.records)
