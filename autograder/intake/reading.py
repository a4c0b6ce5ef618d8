"""Bytes to notebook: whatever editors, browsers and Colab make of an .ipynb, read for the little that grading needs.

Of a cell its type, text, ids, grade id, attachments and outputs are taken; of the notebook what the course wrote into
its metadata. Everything else is left behind: widget state and broken metadata harm nobody, and Colab's record of whose
account ran a cell goes no further than the raw file.
"""
from __future__ import annotations

import json
import re

import nbformat
from nbformat import NotebookNode

from autograder import CourseError

AGAIN = "Colab에서 [파일 > 다운로드 > .ipynb 다운로드]로 다시 받아 제출하세요."
MAX_BYTES, MAX_VALUES, MAX_CELLS = 100 << 20, 4_000_000, 3000

# What else is handed in for a notebook, by its first bytes.
KINDS = (
    (rb"%PDF", "노트북이 아니라 PDF 파일입니다."),
    (rb"\x89PNG|\xff\xd8\xff|GIF8|BM|II\*\0|MM\0\*|RIFF....WEBP|....ftyp", "노트북이 아니라 그림이나 동영상 파일입니다."),
    (rb"PK\x03\x04|PK\x05\x06|\x1f\x8b|7z\xbc\xaf|Rar!|EGGA|ALZ\x01|BZh|\xfd7zXZ", "노트북이 아니라 압축 파일이거나 문서 파일입니다."),
    (rb"\xd0\xcf\x11\xe0", "노트북이 아니라 문서 파일(한글, 워드 등)입니다."),
)
PYTHON_FILE = re.compile(r"(#|\"\"\"|'''|import |from \w|def |class |@|%|!)")
SURROGATE = re.compile("[\ud800-\udfff]")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"', flags=re.S)


class Unreadable(CourseError):
    """There is no notebook in these bytes. The text is Korean, for the student as much as for the instructor."""


def read(raw: bytes) -> NotebookNode:
    """The notebook in some bytes, as nbformat 4.5; `metadata.reading` lists in Korean what had to be mended on the way.

    Takes UTF-8 with or without a byte order mark, UTF-16, cp949, text with some bytes of another encoding, nbformat 2 to
    4. It never sees a file name. Raises Unreadable.
    """
    if not raw.strip(b" \t\r\n\0\xef\xbb\xbf"):
        raise Unreadable(f"빈 파일입니다. 저장이나 업로드가 끝나기 전에 낸 파일일 수 있습니다. {AGAIN}")
    if len(raw) > MAX_BYTES:
        raise Unreadable(f"파일이 너무 큽니다({MAX_BYTES >> 20} MB 넘음). [수정 > 모든 출력 지우기] 뒤에 저장해서 다시 제출하세요.")
    for start, what in KINDS:
        if re.match(start, raw, flags=re.S):
            raise Unreadable(f"{what} {AGAIN}")
    text, notes = _decode(raw)
    content = _parse(text.lstrip())
    if not isinstance(content.get("cells"), list):
        content = _upgrade(content)
        notes.append("옛 노트북 형식을 지금의 형식(nbformat 4.5)으로 바꾸었습니다.")
    cells = [made for cell in content["cells"] if isinstance(cell, dict) and _says_something(made := _cell(cell))]
    if len(cells) > MAX_CELLS:
        cells = [cell for n, cell in enumerate(cells) if n < MAX_CELLS or "nbgrader" in cell["metadata"]][: 2 * MAX_CELLS]
        notes.append(f"셀이 너무 많습니다. 과제의 표시가 없는 셀은 앞의 {MAX_CELLS}개 안에 있는 것만 읽습니다.")
    metadata = {"reading": notes} | _named(content, "course")
    return nbformat.from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": _with_ids(cells)})


def _decode(raw: bytes) -> tuple[str, list[str]]:
    """Text, and what was odd about its encoding."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in raw[:4]:
        encoding = "utf-16" if raw[:1] > b"\xf0" else "utf-16-be" if raw[:1] == b"\0" else "utf-16-le"
        return raw.decode(encoding, "replace"), ["UTF-16으로 저장된 파일을 읽었습니다."]
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        return raw.decode("utf-8"), []
    except UnicodeDecodeError:
        text, korean = raw.decode("utf-8", "replace"), raw.decode("cp949", "replace")
    if korean.count("\ufffd") < text.count("\ufffd"):
        return korean, ["cp949(완성형)로 저장된 파일을 읽었습니다."]
    return text, ["읽을 수 없는 글자를 \ufffd로 바꾸었습니다. 글로 쓴 답이 상했으면 UTF-8로 저장해 다시 제출하세요."]


def _parse(text: str) -> dict:
    if text.startswith("<"):
        raise Unreadable(f"노트북이 아니라 웹 페이지(HTML)입니다. 노트북을 연 화면을 저장하면 이렇게 됩니다. {AGAIN}")
    if text.startswith(("http://", "https://")):
        raise Unreadable(f"노트북이 아니라 링크만 든 파일입니다. {AGAIN}")
    if _values(text) > MAX_VALUES and _values(STRING.sub("", text)) > MAX_VALUES:  # they would fill the memory
        raise Unreadable(f"노트북에 든 값이 너무 많습니다. [수정 > 모든 출력 지우기] 뒤에 저장하고, {AGAIN}")
    try:
        content, _ = json.JSONDecoder(strict=False).raw_decode(text)
    except RecursionError as error:
        raise Unreadable(f"노트북에 든 값이 너무 깊게 겹쳐 있어 읽을 수 없습니다. {AGAIN}") from error
    except ValueError as error:
        raise Unreadable(f"{_what_is_wrong(text, error)} {AGAIN}") from error
    if not isinstance(content, dict) or not {"cells", "worksheets"} & content.keys():
        raise Unreadable(f"노트북이 아닙니다. 셀이 없습니다. {AGAIN}")
    return content


def _values(text: str) -> int:
    return text.count("{") + text.count("[") + text.count(",")


def _what_is_wrong(text: str, error: ValueError) -> str:
    if not text.startswith(("{", "[")):
        return "노트북이 아니라 파이썬 파일(.py)입니다." if PYTHON_FILE.match(text) else "노트북이 아닌 파일입니다."
    at = getattr(error, "pos", 0)
    if not text[at:].strip(" \t\r\n\0\ufffd") or "Unterminated string" in str(error):
        return "파일이 중간에 잘렸습니다. 저장이나 업로드가 끝나기 전에 낸 파일일 수 있습니다."
    return f"파일이 깨져서 읽을 수 없습니다({text.count(chr(10), 0, at) + 1}째 줄). 편집기로 고친 파일일 수 있습니다."


def _upgrade(content: dict) -> dict:
    """nbformat 2 and 3, by nbformat's own rules."""
    try:
        upgraded = nbformat.reads(json.dumps({"nbformat": 3, "nbformat_minor": 0, "metadata": {}} | content), as_version=4)
    except Exception as error:  # nbformat raises many kinds
        raise Unreadable(f"노트북의 형식이 너무 오래되었거나 깨져서 읽을 수 없습니다. {AGAIN}") from error
    for cell in upgraded.cells:
        cell.pop("id", None)  # made up by nbformat, others each time
    return upgraded


