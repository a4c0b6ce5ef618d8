"""Every hostile or broken hand-in of the shared cases in one class, between a right and a wrong student."""
from __future__ import annotations

import json
import os
import shutil
import socket
import threading
from pathlib import Path

import nbformat
import pytest

from autograder.grade.folder import CourseFolder
from autograder.grade.jail.walls import Limits
from autograder.grade.run import Settings, grade
from autograder.grade.trial import Budget
from tests.grade.small_course import temporary, tree

CASES = Path(os.environ.get("ATTENTION_CASES", "/nowhere"))
CANARIES = ("CANARY_HIDDEN_7f3a", "CANARY_ENV_55de", "CANARY_HOME_02aa")
pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="ATTENTION_CASES names the folder cases/hostile")


def cases() -> list[dict]:
    return json.loads((CASES / "manifest.json").read_text(encoding="utf-8"))["notebooks"] if CASES.is_dir() else []


class Listener(threading.Thread):
    """Stands for the internet at the address that the cases try to reach."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket, self.heard = socket.socket(), []
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("127.0.0.1", 9999))
        self.socket.listen()
        self.start()

    def run(self):
        while True:
            try:
                self.heard.append(self.socket.accept())
            except OSError:
                return


@pytest.fixture(scope="module")
def graded():
    root = temporary() / "course"
    shutil.copytree(CASES / "course", root, copy_function=shutil.copyfile)
    for path in [root, *root.rglob("*/")]:
        path.chmod(0o755)
    (root / ".hostile-test-course").touch()
    for case in cases():
        shutil.copytree(CASES / "notebooks" / case["id"], root / "submitted" / f"m_{case['id']}" / "ps1", copy_function=shutil.copyfile)
    listener, before = Listener(), tree(root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SECRET_TOKEN", CANARIES[1])
        patch.setenv("HOME", str(root / "home"))
        records = {r.student: r for r in grade(root, "ps1", settings=Settings(Budget(cell_seconds=4, notebook_seconds=25), Limits(), workers=2))}
    listener.socket.close()
    return root, records, before, listener


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_case(graded, case):
    root, records, _, _ = graded
    record, expect = records[f"m_{case['id']}"], case["expect"]
    told = (record.status, record.auto_score, record.reason, record.cells)
    assert record.auto_score in expect.get("auto_accept", [expect["auto_score"]]), told
    if "refused" not in expect["outcome"]:
        assert record.status in ("graded", "stopped"), told
    if record.auto_score < 5:
        assert record.reason or any(cell["message"] for cell in record.cells.values()), told
    path = root / "autograded" / record.student / "ps1" / "attention.ipynb"
    if path.is_file():
        assert path.stat().st_size < expect.get("max_result_mb", 8) << 20
        outputs = [c.get("outputs", []) for c in nbformat.read(path, as_version=4).cells if not c.metadata.get("nbgrader", {}).get("grade_id", "").startswith("test_")]
        assert not any(canary in json.dumps(outputs) for canary in CANARIES)
    said = json.dumps([cell["message"] for cell in record.cells.values()] + record.flags)
    assert not any(canary in said for canary in CANARIES)


def test_the_others_are_untouched(graded):
    root, records, before, listener = graded
    assert (records["alice"].auto_score, records["zoe"].auto_score) == (5, 0)
    scores = CourseFolder(root).hand_scores("ps1")
    assert sum(c.score for n, c in scores["alice"].cells.items() if n.startswith("test")) == 5 and not any(c.extra for s in scores.values() for c in s.cells.values())
    after = tree(root)
    assert {path for path in before if after.get(path) != before[path]} == set()
    assert {path.split("/")[0] for path in set(after) - set(before)} == {"autograded", "reports", "gradebook.db"}
    assert listener.heard == []
