"""What platforms write: names of files in their archives, and their tables, in English and in Korean."""
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import pytest

from autograder import CourseError
from autograder.intake.listings import canvas_names, moment, read_listing, sender_of

SEOUL = ZoneInfo("Asia/Seoul")


def utc(*parts) -> datetime:
    return datetime(*parts, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("name", "key", "called", "file"),
    [
        ("홍 길동_987654_assignsubmission_file_", "Moodle:987654", "홍 길동", ""),
        ("2024123456 홍길동_987654_assignsubmission_file", "Moodle:987654", "2024123456 홍길동", ""),
        ("홍길동_987654_assignsubmission_file_lab11_2024999999.ipynb", "Moodle:987654", "홍길동", "lab11_2024999999.ipynb"),
        ("Kim_Lee_1_assignsubmission_onlinetext", "Moodle:1", "Kim_Lee", ""),
        ("honggildong_4711_208490284_lab11.ipynb", "Canvas:4711", "honggildong", "lab11.ipynb"),
        ("홍길동_LATE_4711_208490284_lab11-1.ipynb", "Canvas:4711", "홍길동", "lab11-1.ipynb"),
        ("Lab 11_2024123456_attempt_2026-12-14-23-10-05_lab11.ipynb", "Blackboard:2024123456", "", "lab11.ipynb"),
        ("alice+lab11+2026-12-14 14:10:05.123456 UTC+abc=", "nbgrader:alice", "", ""),
    ],
)
def test_names_of_platforms(name, key, called, file):
    sender = sender_of(name, SEOUL)
    assert (sender.key, sender.name, sender.file) == (key, called, file)


def test_what_else_the_names_say():
    assert sender_of("kim_LATE_1_2_x.ipynb", SEOUL).late and not sender_of("kim_1_2_x.ipynb", SEOUL).late
    blackboard = sender_of("Lab_11_kim_b_attempt_2026-12-14-23-10-05.txt", SEOUL)
    assert blackboard.receipt and blackboard.time == utc(2026, 12, 14, 14, 10, 5) and set(blackboard.ids) == {"b", "kim_b", "11_kim_b"}
    exchange = sender_of("a+b+lab11+2026-12-14 14:10:05.123456 UTC", SEOUL)
    assert (exchange.ids, exchange.assignment, exchange.time) == (("a+b",), "lab11", utc(2026, 12, 14, 14, 10, 5))


@pytest.mark.parametrize("name", ["lab11.ipynb", "2024123456_홍길동.ipynb", "홍길동_1주차.ipynb", "a+b.ipynb", "attempt_2026.txt"])
def test_names_of_nobody(name):
    assert sender_of(name, SEOUL) is None


@pytest.mark.parametrize(
    ("names", "known", "are"),
    [
        (["kim_1_9_a.ipynb", "lee_LATE_2_8_a.ipynb"], (), True),
        (["kim_1_9_a.ipynb", "kim_1_8_b.pdf", "lee_2_7_a.ipynb"], (), True),
        (["kim_1_9_a.ipynb"], (), False),  # too little to tell
        (["kim_1_9_a.ipynb"], ("Canvas:1",), True),
        (["kim_1_9_a.ipynb", "x.ipynb"], ("Canvas:1",), True),
        (["kim_1_9_a.ipynb", "lee_2_8_a.ipynb", "x.ipynb"], (), False),
        (["kim_1_9_a.ipynb", "lee_2_text.html", "park_LATE_3_link.html"], (), True),
        (["과제_11_2024123456_홍길동.ipynb", "과제_11_2024123457_김민수.ipynb"], (), False),
        (["과제_11_2024123456_홍길동.ipynb", "과제_12_2024123457_김민수.ipynb"], (), False),
        ([], (), False),
    ],
)
def test_canvas_is_known_by_all_names_together(names, known, are):
    assert canvas_names(names, known) is are


MOODLE = """Identifier,Full name,ID number,Email address,Status,Grade,Maximum grade,Grade can be changed,\
Last modified (submission),Last modified (grade),Feedback comments
Participant 987654,홍 길동,0012345678,a@b.kr,Submitted for grading,,15.00,Yes,"Monday, 14 December 2026, 11:10 PM",-,
Participant 987655,김 민수,,b@b.kr,No submission,,15.00,Yes,-,-,
"""
MOODLE_KO = """식별자,전체 이름,id 번호,이메일 주소,상태,성적,최대 성적,성적을 변경할 수 있음,마지막 수정됨(제출),마지막 수정됨(성적),피드백 코멘트
참가자987654,홍 길동,0012345678,a@b.kr,채점을 위해 제출되었습니다.,,15.00,예,"월요일, 14 12월 2026, 11:10 오후",-,
참가자987655,김 민수,,b@b.kr,제출이 없습니다.,,15.00,예,-,-,
"""
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (11),Lab 11 (12),Final Score
,,,,,Manual Posting,,
    Points Possible,,,,,5.00,15.00,(read only)
