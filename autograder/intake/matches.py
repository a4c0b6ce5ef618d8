"""The match table: every file that came in, whose it is and why, what became of it; and what the instructor changed in it.

matches/<assignment>.csv is for Excel. The instructor corrects 학번 and 낸 시각 there and collects again; 자동 keeps what
was found without him. matches/<assignment>.html shows the same to read.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from autograder import CourseError, tables
from autograder.intake.attempts import Attempt, keep, read_attempts
from autograder.intake.listings import moment
from autograder.intake.roster import Roster, is_safe
from autograder.intake.rules import Rules
from autograder.tables import Table, text

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"
COUNTS, KEPT, UNMATCHED, REFUSED = "counts", "kept", "unmatched", "refused"
STATUS = {UNMATCHED: "학생을 찾지 못함", REFUSED: "받지 못함", KEPT: "채점하지 않음(보관)", COUNTS: "채점할 것"}
ODD = (UNMATCHED, REFUSED)  # what the instructor has to look at
DECIDED = "강사가 정함"
NOBODY = "없음"  # what the instructor writes as the 학번 of a file that is nobody's
COLUMNS = ("학번", "이름", "파일", "결과", "설명", "낸 시각", "근거", "자동", "받은 것", "sha256")


@dataclass
class Row:
    """One file. `attempt` is None for what could not be stored."""

    attempt: Attempt | None
    file: str
    origin: str
    student: str = ""
    status: str = UNMATCHED
    note: str = ""  # Korean: why it does not count, what was mended
    why: str = ""
    time: datetime | None = None  # as handed in, or as the instructor says
    automatic: str = ""
    notebook: str = ""  # the release name it counts as
    now: bool = False  # it came with this collection
    new: bool = False  # and was not here before
    late: bool = False  # it counts, and came late
    doubt: bool = False  # its name speaks against its owner

    @property
    def sha256(self) -> str:
        return self.attempt.sha256 if self.attempt else ""

    def as_dict(self) -> dict:
        """For JSON: plain values, times in UTC, the path of the raw bytes."""
        plain = {key: value for key, value in vars(self).items() if key not in ("attempt", "time")}
        attempt = self.attempt
        return plain | {
            "time": self.time.isoformat() if self.time else None,
            "path": "/".join(attempt.path.parts[-5:]) if attempt else "",
            "sha256": self.sha256,
        }


@dataclass(frozen=True)
class Decision:
    """What the instructor wrote over one row. "" as a student says that it is nobody's."""

    student: str | None = None
    time: datetime | None = None


class Decisions:
    """All of an assignment, from the table of the last time."""

    def __init__(self, root: Path, assignment: str, rules: Rules, roster: Roster):
        self.rules, self.roster = rules, roster
        self.path = table_path(root, assignment)
        self.rows = tables.read(self.path).dicts() if self.path.is_file() else []
        if self.rows and (missing := set(COLUMNS) - self.rows[0].keys()):
            raise CourseError(f"{self.path}에 열이 없습니다: {', '.join(sorted(missing))}. 열은 그대로 두고 학번과 낸 시각만 고치세요.")
        self.known = {_key(row["자동"], row["파일"], row["sha256"]): row for row in self.rows if row["sha256"]}

    def refused(self) -> Iterable[Row]:
        """What earlier collections could not store."""
        for row in self.rows:
            if row["결과"] == STATUS[REFUSED]:
                yield Row(None, row["파일"], row["받은 것"], row["학번"], REFUSED, row["설명"], row["근거"], automatic=row["자동"])

    def of(self, attempt: Attempt) -> Decision:
        row = self.known.get(_key(attempt.student, text(attempt.file), attempt.sha256))
        if not row:
            return Decision()
        student, when = row["학번"].strip().lstrip("'"), row["낸 시각"].strip()
        time = moment(when, self.rules.zone) if when else None
        if when and not time:
            raise CourseError(f"{self.path.name}의 낸 시각 '{when}'을 읽을 수 없습니다. 예: 2026-12-14 23:10")
        if time and attempt.time and self.rules.shown(time) == self.rules.shown(attempt.time):
            time = None
        if student == NOBODY:
            return Decision("", time)
        return Decision(None if _zeroless(student) == _zeroless(row["자동"]) else self._checked(student), time)

    def _checked(self, student: str) -> str:
        known = self.roster.by_id(student) if student else None
        if student and not known and (self.roster.students or not is_safe(student)):
            raise CourseError(f"{self.path.name}에 적은 학번 '{student}'이 명단에 없습니다. 학번을 고치거나 명단에 더하세요.")
        return known.id if known else student


