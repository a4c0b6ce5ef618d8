"""CSV files as Excel and learning platforms write them: read whatever the encoding, written back the same way."""
from __future__ import annotations

import csv
import io
import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from autograder import CourseError

FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
NUMBER = re.compile(r"[+-]?(\d[\d,]*\.?\d*|\.\d+)%?|-")  # "-" alone is how Moodle says "nothing"
EXCEL = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # .xlsx and .xls; what Blackboard calls .xls is text


@dataclass
class Table:
    """A header and rows of text, each as long as the header."""

    header: list[str]
    rows: list[list[str]] = field(default_factory=list)
    encoding: str = "utf-8-sig"
    delimiter: str = ","

    def column(self, *names: str) -> int | None:
        """Place of the first column with one of the names; case, spaces and punctuation do not matter."""
        known = [plain(title) for title in self.header]
        return next((known.index(plain(name)) for name in names if plain(name) in known), None)

    def dicts(self) -> list[dict[str, str]]:
        return [dict(zip(self.header, row)) for row in self.rows]


def read(path: Path | str) -> Table:
    """The table in a file: UTF-8, UTF-16 or cp949; comma, semicolon or tab. Raises CourseError when there is none."""
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CourseError(f"{path.name} 파일을 읽을 수 없습니다. 경로를 확인하고, 엑셀에서 열려 있으면 닫으세요. ({error.strerror})") from error
    if data.startswith(EXCEL):
        raise CourseError(f"{path.name}은 엑셀 파일입니다. 엑셀에서 [다른 이름으로 저장 > CSV UTF-8(쉼표로 분리)]로 저장한 파일을 주세요.")
    text, encoding = _decode(data, path)
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    csv.field_size_limit(10**8)  # a worksheet may hold whole essays
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if "".join(row).strip()]
    except csv.Error as error:
        raise CourseError(f"{path.name}을 표로 읽을 수 없습니다. CSV 파일이 맞는지 확인하세요. ({error})") from error
    rows = [[unicodedata.normalize("NFC", cell) for cell in row] for row in rows]
    if not rows:
        raise CourseError(f"{path.name}에 아무 내용이 없습니다. 파일을 다시 받으세요.")
    header = [cell.strip() for cell in rows[0]]
    return Table(header, [(row + [""] * len(header))[: len(header)] for row in rows[1:]], encoding, delimiter)


def write(path: Path | str, table: Table) -> Path:
    """Write a table as it was read; UTF-8 with a byte order mark when its encoding lacks a character."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=table.delimiter).writerows([table.header, *table.rows])
    try:
        data = out.getvalue().encode(table.encoding)
    except UnicodeEncodeError:
        data = out.getvalue().encode("utf-8-sig")
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_bytes() != data:
        fresh = path.with_name(f"{path.name}.new")  # what a person wrote into the old one is not lost in a crash
        fresh.write_bytes(data)
        fresh.replace(path)
    return path


def text(value: str) -> str:
    """A text cell on one line that no spreadsheet takes for a formula."""
    flat = " ".join(value.split())
    return "'" + flat if flat.startswith(FORMULA) or value.startswith(("\t", "\r", "\n")) else flat


def harmless(value: str) -> str:
    """A cell that somebody else wrote, as it is, unless a spreadsheet would compute it."""
    return value if NUMBER.fullmatch(value.strip()) or text(value)[:1] != "'" else text(value)


def plain(name: str) -> str:
    """A name for comparing: composed Hangul, lower case, letters and digits only."""
    return "".join(c for c in unicodedata.normalize("NFKC", name).casefold() if c.isalnum())


def _decode(data: bytes, path: Path) -> tuple[str, str]:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8", "cp949"]
    for encoding in encodings:
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    raise CourseError(f"{path.name}의 글자를 읽을 수 없습니다. 엑셀에서 [CSV UTF-8(쉼표로 분리)]로 다시 저장하세요.")
