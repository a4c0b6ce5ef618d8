"""Leak check: reads every file of a student-facing tree for answers and hidden checks.

It looks at what is written, not at what was meant: raw text, text with markup and escapes removed, notebook JSON,
search index, attachments and data URIs, the text of a PDF, archives within archives. A secret is
  * a delimiter of nbgrader,
  * the whole body of an answer or of a hidden check,
  * one distinctive line of them that no public text has,
  * for the search index, a word that only they have.
"""
from __future__ import annotations

import ast
import base64
import binascii
import gzip
import html
import io
import json
import re
import tarfile
import textwrap
import tokenize
import unicodedata
import urllib.parse
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode
from pypdf import PdfReader
from pypdf.errors import PyPdfError

from autograder.exercises import BEGIN_HIDDEN, BEGIN_SOLUTION, END_HIDDEN, END_SOLUTION, is_check, is_solution, outside, parse, region

DELIMITERS = (BEGIN_SOLUTION, END_SOLUTION, BEGIN_HIDDEN, END_HIDDEN)
MIN_LINE, MIN_BODY, MIN_WORD = 24, 16, 5  # characters without white space; shorter pieces occur by chance
DATA_URI = re.compile(rb"data:[\w/+.;=-]*;base64,([A-Za-z0-9+/=\s]{24,})")
TAG = re.compile(r"<[^>]*>")
ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
INVISIBLE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[\u00ad\u200b-\u200f\u2060\ufeff]")
WORD = re.compile(r"[A-Za-z_가-힣][\w]*")


@dataclass(frozen=True)
class Leak:
    """Where a secret was found: `place` is the file, `!` marking what lies inside it."""

    place: str
    what: str  # names the secret, never quotes it whole

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


@dataclass(frozen=True)
class Secrets:
    """What must not appear. Keys are normalised text, values say what it is."""

    pieces: dict[str, str]
    words: frozenset[str]


def secrets(closed: list[NotebookNode], shown: Sequence[NotebookNode] = ()) -> Secrets:
    """Collect the secrets of author notebooks; of those in `shown` only the hidden checks are secret."""
    public: set[str] = set()  # lines of public code: a check may share one with a worked cell or a visible check
    public_words: set[str] = set()
    hidden: list[tuple[str, str]] = []  # (code, what it is)
    for nb in [*closed, *shown]:
        messages = {normal(m) for e in parse(nb) for c in e.checks for m in c.messages}
        for cell in nb.cells:
            source = cell.source
            if is_solution(cell):
                body = region(source, BEGIN_SOLUTION, END_SOLUTION)
                source = outside(source, BEGIN_SOLUTION, END_SOLUTION)
                if any(nb is other for other in shown):
                    source = cell.source
                elif body:
                    hidden.append((body, f"'{_name(cell)}'의 답"))
            elif is_check(cell) and BEGIN_HIDDEN in source:
                hidden.append((region(source, BEGIN_HIDDEN, END_HIDDEN), f"'{_name(cell)}'의 숨은 점검"))
                source = outside(source, BEGIN_HIDDEN, END_HIDDEN)
            if cell.cell_type == "code":
                public |= {normal(line) for line in source.splitlines()}
            public_words |= {w.lower() for w in WORD.findall(source)}
        public |= messages
    pieces = {normal(d): f"구분 표시 '{d}'" for d in DELIMITERS}
    words: set[str] = set()
    for code, what in hidden:
        for body in {normal(code), normal(_without_comments(code))}:
            if len(body) >= MIN_BODY and body not in public:
                pieces[body] = f"{what} 전체"
        for line in {normal(line) for text in (code, _without_comments(code)) for line in text.splitlines()}:
            if len(line) >= MIN_LINE and not any(line in other for other in public):
                pieces.setdefault(line, f"{what} 가운데 한 줄")
        words |= {w.lower() for w in _born_names(code) if len(w) >= MIN_WORD}
    return Secrets(pieces, frozenset(w for w in words if not _is_indexed(w, public_words)))


def scan(root: Path, secret: Secrets) -> list[Leak]:
    """All leaks in a file or folder, in order of path."""
    files = [root] if root.is_file() else sorted(p for p in root.rglob("*") if p.is_file())
    links = [p for p in root.rglob("*") if p.is_symlink()] if root.is_dir() else []
    found = [Leak(p.relative_to(root).as_posix(), "링크: 무엇을 내보내게 될지 확인할 수 없습니다") for p in links]
    for path in files:
        place = path.name if path == root else path.relative_to(root).as_posix()
        found += scan_bytes(place, path.read_bytes(), secret)
    return found


def normal(text: str) -> str:
    """Text without white space, quotes, back slashes, colours and invisible characters: JSON, HTML, terminals and code
    spell one line in many ways."""
    text = INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    text = ESCAPE.sub(lambda m: chr(int(m.group(1), 16)), text)
    text = re.sub(r"\\[nrt]", " ", text)
    return re.sub(r"""[\s"'`\\]+""", "", text)


