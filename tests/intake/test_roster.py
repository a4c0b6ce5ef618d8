"""The roster: read as a portal or Excel saves it; a student is found, or nobody is."""
import pytest

from autograder import CourseError
from autograder.intake.roster import Roster, Student, find_roster, read_roster

CLASS = Roster(
    [
        Student("0012345678", "홍길동", ("gildong@univ.ac.kr",)),
        Student("2024000002", "김민수"),
        Student("2024000003", "김민수"),
        Student("2024000004", "Kim Minsu", ("minsu",)),
        Student("kim.b", "남궁민"),
    ]
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949"])
@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("학번,성명,이메일", "0012345678,홍길동,a@b.kr"),
        ("이름,학번,학과", "홍길동,0012345678,국문"),
        ("Student ID,Name,Email", "0012345678,홍길동,a@b.kr"),
    ],
)
def test_roster_from_excel(tmp_path, encoding, header, row):
    path = tmp_path / "명단.csv"
    path.write_bytes(f"{header}\r\n{row}\r\n".encode(encoding))
    assert [(s.id, s.name) for s in read_roster(path).students] == [("0012345678", "홍길동")]


@pytest.mark.parametrize("cell", ['"=""0012345678"""', "'0012345678", " 0012345678 "])
def test_tricks_that_keep_zeros_in_excel(tmp_path, cell):
    path = tmp_path / "roster.csv"
    path.write_text(f"학번,이름\n{cell},홍길동\n", encoding="utf-8")
    assert find_roster(tmp_path).students[0].id == "0012345678"
    assert find_roster(tmp_path / "elsewhere").students == []


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("이름,반\n홍길동,1\n", "'학번' 열이 없습니다"),
        ("학번,이름\n1,가\n1,나\n", "두 번"),
        ("학번,이름\n2.02E+09,가\n", "2번째 줄"),
        ("학번,이름\n../x,가\n", "쓸 수 없습니다"),
        ("학번,이름\n,가\n", "한 명도"),
    ],
)
def test_a_faulty_roster_is_named(tmp_path, content, says):
    path = tmp_path / "roster.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CourseError, match=says):
        read_roster(path)


@pytest.mark.parametrize(
    ("ids", "name", "student"),
    [
        (["0012345678"], "", "0012345678"),
        (["12345678"], "", "0012345678"),  # Excel took the zeros
        (["GILDONG@univ.ac.kr"], "", "0012345678"),
        (["2024000002@univ.ac.kr"], "누구", "2024000002"),
        (["x"], "2024000003 김민수", "2024000003"),
        ([], "홍 길동", "0012345678"),
        ([], "길동, 홍", "0012345678"),
        ([], "홍길동(2024)", "0012345678"),
        ([], "minsu kim", "2024000004"),
        ([], "김민수", None),  # two of them
        (["2024000002", "2024000003"], "", None),
        (["99999999"], "아무개", None),
        ([], "", None),
    ],
)
def test_whom_a_platform_means(ids, name, student):
    assert getattr(CLASS.find(ids, name)[0], "id", None) == student


@pytest.mark.parametrize(
    ("text", "students"),
    [
        ("과제_2024000002홍길동.ipynb", ["2024000002"]),
        ("12345678.zip", ["0012345678"]),
        ("x20240000021.ipynb", []),
        ("KIM.B_lab11.ipynb", ["kim.b"]),
        ("akim.b.ipynb", []),
        ("2024000002 2024000003", ["2024000002", "2024000003"]),
    ],
)
def test_numbers_in_file_names(text, students):
    assert [student.id for student in CLASS.named_in(text)] == students


@pytest.mark.parametrize(("text", "students"), [("lab11_홍길동.ipynb", ["0012345678"]), ("홍길동의 사본", []), ("김민수", []), ("남궁민 (1)", ["kim.b"])])
def test_names_in_file_names(text, students):
    assert [student.id for student in CLASS.called_in(text)] == students
