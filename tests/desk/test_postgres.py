"""Promises about a gradebook in PostgreSQL: the desk works on it, leaves no transaction open and survives its restart."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from autograder import CourseError
from autograder.desk import server
from autograder.grade import hand
from autograder.grade.folder import CourseFolder
from autograder.grade.run import grade
from tests.desk.conftest import open_desk, open_submission
from tests.grade.small_course import ASSIGNMENT, CONFIG, filled, hand_in, make_course, source_cells

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
pytestmark = pytest.mark.skipif(not PROGRAMS and not shutil.which("pg_ctl"), reason="PostgreSQL (pg_ctl) is not installed")
USER = {"user": "nobody", "group": "nogroup"} if os.geteuid() == 0 else {}  # it refuses to run as root
QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class Cluster:
    """A private server in a folder of its own, reached through a socket there."""

    def __init__(self, folder: Path):
        self.folder, self.programs = folder, PROGRAMS[-1].parent if PROGRAMS else Path(shutil.which("pg_ctl")).parent
        self.url = f"postgresql+psycopg://grader@/postgres?host={folder}"
        if USER:
            shutil.chown(folder, **USER)
        self._run("initdb", "-D", folder / "data", "-U", "grader", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.control("start")

    def control(self, verb: str) -> None:
        options = ["-o", f"-k {self.folder} -c listen_addresses='' -c fsync=off"] if verb != "stop" else []
        self._run("pg_ctl", verb, "-w", "-m", "fast", "-D", self.folder / "data", "-l", self.folder / "log", *options)

    def _run(self, program: str, *arguments) -> None:
        subprocess.run([self.programs / program, *map(str, arguments)], cwd=self.folder, check=True, **USER, **QUIET)


@pytest.fixture(scope="module")
def postgres():
    with tempfile.TemporaryDirectory(prefix="pg-") as name:
        running = Cluster(Path(name))
        yield running
        running.control("stop")


@pytest.fixture(scope="module")
def desk(postgres, tmp_path_factory):
    config = CONFIG + f"c.CourseDirectory.db_url = {postgres.url!r}\n"
    root = make_course(tmp_path_factory.mktemp("pg") / "course", {"hw": source_cells()}, config=config)
    hand_in(root, "2026000001", filled(root))
    assert [record.auto_score for record in grade(root, ASSIGNMENT)] == [10]
    with open_desk(root) as desk:
        yield desk


# A score and a comment given in the browser are in the database; no session is left in a transaction, so that the
# database's own maintenance is not held up. A NUL in a comment, which PostgreSQL refuses, harms nothing.
def test_scores_reach_the_database(desk, postgres, visit):
    page, seen = visit(desk)
    open_submission(page, desk, "2026000001")
    page.fill("#essay", "3.5")
    with page.expect_response("**/api/grade/*"):
        page.press("#essay", "Escape")
    page.fill("#essay-comment", "좋은 설명입니다.\0")
    with page.expect_response("**/api/comment/*") as answer:
        page.press("#essay-comment", "Escape")
    assert answer.value.ok and seen.console == []
    score = CourseFolder(desk.root).hand_scores(ASSIGNMENT)["2026000001"].cells["essay"]
    assert (score.score, score.comment, score.stale) == (3.5, "좋은 설명입니다.", False)
    engine = create_engine(postgres.url)
    with engine.connect() as connection:
        states = (
            connection.execute(text("select state from pg_stat_activity where state is not null and pid <> pg_backend_pid()"))
            .scalars()
            .all()
        )
    engine.dispose()
    assert "idle in transaction" not in states


# Hand scores are noted and go out of date as on SQLite.
def test_hand_scores(desk):
    course = CourseFolder(desk.root)
    with hand.kept(course, ASSIGNMENT):
        path = course.path("autograded", "2026000001", ASSIGNMENT) / "hw.ipynb"
        path.chmod(0o644)
        path.write_text(path.read_text(encoding="utf-8").replace("덧셈은 교환됩니다.", "다른 답"), encoding="utf-8")
        with course.gradebook() as gradebook:
            gradebook.find_grade("essay", "hw", ASSIGNMENT, "2026000001").needs_manual_grade = True
            gradebook.db.commit()
    assert course.hand_scores(ASSIGNMENT)["2026000001"].cells["essay"].stale
    grade_id = desk.grades("2026000001")["essay"]["id"]
    assert desk.ask(f"/formgrader/api/grade/{grade_id}", "PUT", {"manual_score": 2})[0] == 200
    score = course.hand_scores(ASSIGNMENT)["2026000001"].cells["essay"]
    assert (score.score, score.stale) == (2, False)


# While the database is away a request fails with a message; when it is back the next one works, without a restart of ours.
def test_database_restarts(desk, postgres):
    grade_id = desk.grades("2026000001")["essay"]["id"]
    postgres.control("stop")
    status, _, answer = desk.ask(f"/formgrader/api/grade/{grade_id}", "PUT", {"manual_score": 1})
    assert status == 500 and "저장하거나 읽지 못했습니다" in json.loads(answer)["message"]
    with pytest.raises(CourseError, match="데이터베이스가 켜져 있는지"):
        server.open_desk(desk.root, 9300, print)
    postgres.control("start")
    assert desk.ask(f"/formgrader/api/grade/{grade_id}", "PUT", {"manual_score": 1})[0] == 200
    assert desk.grades("2026000001")["essay"]["manual_score"] == 1
