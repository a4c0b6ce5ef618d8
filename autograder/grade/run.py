"""Grading a class: many hand-ins at a time, one writer of the gradebook, a record for every hand-in."""
from __future__ import annotations

import hashlib
import os
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.utils import parse_utc
from sqlalchemy.exc import OperationalError

from autograder import CourseError
from autograder.grade import doctor, hand, programme, records
from autograder.grade.blueprint import Blueprint, build, need_source
from autograder.grade.converters import Bookkeeping
from autograder.grade.engine import Engine, Graded, HandIn, JailEngine
from autograder.grade.folder import CourseFolder
from autograder.grade.jail.client import WarmParent
from autograder.grade.preprocessors import Bench, hidden_marks
from autograder.grade.records import Record
from autograder.grade.settings import Settings
from autograder.grade.worker import Desk
from autograder.intake.rules import Rules, read_rules
from autograder.intake.submitted import told

NOT_FILED = "채점은 했지만 gradebook.db에 적지 못했습니다. 다른 프로그램을 닫고 이 학생을 다시 채점하세요. ({error})"
FAILED = "채점 도구에서 문제가 생겼습니다. 다시 채점해 보세요. ({error})"
BAD_TIME = "제출 시각을 읽을 수 없어 점수를 gradebook에 적지 못했습니다. {path}를 2026-12-01 09:00:00 UTC 같은 모양으로 고치고 다시 채점하세요."
OLD_SCORES = "전에 낸 과제의 점수는 gradebook에 그대로 남아 있습니다."
NO_WALLS = "학생 코드를 가두는 벽 없이 채점했습니다."
Progress = Callable[[Record, int, int], None]
MakeEngine = Callable[[Blueprint], Engine]


def grade(
    course_dir: Path | str,
    assignment: str,
    *,
    students: list[str] | None = None,
    settings: Settings = Settings(),
    again: bool = False,
    progress: Progress | None = None,
    make_engine: MakeEngine | None = None,
    parent: WarmParent | None = None,
) -> list[Record]:
    """Grade the submitted hand-ins of an assignment and return their records, by student.

    Works on any nbgrader course folder. Writes autograded/, gradebook.db and reports/<assignment>/records/; never
    writes into submitted/, source/ or release/. `progress(record, done, total)` is called after each hand-in. Every
    hand-in gets a record, whatever happens to it. A hand-in whose record is about the same files, checks and limits is not
    graded a second time unless `again`: so a run that was cut off is taken up where it stopped. `parent`: one that has begun
    to start (see early), which stays the caller's. Raises CourseError for what concerns the whole class: no such assignment,
    nobody handed in, walls missing, graded cells added or removed.
    """
    course = CourseFolder(course_dir)
    chosen, rules = _chosen(course, assignment, students), read_rules(course.root, assignment)
    with ExitStack() as stack:
        temporary = Path(stack.enter_context(_workplace()))
        plan, engine, workers = stack.enter_context(_engine(course, assignment, settings, make_engine, parent, temporary, len(chosen)))
        prints = {student: fingerprint(course, assignment, student, (settings, rules)) for student in chosen}
        done = [] if again else _still_true(course, assignment, prints)
        kept = {record.student for record in done}
        hand_ins = [HandIn(s, course.path("submitted", s, assignment), temporary / str(i)) for i, s in enumerate(chosen) if s not in kept]
        stack.enter_context(hand.kept(course, assignment))
        with course.inside():
            gradebook = stack.enter_context(course.open_gradebook())
        for graded in _run(engine, plan, hand_ins, workers):
            graded.record.fingerprint = prints[graded.record.student]
            if settings.weak and doctor.missing():
                graded.record.flags.insert(0, NO_WALLS)
            done.append(_file(course, gradebook, rules, graded))
            if progress:
                progress(done[-1], len(done), len(chosen))
    return sorted(done, key=lambda record: record.student)


