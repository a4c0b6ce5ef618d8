"""Collecting hand-ins: files, folders and zip archives become attempts/ (raw bytes, never changed) and submitted/.

    find      what is in the sources: (where from, name parts, bytes) of every file, archives opened one entry at a time
    identify  whose it is (by name) and what it is (by content)
    keep      attempts/<학번>/<assignment>/<UTC time>-<sha12>/<original name>, then submitted/ for nbgrader

Nothing is dropped: what cannot be placed comes back with a Korean reason. Receiving a file again changes nothing.
"""
from __future__ import annotations

import hashlib
import json
import re
import stat
import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path, PurePosixPath

from autograder import CourseError
from autograder.grade.folder import CourseFolder

JUNK = re.compile(r"(^|/)(__MACOSX|\.ipynb_checkpoints|\.DS_Store|Thumbs\.db|desktop\.ini|\._[^/]*)(/|$)")
ARCHIVES = (".zip", ".tar", ".tgz", ".gz", ".7z", ".rar", ".egg", ".alz", ".xz", ".bz2")
STUDENT = re.compile(r"(?<![0-9])[0-9]{8,10}(?![0-9])")
DATE = re.compile(r"20\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
SAFE_ID = re.compile(r"(?!(?:source|release|submitted|autograded|feedback)$)[0-9A-Za-z][0-9A-Za-z._@-]{0,63}")
STAMP = "%Y-%m-%d %H:%M:%S UTC"  # as nbgrader reads it

UNREADABLE = "노트북으로 읽을 수 없습니다(잘렸거나, 웹 페이지이거나, 다른 형식). .ipynb로 다시 받아 내야 합니다."
Released = dict[str, dict[str, set[str]]]  # assignment -> release name -> grade ids

MAX_FILE, MAX_TOTAL, MAX_ENTRIES, MAX_RATIO = 50 << 20, 1 << 30, 5000, 200


@dataclass
class Found:
    """One file of the sources. `parts` are its name and the folders above it, outermost first."""

    origin: str
    parts: tuple[str, ...]
    data: bytes = b""
    modified: float = 0.0
    time: datetime | None = None  # of submission, where the source says it
    reason: str = ""  # why it cannot be read


@dataclass
class Received:
    """What became of one file. Placed when `reason` is ""; `new` is False when these bytes were here already."""

    origin: str
    student: str = ""
    notebook: str = ""  # the release name it stands for
    path: str = ""  # the raw bytes, relative to the course
    sha256: str = ""
    new: bool = False
    reason: str = ""

    def as_dict(self) -> dict:
        return asdict(self)


def collect(course_dir: Path | str, assignment: str, sources: list[Path]) -> list[Received]:
    """Take in every notebook of the sources for one assignment; one Received per file, in the order of the sources.

    Of several notebooks of one student the last modified one is submitted, all are kept. Raises CourseError when a
    source does not exist or the course has no such assignment.
    """
    course = CourseFolder(course_dir)
    released = _released(course)
    if assignment not in released:
        raise CourseError(f"과제 {assignment}의 노트북이 release/와 source/에 없습니다. 과제를 먼저 만드세요.")
    found = [file for source in sources for file in find(Path(source), assignment)]
    results = {n: _receive(course, assignment, released, found[n]) for n in sorted(range(len(found)), key=lambda n: found[n].modified)}
    return [results[n] for n in range(len(found))]


def _receive(course: CourseFolder, assignment: str, released: Released, file: Found) -> Received:
    result = Received(file.origin, reason=file.reason)
    if file.reason:
        return result
    result.sha256 = hashlib.sha256(file.data).hexdigest()
    result.student, nobody = student_of(file.parts, assignment)
    result.notebook, nothing = notebook_of(file, assignment, released)
    result.reason = nothing or nobody  # what a file is says more than whose it is
    broken = nothing == UNREADABLE and bool(result.student)
    if broken:  # kept and handed to the grader all the same, whose record says what is wrong
        result.notebook = min(released[assignment])
    if not result.reason or broken:
        try:
            _keep(course, assignment, file, result, only_if_nothing_is_there=broken)
        except OSError as error:
            result.reason = f"파일을 쓰지 못했습니다. 남은 공간과 파일 이름을 확인하세요. ({error})"
    return result


# ---- find -------------------------------------------------------------------------------------------------------


def find(source: Path, assignment: str) -> Iterator[Found]:
    """Every file of a source. What must not or cannot be opened comes with a reason."""
    if not source.exists():
        raise CourseError(f"{source} 파일이나 폴더가 없습니다. 경로를 확인하세요.")
    source = source.absolute()
    paths = sorted(p for p in source.rglob("*") if p.is_file() or p.is_symlink()) if source.is_dir() else [source]
    base = source if source.is_dir() else source.parent
    top = base.parent.parent if base.name == assignment else base.parent  # <student>/<assignment> given as a source
    for path in paths:
        parts = _parts(path.relative_to(top).parts, [p.relative_to(base).as_posix() for p in paths])
        if JUNK.search("/".join(parts)) or path.name == "timestamp.txt":
            continue
        file = Found(str(path), parts, modified=path.lstat().st_mtime)
        if path.is_symlink():
            file.reason = "링크는 받지 않습니다. 파일 자체를 내도록 안내하세요."
        elif path.suffix.lower() == ".zip":
            yield from _open_zip(path, parts)
            continue
        elif path.stat().st_size > MAX_FILE:
            file.reason = f"파일이 너무 큽니다({MAX_FILE >> 20} MB 넘음). 출력을 지우고 다시 내야 합니다."
        else:
            try:
                file.data, file.time = path.read_bytes(), _time_beside(path)
            except OSError as error:
                file.reason = f"파일을 읽을 수 없습니다. 권한을 확인하세요. ({error.strerror})"
        yield file


def _parts(parts: tuple[str, ...], inside: list[str]) -> tuple[str, ...]:
    """Names that may say whose a file is. What holds a whole class may have a number in its name, too (a course, a day):
    the outermost name counts only where nothing inside says a number itself."""
    kept = parts[1:] if any(STUDENT.search(name) for name in inside) and len(parts) > 1 else parts
    return tuple(unicodedata.normalize("NFC", part) for part in kept)


def _time_beside(path: Path) -> datetime | None:
    """Time of submission that an exchange left beside a notebook."""
    from nbgrader.utils import parse_utc

    try:
        return parse_utc(path.with_name("timestamp.txt").read_text(encoding="utf-8").strip()).replace(tzinfo=timezone.utc)
    except (OSError, ValueError, OverflowError):
        return None


def _open_zip(path: Path, parts: tuple[str, ...]) -> Iterator[Found]:
    """Entries of an archive, each checked by itself: one bad entry does not cost the others."""
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        yield Found(str(path), parts, reason="zip 파일이 아니거나 깨져 있습니다. 다시 내려받거나 다시 압축하세요.")
        return
    with archive:
        entries = {entry: _entry_name(entry) for entry in archive.infolist() if not entry.is_dir()}
        if len(entries) > MAX_ENTRIES:
            yield Found(str(path), parts, reason=f"파일이 {len(entries)}개 들어 있습니다({MAX_ENTRIES}개까지). 나누어 압축하세요.")
            return
        left = MAX_TOTAL
        for entry, name in entries.items():
            if JUNK.search(name) or name.endswith("timestamp.txt"):
                continue
            within = _parts((parts[-1], *PurePosixPath(name).parts), list(entries.values()))
            file = Found(f"{path}!{name}", (*parts[:-1], *within), modified=_entry_time(entry))
            file.reason = _refuse_entry(entry, name, left)
            if not file.reason:
                file.data, file.reason = _read_entry(archive, entry)
            left -= len(file.data)
            yield file


def _read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> tuple[bytes, str]:
    try:
        with archive.open(entry) as stream:
            data = stream.read(entry.file_size + 1)
    except Exception as error:  # zipfile and zlib raise many kinds for damaged entries
        return b"", f"압축을 풀 수 없습니다({type(error).__name__}). 다시 압축해서 내야 합니다."
    if len(data) > entry.file_size:
        return b"", "적힌 크기와 실제 크기가 다릅니다. 다시 압축해서 내야 합니다."
    return data, ""


def _entry_name(entry: zipfile.ZipInfo) -> str:
    """zipfile reads names without the UTF-8 flag as cp437; Windows wrote them in cp949, some tools in UTF-8."""
    name = entry.orig_filename
    if not entry.flag_bits & 0x800:
        raw = name.encode("cp437", errors="replace")
        for encoding in ("utf-8", "cp949"):
            try:
                name = raw.decode(encoding)
                break
            except UnicodeDecodeError:
                pass
    return unicodedata.normalize("NFC", name.replace("\\", "/"))


def _entry_time(entry: zipfile.ZipInfo) -> float:
    try:
        return datetime(*entry.date_time).timestamp()
    except ValueError:
        return 0.0


def _refuse_entry(entry: zipfile.ZipInfo, name: str, left: int) -> str:
    mode = entry.external_attr >> 16
    if name.startswith("/") or re.match(r"[A-Za-z]:", name) or ".." in name.split("/") or "\0" in name:
        return "압축 파일 밖을 가리키는 경로라서 받지 않습니다."
    if stat.S_IFMT(mode) and not stat.S_ISREG(mode):
        return "링크나 특수 파일은 받지 않습니다."
    if entry.flag_bits & 0x1:
        return "암호가 걸린 압축 파일입니다. 암호 없이 다시 내야 합니다."
    huge = entry.file_size > 1 << 20 and entry.file_size > MAX_RATIO * max(1, entry.compress_size)
    if entry.file_size > min(MAX_FILE, left) or huge:
        return "압축을 풀면 너무 커서 받지 않습니다."
    return ""


# ---- identify ---------------------------------------------------------------------------------------------------


def student_of(parts: tuple[str, ...], assignment: str) -> tuple[str, str]:
    """(학번, "") or ("", reason). <student>/<assignment>/x.ipynb says it; otherwise 8 to 10 digits in the names, the
    file's own first. Digits that read as a date count only when there are no others."""
    folder = parts[-3] if len(parts) > 2 and parts[-2] == assignment else ""
    for names in ([folder], *([name] for name in reversed(parts))):
        numbers = list(dict.fromkeys(n for name in names for n in STUDENT.findall(name)))
        certain = [n for n in numbers if not DATE.fullmatch(n)]
        if len(certain) > 1:
            return "", f"이름에 학번으로 볼 수 있는 수가 둘 이상입니다: {', '.join(certain)}. 하나만 남기세요."
        if certain:
            return certain[0], ""
    if folder and SAFE_ID.fullmatch(folder):
        return folder, ""
    dates = [n for name in reversed(parts) for n in STUDENT.findall(name)]
    if len(set(dates)) > 1:
        return "", f"이름에 날짜로도 학번으로도 볼 수 있는 수가 여럿입니다: {', '.join(dict.fromkeys(dates))}. 학번만 남기세요."
    if dates and _is_recent(dates[0]):
        return "", f"이름에 든 수 {dates[0]}은 낸 날짜로 보입니다. 이름에 학번(숫자 8~10자리)을 넣어 다시 모으세요."
    if dates:
        return dates[0], ""
    return "", "파일이나 폴더 이름에 학번(숫자 8~10자리)이 없습니다. 이름에 학번을 넣어 다시 모으세요."


def _is_recent(date: str) -> bool:
    """Whether eight digits are a day of this year or of its neighbours: then they are more likely a day than a 학번."""
    try:
        return abs((datetime.strptime(date, "%Y%m%d") - datetime.now()).days) < 400
    except ValueError:  # the 31st of February
        return False


def notebook_of(file: Found, assignment: str, released: Released) -> tuple[str, str]:
    """(release name, "") or ("", reason), by what the notebook says and holds; its file name only breaks a tie."""
    name = file.parts[-1]
    try:
        content = json.loads(file.data.decode("utf-8-sig"))
        ids, said = _grade_ids(content), (content["metadata"].get("course") or {}).get("assignment")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        if ".ipynb" in name.lower():
            return "", UNREADABLE
        if name.lower().endswith(ARCHIVES):
            return "", "열지 않는 압축 파일입니다. zip으로 압축하거나 풀어서 다시 모으세요."
        return "", "노트북(.ipynb)이 아닙니다."
    if isinstance(content["metadata"].get("course"), dict) and "chapter" in content["metadata"]["course"]:
        return "", "과제가 아니라 교재 본문의 노트북입니다. 과제 노트북에 답을 옮겨 내야 합니다."
    shared = {which: max(len(ids & known) for known in books.values()) for which, books in released.items()}
    best = max(shared, key=lambda which: (which == said, shared[which], which == assignment))
    if best != said and not shared[best]:
        return "", f"과제 {assignment}의 셀이 없는 노트북입니다. 다른 파일을 냈거나 내용을 새 노트북에 옮겼는지 확인하세요."
    if best != assignment:
        return "", f"다른 과제({best})의 노트북입니다. 과제 이름을 확인하세요."
    books = released[assignment]
    return max(books, key=lambda book: (len(ids & books[book]), book == PurePosixPath(name).stem)), ""


def _grade_ids(content: dict) -> set[str]:
    """nbgrader's ids of the cells of a notebook (JSON). Raises KeyError or TypeError when it is none."""
    marks = [cell["metadata"].get("nbgrader") or {} for cell in content["cells"]]
    return {str(mark["grade_id"]) for mark in marks if mark.get("grade_id")}


def _released(course: CourseFolder) -> Released:
    """Grade ids of every notebook of every assignment, from release/, else from source/."""
    released: Released = {}
    for step in ("source", "release"):
        for folder in course.path(step, ".", "x").parent.glob("*/"):
            try:
                books = {path.stem: _grade_ids(json.loads(path.read_bytes())) for path in folder.glob("*.ipynb")}
            except (OSError, ValueError, KeyError, TypeError):
                continue  # a damaged assignment matters only to whoever collects for it
            released |= {folder.name: books} if books else {}
    return released


# ---- keep -------------------------------------------------------------------------------------------------------


def _keep(course: CourseFolder, assignment: str, file: Found, result: Received, only_if_nothing_is_there: bool) -> None:
    """Raw bytes first, then the working copy; the note comes last and says that both are there."""
    attempts = course.root / "attempts" / result.student / assignment
    notes = {path: about for path in attempts.glob("*/attempt.json") if (about := _note(path))}
    note = next((path for path, about in notes.items() if about["sha256"] == result.sha256), None)
    newest = max((about["modified"] for about in notes.values() if about["notebook"] == result.notebook), default=0.0)
    result.new = note is None
    if note:
        known = notes[note]
        time, raw = datetime.fromisoformat(known["time"]), note.with_name(known["name"])
    else:
        time = (file.time or datetime.now(timezone.utc)).replace(microsecond=0)
        name = file.parts[-1] if file.parts[-1] != "attempt.json" else "attempt.json.ipynb"
        name = name.encode()[-200:].decode(errors="ignore")  # file systems end a name at 255 bytes
        raw = attempts / f"{time:%Y%m%dT%H%M%SZ}-{result.sha256[:12]}" / name
        raw.parent.mkdir(parents=True, exist_ok=True)
        raw.write_bytes(file.data)
    result.path = raw.relative_to(course.root).as_posix()
    folder = course.path("submitted", result.student, assignment)
    newer = result.new and file.modified >= newest and not only_if_nothing_is_there
    if newer or not (folder / f"{result.notebook}.ipynb").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{result.notebook}.ipynb").write_bytes(file.data)
        (folder / "timestamp.txt").write_text(time.strftime(STAMP) + "\n", encoding="utf-8")
    if result.new:
        about = {"time": time.isoformat(), "name": raw.name, "origin": file.origin, "sha256": result.sha256}
        about |= {"notebook": result.notebook, "modified": file.modified}
        raw.with_name("attempt.json").write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _note(path: Path) -> dict | None:
    """What was noted about an attempt; None when the note is damaged (the bytes beside it are what counts)."""
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
        return about if {"time", "name", "sha256", "notebook", "modified"} <= about.keys() else None
    except (OSError, ValueError, AttributeError):
        return None
