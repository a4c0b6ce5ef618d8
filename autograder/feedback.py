"""One page per student: what was checked, what it says about the answer, where to read on.

Of a hidden check nothing reaches the page but its declared messages; text that students wrote is escaped, and the page
runs no script.
"""
from __future__ import annotations

import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from autograder.course import load
from autograder.exercises import Check, Exercise
from autograder.grade.folder import CourseFolder, HandScore, HandScores
from autograder.grade.records import GRADED, REFUSED, STOPPED, Record
from autograder.grade.totals import points, total

TEMPLATES = Path(__file__).resolve().parent / "templates"
BARE = "점검의 조건에 맞지 않습니다. 노트북에서 점검 셀을 실행해 어느 줄에서 멈추는지 확인해 보세요."
HIDDEN_FAILED = "숨은 점검을 통과하지 못했습니다. 다른 값과 모양을 넣어도 맞는지 확인해 보세요."
HIDDEN_RAISED = "숨은 점검을 하는 동안 {name} 오류가 났습니다. 다른 값과 모양을 넣어 직접 실행해 보세요."
RAISED = "점검하는 동안 {name} 오류가 났습니다. 노트북에서 점검 셀을 실행하면 자세한 내용이 보입니다."
CHANGED = "채점한 뒤 답이 바뀌어 강사가 다시 확인합니다."
BLANK = "아직 빈칸이거나 raise NotImplementedError(...) 줄이 남아 있습니다."
HEADLINES = {
    GRADED: "",
    STOPPED: "채점이 중간에 멈췄습니다. 아래는 멈추기 전까지의 결과이고, 남은 부분은 강사가 확인합니다.",
    REFUSED: "낸 파일을 채점하지 못했습니다. 아래 이유를 확인하고, 도움이 필요하면 강사에게 알려 주세요.",
}


@dataclass
class Line:
    """One check, or one hand-graded answer, as the page shows it."""

    name: str
    verdict: str  # 통과, 미통과, 부분 점수, 채점 전, 손 채점
    kind: str  # pass, fail, wait: how it looks
    score: str
    max: str
    message: str = ""


@dataclass
class Section:
    """One exercise."""

    title: str
    link: str = ""
    score: str = ""
    max: str = ""
    lines: list[Line] = field(default_factory=list)


def public_message(check: Check | None, message: str) -> str:
    """What a student may read of a check's message.

    Of a visible check what the check itself says, with its numbers. Of a hidden one, or of one that is not known (None), an
    exactly declared message; otherwise that it failed, with the exception's class when it is one of Python's own.
    """
    if not message:
        return ""
    if check is not None and not check.hidden:
        if message.startswith("NotImplementedError"):
            return BLANK
        bare = message.removeprefix("AssertionError: ").strip()
        if check.says(bare):
            return bare
        # Student code ran before this check and may have seen hidden ones: no text of its own goes onto the page.
        name = message.partition(": ")[0]
        return RAISED.format(name=name) if _is_builtin_error(name) else BARE
    declared = {text.strip() for text in check.messages} if check else set()
    name, _, rest = message.partition(": ")
    for text in (message, rest):
        if text.strip() in declared:
            return text.strip()
    if name == "NotImplementedError":
        return BLANK
    return HIDDEN_RAISED.format(name=name) if _is_builtin_error(name) else HIDDEN_FAILED


def _is_builtin_error(name: str) -> bool:
    error = getattr(builtins, name, None)
    return isinstance(error, type) and issubclass(error, BaseException) and error is not AssertionError


def write_feedback(
    course_dir: Path | str,
    assignment: str,
    records: list[Record],
    exercises: list[Exercise],
    links: dict[str, str],
    *,
    now: datetime | None = None,
) -> list[Path]:
    """Write feedback/<student>/<assignment>/feedback.html for every record; the paths, in the order of the records.

    `exercises` come from the source notebooks (none is fine: then checks go by their grade ids), `links` say where an
    exercise is on the site (grade id -> address). Hand scores and comments are read from the gradebook.
    """
    course = CourseFolder(course_dir)
    scores = course.hand_scores(assignment)
    title, zone = course_zone(course.root, assignment)
    template = environment().get_template("feedback.html.j2")
    paths = []
    for record in records:
        found = scores.get(record.student)
        page = template.render(
            title=title,
            record=record,
            headline=HEADLINES[record.status],
            total=total(record, found),
            sections=[] if record.status == REFUSED else _sections(record, exercises, links, found or HandScores()),
            written=now or datetime.now(zone),
            refused=record.status == REFUSED,
        )
        path = course.path("feedback", record.student, assignment) / "feedback.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8")
        paths.append(path)
    return paths


