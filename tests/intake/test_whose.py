"""Whose a file is: the one who named the outermost folder or archive decides, and nobody is guessed."""
from zoneinfo import ZoneInfo

import pytest

from autograder.intake.archives import Found
from autograder.intake.listings import Listing, Person
from autograder.intake.roster import Roster, Student
from autograder.intake.whose import Whose
from autograder.tables import Table

NAMES = {"2024000001": "홍길동", "2024000002": "김민수", "2024000003": "김민수", "alice": "앨리스", "mallory": "맬러리"}
CLASS = Roster([Student(student, name) for student, name in NAMES.items()])
NONE = Roster()


def owners(names, roster=NONE, listings=()):
    """Student, or "" for nobody, of every file of one source."""
    files = [Found(tuple(name.split("/"))) for name in names]
    whose = Whose("hw", ZoneInfo("Asia/Seoul"), roster, list(listings), files)
    return [whose(found) for found in files]


def students(*names, roster=NONE, listings=()):
    return [owner.student for owner in owners(names, roster, listings)]


# Without a roster: 8 to 10 digits, from the outside in.
@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("in/2024123456/hw/x.ipynb", "2024123456"),
        ("in/alice/hw/x.ipynb", "alice"),
        ("in/2024123456_홍길동/hw/x.ipynb", "2024123456"),
        ("in/2024123456/2024999999.ipynb", "2024123456"),
        ("in/2024123456_홍길동/lab_20261129.ipynb", "2024123456"),
        ("20201105.ipynb", "20201105"),
        ("hw_20201234_20261129.ipynb", "20201234"),
        ("2024123456_2024123456.ipynb", "2024123456"),
        ("x.zip/2024123456 홍길동_987654_assignsubmission_file_/2024999999.ipynb", "2024123456"),
        ("2024123456/hw.ipynb", "2024123456"),
    ],
)
def test_numbers(name, student):
    assert students(name) == [student]


@pytest.mark.parametrize(
    "name",
    [
        "홍길동.ipynb",
        "1234567.ipynb",
        "12345678901.ipynb",
        "in/../hw/x.ipynb",
        "2024123456 2024123457.ipynb",
        "x.zip/홍길동_10019166_assignsubmission_file_/lab11_2024123456.ipynb",  # a participant of Moodle, a name by the student
        "2024000001.zip/2024000002.ipynb",  # the archive says one, the file in it another
        "mallory.zip/hw_alice_attempt_2026-03-01-10-00-00_hw.ipynb",
    ],
)
def test_nobody_is_guessed(name):
    owner = owners([name])[0]
    assert owner.student == "" and ("학번" in owner.reason or "명단" in owner.reason)


# The number of a class, in the name of what holds all hand-ins, is nobody's.
def test_number_of_the_class():
    assert students("강좌_9912345678/2024123456.ipynb", "강좌_9912345678/이름없음.ipynb") == ["2024123456", ""]
    assert students("강좌_9912345678.zip/2024123456.ipynb", "강좌_9912345678.zip/2024123457.ipynb") == ["2024123456", "2024123457"]


def test_an_archive_that_bears_a_student_s_name_is_no_class():
    names = [f"hw_{user}_attempt_2026-03-01-10-00-00_hw.ipynb" for user in ("alice", "mallory")]
    assert students(*(f"mallory.zip/{name}" for name in names)) == ["", "mallory"]
    assert students(*(f"downloads.zip/{name}" for name in names)) == ["alice", "mallory"]


def test_two_numbers_in_canvas_names_are_no_student():
    assert students("submissions.zip/kim_4711_208490284_a.ipynb", "submissions.zip/lee_4712_208490285_2024123456.ipynb") == ["", ""]


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("in/2024000001.ipynb", "2024000001"),
        ("in/2024999999.ipynb", ""),  # nobody of the class
        ("in/lab11_홍길동 (1).ipynb", "2024000001"),
        ("in/김민수.ipynb", ""),  # two of that name
        ("in/2024000002_김민수.ipynb", "2024000002"),
        ("in/2024000002_홍길동.ipynb", ""),  # number and name are two students
        ("in/2024000001/2024000002.ipynb", "2024000001"),
        ("홍길동 교수/2024000002.ipynb", "2024000002"),  # who holds the class may be called like a student
        ("mallory.zip/hw_alice_attempt_2026-03-01-10-00-00_hw.ipynb", "mallory"),
        ("gradebook_CS1_hw.zip/hw_alice_attempt_2026-03-01-10-00-00_2024000001.ipynb", "alice"),
        ("other.zip/hw_alice_attempt_2026-03-01-10-00-00_hw.ipynb", ""),
        ("x.zip/홍 길동_987_assignsubmission_file_/2024000002.ipynb", "2024000001"),
        ("x.zip/홍길동(2024000001)_987_assignsubmission_file_x_2024000002.ipynb", "2024000001"),
        ("x.zip/김 민수_988_assignsubmission_file_/2024000003.ipynb", ""),
        ("inbound/alice+hw+2026-12-14 14:10:05.12 UTC+x/2024000001.ipynb", "alice"),
        ("inbound/bob+hw+2026-12-14 14:10:05.12 UTC+x/2024000001.ipynb", ""),
    ],
)
def test_with_a_roster_names_inside_decide_nothing(name, student):
    assert students(name, roster=CLASS) == [student]


