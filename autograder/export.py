"""Grades out of the course: a CSV that Excel opens as it is, and the tables that Moodle, Canvas and Blackboard take back.

Hangul is readable, student numbers are whole, no cell is a formula.
"""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from autograder import CourseError, tables
from autograder.grade.folder import CourseFolder
from autograder.grade.records import REFUSED, STOPPED, Record
from autograder.grade.totals import STALE, Total, points, total
from autograder.intake.attempts import read_attempts
from autograder.intake.listings import (
    BLACKBOARD,
    BLACKBOARD_COLUMN,
    CANVAS,
    CANVAS_ONLY,
    FIRST,
    IDENTIFIER,
    LAST,
    MOODLE,
    USER,
    Listing,
    moment,
    read_listing,
)
from autograder.intake.matches import senders, times
from autograder.intake.roster import Roster, Student
from autograder.intake.rules import Rules, lateness, read_rules
from autograder.tables import Table, harmless, plain, text

COLUMNS = ("학번", "과제", "자동 채점", "손 채점", "합계", "만점", "상태", "낸 시각", "늦음", "이유")
NAME = "이름"  # second, where there is a roster
ABSENT, WAITING = "내지 않음", "채점 전"  # of students without a record

GRADE, MAXIMUM, COMMENT = ("Grade", "성적"), ("Maximum grade", "최대 성적"), ("Feedback comments", "피드백 코멘트")
CANVAS_COLUMN = re.compile(r"\((\d+)\)$")  # Lab 11 (4711)
WHO = {  # columns that Canvas and Blackboard know a student by; scores of other assignments stay at home
    CANVAS: ("Student", "LastName", "FirstName", "ID", *CANVAS_ONLY, "Integration ID", "Root Account", "Section"),
    BLACKBOARD: (*LAST, *FIRST, *USER, "Student ID", "학생 ID"),
}
KEYS = (*IDENTIFIER, "ID", *CANVAS_ONLY, *USER)  # what a platform looks a row up by: written as it was read
LEFT_ALONE = ("EX", "N/A")  # Canvas: excused, not assigned


def write_grades(
    course_dir: Path | str, assignment: str, records: list[Record], path: Path | str, roster: Roster | None = None
) -> Path:
    """Write one row per record, by student, with hand scores from the gradebook; the path.

    자동 채점 + 손 채점 - a late penalty = 합계. 손 채점 stays empty until a person has given something; it contains what
    a person changed in automatic scores, too. What could not be graded has no score: 0 would be a judgement. With a
    roster names stand beside the numbers, and whoever handed in nothing has a row, too.
    """
    course = CourseFolder(course_dir)
    scores, rules, when = course.hand_scores(assignment), read_rules(course.root, assignment) or Rules(), times(course.root, assignment)
    names = {student.id: student.name for student in roster.students} if roster else {}
    rows = []
    for record in sorted(records, key=lambda record: record.student):
        sums = total(record, scores.get(record.student))
        own = (None,) * 3 if record.status == REFUSED else (sums.auto, sums.hand, sums.score)
        time = when.get(record.student, "")
        handed_in = moment(time, rules.zone)
        late = handed_in and rules.late_by(handed_in, record.student)
        who = [text(record.student), *([text(names.get(record.student, ""))] if names else [])]
        numbers = [points(value) for value in (*own, sums.max)]
        status = [_status(record, sums.waiting), time, lateness(late) if late else ""]
        rows.append([*who, text(assignment), *numbers, *status, text(_reason(record, sums))])
    missing, here = names.keys() - {record.student for record in records}, course.students(assignment) if names else []
    rows += [
        [text(student), text(names[student]), text(assignment), *[""] * 4, WAITING if student in here else ABSENT, *[""] * 3]
        for student in sorted(missing)
    ]
    header = [COLUMNS[0], *([NAME] if names else []), *COLUMNS[1:]]
    return tables.write(path, Table(header, sorted(rows, key=lambda row: row[0].lstrip("'"))))


def _status(record: Record, waiting: list[str]) -> str:
    if record.status == REFUSED:
        return "채점 못 함"
    if record.status == STOPPED:
        return "중간에 멈춤"
    return "확인 전" if waiting else "채점함"


def _reason(record: Record, sums: Total) -> str:
    parts = [*([record.reason] if record.reason else []), *record.flags]
    if sums.stale:
        parts.append(STALE.format(cells=", ".join(sums.stale)))
    if sums.waiting:
        parts.append(f"사람이 볼 셀: {', '.join(sums.waiting)}")
    if sums.penalty:
        parts.append(f"지각 감점 {points(sums.penalty)}점")
    return " / ".join(parts)


# ---- a platform's table -----------------------------------------------------------------------------------------


@dataclass
class Filled:
    """What was written for a platform, and what the instructor should know about it."""

    path: Path
    system: str
    filled: list[str] = field(default_factory=list)  # students
    no_row: list[str] = field(default_factory=list)  # students whom the table does not have
    no_score: list[str] = field(default_factory=list)  # nothing could be graded; the cell stays as it was
    waiting: list[str] = field(default_factory=list)  # something is still to be graded by hand; the score so far
    maxima: tuple[str, str] | None = None  # (the platform's, ours) where they differ


