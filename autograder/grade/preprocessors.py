"""Small steps between nbgrader's own: a run apart from the checks, outputs that mean what they say, hand-ins cut short.

nbgrader reads a score out of a test cell's outputs, and no output means full marks. So whatever keeps a test cell from
running to its end must leave an error output in it.
"""
from __future__ import annotations

import atexit
import math
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader import utils
from nbgrader.api import Comment, Grade, Gradebook, SubmittedNotebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import ClearOutput, NbGraderPreprocessor, SaveAutoGrades
from sqlalchemy.orm import joinedload
from traitlets import Integer

from autograder.grade import programme
from autograder.grade.jail.client import Endpoint, WarmParent
from autograder.grade.jail.walls import Limits
from autograder.grade.programme import ANSWER, Programme
from autograder.grade.trial import DIED, STOPPED, Budget, Trial, stopped
from autograder.notebooks import KERNELSPEC


@dataclass
class Bench:
    """What the run of one notebook needs, and what came of it. Travels in resources["nbgrader"]["bench"]."""

    programme: Programme
    given: Path  # the instructor's folder
    beside: Path | None = None  # the student's folder with the instructor's data in it
    cells: dict[str, dict] = field(default_factory=dict)  # of the blueprint
    endpoint: Endpoint | None = None  # where processes are to be had
    fresh: Limits | None = None  # limits of a parent of its own, with nothing imported
    budget: Budget | None = None
    slot: int = 0
    stop: str = ""  # why the notebook was not run to its end
    flags: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)


class Run(NbGraderPreprocessor):
    """In place of nbgrader's Execute: student code and checks in processes of their own (see trial). Never raises on account
    of a hand-in. Also for `nbgrader autograde` and formgrader, which know nothing of a Bench: then it starts its own
    warm parent, once per process."""

    cell_seconds = Integer(60, help="limit for one cell").tag(config=True)
    notebook_seconds = Integer(600, help="limit for all cells together").tag(config=True)
    output_bytes = Integer(1_000_000, help="output kept of one cell").tag(config=True)

    def preprocess(self, nb, resources):
        bench = bench_of(resources, self.config)
        for cell in nb.cells:
            cell.metadata.pop("tags", None)  # a tag makes nbconvert skip a cell: full marks
        nb.metadata["kernelspec"] = KERNELSPEC
        if bench.stop:  # decided before: it is not run
            return nb, resources
        folder = bench.beside or Path(resources.get("metadata", {}).get("path") or ".")
        budget = bench.budget or Budget(self.cell_seconds, self.notebook_seconds, self.output_bytes)
        with self._parent(bench) as endpoint:
            trial = Trial(endpoint, bench.programme, budget, files_in(folder), files_in(bench.given), bench.slot)
            trial.run(nb)
        bench.stop, bench.flags, bench.seconds = trial.stop, trial.flags, trial.seconds
        return nb, resources

    @staticmethod
    def _parent(bench: Bench):
        if bench.endpoint:
            return nullcontext(bench.endpoint)
        if bench.fresh:
            return WarmParent([], bench.fresh)
        return nullcontext(_own_parent(bench.programme))


def bench_of(resources, config) -> Bench:
    """What the grader prepared, or, where nbgrader grades by itself, a new one from the source notebook."""
    where = resources["nbgrader"]
    if "bench" not in where:
        directory = CourseDirectory(config=config)
        path = Path(directory.format_path(directory.source_directory, ".", where["assignment"]), f"{where['notebook']}.ipynb").absolute()
        where["bench"] = Bench(programme.read(path, hidden_marks(config)), path.parent)
    return where["bench"]


_PARENTS: dict[tuple[str, ...], Endpoint] = {}


def _own_parent(programme: Programme) -> Endpoint:
    if programme.preload not in _PARENTS:
        parent = WarmParent(programme.preload, cells=programme.judged())
        _PARENTS[programme.preload] = parent.__enter__()
        atexit.register(parent.close)
    return _PARENTS[programme.preload]


def hidden_marks(config) -> tuple[str, str]:
    """The words around hidden tests, which a course may choose."""
    settings = config.get("ClearHiddenTests", {})
    names = {"begin_test_delimeter": "BEGIN HIDDEN TESTS", "end_test_delimeter": "END HIDDEN TESTS"}
    return tuple(settings.get(name, default) for name, default in names.items())


