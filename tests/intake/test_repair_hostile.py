"""The shared cases of tampered marks (d) and odd files (e): each ends as its manifest says, beside a right and a wrong one."""
from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from autograder.grade.run import grade

CASES = Path(os.environ.get("ATTENTION_CASES", "/nowhere"))
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not CASES.is_dir(), reason="ATTENTION_CASES names the folder cases/hostile"),
]


def cases() -> list[dict]:
    manifest = json.loads((CASES / "manifest.json").read_text(encoding="utf-8")) if CASES.is_dir() else {"notebooks": []}
    return [case for case in manifest["notebooks"] if case["id"][0] in "de"]


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    root = tmp_path_factory.mktemp("hostile") / "course"
    shutil.copytree(CASES / "course", root, copy_function=shutil.copyfile)
    for path in [root, *root.rglob("*/")]:
        path.chmod(0o755)
    (root / ".hostile-test-course").touch()
    for case in cases():
        place = root / "submitted" / case["id"] / "ps1"
        shutil.copytree(CASES / "notebooks" / case["id"], place, copy_function=shutil.copyfile)
    return {record.student: record for record in grade(root, "ps1")}


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_outcome(records, case):
    record, wanted = records[case["id"]], case["expect"]
    status = "refused" if wanted["outcome"].startswith("refused") else "graded"
    assert (record.status, record.auto_score) == (status, wanted["auto_score"]), record.reason
    assert record.max_auto == wanted["max_auto"]
    assert bool(record.reason) == (status == "refused")


def test_others(records):
    assert (records["alice"].auto_score, records["zoe"].auto_score) == (5, 0)
    assert records["alice"].flags == records["zoe"].flags == []
