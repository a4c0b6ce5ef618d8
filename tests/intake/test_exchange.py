"""JupyterHub: what nbgrader's own commands put into an exchange lands in the same intake, with the exchange's times."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbgrader.utils import parse_utc

from autograder.intake.attempts import read_attempts
from autograder.intake.collect import collect
from tests.grade.small_course import ASSIGNMENT, filled, make_course, tree
from tests.intake.archives import put


@pytest.fixture(scope="module")
def exchange(tmp_path_factory):
    """A course whose assignment was released, handed in by alice twice and by bob once, and collected by nbgrader."""
    top = tmp_path_factory.mktemp("exchange")
    root = make_course(top / "course")
    (top / "exchange").mkdir(mode=0o777)
    (top / "exchange").chmod(0o777)

    def nbgrader(*command: str, cwd: Path = root) -> None:
        settings = [f"--Exchange.root={top / 'exchange'}", f"--Exchange.cache={top / 'cache'}"]
        command = [sys.executable, "-m", "nbgrader", *command, *settings, "--CourseDirectory.course_id=small"]
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=os.environ | {"HOME": str(top)}, check=False)
        assert done.returncode == 0, done.stderr

    nbgrader("release_assignment", ASSIGNMENT)
    for student, essay in (("alice", "먼저"), ("bob", "밥"), ("alice", "나중")):
        work = top / student / ASSIGNMENT
        put(work / "hw.ipynb", nbformat.writes(filled(root, essay=essay)).encode())
        put(work / "자료.csv", essay.encode())
        nbgrader("submit", ASSIGNMENT, f"--CourseDirectory.student_id={student}", cwd=work.parent)
    nbgrader("collect", ASSIGNMENT)
    return root, top / "exchange"


def test_every_hand_in_is_taken_with_its_time(exchange, tmp_path):
    root, folder = exchange
    fresh = make_course(tmp_path / "course")
    found = collect(fresh, ASSIGNMENT, [folder / "small"])
    assert sorted((row.student, Path(row.file).name, row.status) for row in found.rows) == [
        ("alice", "hw.ipynb", "counts"),
        ("alice", "hw.ipynb", "kept"),
        ("alice", "자료.csv", "kept"),
        ("alice", "자료.csv", "kept"),
        ("bob", "hw.ipynb", "counts"),
        ("bob", "자료.csv", "kept"),
    ]
    assert all(attempt.time and attempt.sender == f"nbgrader:{attempt.student}" for attempt in read_attempts(fresh, ASSIGNMENT))
    for student, essay in {"alice": "나중", "bob": "밥"}.items():
        ours, theirs = (course / "submitted" / student / ASSIGNMENT for course in (fresh, root))
        assert nbformat.read(ours / "hw.ipynb", as_version=4).cells[-1].source == essay
        assert nbformat.read(theirs / "hw.ipynb", as_version=4).cells[-1].source == essay
        times = [parse_utc((place / "timestamp.txt").read_text().strip()).replace(microsecond=0) for place in (ours, theirs)]
        assert times[0] == times[1]
    before = tree(fresh)
    collect(fresh, ASSIGNMENT, [folder / "small" / "inbound"])
    assert tree(fresh) == before


def test_only_whom_the_roster_knows(exchange, tmp_path):
    fresh = make_course(tmp_path / "course")
    put(fresh / "roster.csv", "학번,이름,아이디\n2024000001,앨리스,alice\n".encode())
    found = collect(fresh, ASSIGNMENT, [exchange[1] / "small"])
    assert {(row.student, row.status == "unmatched") for row in found.rows} == {("2024000001", False), ("", True)}
