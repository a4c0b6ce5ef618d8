"""Promises about grades going out: Excel opens them, platforms take them back, sums are right, no cell is a formula."""
from __future__ import annotations

import csv
import shutil
from zoneinfo import ZoneInfo

import pytest

from autograder import CourseError, tables
from autograder.export import COLUMNS, fill, write_grades
from autograder.grade.folder import CourseFolder, HandScore, HandScores
from autograder.grade.records import REFUSED, Record
from autograder.grade.totals import total
from autograder.intake.listings import read_listing
from autograder.intake.roster import Roster, Student
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
    assert list(rows["right"].values()) == ["right", "hw", "10", "3.5", "11.5", "15", "채점함", "", "", "지각 감점 2점"]
    assert list(rows["wrong"].values()) == ["wrong", "hw", "5", "1", "6", "15", "확인 전", "", "", "사람이 볼 셀: essay"]
    assert list(rows["blank"].values())[:-3] == ["blank", "hw", "0", "0", "0", "15", "채점함"]  # an empty essay is 0, as in nbgrader
    assert "답이 비어 있습니다: essay" in rows["blank"]["이유"]
    assert rows["cut_off"]["상태"] == "채점 못 함" and "잘렸" in rows["cut_off"]["이유"]
    assert [rows["cut_off"][title] for title in ("자동 채점", "손 채점", "합계", "만점")] == ["", "", "", "15"]  # no score is not 0
    assert rows["exit"]["상태"] == "중간에 멈춤" and rows["exit"]["자동 채점"] == "5"


# Student numbers keep their zeros and their digits; text that a spreadsheet would compute is text.
def test_cells_are_text(tmp_path):
    students = {"0012345678": "=1+1", "2024123456": "\t@SUM(A1)", "=cmd|' /C calc'!A1": "둘째\n줄"}
    records = [Record(student, ASSIGNMENT, reason=reason) for student, reason in students.items()]
    rows = read(write_grades(tmp_path, ASSIGNMENT, records, tmp_path / "g.csv"))
    assert set(rows) == {"0012345678", "2024123456", "'=cmd|' /C calc'!A1"}
    assert [row["이유"] for row in rows.values()] == ["'=1+1", "'@SUM(A1)", "둘째 줄"]


# A person's score replaces a check's, extra credit adds, lateness takes away, a sum is never below 0.
def test_total():
    cell = {"score": 2.0, "max": 2.0, "message": "", "hidden": False, "from_grader": False}
    record = Record("a", "hw", auto_score=2, max_auto=2, max_manual=5, cells={"c": cell})
    assert (total(record, None).score, total(record, None).hand) == (2, None)
    scores = HandScores({"c": HandScore(1, 2, True), "e": HandScore(4, 5, True, extra=0.5), "f": HandScore(None, 3, False)}, penalty=1)
    sums = total(record, scores)
    assert (sums.auto, sums.hand, sums.score, sums.max, sums.waiting) == (2, 3.5, 4.5, 7, ["f"])
    assert total(record, HandScores({}, penalty=9)).score == 0


# ---- what platforms take back -----------------------------------------------------------------------------------

NAMES = {"0012345678": "홍길동", "2024000002": "김민수", "2024000003": "이영희", "2024000004": "박찬"}
CLASS = Roster([Student(student, name) for student, name in NAMES.items()])
RECORDS = [
    Record("0012345678", ASSIGNMENT, auto_score=11.5, max_auto=15, cells={"c": {}}),
    Record("2024000002", ASSIGNMENT, auto_score=0, max_auto=15, cells={"c": {}}),
    Record("2024000003", ASSIGNMENT, REFUSED, max_auto=15, reason="=빈 파일입니다."),
]
MOODLE = """Identifier,Full name,ID number,Email address,Status,Grade,Maximum grade,Grade can be changed,\
Last modified (submission),Online text,Last modified (grade),Feedback comments
Participant 987654,홍 길동,0012345678,a@b.kr,Submitted,,{top},Yes,"Monday, 14 December 2026, 11:10 PM","두 줄의
글",-,
Participant 987655,"=HYPERLINK(""x"",""김민수"")",,2024000002@b.kr,Submitted,3.00,{top},Yes,-,,-,잘했어요
Participant 987656,이 영희,,b@b.kr,Submitted,,{top},Yes,-,,-,
Participant 987657,박 찬,,c@b.kr,No submission,,{top},Yes,-,,-,
"""
MOODLE_KO = """식별자,전체 이름,id 번호,이메일 주소,상태,성적,최대 성적,성적을 변경할 수 있음,마지막 수정됨(제출),마지막 수정됨(성적),피드백 코멘트
참가자987654,홍 길동,0012345678,a@b.kr,제출 완료,,{top},예,"월요일, 14 12월 2026, 11:10 오후",-,
참가자987655,김 민수,,2024000002@b.kr,제출 완료,3.00,{top},예,-,-,잘했어요
참가자987656,이 영희,,b@b.kr,제출 완료,,{top},예,-,-,
참가자987657,박 찬,,c@b.kr,제출이 없습니다.,,{top},예,-,-,
"""
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,hw 1 (11),HW (12),hw-extra (13),Final Score
,,,,,,Manual Posting,,
    Points Possible,,,,,5.00,15.00,3.00,(read only)
