"""nbgrader's own converters, each for exactly one folder, and autograding cut in two.

`Execution` sanitises and runs a hand-in without touching the course; `Bookkeeping` files what came out of it. Between
them lies the line before SaveAutoGrades in nbgrader's list of preprocessors: everything up to it may run anywhere and
many times at once, everything from it on belongs to the one process that writes the gradebook.
"""
from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from glob import escape, glob
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.converters.base import BaseConverter
from nbgrader.preprocessors import AssignLatePenalties, CheckCellMetadata, ClearOutput, Execute, OverwriteCells, OverwriteKernelspec, SaveAutoGrades
from traitlets import Any, Dict, Unicode
from traitlets.utils.importstring import import_item

from autograder.grade.late import extension
from autograder.grade.preprocessors import ClearOtherOutput, Restore, Run, SaveAtOnce, Settle


class OneFolder:
    """Converts the folder of one hand-in and lets exceptions out; nbgrader's loop logs them and loses their kind."""

    def init_notebooks(self) -> None:
        folder = self._format_source(self.coursedir.assignment_id, self.coursedir.student_id)
        self.notebooks = sorted(glob(os.path.join(escape(folder), "*.ipynb")))

    def convert_notebooks(self) -> None:
        assignment, student = self.coursedir.assignment_id, self.coursedir.student_id
        self.force = True
        self.init_destination(assignment, student)
        self.run_pre_convert_hook()
        self.init_assignment(assignment, student)
        for notebook in self.notebooks:
            self.convert_single_notebook(notebook)
        self.set_permissions(assignment, student)
        self.run_post_convert_hook()


class Release(OneFolder, GenerateAssignment):
    """source -> gradebook, as nbgrader's generate_assignment does it; the released notebooks go to `output`."""

    output = Unicode()

    def convert_single_notebook(self, notebook_filename: str) -> None:
        steps = _classes(self.preprocessors)
        notebook = nbformat.read(notebook_filename, as_version=4)
        _write(self, Path(notebook_filename).stem, _convert(self, notebook_filename, notebook, steps)[0])

    def _format_dest(self, assignment_id: str, student_id: str, escape: bool = False) -> str:
        return self.output


class Execution(OneFolder, Autograde):
    """`handed_in` -> `executed`, notebooks by name, without a gradebook. `benches` holds, for each of them, what its run
    needs and what came of it."""

    handed_in, executed, benches = Dict(), Dict(), Dict()

    def init_notebooks(self) -> None:
        folder = self._format_source(self.coursedir.assignment_id, self.coursedir.student_id)
        self.notebooks = [os.path.join(folder, f"{name}.ipynb") for name in sorted(self.handed_in)]

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        """Nothing of nbgrader's preparations is needed here but the data."""
        _copy_data(self)

    def convert_single_notebook(self, notebook_filename: str) -> None:
        """nbgrader's two lists in one pass, ours in the place of theirs where ours do the same."""
        clean = [{ClearOutput: ClearOtherOutput, OverwriteCells: Restore}.get(s, s) for s in _classes(self.sanitize_preprocessors)]
        listed = _classes(self.autograde_preprocessors)
        run = [Run if step is Execute else step for step in listed[: _seam(listed)] if step is not Settle]
        # Right after the execution, before metadata is cleared and output is shortened.
        places = [place for place, step in enumerate(run) if issubclass(step, Run)]
        run.insert(places[0] + 1 if places else len(run), Settle)
        name = Path(notebook_filename).stem
        self.executed[name], resources = _convert(self, notebook_filename, self.handed_in[name], _needed([*clean, *run]))
        self.benches[name] = resources["nbgrader"]["bench"]
        _write(self, name, self.executed[name])

    def init_single_notebook_resources(self, notebook_filename: str) -> dict:
        resources = super().init_single_notebook_resources(notebook_filename)
        where = resources["nbgrader"]
        where["bench"] = replace(self.benches[where["notebook"]], beside=Path(self._format_dest(where["assignment"], where["student"])))
        return resources


