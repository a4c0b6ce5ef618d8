"""The seam of grading: a hand-in goes in, a record and graded notebooks come out, and nothing is shared.

An engine never opens the course's gradebook and never writes into the course folder; `run` does both with what an
engine returns. So an engine may grade many hand-ins at a time, and another one can take the place of ours.
"""
from __future__ import annotations

import json
import os
import queue
import signal
import socket
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from autograder.grade.records import STOPPED, Record
from autograder.grade.worker import Desk, Task, rehearse, serve

LOST = "채점하던 프로세스가 도중에 끝났습니다."


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


class JailEngine:
    """Forked workers that import nothing anew, each serving one hand-in at a time; student code runs behind walls.

    Make it before the process has threads: the workers are forks of it.
    """

    def __init__(self, desk: Desk, workers: int = 1):
        self.plan, self.idle, self.channels = desk.blueprint, queue.SimpleQueue(), []
        self.lock, self.alive = threading.Lock(), workers
        rehearse(desk)
        for slot in range(workers):
            self._start(desk, slot)

    def grade(self, hand_in: HandIn) -> Graded:
        died = self._work(hand_in, "run")
        # Of a run that died nothing is believed.
        record = None if died else self._record(hand_in.folder / "run", hand_in.student)
        if record:
            return self._graded(record, hand_in.folder / "run")
        # Nothing is left of the run. Prepare the notebooks without running them, so that a person can grade them.
        self._work(hand_in, "unrun", stop=died or LOST)
        record = self._record(hand_in.folder / "unrun", hand_in.student)
        if record:
            return self._graded(record, hand_in.folder / "unrun")
        return Graded(self.plan.record(hand_in.student, status=STOPPED, reason=died or LOST), None)

    def close(self) -> None:
        with self.lock:
            for channel, pid in self.channels:
                channel.close()
                try:
                    os.killpg(pid, signal.SIGKILL)  # the worker and the fork that it may be waiting for
                    os.waitpid(pid, 0)
                except (ProcessLookupError, ChildProcessError):
                    pass
            self.channels.clear()

    def _start(self, desk: Desk, slot: int) -> None:
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if not pid:
            try:
                os.setpgid(0, 0)
                ours.close()
                for channel, _ in self.channels:
                    channel.close()
                serve(desk, theirs, slot)
            finally:
                os._exit(0)
        theirs.close()
        self.channels.append((ours, pid))
        self.idle.put(ours.makefile("rw", encoding="utf-8"))

    def _work(self, hand_in: HandIn, name: str, stop: str = "") -> str:
        """Let a worker do one task; why it died, or ""."""
        (hand_in.folder / name).mkdir()
        task = Task(hand_in.student, str(hand_in.submitted), str(hand_in.folder / name), stop)
        worker = self.idle.get()
        try:
            if worker is None:
                raise OSError
            worker.write(json.dumps(asdict(task)) + "\n")
            worker.flush()
            return json.loads(worker.readline())["died"]
        except (OSError, ValueError):  # the worker itself is gone
            with self.lock:
                self.alive -= worker is not None
            worker = None
            return LOST
        finally:
            if worker or not self.alive:  # the last one leaves a sign for those who wait
                self.idle.put(worker)

    def _record(self, folder: Path, student: str) -> Record | None:
        try:
            record = Record.from_json((folder / "record.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        return record if (record.student, record.assignment) == (student, self.plan.assignment) else None

    @staticmethod
    def _graded(record: Record, folder: Path) -> Graded:
        executed = folder / "executed"
        return Graded(record, executed if executed.is_dir() else None)
