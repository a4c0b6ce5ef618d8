"""Collecting hand-ins: whatever the instructor gives becomes attempts/ (for ever) and, made from it, submitted/.

Every file of the sources gets its owner and is kept; what the match table says of owners and times is followed;
submitted/ is made again; the match table is written. All but the first needs no source: it can be repeated at any time
and gives the same bytes.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from autograder import CourseError
from autograder.grade.folder import CourseFolder
from autograder.intake.archives import Found, entries, find
from autograder.intake.attempts import Attempt, digest, keep, now, read_attempts
from autograder.intake.identify import releases
from autograder.intake.listings import Listing, read_listing
from autograder.intake.matches import DECIDED, REFUSED, Decisions, Row, place, settled, write_table
from autograder.intake.roster import Roster, find_roster
from autograder.intake.rules import Rules, read_rules
from autograder.intake.submitted import rebuild
from autograder.intake.whose import NOT_LISTED, Whose, numbers_in

TABLES = (".csv", ".tsv", ".xls", ".xlsx")
ANOTHER = "파일 이름에 다른 학생의 학번({number})이 있습니다. 잘못 올린 파일인지 확인하세요."


@dataclass
class Collected:
    """Everything that came in for an assignment, ever; the match table; who of the roster is missing."""

    rows: list[Row]
    table: Path
    absent: list[str]
    nothing: dict[str, str]  # students without anything to grade, and why
    strangers: list[str]  # students of extensions.csv whom the roster does not have
    late: list[str]  # students whose counting notebook came late
    untimed: bool  # there is a due date, and of no file is it known when it came

    @property
    def here(self) -> list[Row]:
        """What came with this collection."""
        return [row for row in self.rows if row.now]

    def as_dict(self) -> dict:
        return {"files": [row.as_dict() for row in self.rows], "absent": self.absent, "nothing_to_grade": self.nothing}


def collect(
    course_dir: Path | str, assignment: str, sources: Iterable[Path | str] = (), roster: Path | str | None = None
) -> Collected:
    """Take in every file of the sources for one assignment. Tables of a learning platform among them tell whose it is.

    `roster` is roster.csv of the course unless given. Raises CourseError for what concerns the whole class: a source or
    the assignment does not exist, a table cannot be read.
    """
    course = CourseFolder(course_dir)
    known = releases(course)
    if assignment not in known:
        raise CourseError(f"과제 {assignment}의 노트북이 release/와 source/에 없습니다. 과제를 먼저 만드세요.")
    rules = read_rules(course.root, assignment) or Rules()
    people = find_roster(course.root, roster)
    decisions = Decisions(course.root, assignment, rules, people)
    listings, files = _sorted_out(sources, rules)
    stored = {attempt.came: attempt for attempt in settled(read_attempts(course.root, assignment), people) if attempt.student}
    answers = partial(Whose, assignment, rules.zone, people, listings, stored=stored)
    received = list(_receive(course.root, assignment, files, answers))
    rows = place(course.root, assignment, decisions, received)
    nothing = rebuild(course, assignment, known, rows, rules)
    _doubt(rows, people)
    table = write_table(course.root, assignment, rows, rules, people)
    handed_in = {row.student for row in rows if row.attempt}
    absent = [student.id for student in people.students if student.id not in handed_in]
    strangers = [student for student in rules.extensions if people.students and not people.by_id(student)]
    late = sorted({row.student for row in rows if row.late})
    untimed = bool(rules.due and handed_in) and not any(row.time or row.attempt and row.attempt.late for row in rows)
    return Collected(rows, table, absent, nothing, strangers, late, untimed)


def _doubt(rows: list[Row], roster: Roster) -> None:
    """Remark on names that hold another student's 학번, unless the instructor has said whose the file is."""
    for row in rows:
        others = [student.id for student in roster.named_in(Path(row.file).name) if student.id != row.student]
        if row.student and others and row.why != DECIDED:
            row.doubt, row.note = True, f"{ANOTHER.format(number=', '.join(others))} {row.note}".strip()


def _sorted_out(sources: Iterable[Path | str], rules: Rules) -> tuple[list[Listing], list[Path]]:
    """Tables of a platform, and everything else. Only what is named itself can be such a table, nothing within a folder."""
    listings, files = [], []
    for source in map(Path, sources):
        if not (source.is_file() and source.suffix.lower() in TABLES):
            files.append(source)
        else:
            listings.append(read_listing(source, rules.zone))
    return listings, files


def _receive(root: Path, assignment: str, sources: list[Path], answers: Callable[[list[Found]], Whose]) -> Iterator[Row]:
    """A row for every file of the sources; what can be stored is."""
    received = now()
    for source in sources:
        files = list(_opened(list(find(source, assignment)), answers))
        whose = answers(files)
        for found in files:
            owner = whose(found)
            if owner.skip:
                continue
            about = {"student": owner.student, "automatic": owner.student, "why": owner.why or owner.reason}
            row = Row(None, found.file, found.parts[0], status=REFUSED, note=found.reason, now=True, **about)
            if not found.reason:
                attempt = Attempt(
                    folder=root,
                    student=owner.student,
                    name=found.parts[-1],
                    file=found.file,
                    origin=found.parts[0],
                    sha256=digest(found.data),
                    received=received,
                    time=owner.time,
                    late=owner.late,
                    sender=owner.sender,
                    why=owner.why or owner.reason,
                    modified=found.modified,
                )
                try:
                    row.attempt, row.new = keep(root, assignment, attempt, found.data)
                except OSError as error:
                    row.note = f"파일을 쓰지 못했습니다. 남은 공간과 파일 이름을 확인하세요. ({error})"
            yield row


def _opened(files: list[Found], answers: Callable[[list[Found]], Whose]) -> Iterator[Found]:
    """Files, and in place of an archive that holds a class its entries. One that a student handed in stays closed."""
    whose = answers(files)
    for found in files:
        owner = whose(found) if found.is_archive else None
        named = owner and whose.roster.students and owner.reason != NOT_LISTED  # one student or, to be asked, several
        if not owner or owner.skip or owner.sender or named or whose.before(found):
            yield found
            continue
        inside = list(entries(found))
        numbers = {number for one in inside for number in numbers_in(one.parts[len(found.parts) :])}
        if owner.student and numbers <= {owner.student}:
            yield found
        else:
            yield from inside
