"""Promises about collecting: raw bytes are kept, nothing is dropped, nothing is placed by guess, archives are safe."""
from __future__ import annotations

import json
import os
import shutil
import zipfile
from datetime import datetime, timezone
from pathlib import Path

import nbformat
import pytest

from autograder import CourseError
from autograder.intake import collect, student_of
from tests.grade.small_course import ASSIGNMENT, answer, check, filled, make_course, release, tree


@pytest.fixture
def root(tmp_path) -> Path:
    return make_course(tmp_path / "course")


def data(root: Path, essay: str = "답") -> bytes:
    return nbformat.writes(filled(root, essay=essay)).encode()


def put(path: Path, content: bytes, when: int = 1_780_000_000) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.utime(path, (when, when))
    return path


def reasons(received) -> dict[str, str]:
    return {Path(item.origin.rpartition("!")[2]).name: item.reason for item in received}


# Raw bytes lie unchanged under attempts/ with a note; the working copy has the release's name and a time of its own.
def test_file(root, tmp_path):
    raw = b"\xef\xbb\xbf" + data(root)
    before = datetime.now(timezone.utc).replace(microsecond=0)
    item = collect(root, ASSIGNMENT, [put(tmp_path / "in" / "hw_2024123456_홍길동의 사본.ipynb", raw)])[0]
    assert (item.student, item.notebook, item.reason, item.new) == ("2024123456", "hw", "", True)
    attempt = root / item.path
    assert attempt.read_bytes() == raw and attempt.name == "hw_2024123456_홍길동의 사본.ipynb"
    assert attempt.parent.parent == root / "attempts" / "2024123456" / ASSIGNMENT
    note = json.loads((attempt.parent / "attempt.json").read_text(encoding="utf-8"))
    assert note["sha256"] == item.sha256 and attempt.parent.name.endswith(item.sha256[:12]) and note["origin"] == item.origin
    assert before <= datetime.fromisoformat(note["time"]) <= datetime.now(timezone.utc)
    submitted = root / "submitted" / "2024123456" / ASSIGNMENT
    assert (submitted / "hw.ipynb").read_bytes() == raw
    assert (submitted / "timestamp.txt").read_text().strip() == f"{datetime.fromisoformat(note['time']):%Y-%m-%d %H:%M:%S} UTC"


# Collecting twice changes nothing; a lost working copy comes back with its old time.
def test_twice(root, tmp_path):
    put(tmp_path / "in" / "2024123456.ipynb", data(root))
    put(tmp_path / "in" / "2024123457.ipynb", data(root, "다른 답"))
    first = collect(root, ASSIGNMENT, [tmp_path / "in"])
    before = tree(root)
    again = collect(root, ASSIGNMENT, [tmp_path / "in"])
    assert tree(root) == before and [(i.path, i.new) for i in again] == [(i.path, False) for i in first]
    stamp = (root / "submitted" / "2024123456" / ASSIGNMENT / "timestamp.txt").read_text()
    shutil.rmtree(root / "submitted")
    collect(root, ASSIGNMENT, [tmp_path / "in"])
    assert (root / "submitted" / "2024123456" / ASSIGNMENT / "timestamp.txt").read_text() == stamp


# Of two notebooks of one student the one that was changed last is submitted, whatever the order of names.
def test_last_one_counts(root, tmp_path):
    put(tmp_path / "in" / "2024123456_a.ipynb", data(root, "나중"), 1_780_000_900)
    put(tmp_path / "in" / "2024123456_b.ipynb", data(root, "먼저"), 1_780_000_100)
    received = collect(root, ASSIGNMENT, [tmp_path / "in"])
    assert [item.origin[-7:] for item in received] == ["a.ipynb", "b.ipynb"]
    assert "나중" in (root / "submitted" / "2024123456" / ASSIGNMENT / "hw.ipynb").read_text(encoding="utf-8")
    assert len(list((root / "attempts" / "2024123456" / ASSIGNMENT).iterdir())) == 2


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("2024123456/hw/x.ipynb", "2024123456"),
        ("alice/hw/x.ipynb", "alice"),
        ("2024123456_홍길동/hw/x.ipynb", "2024123456"),
        ("홍길동_2024123456_assignsubmission_file_/hw.ipynb", "2024123456"),
        ("2024123456/2024999999.ipynb", "2024999999"),
        ("2024123456_홍길동/lab_20261129.ipynb", "2024123456"),
        ("20201105.ipynb", "20201105"),
        ("hw_20201234_20261129.ipynb", "20201234"),
        ("2024123456_2024123456.ipynb", "2024123456"),
    ],
)
def test_whose_it_is(name, student):
    assert student_of(Path(name).parts, "hw") == (student, "")


