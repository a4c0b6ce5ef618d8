"""Small steps between nbgrader's own: a run that never raises, outputs that mean what they say, hand-ins cut short.

nbgrader reads a score out of a test cell's outputs, and no output means full marks. So whatever keeps a test cell from
running to its end must leave an error output in it.
"""
from __future__ import annotations

import math
import os
import signal
import time
from pathlib import Path

from nbclient.util import run_sync
from nbformat.v4 import new_output
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from traitlets import Dict, Integer, Unicode

STOPPED = "GradingStopped"  # name of the error in a test cell that did not come to its end
TIMEOUT = "CellTimeoutError"  # nbgrader's name of the error in a cell that was interrupted

DIED = "코드를 실행하던 파이썬이 도중에 끝났습니다. exit(), os._exit()이나 너무 큰 메모리 사용이 있는지 확인하세요."
STUCK = "제한 시간이 지나도 셀을 멈출 수 없었습니다."
TOO_LONG = "노트북 전체의 실행이 제한 시간 {seconds}초를 넘었습니다."
NO_KERNEL = "노트북을 실행할 파이썬 커널을 시작하지 못했습니다. ({error})"
NOT_RUN = "not_run"  # metadata of a runtime-only cell (restore_marks sets it): the outputs that stand in it instead
NOT_RUN_TEXT = "이 셀은 학생의 노트북에서만 실행됩니다. 채점할 때는 실행하지 않습니다.\n"
KEPT_TYPES, KEPT_BYTES = ("text/plain", "image/png"), 500_000  # of the outputs that a person reads: nothing live, not too much
OUTPUT_CUT = "\n(출력이 너무 길어 여기까지만 보관합니다.)\n"


class Run(Execute):
    """nbgrader's Execute, except that a dead, stuck or slow kernel ends the run instead of losing the hand-in."""

    notebook_seconds = Integer(600, help="limit for all cells together").tag(config=True)
    output_bytes = Integer(1_000_000, help="output kept of one cell").tag(config=True)
    group_file = Unicode(help="where to note the kernel's process group, for whoever has to clean up").tag(config=True)
    kernel_env = Dict(help="environment of the kernel, on top of our own").tag(config=True)

    def preprocess(self, nb, resources, km=None):
        self.stop = resources["nbgrader"]["stop"]
        self.group, self.kept, self.started = 0, {}, time.monotonic()
        for cell in nb.cells:
            cell.metadata.pop("tags", None)  # a tag makes nbclient skip a cell: full marks
            if NOT_RUN in cell.metadata and cell.cell_type == "code":
                cell.outputs = cell.metadata[NOT_RUN]
        if self.stop:
            return nb, resources
        try:
            nb, resources = super().preprocess(nb, resources, km)
        except Exception as error:  # the kernel did not start, or could not be put away after the last cell
            self.stop = self.stop or NO_KERNEL.format(error=f"{type(error).__name__}: {error}"[:200])
        finally:
            end_group(self.group)
        resources["nbgrader"]["stop"] = self.stop
        return nb, resources

    async def async_start_new_kernel(self, **kwargs):
        await super().async_start_new_kernel(env=os.environ | self.kernel_env, **kwargs)

    start_new_kernel = run_sync(async_start_new_kernel)

    def preprocess_cell(self, cell, resources, index):
        self._note_group()
        if NOT_RUN in cell.metadata:
            return cell, resources
        left = math.ceil(self.notebook_seconds - (time.monotonic() - self.started))
        if left <= 0 and not self.stop:
            self.stop = TOO_LONG.format(seconds=self.notebook_seconds)
        if self.stop:
            return cell, resources
        self.timeout_func = lambda _: min(self.timeout, left)
        try:
            cell, resources = super().preprocess_cell(cell, resources, index)
            if left < self.timeout and error_named(cell, TIMEOUT):  # it was not the cell that took too long
                self.stop = TOO_LONG.format(seconds=self.notebook_seconds)
        except Exception as error:  # nbclient: DeadKernelError, CellTimeoutError when an interrupt does not help
            self.stop = STUCK if type(error).__name__ == TIMEOUT else DIED
        if self.stop:
            cell.outputs.append(stop_output(self.stop))
        return cell, resources

    def output(self, outs, msg, display_id, cell_index):
        """Keep the first part of a flood of output; errors always."""
        if msg["msg_type"] in ("stream", "display_data", "execute_result"):
            before = self.kept.get(cell_index, 0)
            self.kept[cell_index] = before + len(str(msg["content"]))
            if self.kept[cell_index] > self.output_bytes:
                if before <= self.output_bytes:
                    outs.append(new_output("stream", name="stdout", text=OUTPUT_CUT))
                return None
        return super().output(outs, msg, display_id, cell_index)

    def _note_group(self) -> None:
        if not self.group and self.km:
            self.group = getattr(self.km.provisioner, "pgid", 0) or 0
            if self.group_file:
                Path(self.group_file).write_text(str(self.group))


