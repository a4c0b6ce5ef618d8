"""What a learning platform says of its files: whose they are, and when they came.

Two things say it. Names that the platform itself gave (`sender_of`):

    Moodle      홍길동_987654_assignsubmission_file_/lab11.ipynb, or one flat name (mod/assign/classes/downloader.php);
                the number is a participant of this assignment, not a 학번
    Canvas      honggildong_LATE_4711_208490284_lab11.ipynb: a user, a file; no time
    Blackboard  Lab 11_2024123456_attempt_2026-12-14-23-10-05_lab11.ipynb, and a receipt in .txt
    nbgrader    2024123456+lab11+2026-12-14 14:10:05.123 UTC+random (an exchange's inbound folder)

and tables that it exports (`Listing`): Moodle's grading worksheet, Canvas' and Blackboard's gradebook as CSV. Column
titles are those of the English and Korean language packs.
"""
from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

from autograder import CourseError, tables
from autograder.tables import Table

MOODLE, CANVAS, BLACKBOARD, NBGRADER = "Moodle", "Canvas", "Blackboard", "nbgrader"

_MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_[a-z]+(?:_(?P<file>.*))?")
_CANVAS = re.compile(
    r"(?P<name>[^_]+(?:_[^_\d]+)*?)_(?:(?P<late>LATE)_)?(?P<id>\d+)_(?:(?P<upload>\d+)_(?P<file>.+)|(?:text|link)\.html)"
)
_BLACKBOARD = re.compile(r"(?P<prefix>.+_.+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|(?P<receipt>\.txt))")
_NBGRADER = re.compile(r"(?P<id>.+)\+(?P<assignment>[^+]+)\+(?P<time>\d{4}-\d\d-\d\d[^+]*)(?:\+[^+]*)?")


@dataclass(frozen=True)
class Sender:
    """Who handed in one file, in the words of the platform. `ids` are what it may be called in the table or the roster."""

    system: str
    ids: tuple[str, ...]
    name: str = ""
    time: datetime | None = None
    late: bool = False
    file: str = ""  # what is left for the student's own name of the file; "" where that comes below
    receipt: bool = False  # the platform's note on a hand-in, not a hand-in
    assignment: str = ""  # where the name says it

    @property
    def key(self) -> str:
        """The same for every file that came from this sender."""
        return f"{self.system}:{self.ids[0]}"


def sender_of(name: str, zone: ZoneInfo) -> Sender | None:
    """What a platform wrote into the name of a file or folder. A Canvas name is only likely: see `canvas_names`."""
    if match := _MOODLE.fullmatch(name):
        return Sender(MOODLE, (match["id"],), match["name"], file=match["file"] or "")
    if match := _BLACKBOARD.fullmatch(name):
        words = match["prefix"].split("_")[1:]  # both the assignment and the user name may have a _ in them
        users = tuple("_".join(words[n:]) for n in reversed(range(len(words))))
        when = moment(f"{match['time'][:10]} {match['time'][11:].replace('-', ':')}", zone)
        return Sender(BLACKBOARD, users, time=when, file=match["file"] or "", receipt=bool(match["receipt"]))
    if match := _NBGRADER.fullmatch(name):
        return Sender(NBGRADER, (match["id"],), time=moment(match["time"], zone), assignment=match["assignment"])
    if match := _CANVAS.fullmatch(name):
        return Sender(CANVAS, (match["id"],), match["name"], late=bool(match["late"]), file=match["file"] or "")
    return None


def canvas_names(names: Iterable[str], known: Container[str] = ()) -> bool:
    """Whether names that lie side by side are Canvas': all of its form, one user one name, no upload twice.

    과제_11_2024123456_홍길동.ipynb has the form, too; but then all have one "user" or one "name". `known`: keys of a
    table of Canvas; one user of it settles the matter.
    """
    names = list(names)
    found = [match for name in names if (match := _CANVAS.fullmatch(name))]
    if any(f"{CANVAS}:{match['id']}" in known for match in found):
        return True
    people, uploads = {(m["id"], m["name"]) for m in found}, [m["upload"] for m in found if m["upload"]]
    users, called = ({pair[n] for pair in people} for n in (0, 1))
    return len(found) == len(names) and len(users) == len(people) and len(set(uploads)) == len(uploads) and len(called) > 1


# ---- tables -----------------------------------------------------------------------------------------------------

IDENTIFIER, USER = ("Identifier", "식별자"), ("Username", "사용자 이름", "사용자 ID", "사용자 아이디")
PARTICIPANT = re.compile(r"(?:Participant|참가자|참여자)\s*\d+")  # what Moodle writes under Identifier, whatever the other titles
CANVAS_ONLY = ("SIS User ID", "SIS Login ID")
BLACKBOARD_COLUMN = re.compile(r"\|\s*\d+$")  # Lab 11 [Total Pts: 15 Score] |123456
NUMBERS = ("학번", "ID number", "아이디 번호", "ID 번호", "고유번호", "Student ID", "학생 ID", "SIS User ID")
PERSON_IDS = (*NUMBERS, "SIS Login ID", "Username", "사용자 이름", "사용자 아이디", "사용자 ID", "Email address", "이메일 주소", "이메일", "Email")
PERSON_NAMES = ("Full name", "성명", "이름", "전체 이름", "Student")
LAST, FIRST = ("Last Name", "LastName", "성"), ("First Name", "FirstName", "이름")
HANDED_IN = re.compile(r"(?=.*(?:수정|modified))(?=.*(?:제출|submission))", re.IGNORECASE)  # 마지막 수정됨(제출), 최종 수정 (제출)
NEEDED = "Moodle은 식별자(Identifier), Canvas는 ID와 SIS User ID, Blackboard는 사용자 이름(Username)과 점수 열"


