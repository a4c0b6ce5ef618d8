"""Promises about collecting: raw bytes are kept, nothing is dropped, nothing is placed by guess, twice is once."""
from __future__ import annotations

import json
import os
import shutil
from datetime import datetime, timezone
from pathlib import Path

import nbformat
import pytest

from autograder import CourseError
from autograder.intake.attempts import read_attempts
from autograder.intake.collect import collect
from autograder.intake.submitted import told
from tests.grade.small_course import ASSIGNMENT, answer, check, filled, make_course, release, tree
from tests.intake.archives import link, locked, put, tarred, zipped

STUDENT = "2024123456"


@pytest.fixture
def root(tmp_path) -> Path:
    return make_course(tmp_path / "course")


def data(root: Path, essay: str = "답") -> bytes:
    return nbformat.writes(filled(root, essay=essay)).encode()


def working_copy(root: Path, student: str, name: str = "hw.ipynb") -> str:
    path = root / "submitted" / student / ASSIGNMENT / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def by_name(rows) -> dict:
    return {Path(row.file).name: row for row in rows}


# Raw bytes lie unchanged under attempts/ with a note; the working copy has the release's name and a time of its own.
def test_file(root, tmp_path):
    raw = b"\xef\xbb\xbf" + data(root)
    before = datetime.now(timezone.utc).replace(microsecond=0)
    row = collect(root, ASSIGNMENT, [put(tmp_path / "in" / f"hw_{STUDENT}_홍길동의 사본.ipynb", raw)]).rows[0]
    assert (row.student, row.notebook, row.status, row.new) == (STUDENT, "hw", "counts", True)
    attempt = row.attempt
    assert attempt.data == raw and attempt.name == f"hw_{STUDENT}_홍길동의 사본.ipynb"
    assert attempt.path.parent.parent == root / "attempts" / STUDENT / ASSIGNMENT
    note = json.loads((attempt.folder / "attempt.json").read_text(encoding="utf-8"))
    assert note["sha256"] == attempt.sha256 and attempt.folder.name.endswith(attempt.sha256[:12]) and note["time"] is None
    received = datetime.fromisoformat(note["received"])
    assert before <= received <= datetime.now(timezone.utc) and received.utcoffset().total_seconds() == 0
    assert str(tmp_path) not in json.dumps(note)  # no path of the instructor's machine
    submitted = root / "submitted" / STUDENT / ASSIGNMENT
    assert nbformat.read(submitted / "hw.ipynb", as_version=4).cells[-1].source == "답"
    assert (submitted / "timestamp.txt").read_text().strip() == f"{received:%Y-%m-%d %H:%M:%S} UTC"


# Collecting twice changes nothing, not a byte and not a date; what is derived comes back the same.
def test_twice(root, tmp_path):
    put(tmp_path / "in" / f"{STUDENT}.ipynb", data(root))
    put(tmp_path / "in" / "2024123457.ipynb", data(root, "다른 답"))
    put(tmp_path / "in" / "2024123458.pdf", b"%PDF-1.7")
    put(tmp_path / "in" / "누구.ipynb", data(root, "모름"))
    put(tmp_path / "in" / "link.zip", zipped([(link("2024123459.ipynb"), b"x")]))
    first = collect(root, ASSIGNMENT, [tmp_path / "in"])
    before = tree(root)
    again = collect(root, ASSIGNMENT, [tmp_path / "in"])
    assert tree(root) == before and not any(row.new for row in again.rows) and len(again.here) == len(first.here) == 5
    collect(root, ASSIGNMENT)
    assert tree(root) == before
    contents = {path: content for path, (content, _) in before.items()}
    for folder in ("submitted", "matches", "reports"):
        shutil.rmtree(root / folder)
    collect(root, ASSIGNMENT, [tmp_path / "in"])
    assert {path: content for path, (content, _) in tree(root).items()} == contents