class Settle(NbGraderPreprocessor):
    """Make outputs of test cells mean one thing: an exception fails, everything else is as nbgrader reads it."""

    def preprocess_cell(self, cell, resources, index):
        if not (cell.cell_type == "code" and utils.is_grade(cell) and not utils.is_solution(cell)):
            return cell, resources
        if cell.source.strip() and cell.execution_count is None and not utils.has_failed(cell):
            resources["nbgrader"]["stop"] = resources["nbgrader"]["stop"] or DIED
            cell.outputs = [stop_output(resources["nbgrader"]["stop"])]
        for output in cell.outputs:
            if output.output_type == "stream":
                output.name = "stdout"  # nbgrader gives 0 for a mere warning on stderr
            elif output.output_type == "execute_result":
                _bound(output, float(cell.metadata.nbgrader["points"]))
        # nbgrader goes by the first output that says anything, and a value could come before the error.
        cell.outputs.sort(key=lambda output: output.output_type != "error")
        return cell, resources


class OpenForHand(NbGraderPreprocessor):
    """After SaveAutoGrades: a test cell that was not finished has no score and waits for a person."""

    def preprocess(self, nb, resources):
        self.gradebook = Gradebook(resources["nbgrader"]["db_url"])
        with self.gradebook:
            return super().preprocess(nb, resources)

    def preprocess_cell(self, cell, resources, index):
        if utils.is_grade(cell) and error_named(cell, STOPPED):
            where = resources["nbgrader"]
            grade = self.gradebook.find_grade(
                cell.metadata.nbgrader["grade_id"], where["notebook"], where["assignment"], where["student"]
            )
            grade.auto_score, grade.needs_manual_grade = None, True
            self.gradebook.db.commit()
        return cell, resources


def not_run_output():
    return new_output("stream", name="stdout", text=NOT_RUN_TEXT)


def kept_outputs(cell) -> list:
    """What a handed-in cell showed, as a person may see it: text and raster images, up to KEPT_BYTES."""
    kept, room = [], KEPT_BYTES
    for output in cell.get("outputs", []):
        data = {kind: text for kind, text in output.get("data", {}).items() if kind in KEPT_TYPES}
        text = output.get("text") or (f"{output.ename}: {output.evalue}" if output.output_type == "error" else "")
        room -= len(text) + len(str(data))
        if room < 0:
            return [*kept, new_output("stream", name="stdout", text=OUTPUT_CUT)]
        if text or data:
            kept.append(new_output("stream", name="stdout", text=text) if text else new_output("display_data", data))
    return kept


def stop_output(reason: str):
    return new_output("error", ename=STOPPED, evalue=reason, traceback=[f"{STOPPED}: {reason}"])


def error_named(cell, name: str) -> bool:
    return any(output.get("ename") == name for output in cell.get("outputs", []))


def end_group(group: int) -> None:
    """End a kernel's process group: processes that student code started may outlive the kernel."""
    if group > 1 and group != os.getpgrp():  # a number read from a file could be anybody's
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            pass


def _bound(output, highest: float) -> None:
    """nbgrader takes a number as partial credit but fails above the maximum and gives full marks for -1 and nan."""
    try:
        value = float(output.data["text/plain"])
    except (KeyError, ValueError):
        return
    output.data["text/plain"] = str(min(max(value, 0.0), highest) if math.isfinite(value) else 0.0)