def test_a_platform_s_table_tells_namesakes_apart():
    people = {"Moodle:988": Person("Moodle:988", ("2024000003",), "김 민수", number="2024000003"), "Canvas:4711": Person("Canvas:4711", ("alice",), "A")}
    listings = [Listing("Moodle", Table([]), people)]
    assert students("x.zip/김 민수_988_assignsubmission_file_/hw.ipynb", roster=CLASS, listings=listings) == ["2024000003"]
    assert students("x.zip/김 민수_988_assignsubmission_file_/hw.ipynb", listings=listings) == ["2024000003"]
    assert students("x.zip/a_4711_1_2024000001.ipynb", roster=CLASS, listings=listings) == ["alice"]


# Without a roster a table's e-mail addresses and logins are nobody's 학번.
@pytest.mark.parametrize(
    ("ids", "number", "student"),
    [(("jihoon@y.ac.kr",), "", ""), (("jihoon",), "", ""), (("A-17", "jihoon"), "A-17", "A-17"), (("2024000003",), "", "2024000003")],
)
def test_a_login_is_no_number(ids, number, student):
    listing = Listing("Moodle", Table([]), {"Moodle:988": Person("Moodle:988", ids, "김 민수", number=number)})
    (owner,) = owners(["x.zip/김 민수_988_assignsubmission_file_/hw.ipynb"], listings=[listing])
    said = "" if student else "채점 워크시트에 학번 열이 없습니다. 학번과 이름이 든 명단을 --roster로 주세요."
    assert (owner.student, owner.reason) == (student, said)


@pytest.mark.parametrize(
    ("ids", "name", "why"),
    [
        (("gd@b.kr",), "x", "채점 워크시트의 이메일"),
        (("2024000001",), "x", "채점 워크시트의 학번"),
        ((), "홍 길동", "채점 워크시트의 이름"),
        (None, "홍 길동", "Moodle 폴더 이름에 든 학생 이름"),
    ],
)
def test_what_found_the_student_is_said(ids, name, why):
    roster = Roster([Student("2024000001", "홍길동", ("gd@b.kr",))])
    people = {} if ids is None else {"Moodle:1": Person("Moodle:1", ids, name)}
    (owner,) = owners([f"x.zip/{name}_1_assignsubmission_file_/hw.ipynb"], roster, [Listing("Moodle", Table([]), people)])
    assert (owner.student, owner.why) == ("2024000001", why)


def test_canvas_by_names_that_only_one_student_has():
    names = ["s.zip/홍길동_LATE_1_9_2024000002.ipynb", "s.zip/앨리스_2_8_hw.ipynb", "s.zip/김민수_3_7_hw.ipynb"]
    found = owners(names, CLASS)
    assert [(owner.student, owner.late) for owner in found] == [("2024000001", True), ("alice", False), ("", False)]


def test_another_assignment_of_the_exchange_and_receipts_are_passed_over():
    names = ["inbound/alice+lab1+2026-12-14 14:10:05 UTC/x.ipynb", "x.zip/hw_alice_attempt_2026-03-01-10-00-00.txt"]
    assert [owner.skip for owner in owners(names, CLASS)] == [True, True]


# Any student can give a folder of an exchange any name; the machine knows whose it is.
def test_a_folder_in_another_s_name():
    names = (("alice", "mallory"), ("mallory", "mallory"), ("alice", "jovyan"))
    files = [Found(("inbound", f"{name}+hw+2026-12-14 14:10:05 UTC", "hw.ipynb"), account=account) for name, account in names]
    for roster in (CLASS, NONE):
        whose = Whose("hw", ZoneInfo("Asia/Seoul"), roster, [], files)
        assert [whose(found).student for found in files] == ["", "mallory", "alice"] and "mallory" in whose(files[0]).reason
