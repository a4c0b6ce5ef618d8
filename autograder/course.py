"""course.yml as a dataclass: everything an instructor may change, checked once when it is read."""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import yaml

from autograder import CourseError

ANSWER_POLICIES = ("never", "after_due", "always")
# What a hand-in may use while it is graded: seconds of a cell and of a notebook, MB of memory and of disk, processes, kB of
# output of a cell and of a notebook.
LIMITS = {
    "cell_seconds": 60, "notebook_seconds": 600, "memory_mb": 1500, "disk_mb": 256, "processes": 64,
    "cell_output_kb": 1000, "notebook_output_kb": 4000,
}  # fmt: skip
LAST_ON_TIME, LAST = "last_on_time", "last"  # which attempt of a student counts


@dataclass(frozen=True)
class Assignment:
    """One nbgrader assignment, assembled from chapters."""

    name: str
    title: str
    chapters: tuple[str, ...]
    version: str = "1"  # a whole number; students who hold a lower one than is published are told
    due: datetime | None = None  # with the course's time zone
    grace: timedelta = timedelta()  # how much later is still on time
    counts: str = LAST_ON_TIME


@dataclass(frozen=True)
class Course:
    """The course folder and what course.yml says about it."""

    root: Path
    title: str
    author: str
    student_repository: str  # "owner/name" of the public repository
    branch: str
    site_url: str  # ends with "/"
    timezone: ZoneInfo
    answers: str  # one of ANSWER_POLICIES
    assignments: dict[str, Assignment] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=lambda: dict(LIMITS))

    @property
    def chapters(self) -> Path:
        return self.root / "chapters"

    @property
    def build(self) -> Path:
        return self.root / "_build"

    def assignment(self, name: str) -> Assignment:
        """The named assignment; raises CourseError with the known names."""
        if name not in self.assignments:
            known = ", ".join(self.assignments) or "없음"
            raise CourseError(f"course.yml에 '{name}' 과제가 없습니다. 있는 과제: {known}")
        return self.assignments[name]

    def answers_allowed(self, chapter: str, now: datetime | None = None) -> bool:
        """Whether the site may show worked solutions of a chapter: course.yml `answers`."""
        if self.answers != "after_due":
            return self.answers == "always"
        now = now or datetime.now(self.timezone)
        dues = [a.due for a in self.assignments.values() if chapter in a.chapters]
        return bool(dues) and all(due is not None and due < now for due in dues)

    def colab(self, path: str) -> str:
        """Address that opens a notebook of the student repository in Colab."""
        return f"https://colab.research.google.com/github/{self.student_repository}/blob/{self.branch}/{path}"


def load(root: Path | str) -> Course:
    """Read ROOT/course.yml. Raises CourseError naming the key that is wrong."""
    root = Path(root).resolve()
    path = root / "course.yml"
    if not path.is_file():
        raise CourseError(f"{root}에 course.yml이 없습니다. 교재 폴더에서 실행하거나 course.yml을 만드세요.")
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise CourseError(f"course.yml을 읽을 수 없습니다. UTF-8인지, 들여쓰기와 콜론이 맞는지 확인하세요.\n{error}") from error
    try:
        return _course(root, data)
    except (TypeError, AttributeError, ValueError, KeyError, OSError) as error:  # a list where a mapping belongs, ...
        raise CourseError(f"course.yml의 모양이 맞지 않습니다. 처음의 course.yml과 견주어 보세요. ({error})") from error