"홍, 길동",4711,0012345678,gildong,1분반,4,,1,80
"김, 민수",4712,,2024000002,1분반,5,7,,90
"이, 영희",4713,2024000003,yh,1분반,5,7,,90
"박, 찬",4714,2024000004,chan,1분반,5,EX,,90
"""
BLACKBOARD = (
    '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Availability"\t"hw [Total Pts: 15 Score] |12"\t"quiz [Total Pts: 5] |13"\n'
    '"홍"\t"길동"\t"gildong"\t"0012345678"\t"Yes"\t""\t"5"\n"김"\t"민수"\t"2024000002"\t""\t"Yes"\t"3"\t""\n'
)


def written(tmp_path, content: str, encoding: str, **options):
    """(what fill says, the table it wrote), the platform's table having been saved in some encoding."""
    source = tmp_path / "받은 표.csv"
    source.write_bytes(content.encode(encoding))
    found = fill(tmp_path, ASSIGNMENT, options.pop("records", RECORDS), source, tmp_path / "out.csv", **({"roster": CLASS} | options))
    again = read_listing(found.path, ZoneInfo("Asia/Seoul"))
    assert again.system == found.system and again.people.keys() == read_listing(source, ZoneInfo("Asia/Seoul")).people.keys()
    return found, tables.read(found.path)


@pytest.mark.parametrize(("content", "encoding"), [(MOODLE, "utf-8-sig"), (MOODLE, "utf-8"), (MOODLE_KO, "utf-8"), (MOODLE_KO, "cp949")])
def test_moodle_s_worksheet_comes_back_filled(tmp_path, content, encoding):
    before = tables.read(_save(tmp_path / "before.csv", content.format(top="15.00"), encoding))
    found, table = written(tmp_path, content.format(top="15.00"), encoding)
    grade, comment = table.column("Grade", "성적"), table.column("Feedback comments", "피드백 코멘트")
    assert table.header == before.header and [row[0] for row in table.rows] == [row[0] for row in before.rows]
    assert [row[grade] for row in table.rows] == ["11.5", "0", "", ""]
    assert [row[comment] for row in table.rows] == ["", "잘했어요", "'=빈 파일입니다.", ""]
    assert not [cell for row in table.rows for cell in row if cell.startswith("=")]
    others = [n for n in range(len(table.header)) if n not in (grade, comment)]
    assert [[row[n].lstrip("'") for n in others] for row in table.rows] == [[row[n] for n in others] for row in before.rows]
    assert (found.filled, found.no_score, found.no_row, found.maxima) == (["0012345678", "2024000002"], ["2024000003"], [], None)
    assert found.path.read_bytes().decode("utf-8-sig")  # what Moodle reads


def _save(path, content: str, encoding: str):
    path.write_bytes(content.encode(encoding))
    return path


# Other assignments' scores stay at home: a table some days old would set them back.
def test_canvas_gets_who_and_the_one_column(tmp_path):
    records = [*RECORDS, Record("2024000004", ASSIGNMENT, auto_score=9, max_auto=15, cells={"c": {}})]
    found, table = written(tmp_path, CANVAS, "utf-8", records=records)
    assert table.header == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "HW (12)"]
    assert [row[5] for row in table.rows] == ["Manual Posting", "15.00", "11.5", "0", "7", "EX"]
    assert table.rows[1][0] == "    Points Possible" and table.rows[2][:3] == ["홍, 길동", "4711", "0012345678"]
    assert (found.filled, found.no_score) == (["0012345678", "2024000002"], ["2024000003", "2024000004"])


