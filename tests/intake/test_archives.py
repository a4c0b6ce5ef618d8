"""Opening archives: each entry is checked by itself, the good ones are taken, nothing is written anywhere."""
import gzip
import random
import unicodedata

import pytest

from autograder import CourseError
from autograder.intake import archives
from autograder.intake.archives import Found, entries, find
from tests.intake.archives import link, locked, put, tarred, zipped, zipped_as


def opened(data: bytes, name: str = "x.zip", **limits) -> dict[str, str]:
    """Name -> reason, "" for what was taken."""
    return {found.file: found.reason for found in entries(Found((name,), data), **limits)}


def test_each_bad_entry_has_its_reason_and_the_others_are_taken():
    found = opened(
        zipped(
            [
                ("홍길동/lab11.ipynb", b"{}"),
                ("../../up.ipynb", b"{}"),
                ("..\\..\\up2.ipynb", b"{}"),
                ("/tmp/absolute.ipynb", b"{}"),
                ("C:\\drive.ipynb", b"{}"),
                (link("link.ipynb"), b"/etc/passwd"),
                ("bomb.bin", bytes(3_000_000)),
                ("__MACOSX/._lab11.ipynb", b"x"),
                ("a/.ipynb_checkpoints/lab11-checkpoint.ipynb", b"x"),
                (".DS_Store", b"x"),
                ("inner.zip", b"PK"),
            ]
        )
    )
    assert [name for name, reason in found.items() if not reason] == ["홍길동/lab11.ipynb", "inner.zip"]
    said = dict.fromkeys(("up.ipynb", "up2.ipynb", "absolute.ipynb", "drive.ipynb"), "밖을 가리키는")
    said |= {"link.ipynb": "링크", "bomb.bin": "너무 커서"}
    refused = {name.rpartition("/")[2]: reason for name, reason in found.items() if reason}
    assert refused.keys() == said.keys() and all(text in refused[name] for name, text in said.items())


@pytest.mark.parametrize(("encoding", "form"), [("cp949", "NFC"), ("utf-8", "NFC"), ("utf-8", "NFD")])
def test_names_without_the_utf8_flag(encoding, form):
    data = zipped_as(unicodedata.normalize(form, "김민수_2024000001/과제 ①.ipynb"), b"{}", encoding)
    assert opened(data) == {unicodedata.normalize("NFC", "김민수_2024000001/과제 ①.ipynb"): ""}


def test_names_with_the_flag_are_composed():
    assert opened(zipped({unicodedata.normalize("NFD", "홍길동.ipynb"): b"{}"})) == {"홍길동.ipynb": ""}


@pytest.mark.parametrize("damage", ["locked", "data", "cut", "png", "empty", "lies"])
def test_a_damaged_archive_costs_only_itself(damage):
    good = zipped({"lab11.ipynb": random.Random(0).randbytes(1000), "b.ipynb": b"[]" * 500})
    data = {
        "locked": locked(good),
        "data": good[:100] + bytes(9) + good[109:],
        "cut": good[:-40],
        "png": b"\x89PNG\r\n",
        "empty": b"",
        "lies": good.replace((1000).to_bytes(4, "little"), (10).to_bytes(4, "little")),
    }[damage]
    found = opened(data)
    assert found and any(found.values())
    if damage == "locked":
        assert "암호" in found["lab11.ipynb"] and found["b.ipynb"] == ""
    if damage == "data":
        assert found["b.ipynb"] == ""


@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz", "w"])
def test_tar(mode):
    names = [("a/lab11.ipynb", b"{}"), ("link", None), ("link/x.ipynb", b"{}"), ("../../up.ipynb", b"{}"), ("/abs.ipynb", b"{}")]
    data = tarred(names, mode)
    found = opened(data, "x.tar.gz")
    assert {name for name, reason in found.items() if not reason} == {"a/lab11.ipynb", "link/x.ipynb"}
    assert sum("밖을 가리키는" in reason for reason in found.values()) == 2 and "링크" in found["link"]


def test_tar_names_in_cp949():
    assert opened(tarred([("홍길동.ipynb", b"{}")], encoding="cp949"), "x.tgz") == {"홍길동.ipynb": ""}


def test_tar_that_is_cut_or_a_bomb(monkeypatch):
    data = tarred([("a.ipynb", b"{}" * 5000), ("b.ipynb", b"[]" * 5000)], "w")
    assert any("깨져" in reason for reason in opened(data[:9000], "x.tar").values())
    monkeypatch.setattr(archives, "MAX_TOTAL", 4 << 20)
    assert opened(gzip.compress(bytes(2 << 20)), "x.tar.gz") == {"x.tar.gz": archives.TOO_BIG}


def test_limits(monkeypatch):
    data = zipped({f"{n}.ipynb": bytes(range(100)) for n in range(9)})
    assert [reason for reason in opened(data, left=450).values() if not reason] == [""] * 4
    monkeypatch.setattr(archives, "MAX_ENTRIES", 5)
    found = opened(data)
    assert len(found) == 6 and "나누어" in found["…"]


def test_files_of_a_folder(tmp_path):
    put(tmp_path / "in" / "홍길동" / "lab11.ipynb", b"{}")
    put(tmp_path / "in" / "a.zip", zipped({"x": b""}))
    put(tmp_path / "in" / "__MACOSX" / "._a", b"x")
    (tmp_path / "in" / "link.ipynb").symlink_to("/etc/passwd")
    (tmp_path / "in" / "홍길동" / "around").symlink_to(tmp_path)
    found = list(find(tmp_path / "in", "lab11"))
    assert {one.file: one.reason[:2] for one in found} == {"a.zip": "", "link.ipynb": "링크", "홍길동/around": "링크", "홍길동/lab11.ipynb": ""}
    assert [one.parts[0] for one in found] == ["in"] * 4 and [one.is_archive for one in found] == [True, False, False, False]
    assert next(find(tmp_path / "in" / "a.zip", "lab11")).parts == ("a.zip",)
    with pytest.raises(CourseError, match="없습니다"):
        list(find(tmp_path / "nothing", "lab11"))
