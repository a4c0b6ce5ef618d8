"""`./course collect` and `./course export --lms` as an instructor uses them: what they say, and when they end with 1."""
from __future__ import annotations

import json
import re

import nbformat
import pytest

from autograder import tables
from autograder.grade import records
from autograder.grade.records import Record
from autograder.intake.matches import table_path
from tests.grade.small_course import ASSIGNMENT, filled, make_course
from tests.intake.archives import put, zipped
from tests.test_cli import course_command

ROSTER = "학번,이름\n2024000001,홍길동\n2024000002,김민수\n2024000003,김민수\n2024000004,안냄\n"
SHEET = "Identifier,Full name,Grade,Maximum grade,Last modified (submission),Last modified (grade),Feedback comments\r\n"
SHEET += "Participant 1,홍 길동,,15.00,-,-,\r\nParticipant 2,김 민수,,15.00,-,-,\r\nParticipant 3,김 민수,,15.00,-,-,\r\n"


@pytest.fixture
def root(tmp_path):
    return make_course(tmp_path / "course")


def test_from_archive_to_worksheet(root, tmp_path):
    hand_ins = {
        f"{name}_{n}_assignsubmission_file_/hw.ipynb": nbformat.writes(filled(root, essay=str(n))).encode()
        for n, name in enumerate(("홍 길동", "김 민수", "김 민수"), 1)
    }
    archive = put(tmp_path / "과제-7.zip", zipped(hand_ins))
    roster, sheet = put(tmp_path / "명단.csv", ROSTER.encode("cp949")), put(tmp_path / "채점.csv", SHEET.encode())
    collect = ["collect", "--assignment", ASSIGNMENT, "--course", root, "--roster", roster, "--json", tmp_path / "found.json"]

    done = course_command(*collect, archive, sheet, check=False)
    assert done.returncode == 1 and "2건" in done.stderr and "대응표" in done.stderr and "Traceback" not in done.stderr
    assert "학생을 찾지 못한 파일 2건이 이들의 것일 수 있습니다" in done.stdout
    assert "2024000001" in done.stdout and "같은 이름이 명단에 2명" in done.stdout and "내지 않은 학생 3명" in done.stdout
    told = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert [file["status"] for file in told["files"]] == ["counts", "unmatched", "unmatched"]
    assert (root / told["files"][0]["path"]).read_bytes() == next(iter(hand_ins.values()))

    table = tables.read(table_path(root, ASSIGNMENT))
    for row in table.rows:
        row[0] = {"김 민수_2": "2024000002", "김 민수_3": "2024000003"}.get(row[table.column("파일")][:6], row[0])
    tables.write(table_path(root, ASSIGNMENT), table)
    done = course_command(*collect)
    assert "채점할 학생은 모두 3명" in done.stdout and "내지 않은 학생 1명: 2024000004" in done.stdout

    for n in (1, 2, 3):
        records.save(root, Record(f"202400000{n}", ASSIGNMENT, auto_score=n, max_auto=15, cells={"c": {}}))
    done = course_command("export", ASSIGNMENT, tmp_path / "out.csv", "--lms", sheet, "--course", root, "--roster", roster)
    assert [row["Grade"] for row in tables.read(tmp_path / "out.csv").dicts()] == ["1", "2", "3"] and "점수 3명" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "찾지 못했습니다"),
        (["명단.xlsx"], "CSV UTF-8"),
        (["명단.csv"], "--roster"),
        (["hw.ipynb", "--roster", "없음.csv"], "없음.csv"),
        (["2024000001.pdf"], "다만 1명은 다시 받아야"),
    ],
)
def test_a_mistake_is_answered_with_what_to_do(root, tmp_path, arguments, says):
    for name, content in {"명단.xlsx": b"PK\x03\x04", "명단.csv": ROSTER.encode(), "hw.ipynb": b"{}", "2024000001.pdf": b"%PDF-1.7"}.items():
        put(tmp_path / name, content)
    paths = [tmp_path / argument if "." in argument else argument for argument in arguments]
    done = course_command("collect", "--assignment", ASSIGNMENT, "--course", root, *paths, check=False)
    assert done.returncode == 1 and says in done.stderr and "Traceback" not in done.stderr and "./course grade" not in done.stdout


# Everything has a record and the class can be graded: the last line says so, and no word of stopping.
def test_one_file_that_cannot_be_graded_stops_nothing(root, tmp_path):
    put(tmp_path / "in" / "2024000001.pdf", b"%PDF-1.7")
    put(tmp_path / "in" / "2024000002.ipynb", nbformat.writes(filled(root, essay="답")).encode())
    done = course_command("collect", "--assignment", ASSIGNMENT, "--course", root, tmp_path / "in", check=False)
    assert done.returncode == 1 and "다음:" not in done.stdout
    rest = f"나머지는 ./course grade {ASSIGNMENT}로 그대로 채점할 수 있습니다."
    assert done.stderr.strip() == f"모으기는 끝났습니다. 다만 1명은 다시 받아야 합니다. {rest}"


# How late, for how many; and where no file says when it came, once that nobody can tell.
@pytest.mark.parametrize(("time", "late"), [("2020-12-16 02:00", True), ("2020-12-14 23:00", False), ("-", None)])
def test_lateness_is_said(root, tmp_path, time, late):
    settings = "title: x\nstudent_repository: o/n\nsite_url: https://example.org/\nanswers: never\n"
    put(root / "course.yml", f"{settings}assignments:\n  hw: {{due: 2020-12-14 23:59, chapters: []}}\n".encode())
    archive = put(tmp_path / "a.zip", zipped({"홍_1_assignsubmission_file_/hw.ipynb": nbformat.writes(filled(root, essay="답")).encode()}))
    sheet = f"식별자,성명,학번,최종 수정 (제출),최종 수정 (성적)\n참가자 1,홍,2024000001,{time},-\n"
    done = course_command("collect", "--assignment", ASSIGNMENT, "--course", root, archive, put(tmp_path / "s.csv", sheet.encode()))
    (row,) = tables.read(table_path(root, ASSIGNMENT)).dicts()
    assert ("마감보다 1일 2시간 늦음" in row["설명"]) == ("늦게 낸 학생 1명: 2024000001" in done.stdout) == bool(late)
    assert len(re.findall("늦었는지 판단하지 못합니다", done.stdout)) == (late is None)
