"""Grading a class: many hand-ins at a time, one writer of the gradebook, a record for every hand-in."""
from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from nbgrader.utils import parse_utc
from sqlalchemy.exc import OperationalError

from autograder import CourseError
from autograder.grade import records
from autograder.grade.blueprint import Blueprint, build, need_source
from autograder.grade.converters import Bookkeeping
from autograder.grade.engine import Engine, Graded, HandIn, KernelEngine
from autograder.grade.folder import CourseFolder
from autograder.grade.records import Record
from autograder.intake.rules import Rules, read_rules
from autograder.intake.submitted import told

NOT_FILED = "채점은 했지만 gradebook.db에 적지 못했습니다. 다른 프로그램을 닫고 이 학생을 다시 채점하세요. ({error})"
FAILED = "채점 도구에서 문제가 생겼습니다. 다시 채점해 보세요. ({error})"
BAD_TIME = "제출 시각을 읽을 수 없어 점수를 gradebook에 적지 못했습니다. {path}를 2026-12-01 09:00:00 UTC 같은 모양으로 고치고 다시 채점하세요."
OLD_SCORES = "전에 낸 과제의 점수는 gradebook에 그대로 남아 있습니다."
Progress = Callable[[Record, int, int], None]


def grade(
    course_dir: Path | str,
    assignment: str,
    *,
    students: list[str] | None = None,
    cell_seconds: int = 60,
    workers: int | None = None,
    progress: Progress | None = None,
    make_engine: Callable[[Blueprint], Engine] | None = None,
) -> list[Record]:
    """Grade the submitted hand-ins of an assignment and return their records, by student.

    Works on any nbgrader course folder. Writes autograded/, gradebook.db and reports/<assignment>/records/; never
    writes into submitted/, source/ or release/. `progress(record, done, total)` is called after each hand-in. Every
    hand-in gets a record, whatever happens to it. Raises CourseError for what concerns the whole class: no such
    assignment, nobody handed in, graded cells added or removed after grading.
    """
    course = CourseFolder(course_dir)
    need_source(course, assignment)
    everyone = course.students(assignment)
    chosen = sorted(everyone if students is None else set(students))
    if unknown := [student for student in chosen if student not in everyone]:
        raise CourseError(f"과제 {assignment}을 내지 않은 학생입니다: {', '.join(unknown)}. 학번을 확인하세요.")
    if not chosen:
        raise CourseError(f"{course.path('submitted', '학번', assignment)}에 낸 과제가 없습니다. 먼저 과제를 모으세요.")
    rules = read_rules(course.root, assignment)
    with tempfile.TemporaryDirectory(prefix="grade-", ignore_cleanup_errors=True) as temporary:
        (plan_folder := Path(temporary, "plan")).mkdir()
        plan = build(course, assignment, plan_folder)
        engine = make_engine(plan) if make_engine else KernelEngine(plan, cell_seconds)
        hand_ins = [HandIn(s, course.path("submitted", s, assignment), Path(temporary, str(i))) for i, s in enumerate(chosen)]
        for hand_in in hand_ins:
            hand_in.folder.mkdir()
        done: list[Record] = []
        pool = ThreadPoolExecutor(max_workers=max(1, min(workers or os.cpu_count() or 1, len(hand_ins))))
        try:
            waiting = {pool.submit(engine.grade, hand_in): hand_in for hand_in in hand_ins}
            for future in as_completed(waiting):
                hand_in = waiting[future]
                try:
                    graded = future.result()
                except Exception as error:  # the engine's own failure (a full disk, say): the others go on
                    failed = plan.record(hand_in.student, status=records.STOPPED, reason=FAILED.format(error=error))
                    graded = Graded(failed, None)
                done.append(_file(course, rules, graded))
                shutil.rmtree(hand_in.folder, ignore_errors=True)
                if progress:
                    progress(done[-1], len(done), len(hand_ins))
        finally:  # after an exception (Ctrl-C) the rest is not graded; what is graded is filed already
            pool.shutdown(wait=False, cancel_futures=True)
            engine.close()
    return sorted(done, key=lambda record: record.student)


def _file(course: CourseFolder, rules: Rules | None, graded: Graded) -> Record:
    """Write one result into the course: gradebook and autograded folder by nbgrader's own code, then the record."""
    record = graded.record
    notes, nothing = told(course.root, record.assignment, record.student)
    record.flags[:0] = [note for note in notes if note not in record.flags]
    if nothing and record.status == records.REFUSED:
        record.reason = nothing
    try:
        if graded.executed:
            _keep_books(course, record.assignment, record.student, graded.executed, rules)
        elif record.student in course.hand_scores(record.assignment):
            record.flags.append(OLD_SCORES)
    except CourseError as error:
        record.status, record.reason = records.STOPPED, str(error)
    except Exception as error:  # this hand-in only: a locked gradebook, say
        record.status, record.reason = records.STOPPED, NOT_FILED.format(error=f"{type(error).__name__}: {error}"[:300])
    records.save(course.root, record)
    return record


def _keep_books(
    course: CourseFolder, assignment: str, student: str, executed: Path, rules: Rules | None, tries: int = 3
) -> None:
    stamp = course.path("submitted", student, assignment) / "timestamp.txt"
    try:
        parse_utc(stamp.read_text(encoding="utf-8").strip() or None) if stamp.is_file() else None
    except (ValueError, OverflowError) as error:
        raise CourseError(BAD_TIME.format(path=stamp)) from error
    for left in reversed(range(tries)):
        try:
            directory = course.directory(assignment, student)
            books = Bookkeeping(coursedir=directory, config=course.config, executed=str(executed), rules=rules)
            with course.inside():
                return books.start()
        except OperationalError:  # the desk is writing; its transactions are short
            if not left:
                raise
            time.sleep(1)