class Bookkeeping(OneFolder, Autograde):
    """The gradebook's rows and the autograded folder of one hand-in, from notebooks that `Execution` left in `executed`."""

    executed = Unicode()
    gradebook = Any(help="open; opening one takes longer than filing a hand-in")
    rules = Any(help="due dates of a course that has them in course.yml, else None: the gradebook's own stay")

    def init_notebooks(self) -> None:
        """Those that were executed: a hand-in's file may have had another name."""
        folder = self._format_source(self.coursedir.assignment_id, self.coursedir.student_id)
        executed = sorted(glob(os.path.join(escape(self.executed), "*.ipynb")))
        self.notebooks = [os.path.join(folder, os.path.basename(path)) for path in executed]

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        """What nbgrader does here with the gradebook, which it opens six times. Raises MissingEntry for a student whom a
        course without `create_student` does not know."""
        _copy_data(self)
        stamp = self.coursedir.get_existing_timestamp(self._format_source(assignment_id, student_id))
        gradebook = self.gradebook
        gradebook.update_or_create_student(student_id) if self.create_student else gradebook.find_student(student_id)
        told = {"timestamp": stamp} if stamp else {}
        if self.rules:
            gradebook.update_or_create_assignment(assignment_id, duedate=self.rules.due and self.rules.due.isoformat())
            told["extension"] = extension(student_id, self.rules)
        submission = gradebook.update_or_create_submission(assignment_id, student_id, **told)
        books = {book.name: book for book in submission.notebooks}
        handed_in = {Path(path).stem: path for path in self.notebooks}
        self.notebooks = [path for name, path in handed_in.items() if name in books]
        for name in set(books) - set(handed_in):  # not handed in: 0, and nobody need look at it
            for grade in books[name].grades:
                grade.auto_score, grade.needs_manual_grade = 0, False
        gradebook.db.commit()
        self.late = submission.total_seconds_late > 0 or any(book.late_submission_penalty for book in books.values())

    def convert_single_notebook(self, notebook_filename: str) -> None:
        listed = _classes(self.autograde_preprocessors)
        steps = [SaveAtOnce if step is SaveAutoGrades else step for step in listed[_seam(listed) :]]
        # What is on time has no penalty; nbgrader would open the gradebook once more to write that.
        steps = [step for step in _needed(steps) if self.late or step is not AssignLatePenalties]
        path = Path(self.executed, os.path.basename(notebook_filename))
        executed = nbformat.v4.reads_json(path.read_text(encoding="utf-8"))
        _write(self, path.stem, _convert(self, notebook_filename, executed, steps)[0])

    def init_single_notebook_resources(self, notebook_filename: str) -> dict:
        resources = super().init_single_notebook_resources(notebook_filename)
        resources["nbgrader"]["gradebook"] = self.gradebook
        return resources


def _copy_data(converter: Autograde) -> None:
    """The student's data, in whose place the instructor's come, as in nbgrader."""
    assignment, student = converter.coursedir.assignment_id, converter.coursedir.student_id
    BaseConverter.init_assignment(converter, assignment, student)
    source = Path(converter.coursedir.format_path(converter.coursedir.source_directory, ".", assignment))
    kept = {source / name for name in converter.exclude_overwriting.get(assignment, [])}
    for path in map(Path, utils.find_all_files(str(source), [*converter.coursedir.ignore, "*.ipynb"])):
        if path not in kept:
            copy = Path(converter._format_dest(assignment, student), path.relative_to(source))
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.unlink(missing_ok=True)
            shutil.copy(path, copy)


def _convert(converter: Autograde, hand_in: str, notebook: NotebookNode, steps: list[type]) -> tuple[NotebookNode, dict]:
    """`notebook` through `steps`, as nbconvert's exporter would take it there; that one also copies and validates it before
    every step and writes it twice, which takes longer than running most hand-ins."""
    exporter = converter.exporter
    exporter._preprocessors = []
    for step in steps:
        exporter.register_preprocessor(step)
    resources = exporter._init_resources(converter.init_single_notebook_resources(hand_in))
    resources["metadata"] |= {"name": Path(hand_in).stem, "path": os.path.dirname(hand_in)}
    with utils.setenv(**{"NBGRADER_EXECUTION": "autograde"} if isinstance(converter, Autograde) else {}):
        for step in exporter._preprocessors:
            notebook, resources = step(notebook, resources)
    return notebook, resources


def _needed(steps: list[type]) -> list[type]:
    """Without nbgrader's check of cell metadata, which have been taken from the release, and without its kernelspec, which
    `Run` sets."""
    return [step for step in steps if step not in (CheckCellMetadata, OverwriteKernelspec)]


def _write(converter: Autograde, name: str, notebook: NotebookNode) -> None:
    """Into the converter's destination, a line for each cell: ten times as fast as nbformat's own layout."""
    rest = json.dumps({key: value for key, value in notebook.items() if key != "cells"}, ensure_ascii=False)
    cells = ",\n".join(json.dumps(cell, ensure_ascii=False) for cell in notebook.cells)
    (_destination(converter) / f"{name}.ipynb").write_text(f'{{"cells": [\n{cells}\n],\n{rest[1:]}\n', encoding="utf-8")


def _destination(converter: Autograde) -> Path:
    folder = Path(converter._format_dest(converter.coursedir.assignment_id, converter.coursedir.student_id))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _classes(preprocessors: list) -> list[type]:
    """A course may list preprocessors by dotted name."""
    return [import_item(step) if isinstance(step, str) else step for step in preprocessors]


def _seam(preprocessors: list[type]) -> int:
    """Place of the first preprocessor that needs the real gradebook."""
    return next((i for i, step in enumerate(preprocessors) if issubclass(step, SaveAutoGrades)), len(preprocessors))