# A later archive adds attempts; of two the one that came later counts, the other one stays.
def test_a_later_archive_adds_attempts(root, tmp_path):
    first = {f"{STUDENT}.ipynb": data(root, "먼저"), "2024123457.ipynb": data(root)}
    second = {f"{STUDENT}.ipynb": data(root, "나중"), "2024123458.ipynb": data(root)}
    collect(root, ASSIGNMENT, [put(tmp_path / "a.zip", zipped(first))])
    old = {path: content for path, content in tree(root).items() if path.startswith("attempts")}
    found = collect(root, ASSIGNMENT, [put(tmp_path / "b.zip", zipped(second))])
    counting = {(student, "counts") for student in (STUDENT, "2024123457", "2024123458")}
    assert {(row.student, row.status) for row in found.rows} == {(STUDENT, "kept")} | counting
    assert "나중" in working_copy(root, STUDENT)
    assert {path: content for path, content in tree(root).items() if path in old} == old


# Of two notebooks that came at the same time the one that was changed last counts, whatever the order of names.
def test_last_one_counts(root, tmp_path):
    put(tmp_path / "in" / f"{STUDENT}_a.ipynb", data(root, "나중"), 1_780_000_900)
    put(tmp_path / "in" / f"{STUDENT}_b.ipynb", data(root, "먼저"), 1_780_000_100)
    collect(root, ASSIGNMENT, [tmp_path / "in"])
    assert "나중" in working_copy(root, STUDENT) and len(read_attempts(root, ASSIGNMENT, STUDENT)) == 2


# The release itself, sent by mistake after the answers, does not take their place; alone it is graded, and said.
def test_an_untouched_release_replaces_no_answer(root, tmp_path):
    put(tmp_path / "in" / f"{STUDENT}_a.ipynb", data(root), 1_780_000_100)
    put(tmp_path / "in" / f"{STUDENT}_b.ipynb", nbformat.writes(release(root)).encode(), 1_780_000_900)
    put(tmp_path / "in" / "2024123457.ipynb", nbformat.writes(release(root)).encode())
    rows = by_name(collect(root, ASSIGNMENT, [tmp_path / "in"]).rows)
    assert [rows[f"{STUDENT}_{x}.ipynb"].status for x in "ab"] == ["counts", "kept"] and "답" in working_copy(root, STUDENT)
    assert rows["2024123457.ipynb"].status == "counts" and "하나도 없습니다" in rows["2024123457.ipynb"].note
    assert "하나도 없습니다" in told(root, ASSIGNMENT, "2024123457")[0][0]


# What a file is, its content says: the assignment by its metadata or grade ids, never by its name. Whatever it is, it is
# kept, and the student gets a record with the reason.
def test_what_it_is(root, tmp_path):
    two_books = {
        "one": [answer("other", "x = 1"), check("other-test", 1, "assert x")],
        "two": [answer("sol2", "y = 1"), check("t2", 1, "assert y")],
    }
    make_course(root, two_books, "hw2")
    other = release(root, "two", "hw2")
    other.cells[0].source = "y = 2"
    files = {
        "2024000001_hw.ipynb": nbformat.writes(other).encode(),
        "2024000004_hw2.ipynb": data(root),
        "2024000005.ipynb": b'{"cells": [',
        "2024000006.ipynb": b"",
        "2024000007.pdf": b"%PDF-1.7",
        "2024000008.7z": b"7z\xbc\xaf",
        "2024000009.ipynb.txt": data(root),
        "2024000010.IPYNB": data(root),
        "2024000011.html": b"<!DOCTYPE html>",
    }
    for name, content in files.items():
        put(tmp_path / "in" / name, content)
    found = collect(root, ASSIGNMENT, [tmp_path / "in"])
    rows = by_name(found.rows)
    counting = ["2024000004_hw2.ipynb", "2024000009.ipynb.txt", "2024000010.IPYNB"]
    assert sorted(name for name, row in rows.items() if row.status == "counts") == counting
    said = {"2024000001": "다른 과제", "2024000005": "잘렸", "2024000006": "빈 파일", "2024000007": "PDF"}
    said |= {"2024000008": "압축", "2024000011": "웹 페이지"}
    assert found.nothing.keys() == said.keys() and all(text in found.nothing[student] for student, text in said.items())
    assert all(told(root, ASSIGNMENT, student)[1] == reason for student, reason in found.nothing.items())
    assert {path.name for path in (root / "submitted").iterdir()} == {name[:10] for name in files}
    assert {a.name: a.data for a in read_attempts(root, ASSIGNMENT)} == files
    assert by_name(collect(root, "hw2", [tmp_path / "in" / "2024000001_hw.ipynb"]).rows)["2024000001_hw.ipynb"].notebook == "two"


