"""The seam of grading: a hand-in goes in, a record and graded notebooks come out, and nothing is shared.

An engine never opens the course's gradebook and never writes into the course folder; `run` does both with what an
engine returns. So an engine may grade many hand-ins at a time, and a faster or better isolated one can take the place
of this one.
"""
from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from autograder.grade.blueprint import Blueprint
from autograder.grade.preprocessors import end_group
from autograder.grade.records import STOPPED, Record

LOST = "채점하던 프로세스가 도중에 끝났습니다."
# One thread per kernel: hand-ins run side by side, and results must not depend on the number of cores.
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


@dataclass(frozen=True)
class HandIn:
    """One student's files, read only, and an empty folder that the engine may fill."""

    student: str
    submitted: Path
    folder: Path


@dataclass(frozen=True)
class Graded:
    """What became of a hand-in. `executed` holds the notebooks with outputs; None when there is nothing to file."""

    record: Record
    executed: Path | None


class Engine(Protocol):
    """`grade` is called from several threads at a time and never raises on account of a hand-in."""

    def grade(self, hand_in: HandIn) -> Graded: ...

    def close(self) -> None:
        """End everything that still runs."""


@dataclass
class KernelEngine:
    """nbgrader's execution: one Jupyter kernel per notebook, one process per hand-in (see worker).

    A kernel may hold `memory_mb` of data; a cell may run `cell_seconds`, a notebook `notebook_seconds` (ten times as long
    unless given). Student code runs with the rights of whoever grades: this engine limits, it does not isolate.
    """

    blueprint: Blueprint
    cell_seconds: int = 60
    notebook_seconds: int | None = None
    memory_mb: int = 4096
    _idle: queue.SimpleQueue = field(default_factory=queue.SimpleQueue, repr=False)
    _all: list[subprocess.Popen] = field(default_factory=list, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _closed: bool = False

    def __post_init__(self):
        self._plan = self.blueprint.save()

    def grade(self, hand_in: HandIn) -> Graded:
        died = self._work(hand_in, hand_in.folder / "run")
        # Of a run that died nothing is believed: student code may have written its own record before it ended its parent.
        record = None if died else self._record(hand_in.folder / "run", hand_in.student)
        if record:
            return self._graded(record, hand_in.folder / "run")
        # Nothing is left of the run. Prepare the notebooks without running them, so that a person can grade them.
        self._work(hand_in, hand_in.folder / "unrun", stop=died or LOST)
        record = self._record(hand_in.folder / "unrun", hand_in.student)
        if record:
            return self._graded(record, hand_in.folder / "unrun")
        return Graded(self.blueprint.record(hand_in.student, status=STOPPED, reason=died or LOST), None)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for worker in self._all:
                if worker.poll() is None:
                    end_group(worker.pid)
                worker.wait()
                worker.stdin.close()
                worker.stdout.close()
            self._all.clear()

    def _work(self, hand_in: HandIn, folder: Path, stop: str = "") -> str:
        """Let a worker do one task; why it died, or ""."""
        folder.mkdir()
        total = self.notebook_seconds or 10 * self.cell_seconds
        task = {
            "student": hand_in.student,
            "submitted": str(hand_in.submitted),
            "folder": str(folder),
            "blueprint": str(self._plan),
            "cell_seconds": self.cell_seconds,
            "notebook_seconds": total,
            "process_seconds": total * len(self.blueprint.cells) + 120,
            "memory_mb": self.memory_mb,
            "stop": stop,
        }
        worker = self._take()
        try:
            worker.stdin.write(json.dumps(task) + "\n")
            worker.stdin.flush()
            died = json.loads(worker.stdout.readline())["died"]
            self._idle.put(worker)
        except (OSError, ValueError):  # the worker itself is gone; the next hand-in gets a new one
            end_group(worker.pid)
            died = LOST
        if died:
            _end_kernel(folder)
        return died

    def _take(self) -> subprocess.Popen:
        """An idle worker, or a new one."""
        while True:
            try:
                worker = self._idle.get_nowait()
            except queue.Empty:
                return self._start()
            if worker.poll() is None:
                return worker

    def _start(self) -> subprocess.Popen:
        with self._lock:
            if self._closed:
                raise RuntimeError("the engine is closed")
            worker = subprocess.Popen(
                [sys.executable, "-m", "autograder.grade.worker"],
                cwd=Path(__file__).resolve().parents[2],  # where the package is found, installed or not
                env=os.environ | dict.fromkeys(ONE_THREAD, "1") | {"TOKENIZERS_PARALLELISM": "false"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,  # a Ctrl-C is for us; close() ends the worker
            )
            self._all.append(worker)
            return worker

    def _record(self, folder: Path, student: str) -> Record | None:
        try:
            record = Record.from_json((folder / "record.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        return record if (record.student, record.assignment) == (student, self.blueprint.assignment) else None

    @staticmethod
    def _graded(record: Record, folder: Path) -> Graded:
        executed = folder / "executed"
        return Graded(record, executed if executed.is_dir() else None)


def _end_kernel(folder: Path) -> None:
    """A worker that was killed could not put its kernel away."""
    try:
        end_group(int((folder / "kernel.group").read_text() or 0))
    except (FileNotFoundError, ValueError):
        pass
