"""Promises about taking a hand-in in: by content where its name is odd, one bad notebook does not cost the others."""
from __future__ import annotations

import nbformat
import pytest
from nbformat.v4 import new_notebook

from autograder.grade.blueprint import Blueprint
from autograder.grade.handin import Refused, take_in
from tests.grade.small_course import answer, cell, find

STUB = "def {0}(x):\n    raise NotImplementedError()"


def release(name: str):
    return new_notebook(cells=[cell("markdown", f"{name}-task", f"# 과제 {name}"), answer(name, STUB.format(name))])


def solved(name: str) -> bytes:
    nb = release(name)
    find(nb, name).source = f"def {name}(x):\n    return x"
    return nbformat.writes(nb).encode()


@pytest.fixture
def take(tmp_path):
    """Hand in files; (notebooks that are graded, notes)."""
    (tmp_path / "plan" / "release").mkdir(parents=True)
    for name in ("one", "two"):
        nbformat.write(release(name), tmp_path / "plan" / "release" / f"{name}.ipynb")
    plan = Blueprint("", "hw", str(tmp_path / "plan"), {"one": {}, "two": {}})

    def hand_in(files: dict[str, bytes]):
        (tmp_path / "in").mkdir()
        for name, content in files.items():
            (tmp_path / "in" / name).write_bytes(content)
        notebooks, notes = take_in(tmp_path / "in", tmp_path / "out", plan)
        copied = [path.name for path in (tmp_path / "out").iterdir()]
        return sorted([*copied, *(f"{name}.ipynb" for name in notebooks)]), notes

    return hand_in


def test_names(take):
    found, notes = take({"과제 1.ipynb": solved("one"), "two.ipynb": solved("two"), "메모.ipynb": solved("x"), "data.csv": b"1"})
    assert found == ["data.csv", "one.ipynb", "two.ipynb"]
    assert notes == ["과제 1.ipynb: one.ipynb로 보고 채점합니다.", "메모.ipynb: 과제에 없는 노트북이라 채점하지 않았습니다."]


def test_one_of_two_is_broken(take):
    found, notes = take({"one.ipynb": solved("one"), "two.ipynb": b"<html>"})
    assert found == ["one.ipynb"] and "two.ipynb: 노트북이 아니라 웹 페이지" in notes[0] and "내지 않은" in notes[1]


def test_untouched_is_filed_and_said_to_be(take):
    found, notes = take({"one.ipynb": nbformat.writes(release("one")).encode(), "two.ipynb": solved("two")})
    assert found == ["one.ipynb", "two.ipynb"] and "one.ipynb: 답을 쓴 셀이 하나도 없습니다" in notes[0]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({}, "낸 노트북: 없음"),
        ({"과제.ipynb": b"%PDF"}, "과제.ipynb: 노트북이 아니라 PDF"),
        ({"one.ipynb": b"{", "two.ipynb": b""}, "one.ipynb: 파일이 중간에 잘렸습니다"),
        ({"one.ipynb": solved("x")}, "셀이 하나도 없는"),
    ],
)
def test_refused(take, files, says):
    with pytest.raises(Refused, match=says):
        take(files)