def scan_bytes(place: str, data: bytes, secret: Secrets, depth: int = 0) -> list[Leak]:
    """All leaks in the content of one file, which lies at PLACE, and in what it carries."""
    if depth > 4:
        return [Leak(place, "너무 여러 겹으로 묶여 있어 확인할 수 없습니다")]
    found: list[Leak] = []
    try:
        for name, inner in _inside(data):
            found += scan_bytes(f"{place}!{name}", inner, secret, depth + 1)
    except (OSError, EOFError, RuntimeError, ValueError, zipfile.BadZipFile, tarfile.TarError, zlib.error, PyPdfError):
        found.append(Leak(place, "열어서 확인할 수 없는 묶음 파일"))  # broken or encrypted: not proven clean
    texts = _texts(data)
    for piece, what in secret.pieces.items():
        if any(piece in text for text in texts):
            found.append(Leak(place, what))
    if place.endswith("searchindex.js"):
        words = _indexed_words(data)
        found += [Leak(place, f"답이나 숨은 점검에만 있는 이름 '{w}'") for w in sorted(secret.words) if _is_indexed(w, words)]
    return found


def _texts(data: bytes) -> set[str]:
    """The readings of a file: as it is, without markup, and all strings of a JSON document."""
    raw = data.decode("utf-16", errors="ignore") if data[:2] in (b"\xff\xfe", b"\xfe\xff") else data.decode("utf-8", errors="ignore")
    readings = {raw, html.unescape(raw), html.unescape(TAG.sub("", raw)), urllib.parse.unquote(raw)}
    if "\ufffd" in data.decode("utf-8", errors="replace"):
        readings.add(data.decode("cp949", errors="ignore"))
    try:
        readings.add("\n".join(_strings(json.loads(raw))))
    except (ValueError, RecursionError):
        pass
    return {normal(text) for text in readings}


def _strings(value) -> Iterator[str]:
    if isinstance(value, str):
        yield value
        if "<" in value:
            yield html.unescape(TAG.sub("", value))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _strings(item)
    elif isinstance(value, list):
        if value and all(isinstance(item, str) for item in value):
            yield "".join(value)  # a notebook's source is a list of lines
        for item in value:
            yield from _strings(item)


def _inside(data: bytes) -> Iterator[tuple[str, bytes]]:
    """What a file carries: members of an archive, base64 in attachments and data URIs."""
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                if not info.is_dir():
                    yield info.filename, archive.read(info)
        return
    if data[:2] == b"\x1f\x8b":
        inner = gzip.decompress(data)
        yield "gz", inner
        return
    if data[257:262] == b"ustar":
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for member in archive.getmembers():
                if member.isfile():
                    yield member.name, archive.extractfile(member).read()
        return
    if data[:5] == b"%PDF-":
        pages = PdfReader(io.BytesIO(data)).pages
        yield "text", "\n".join(page.extract_text() for page in pages).encode(errors="ignore")
        return
    for k, match in enumerate(DATA_URI.finditer(data)):
        if decoded := _base64(match.group(1)):
            yield f"data{k}", decoded
    if b'"attachments"' in data or b'"image/' in data or b'"text/' in data:
        try:
            document = json.loads(data)
        except (ValueError, RecursionError):
            return
        for k, text in enumerate(_strings(document)):
            if len(text) > 24 and (decoded := _base64(text.encode())):
                yield f"attachment{k}", decoded


def _base64(text: bytes) -> bytes | None:
    compact = b"".join(text.split())
    if len(compact) % 4 or not re.fullmatch(rb"[A-Za-z0-9+/]+=*", compact):
        return None
    try:
        return base64.b64decode(compact, validate=True)
    except (binascii.Error, ValueError):
        return None


def _indexed_words(data: bytes) -> set[str]:
    """Words of a searchindex.js: the keys of Sphinx's term tables, or all words of an index that is text."""
    match = re.search(rb"Search\.setIndex\((.*)\)", data, flags=re.S)
    try:
        index = json.loads(match.group(1)) if match else {}
        return {word for table in ("terms", "titleterms") for word in index[table]}
    except (ValueError, KeyError):
        return {word.lower() for word in WORD.findall(data.decode("utf-8", errors="ignore"))}


def _is_indexed(name: str, words: set[str]) -> bool:
    """Whether an index holds a name, as it is or without the few letters that a stemmer takes off its end."""
    ends = [len(name)] + [end for end in range(max(MIN_WORD, len(name) - 3), len(name)) if name[end:].isalpha()]
    return any(name[:end] in words for end in ends)


def _without_comments(code: str) -> str:
    """Code without its comments; as it is when it cannot be read as Python."""
    try:
        tokens = [t for t in tokenize.generate_tokens(io.StringIO(textwrap.dedent(code) + "\n").readline) if t.type == tokenize.COMMENT]
    except (tokenize.TokenError, SyntaxError):
        return code
    lines = textwrap.dedent(code).splitlines()
    for token in tokens:
        row, column = token.start
        lines[row - 1] = lines[row - 1][:column]
    return "\n".join(lines)


def _born_names(code: str) -> set[str]:
    """Names that a piece of code gives to its own variables and functions (names that it uses may be anybody's)."""
    try:
        tree = ast.parse(textwrap.dedent(code))
    except SyntaxError:
        return set()
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return names | {n.name for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}


def _name(cell: NotebookNode) -> str:
    return cell.metadata.nbgrader.get("grade_id", cell.id)
