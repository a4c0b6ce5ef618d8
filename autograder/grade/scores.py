"""From executed notebooks to a record, with nbgrader's own reading of outputs."""
from __future__ import annotations

import re
from dataclasses import dataclass

from nbformat import NotebookNode
from nbgrader import utils

from autograder.grade import records
from autograder.grade.blueprint import AUTO, HAND, Blueprint
from autograder.grade.preprocessors import error_named
from autograder.grade.records import Record
from autograder.grade.trial import LIMIT, STOPPED, TIMEOUT

ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
MESSAGE_LENGTH = 2000


@dataclass(frozen=True)
class Result:
    """What came out of one test cell."""

    score: float = 0.0
    message: str = ""
    from_grader: bool = False  # the message is grading's own
    unfinished: bool = False


def tally(plan: Blueprint, student: str, executed: dict[str, NotebookNode], stops: dict[str, str], seconds: int) -> Record:
    """The record of one hand-in from its executed notebooks, by name. `stops` says why a notebook's run ended early; `seconds` is the limit of a cell."""
    record, name = plan.record(student), plan.namer()
    for notebook, cells in plan.cells.items():
        results: dict[str, Result] = {}
        if notebook in executed:
            results = _results(executed[notebook], cells, seconds)
            record.flags += _flags(executed[notebook], cells, seconds)
        absent = Result(message=records.NOT_HANDED_IN.format(name=notebook), from_grader=True)
        for grade_id, cell in cells.items():
            if cell["kind"] != AUTO:
                continue
            result = results.get(grade_id, absent)
            record.cells[name(notebook, grade_id)] = {
                "score": result.score,
                "max": cell["points"],
                "message": result.message,
                "hidden": cell["hidden"],
                "from_grader": result.from_grader,
                "weak": cell["weak"],
            }
            record.auto_score += result.score
            if result.unfinished:
                record.status, record.reason = records.STOPPED, " ".join(dict.fromkeys(filter(None, stops.values())))
    return record


def _results(notebook: NotebookNode, cells: dict[str, dict], seconds: int) -> dict[str, Result]:
    results, answer_cut = {}, False
    for cell in notebook.cells:
        if utils.is_solution(cell):
            answer_cut = error_named(cell, TIMEOUT)
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        if cells.get(grade_id, {}).get("kind") == AUTO:
            results[grade_id] = _result(cell, answer_cut, seconds)
    return results


def _result(cell: NotebookNode, answer_cut: bool, seconds: int) -> Result:
    score, highest = utils.determine_grade(cell)
    score = float(score or 0.0)
    errors = [output for output in cell.get("outputs", []) if output.output_type == "error"]
    if error_named(cell, STOPPED):
        return Result(0.0, records.NOT_FINISHED.format(reason=errors[0].evalue), from_grader=True, unfinished=True)
    if error_named(cell, TIMEOUT):
        return Result(0.0, LIMIT.format(seconds=seconds), from_grader=True)
    if errors and answer_cut and errors[0].ename == "NameError":
        return Result(0.0, records.ANSWER_CUT.format(seconds=seconds), from_grader=True)
    if errors:
        return Result(score, _message(errors[0]))
    return Result(score) if score == highest else Result(score, records.PARTIAL, from_grader=True)


def _message(error: NotebookNode) -> str:
    """What an assertion says; other exceptions with their class in front."""
    text = ANSI.sub("", str(error.evalue)).strip()
    if error.ename != "AssertionError" or not text:
        text = f"{error.ename}: {text}" if text else error.ename
    return text[:MESSAGE_LENGTH]


def _flags(notebook: NotebookNode, cells: dict[str, dict], seconds: int) -> list[str]:
    flags = []
    for cell in notebook.cells:
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        if error_named(cell, TIMEOUT) and not error_named(cell, STOPPED):
            flags.append(f"제한 시간 {seconds}초를 넘겨 멈춘 셀이 있습니다: {grade_id or '직접 만든 셀'}")
        if cells.get(grade_id, {}).get("kind") == HAND and not utils.is_task(cell) and utils.determine_grade(cell)[0] == 0:
            flags.append(f"답이 비어 있습니다: {grade_id}")
    return flags