@pytest.mark.parametrize("name", ["홍길동.ipynb", "1234567.ipynb", "12345678901.ipynb", "../hw/x.ipynb", "2024123456 2024123457.ipynb"])
def test_nobody_is_guessed(name):
    student, reason = student_of(Path(name).parts, "hw")
    assert student == "" and "학번" in reason


# The number of a class, in the name of what holds all hand-ins, is nobody's.
def test_number_of_the_class(root, tmp_path):
    folder = tmp_path / "강좌_9912345678"
    put(folder / "2024123456.ipynb", data(root))
    put(folder / "이름없음.ipynb", data(root, "누구"))
    assert [item.student for item in collect(root, ASSIGNMENT, [folder])] == ["2024123456", ""]
    own = tmp_path / "2024123459"
    put(own / "hw.ipynb", data(root))
    assert collect(root, ASSIGNMENT, [own])[0].student == "2024123459"


# What a file is, its content says: the assignment by its metadata or grade ids, never by its name.
def test_what_it_is(root, tmp_path):
    two_books = {
        "one": [answer("other", "x = 1"), check("other-test", 1, "assert x")],
        "two": [answer("sol2", "y = 1"), check("t2", 1, "assert y")],
    }
    make_course(root, two_books, "hw2")
    other = nbformat.writes(release(root, "two", "hw2")).encode()
    copied = filled(root)
    for cell in copied.cells:
        cell.metadata.pop("nbgrader", None)
    said = nbformat.from_dict(copied)
    said.metadata["course"] = {"assignment": ASSIGNMENT}
    files = {
        "2024000001_hw.ipynb": other,
        "2024000002.ipynb": nbformat.writes(copied).encode(),
        "2024000003.ipynb": nbformat.writes(said).encode(),
        "2024000004_hw2.ipynb": data(root),
        "2024000005.ipynb": b'{"cells": [',
        "2024000006.ipynb": b'{"cells": [], "metadata": []}',
        "2024000007.pdf": b"%PDF",
        "2024000008.7z": b"7z",
        "2024000009.ipynb.txt": data(root),
    }
    for name, content in files.items():
        put(tmp_path / "in" / name, content)
    found = reasons(collect(root, ASSIGNMENT, [tmp_path / "in"]))
    taken = sorted(name for name, reason in found.items() if not reason)
    assert taken == ["2024000003.ipynb", "2024000004_hw2.ipynb", "2024000009.ipynb.txt"]
    assert "다른 과제(hw2)" in found["2024000001_hw.ipynb"] and "셀이 없는" in found["2024000002.ipynb"]
    assert "읽을 수 없습니다" in found["2024000005.ipynb"] and "읽을 수 없습니다" in found["2024000006.ipynb"]
    assert "노트북(.ipynb)이 아닙니다" in found["2024000007.pdf"] and "압축" in found["2024000008.7z"]
    assert sorted(path.name for path in (root / "submitted").iterdir()) == ["2024000003", "2024000004", "2024000005", "2024000006", "2024000009"]
    assert collect(root, "hw2", [tmp_path / "in" / "2024000001_hw.ipynb"])[0].notebook == "two"


# nbgrader's own layout, with the time the exchange wrote beside it.
def test_exchange_layout(root, tmp_path):
    put(tmp_path / "collected" / "alice" / ASSIGNMENT / "hw.ipynb", data(root))
    put(tmp_path / "collected" / "alice" / ASSIGNMENT / "timestamp.txt", b"2026-12-01 03:04:05.678901 UTC")
    assert [item.student for item in collect(root, ASSIGNMENT, [tmp_path / "collected" / "alice" / ASSIGNMENT])] == ["alice"]
    assert (root / "submitted" / "alice" / ASSIGNMENT / "timestamp.txt").read_text().strip() == "2026-12-01 03:04:05 UTC"