def verify(course_dir: Path | str, assignment: str, sample: list[Record], settings: Settings = Settings()) -> list[str]:
    """Grade hand-ins once more, each in a new Python, and file nothing; Korean lines on what came out differently."""
    course, before = CourseFolder(course_dir), {record.student: record for record in sample}
    lines = []
    with ExitStack() as stack:
        temporary = Path(stack.enter_context(_workplace()))
        fresh = replace(settings, fresh=True)
        plan, engine, workers = stack.enter_context(_engine(course, assignment, fresh, None, None, temporary, len(before)))
        hand_ins = [HandIn(s, course.path("submitted", s, assignment), temporary / str(i)) for i, s in enumerate(before)]
        for graded in _run(engine, plan, hand_ins, workers):
            old, new = before[graded.record.student], graded.record
            names = [name for name in old.cells if old.cells[name]["score"] != new.cells.get(name, {"score": None})["score"]]
            if names or old.status != new.status:
                lines.append(f"{old.student}: 새 파이썬에서 {old.auto_score:g}점이 {new.auto_score:g}점이 되었습니다. ({', '.join(names) or new.reason})")
    return sorted(lines)


def sample(graded: list[Record], number: int) -> list[Record]:
    """Some of the records that a second run can be compared with."""
    able = [record for record in graded if record.cells]
    return random.sample(able, min(number, len(able)))


def fingerprint(course: CourseFolder, assignment: str, student: str, also: tuple[Settings, Rules | None]) -> str:
    """Of everything that a result depends on: the hand-in, its time, the source, the configuration, limits and due dates."""
    settings, rules = also
    due = (rules.deadline(student), rules.grace) if rules else None
    rest = settings.budget, settings.limits, settings.fresh, due, told(course.root, assignment, student)
    digest = hashlib.sha256(repr(rest).encode())
    for folder in (course.path("submitted", student, assignment), course.path("source", ".", assignment)):
        for path in sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()):
            digest.update(f"\0{path.relative_to(folder)}\0".encode(errors="replace"))
            digest.update(path.read_bytes())
    config = course.root / "nbgrader_config.py"
    digest.update(config.read_bytes() if config.is_file() else b"")
    return digest.hexdigest()


def _workplace() -> tempfile.TemporaryDirectory:
    """A folder for copies of hand-ins; those of graders that were killed are removed first."""
    for left in Path(tempfile.gettempdir()).glob("grade-[0-9]*-*"):
        if not Path("/proc", left.name.split("-")[1]).exists():
            shutil.rmtree(left, ignore_errors=True)
    return tempfile.TemporaryDirectory(prefix=f"grade-{os.getpid()}-", ignore_cleanup_errors=True)


def _chosen(course: CourseFolder, assignment: str, students: list[str] | None) -> list[str]:
    need_source(course, assignment)
    everyone = course.students(assignment)
    chosen = sorted(everyone if students is None else set(students))
    if unknown := [student for student in chosen if student not in everyone]:
        raise CourseError(f"과제 {assignment}을 내지 않은 학생입니다: {', '.join(unknown)}. 학번을 확인하세요.")
    if not chosen:
        raise CourseError(f"{course.path('submitted', '학번', assignment)}에 낸 과제가 없습니다. 먼저 ./course collect로 모으세요.")
    return chosen


@contextmanager
def _engine(
    course: CourseFolder, assignment: str, settings: Settings, make_engine: MakeEngine | None, parent: WarmParent | None, temporary: Path, many: int
) -> Iterator[tuple[Blueprint, Engine, int]]:
    """The blueprint, an engine, and how many hand-ins it takes at a time."""
    workers = max(1, min(settings.workers or os.cpu_count() or 1, many))
    (folder := temporary / "plan").mkdir()
    if make_engine:
        plan = build(course, assignment, folder)
        with closing(make_engine(plan)) as engine:
            yield plan, engine, workers
        return
    marks = hidden_marks(course.config)
    try:
        benches = {p.stem: Bench(programme.read(p, marks), p.parent) for p in course.notebooks("source", ".", assignment)}
    except Exception as error:  # nbformat raises many kinds
        raise CourseError(f"source/{assignment}의 노트북을 읽지 못했습니다. 노트북을 고친 뒤 다시 실행하세요.\n{error}") from error
    hidden = any(step.hidden for bench in benches.values() for step in bench.programme.steps)
    limits = replace(settings.limits, walls=doctor.walls_or_weak(settings.weak, hidden))
    with ExitStack() as stack:
        endpoint = None
        if not settings.fresh:
            if parent is None or parent.limits != limits:
                (parent := stack.enter_context(closing(WarmParent(limits=limits)))).start()
            programmes = [bench.programme for bench in benches.values()]
            parent.tell((name for p in programmes for name in p.preload), (cell for p in programmes for cell in p.judged()))
            endpoint = parent.endpoint  # it imports while we build
        plan = build(course, assignment, folder)
        desk = Desk(plan, benches, endpoint, settings.budget, limits if settings.fresh else None)
        engine = stack.enter_context(closing(JailEngine(desk, workers)))
        if endpoint:
            parent.ready()
        yield plan, engine, workers


