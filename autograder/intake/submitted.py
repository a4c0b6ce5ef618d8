"""submitted/<학번>/<assignment>/, made from attempts: the one that counts, mended, and the time it was handed in.

Also what the grader's record shall say of it: reports/<assignment>/intake/<학번>.json. Both can be made again at any time
and come out the same, byte for byte; what is right already is not touched.
"""
from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import nbformat

from autograder import CourseError
from autograder.grade.folder import CourseFolder
from autograder.intake.archives import MAX_TOTAL, Found, entries
from autograder.intake.attempts import UNMATCHED
from autograder.intake.identify import Releases, identify
from autograder.intake.matches import COUNTS, Row
from autograder.intake.reading import read
from autograder.intake.repair import NothingToGrade, mend
from autograder.intake.rules import Rules, lateness

STAMP = "%Y-%m-%d %H:%M:%S UTC"  # as nbgrader reads it
MAX_STUDENT = MAX_TOTAL // 4  # what one student's archive may hold
AFTER, BEFORE = "마감 뒤에 낸 것이라 그 전에 낸 것을 채점합니다.", "더 나중에 낸 것을 채점합니다."
BLANK = "답이 없는 파일이라 답이 있는 것을 채점합니다."
LATE_BY, LATE_ROW = "마감보다 {time} 늦게 냈습니다.", "마감보다 {time} 늦음."
LATE = "LMS에 늦은 제출로 표시되어 있습니다. 낸 시각은 알 수 없습니다."
BESIDE = "함께 든 다른 파일: {names}"
MAX_REASONS = 5
ODD_FILE = "읽다가 문제가 생겼습니다({kind}). 파일을 열어 확인하세요."


@dataclass
class Candidate:
    """One notebook of the assignment in one attempt."""

    row: Row
    when: datetime
    modified: float
    name: str
    notebook: str  # the release name it stands for
    content: bytes  # mended
    notes: list[str]
    blank: bool  # the release as it was handed out

    @property
    def order(self) -> tuple:
        return self.when, self.row.attempt.received, self.modified, self.name == f"{self.notebook}.ipynb", self.name


def rebuild(course: CourseFolder, assignment: str, known: Releases, rows: list[Row], rules: Rules) -> dict[str, str]:
    """Make the folders of everybody who has attempts. Says in every row whether it counts, and if not, why.

    Returns the students of whom nothing can be graded, with the reason: they get a folder without a notebook, so that
    the grader has a record of them, too.
    """
    places = [path.parent.name for path in (course.root / "attempts").glob("*/*") if path.name == assignment]
    mine: dict[str, list[Row]] = {student: [] for student in places if student != UNMATCHED}
    for row in rows:
        if row.attempt and row.student:
            mine.setdefault(row.student, []).append(row)
    nothing = {}
    for student, own in sorted(mine.items()):
        if not own:
            _withdraw(course, assignment, student)
            continue
        counting = _counting(own, student, assignment, known, rules)
        when = max(rules.handed_in(row.attempt, student, row.time) for row in [one.row for one in counting] or own)
        notes = [note for one in counting for note in one.notes]
        if late := rules.late_by(when, student):
            untimed = any(one.row.attempt.late and not one.row.time for one in counting)
            notes.append(LATE if untimed else LATE_BY.format(time=lateness(late)))
        if not counting:
            nothing[student] = " ".join(dict.fromkeys(row.note for row in own))
        _write(course.path("submitted", student, assignment), {f"{one.notebook}.ipynb": one.content for one in counting}, when)
        _tell(_told(course.root, assignment, student), notes, nothing.get(student, ""))
    return nothing


def _counting(rows: list[Row], student: str, assignment: str, known: Releases, rules: Rules) -> list[Candidate]:
    """For every notebook of the assignment the candidate that counts."""
    found = [one for row in rows for one in _candidates(row, student, assignment, known, rules)]
    found.sort(key=lambda one: one.order)
    counting = []
    for notebook in sorted({one.notebook for one in found}):
        same = [one for one in found if one.notebook == notebook]
        answered = [one for one in same if not one.blank] or same  # the release itself, sent by mistake, replaces no answer
        chosen = answered[rules.choose([one.when for one in answered], student)]
        counting.append(chosen)
        chosen.row.status, chosen.row.notebook = COUNTS, notebook
        notes = list(chosen.notes)
        if late := rules.late_by(chosen.when, student):
            notes.insert(0, LATE_ROW.format(time=lateness(late)) if chosen.row.time or not chosen.row.attempt.late else LATE)
        chosen.row.late = bool(late)
        chosen.row.note = " ".join([*notes, chosen.row.note]).strip()
        for one in same:
            if one.row.status != COUNTS:
                too_late = one.when > chosen.when
                reason = BLANK if one not in answered else AFTER if too_late else BEFORE
                one.row.note = " ".join([reason, one.row.note]).strip()
    return counting