def files_in(folder: Path, most: int = 200 << 20) -> dict[str, bytes]:
    """Data beside a notebook, {relative path: content}, up to `most` bytes together; no notebooks, no links."""
    found: dict[str, bytes] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix != ".ipynb" and path.is_file() and not path.is_symlink() and path.name != "timestamp.txt":
            if (most := most - path.stat().st_size) < 0:
                break
            found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found


class ClearOtherOutput(ClearOutput):
    """nbgrader's ClearOutput, but the answers that are run by their readers only keep what their readers saw."""

    def preprocess_cell(self, cell, resources, index):
        step = bench_of(resources, self.config).programme.step(cell.metadata.get("nbgrader", {}).get("grade_id"))
        if step and step.reader_only and step.kind == ANSWER:
            return cell, resources
        return super().preprocess_cell(cell, resources, index)


class Settle(NbGraderPreprocessor):
    """Make outputs of test cells mean one thing: an exception fails, everything else is as nbgrader reads it."""

    def preprocess_cell(self, cell, resources, index):
        if not (cell.cell_type == "code" and utils.is_grade(cell) and not utils.is_solution(cell)):
            return cell, resources
        if cell.source.strip() and cell.execution_count is None and not utils.has_failed(cell):
            bench = resources["nbgrader"]["bench"]
            bench.stop = bench.stop or DIED
            cell.outputs = [stopped(bench.stop)]
        for output in cell.outputs:
            if output.output_type == "stream":
                output.name = "stdout"  # nbgrader gives 0 for a mere warning on stderr
            elif output.output_type == "execute_result":
                _bound(output, float(cell.metadata.nbgrader["points"]))
        # nbgrader goes by the first output that says anything, and a value could come before the error.
        cell.outputs.sort(key=lambda output: output.output_type != "error")
        return cell, resources


class Restore(NbGraderPreprocessor):
    """nbgrader's OverwriteCells without a database: locked cells get the text that the source has, hidden tests included.
    Their metadata are the release's already (see handin)."""

    def preprocess_cell(self, cell, resources, index):
        known = bench_of(resources, self.config).cells.get(cell.metadata.get("nbgrader", {}).get("grade_id"))
        if known and known["mark"].get("locked"):
            cell.source = known["source"]
            cell.metadata.nbgrader["checksum"] = known["mark"].get("checksum")
        return cell, resources


class SaveAtOnce(SaveAutoGrades):
    """nbgrader's SaveAutoGrades with one query and one commit for a notebook instead of two for each cell; and a test cell
    that was not finished has no score and waits for a person."""

    def preprocess(self, nb, resources):
        where = resources["nbgrader"]
        with nullcontext(where["gradebook"]) if "gradebook" in where else Gradebook(where["db_url"]) as real:
            self.gradebook = self.db = self  # what nbgrader asks of a gradebook while it goes through the cells
            self.notebook_id, self.assignment_id, self.student_id = where["notebook"], where["assignment"], where["student"]
            found = real.find_submission_notebook(self.notebook_id, self.assignment_id, self.student_id)
            self.grades, self.comments = ({one.cell.name: one for one in _with_cells(real, kind, found)} for kind in (Grade, Comment))
            nb, resources = NbGraderPreprocessor.preprocess(self, nb, resources)
            for cell in nb.cells:
                if utils.is_grade(cell) and error_named(cell, STOPPED):
                    grade = self.grades[cell.metadata.nbgrader["grade_id"]]
                    grade.auto_score, grade.needs_manual_grade = None, True
            real.db.commit()
        return nb, resources

    def find_grade(self, name: str, *_):
        return self.grades[name]

    def find_comment(self, name: str, *_):
        return self.comments[name]

    def commit(self) -> None:
        """Once, at the end."""


def _with_cells(gradebook: Gradebook, kind: type, notebook: SubmittedNotebook) -> list:
    """The grades or comments of a notebook in one query; nbgrader's lists ask for the name of each with one more."""
    return gradebook.db.query(kind).options(joinedload(kind.cell)).filter(kind.notebook_id == notebook.id).all()


def error_named(cell, name: str) -> bool:
    return any(output.get("ename") == name for output in cell.get("outputs", []))


def _bound(output, highest: float) -> None:
    """nbgrader takes a number as partial credit but fails above the maximum and gives full marks for -1 and nan."""
    try:
        value = float(output.data["text/plain"])
    except (KeyError, ValueError):
        return
    output.data["text/plain"] = str(min(max(value, 0.0), highest) if math.isfinite(value) else 0.0)
