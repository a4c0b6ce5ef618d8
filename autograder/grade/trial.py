"""One notebook of one hand-in: the student's process runs its cells, the judge runs the source's checks in their places.

A question reaches from the end of the last checks to the end of its own. When the student's process dies in it, its
checks have no result; a new process runs what came before without the cell that killed, and the next question goes on.
"""
from __future__ import annotations

import json
import re
import secrets
import socket
import time
from dataclasses import dataclass, field

from nbformat import NotebookNode, from_dict

from autograder.grade.jail.client import Child, Ended, Endpoint
from autograder.grade.jail.values import CUT, WireError
from autograder.grade.programme import ANSWER, CHECK, GIVEN, Programme, Step
from autograder.grade.settings import Budget

STOPPED, TIMEOUT = "GradingStopped", "CellTimeoutError"  # names of the errors that stand for no result and for too late
DIED = "코드를 실행하던 파이썬이 도중에 끝났습니다. exit(), os._exit()이나 너무 큰 메모리 사용이 있는지 확인하세요."
LIMIT = "제한 시간 {seconds}초 안에 끝나지 않아 멈췄습니다."
STUCK = "제한 시간이 지나도 셀을 멈출 수 없었습니다."
MEMORY = "메모리를 제한({megabytes} MB)보다 많이 써서 멈췄습니다. 큰 텐서나 프로세스를 만드는 줄을 확인하세요."
TOO_LONG = "노트북 전체의 실행이 제한 시간 {seconds}초를 넘었습니다."
TOO_OFTEN = "코드가 파이썬을 여러 번 끝내서 더 실행하지 않았습니다."
NO_PROCESS = "코드를 실행할 프로세스를 시작하지 못했습니다. ./course doctor로 확인하세요. ({error})"
READER_ONLY = "이 셀은 학생의 노트북에서만 실행됩니다. 채점할 때는 실행하지 않습니다.\n"
NOT_RUN = "점검을 끝까지 실행하지 못했습니다. 답 셀이 점검과 주고받은 값을 확인하세요."
JUDGE_ENDED = "점검을 실행하던 프로세스가 도중에 끝났습니다. 점검이 받은 값이 너무 큰지 확인하세요."
ALTERED = "약한 점검 {id}: 학생의 코드가 점검이 쓰는 것을 바꾸어 놓았습니다({names}). 답을 직접 확인하세요."
ALTERED_STUDENT = "점검이 쓰는 함수를 바꾸어 놓은 코드가 있어 통과로 볼 수 없습니다."
KEPT_TYPES, KEPT_BYTES = ("text/plain", "image/png"), 500_000  # of outputs that a person reads: nothing live, not too much
JSON = re.compile(r"application/(.*\+)?json")  # mime types whose values are not text, by nbformat's schema
GRACE = 2  # seconds between an interrupt and the end
MAX_LIVES = 8


