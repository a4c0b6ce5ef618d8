"""Every file of what the instructor gives: files, folders, zip and tar archives.

Nothing is unpacked onto the disk. An archive is read entry by entry, each checked by itself: a bad entry has its reason,
the others are taken.
"""
from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import stat
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from autograder import CourseError

JUNK = re.compile(r"(^|/)(__MACOSX|\.ipynb_checkpoints|\.DS_Store|Thumbs\.db|desktop\.ini|\._[^/]*)(/|$)")
EXCHANGE_FILES = ("timestamp.txt", "submission_secret.txt")  # what nbgrader's exchange puts beside a hand-in
ZIP, TAR = b"PK", re.compile(r"\.(tar|tgz|tbz2?|txz|tar\.(gz|bz2|xz))$", re.IGNORECASE)
MAX_FILE, MAX_TOTAL, MAX_ENTRIES, MAX_RATIO = 50 << 20, 1 << 30, 5000, 200

DAMAGE = (tarfile.TarError, zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError, zlib.error, lzma.LZMAError)
BROKEN = "압축 파일이 아니거나 깨져 있어 열 수 없습니다. 다시 내려받거나 다시 압축하세요."
TOO_BIG = "압축을 풀면 너무 커서 받지 않습니다."


@dataclass
class Found:
    """One file. `parts` are its name and what lies around it, outermost first; the source's own name leads."""

    parts: tuple[str, ...]
    data: bytes = b""
    modified: float = 0.0
    reason: str = ""  # why it cannot be read
    account: str = ""  # whose it is on the machine

    @property
    def file(self) -> str:
        """Where it lies in its source: the same however the source is called."""
        return "/".join(self.parts[1:]) or self.parts[0]

    @property
    def is_archive(self) -> bool:
        name = self.parts[-1].lower()
        return not self.reason and (name.endswith(".zip") or bool(TAR.search(name)))


def find(source: Path | str, assignment: str) -> Iterator[Found]:
    """Every file of a source; archives are files here. Raises CourseError when the source does not exist.

    Of an exchange (a folder with `inbound` in it) only what students handed in is read.
    """
    source = Path(source)
    if not source.exists():
        raise CourseError(f"'{source}'을 찾을 수 없습니다. 경로를 확인하세요.")
    source = source.absolute()
    source = source / "inbound" if (source / "inbound").is_dir() else source
    top = source.parent.parent if source.name == assignment else source.parent  # <student>/<assignment> given as a source
    for path in sorted(source.rglob("*")) if source.is_dir() else [source]:
        parts = tuple(unicodedata.normalize("NFC", part) for part in path.relative_to(top).parts)
        if not JUNK.search("/".join(parts)) and path.name not in EXCHANGE_FILES and (path.is_symlink() or path.is_file()):
            yield _read(path, parts)


class TooBig(ValueError):
    """What is inside would be larger than we want to hold."""


def entries(archive: Found, left: int = MAX_TOTAL) -> Iterator[Found]:
    """The files of an archive, `left` bytes of them at most; those that are refused have a reason. Archives in it are files."""
    kind = _zip if archive.data.startswith(ZIP) else _tar
    try:
        for number, (name, modified, refused, read) in enumerate(kind(archive.data)):
            if number >= MAX_ENTRIES:
                yield Found((*archive.parts, "…"), reason=f"파일이 {MAX_ENTRIES}개를 넘어 나머지는 열지 않았습니다. 나누어 압축하세요.")
                return
            name = unicodedata.normalize("NFC", name.replace("\\", "/"))
            if JUNK.search(name) or name.rpartition("/")[2] in EXCHANGE_FILES:
                continue
            found = Found((*archive.parts, *(PurePosixPath(name).parts or ("?",))), modified=modified)
            found.reason = _outside(name) or refused(left)
            if not found.reason:
                found.data, found.reason = read()
            left -= len(found.data)
            yield found
    except TooBig:
        yield Found(archive.parts, reason=TOO_BIG)
    except DAMAGE:
        yield Found(archive.parts, reason=BROKEN)


