"""The match table: the instructor's word holds, whatever Excel does to the file, and attempts are never moved."""
from __future__ import annotations

import csv
import io
from pathlib import Path

import nbformat
import pytest

from autograder import CourseError, tables
from autograder.intake.attempts import read_attempts
from autograder.intake.collect import collect
from autograder.intake.matches import COLUMNS, table_path
from tests.grade.small_course import ASSIGNMENT, filled, make_course, tree
from tests.intake.archives import put, zipped

ROSTER = "학번,이름\n0012345678,홍길동\n2024000002,김민수\n2024000003,김민수\n"
GILDONG, MINSU, OTHER = "0012345678", "2024000002", "2024000003"


@pytest.fixture
def root(tmp_path) -> Path:
    root = make_course(tmp_path / "course")
    put(root / "roster.csv", ROSTER.encode("cp949"))
    return root


def data(root: Path, essay: str) -> bytes:
    return nbformat.writes(filled(root, essay=essay)).encode()


def class_zip(root: Path, **more: bytes) -> Path:
    entries = {
        "홍 길동_111_assignsubmission_file_/hw.ipynb": data(root, "길동"),
        "김 민수_222_assignsubmission_file_/hw.ipynb": data(root, "민수"),
        "김 민수_333_assignsubmission_file_/hw.ipynb": data(root, "다른 민수"),
    }
    return put(root.parent / "CS1-hw-77.zip", zipped(entries | more))


def edit(root: Path, changes: dict[str, dict[str, str]], encoding: str = "utf-8-sig", like_excel: bool = False) -> None:
    """Change cells of rows, found by a part of the file's name, and save."""
    path = table_path(root, ASSIGNMENT)
    table = tables.read(path)
    rows = table.dicts()
    for row in rows:
        for part, cells in changes.items():
            if part in row["파일"]:
                row |= cells
        if like_excel:
            row |= {title: row[title].lstrip("0") for title in ("학번", "자동")}
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(out.getvalue().encode(encoding))


def answers(root: Path) -> dict[str, str]:
    """학번 -> what is submitted."""
    found = sorted((root / "submitted").glob(f"*/{ASSIGNMENT}/hw.ipynb"))
    return {path.parts[-3]: nbformat.read(path, as_version=4).cells[-1].source for path in found}


@pytest.mark.parametrize(("encoding", "like_excel"), [("utf-8-sig", False), ("cp949", True)])
def test_the_instructor_fills_in_whom_nobody_could_find(root, encoding, like_excel):
    found = collect(root, ASSIGNMENT, [class_zip(root)])
    assert [row.status for row in found.rows].count("unmatched") == 2 and found.absent == [MINSU, OTHER]
    edit(root, {"_222_": {"학번": MINSU}, "_333_": {"학번": OTHER}}, encoding, like_excel)
    found = collect(root, ASSIGNMENT)
    assert answers(root) == {GILDONG: "길동", MINSU: "민수", OTHER: "다른 민수"} and not found.absent
    assert [(row.student, row.automatic, row.why) for row in found.rows if row.student == MINSU] == [(MINSU, "", "강사가 정함")]
    assert {a.student for a in read_attempts(root, ASSIGNMENT)} == {"", GILDONG, MINSU, OTHER}
    before = tree(root)
    collect(root, ASSIGNMENT, [class_zip(root)])
    assert tree(root) == before


def test_a_word_on_one_file_holds_for_all_of_that_sender(root):
    collect(root, ASSIGNMENT, [class_zip(root)])
    edit(root, {"_222_": {"학번": MINSU}})
    collect(root, ASSIGNMENT)
    later = class_zip(root, **{"김 민수_222_assignsubmission_file_/hw2.ipynb": data(root, "민수 다시")})
    found = collect(root, ASSIGNMENT, [later])
    assert answers(root)[MINSU] == "민수 다시" and [row.status for row in found.rows].count("unmatched") == 1


def test_nobody_s_file_says_nothing_of_its_sender(root):
    more = {"홍 길동_111_assignsubmission_file_/메모.txt": b"x"}
    collect(root, ASSIGNMENT, [class_zip(root, **more)])
    edit(root, {"메모": {"학번": "없음"}})
    collect(root, ASSIGNMENT)
    assert answers(root) == {GILDONG: "길동"}


# Of the same bytes a student's own attempt stays his, when what was given to him is taken back.
def test_what_was_given_hides_no_attempt_of_one_s_own(root):
    collect(root, ASSIGNMENT, [class_zip(root)])
    edit(root, {"_111_": {"학번": MINSU}})
    collect(root, ASSIGNMENT)
    collect(root, ASSIGNMENT, [put(root.parent / f"{MINSU}.ipynb", data(root, "길동"))])
    edit(root, {"_111_": {"학번": GILDONG}})
    collect(root, ASSIGNMENT)
    assert answers(root) == {GILDONG: "길동", MINSU: "길동"}