def place(root: Path, assignment: str, decisions: Decisions, received: list[Row]) -> list[Row]:
    """A row for everything that is here, given to whom the instructor says; his word on one file of a sender holds for all.

    What goes to another student than was found is copied there: attempts are never moved. `received` is what came now.
    """
    attempts = settled(read_attempts(root, assignment), decisions.roster)
    owned = {attempt.key for attempt in attempts if attempt.student}
    attempts = [attempt for attempt in attempts if attempt.student or attempt.key not in owned]
    said = {attempt.folder: decisions.of(attempt) for attempt in attempts}
    by_sender: dict[str, set[str]] = {}
    for attempt in attempts:
        if attempt.sender and (student := said[attempt.folder].student):
            by_sender.setdefault(attempt.sender, set()).add(student)
    came = {row.attempt.folder: row.new for row in received if row.attempt}
    rows = []
    for attempt in attempts:
        decision, others = said[attempt.folder], by_sender.get(attempt.sender, set())
        student = next(iter(others)) if len(others) == 1 and decision.student is None else decision.student
        student = attempt.student if student is None else student
        why = attempt.why if attempt.student else ""
        row = Row(attempt, attempt.file, attempt.origin, student, KEPT, why=why, automatic=attempt.student)
        row.time, row.now, row.new = decision.time or attempt.time, attempt.folder in came, came.get(attempt.folder, False)
        if decision.student is not None or student != attempt.student:
            row.why = DECIDED
        if not student and decision.student is None:
            row.status, row.note = UNMATCHED, attempt.why
        elif student and student != attempt.student:
            row.attempt, _ = keep(root, assignment, replace(attempt, student=student, decided=True, why=row.why), attempt.data)
        rows.append(row)
    refused = [row for row in received if not row.attempt]
    again = {(row.file, row.origin) for row in [*refused, *rows]}
    return rows + refused + [row for row in decisions.refused() if (row.file, row.origin) not in again]


def settled(attempts: list[Attempt], roster: Roster) -> list[Attempt]:
    """Attempts as they were found, without the instructor's copies. Of one file that was found to be two students' at two
    times it is whom the roster has, else not an e-mail address, else the later one."""
    found = [attempt for attempt in attempts if not attempt.decided]
    owners: dict[tuple, Attempt] = {}
    for attempt in sorted(found, key=lambda a: (bool(roster.by_id(a.student)), "@" not in a.student, a.received)):
        if attempt.student:
            owners[attempt.came] = attempt
    return [a for a in found if not a.student or owners[a.came].student == a.student]


def table_path(root: Path, assignment: str) -> Path:
    return root / "matches" / f"{assignment}.csv"


def write_table(root: Path, assignment: str, rows: list[Row], rules: Rules, roster: Roster) -> Path:
    """Write the table as CSV and HTML; the path of the CSV. Rows to look at come first. The same rows give the same bytes."""
    names = _names(root, assignment) | {student.id: student.name for student in roster.students}
    counting = {row.student for row in rows if row.status == COUNTS}
    rows = sorted(rows, key=lambda row: (row.status not in ODD, row.student, row.file, str(row.time), row.sha256))
    cells = [
        [
            text(row.student) or NOBODY * (row.status == KEPT),
            text(names.get(row.student, "")),
            text(row.file),
            STATUS[row.status],
            text(row.note),
            rules.shown(row.time) if row.time else "",
            text(row.why),
            text(row.automatic),
            text(row.origin),
            row.sha256,
        ]
        for row in rows
    ]
    asking = [row.status in ODD or row.doubt or bool(row.student) and row.student not in counting for row in rows]
    path = tables.write(table_path(root, assignment), Table(list(COLUMNS), cells))
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    page = environment.get_template("matches.html.j2").render(
        assignment=assignment,
        columns=COLUMNS[:7],
        rows=list(zip(cells, asking)),
        absent=[student for student in roster.students if student.id not in {row.student for row in rows}],
    )
    html = path.with_suffix(".html")
    if not html.is_file() or html.read_text(encoding="utf-8") != page:
        html.write_text(page, encoding="utf-8")
    return path


def _names(root: Path, assignment: str) -> dict[str, str]:
    """학번 -> 이름 as the table has them: collecting again without the roster takes no name away."""
    path = table_path(root, assignment)
    return {row["학번"]: row["이름"] for row in tables.read(path).dicts()} if path.is_file() else {}


def times(root: Path, assignment: str) -> dict[str, str]:
    """학번 -> when what counts was handed in, as the table writes it; "" where nobody knows."""
    path = table_path(root, assignment)
    rows = tables.read(path).dicts() if path.is_file() else []
    return {row["학번"]: row["낸 시각"] for row in sorted(rows, key=lambda row: row["낸 시각"]) if row["결과"] == STATUS[COUNTS]}


def senders(root: Path, assignment: str, attempts: list[Attempt]) -> dict[str, str]:
    """Platform's word for a student -> 학번, as it stands in the table after all corrections."""
    path = table_path(root, assignment)
    rows = tables.read(path).dicts() if path.is_file() else []
    given = {(row["파일"], row["sha256"]): row["학번"] for row in rows if row["학번"] not in ("", NOBODY) and row["sha256"]}
    return {a.sender: student for a in attempts if a.sender and (student := given.get((text(a.file), a.sha256)))}


def _key(student: str, file: str, sha256: str) -> tuple[str, str, str]:
    return _zeroless(student), file, sha256


def _zeroless(student: str) -> str:
    """A 학번 for comparing: Excel may have taken its zeros away."""
    return student.strip().lstrip("'").lstrip("0")