def _read(path: Path, parts: tuple[str, ...]) -> Found:
    found = Found(parts, modified=path.lstat().st_mtime)
    try:
        if path.is_symlink():
            found.reason = "링크는 받지 않습니다. 파일 자체를 내도록 안내하세요."
        elif path.stat().st_size > (MAX_TOTAL if found.is_archive else MAX_FILE):
            found.reason = f"파일이 너무 큽니다({MAX_FILE >> 20} MB 넘음). 출력을 지우고 다시 내야 합니다."
        else:
            found.data, found.account = path.read_bytes(), _account(path)
    except OSError as error:
        found.reason = f"파일을 읽을 수 없습니다. 권한을 확인하세요. ({error.strerror})"
    return found


def _account(path: Path) -> str:
    try:
        return path.owner()
    except (KeyError, NotImplementedError):  # a number without a name; Windows
        return ""


def _outside(name: str) -> str:
    if name.startswith("/") or re.match(r"[A-Za-z]:", name) or ".." in name.split("/") or "\0" in name:
        return "압축 파일 밖을 가리키는 경로라서 받지 않습니다."
    return ""


# ---- zip --------------------------------------------------------------------------------------------------------


def _zip(data: bytes):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.infolist():
            if not entry.is_dir():
                yield _zip_name(entry), _zip_time(entry), lambda left: _refuse_zip(entry, left), lambda: _read_zip(archive, entry)


def _zip_name(entry: zipfile.ZipInfo) -> str:
    """zipfile reads names without the UTF-8 flag as cp437; Windows wrote them in cp949, some tools in UTF-8."""
    if entry.flag_bits & 0x800:
        return entry.orig_filename
    return _decode(entry.orig_filename.encode("cp437", errors="replace"), entry.orig_filename)


def _decode(raw: bytes, otherwise: str) -> str:
    for encoding in ("utf-8", "cp949"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return otherwise


def _zip_time(entry: zipfile.ZipInfo) -> float:
    try:
        return datetime(*entry.date_time).timestamp()
    except ValueError:
        return 0.0


def _refuse_zip(entry: zipfile.ZipInfo, left: int) -> str:
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) and not stat.S_ISREG(mode):
        return "링크나 특수 파일은 받지 않습니다."
    if entry.flag_bits & 0x1:
        return "암호가 걸린 압축 파일입니다. 암호 없이 다시 내야 합니다."
    bomb = entry.file_size > 1 << 20 and entry.file_size > MAX_RATIO * max(1, entry.compress_size)
    return TOO_BIG if entry.file_size > min(MAX_FILE, left) or bomb else ""


def _read_zip(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> tuple[bytes, str]:
    try:
        with archive.open(entry) as stream:
            data = stream.read(entry.file_size + 1)
    except Exception as error:  # zipfile and zlib raise many kinds for damaged entries
        return b"", f"압축을 풀 수 없습니다({type(error).__name__}). 다시 압축해서 내야 합니다."
    if len(data) > entry.file_size:
        return b"", "적힌 크기와 실제 크기가 다릅니다. 다시 압축해서 내야 합니다."
    return data, ""


# ---- tar --------------------------------------------------------------------------------------------------------


def _tar(data: bytes):
    with tarfile.open(fileobj=io.BytesIO(_unpacked(data)), mode="r:", errors="surrogateescape") as archive:
        for entry in archive:
            if not entry.isdir():
                name = _decode(entry.name.encode("utf-8", "surrogateescape"), entry.name)
                yield name, float(entry.mtime), lambda left: _refuse_tar(entry, left), lambda: _read_tar(archive, entry)


def _read_tar(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> tuple[bytes, str]:
    return archive.extractfile(entry).read(), ""


def _unpacked(data: bytes) -> bytes:
    """A tar file without its compression, which may hide any size: the limit holds for the whole."""
    for magic, module in ((b"\x1f\x8b", gzip), (b"BZh", bz2), (b"\xfd7zXZ", lzma)):
        if data.startswith(magic):
            with module.open(io.BytesIO(data)) as stream:
                plain = stream.read(MAX_TOTAL // 4 + 1)
            if len(plain) > MAX_TOTAL // 4:
                raise TooBig
            return plain
    return data


def _refuse_tar(entry: tarfile.TarInfo, left: int) -> str:
    if not entry.isreg():
        return "링크나 특수 파일은 받지 않습니다."
    return TOO_BIG if entry.size > min(MAX_FILE, left) else ""
