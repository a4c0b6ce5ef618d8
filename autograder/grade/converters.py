"""nbgrader's own converters, each for exactly one folder, and autograding cut in two.

`Execution` sanitises and runs a hand-in without touching the course; `Bookkeeping` files what came out of it. Between
them lies the line before SaveAutoGrades in nbgrader's list of preprocessors: everything up to it may run anywhere and
many times at once, everything from it on belongs to the one process that writes the gradebook.
"""
from __future__ import annotations

import os
from glob import escape, glob

from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.preprocessors import Execute, SaveAutoGrades
from traitlets import Any, Dict, Unicode
from traitlets.utils.importstring import import_item

from autograder.grade.late import write_due
from autograder.grade.preprocessors import OpenForHand, Run, Settle


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

    def _format_dest(self, assignment_id: str, student_id: str, escape: bool = False) -> str:
        return self.output


class Execution(OneFolder, Autograde):
    """submitted -> executed notebooks. `stops` tells afterwards why a notebook was not run to its end."""

    stop = Unicode(help="when not empty, nothing is run: the reason")
    stops = Dict()

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        listed = _classes(self.autograde_preprocessors)
        steps = [Run if step is Execute else step for step in listed[: _seam(listed)]]
        # Right after the execution, before metadata is cleared and output is shortened.
        runs = [i for i, step in enumerate(steps) if issubclass(step, Execute)]
        steps.insert(runs[0] + 1 if runs else len(steps), Settle)
        self.autograde_preprocessors = steps

    def init_single_notebook_resources(self, notebook_filename: str) -> dict:
        resources = super().init_single_notebook_resources(notebook_filename)
        resources["nbgrader"]["stop"] = self.stop
        return resources

    def write_single_notebook(self, output: str, resources: dict) -> None:
        super().write_single_notebook(output, resources)
        if resources["nbgrader"]["stop"]:
            self.stops[resources["nbgrader"]["notebook"]] = resources["nbgrader"]["stop"]


class Bookkeeping(OneFolder, Autograde):
    """The gradebook's rows and the autograded folder of one hand-in, from notebooks that `Execution` left in `executed`."""

    executed = Unicode()
    rules = Any(help="due dates of a course that has them in course.yml, else None: the gradebook's own stay")

    def init_notebooks(self) -> None:
        """Those that were executed: a hand-in's file may have had another name."""
        folder = self._format_source(self.coursedir.assignment_id, self.coursedir.student_id)
        executed = sorted(glob(os.path.join(escape(self.executed), "*.ipynb")))
        self.notebooks = [os.path.join(folder, os.path.basename(path)) for path in executed]

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        super().init_assignment(assignment_id, student_id)
        if self.rules:
            with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
                write_due(gradebook, assignment_id, student_id, self.rules)

    def convert_single_notebook(self, notebook_filename: str) -> None:
        listed = _classes(self.autograde_preprocessors)
        steps = listed[_seam(listed) :]
        steps[1:1] = [OpenForHand]  # after SaveAutoGrades, before late penalties are computed from the score
        self.exporter._preprocessors = []
        for step in steps:
            self.exporter.register_preprocessor(step)
        resources = self.init_single_notebook_resources(notebook_filename)
        executed = os.path.join(self.executed, os.path.basename(notebook_filename))
        output, resources = self.exporter.from_filename(executed, resources=resources)
        self.write_single_notebook(output, resources)


def _classes(preprocessors: list) -> list[type]:
    """A course may list preprocessors by dotted name."""
    return [import_item(step) if isinstance(step, str) else step for step in preprocessors]


def _seam(preprocessors: list[type]) -> int:
    """Place of the first preprocessor that needs the real gradebook."""
    return next((i for i, step in enumerate(preprocessors) if issubclass(step, SaveAutoGrades)), len(preprocessors))