# Files beside a good notebook are kept and cost nothing.
def test_what_else_a_student_handed_in(root, tmp_path):
    put(tmp_path / "in" / STUDENT / "답.ipynb", data(root))
    put(tmp_path / "in" / STUDENT / "보고서.pdf", b"%PDF-1.7")
    found = collect(root, ASSIGNMENT, [tmp_path / "in"])
    assert {name: row.status for name, row in by_name(found.rows).items()} == {"답.ipynb": "counts", "보고서.pdf": "kept"} and not found.nothing


# nbgrader's own layout; without a name that says a time there is none.
def test_layout_of_nbgrader(root, tmp_path):
    put(tmp_path / "collected" / "alice" / ASSIGNMENT / "hw.ipynb", data(root))
    put(tmp_path / "collected" / "alice" / ASSIGNMENT / "timestamp.txt", b"2026-12-01 03:04:05 UTC")
    assert [row.student for row in collect(root, ASSIGNMENT, [tmp_path / "collected" / "alice" / ASSIGNMENT]).rows] == ["alice"]


# One student's archive is kept as it is and opened only for what is in it: no name within says whose it is.
@pytest.mark.parametrize("name", ["2024000001.zip", "2024000001.tar.gz"])
def test_archive_of_one_student(root, tmp_path, name):
    put(root / "roster.csv", "학번,이름\n2024000001,홍길동\n2024000002,김민수\n".encode())
    entries = {"2024000002/hw.ipynb": data(root), "../../up.ipynb": data(root, "밖"), "자료.csv": b"1"}
    raw = zipped(entries) if name.endswith("zip") else tarred(list(entries.items()))
    found = collect(root, ASSIGNMENT, [put(tmp_path / name, raw)])
    (row,) = found.rows
    assert (row.student, row.status) == ("2024000001", "counts") and row.attempt.data == raw
    assert "밖을 가리키는" in row.note and "자료.csv" in row.note and found.absent == ["2024000002"]
    assert not (root / "submitted" / "2024000002").exists()


# One level of nesting: an archive of the class holds archives of students; a damaged one costs only its student.
def test_archives_in_an_archive(root, tmp_path):
    inside = {
        "2024000001.zip": zipped({"hw.ipynb": data(root)}),
        "2024000002_제출.zip": locked(zipped({"hw.ipynb": data(root)})),
        "2024000003.zip": b"PK no zip",
        "2024000004.zip": zipped({"inner.zip": zipped({"hw.ipynb": data(root)})}),
        "누구.zip": zipped({"2024000005.ipynb": data(root)}),
        "2024000006.egg": b"EGGA",
        "2024000007/hw.ipynb": data(root),
    }
    found = collect(root, ASSIGNMENT, [put(tmp_path / "모두.zip", zipped(inside))])
    others = {"2024000001.zip": "counts", "2024000007/hw.ipynb": "counts", "누구.zip": "unmatched"}
    assert {row.file: row.status for row in found.rows} == dict.fromkeys(inside, "kept") | others
    said = {"2024000002": "암호", "2024000003": "깨져", "2024000004": "압축 파일", "2024000006": "압축 파일"}
    assert found.nothing.keys() == said.keys() and all(text in found.nothing[student] for student, text in said.items())
    assert {attempt.file: attempt.data for attempt in read_attempts(root, ASSIGNMENT)} == inside


# What must not be taken from an archive of the class is listed with its reason, and stays listed.
def test_refused_entries_stay_listed(root, tmp_path):
    entries = [("2024000001.ipynb", data(root)), ("../../2024000002.ipynb", b"{}"), (link("2024000003.ipynb"), b"x")]
    rows = collect(root, ASSIGNMENT, [put(tmp_path / "in" / "lms.zip", zipped(entries))]).rows
    assert {row.student: row.status for row in rows} == {"2024000001": "counts", "2024000002": "refused", "2024000003": "refused"}
    later = collect(root, ASSIGNMENT, [put(tmp_path / "2024000004.ipynb", data(root))])
    assert sorted(row.student for row in later.rows if row.status == "refused") == ["2024000002", "2024000003"]