@dataclass
class Trial:
    """Runs the code cells of a notebook, which get outputs. `stop` says afterwards why it was not run to its end (""
    when it was), `flags` what the instructor should know."""

    endpoint: Endpoint
    programme: Programme
    budget: Budget = Budget()
    files: dict[str, bytes] = field(default_factory=dict)  # beside the student's code
    given_files: dict[str, bytes] = field(default_factory=dict)  # beside the judge: the instructor's only
    slot: int = 0
    stop: str = ""
    flags: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)  # that cells took, checks with what they called

    def run(self, notebook: NotebookNode) -> None:
        self.began, self.kept, self.lives, self.seed = time.monotonic(), 0, 0, secrets.randbits(32)
        self.student: Child | None = None
        self.judge: Child | None = None
        self.replay: list[str] = []  # what a new process of the student has to run first
        self.passed = 0  # steps of the programme that the judge is past
        no_result, checked = "", False  # why the rest of this question has no result; whether its checks have begun
        try:
            for cell in notebook.cells:
                if cell.cell_type != "code" or not cell.source.strip():
                    continue
                step = self.programme.step(cell.metadata.get("nbgrader", {}).get("grade_id"))
                is_check = step is not None and step.kind == CHECK
                if checked and not is_check and not self._over():
                    no_result = ""
                checked = is_check
                if step and step.reader_only:
                    self._leave(cell, step)
                    continue
                cell.outputs, cell.execution_count = [], None
                no_result = no_result or self._over()
                if not no_result:
                    start = time.monotonic()
                    no_result = self._check(cell, step) if is_check else self._cell(cell, step)
                    name = cell.metadata.get("nbgrader", {}).get("grade_id") or "학생이 더한 셀"
                    self.seconds[name] = self.seconds.get(name, 0) + time.monotonic() - start
                if no_result:
                    self.stop = self.stop or no_result
                    cell.outputs.append(stopped(no_result))
        finally:
            for child in (self.student, self.judge):
                if child:
                    child.end()

    def _over(self) -> str:
        """Why nothing more of this notebook is run, or ""."""
        if self._left() <= 0:
            return TOO_LONG.format(seconds=self.budget.notebook_seconds)
        return TOO_OFTEN if self.lives >= MAX_LIVES and self.student is None else ""

    def _left(self) -> float:
        return self.budget.notebook_seconds - (time.monotonic() - self.began)

    def _deadline(self) -> float:
        return time.monotonic() + min(self.budget.cell_seconds, max(self._left(), 0.1))

    # ---- the student's side -------------------------------------------------------------------------------------

    def _leave(self, cell: NotebookNode, step: Step) -> None:
        """A cell for the reader's own runtime; what a person grades keeps the outputs that were handed in."""
        if step.kind == ANSWER:
            cell.outputs = kept(cell.get("outputs", []))
        else:
            cell.outputs, cell.execution_count = [new_output("stream", name="stdout", text=READER_ONLY)], None

    def _cell(self, cell: NotebookNode, step: Step | None) -> str:
        """Run a cell of the hand-in, or one that the source gave, as the source has it; why its process ended, or ""."""
        given = step if step and step.kind == GIVEN else None
        code = given.code if given else cell.source
        if died := self._revive():
            return died
        state, judged = ({}, b""), given is not None and not given.needless
        if judged:
            self._catch_up(self.programme.places[given.id])
            state = self._ask({"do": "state"})[:2]
        reply, _, died, late = self._ask({"do": "run", "code": code})
        cell.outputs = self._affordable(reply.get("outputs"))
        if late:
            cell.outputs.append(too_late(self.budget.cell_seconds))
        if died:
            return died
        cell.execution_count = count if type(count := reply.get("count")) is int and 0 < count < 1 << 31 else 1
        self.replay.append(code)
        if judged:
            self._set_up(given, *state)
            self.passed = max(self.passed, self.programme.places[given.id] + 1)
        return ""

    def _revive(self) -> str:
        """A student's process, as far as the notebook has come."""
        if self.student:
            return ""
        self.lives += 1
        try:
            self.student = Child(
                self.endpoint, "student", slot=self.slot, seed=self.seed, output_bytes=self.budget.output_bytes, files=self.files, life=self.lives
            )
        except Ended as error:
            return NO_PROCESS.format(error=error)
        for code in self.replay:
            if died := self._ask({"do": "run", "code": code})[2]:
                return died
        return ""

    def _ask(self, request: dict) -> tuple[dict, bytes, str, bool]:
        """(reply, its bytes, why the process ended, whether it had to be interrupted)."""
        if self.student is None:  # a thread of the student's may have ended it at any time
            return {}, b"", DIED, False
        channel, late, reason = self.student.channel, False, ""
        channel.deadline = self._deadline()
        try:
            try:
                channel.send(request)
                return *channel.receive(), "", False
            except TimeoutError:
                self.student.interrupt()
                channel.deadline, late = time.monotonic() + GRACE, True
                return *channel.receive(), "", True
        except TimeoutError:
            reason = STUCK
        except (EOFError, OSError, WireError):
            pass
        return {}, b"", self._bury(reason), late

    def _bury(self, reason: str = "") -> str:
        """End the student's process; why it ended."""
        if self.student.reason == "memory":
            reason = MEMORY.format(megabytes=self.endpoint.limits.memory_mb)
        self.student.end()
        self.student = None
        return reason or DIED

    # ---- the judge's side ---------------------------------------------------------------------------------------

    def _check(self, cell: NotebookNode, step: Step) -> str:
        """Let the judge run a check of the source; why there is no result, or ""."""
        if died := self._revive():
            return died
        if step.weak:
            return self._weak_check(cell, step)
        place = self.programme.places[step.id]
        self._catch_up(place)
        if self.judge is None:
            return JUDGE_ENDED
        done, died, late = self._judge({"do": "run", "code": step.code, "names": step.names})
        self.passed = max(self.passed, place + 1)
        if died:
            return died
        cell.execution_count = 1
        cell.outputs = [too_late(self.budget.cell_seconds)] if late else self._affordable(done.get("outputs"))
        if not late and done.get("ran") is not True:  # whatever the reason: no outputs would be full marks
            cell.outputs = [new_output("error", ename="NotRun", evalue=NOT_RUN, traceback=[])]
        if not late and done.get("said") and not step.hidden:
            cell.outputs += self._affordable([{"output_type": "stream", "name": "stdout", "text": done["said"]}])
        return ""

    def _weak_check(self, cell: NotebookNode, step: Step) -> str:
        reply, _, died, late = self._ask({"do": "weak", "code": step.code})
        if died:
            return died
        cell.outputs, cell.execution_count = self._affordable(reply.get("outputs")), 1
        for output in cell.outputs:
            if output.get("ename") in (STOPPED, TIMEOUT):  # words of ours
                output.ename = "Exception"
        if late:
            cell.outputs.append(too_late(self.budget.cell_seconds))
        if altered := reply.get("altered", ["?"]):
            names = ", ".join(str(name)[:40] for name in altered[:5])
            self.flags.append(ALTERED.format(id=step.id, names=names))
            cell.outputs = [new_output("error", ename="Altered", evalue=ALTERED_STUDENT, traceback=[])]
        return ""

    def _catch_up(self, place: int) -> None:
        """Bring the judge to a step of the programme: everything given before it has been run. Without a judge afterwards,
        there is none to be had."""
        if self.judge is None:
            self.passed, limits = 0, {"output_bytes": self.budget.output_bytes, "files": self.given_files}
            try:
                self.judge = Child(self.endpoint, "judge", slot=self.slot + 1, seed=self.seed, **limits)
                self.met = 0  # life of the student's process that it has a line to
            except Ended:
                return
            self._judge({"do": "run", "code": self.programme.imports, "names": []})
        while self.judge and self.passed < place:
            step = self.programme.steps[self.passed]
            self.passed += 1
            if step.kind == GIVEN and not step.needless and not step.reader_only:
                self._set_up(step)

    def _set_up(self, step: Step, reply: dict = {}, body: bytes = b"") -> None:
        if self.judge:
            self._judge({"do": "run", "code": step.code, "names": step.names, "state": reply.get("state")}, body)

    def _judge(self, request: dict, body: bytes = b"") -> tuple[dict, str, bool]:
        """(what the judge found, why the student's process ended meanwhile, whether time ran out). The judge asks the
        student's process itself; here only the time is watched."""
        channel, done, died, late = self.judge.channel, {}, "", False
        channel.deadline = self._deadline()
        try:
            if self.student and self.met != self.lives:
                channel.send({"line": self.lives})
                channel.receive()
                socket.send_fds(channel.end, [b"L"], [self.student.channel.end.fileno()])
                self.met = self.lives
            channel.send(request, body)
            try:
                done, _ = channel.receive()
            except TimeoutError:  # the check is endless, or what it called
                late = True
                for child in filter(None, (self.judge, self.student)):
                    child.interrupt()
                channel.deadline = time.monotonic() + GRACE
                try:
                    done, _ = channel.receive()
                except TimeoutError:
                    died = self._bury(STUCK) if self.student else ""  # the judge sees the end of its line
                    channel.deadline = time.monotonic() + GRACE
                    done, _ = channel.receive()
        except (EOFError, OSError, WireError):
            self.flags.append(JUDGE_ENDED)
            self.judge.end()
            self.judge, done = None, {"gone": True}  # it may have left the student's process in the middle of a call
        if done.get("gone") and self.student:
            self.student.gone(GRACE)
            died = self._bury()
        return done, died, late

    # ---- outputs ------------------------------------------------------------------------------------------------

    def _affordable(self, claimed) -> list[NotebookNode]:
        """Outputs made anew from what a process says they are, as long as the notebook's budget lasts."""
        found = []
        for output in claimed if isinstance(claimed, list) else []:
            clean = as_output(output)
            if clean is None:
                continue
            self.kept += len(str(clean))
            if self.kept <= self.budget.notebook_bytes or clean.output_type == "error":
                found.append(clean)
        return found


