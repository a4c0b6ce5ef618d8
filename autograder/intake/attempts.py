"""Every attempt as it came, for ever: attempts/<학번>/<assignment>/<UTC time>-<sha12>/<original name> and attempt.json.

What is written here is never changed and never removed. Everything else (submitted/, tables, grades) is made from it.
Files that nobody could be found for lie under attempts/_unmatched/.
"""
from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from glob import escape
from pathlib import Path

UNMATCHED, NOTE = "_unmatched", "attempt.json"


@dataclass(frozen=True)
class Attempt:
    """One file that came in. Times are UTC; `time` is when it was handed in, None where nobody says so."""

    folder: Path
    student: str  # "" for nobody
    name: str  # of the file in `folder`
    file: str  # its place in what it came in, without the name of that
    origin: str  # the name of what it came in
    sha256: str
    received: datetime
    time: datetime | None = None
    late: bool = False  # the platform says so
    sender: str = ""  # the platform's word for the student
    why: str = ""  # what decided whose it is; or, for nobody, what is missing
    modified: float = 0.0
    decided: bool = False  # placed by the instructor: a copy of an attempt that lies elsewhere

    @property
    def path(self) -> Path:
        return self.folder / self.name

    @property
    def data(self) -> bytes:
        return self.path.read_bytes()

    @property
    def key(self) -> tuple[str, str]:
        """Tells what came in apart, whoever it is given to."""
        return self.file, self.sha256

    @property
    def came(self) -> tuple[str, str, str]:
        """The very file of the very archive or folder."""
        return self.origin, *self.key

    @property
    def same(self) -> tuple[str, str, str]:
        """Bytes that a student sent again are the same attempt; where nobody knows who sent them, only the same file is."""
        return self.student, self.sha256, "" if self.student else self.file


def keep(root: Path, assignment: str, attempt: Attempt, data: bytes) -> tuple[Attempt, bool]:
    """Store an attempt unless the same bytes are here already for that student; (what is stored, whether it is new).

    A time that was not known before makes it another attempt. The bytes go first and the note last: an attempt without
    a note is none, and is written again.
    """
    for old in read_attempts(root, assignment, attempt.student or UNMATCHED):
        if old.same == attempt.same and attempt.time in (None, old.time) and attempt.decided >= old.decided:
            return old, False
    when = attempt.time or attempt.received
    place = root / "attempts" / (attempt.student or UNMATCHED) / assignment
    folder, number = place / f"{when:%Y%m%dT%H%M%SZ}-{attempt.sha256[:12]}", 1
    while (folder / NOTE).exists():  # nobody's, twice the same at the same time
        number += 1
        folder = place / f"{when:%Y%m%dT%H%M%SZ}-{attempt.sha256[:12]}-{number}"
    name = attempt.name if attempt.name != NOTE else f"{NOTE}.file"
    name = name.encode()[-200:].decode(errors="ignore")  # file systems end a name at 255 bytes
    note = asdict(attempt) | {"name": name, "received": attempt.received.isoformat()}
    note["time"] = attempt.time.isoformat() if attempt.time else None
    del note["folder"], note["student"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)
    (folder / NOTE).write_text(json.dumps(note, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return _read(folder / NOTE), True


def read_attempts(root: Path, assignment: str, student: str = "*") -> list[Attempt]:
    """Attempts in the order in which they lie on the disk. One whose time came to be known replaces its older self."""
    found = [a for path in sorted((root / "attempts").glob(f"{student}/{escape(assignment)}/*/{NOTE}")) if (a := _read(path))]
    timed = {a.same for a in found if a.time}
    return [a for a in found if a.time or a.same not in timed]


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def now() -> datetime:
    return datetime.now(timezone.utc)


def _read(path: Path) -> Attempt | None:
    """What was noted; None when the note is damaged: what lies beside it is stored anew when it is collected again."""
    student = path.parts[-4]
    try:
        note = json.loads(path.read_text(encoding="utf-8"))
        times = {key: datetime.fromisoformat(note[key]) if note.get(key) else None for key in ("time", "received")}
        attempt = Attempt(folder=path.parent, student="" if student == UNMATCHED else student, **note | times)
        return attempt if attempt.received and attempt.path.is_file() else None
    except (OSError, ValueError, TypeError, KeyError):
        return None
