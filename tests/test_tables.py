"""CSV files as people and platforms save them: read in any encoding, written so that Excel neither breaks nor runs them."""
import csv

import pytest

from autograder import CourseError, tables
from autograder.tables import Table, harmless, plain, text

CSV = "학번,이름\r\n0012345678,홍길동\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949", "utf-16"])
def test_a_table_is_read_in_any_encoding_and_written_back_in_it(tmp_path, encoding):
    path = tmp_path / "t.csv"
    path.write_bytes(CSV.encode(encoding))
    table = tables.read(path)
    assert (table.header, table.rows) == (["학번", "이름"], [["0012345678", "홍길동"]])
    assert tables.write(tmp_path / "again.csv", table).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_is_found_and_kept(tmp_path, delimiter):
    path = tmp_path / "t.csv"
    path.write_text(CSV.replace(",", delimiter), encoding="utf-8", newline="")
    table = tables.read(path)
    assert table.dicts() == [{"학번": "0012345678", "이름": "홍길동"}]
    assert tables.write(tmp_path / "again.csv", table).read_bytes() == path.read_bytes()


def test_decomposed_hangul_short_rows_and_empty_lines(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("이름,학번,과제\n김,1\n,,\n박,2,lab11,too much\n", encoding="utf-8")
    assert tables.read(path).rows == [["김", "1", ""], ["박", "2", "lab11"]]


def test_a_letter_that_cp949_lacks_is_not_lost(tmp_path):
    path = tables.write(tmp_path / "t.csv", Table(["이름"], [["뷁쀍ñ😀"]], encoding="cp949"))
    assert tables.read(path).rows == [["뷁쀍ñ😀"]] and path.read_bytes().startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"PK\x03\x04rest", "CSV UTF-8"), (b"\xd0\xcf\x11\xe0rest", "CSV UTF-8"), (b"", "아무 내용"), (b"\xff\xffa,b", "글자"), (None, "경로")],
)
def test_what_is_no_table_is_said(tmp_path, content, says):
    path = tmp_path / "t.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CourseError, match=says):
        tables.read(path)


@pytest.mark.parametrize("value", ["=1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", " =1", "＝1"])
def test_formulas_are_text(value):
    assert text(value).startswith("'") and "\n" not in text(value)


# What a platform wrote stays as it is, unless a spreadsheet would run it.
@pytest.mark.parametrize("value", ["-", "-3.5", "+1", "1,234.50", "12 %", "홍길동", "    Points Possible", "두\n줄"])
def test_harmless_cells_stay(value):
    assert harmless(value) == value


@pytest.mark.parametrize("value", ["=HYPERLINK(1)", "@SUM(A1)", "+82-10", "-1+1|cmd", "\t=1"])
def test_harmful_cells_do_not(value):
    assert harmless(value).startswith("'")


def test_column_titles_match_whatever_their_spelling():
    table = Table(["Last modified (grade)", "E-mail"])
    assert (table.column("last modified(Grade)"), table.column("Email", "x"), table.column("없음")) == (0, 1, None)
    assert plain("마지막 수정됨(성적)") == "마지막수정됨성적"


def test_writing_the_same_changes_no_byte_and_no_time(tmp_path):
    path = tables.write(tmp_path / "t.csv", Table(["가"], [["나"]]))
    before = path.stat().st_mtime_ns
    assert tables.write(path, Table(["가"], [["나"]])).stat().st_mtime_ns == before
    with path.open(encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file)) == [["가"], ["나"]]