def archive(path: Path, entries: list[tuple[str | zipfile.ZipInfo, bytes]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries:
            file.writestr(name, content)
    return path


def link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, 0o120777 << 16
    return info


# An archive is opened one entry at a time: each bad entry has its reason, the good ones are taken, nothing is written
# outside attempts/ and submitted/.
def test_zip(root, tmp_path):
    big = bytearray(data(root, "0" * 3_000_000))
    path = archive(
        tmp_path / "in" / "lms.zip",
        [
            ("홍길동_2024000001/hw.ipynb", data(root)),
            ("../../2024000002.ipynb", data(root)),
            ("/tmp/2024000003.ipynb", data(root)),
            ("C:\\2024000004.ipynb", data(root)),
            (link("2024000005.ipynb"), b"/etc/passwd"),
            ("2024000006.ipynb", bytes(big)),
            ("__MACOSX/._2024000001.ipynb", b"x"),
            (".DS_Store", b"x"),
            ("inner.zip", b"PK"),
        ],
    )
    before = set(tree(tmp_path))
    found = reasons(collect(root, ASSIGNMENT, [path]))
    assert found.pop("hw.ipynb") == ""
    assert "밖을 가리키는" in found["2024000002.ipynb"] and "밖을 가리키는" in found["2024000003.ipynb"]
    assert "링크" in found["2024000005.ipynb"] and "너무 커서" in found["2024000006.ipynb"] and "압축" in found["inner.zip"]
    assert len(found) == 6 and all(found.values())
    assert {p.split("/")[1] for p in set(tree(tmp_path)) - before} == {"attempts", "submitted"}


# Names from Windows (cp949), from tools that forget the UTF-8 flag, and from macOS (decomposed) come out readable.
@pytest.mark.parametrize("encoding", ["cp949", "utf-8", "nfd"])
def test_zip_names(root, tmp_path, encoding):
    import unicodedata

    name = "김민수_2024000001/과제.ipynb"
    raw = unicodedata.normalize("NFD", name).encode() if encoding == "nfd" else name.encode(encoding)
    content = archive(tmp_path / "x.zip", [("N" * len(raw), data(root))]).read_bytes().replace(b"N" * len(raw), raw)
    item = collect(root, ASSIGNMENT, [put(tmp_path / "lms.zip", content)])[0]
    assert (item.student, item.reason) == ("2024000001", "") and item.origin.endswith(f"!{name}")
    assert Path(item.path).name == "과제.ipynb"


# An entry that lies about its size, a locked archive, a damaged one, no archive at all: a reason each, no exception.
def test_bad_archives(root, tmp_path):
    good = archive(tmp_path / "good.zip", [("2024000001.ipynb", data(root))]).read_bytes()
    central = good.rindex(b"PK\x01\x02")
    locked = bytearray(good)
    locked[central + 8] |= 1
    damaged = bytearray(good)
    damaged[60:90] = bytes(30)
    files = {"locked.zip": bytes(locked), "damaged.zip": bytes(damaged), "picture.zip": b"\x89PNG", "cut.zip": good[:-40]}
    received = [collect(root, ASSIGNMENT, [put(tmp_path / "in" / name, content)])[0] for name, content in files.items()]
    assert all(item.reason for item in received) and "암호" in received[0].reason
    assert not (root / "submitted").exists()


def test_zip_of_one_student(root, tmp_path):
    assert collect(root, ASSIGNMENT, [archive(tmp_path / "2024000001.zip", [("hw.ipynb", data(root))])])[0].student == "2024000001"


def test_sources_and_assignment_must_exist(root, tmp_path):
    with pytest.raises(CourseError, match="없습니다"):
        collect(root, ASSIGNMENT, [tmp_path / "nothing"])
    with pytest.raises(CourseError, match="hw9"):
        collect(root, "hw9", [])


@pytest.mark.skipif("ATTENTION_CASES" not in os.environ, reason="ATTENTION_CASES names the folder cases/hostile")
def test_hostile_archives(tmp_path):
    cases = Path(os.environ["ATTENTION_CASES"])
    root = tmp_path / "course"
    shutil.copytree(cases / "course", root, copy_function=shutil.copyfile)
    for path in [root, *root.rglob("*/")]:
        path.chmod(0o755)
    for case in sorted((cases / "archives").iterdir()):
        source = next(case.iterdir())
        renamed = put(tmp_path / case.name / f"2024000001{''.join(source.suffixes)}", source.read_bytes())
        received = collect(root, "ps1", [renamed])
        taken = [item for item in received if not item.reason]
        ok = case.name in ("z00_ok", "z01_slip", "z02_absolute", "z04_bomb", "z05_cp949")
        assert len(taken) == ok, (case.name, received)
        assert len(received) - len(taken) == {"z00_ok": 0, "z01_slip": 2}.get(case.name, 1), case.name
    assert not (tmp_path.parent / "SLIPPED.txt").exists()
    assert [p.name for p in (root / "attempts").iterdir()] == ["2024000001"]