def _course(root: Path, data: dict) -> Course:

    def need(key: str, check=lambda value: True, hint: str = ""):
        value = data.get(key)
        if value in (None, "") or not check(value):
            raise CourseError(f"course.yml의 '{key}' 값이 비어 있거나 맞지 않습니다: {value!r}. {hint}".rstrip())
        return value

    try:
        zone = ZoneInfo(str(data.get("timezone", "Asia/Seoul")))
    except (KeyError, ValueError) as error:
        raise CourseError(f"course.yml의 'timezone'을 알 수 없습니다: {data.get('timezone')!r}. 예: Asia/Seoul") from error
    assignments = {
        name: _assignment(root, name, entry or {}, zone) for name, entry in (data.get("assignments") or {}).items()
    }
    answers = need("answers", lambda v: v in ANSWER_POLICIES, f"가능한 값: {', '.join(ANSWER_POLICIES)}")
    limits = LIMITS | {str(key): value for key, value in (data.get("limits") or {}).items()}
    for key, value in limits.items():
        if key not in LIMITS:
            raise CourseError(f"course.yml의 limits에 '{key}'는 없습니다. 쓸 수 있는 것: {', '.join(LIMITS)}")
        if type(value) is not int or value < 1:
            raise CourseError(f"course.yml의 limits.{key}는 1 이상의 정수여야 합니다: {value!r}")
    return Course(
        root=root,
        title=str(need("title")),
        author=str(data.get("author", "")),
        student_repository=str(
            need("student_repository", lambda v: re.fullmatch(r"[\w.-]+/[\w.-]+(?<!\.git)", str(v)), "예: owner/name")
        ),
        branch=str(data.get("branch", "main")),
        site_url=str(need("site_url", lambda v: str(v).startswith("http"), "https://로 시작해야 합니다.")).rstrip("/") + "/",
        timezone=zone,
        answers=answers,
        assignments=assignments,
        limits=limits,
    )


def _assignment(root: Path, name: str, entry: dict, zone: ZoneInfo) -> Assignment:
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", str(name)):
        raise CourseError(f"과제 이름 '{name}'은 쓸 수 없습니다. 영문 소문자, 숫자, -, _로 지으세요.")
    chapters = tuple(entry.get("chapters") or ())
    for chapter in chapters:
        if not (root / "chapters" / f"{chapter}.ipynb").is_file():
            raise CourseError(f"course.yml의 과제 '{name}'이 쓰는 chapters/{chapter}.ipynb가 없습니다.")
    due = entry.get("due")
    if isinstance(due, str):
        try:
            due = datetime.fromisoformat(due)
        except ValueError as error:
            raise CourseError(f"과제 '{name}'의 due를 읽을 수 없습니다: {due!r}. 예: 2026-12-14 23:59") from error
    if due is not None and not isinstance(due, datetime):  # YAML reads a bare day as a date
        due = datetime(due.year, due.month, due.day, 23, 59)
    if due is not None and due.tzinfo is None:
        due = due.replace(tzinfo=zone)
    grace, counts = entry.get("grace_minutes", 0), entry.get("counts", LAST_ON_TIME)
    if not isinstance(grace, int | float) or not 0 <= grace <= 7 * 24 * 60:
        raise CourseError(f"과제 '{name}'의 grace_minutes는 0에서 10080까지의 분이어야 합니다: {grace!r}")
    version = str(entry.get("version", "1"))
    if not re.fullmatch(r"[1-9][0-9]{0,8}", version):
        raise CourseError(f"과제 '{name}'의 version은 1, 2, 3처럼 1에서 시작해 커지는 수여야 합니다: {version!r}")
    if counts not in (LAST_ON_TIME, LAST):
        raise CourseError(f"과제 '{name}'의 counts는 {LAST_ON_TIME}이나 {LAST}여야 합니다: {counts!r}")
    return Assignment(
        name=name,
        title=str(entry.get("title", name)),
        chapters=chapters,
        version=version,
        due=due,
        grace=timedelta(minutes=grace),
        counts=counts,
    )


def glossary_entries(path: Path) -> list[dict]:
    """The entries of glossary.yml, each with its `term`. Raises CourseError when the file is not a list of such."""
    try:
        entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise CourseError(f"glossary.yml을 읽을 수 없습니다. UTF-8인지, 들여쓰기와 콜론이 맞는지 확인하세요.\n{error}") from error
    if not isinstance(entries, list) or not all(isinstance(entry, dict) and isinstance(entry.get("term"), str) for entry in entries):
        raise CourseError("glossary.yml은 '- term: 낱말'로 시작하는 항목의 목록이어야 합니다.")
    return entries
