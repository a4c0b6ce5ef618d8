"""The grader's end of the line: starts the warm parent, asks it for children, watches what they use and ends them."""
from __future__ import annotations

import array
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder import CourseError
from autograder.grade.jail.values import Channel, WireError
from autograder.grade.jail.walls import Limits

# One thread each: hand-ins run side by side, results must not depend on the number of cores, and a parent with threads
# could not be forked safely.
ENVIRONMENT = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
) | {"TOKENIZERS_PARALLELISM": "false", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "HF_HUB_OFFLINE": "1"}
SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime",
    "/etc/matplotlib", "/etc/mime.types",
)  # fmt: skip
START_SECONDS = 180
WATCH_SECONDS = 0.1


class CannotStart(CourseError):
    """The warm parent did not come up; the text says why and what to do."""


@dataclass(frozen=True)
class Endpoint:
    """Where children are to be had; may be handed to other processes of the same grader."""

    address: str  # folder of the sockets "student" and "judge"
    limits: Limits


class WarmParent:
    """Owns the warm parent process. `with WarmParent(modules, limits) as endpoint: Child(endpoint, ...)`."""

    def __init__(self, modules: Iterable[str] = (), limits: Limits = Limits(), cells: Iterable[str] = ()):
        """`modules` to import, `cells` that judges will be asked to run."""
        self.modules, self.limits, self.cells, self.up = list(modules), limits, list(cells), False

    def start(self) -> None:
        """Begin to start and to import."""
        self.folder = tempfile.TemporaryDirectory(prefix="warm-")  # a socket's path has room for about 100 bytes
        listeners = []
        for role in ("student", "judge"):
            listeners.append(listener := socket.socket(socket.AF_UNIX))
            listener.bind(address := str(Path(self.folder.name, role)))
            os.chmod(address, 0o600)
            listener.listen(64)
        theirs, self.pipe = socket.socketpair()
        settings = {
            "path": [str(Path(__file__).resolve().parents[3]), *packages()],
            "modules": self.modules,
            "limits": asdict(self.limits),
            "visible": [*SYSTEM, *python_folders()],
            "environment": ENVIRONMENT,
        }
        self.process = subprocess.Popen(
            [sys.executable, "-I", str(Path(__file__).with_name("start.py")), json.dumps(settings), *(str(end.fileno()) for end in (*listeners, theirs))],
            env={k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "LD_LIBRARY_PATH")} | ENVIRONMENT,
            pass_fds=[end.fileno() for end in (*listeners, theirs)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        for end in (*listeners, theirs):
            end.close()
        self.endpoint = Endpoint(self.folder.name, self.limits)

    def tell(self, modules: Iterable[str] = (), cells: Iterable[str] = ()) -> None:
        """What else is to be imported and judged, once after start()."""
        self.cells += cells
        with suppress(OSError):  # it has ended: ready() says why
            self.pipe.sendall(json.dumps(list(modules)).encode())

    def ready(self) -> None:
        """Wait until children can be had. Raises CannotStart."""
        self.pipe.settimeout(START_SECONDS)
        try:
            answer = json.loads(self.pipe.recv(4096) or "{}")
            if answer.get("ready"):
                channel = _connect(self.folder.name, "judge")
                channel.send({"cells": self.cells})
                channel.receive()
                channel.end.close()
        except (EOFError, OSError, ValueError, WireError):
            answer = {}
        if not answer.get("ready"):
            self.process.kill()
            said = self.process.stderr.read().decode(errors="replace").strip().splitlines()
            self.close()
            raise CannotStart(f"학생 코드를 가두어 돌릴 프로세스를 시작하지 못했습니다. ./course doctor로 확인하세요. ({said[-1] if said else '까닭을 말하지 않음'})")
        if answer["threads"] != 1:
            self.close()
            raise CannotStart(f"불러온 패키지가 스레드를 {answer['threads']}개 시작했습니다. --fresh로 채점하세요.")
        self.up = True

    def close(self) -> None:
        self.pipe.close()  # the parent sees it and goes, with all its children
        if not self.up:  # still busy with its imports
            self.process.kill()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stderr.close()
        self.folder.cleanup()

    def __enter__(self) -> Endpoint:
        self.start()
        self.tell()
        self.ready()
        return self.endpoint

    def __exit__(self, *_) -> None:
        self.close()


def packages() -> list[str]:
    """Folders of installed packages; one may come from PYTHONPATH, which the warm parent does not read."""
    return [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]


def python_folders() -> list[str]:
    """Folders that hold this Python and its packages, and nothing else of the machine."""
    found = [sys.base_prefix, sys.prefix, *packages(), os.path.dirname(os.path.realpath(sys.executable))]
    found += [os.path.realpath(path) for path in found]
    return [path for path in dict.fromkeys(found) if not any(path == top or path.startswith(f"{top}/") for top in SYSTEM)]


class Ended(Exception):
    """The child is gone: it died, or was ended for the reason given."""


class Child:
    """One jailed process, `role` "student" or "judge". Give it files before anything else; `end()` always."""

    def __init__(self, endpoint: Endpoint, role: str, *, slot: int, seed: int, output_bytes: int, files: dict[str, bytes] = {}, life: int = 0):
        self.limits, self.reason, self.scratch = endpoint.limits, "", None
        self.channel = _connect(endpoint.address, role)
        order = {"slot": slot, "seed": seed, "output_bytes": output_bytes, "files": list(files), "life": life}
        if not self.limits.walls:
            self.scratch = tempfile.TemporaryDirectory(prefix="scratch-", ignore_cleanup_errors=True)
            order["scratch"] = self.scratch.name
        self.channel.send(order | {"scratch": order.get("scratch", "")})
        _, ancillary, _, _ = self.channel.end.recvmsg(1, socket.CMSG_SPACE(4))
        if not ancillary:
            raise Ended("could not be started")
        self.handle = array.array("i", ancillary[0][2])[0]
        match = re.search(r"^Pid:\s+(-?\d+)", Path(f"/proc/self/fdinfo/{self.handle}").read_text(), re.M)
        self.pid = int(match[1])  # -1: it has ended already, and says why below
        self.channel.deadline = time.monotonic() + START_SECONDS
        try:
            for content in files.values():
                self.channel.send({}, content)
            failed = self.channel.receive()[0].get("failed", "")
        except (EOFError, OSError, WireError) as error:
            failed = f"{type(error).__name__}: {error}"
        if failed:
            self.end()
            raise Ended(failed)
        self.base = _memory(self.pid)
        WATCHER.add(self)

    def interrupt(self) -> None:
        self._signal(signal.SIGINT)

    def kill(self, reason: str) -> None:
        """Pid 1 of a namespace takes everything along that it ever started."""
        self.reason = self.reason or reason
        self._signal(signal.SIGKILL)

    def gone(self, seconds: float = 0) -> bool:
        """Whether it has ended, after at most so many seconds."""
        return bool(select.select([self.handle], [], [], seconds)[0])

    def end(self) -> None:
        WATCHER.discard(self)
        if self.handle >= 0:
            if not self.limits.walls and self.pid > 0:
                try:
                    os.killpg(self.pid, signal.SIGKILL)
                except (ProcessLookupError, PermissionError):
                    pass
            self._signal(signal.SIGKILL)
            select.select([self.handle], [], [], 10)
            os.close(self.handle)
            self.handle = -1
        self.channel.end.close()
        if self.scratch:
            self.scratch.cleanup()

    def _signal(self, number: int) -> None:
        try:
            signal.pidfd_send_signal(self.handle, number)
        except ProcessLookupError:
            pass


def _connect(folder: str, role: str) -> Channel:
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(START_SECONDS)
    connection.connect(str(Path(folder, role)))
    return Channel(connection)


class Watcher:
    """Ends a child whose processes together hold more memory than it may. A process's own limit is set on itself, but many
    small ones add up, and control groups are not there for everyone."""

    def __init__(self):
        self.children: set[Child] = set()
        self.lock, self.thread = threading.Lock(), None

    def add(self, child: Child) -> None:
        with self.lock:
            self.children.add(child)
            if self.thread is None or not self.thread.is_alive():
                self.thread = threading.Thread(target=self._watch, daemon=True)
                self.thread.start()

    def discard(self, child: Child) -> None:
        with self.lock:
            self.children.discard(child)

    def _watch(self) -> None:
        while True:
            time.sleep(WATCH_SECONDS)
            with self.lock:
                if not self.children:
                    self.thread = None
                    return
                for child in self.children:
                    family = descendants(child.pid)
                    used = sum(max(0, _memory(pid) - child.base) for pid in family)
                    if used > child.limits.memory_mb << 20:
                        child.kill("memory")


WATCHER = Watcher()


def descendants(pid: int) -> list[int]:
    """A process and everything below it; orphans of a pid namespace hang on its pid 1."""
    found, waiting = [], [pid]
    while waiting:
        found.append(one := waiting.pop())
        try:
            for task in os.listdir(f"/proc/{one}/task"):
                waiting += map(int, Path(f"/proc/{one}/task/{task}/children").read_text().split())
        except OSError:
            pass
    return found


def _memory(pid: int) -> int:
    """Bytes of a process that are no file's: its own, those it shares since the fork, and shared mappings."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return sum(int(kilobytes) << 10 for kilobytes in re.findall(r"^Rss(?:Anon|Shmem):\s+(\d+) kB", status, re.M))