"홍, 길동",4711,0012345678,gildong,1분반,4,,80
"Student, Test",4712,,abc,1분반,,,
"""
BLACKBOARD = """"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Last Access"\t"Availability"\t"Lab 11 [Total Pts: 15 Score] |123456"
"홍"\t"길동"\t"gildong"\t"0012345678"\t"2026-12-14"\t"Yes"\t""
"""


@pytest.mark.parametrize(
    ("content", "encoding", "system", "people"),
    [
        (MOODLE, "utf-8-sig", "Moodle", {"Moodle:987654": ("홍 길동", "0012345678"), "Moodle:987655": ("김 민수", "b@b.kr")}),
        (MOODLE_KO, "cp949", "Moodle", {"Moodle:987654": ("홍 길동", "0012345678"), "Moodle:987655": ("김 민수", "b@b.kr")}),
        (CANVAS, "utf-8", "Canvas", {"Canvas:4711": ("홍, 길동", "0012345678"), "Canvas:4712": ("Student, Test", "abc")}),
        (BLACKBOARD, "utf-16", "Blackboard", {"Blackboard:gildong": ("홍 길동", "0012345678")}),
    ],
)
def test_tables_of_platforms(tmp_path, content, encoding, system, people):
    path = tmp_path / "표.csv"
    path.write_bytes(content.encode(encoding))
    listing = read_listing(path, SEOUL)
    assert listing.system == system
    assert {key: (person.name, person.ids[0]) for key, person in listing.people.items()} == people
    if system == "Moodle":
        assert [person.time for person in listing.people.values()] == [utc(2026, 12, 14, 14, 10), None]


# Sites word the titles themselves; what stands under 식별자 does not change.
@pytest.mark.parametrize(
    ("titles", "cell"),
    [
        ("식별자,성명,최종 수정 (제출),최종 수정 (성적)", "참가자 7"),
        ("식별자,성명,제출물 수정 시각,성적", "참가자7"),
        ("Identifier,Full name,Modified: submission,Grade", "Participant 7"),
    ],
)
def test_moodle_is_known_by_its_participants(tmp_path, titles, cell):
    path = tmp_path / "표.csv"
    path.write_text(f'{titles}\n{cell},홍길동,"2026년 12월 14일 23:10",-\n', encoding="utf-8")
    listing = read_listing(path, SEOUL)
    assert listing.system == "Moodle" and listing.people["Moodle:7"].time == utc(2026, 12, 14, 14, 10)


def test_any_other_table_is_refused_with_its_columns(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text("학번,이름,ID\n1,홍길동,x\n", encoding="utf-8")
    with pytest.raises(CourseError, match="^'roster.csv' 파일은 .*찾은 열: 학번, 이름, ID / 필요한 열: .*식별자"):
        read_listing(path, SEOUL)


@pytest.mark.parametrize(
    "text",
    [
        "2026-12-14 23:10",
        "2026. 12. 14. 오후 11:10",
        "2026-12-14 오후 11:10:00",
        "Monday, 14 December 2026, 11:10 PM",
        "Monday, December 14, 2026, 11:10 PM",
        "월요일, 14 12월 2026, 11:10 오후",
        "14 12월 2026, 11:10 PM",
        "2026년 12월 14일 23:10",
        "2026년 12월 14일 월요일 오후 11:10",
        "2026/12/14 23:10",
        "2026-12-14T14:10:00Z",
        "2026-12-14T14:10:00.123456+00:00",
        "2026-12-14 14:10:00 UTC",
        "2026-12-14 14:10:00.999999 UTC",
        "2026-12-14 23:10:00 +0900",
    ],
)
def test_times_as_they_are_written(text):
    assert moment(text, SEOUL) == utc(2026, 12, 14, 14, 10)


@pytest.mark.parametrize("text", ["", "-", "어제 저녁", "23:10", "2026-12-14", "2026-13-40 23:10", "2026-12-14 25:10", "2026-12-14 12:99"])
def test_no_time_is_guessed(text):
    assert moment(text, SEOUL) is None


@pytest.mark.parametrize(("text", "hour"), [("2026-12-14 오전 12:05", 0), ("2026-12-14 12:05 PM", 12), ("2026-12-14 12:05 a.m.", 0)])
def test_noon_and_midnight(text, hour):
    assert moment(text, ZoneInfo("UTC")) == utc(2026, 12, 14, hour, 5)