def _run(engine: Engine, plan: Blueprint, hand_ins: list[HandIn], workers: int) -> Iterator[Graded]:
    """What becomes of every hand-in, in the order in which they are done."""
    pool = ThreadPoolExecutor(max_workers=workers)
    try:
        waiting = {}
        for hand_in in hand_ins:
            hand_in.folder.mkdir()
            waiting[pool.submit(engine.grade, hand_in)] = hand_in
        for future in as_completed(waiting):
            hand_in = waiting[future]
            try:
                yield future.result()
            except Exception as error:  # the engine's own failure (a full disk, say): the others go on
                yield Graded(plan.record(hand_in.student, status=records.STOPPED, reason=FAILED.format(error=error)), None)
            shutil.rmtree(hand_in.folder, ignore_errors=True)
    finally:  # after an exception (Ctrl-C) the rest is not graded; what is graded is filed already
        pool.shutdown(wait=False, cancel_futures=True)


def _still_true(course: CourseFolder, assignment: str, prints: dict[str, str]) -> list[Record]:
    """Records that a new run could only repeat. Of one that was filed, the gradebook must still know it."""
    known = course.hand_scores(assignment)
    return [
        record
        for record in records.read_records(course.root, assignment)
        if record.fingerprint
        and record.fingerprint == prints.get(record.student)
        and (record.status == records.REFUSED or record.student in known and course.path("autograded", record.student, assignment).is_dir())
    ]


def _file(course: CourseFolder, gradebook: Gradebook, rules: Rules | None, graded: Graded) -> Record:
    """Write one result into the course: gradebook and autograded folder by nbgrader's own code, then the record."""
    record = graded.record
    notes, nothing = told(course.root, record.assignment, record.student)
    record.flags[:0] = [note for note in notes if note not in record.flags]
    if nothing and record.status == records.REFUSED:
        record.reason = nothing
    try:
        if graded.executed:
            records.outdate(course.root, record)  # nbgrader first deletes what is there
            _keep_books(course, gradebook, record, graded.executed, rules)
        elif record.student in course.hand_scores(record.assignment):
            record.flags.append(OLD_SCORES)
    except CourseError as error:
        record.status, record.reason, record.fingerprint = records.STOPPED, str(error), ""
    except Exception as error:  # this hand-in only: a locked gradebook, say
        record.fingerprint = ""
        record.status, record.reason = records.STOPPED, NOT_FILED.format(error=f"{type(error).__name__}: {error}"[:300])
    records.save(course.root, record)
    return record


def _keep_books(
    course: CourseFolder, gradebook: Gradebook, record: Record, executed: Path, rules: Rules | None, tries: int = 3
) -> None:
    assignment, student = record.assignment, record.student
    stamp = course.path("submitted", student, assignment) / "timestamp.txt"
    try:
        parse_utc(stamp.read_text(encoding="utf-8").strip() or None) if stamp.is_file() else None
    except (ValueError, OverflowError) as error:
        raise CourseError(BAD_TIME.format(path=stamp)) from error
    for left in reversed(range(tries)):
        try:
            directory = course.directory(assignment, student)
            books = Bookkeeping(coursedir=directory, config=course.config, executed=str(executed), gradebook=gradebook, rules=rules)
            with course.inside(), closing(gradebook.db):  # nothing that was read or failed is left for the next one
                return books.start()
        except OperationalError:  # the desk is writing; its transactions are short
            if not left:
                raise
            time.sleep(1)