# Who was found with the roster stays found without it; a course in which that went wrong is mended by the roster.
def test_again_without_the_roster_changes_nothing(root, tmp_path):
    files = {f"{name}_{n}_assignsubmission_file_/hw.ipynb": data(root, name) for n, name in enumerate(("홍길동", "김민수"), 1)}
    archive = put(tmp_path / "과제.zip", zipped(files))
    sheet = "식별자,성명,이메일 주소,최종 수정 (제출)\n참가자 1,홍길동,gd@y.ac.kr,-\n참가자 2,김민수,ms@y.ac.kr,-\n"
    sources = [archive, put(tmp_path / "표.csv", sheet.encode())]
    roster = put(tmp_path / "명단.csv", f"학번,이름\n{STUDENT},홍길동\n2024123457,김민수\n".encode())
    assert {row.status for row in collect(root, ASSIGNMENT, sources).rows} == {"unmatched"}
    assert {row.student for row in collect(root, ASSIGNMENT, sources, roster).rows} == {STUDENT, "2024123457"}
    before = {path: content for path, content in tree(root).items() if not path.endswith(".html")}
    for again in (sources, [archive], []):
        assert len(collect(root, ASSIGNMENT, again).rows) == 2
        assert {path: content for path, content in tree(root).items() if not path.endswith(".html")} == before

    own = next((root / "attempts" / STUDENT / ASSIGNMENT).iterdir())
    shutil.copytree(own, root / "attempts" / "gd@y.ac.kr" / ASSIGNMENT / own.name)
    for people in (roster, None):
        assert {row.student for row in collect(root, ASSIGNMENT, sources, people).rows} == {STUDENT, "2024123457"}
    assert not (root / "submitted" / "gd@y.ac.kr").exists()


def test_sources_and_assignment_must_exist(root, tmp_path):
    with pytest.raises(CourseError, match="없습니다"):
        collect(root, ASSIGNMENT, [tmp_path / "nothing"])
    with pytest.raises(CourseError, match="hw9"):
        collect(root, "hw9", [])
    with pytest.raises(CourseError, match="--roster"):
        collect(root, ASSIGNMENT, [put(tmp_path / "명단.csv", "학번,이름\n1,가\n".encode())])


SAID = {"z01_slip": "밖을", "z02_absolute": "밖을", "z03_symlink": "링크", "z04_bomb": "너무 커서", "z05_cp949": "과제_자료.txt"}
SAID |= {"z07_targz": "링크", "z10_notzip": "깨져", "z11_encrypted": "암호"}


@pytest.mark.skipif("ATTENTION_CASES" not in os.environ, reason="ATTENTION_CASES names the folder cases/hostile")
@pytest.mark.parametrize("listed", [True, False])
def test_hostile_archives(tmp_path, listed):
    """Each as the only archive of a course in which alice has handed in already: mallory gets what is good, she loses nothing."""
    cases = Path(os.environ["ATTENTION_CASES"])
    for case in sorted((cases / "archives").iterdir()):
        root = tmp_path / case.name / "course"
        shutil.copytree(cases / "course", root, copy_function=shutil.copyfile)
        for path in [root, *root.rglob("*/")]:
            path.chmod(0o755)
        if listed:
            put(root / "roster.csv", "학번,이름\nalice,앨리스\nmallory,맬러리\nzoe,조이\n".encode())
        before = {path: content for path, content in tree(root).items() if path.startswith("submitted")}
        found = collect(root, "ps1", [next(case.iterdir())])
        good = case.name in ("z00_ok", "z01_slip", "z02_absolute", "z04_bomb", "z05_cp949", "z07_targz")
        assert [row.student for row in found.rows if row.status == "counts"] == ["mallory"] * good, (case.name, found.rows)
        assert SAID.get(case.name, "") in " ".join(f"{row.file} {row.note}" for row in found.rows), case.name
        after = tree(root)
        assert {path: after[path] for path in before} == before
        assert {path.split("/")[1] for path in after if path.startswith("attempts")} <= {"mallory", "_unmatched"}
        assert all(path.startswith("course/") for path in tree(root.parent))
    assert not list(tmp_path.parent.glob("*SLIP*")) and not Path("/tmp/hostile-absolute").exists()