def test_blackboard_gets_its_own_kind_of_file(tmp_path):
    found, table = written(tmp_path, BLACKBOARD, "utf-16")
    assert table.header == ["Last Name", "First Name", "Username", "Student ID", "hw [Total Pts: 15 Score] |12"]
    assert [row[-1] for row in table.rows] == ["11.5", "0"] and (table.encoding, table.delimiter) == ("utf-16", "\t")
    assert found.no_row == ["2024000003"] and table.rows[0][:2] == ["홍", "길동"]


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (MOODLE.format(top="100.00"), "utf-8"),
        (CANVAS.replace("15.00", "100"), "utf-8"),
        (BLACKBOARD.replace(": 15", ": 100"), "utf-16"),
    ],
)
def test_another_maximum_is_said(tmp_path, content, encoding):
    found, _ = written(tmp_path, content, encoding)
    assert (float(found.maxima[0]), found.maxima[1]) == (100, "15")


@pytest.mark.parametrize(
    ("titles", "wanted", "column"),
    [
        ("Lab 1 (1),Lab 11 어텐션 (2)", "", "Lab 11 어텐션 (2)"),
        ("Lab-011 (1),Lab 110 (2)", "", "Lab-011 (1)"),
        ("lab11 (1),lab11 재시험 (2)", "재시험", "lab11 재시험 (2)"),
        ("lab11 A (1),lab11 B (2)", "", None),
        ("lab11 (1),lab11 재시험 (2)", "lab11 (", "lab11 (1)"),
        ("lab11 (1),lab11-b (2),어텐션 (3)", "", "lab11 (1)"),
        ("과제 (1)", "", None),
    ],
)
def test_the_column_of_the_assignment(tmp_path, titles, wanted, column):
    row = f"홍길동,4711,0012345678,1{',' * (titles.count(',') + 1)}"
    source = _save(tmp_path / "c.csv", f"Student,ID,SIS Login ID,Section,{titles}\n{row}\n", "utf-8")
    records = [Record("0012345678", "lab11", auto_score=3, max_auto=5, cells={"c": {}})]
    if column is None:
        with pytest.raises(CourseError, match="--column"):
            fill(tmp_path, "lab11", records, source, tmp_path / "out.csv", CLASS, wanted)
    else:
        assert tables.read(fill(tmp_path, "lab11", records, source, tmp_path / "out.csv", CLASS, wanted).path).dicts()[0][column] == "3"


# Without a roster a platform's own student numbers do; namesakes get nothing.
def test_who_is_who(tmp_path):
    found, table = written(tmp_path, MOODLE.format(top="15.00"), "utf-8", roster=None)
    assert found.filled == ["0012345678", "2024000002"] and found.no_row == ["2024000003"]
    twins = Roster([Student("0012345678", "이영희"), Student("2024000002", "김민수"), Student("2024000003", "이영희")])
    assert written(tmp_path, MOODLE.format(top="15.00"), "utf-8", roster=twins)[0].no_row == ["2024000003"]


def test_any_other_table_is_refused(tmp_path):
    with pytest.raises(CourseError, match="LMS"):
        fill(tmp_path, ASSIGNMENT, RECORDS, _save(tmp_path / "x.csv", "학번,점수\n1,2\n", "utf-8"), tmp_path / "out.csv")


def test_names_stand_beside_numbers_where_there_is_a_roster(tmp_path):
    rows = read(write_grades(tmp_path, ASSIGNMENT, RECORDS, tmp_path / "g.csv", CLASS))
    assert list(rows["0012345678"])[:2] == ["학번", "이름"] and rows["0012345678"]["이름"] == "홍길동"


def test_who_has_no_record_has_a_row_without_a_score(tmp_path):
    (tmp_path / "submitted" / "2024000004" / ASSIGNMENT).mkdir(parents=True)
    roster = Roster([*CLASS.students, Student("2024000000", "안냄")])
    rows = read(write_grades(tmp_path, ASSIGNMENT, RECORDS, tmp_path / "g.csv", roster))
    assert list(rows) == ["0012345678", "2024000000", "2024000002", "2024000003", "2024000004"]
    assert {s: (rows[s]["이름"], rows[s]["상태"], rows[s]["합계"]) for s in ("2024000000", "2024000004")} == {
        "2024000000": ("안냄", "내지 않음", ""),
        "2024000004": ("박찬", "채점 전", ""),
    }
