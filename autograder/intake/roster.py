"""Who takes the course: a CSV with 학번 and 이름, as a portal or Excel saves it.

Other columns (이메일, 아이디, LMS 아이디) only help to find a student; nothing but 학번 and 이름 is kept anywhere.
"""
from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from autograder import CourseError, tables
from autograder.tables import plain

NUMBER = ("학번", "학생번호", "학번(사번)", "Student ID", "Student Number", "ID number", "SIS User ID", "student_id", "id")
NAME = ("이름", "성명", "학생명", "성명(한글)", "한글성명", "Name", "Full name", "Student")
OTHER = ("이메일", "이메일 주소", "Email", "E-mail", "Email address", "아이디", "LMS 아이디", "Username", "Login", "SIS Login ID", "사용자 이름")
SAFE_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z._@-]{0,63}")
RESERVED = {"source", "release", "submitted", "autograded", "feedback"}


@dataclass(frozen=True)
class Student:
    """학번 as the roster writes it, zeros and all, and what else the student is called."""

    id: str
    name: str = ""
    others: tuple[str, ...] = ()


@dataclass
class Roster:
    """The class. Whoever is asked for is one student, or nobody: nobody is guessed."""

    students: list[Student] = field(default_factory=list)

    def by_id(self, text: str) -> Student | None:
        """The student of a 학번, login or e-mail. Zeros that Excel took away in front do not matter where it is clear."""
        found = self._ids.get(text.strip().casefold(), [])
        found = found or [s for s in self.students if s.id.lstrip("0") == text.strip().lstrip("0") and text.strip().isdigit()]
        return found[0] if len(found) == 1 else None

    def by_name(self, name: str) -> Student | None:
        """The only student of a name; 홍 길동, 홍, 길동 and 길동 홍 are 홍길동. None for namesakes."""
        words = re.split(r"[\s,]+", name.strip())
        spellings = {plain(name), plain("".join(reversed(words)))} - {""}
        found = {student.id: student for spelt in spellings for student in self._names.get(spelt, [])}
        return next(iter(found.values())) if len(found) == 1 else None

    def find(self, ids: Iterable[str], name: str) -> tuple[Student | None, str]:
        """The student whom a platform calls so, and what found him: 학번, 이메일, 아이디 or 이름. Ids go before names."""
        said = [(own, student) for own in ids if (student := self.by_id(own) or self.by_id(own.partition("@")[0]))]
        said = said or [(student.id, student) for student in self.named_in(name)]
        found = {student.id: student for _, student in said}
        if len(found) == 1:
            own, student = said[0]
            same = own.lstrip("0").casefold() == student.id.lstrip("0").casefold()
            return student, "학번" if same else "이메일" if "@" in own else "아이디"
        student = None if found else self.by_name(re.sub(r"[0-9()]+", " ", name)) or self.by_name(name)
        return student, "이름" if student else ""

    def namesakes(self, name: str) -> list[Student]:
        return self._names.get(plain(name), [])

    def named_in(self, text: str) -> list[Student]:
        """Students whose 학번 (or a login that is no plain word) stands in a file name, as a word of its own."""
        found = [self.by_id(match[0]) for match in self._pattern.finditer(text)] if self.students else []
        return list({student.id: student for student in found if student}.values())

    def called_in(self, text: str) -> list[Student]:
        """Students whose name, which only they have, stands in a file name, as a word of its own."""
        found = [self.by_name(word) for word in re.findall(r"[가-힣]+|[A-Za-z]+(?: [A-Za-z]+)*", text)]
        return list({student.id: student for student in found if student}.values())

    @cached_property
    def _ids(self) -> dict[str, list[Student]]:
        found: dict[str, list[Student]] = {}
        for student in self.students:
            for name in dict.fromkeys(text.casefold() for text in (student.id, *student.others)):
                found.setdefault(name, []).append(student)
        return found

    @cached_property
    def _names(self) -> dict[str, list[Student]]:
        found: dict[str, list[Student]] = {}
        for student in self.students:
            found.setdefault(plain(student.name), []).append(student)
        return found

    @cached_property
    def _pattern(self) -> re.Pattern:
        logins = {word for student in self.students for word in student.others if re.search(r"[\d@]", word)}
        words = sorted(logins | {student.id for student in self.students}, key=len, reverse=True)
        numbers = [rf"(?<!\d)0*{word.lstrip('0')}(?!\d)" for word in words if word.isdigit()]
        others = [rf"(?<![0-9A-Za-z]){re.escape(word)}(?![0-9A-Za-z])" for word in words if not word.isdigit()]
        return re.compile("|".join(numbers + others), re.IGNORECASE)


def read_roster(path: Path | str) -> Roster:
    """The roster in a CSV file. Raises CourseError when it has no 학번, or one twice."""
    table = tables.read(path)
    number, name = table.column(*NUMBER), table.column(*NAME)
    if number is None:
        raise CourseError(f"'{Path(path).name}' 파일에 '학번' 열이 없습니다. 첫 줄에 학번, 이름이라고 적으세요. 지금 있는 열: {', '.join(table.header)}")
    others = [n for title in OTHER if (n := table.column(title)) not in (None, number, name)]
    students = []
    for line, row in enumerate(table.rows, 2):
        student_id = row[number].strip().removeprefix("=").strip("\"'")  # ="0012345678" keeps zeros in Excel
        if not student_id:
            continue
        if not is_safe(student_id):
            raise CourseError(f"'{Path(path).name}' 파일 {line}번째 줄의 학번 '{student_id}'을 쓸 수 없습니다. 숫자와 영문자, . _ @ -만 쓰세요.")
        called = tuple(filter(None, (row[n].strip() for n in others)))
        students.append(Student(student_id, row[name].strip() if name is not None else "", called))
    ids = [student.id for student in students]
    if double := sorted({student_id for student_id in ids if ids.count(student_id) > 1}):
        raise CourseError(f"'{Path(path).name}' 파일에 같은 학번이 두 번 있습니다: {', '.join(double)}. 한 줄만 남기세요.")
    if not students:
        raise CourseError(f"'{Path(path).name}' 파일에 학생이 한 명도 없습니다. 학번과 이름을 한 줄에 한 명씩 적으세요.")
    return Roster(students)


def find_roster(root: Path, path: Path | str | None = None) -> Roster:
    """The roster at a path, else roster.csv of the course, else an empty one."""
    own = root / "roster.csv"
    return read_roster(path or own) if path or own.is_file() else Roster()


def is_safe(student_id: str) -> bool:
    """Whether a 학번 can name a folder of the course."""
    return bool(SAFE_ID.fullmatch(student_id)) and student_id not in RESERVED and not student_id.endswith(".")
