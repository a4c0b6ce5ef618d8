"""The judge: a pristine process that runs given cells and checks exactly as the source has them.

It never sees a line of the student's. Names that the source's solution cells define are looked up in the student's process
and stood in for; all other names are the judge's own.

Request, with one reply:
    run {code, names, state, life} -> {ran, outputs, said: what student code printed}: a cell that the instructor gave, with
                                the random state that the student's own run of it had; or a check
While it works it sends {"ask": request for the student} and gets {"relayed": true} and the student's reply as it came, or
{"relayed": false}. "ran" says that the cell was run to its end or its error: no outputs alone would mean full marks.
"""
from __future__ import annotations

import signal

from autograder.grade.jail import random as randomness
from autograder.grade.jail import shell as shells
from autograder.grade.jail.standins import Link, StudentGone
from autograder.grade.jail.values import Channel, Decoder, parse

MANY = 20_000  # characters of what student code printed during a check


class Judge:
    def __init__(self, shell: shells.Shell, channel: Channel, output_bytes: int):
        self.runner, self.channel, self.names = shells.Runner(shell, output_bytes), channel, shell.user_ns
        self.link = Link(self._ask)

    def serve(self) -> None:
        while True:
            head, body = self.channel.receive()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            ran = False
            self.link.meet(head["life"])
            try:
                if head.get("state"):
                    self._follow(Decoder(body)(head["state"]))
                self.names.update(self.link.look(head["names"]) if head["names"] else {})
                outputs, _ = self.runner.run(head["code"])
                ran = True
            except StudentGone:
                outputs = []
            except Exception as error:  # while names were looked up
                outputs = [{"output_type": "error", "ename": type(error).__name__, "evalue": str(error), "traceback": []}]
            said, self.link.said = "".join(self.link.said)[:MANY], []
            reply = {"ran": ran, "outputs": outputs, "said": said}
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            self.channel.send({"done": reply})

    def _follow(self, state: dict) -> None:
        if randomness.follows(state, randomness.take()):
            randomness.put(state)

    def _ask(self, head: dict, body: bytes) -> tuple[dict, bytes]:
        self.channel.send({"ask": head}, body)
        if not self.channel.receive()[0]["relayed"]:  # the grader's word; what the student says comes after it
            raise StudentGone
        text, body = self.channel.receive_raw()
        return parse(text), body

