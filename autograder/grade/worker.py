"""Grades one hand-in in a folder of its own, by nbgrader's own converters. Forked from the grader, so that nbgrader is
imported once; each hand-in gets a further fork, so that whatever it does to its grader reaches no other one.

Nothing of a hand-in runs here: its code runs in a jailed process (see trial). What a fork makes lies in its folder:
record.json and executed/*.ipynb.
"""
from __future__ import annotations

import gc
import io
import json
import os
import select
import signal
import socket
import tempfile
import time
import traceback
from contextlib import redirect_stderr, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from nbformat import NotebookNode

from autograder.grade.blueprint import Blueprint
from autograder.grade.converters import Execution
from autograder.grade.folder import CourseFolder
from autograder.grade.handin import Refused, take_in
from autograder.grade.jail.client import Endpoint
from autograder.grade.jail.walls import Limits
from autograder.grade.preprocessors import Bench
from autograder.grade.records import REFUSED
from autograder.grade.scores import tally
from autograder.grade.trial import Budget

DIED = "채점하던 프로세스가 도중에 끝났습니다. 노트북 파일이 지나치게 크지 않은지 확인하세요."
TOO_LONG = "채점이 제한 시간 {seconds}초 안에 끝나지 않았습니다."
DAMAGED = "노트북의 셀 정보가 손상되어 채점할 수 없습니다. 과제 노트북을 새로 받아 답을 옮겨 적고 다시 제출하세요. ({error})"


@dataclass(frozen=True)
class Task:
    """One hand-in: where it lies, an empty folder to work in, and, when it must not be run, the reason."""

    student: str
    submitted: str
    folder: str
    stop: str = ""


@dataclass(frozen=True)
class Desk:
    """What all tasks of an assignment share; inherited through the fork."""

    blueprint: Blueprint
    benches: dict[str, Bench]  # by notebook
    endpoint: Endpoint | None
    budget: Budget
    fresh: Limits | None = None

    @property
    def process_seconds(self) -> int:
        return self.budget.notebook_seconds * len(self.benches) + 120


def rehearse(desk: Desk) -> None:
    """Take the untouched release through all steps, without running it: what is computed once per process (schemas, what the
    release's own cells say), every fork inherits."""
    with suppress(Exception), redirect_stderr(io.StringIO()), tempfile.TemporaryDirectory(prefix="rehearsal-") as folder:
        execute(desk, Task("rehearsal", str(Path(desk.blueprint.folder, "release")), folder, stop=DIED))
    gc.collect()
    gc.freeze()  # a collection would touch, and so copy, all that the forks share


def serve(desk: Desk, channel: socket.socket, slot: int) -> None:
    """Do tasks, one JSON line each, until the other end closes; the answer is {"died": why, or ""}."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the grader, who closes our channel
    with channel.makefile("rw", encoding="utf-8") as lines:
        for line in lines:
            died = _fork(desk, Task(**json.loads(line)), slot)
            lines.write(json.dumps({"died": died}) + "\n")
            lines.flush()


def _fork(desk: Desk, task: Task, slot: int) -> str:
    child = os.fork()
    if not child:
        _child(desk, task, slot)
    deadline = time.monotonic() + desk.process_seconds
    handle = os.pidfd_open(child)
    try:
        if not _wait(handle, deadline):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return TOO_LONG.format(seconds=desk.process_seconds)
        return DIED if os.waitpid(child, 0)[1] else ""
    finally:
        os.close(handle)


def _wait(handle: int, deadline: float) -> bool:
    return bool(select.select([handle], [], [], max(0.0, deadline - time.monotonic()))[0])


def _child(desk: Desk, task: Task, slot: int) -> None:
    code = 1
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        log = os.open(Path(task.folder, "log.txt"), os.O_WRONLY | os.O_CREAT, 0o600)
        for stream in (1, 2):
            os.dup2(log, stream)
        tempfile.tempdir = task.folder
        execute(desk, task, slot)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def execute(desk: Desk, task: Task, slot: int = 0) -> None:
    """Leaves record.json in the task's folder, and executed/ unless the hand-in was refused."""
    began, folder, plan = time.monotonic(), Path(task.folder), desk.blueprint
    course, notes = _course(plan.course), []
    try:
        into = folder / "submitted" / task.student / plan.assignment
        notebooks, notes = take_in(Path(task.submitted), into, plan)
        ran = _convert(desk, task, course, notebooks, slot)
        benches = ran.benches
        record = tally(plan, task.student, ran.executed, {name: bench.stop for name, bench in benches.items()}, desk.budget.cell_seconds)
        record.flags += [flag for bench in benches.values() for flag in bench.flags]
        times = [(name, round(seconds, 2)) for bench in benches.values() for name, seconds in bench.seconds.items()]
        record.slow = dict(sorted(times, key=lambda item: -item[1])[:3])
        (folder / "autograded" / task.student / plan.assignment).rename(folder / "executed")
    except Refused as refused:
        record = plan.record(task.student, status=REFUSED, reason=str(refused))
    record.flags[:0] = notes
    record.seconds = round(time.monotonic() - began, 2)
    (folder / "record.json").write_text(record.to_json(), encoding="utf-8")


@lru_cache
def _course(root: str) -> CourseFolder:
    return CourseFolder(root)  # it remembers its configuration


def _convert(desk: Desk, task: Task, course: CourseFolder, notebooks: dict[str, NotebookNode], slot: int) -> Execution:
    """nbgrader's autograding in a course folder of its own that knows one assignment and one student. Raises Refused."""
    folder, plan = Path(task.folder), desk.blueprint
    (folder / "source").mkdir()
    (folder / "source" / plan.assignment).symlink_to(course.path("source", ".", plan.assignment))
    directory = course.directory(
        plan.assignment,
        task.student,
        root=str(folder),
        directory_structure=os.path.join("{nbgrader_step}", "{student_id}", "{assignment_id}"),
        **{f"{step}_directory": step for step in ("source", "submitted", "autograded")},
    )
    benches = {
        name: replace(bench, cells=plan.cells[name], endpoint=desk.endpoint, fresh=desk.fresh, budget=desk.budget, slot=2 * slot, stop=task.stop)
        for name, bench in desk.benches.items()
    }
    converter = Execution(coursedir=directory, config=course.config, benches=benches, handed_in=notebooks)
    try:
        converter.start()
    except Exception as error:  # nbgrader's checks of a notebook raise many kinds
        traceback.print_exc()
        raise Refused(DAMAGED.format(error=type(error).__name__)) from error
    return converter
