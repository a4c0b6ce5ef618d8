"""A small nbgrader course and a class of students, each with one thing wrong (or right); graded once for all tests."""
from __future__ import annotations

import atexit
import functools
import hashlib
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Base
from sqlalchemy import create_engine

from autograder import notebooks
from autograder.exercises import Exercise, parse
from autograder.grade.converters import Release
from autograder.grade.folder import CourseFolder
from autograder.grade.records import Record
from autograder.grade.run import Settings, grade
from autograder.grade.trial import Budget

ASSIGNMENT = "hw"
SECONDS = 2  # of a cell
STAMP = "2026-12-01 03:04:05 UTC"
ADD = "def add(a, b):\n    ### BEGIN SOLUTION\n    return a + b\n    ### END SOLUTION"
MUL = "def mul(a, b):\n    ### BEGIN SOLUTION\n    return a * b\n    ### END SOLUTION"
ADD_HIDDEN = '### BEGIN HIDDEN TESTS\nassert add(1234, -34) == 1200, "음수를 더하지 못했습니다."\n### END HIDDEN TESTS'
MUL_HIDDEN = '### BEGIN HIDDEN TESTS\nassert mul(77, 13) == 1001, f"{mul(77, 13)}은 틀렸습니다."\n### END HIDDEN TESTS'
CONFIG = 'c = get_config()\nc.CourseDirectory.course_id = "small"\n'


def cell(kind: str, grade_id: str, source: str, **mark):
    make = new_code_cell if kind == "code" else new_markdown_cell
    base = {"grade": False, "solution": False, "task": False, "locked": True, "schema_version": 3, "grade_id": grade_id}
    return make(source, id=grade_id.replace("_", "-"), metadata={"nbgrader": base | mark})


def answer(grade_id: str, source: str):
    return cell("code", grade_id, source, solution=True, locked=False)


def check(grade_id: str, points: float, source: str):
    return cell("code", grade_id, source, grade=True, points=points)


def source_cells() -> list:
    """add (2 visible + 3 hidden), mul (1 visible + 4 hidden), an essay (5, by hand)."""
    return [
        cell("markdown", "intro", "# 셈"),
        cell("code", "setup", "import os, sys, time"),
        cell("markdown", "add-task", "### 직접 해보기 (1) 더하기\n\n`add(a, b)`를 쓰세요."),
        answer("add", ADD),
        check("add-visible", 2, 'assert add(1, 2) == 3, "1 + 2가 3이 아닙니다."'),
        check("add-hidden", 3, ADD_HIDDEN),
        cell("markdown", "mul-task", "### 직접 해보기 (2) 곱하기\n\n`mul(a, b)`를 쓰세요."),
        answer("mul", MUL),
        check("mul-visible", 1, 'assert mul(2, 3) == 6, "2 * 3이 6이 아닙니다."'),
        check("mul-hidden", 4, MUL_HIDDEN),
        cell("markdown", "essay", "여기에 답을 쓰세요.", grade=True, solution=True, locked=False, points=5),
    ]


def make_course(root: Path, books: dict[str, list] | None = None, assignment: str = ASSIGNMENT, config: str = CONFIG) -> Path:
    """source/, nbgrader_config.py, release/ as nbgrader makes it, and a gradebook with nothing in it."""
    if books is None:
        shutil.copytree(_template(), root)
        return root
    root.mkdir(parents=True, exist_ok=True)
    (root / "nbgrader_config.py").write_text(config, encoding="utf-8")
    folder = root / "source" / assignment
    folder.mkdir(parents=True, exist_ok=True)
    for name, cells in books.items():
        nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": notebooks.KERNELSPEC}), folder / f"{name}.ipynb")
    course, private = CourseFolder(root), temporary()
    for database in (root / "gradebook.db", private / "gradebook.db"):  # a new one would take nbgrader seconds
        engine = create_engine(f"sqlite:///{database}")
        Base.metadata.create_all(engine)
        engine.dispose()
    with course.inside():
        directory = course.directory(assignment, ".", db_url=f"sqlite:///{private}/gradebook.db")
        Release(coursedir=directory, config=course.config, output=str(root / "release" / assignment)).start()
    return root


@functools.cache
def _template() -> Path:
    return make_course(temporary() / "course", {"hw": source_cells()})


def temporary() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="class-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def release(root: Path, name: str = "hw", assignment: str = ASSIGNMENT):
    return nbformat.read(root / "release" / assignment / f"{name}.ipynb", as_version=4)


def hand_in(root: Path, student: str, content, name: str = "hw", assignment: str = ASSIGNMENT, stamp: str = STAMP) -> Path:
    """Submit a notebook, or bytes in its place."""
    folder = root / "submitted" / student / assignment
    folder.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, bytes) else nbformat.writes(content).encode()
    (folder / f"{name}.ipynb").write_bytes(data)
    (folder / "timestamp.txt").write_text(stamp)
    return folder


RIGHT_ADD = "def add(a, b):\n    return a + b"
RIGHT_MUL = "def mul(a, b):\n    return a * b"


def filled(root: Path, add: str = RIGHT_ADD, mul: str = RIGHT_MUL, essay: str = "덧셈은 교환됩니다."):
    """The release with answers in it."""
    notebook = release(root)
    for one in notebook.cells:
        one.source = {"add": add, "mul": mul, "essay": essay}.get(one.metadata.get("nbgrader", {}).get("grade_id"), one.source)
    return notebook


