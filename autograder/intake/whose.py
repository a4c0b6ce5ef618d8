"""Whose a file is: by the platform's names and tables, by the roster, by the outermost name; never by guess.

A name counts for as much as the one who gave it. From the outside in: the platform or the instructor named the outer
folders and archives, the student the inner ones, so the outermost name that says a student decides and what lies inside
may say what it likes. Archives that students handed in are not even opened for it.
"""
from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from autograder.intake.archives import Found
from autograder.intake.attempts import Attempt, digest
from autograder.intake.listings import BLACKBOARD, CANVAS, MOODLE, NBGRADER, Listing, Person, Sender, canvas_names, sender_of
from autograder.intake.roster import Roster, is_safe

NUMBER = re.compile(r"(?<![0-9])[0-9]{8,10}(?![0-9])")
DATE = re.compile(r"20\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
ARCHIVE = re.compile(r"\.(zip|tar|tgz|tar\.\w+)$", re.IGNORECASE)
BULK = re.compile(r"gradebook_", re.IGNORECASE)  # how Blackboard calls the archive of a whole class

NOBODY = "파일이나 폴더 이름에 학번(숫자 8~10자리)이 없습니다. 명단(--roster)을 주거나 대응표에 학번을 적으세요."
IN_ROSTER = "이름 '{part}'의 학번이 명단에 있음"
FORGED = "이름은 {said}의 것이라고 하지만 {account} 계정이 낸 폴더입니다. 확인하고 대응표에 학번을 적으세요."
NO_CLASS = (
    "압축 파일 안의 이름이 {said}의 것이라고 하지만 반 전체의 압축인지 알 수 없습니다. "
    "LMS 성적부를 함께 주거나 대응표에 학번을 적으세요."
)
TWO_NUMBERS = (
    "바깥 이름의 수 {around}과 안쪽 이름의 수 {within}이 다릅니다. 명단(--roster)을 주거나 대응표에 학번을 적으세요."
)
MANY_NUMBERS = "이름에 학번으로 볼 수 있는 수가 둘 이상입니다: {numbers}. 명단(--roster)을 주거나 대응표에 학번을 적으세요."
MANY_DAYS = "이름에 날짜로도 학번으로도 볼 수 있는 수가 여럿입니다: {numbers}. 명단을 주거나 대응표에 학번을 적으세요."
NO_COLUMN = "{table}에 학번 열이 없습니다. 학번과 이름이 든 명단을 --roster로 주세요."
NO_NUMBER = "{table}에 이 학생의 학번이 없습니다. 학번과 이름이 든 명단을 --roster로 주세요."
TABLES = {MOODLE: "채점 워크시트", CANVAS: "성적부", BLACKBOARD: "성적부"}
NOT_LISTED = "이름에 명단의 학번도, 명단에 하나뿐인 이름도 없습니다. 대응표에 학번을 적으세요."


@dataclass(frozen=True)
class Owner:
    """The student of a file, or "" and a reason. `why` says what decided; `sender` is how the platform calls him."""

    student: str = ""
    why: str = ""
    reason: str = ""
    sender: str = ""
    time: datetime | None = None  # of handing in, where the platform says it
    late: bool = False
    skip: bool = False  # not a hand-in for this assignment at all


@dataclass
class Whose:
    """Answers for the files of one source, which it has to see all: what lies side by side tells what a name means."""

    assignment: str
    zone: ZoneInfo
    roster: Roster
    listings: list[Listing]
    files: list[Found] = field(default_factory=list)
    stored: dict[tuple[str, str, str], Attempt] = field(default_factory=dict)  # what is here already, by Attempt.came

    def __post_init__(self):
        self.people = {key: person for listing in self.listings for key, person in listing.people.items()}
        beside = defaultdict(set)
        for found in self.files:
            for depth in range(1, len(found.parts)):
                beside[found.parts[:depth]].add(found.parts[depth])
        self.canvas = {place for place, names in beside.items() if canvas_names(names, self.people)}
        self.inside = {number for found in self.files for part in found.parts[1:] for number in NUMBER.findall(part)}
        senders = [self._sender(found)[0] for found in self.files]
        self.users = {sender.ids for sender in senders if sender and sender.system == BLACKBOARD}
        self.accounts = {sender.ids[0] for sender in senders if sender and sender.system == NBGRADER}

    def __call__(self, found: Found) -> Owner:
        """Only a roster, or the instructor, takes a file from the student whose it was found to be."""
        owner, before = self._owner(found), self.before(found)
        return replace(owner, student=before.student, why=before.why, reason="") if before and not owner.skip else owner

    def before(self, found: Found) -> Attempt | None:
        """What an earlier collection, which may have known more, stored of the same file."""
        if self.roster.students or not self.stored:
            return None
        return self.stored.get((found.parts[0], found.file, digest(found.data)))

    def _owner(self, found: Found) -> Owner:
        sender, depth = self._sender(found)
        if sender is None:
            return self._by_names(found.parts)
        if sender.receipt or sender.assignment not in ("", self.assignment):
            return Owner(skip=True)
        keys = [f"{sender.system}:{own}" for own in sender.ids]
        person = next((self.people[key] for key in keys if key in self.people), None)
        known = {"sender": sender.key, "time": (person.time if person else None) or sender.time, "late": sender.late}
        outer = {student.id: part for part in found.parts[:depth] for student in self.roster.named_in(part)}
        if len(outer) == 1 and not person:  # a platform's names within what is itself a student's
            student, part = outer.popitem()
            return Owner(student, IN_ROSTER.format(part=part))
        student, why = self._by_sender(sender, person, found.parts[:depth])
        if sender.system == NBGRADER and self._is_another(found.account, sender.ids[0], student):
            student, why = "", FORGED.format(said=sender.ids[0], account=found.account)
        return Owner(student, why, **known) if student else Owner(reason=why, **known)

    def _sender(self, found: Found) -> tuple[Sender | None, int]:
        """What a platform says, and at which of the names."""
        for depth, part in enumerate(found.parts):
            sender = sender_of(part, self.zone)
            if sender and (sender.system != CANVAS or found.parts[:depth] in self.canvas):
                return sender, depth
        return None, 0

    def _by_sender(self, sender: Sender, person: Person | None, around: tuple[str, ...]) -> tuple[str, str]:
        """(student, why) or ("", reason)."""
        name = person.name if person else sender.name
        ids = [*(person.ids if person else ()), *(sender.ids if sender.system in (BLACKBOARD, NBGRADER) else ())]
        if sender.system == BLACKBOARD and not person and not self._whole_class(around, sender):
            return "", NO_CLASS.format(said=sender.ids[0])
        if not self.roster.students:
            numbers = [own for own in (*ids, *NUMBER.findall(name)) if NUMBER.fullmatch(own)]
            own = [person.number] if person else ids[:1]  # a login in a table is no 학번; an exchange has nothing but logins
            numbers = numbers or [text for text in own if is_safe(text) and "@" not in text]
            return (numbers[0], _found_in(sender, person, "학번")) if numbers else ("", self._ask(sender, name, person))
        student, by = self.roster.find(ids, name)
        return (student.id, _found_in(sender, person, by)) if student else ("", self._ask(sender, name, person))

    def _ask(self, sender: Sender, name: str, person: Person | None) -> str:
        who = f"{sender.system}의 '{name or sender.ids[0]}'"
        if same := self.roster.namesakes(name):
            return f"{who}: 같은 이름이 명단에 {len(same)}명 있습니다({', '.join(s.id for s in same)}). 대응표에 학번을 적으세요."
        if self.roster.students:
            return f"{who}을(를) 명단에서 찾지 못했습니다. 대응표에 학번을 적으세요."
        table = TABLES.get(sender.system, "")
        if person:
            listed = any(other.number for other in self.people.values() if other.key.startswith(f"{sender.system}:"))
            return (NO_NUMBER if listed else NO_COLUMN).format(table=table)
        also = f" 학번 열이 있는 {table}도 됩니다." if table else ""
        return f"{who}의 학번을 알 수 없습니다. 학번과 이름이 든 명단을 --roster로 주세요.{also}"

    def _whole_class(self, around: tuple[str, ...], sender: Sender) -> bool:
        """Whether an archive with Blackboard's names in it is Blackboard's own, not one student's with such a file in it."""
        archive = next((part for part in reversed(around) if ARCHIVE.search(part)), "")
        named = [ids for ids in self.users if re.search(rf"(?<!\w){re.escape(ids[0])}(?!\w)", archive)]
        if named:  # it is the archive of whom it is named after
            return sender.ids in named
        return not archive or len(self.users) > 1 or bool(BULK.match(archive))

    def _is_another(self, account: str, said: str, student: str) -> bool:
        """Whether an exchange's folder, which any student can give any name, is on the machine another student's."""
        other = self.roster.by_id(account)
        return account != said and (other.id != student if other else account in self.accounts)

    # ---- names without a platform -------------------------------------------------------------------------------

    def _by_names(self, parts: tuple[str, ...]) -> Owner:
        if self.roster.students:
            return self._in_roster(parts) or Owner(reason=NOT_LISTED)
        return self._by_numbers(parts)

    def _in_roster(self, parts: tuple[str, ...]) -> Owner | None:
        """By the outermost name that says somebody of the roster."""
        for depth, part in enumerate(parts):
            numbers, names = self.roster.named_in(part), self.roster.called_in(part)
            if not depth and len(parts) > 1:  # what holds many files may bear the name of whoever teaches
                names = []
            if len(numbers) > 1 or len(names) > 1 or numbers and names and numbers != names:
                people = ", ".join(f"{student.id} {student.name}".strip() for student in [*numbers, *names])
                return Owner(reason=f"이름 '{part}'에 명단의 학생이 둘 이상 있습니다: {people}. 대응표에 학번을 적으세요.")
            if numbers:
                return Owner(numbers[0].id, IN_ROSTER.format(part=part))
            if names:
                return Owner(names[0].id, f"이름 '{part}'의 {names[0].name}이 명단에 하나")
        return None

    def _by_numbers(self, parts: tuple[str, ...]) -> Owner:
        """By 8 to 10 digits in a name, or as nbgrader lays it out: <student>/<assignment>/x.ipynb.

        What holds a whole class may have a number in its name (a course, a day): it counts where nothing inside says one.
        """
        folder = parts[-3] if len(parts) > 2 and parts[-2] == self.assignment else ""
        if folder and is_safe(folder) and not NUMBER.search(folder):
            return Owner(folder, f"폴더 {folder}/{self.assignment}")
        around, within = numbers_in(parts[:1]), numbers_in(parts[1:])
        only_one = set(within) == {number for number in self.inside if not DATE.fullmatch(number)}
        if ARCHIVE.search(parts[0]) and around and len(within) == 1 and within != around and only_one:
            return Owner(reason=TWO_NUMBERS.format(around=around[0], within=within[0]))
        kept = parts[1:] if len(parts) > 1 and self.inside else parts
        for part in kept:
            numbers = numbers_in([part])
            if len(numbers) > 1:
                return Owner(reason=MANY_NUMBERS.format(numbers=", ".join(numbers)))
            if numbers:
                return Owner(numbers[0], f"이름 '{part}'의 학번")
        days = list(dict.fromkeys(number for part in kept for number in NUMBER.findall(part)))
        if len(days) > 1:
            return Owner(reason=MANY_DAYS.format(numbers=", ".join(days)))
        if days and _is_recent(days[0]):
            return Owner(reason=f"이름에 든 수 {days[0]}은 낸 날짜로 보입니다. 이름에 학번을 넣거나 명단을 주세요.")
        return Owner(days[0], "이름의 학번") if days else Owner(reason=NOBODY)


def _found_in(sender: Sender, person: Person | None, by: str) -> str:
    """Where the platform says what found the student, for the match table."""
    if person:
        return f"{TABLES[sender.system]}의 {by}"
    place = "폴더" if sender.system in (MOODLE, NBGRADER) and not sender.file else "파일"
    return f"{sender.system} {place} 이름에 든 {'학생 이름' if by == '이름' else by}"


def numbers_in(parts: Iterable[str]) -> list[str]:
    """Numbers of a student's length that do not read as a date."""
    return list(dict.fromkeys(n for part in parts for n in NUMBER.findall(part) if not DATE.fullmatch(n)))


def _is_recent(date: str) -> bool:
    """Whether eight digits are a day of this year or of its neighbours: then they are more likely a day than a 학번."""
    try:
        return abs((datetime.strptime(date, "%Y%m%d") - datetime.now()).days) < 400
    except ValueError:  # the 31st of February
        return False
