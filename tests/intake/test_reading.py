"""Promises about bytes: what can be read is read, of what cannot it is said what it is and what to do."""
from __future__ import annotations

import json

import nbformat
import pytest

from autograder.intake import reading
from autograder.intake.reading import AGAIN, Unreadable, read
from tests.intake.damage import colab_drive, colab_github, cp949, escaped, old_format, own_cell, utf16, with_mark

TEXT = "print('한글 ∑')\n# 끝"


def notebook(**cell) -> dict:
    cells = [own_cell("code", TEXT, 1) | cell]
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"course": {"assignment": "lab11"}}, "cells": cells}


def source(raw: bytes) -> str:
    made = read(raw)
    nbformat.validate(made)
    return made.cells[0].source


@pytest.mark.parametrize(
    ("raw", "note"),
    [
        (with_mark(notebook()), ""),
        (escaped(notebook()), ""),
        (cp949(notebook()), "cp949"),
        (utf16(notebook()), "UTF-16"),
        (json.dumps(notebook(), ensure_ascii=False).encode("utf-16-le"), "UTF-16"),
        (json.dumps(notebook(), ensure_ascii=False).encode("utf-16-be"), "UTF-16"),
        (json.dumps(notebook(source=TEXT.replace("\n", "\r\n"))).encode(), ""),
        (json.dumps(notebook(source=TEXT.splitlines(keepends=True))).encode(), ""),
        (json.dumps(notebook()).replace("\\n", "\n").encode(), ""),  # a line end as it is inside a string
        (json.dumps(notebook()).encode() + b"\n\0\0\0", ""),
        (json.dumps(old_format(notebook())).encode(), "옛 노트북 형식"),
        (json.dumps(colab_drive(notebook())).encode(), ""),
    ],
)
def test_encodings_and_formats(raw, note):
    assert source(raw) == TEXT
    assert [note in text for text in read(raw).metadata.reading] == [True] * bool(note)


# A comment with the bytes of another encoding in a file that is UTF-8 otherwise: only that comment suffers.
def test_mixed_encodings():
    raw = json.dumps(notebook(), ensure_ascii=False).encode().replace("끝".encode(), "끝".encode("cp949"))
    made = read(raw)
    assert made.cells[0].source.startswith("print('한글 ∑')") and "\ufffd" in made.metadata.reading[0]


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"", "빈 파일"),
        (b"\xef\xbb\xbf \n\0\0", "빈 파일"),
        (b"<!DOCTYPE html><html>", "웹 페이지"),
        ("\ufeff\n<html>".encode(), "웹 페이지"),
        (b"%PDF-1.7", "PDF"),
        (b"\x89PNG\r\n\x1a\n", "그림"),
        (b"\xff\xd8\xff\xe0", "그림"),
        (b"\0\0\0\x18ftypheic", "그림"),
        (b"PK\x03\x04", "압축"),
        (b"\xd0\xcf\x11\xe0", "문서"),
        (b"https://colab.research.google.com/drive/1a", "링크"),
        (b"# -*- coding: utf-8 -*-\nimport torch", "파이썬 파일"),
        ("안녕하세요".encode(), "노트북이 아닌"),
        (json.dumps(notebook()).encode()[:-20], "잘렸습니다"),
        (json.dumps(notebook()).encode()[:90], "잘렸습니다"),
        (json.dumps(notebook(), indent=1).replace('"cells"', '<<<<<<< HEAD\n"cells"').encode(), "깨져서"),
        (b"[1, 2]", "셀이 없습니다"),
        (b'{"a": 1}', "셀이 없습니다"),
        (b'{"worksheets": 3}', "오래되었거나"),
        (b"[" * 100_000, "깊게"),
        (b'{"cells": [' + b"{}," * 2_100_000 + b"{}]}", "너무 많습니다"),
    ],
)
def test_what_is_no_notebook(raw, says):
    with pytest.raises(Unreadable) as error:
        read(raw)
    assert says in str(error.value) and str(error.value).endswith(AGAIN)


def test_too_large(monkeypatch):
    monkeypatch.setattr(reading, "MAX_BYTES", 1000)
    with pytest.raises(Unreadable, match="너무 큽니다"):
        read(json.dumps(notebook(source="x" * 1000)).encode())


# Of the file only what grading needs is taken: no account, no widget state, no script, no broken field.
def test_what_is_left_behind():
    cell = {
        "cell_type": "code",
        "id": "a b",
        "source": "x\ud800\0y",
        "execution_count": "seven",
        "metadata": {"tags": ["skip-execution"], "nbgrader": {"grade_id": "q1", "points": float("nan")}, "id": 7},
        "outputs": [
            {"output_type": "display_data", "data": {"application/javascript": "alert(1)"}},
            {"output_type": "execute_result", "data": {"text/plain": ["4", "2"], "image/png": "AAAA", "application/x": {}}},
            {"output_type": "stream", "text": ["a", 1, "b"]},
            {"output_type": "error"},
            "junk",
            {},
        ],
    }
    nb = colab_drive(notebook())
    nb["metadata"] = {"reading": ["학생이 쓴 글"], "widgets": {"a": {}}, "course": {"version": 2, "deep": {"a": 1}}}
    nb["cells"] += [cell, "junk", {"cell_type": "코드"}, {"cell_type": "raw", "source": {"a": 1}}, own_cell("code", " \n", 9)]
    made = read(json.dumps(nb).encode())
    nbformat.validate(made)
    assert "홍길동" not in nbformat.writes(made) and made.metadata == {"reading": [], "course": {"version": "2"}}
    assert [c.source for c in made.cells] == [TEXT, "x\ufffdy"]
    assert made.cells[1].metadata == {"nbgrader": {"grade_id": "q1"}} and made.cells[1].id == "own-1"
    assert [o.output_type for o in made.cells[1].outputs] == ["execute_result", "stream", "error"]
    assert made.cells[1].outputs[0].data == {"text/plain": "42", "image/png": "AAAA"} and made.cells[1].outputs[1].text == "ab"


# A badge cell without an id, two cells with one id: every cell has its own, the first holder keeps it.
def test_ids_are_unique():
    nb = colab_github(notebook())
    nb["cells"] += [own_cell("markdown", "둘째", 1), own_cell("markdown", "셋째", 2)]
    assert [cell.id for cell in read(json.dumps(nb).encode()).cells][1:] == ["mine-1", "own-2", "mine-2"]


def test_pasted_pictures_stay():
    pasted = {"그림.png": {"image/png": "AAAA"}}
    cells = [own_cell("markdown", "![](attachment:그림.png)", 1) | {"attachments": value} for value in (pasted, {"a": 3}, [])]
    made = read(json.dumps(notebook() | {"cells": cells}).encode())
    assert [cell.get("attachments") for cell in made.cells] == [pasted, None, None]


# So many cells that reading takes long are no reason to lose what the course has marked.
def test_flood_of_cells():
    marked = own_cell("code", "def f(): pass", 0) | {"metadata": {"nbgrader": {"grade_id": "f"}}}
    cells = [own_cell("markdown", "글", n) for n in range(100_000)] + [marked]
    made = read(json.dumps(notebook() | {"cells": cells}).encode())
    assert len(made.cells) == reading.MAX_CELLS + 1 and made.cells[-1].source == marked["source"]
    assert "너무 많습니다" in made.metadata.reading[0]