def find(notebook, grade_id: str):
    return next(one for one in notebook.cells if one.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


def tree(root: Path) -> dict[str, tuple[str, int]]:
    """Content and time of change of every file."""
    files = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {str(p.relative_to(root)): (hashlib.sha256(p.read_bytes()).hexdigest(), p.stat().st_mtime_ns) for p in files}


# ---- the class --------------------------------------------------------------------------------------------------

ADDS = {
    "wrong": "def add(a, b):\n    return a - b",
    "warns": "def add(a, b):\n    import warnings\n    warnings.warn('주의')\n    print('주의', file=sys.stderr)\n    return a + b",
    "slow_check": "def add(a, b):\n    while True:\n        pass",
    "slow_answer": "while True:\n    pass\ndef add(a, b):\n    return a + b",
    "sysexit": "def add(a, b):\n    return a + b\nsys.exit()",
    "memory": "def add(a, b):\n    return len(bytearray(6 << 30))",
    "value": "def add(a, b):\n    get_ipython().displayhook(3)\n    return 0",
    "leaks": "def add(a, b):\n    if (a, b) == (1, 2):\n        return 3\n    raise AssertionError(f'숨은 값은 {a}입니다.')",
    "raises": "def add(a, b):\n    if (a, b) == (1, 2):\n        return 3\n    raise ValueError(f'{a}')",
    "markup": "def add(a, b):\n    raise AssertionError('<script>alert(1)</script>')",
    "forks": "if os.fork() == 0:\n    time.sleep(300)\n    os._exit(0)\ndef add(a, b):\n    return a + b",
    "home": "import pathlib\n(pathlib.Path.home() / '.left-by-a-student').write_text('')\ndef add(a, b):\n    return a + b",
    "flood": "print('가' * 3_000_000)\ndef add(a, b):\n    return a + b",
}
MULS = {
    "stuck": "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
    "exit": "if os.fork() == 0:\n    time.sleep(300)\nos._exit(0)",
    "kills": "import signal\nif os.fork() == 0:\n    time.sleep(300)\nos.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(60)",
}
BYTES = {"cut_off": b'{"cells": [{"cell_type": "code", "met', "web_page": b"<!DOCTYPE html><html></html>", "empty": b""}


@dataclass(frozen=True)
class Graded:
    root: Path
    records: dict[str, Record]
    before: dict  # tree of the course before grading
    progress: list[tuple[str, int, int]]

    @property
    def exercises(self) -> list[Exercise]:
        return parse(notebooks.read(self.root / "source" / ASSIGNMENT / "hw.ipynb"))


@functools.cache
def graded_class() -> Graded:
    """Grade the class once. Tests read it; who wants to change something makes a course of his own."""
    parent = temporary()
    root = make_course(parent / "course")
    hand_in(root, "right", filled(root))
    hand_in(root, "blank", release(root))
    for student, source in ADDS.items():
        hand_in(root, student, filled(root, add=source))
    for student, source in MULS.items():
        hand_in(root, student, filled(root, mul=source))
    for student, data in BYTES.items():
        hand_in(root, student, data)
    hand_in(root, "bom", b"\xef\xbb\xbf" + nbformat.writes(filled(root)).encode())
    hand_in(root, "renamed", filled(root), name="hw (1)")
    hand_in(root, "no_time", filled(root), stamp="어제 저녁")
    hand_in(root, "missing", _without(filled(root), "add-hidden"))
    hand_in(root, "twice", _with_copy(filled(root), "add"))
    hand_in(root, "copied_check", _with_copy(filled(root, add=ADDS["wrong"]), "add-hidden", "pass"))
    hand_in(root, "tampered", _tampered(filled(root, add=ADDS["wrong"])))
    before, progress = tree(root), []
    tempfile.tempdir = str(parent)  # so that every process of this run has our folder in its environment
    found = grade(root, ASSIGNMENT, settings=Settings(Budget(SECONDS, 30), workers=2), progress=lambda r, n, of: progress.append((r.student, n, of)))
    tempfile.tempdir = None
    return Graded(root, {record.student: record for record in found}, before, progress)


def _without(notebook, grade_id: str):
    notebook.cells.remove(find(notebook, grade_id))
    return notebook


def _with_copy(notebook, grade_id: str, source: str | None = None):
    original = find(notebook, grade_id)
    copy = nbformat.from_dict(dict(original) | {"id": f"{original.id}-copy"})
    copy.source = copy.source if source is None else source
    notebook.cells.insert(notebook.cells.index(original) + 1, copy)
    return notebook


def _tampered(notebook):
    """Everything about the checks that a student can change in the file."""
    for grade_id, change in {
        "add-visible": {"points": 500, "locked": False},
        "add-hidden": {"grade": False, "locked": False, "schema_version": 99},
        "mul-visible": {"task": True, "points": float("nan")},
        "mul-hidden": {"points": "Infinity", "solution": True},
    }.items():
        one = find(notebook, grade_id)
        one.metadata.nbgrader.update(change)
        one.metadata.tags = ["skip-execution", "raises-exception"]
        one.source = "pass"
    return notebook