def environment() -> Environment:
    """Templates beside this module, everything escaped, a forgotten value an error."""
    env = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    env.filters |= {"points": points, "day": lambda when: f"{when:%Y}년 {when.month}월 {when.day}일 {when:%H:%M}"}
    return env


def course_zone(root: Path, assignment: str) -> tuple[str, ZoneInfo]:
    """Title of the assignment and time zone, where the folder says them."""
    if not (root / "course.yml").is_file():
        return assignment, ZoneInfo("Asia/Seoul")
    course = load(root)
    return course.assignments[assignment].title if assignment in course.assignments else assignment, course.timezone


def _sections(record: Record, exercises: list[Exercise], links: dict[str, str], scores: HandScores) -> list[Section]:
    sections, shown = [], set()
    for exercise in exercises:
        section = Section(exercise.title, links.get(exercise.grade_id, ""))
        for check, name in zip(exercise.checks, _check_names(exercise, record)):
            if cell := record.cells.get(check.grade_id):
                section.lines.append(_check_line(name, check, cell, scores.cells.get(check.grade_id)))
                shown.add(check.grade_id)
        if exercise.manual_points:
            given = scores.cells.get(exercise.grade_id) or HandScore(None, exercise.manual_points, by_hand=False)
            section.lines.append(_hand_line("손으로 채점하는 답", given))
            shown.add(exercise.grade_id)
        if section.lines:
            known = [float(line.score) for line in section.lines if line.score]
            section.score = points(sum(known)) if known else "-"
            section.max = points(sum(float(line.max) for line in section.lines))
            sections.append(section)
    rest = list(_rest(record, scores, shown))
    if rest:
        sections.append(Section("그 밖의 점검" if sections else "점검 결과", lines=rest))
    return sections


def _rest(record: Record, scores: HandScores, shown: set[str]) -> Iterator[Line]:
    """Graded cells that belong to no exercise we know."""
    for name, cell in record.cells.items():
        if name not in shown:
            yield _check_line(name, None, cell, scores.cells.get(name))
    for name, given in scores.cells.items():
        if name not in shown and name not in record.cells:
            yield _hand_line(name, given)


def _check_names(exercise: Exercise, record: Record) -> list[str]:
    """보이는 점검, 숨은 점검; numbered where an exercise has several of a kind."""
    hidden = [check.hidden or record.cells.get(check.grade_id, {}).get("hidden") for check in exercise.checks]
    kinds = ["숨은 점검" if is_hidden else "보이는 점검" for is_hidden in hidden]
    return [kind if kinds.count(kind) == 1 else f"{kind} {kinds[: i + 1].count(kind)}" for i, kind in enumerate(kinds)]


def _check_line(name: str, check: Check | None, cell: dict, given: HandScore | None) -> Line:
    line = Line(name, "통과", "pass", points(cell["score"]), points(cell["max"]), _message(check, cell))
    if given and given.stale:
        line.verdict, line.kind, line.score, line.message = "확인 전", "wait", "", CHANGED
    elif given and given.by_hand:
        line.verdict, line.kind = "손 채점", "pass" if given.score >= cell["max"] else "fail"
        line.score, line.message = points(given.score), f"강사가 점수를 고쳤습니다. {given.comment}".strip()
    elif given and given.score is None:  # not run to its end: open for a person
        line.verdict, line.kind, line.score = "확인 전", "wait", ""
    elif cell["message"]:
        line.verdict, line.kind = "부분 점수" if cell["score"] else "미통과", "fail"
    return line


def _message(check: Check | None, cell: dict) -> str:
    if cell["from_grader"]:
        return cell["message"]
    if cell["hidden"] and check and not check.hidden:
        check = None  # a folder may hide checks by delimiters of its own, which Check does not know: nothing is declared
    if check is None and not cell["hidden"]:
        return cell["message"]
    return public_message(check, cell["message"])


def _hand_line(name: str, given: HandScore) -> Line:
    if given.stale or given.score is None:
        return Line(name, "채점 전", "wait", "", points(given.max), CHANGED if given.stale else "")
    comment = given.comment or ("" if given.by_hand else "답이 비어 있습니다.")
    return Line(name, "손 채점", "pass" if given.score else "fail", points(given.score + given.extra), points(given.max), comment)
