"""The judge: a pristine process that runs given cells and checks exactly as the source has them.

It never sees a line of the student's. Names that the source's solution cells define are looked up in the student's process
and stood in for; all other names are the judge's own.

Requests, each with one reply:
    line {line: life}          -> {}, after which the grader sends a descriptor: the grader's own end of the line to the
                                  student's process. While a cell runs here the line is the judge's.
    run  {code, names, state}  -> {ran, outputs, said, gone}: a cell that the instructor gave, with the random state that
                                  the student's own run of it had; or a check. `said`: what student code printed; `gone`:
                                  nothing more can be asked of the student's process; `ran`: the cell was run to its end or
                                  its error: no outputs alone would mean full marks.
An interrupt ends a cell that is busy with itself; one that waits for the student may finish, but ask nothing more.
"""
from __future__ import annotations

import signal
import socket

from autograder.grade.jail import random as randomness
from autograder.grade.jail import shell as shells
from autograder.grade.jail.standins import Link, StudentGone
from autograder.grade.jail.values import Channel, Decoder, WireError

MANY = 20_000  # characters of what student code printed during a check
LONG = 86_400  # seconds; the grader, whose descriptor the line shares, is the one who watches the time


class Judge:
    def __init__(self, shell: shells.Shell, channel: Channel, output_bytes: int):
        self.runner, self.channel, self.names = shells.Runner(shell, output_bytes), channel, shell.user_ns
        self.link, self.line, self.asking, self.interrupted = Link(self._ask), None, False, False

    def serve(self) -> None:
        while True:
            head, body = self.channel.receive()
            if "line" in head:
                self._meet(head["line"])
                continue
            ran = self.interrupted = False
            signal.signal(signal.SIGINT, self._interrupt)
            try:
                if head.get("state"):
                    self._follow(Decoder(body)(head["state"]))
                self.names.update(self.link.look(head["names"]) if head["names"] else {})
                outputs, _ = self.runner.run(head["code"])
                ran = True
            except StudentGone:
                outputs = []
            except (Exception, KeyboardInterrupt) as error:  # while names were looked up
                outputs = [{"output_type": "error", "ename": type(error).__name__, "evalue": str(error), "traceback": []}]
            said, self.link.said = "".join(self.link.said)[:MANY], []
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            self.channel.send({"ran": ran, "outputs": outputs, "said": said, "gone": self.line is None})

    def _meet(self, life: int) -> None:
        self.channel.send({})
        _, (descriptor, *_), _, _ = socket.recv_fds(self.channel.end, 1, 1)
        self.line = Channel(socket.socket(fileno=descriptor))
        self.line.end.settimeout(LONG)
        self.link.meet(life)

    def _interrupt(self, *_) -> None:
        self.interrupted = True
        if not self.asking:
            raise KeyboardInterrupt

    def _follow(self, state: dict) -> None:
        if randomness.follows(state, randomness.take()):
            randomness.put(state)

    def _ask(self, head: dict, body: bytes) -> tuple[dict, bytes]:
        if self.line is None or self.interrupted:
            raise StudentGone
        self.asking = True
        try:
            self.line.send(head, body)
            return self.line.receive()
        except (EOFError, OSError, WireError):
            self.line = None
            raise StudentGone from None
        finally:
            self.asking = False
