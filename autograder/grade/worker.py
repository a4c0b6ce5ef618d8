"""Executes hand-ins, each in a process of its own: `python -m autograder.grade.worker`, started by the engine.

nbgrader is imported once. Every task (one JSON line on stdin) is then done by a fork, so that nothing of one hand-in
reaches the next one, and nothing a hand-in does to its process reaches the class. The answer to a task is one JSON line
{"died": reason}, the reason being "" when the fork came to its end; what it made lies in the task's folder:
record.json and executed/*.ipynb.
"""
from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

from traitlets.config import Config

from autograder.grade.blueprint import Blueprint
from autograder.grade.converters import Execution
from autograder.grade.folder import CourseFolder
from autograder.grade.handin import Refused, copy_in
from autograder.grade.preprocessors import TIMEOUT
from autograder.grade.records import LIMIT, REFUSED
from autograder.grade.scores import tally

TOO_LONG = "채점이 제한 시간 {seconds}초 안에 끝나지 않았습니다."
DIED = "채점하던 프로세스가 도중에 끝났습니다. 코드가 다른 프로세스를 끝내거나 메모리를 너무 많이 쓰는지 확인하세요."
DAMAGED = "노트북의 셀 정보가 손상되어 채점할 수 없습니다. 과제 노트북을 새로 받아 답을 옮겨 적고 다시 제출하세요. ({error})"


def main() -> None:
    for line in sys.stdin:
        print(json.dumps({"died": _fork(json.loads(line))}), flush=True)


def _fork(task: dict) -> str:
    child = os.fork()
    if not child:
        _child(task)
    deadline = time.monotonic() + task["process_seconds"]
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return DIED if status else ""
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return TOO_LONG.format(seconds=task["process_seconds"])
        time.sleep(0.02)


def _child(task: dict) -> None:
    code = 1
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        log = os.open(Path(task["folder"], "log.txt"), os.O_WRONLY | os.O_CREAT, 0o600)
        for stream in (1, 2):  # what a kernel prints past Jupyter must not mix with the answers
            os.dup2(log, stream)
        _limit_memory(task["memory_mb"])
        execute(task)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _limit_memory(megabytes: int) -> None:
    """Data that this process, and each of its children, may hold; student code gets a MemoryError beyond it."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20, megabytes << 20))
    except (ImportError, ValueError, OSError):
        pass  # no such limit on this system, or a tighter one is set already


def execute(task: dict) -> None:
    """Grade one hand-in inside task["folder"]: leaves record.json there, and executed/ unless it was refused."""
    began, folder, plan = time.monotonic(), Path(task["folder"]), Blueprint.load(task["blueprint"])
    course, student, notes = CourseFolder(plan.course), task["student"], []
    try:
        into = folder / "submitted" / student / plan.assignment
        may_miss = bool(course.config.OverwriteCells.get("add_missing_cells"))
        notes = copy_in(Path(task["submitted"]), into, plan, may_miss)
        stops = _convert(task, folder, plan, course)
        executed = folder / "autograded" / student / plan.assignment
        record = tally(plan, student, executed, stops, task["cell_seconds"])
        executed.rename(folder / "executed")
    except Refused as refused:
        record = plan.record(student, status=REFUSED, reason=str(refused))
    record.flags[:0] = notes
    record.seconds = round(time.monotonic() - began, 2)
    (folder / "record.json").write_text(record.to_json(), encoding="utf-8")


def _convert(task: dict, folder: Path, plan: Blueprint, course: CourseFolder) -> dict[str, str]:
    """nbgrader's autograding in a course folder of its own that knows one assignment and one student.

    Returns why notebooks were not run to their end. Raises Refused.
    """
    (folder / "source").mkdir()
    (folder / "source" / plan.assignment).symlink_to(course.path("source", ".", plan.assignment))
    shutil.copy(plan.gradebook, folder / "gradebook.db")
    directory = course.directory(
        plan.assignment,
        task["student"],
        root=str(folder),
        db_url=f"sqlite:///{folder / 'gradebook.db'}",
        directory_structure=os.path.join("{nbgrader_step}", "{student_id}", "{assignment_id}"),
        **{f"{step}_directory": step for step in ("source", "submitted", "autograded")},
    )
    text = LIMIT.format(seconds=task["cell_seconds"])
    settings = Config(course.config)
    settings.Run = Config(
        timeout=task["cell_seconds"],
        notebook_seconds=task["notebook_seconds"],
        group_file=str(folder / "kernel.group"),
        kernel_env=_own_home(folder / "home"),
        shutdown_kernel="immediate",
        error_on_timeout={"ename": TIMEOUT, "evalue": text, "traceback": [f"{TIMEOUT}: {text}"]},
    )
    if sys.platform == "linux":  # sockets in the folder: no ports that kernels started at the same time could fight over
        settings.KernelManager |= Config(transport="ipc", ip=str(folder / "kernel"))
    tempfile.tempdir = str(folder)  # Jupyter's connection files
    converter = Execution(coursedir=directory, config=settings, stop=task["stop"])
    try:
        converter.start()
    except Exception as error:  # nbgrader's checks of a notebook raise many kinds
        traceback.print_exc()
        raise Refused(DAMAGED.format(error=type(error).__name__)) from error
    return converter.stops


def _own_home(home: Path) -> dict[str, str]:
    """A home folder for one hand-in: what its code leaves there (start-up files) must not be there for the next one.
    Caches and packages of the real one stay in use."""
    home.mkdir()
    real = Path.home()
    kept = {"XDG_CACHE_HOME": str(real / ".cache"), "PYTHONUSERBASE": str(real / ".local")}
    own = {"HOME": str(home), "IPYTHONDIR": str(home / ".ipython"), "TMPDIR": str(home)}
    # With PYTHONOPTIMIZE set for the grader, assertions would vanish and every check pass.
    plain = {"PYTHONOPTIMIZE": "", "PYTHONSTARTUP": ""}
    return own | plain | {k: os.environ.get(k, v) for k, v in kept.items()}


if __name__ == "__main__":
    main()
