"""The whole path, from the platform's archive to the table that it takes back, student by student against the truth."""
from __future__ import annotations

import csv
import json
from datetime import timedelta
from zoneinfo import ZoneInfo

import nbformat
import pytest

from autograder import tables
from autograder.export import fill, write_grades
from autograder.grade.folder import CourseFolder
from autograder.grade.records import read_records
from autograder.grade.run import grade
from autograder.intake.attempts import read_attempts
from autograder.intake.collect import collect
from autograder.intake.listings import read_listing
from autograder.intake.roster import find_roster
from tests.grade.small_course import ASSIGNMENT, CONFIG, filled, make_course, release, tree
from tests.intake.archives import put, zipped

SETTINGS = """title: 작은 강좌
student_repository: owner/name
site_url: https://example.org/
answers: never
assignments:
  hw: {title: 작은 과제, due: 2026-12-14 23:59, grace_minutes: 10, chapters: []}
"""
LATE = 'c.AssignLatePenalties.plugin_class = "autograder.grade.late.PercentPerDay"\nc.PercentPerDay.percent_per_day = 10\n'
ROSTER = "학번,이름\n0012345678,홍길동\n2024000002,김민수\n2024000003,김민수\n2024000004,이영희\n2024000005,박찬\n"
ROSTER += "2024000006,최늦음\n2024000007,정연장\n2024000008,안냄\n"
# Moodle's worksheet: participant, full name, student number where the site shows it, when it was handed in (Seoul).
SHEET = [
    ("111", "홍 길동", "", "2026년 12월 14일 23:10"),
    ("222", "김 민수", "2024000002", "Monday, 14 December 2026, 10:00 AM"),
    ("333", "김 민수", "2024000003", "Tuesday, 15 December 2026, 12:05 AM"),
    ("444", "이 영희", "", "Monday, 14 December 2026, 9:00 AM"),
    ("555", "박 찬", "", "Monday, 14 December 2026, 9:30 AM"),
    ("666", "최 늦음", "", "Wednesday, 16 December 2026, 12:05 PM"),
    ("777", "정 연장", "", "Wednesday, 16 December 2026, 12:05 AM"),
    ("888", "안 냄", "", "-"),
]
# 학번 -> score, status, time of handing in (UTC), what the record tells
TRUTH = {
    "0012345678": (10, "graded", "2026-12-14 14:10:00 UTC", ""),
    "2024000002": (5, "graded", "2026-12-14 01:00:00 UTC", ""),
    "2024000003": (10, "graded", "2026-12-14 15:05:00 UTC", ""),  # six minutes late: within the grace
    "2024000004": (0, "refused", "2026-12-14 00:00:00 UTC", "PDF"),
    "2024000005": (0, "graded", "2026-12-14 00:30:00 UTC", "하나도 없습니다"),
    "2024000006": (10, "graded", "2026-12-16 03:05:00 UTC", "1일 12시간"),
    "2024000007": (10, "graded", "2026-12-15 15:05:00 UTC", ""),
}
PENALTY = {"2024000006": 2}  # two days begun, 10 percent each


def worksheet(path):
    header = "Identifier,Full name,ID number,Status,Grade,Maximum grade,Last modified (submission),Last modified (grade),Feedback comments"
    rows = [f'Participant {number},{name},{own},Submitted,,15.00,"{when}",-,' for number, name, own, when in SHEET]
    return put(path, ("\ufeff" + "\r\n".join([header, *rows]) + "\r\n").encode())


@pytest.fixture(scope="module")
def term(tmp_path_factory):
    top = tmp_path_factory.mktemp("term")
    root = make_course(top / "course")
    put(root / "course.yml", SETTINGS.encode())
    put(root / "nbgrader_config.py", (CONFIG + LATE).encode())
    put(root / "roster.csv", ROSTER.encode("cp949"))
    put(root / "extensions.csv", "학번,과제,마감\n2024000007,hw,2026-12-16 23:59\n".encode("cp949"))

    def notebook(**answers) -> bytes:
        return nbformat.writes(filled(root, essay="", **answers)).encode()

    right, wrong = notebook(), notebook(add="def add(a, b):\n    return a - b")
    archive = zipped(
        {
            "홍 길동_111_assignsubmission_file_/hw.ipynb의 사본": b"\xef\xbb\xbf" + right,
            "김 민수_222_assignsubmission_file_/2024000003_hw (1).ipynb": wrong,  # another's number in his own folder
            "김 민수_333_assignsubmission_file_/내 과제.zip": zipped({"2024000002.ipynb": right}),
            "이 영희_444_assignsubmission_file_/보고서.pdf": b"%PDF-1.7",
            "박 찬_555_assignsubmission_file_/hw.ipynb": nbformat.writes(release(root)).encode(),
            "최 늦음_666_assignsubmission_file_/hw.ipynb": right,
            "정 연장_777_assignsubmission_file_/hw.ipynb": right,
        }
    )
    sources = [put(top / "CS101-과제-77.zip", archive), worksheet(top / "Grades-CS101.csv")]
    found = collect(root, ASSIGNMENT, sources)
    grade(root, ASSIGNMENT)
    return root, sources, found


