"""The warm parent: enters the walls, imports once what the instructor's notebooks import, forks one jailed child per request.

It forks itself first: one parent for students' processes, which never sees a notebook, and one for judges, which learns
the source's checks from its first connection. Every other connection is one child: its first frame says the limits and a
seed; the answer carries a pidfd of the child, and after that the connection is the child's channel (see student and judge).
When the owner's pipe closes, for whatever reason the owner ended, both exit; pid 1 of the namespace takes all along.
"""
from __future__ import annotations

import array
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import tempfile
from contextlib import suppress

from autograder.grade.jail import random as randomness  # all of ours now: inside the walls the package is out of sight
from autograder.grade.jail import shell as shells
from autograder.grade.jail import walls
from autograder.grade.jail.judge import Judge
from autograder.grade.jail.student import Student, watch
from autograder.grade.jail.values import Channel


def main(settings: dict, students: int, judges: int, owner: int) -> None:
    """Two listening sockets, and one end of a pipe whose closing means the end."""
    limits = walls.Limits(**settings["limits"])
    if limits.walls:
        walls.enter(settings["visible"])
    keep = {name: os.environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH") if name in os.environ}
    os.environ.clear()  # whatever is in it is none of a student's business
    home = "/scratch" if limits.walls else tempfile.gettempdir()
    os.environ.update(keep, **settings["environment"], HOME=home, TMPDIR=home)
    tempfile.tempdir = None
    os.chdir("/")
    shell = shells.make()  # first: tqdm and pyplot look for a shell while they are imported
    load(settings["modules"])
    if not (told := os.read(owner, 1 << 20)):  # the owner is gone
        os._exit(0)
    load(json.loads(told))
    prepare(shell)
    threads = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 1
    role, listener = ("student", students) if os.fork() else ("judge", judges)
    os.close(judges if role == "student" else students)
    with socket.socket(fileno=listener) as listening:
        if role == "student":
            os.write(owner, json.dumps({"ready": True, "threads": threads}).encode())
        else:
            learn(shell, listening)
        serve(shell, limits, role, listening, owner)


def load(modules: list[str]) -> None:
    for name in modules:
        try:
            importlib.import_module(name)
        except Exception:  # the cell that needs it will say so
            pass


def prepare(shell: shells.Shell) -> None:
    """Warm up what is imported; one thread, or forking would not be safe."""
    if "torch" in sys.modules:
        torch = sys.modules["torch"]
        torch.set_num_threads(1)
        torch.optim.Adam([torch.nn.Parameter(torch.zeros(1))])  # the first optimizer imports torch._dynamo, for seconds
    if "matplotlib.pyplot" in sys.modules:
        shell.run_line_magic("matplotlib", "inline")
    shell.intact = watch()  # once for all children: looking at an object means to copy its page
    gc.collect()
    gc.freeze()


def learn(shell, listener: socket.socket) -> None:
    channel = Channel(listener.accept()[0])
    shell.learn(channel.receive()[0]["cells"])
    gc.collect()
    gc.freeze()
    channel.send({})


def serve(shell, limits, role: str, listener: socket.socket, owner: int) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children are reaped by the kernel
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is the owner's
    home = os.open("/proc/self/ns/pid", os.O_RDONLY)
    while True:
        ready, _, _ = select.select([listener, owner], [], [])
        if owner in ready:  # closed: the owner is gone
            os._exit(0)
        connection, _ = listener.accept()
        told, tell = os.pipe()
        if limits.walls:
            walls.next_child_apart(home)
        if not (pid := os.fork()):
            code = 1
            try:
                listener.close()
                os.close(owner)
                os.close(tell)
                os.read(told, 1)  # the handle must be the first thing on the line
                child(connection, shell, limits, role)
                code = 0
            except (EOFError, BrokenPipeError, ConnectionResetError):
                code = 0
            except BaseException as error:  # a wall that could not be built: say which
                Channel(connection).send({"failed": f"{type(error).__name__}: {error}"})
            finally:
                os._exit(code)  # skips the seconds that torch takes to leave
        with suppress(OSError):  # it, or whoever asked, is gone already
            handle = os.pidfd_open(pid)
            connection.sendmsg([b"P"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [handle]))])
            os.close(handle)
        for end in (told, tell):
            os.close(end)
        connection.close()


def child(connection: socket.socket, shell, limits, role: str) -> None:
    channel = Channel(connection)
    order, _ = channel.receive()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    place = order["scratch"]
    if limits.walls:
        walls.apart()
        walls.furnish(limits)
        place = "/scratch"
    tempfile.tempdir = place
    os.environ.update(HOME=place, TMPDIR=place, IPYTHONDIR=f"{place}/.ipython", MPLCONFIGDIR=f"{place}/.matplotlib")
    os.chdir(place)
    _only(connection.fileno())
    walls.lock(limits, walls.NOBODY + order["slot"], place)
    for name in order["files"]:
        _, content = channel.receive()
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        with open(name, "wb") as file:
            file.write(content)
    sys.path.insert(0, "")
    randomness.reseed(order["seed"])
    if role == "judge":
        worker = Judge(shell, channel, order["output_bytes"])
    else:
        worker = Student(shell, channel, order["output_bytes"], order["life"])
    channel.send({"up": True})
    worker.serve()


def _only(kept: int) -> None:
    """Close every descriptor but one; the standard ones lead nowhere."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    os.closerange(3, kept)
    os.closerange(kept + 1, 4096)