def fill(
    course_dir: Path | str,
    assignment: str,
    records: list[Record],
    table: Path | str,
    path: Path | str,
    roster: Roster | None = None,
    column: str = "",
) -> Filled:
    """Write a platform's own table with our scores in it.

    Moodle's worksheet keeps every column and gets a comment where there is something to say; of a gradebook only the
    columns that say who, and the one of the assignment, are written, so that no other score is set back to what it was.
    Who is who is known from collecting and from the roster. Raises CourseError when it is no such table, or when the
    column is not clear (`column`: a part of its title).
    """
    course = CourseFolder(course_dir)
    rules = read_rules(course.root, assignment) or Rules()
    listing = read_listing(table, rules.zone)
    at = _grade_column(listing, assignment, column)
    scores, known = course.hand_scores(assignment), {record.student: record for record in records}
    rows = _rows_of_students(listing, course.root, assignment, roster or Roster(), known)
    comment = listing.table.column(*COMMENT) if listing.system == MOODLE else None
    result = Filled(Path(path), listing.system, no_row=sorted(known.keys() - rows.keys()))
    for student, record in sorted(known.items()):
        row, sums = rows.get(student), total(record, scores.get(student))
        if row is None:
            continue
        if record.status == REFUSED or row[at].strip().upper() in LEFT_ALONE:
            result.no_score.append(student)
        else:
            row[at] = points(sums.score)
            result.filled.append(student)
            result.waiting += [student] if sums.waiting else []
        if comment is not None and not row[comment].strip():
            row[comment] = text(_comment(record, sums))
        result.maxima = result.maxima or _differing(listing, at, row, sums.max)
    tables.write(path, _safe(listing, at))
    return result


def _grade_column(listing: Listing, assignment: str, wanted: str) -> int:
    header = listing.table.header
    if listing.system == MOODLE:
        if (at := listing.table.column(*GRADE)) is None:
            raise CourseError("채점 워크시트에 성적(Grade) 열이 없습니다. Moodle에서 다시 내려받으세요.")
        return at
    form = CANVAS_COLUMN if listing.system == CANVAS else BLACKBOARD_COLUMN
    ours = {n: title for n, title in enumerate(header) if form.search(title)}
    bare = {n: form.sub("", title) for n, title in ours.items()}
    spelt = re.sub(r"(?<=[^\W\d_])(?=\d)", r"[\\s_-]*0*", re.escape(assignment))  # lab11 is Lab 11, Lab-11
    ways = (
        [n for n, title in ours.items() if wanted and wanted in title],
        [n for n, title in bare.items() if not wanted and plain(title) == plain(assignment)],
        [n for n, title in bare.items() if not wanted and re.search(rf"(?<![^\W_]){spelt}(?!\d)", title, re.IGNORECASE)],
    )
    found = next(filter(None, ways), [])
    if len(found) != 1:
        raise CourseError(
            f"성적부에서 과제 {assignment}의 열을 하나로 정할 수 없습니다. --column 뒤에 열 이름을 적으세요. "
            f"열: {', '.join(ours.values()) or '없음'}"
        )
    return found[0]


def _rows_of_students(
    listing: Listing, root: Path, assignment: str, roster: Roster, known: dict[str, Record]
) -> dict[str, list[str]]:
    """학번 -> row. A row that two could be, or a student with two rows, is nobody's."""
    said = senders(root, assignment, read_attempts(root, assignment))
    roster = Roster([*roster.students, *(Student(student) for student in known if not roster.by_id(student))])
    found: dict[str, list[int]] = {}
    for person in listing.people.values():
        student = roster.by_id(said.get(person.key, "")) or roster.find(person.ids, person.name)[0]
        if student:
            found.setdefault(student.id, []).append(person.row)
    return {student: listing.table.rows[rows[0]] for student, rows in found.items() if len(rows) == 1}


def _comment(record: Record, sums: Total) -> str:
    """What the student should read beside the score."""
    parts = [record.reason] if record.reason else []
    parts += ["아직 손으로 채점할 문제가 남아 있습니다."] if sums.waiting else []
    parts += [f"지각 감점 {points(sums.penalty)}점."] if sums.penalty else []
    return " ".join(parts)


def _differing(listing: Listing, at: int, row: list[str], ours: float) -> tuple[str, str] | None:
    """The platform's maximum and ours, where both are known and not the same."""
    if listing.system == MOODLE:
        found = row[n] if (n := listing.table.column(*MAXIMUM)) is not None else ""
    elif listing.system == CANVAS:
        found = next((other[at] for other in listing.table.rows if "Points Possible" in "".join(other)), "")
    else:
        match = re.search(r"(\d+(?:[.,]\d+)?)", listing.table.header[at].partition("[")[2])
        found = match[1] if match else ""
    try:
        return (found.strip(), points(ours)) if abs(float(found.replace(",", ".")) - ours) >= 0.005 else None
    except ValueError:
        return None


def _safe(listing: Listing, at: int) -> Table:
    """The table to write: the columns that the platform needs, without formulas, in an encoding that it reads."""
    table = listing.table
    keys = {n for title in KEYS if (n := table.column(title)) is not None}
    who = {plain(title) for title in WHO.get(listing.system, table.header)}
    kept = [n for n, title in enumerate(table.header) if n == at or plain(title) in who]
    rows = [[row[n] if n in keys else harmless(row[n]) for n in kept] for row in table.rows]
    encoding = "utf-8-sig" if table.encoding == "cp949" else table.encoding  # Excel saved it; the platforms want Unicode
    return Table([table.header[n] for n in kept], rows, encoding, table.delimiter)