def test_everybody_is_found_and_kept(term):
    root, _, found = term
    assert not [row for row in found.rows if row.status in ("unmatched", "refused")] and found.absent == ["2024000008"]
    assert {attempt.student for attempt in read_attempts(root, ASSIGNMENT)} == TRUTH.keys()
    stamps = {path.parts[-3]: path.read_text().strip() for path in (root / "submitted").glob("*/hw/timestamp.txt")}
    assert stamps == {student: when for student, (_, _, when, _) in TRUTH.items()}


def test_a_name_with_another_s_number_is_remarked(term):
    doubted = {row.student: row.note for row in term[2].rows if row.doubt}
    assert list(doubted) == ["2024000002"] and "다른 학생의 학번(2024000003)" in doubted["2024000002"]
    page = term[2].table.with_suffix(".html").read_text(encoding="utf-8")
    assert page.count("<tr class=act>") == 2  # that one, and the PDF


def test_records_are_the_truth(term):
    records = {record.student: record for record in read_records(term[0], ASSIGNMENT)}
    assert {student: (record.auto_score, record.status) for student, record in records.items()} == {s: t[:2] for s, t in TRUTH.items()}
    for student, (_, _, _, told) in TRUTH.items():
        assert told in " ".join([records[student].reason, *records[student].flags]), student
        assert ("늦게" in " ".join(records[student].flags)) == (student == "2024000006")


def test_the_gradebook_knows_due_dates_extensions_and_penalties(term):
    with CourseFolder(term[0]).gradebook() as gradebook:
        for student, (_, status, _, _) in TRUTH.items():
            if status == "graded":
                hand_in = gradebook.find_submission(ASSIGNMENT, student)
                longer = timedelta(days=2) if student == "2024000007" else timedelta()
                assert hand_in.assignment.duedate.isoformat() == "2026-12-14T14:59:00"
                assert hand_in.extension == longer + timedelta(minutes=10)
                assert hand_in.late_submission_penalty == PENALTY.get(student, 0)


def test_grades_for_excel(term, tmp_path):
    root, _, _ = term
    path = write_grades(root, ASSIGNMENT, read_records(root, ASSIGNMENT), tmp_path / "grades.csv", find_roster(root))
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = {row["학번"]: row for row in csv.DictReader(file)}
    expected = {student: str(score - PENALTY.get(student, 0)) for student, (score, _, _, _) in TRUTH.items()}
    expected |= {"2024000004": "", "2024000008": ""}  # a PDF, and nothing
    assert {student: row["합계"] for student, row in rows.items()} == expected
    assert rows["0012345678"]["이름"] == "홍길동" and rows["2024000004"]["상태"] == "채점 못 함"
    assert (rows["2024000006"]["낸 시각"], rows["2024000006"]["늦음"]) == ("2026-12-16 12:05", "1일 12시간") and not rows["2024000003"]["늦음"]
    assert rows["2024000008"]["상태"] == "내지 않음"


def test_moodle_takes_it_back(term, tmp_path):
    root, sources, _ = term
    found = fill(root, ASSIGNMENT, read_records(root, ASSIGNMENT), sources[1], tmp_path / "moodle.csv", find_roster(root))
    people = read_listing(found.path, ZoneInfo("Asia/Seoul")).people
    assert list(people) == [f"Moodle:{number}" for number, *_ in SHEET]
    grades = dict(zip([number for number, *_ in SHEET], (row["Grade"] for row in tables.read(found.path).dicts())))
    assert grades == {"111": "10", "222": "5", "333": "10", "444": "", "555": "0", "666": "8", "777": "10", "888": ""}
    assert found.no_score == ["2024000004"] and not found.no_row and found.maxima is None


# Grading again changes no time; a later archive adds an attempt; one on time counts although a late one came after it.
def test_later(term):
    root, sources, _ = term
    before = {path: content for path, (content, _) in tree(root).items() if path.startswith(("submitted", "attempts"))}
    grade(root, ASSIGNMENT, students=["2024000006"])
    collect(root, ASSIGNMENT, sources)
    assert {path: content for path, (content, _) in tree(root).items() if path.startswith(("submitted", "attempts"))} == before
    again = nbformat.writes(filled(root, mul="def mul(a, b):\n    return 0")).encode()
    SHEET[0] = ("111", "홍 길동", "", "2026년 12월 20일 10:00")
    later = put(sources[0].with_name("CS101-과제-77 (1).zip"), zipped({"홍 길동_111_assignsubmission_file_/hw.ipynb": again}))
    found = collect(root, ASSIGNMENT, [later, worksheet(sources[1])])
    own = {row.status: row for row in found.rows if row.student == "0012345678"}
    assert own.keys() == {"counts", "kept"} and "마감 뒤" in own["kept"].note and own["kept"].new
    assert {path: content for path, (content, _) in tree(root).items() if path in before} == before
    assert json.loads((own["kept"].attempt.folder / "attempt.json").read_text())["time"] == "2026-12-20T01:00:00+00:00"