def kept(outputs: list) -> list[NotebookNode]:
    """What a handed-in cell showed, as a person may see it: text and raster images, up to KEPT_BYTES."""
    found, room = [], KEPT_BYTES
    for output in filter(None, map(as_output, outputs)):
        data = {kind: text for kind, text in output.get("data", {}).items() if kind in KEPT_TYPES}
        text = output.get("text") or (f"{output.ename}: {output.evalue}" if output.output_type == "error" else "")
        room -= len((text + str(data)).encode())
        if room < 0:
            return [*found, new_output("stream", name="stdout", text=CUT)]
        if text or data:
            found.append(new_output("stream", name="stdout", text=text) if text else new_output("display_data", data=data, metadata={}))
    return found


def new_output(kind: str, **fields) -> NotebookNode:
    """nbformat's own would validate each output by itself; the whole notebook is validated when it is written."""
    return from_dict({"output_type": kind, **fields})


def as_output(claim) -> NotebookNode | None:
    """An output in nbformat's shape, or None."""
    if not isinstance(claim, dict):
        return None
    kind = claim.get("output_type")
    if kind == "stream":
        return new_output("stream", name="stderr" if claim.get("name") == "stderr" else "stdout", text=_text(claim.get("text")))
    if kind == "error":
        lines = claim.get("traceback") if isinstance(claim.get("traceback"), list) else []
        texts = {"ename": _text(claim.get("ename"))[:200], "evalue": _text(claim.get("evalue"))[:10_000]}
        return new_output("error", **texts, traceback=[_text(line)[:20_000] for line in lines[:100]])
    if kind in ("display_data", "execute_result") and isinstance(claim.get("data"), dict):
        bundle = {_text(mime)[:100]: value for mime, value in claim["data"].items()}
        data = {mime: _shallow(value) if JSON.fullmatch(mime) else _text(value) for mime, value in bundle.items()}
        return new_output(kind, data=data, metadata={}, **({"execution_count": 1} if kind == "execute_result" else {}))
    return None


def _shallow(value):
    """JSON that can be copied and written without end of the stack: nested at most 50 deep, else text."""
    depth = deepest = 0
    for sign in re.findall(r"[\[\]{}]", re.sub(r'"(?:[^"\\]|\\.)*"', "", json.dumps(value))):
        depth += 1 if sign in "[{" else -1
        deepest = max(deepest, depth)
    return value if deepest <= 50 else _text(json.dumps(value))


def _text(value) -> str:
    """A string that can be stored: notebooks hold lists of lines, too; lone surrogates and NUL cannot be written."""
    text = "".join(str(line) for line in value) if isinstance(value, list) else str(value)
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


def stopped(reason: str) -> NotebookNode:
    return new_output("error", ename=STOPPED, evalue=reason, traceback=[f"{STOPPED}: {reason}"])


def too_late(seconds: int) -> NotebookNode:
    text = LIMIT.format(seconds=seconds)
    return new_output("error", ename=TIMEOUT, evalue=text, traceback=[f"{TIMEOUT}: {text}"])