def test_a_wrong_match_is_given_to_the_right_student_and_back(root):
    collect(root, ASSIGNMENT, [class_zip(root)])
    kept = {path: content for path, content in tree(root).items() if path.startswith("attempts")}
    record = put(root / "reports" / ASSIGNMENT / "records" / f"{GILDONG}.json", b"{}")
    edit(root, {"_111_": {"학번": MINSU}})
    collect(root, ASSIGNMENT)
    assert answers(root) == {MINSU: "길동"} and not (root / "submitted" / GILDONG / ASSIGNMENT).exists() and not record.exists()
    edit(root, {"_111_": {"학번": GILDONG}})
    collect(root, ASSIGNMENT)
    assert answers(root) == {GILDONG: "길동"}
    assert {path: content for path, content in tree(root).items() if path in kept} == kept


# A file that is nobody's is kept and asks no more.
def test_nobody_s(root):
    collect(root, ASSIGNMENT, [class_zip(root)])
    edit(root, {"_111_": {"학번": ""}, "_222_": {"학번": "없음"}})
    before = tree(root)
    found = collect(root, ASSIGNMENT)
    assert answers(root) == {} and sorted(row.status for row in found.rows) == ["kept", "kept", "unmatched"]
    assert {path for path in before if path.startswith("attempts")} <= tree(root).keys()
    before = tree(root)
    assert sorted(row.status for row in collect(root, ASSIGNMENT).rows) == ["kept", "kept", "unmatched"] and tree(root) == before


def test_the_time_of_handing_in_can_be_corrected(root):
    collect(root, ASSIGNMENT, [class_zip(root)])
    edit(root, {"_111_": {"낸 시각": "2026. 12. 14. 오후 11:10"}})
    collect(root, ASSIGNMENT)
    stamp = root / "submitted" / GILDONG / ASSIGNMENT / "timestamp.txt"
    assert stamp.read_text().strip() == "2026-12-14 14:10:00 UTC"
    before = tree(root)
    collect(root, ASSIGNMENT)
    assert tree(root) == before and "2026-12-14 23:10" in table_path(root, ASSIGNMENT).read_text(encoding="utf-8-sig")


@pytest.mark.parametrize(
    ("change", "says"),
    [({"학번": "2024000009"}, "명단에 없습니다"), ({"학번": "../x"}, "명단에 없습니다"), ({"낸 시각": "어제"}, "낸 시각")],
)
def test_a_mistake_in_the_table_is_named_and_nothing_changes(root, change, says):
    collect(root, ASSIGNMENT, [class_zip(root)])
    edit(root, {"_111_": change})
    before = tree(root)
    with pytest.raises(CourseError, match=says):
        collect(root, ASSIGNMENT)
    assert tree(root) == before


def test_a_table_without_its_columns_is_named(root):
    collect(root, ASSIGNMENT, [class_zip(root)])
    put(table_path(root, ASSIGNMENT), "학번,파일\n1,2\n".encode())
    with pytest.raises(CourseError, match="열이 없습니다"):
        collect(root, ASSIGNMENT)


# A roster that comes later finds owners for what was nobody's; the table then lists it once.
def test_a_later_roster_finds_owners(root):
    roster = root / "roster.csv"
    content = roster.read_bytes()
    roster.unlink()
    assert {row.status for row in collect(root, ASSIGNMENT, [class_zip(root)]).rows} == {"unmatched"}
    roster.write_bytes(content)
    found = collect(root, ASSIGNMENT, [class_zip(root)])
    assert sorted((row.student, row.status) for row in found.rows) == [("", "unmatched"), ("", "unmatched"), (GILDONG, "counts")]


# Names come from students: a cell is no formula, a page no script.
def test_names_are_harmless(root):
    name = "=1+1<script>alert(1)</script>"
    collect(root, ASSIGNMENT, [put(root.parent / "in" / f"{name.replace('/', '_')}.ipynb", data(root, "x")), class_zip(root)])
    path = table_path(root, ASSIGNMENT)
    table = tables.read(path)
    assert path.read_bytes().startswith(b"\xef\xbb\xbf") and tuple(table.header) == COLUMNS
    assert not [cell for row in table.rows for cell in row if cell.startswith(("=", "+", "-", "@"))]
    page = path.with_suffix(".html").read_text(encoding="utf-8")
    assert "<script>" not in page and "&lt;script&gt;" in page and "학생을 찾지 못함" in page and "홍길동" in page