@dataclass(frozen=True)
class Person:
    """One row of a platform's table."""

    key: str  # as Sender.key
    ids: tuple[str, ...]  # every identifying cell: 학번, login, e-mail
    name: str
    time: datetime | None = None
    row: int = 0
    number: str = ""  # what stands in a column of student numbers


@dataclass
class Listing:
    """A platform's own table of the class."""

    system: str
    table: Table
    people: dict[str, Person] = field(default_factory=dict)  # by key


def read_listing(path: Path | str, zone: ZoneInfo) -> Listing:
    """The table of a platform. Raises CourseError when the file is some other table, or none."""
    table = tables.read(path)
    if (at := table.column(*IDENTIFIER)) is not None and any(PARTICIPANT.fullmatch(row[at].strip()) for row in table.rows):
        system = MOODLE
    elif (at := table.column("ID")) is not None and table.column(*CANVAS_ONLY) is not None:
        system = CANVAS
    elif (at := table.column(*USER)) is not None and any(BLACKBOARD_COLUMN.search(title) for title in table.header):
        system = BLACKBOARD
    else:
        raise CourseError(
            f"'{Path(path).name}' 파일은 Moodle 채점 워크시트도, Canvas나 Blackboard 성적부도 아닙니다. "
            f"찾은 열: {', '.join(filter(None, table.header))} / 필요한 열: {NEEDED}. "
            "LMS에서 다시 내려받으세요. 명단이면 --roster 뒤에 적으세요."
        )
    return Listing(system, table, {person.key: person for person in _people(system, table, at, zone)})


def _people(system: str, table: Table, at: int, zone: ZoneInfo) -> Iterator[Person]:
    columns, numbers = ([n for title in titles if (n := table.column(title)) is not None] for titles in (PERSON_IDS, NUMBERS))
    name, last, first = (table.column(*titles) for titles in (PERSON_NAMES, LAST, FIRST))
    time = next((n for n, title in enumerate(table.header) if HANDED_IN.match(title)), None)
    for number, row in enumerate(table.rows):
        own = row[at].strip()
        if system == MOODLE:  # "Participant 987654", "참가자987654"
            own = re.search(r"\d*$", own)[0]
        if not own or system == CANVAS and not own.isdigit():  # Canvas: rows of the points possible, of the posting policy
            continue
        parts = (name,) if last is None else (last, first)
        called = " ".join(row[n].strip() for n in parts if n is not None)
        ids = tuple(dict.fromkeys(filter(None, (row[n].strip() for n in columns))))
        when = moment(row[time], zone) if time is not None else None
        yield Person(f"{system}:{own}", ids, called, when, number, next(filter(None, (row[n].strip() for n in numbers)), ""))


# ---- times ------------------------------------------------------------------------------------------------------

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def moment(text: str, zone: ZoneInfo) -> datetime | None:
    """A time as people and platforms write it, in UTC; one that names no zone is meant in `zone`. None when it is none.

    2026-12-14 23:10, 2026. 12. 14. 오후 11:10, Monday, 14 December 2026, 11:10 PM, 월요일, 14 12월 2026, 11:10 오후,
    2026년 12월 14일 23:10, 2026-12-14T14:10:05.12Z, 2026-12-14 23:10:05 +0900.
    """
    text = text.strip()
    clock = re.search(r"(\d{1,2}):(\d\d)(?::(\d\d))?(?:\.\d+)?", text)
    date = _date(text[: clock.start()] + " " + text[clock.end() :] if clock else text)
    if not date or not clock:
        return None
    hour = int(clock[1])
    if half := re.search(r"오전|오후|\b[ap]\.?m\b", text, re.IGNORECASE):
        hour = hour % 12 + (12 if half[0].lower()[0] == "p" or half[0] == "오후" else 0)
    offset = re.search(r"([+-]\d\d):?(\d\d)$", text[clock.end() :])
    shift = f"{offset[1]}:{offset[2]}" if offset else "+00:00" if re.search(r"(Z|UTC|GMT)$", text) else ""
    try:
        found = datetime.fromisoformat(f"{date}T{hour:02}:{clock[2]}:{clock[3] or '00'}{shift}")
        return (found if shift else found.replace(tzinfo=zone)).astimezone(timezone.utc)
    except (ValueError, OverflowError):
        return None


def _date(text: str) -> str:
    year = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", text)
    month = re.search(r"(\d{1,2})월", text) or re.search("|".join(MONTHS), text, re.IGNORECASE)
    if not year:
        return ""
    rest = text[: year.start()] + " " + text[year.end() :]
    if not month:
        numbers = re.findall(r"\d{1,2}", rest)
        return f"{year[0]}-{int(numbers[0]):02}-{int(numbers[1]):02}" if len(numbers) > 1 and year.start() < 3 else ""
    number = int(month[1]) if month[0].endswith("월") else MONTHS.index(month[0].lower()) + 1
    day = re.search(r"(?<!\d)\d{1,2}(?![\d월])", rest.replace(month[0], " "))
    return f"{year[0]}-{number:02}-{int(day[0]):02}" if day else ""