def _candidates(row: Row, student: str, assignment: str, known: Releases, rules: Rules) -> Iterator[Candidate]:
    """Notebooks of the assignment in an attempt; why its other files are none goes into the row's note."""
    attempt, refused, others, any_notebook = row.attempt, [], {}, False
    whole = Found((attempt.name,), attempt.data, attempt.modified)
    when = rules.handed_in(attempt, student, row.time)
    for found in entries(whole, MAX_STUDENT) if whole.is_archive else [whole]:
        where = f"{found.file}: " if len(found.parts) > 1 else ""
        if found.reason:
            refused.append(where + found.reason)
            continue
        try:
            candidate = Candidate(row, when, found.modified, found.parts[-1], *_understood(found, assignment, known))
        except CourseError as error:
            others[found.file] = f"{where}{error}"
        except Exception as error:  # one odd file must not stop a class
            others[found.file] = where + ODD_FILE.format(kind=type(error).__name__)
        else:
            any_notebook = True
            yield candidate
    beside = [BESIDE.format(names=", ".join([*list(others)[:MAX_REASONS], *["…"] * (len(others) > MAX_REASONS)]))] if others else []
    reasons = refused + (beside if any_notebook else list(others.values()))
    row.note = " ".join(reasons[:MAX_REASONS]) + (f" 외 {len(reasons) - MAX_REASONS}개" if len(reasons) > MAX_REASONS else "")


def _understood(found: Found, assignment: str, known: Releases) -> tuple[str, bytes, list[str], bool]:
    """(release name, mended bytes, notes, blank) of a notebook of the assignment. Raises CourseError for anything else."""
    notebook = read(found.data)
    what = identify(notebook, known, assignment, found.parts[-1])
    if what.reason:
        raise CourseError(what.reason)
    try:
        mended, nothing = mend(notebook, known[assignment][what.notebook]), []
    except NothingToGrade as error:
        if not error.mended:
            raise
        mended, nothing = error.mended, [str(error)]
    return what.notebook, nbformat.writes(mended.notebook).encode(), [*nothing, *mended.notes], bool(nothing)


def _write(folder: Path, notebooks: dict[str, bytes], when: datetime) -> None:
    """Make a folder hold these notebooks and this time, and no other notebook."""
    wanted = notebooks | {"timestamp.txt": f"{when:{STAMP}}\n".encode()}
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.ipynb"):
        if path.name not in wanted:
            path.unlink()
    for name, content in wanted.items():
        if not (folder / name).is_file() or (folder / name).read_bytes() != content:
            (folder / name).write_bytes(content)


def _withdraw(course: CourseFolder, assignment: str, student: str) -> None:
    """Nothing of this student is left: it was all given to others."""
    folder = course.path("submitted", student, assignment)
    record = course.root / "reports" / assignment / "records" / f"{student}.json"
    for path in [*folder.glob("*.ipynb"), folder / "timestamp.txt", record, _told(course.root, assignment, student)]:
        path.unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


# ---- for the record ---------------------------------------------------------------------------------------------


def told(root: Path, assignment: str, student: str) -> tuple[list[str], str]:
    """(notes, reason) for the record of a hand-in: what was mended, how late it is; why there is nothing to grade."""
    try:
        found = json.loads(_told(root, assignment, student).read_text(encoding="utf-8"))
        return list(found["notes"]), str(found["reason"])
    except (OSError, ValueError, KeyError, TypeError):  # a course that collects in other ways
        return [], ""


def _tell(path: Path, notes: list[str], reason: str) -> None:
    content = json.dumps({"notes": notes, "reason": reason}, ensure_ascii=False, indent=1) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != content:
        path.write_text(content, encoding="utf-8")


def _told(root: Path, assignment: str, student: str) -> Path:
    return root / "reports" / assignment / "intake" / f"{student}.json"
