"""Archives and tables of Canvas and Blackboard, and plain ones: each student gets his own, with the time that is known."""
from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from autograder.intake.collect import collect
from autograder.intake.submitted import told
from tests.grade.small_course import ASSIGNMENT, filled, make_course
from tests.intake.archives import put, tarred, zipped

SETTINGS = """title: x
student_repository: o/n
site_url: https://example.org/
answers: never
assignments:
  hw: {due: 2020-12-14 23:59, chapters: []}
"""
ROSTER = "학번,이름\n2024000001,홍길동\n2024000002,김민수\n2024000003,김민수\n"
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,hw (12)
    Points Possible,,,,,15
"홍, 길동",41,2024000001,a,1,
"김, 민수",42,2024000002,b,1,
"김, 민수",43,2024000003,c,1,
"""
BLACKBOARD = """Last Name,First Name,Username,Student ID,hw [Total Pts: 15 Score] |1
홍,길동,gildong,2024000001,
김,민수,2024000002,,
김,민수,minsu_b,2024000003,
"""
STUDENTS = ("2024000001", "2024000002", "2024000003")


@pytest.fixture
def root(tmp_path) -> Path:
    root = make_course(tmp_path / "course")
    put(root / "roster.csv", ROSTER.encode())
    put(root / "course.yml", SETTINGS.encode())
    return root


def hand_ins(root: Path) -> list[bytes]:
    return [nbformat.writes(filled(root, essay=student)).encode() for student in STUDENTS]


def submitted(root: Path) -> dict[str, str]:
    """학번 -> whose notebook lies there."""
    return {path.parts[-3]: nbformat.read(path, as_version=4).cells[-1].source for path in (root / "submitted").glob("*/hw/hw.ipynb")}


def stamps(root: Path) -> dict[str, str]:
    return {path.parts[-3]: path.read_text().strip() for path in (root / "submitted").glob("*/hw/timestamp.txt")}


# Canvas says no time: who is not marked as late is on time, however late we collect.
def test_canvas(root, tmp_path):
    one, two, three = hand_ins(root)
    names = ("honggildong_LATE_41_901_hw-1.ipynb", "kimminsu_42_902_2024000001.ipynb", "kimminsu_43_903_hw.ipynb")
    archive = zipped(dict(zip(names, (one, two, three))) | {"kimminsu_43_904_memo.txt": b"x"})
    found = collect(root, ASSIGNMENT, [put(tmp_path / "submissions.zip", archive), put(tmp_path / "Grades.csv", CANVAS.encode())])
    assert submitted(root) == dict(zip(STUDENTS, STUDENTS)) and not found.absent
    assert stamps(root) == dict(zip(STUDENTS, (f"2020-12-14 14:59:0{second} UTC" for second in (1, 0, 0))))
    assert ["늦은 제출" in " ".join(told(root, ASSIGNMENT, student)[0]) for student in STUDENTS] == [True, False, False]


# Blackboard keeps every attempt with its time, in the school's zone; its receipts are nobody's hand-in.
def test_blackboard(root, tmp_path):
    one, two, three = hand_ins(root)
    archive = zipped(
        {
            "hw_gildong_attempt_2020-12-14-20-00-00_hw.ipynb": two,
            "hw_gildong_attempt_2020-12-14-21-00-00_hw.ipynb": one,
            "hw_gildong_attempt_2020-12-14-21-00-00.txt": b"Name: x",
            "hw_2024000002_attempt_2020-12-14-22-00-00_2024000003.ipynb": two,
            "hw_minsu_b_attempt_2020-12-15-22-00-00_hw.ipynb": three,
        }
    )
    found = collect(root, ASSIGNMENT, [put(tmp_path / "gradebook_CS_hw.zip", archive), put(tmp_path / "gc.csv", BLACKBOARD.encode())])
    assert submitted(root) == dict(zip(STUDENTS, STUDENTS)) and len(found.rows) == 4
    assert stamps(root) == dict(zip(STUDENTS, (f"2020-12-{time}:00:00 UTC" for time in ("14 12", "14 13", "15 13"))))
    assert "22시간" in told(root, ASSIGNMENT, "2024000003")[0][0]


# What an instructor put together himself: the outermost name with a 학번 decides.
@pytest.mark.parametrize("pack", ["zip", "tar.gz", "folder"])
def test_plain(root, tmp_path, pack):
    one, two, three = hand_ins(root)
    names = ("홍길동.ipynb", "2024000002_김민수/2024000001.ipynb", "3분반/과제_2024000003_김민수 (1).ipynb")
    entries = dict(zip(names, (one, two, three))) | {"__MACOSX/._홍길동.ipynb": b"x"}
    if pack == "folder":
        for name, content in entries.items():
            put(tmp_path / "모음" / name, content)
        source = tmp_path / "모음"
    else:
        source = put(tmp_path / f"모음.{pack}", zipped(entries) if pack == "zip" else tarred(list(entries.items())))
    found = collect(root, ASSIGNMENT, [source])
    assert submitted(root) == dict(zip(STUDENTS, STUDENTS)) and {row.status for row in found.rows} == {"counts"}