def _named(owner: dict, name: str) -> dict:
    """{name: {...}} with the plain values of a dictionary in somebody's metadata, {} when there is none."""
    metadata = owner.get("metadata")
    found = metadata.get(name) if isinstance(metadata, dict) else None
    if not isinstance(found, dict):
        return {}
    plain = {key: value for key, value in found.items() if isinstance(value, (str, int, float))}
    return {name: {key: SURROGATE.sub("\ufffd", str(value)) for key, value in plain.items()}}


def _cell(cell: dict) -> dict:
    kind = cell.get("cell_type") if cell.get("cell_type") in ("code", "markdown") else "raw"
    mark = _named(cell, "nbgrader").get("nbgrader", {})
    metadata = {"nbgrader": {"grade_id": mark["grade_id"]}} if "grade_id" in mark else {}
    if isinstance(cell.get("metadata"), dict) and isinstance(cell["metadata"].get("id"), str):
        metadata["id"] = SURROGATE.sub("\ufffd", cell["metadata"]["id"])
    made = {"cell_type": kind, "id": cell.get("id"), "metadata": metadata, "source": _text(cell.get("source"))}
    if kind == "code":
        outputs = cell.get("outputs") if isinstance(cell.get("outputs"), list) else []
        return made | {"execution_count": None, "outputs": [kept for output in outputs if (kept := _output(output))]}
    return made | ({"attachments": cell["attachments"]} if _are_attachments(cell.get("attachments")) else {})


def _says_something(cell: dict) -> bool:
    """An empty cell is nobody's answer; one that the course marked shows where the student left a blank."""
    return bool(cell["source"].strip() or "nbgrader" in cell["metadata"] or cell.get("attachments"))


def _text(value) -> str:
    """A multi-line string of nbformat, with plain line ends and nothing that could not be written again."""
    lines = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    text = "".join(line for line in lines if isinstance(line, str))
    return SURROGATE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", ""))


def _output(output) -> dict | None:
    """An output as nbformat wants it, or None when it is none. Of data only text and pictures: no script, no widget."""
    if not isinstance(output, dict):
        return None
    kind, data = output.get("output_type"), output.get("data")
    if kind == "stream":
        name = "stderr" if output.get("name") == "stderr" else "stdout"
        return {"output_type": kind, "name": name, "text": _text(output.get("text"))}
    if kind == "error":
        lines = output.get("traceback") if isinstance(output.get("traceback"), list) else []
        told = {"ename": _text(output.get("ename")), "evalue": _text(output.get("evalue"))}
        return {"output_type": kind, "traceback": [_text(line) for line in lines]} | told
    if kind in ("display_data", "execute_result") and isinstance(data, dict):
        kinds = [mime for mime in data if mime.startswith(("text/", "image/")) and "javascript" not in mime]
        shown = {mime: _text(data[mime]) for mime in kinds}
        count = {"execution_count": None} if kind == "execute_result" else {}
        return {"output_type": kind, "data": shown, "metadata": {}} | count if shown else None
    return None


def _are_attachments(value) -> bool:
    """Pictures pasted into text: name -> kind -> base64."""
    return isinstance(value, dict) and all(
        isinstance(bundle, dict) and all(isinstance(data, str) for data in bundle.values()) for bundle in value.values()
    )


def _with_ids(cells: list[dict]) -> list[dict]:
    """Every cell with an id that nbformat accepts and no other cell has; the first holder keeps its own."""
    taken: set[str] = set()
    for n, cell in enumerate(cells):
        if not (isinstance(cell["id"], str) and re.fullmatch(r"[A-Za-z0-9_-]{1,64}", cell["id"])) or cell["id"] in taken:
            cell["id"] = next(made for k in range(len(cells) + 1) if (made := f"own-{n + k}") not in taken)
        taken.add(cell["id"])
    return cells
