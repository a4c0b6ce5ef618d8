"""The promise in general: any script of damage leaves every answer's text in its cell, whatever file it ends up in."""
from __future__ import annotations

import random

import nbformat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.grade.run import grade
from autograder.intake.reading import read
from autograder.intake.repair import mend
from tests.conftest import ROOT
from tests.intake.damage import CELLS, ENCODINGS, FORMS, grade_id, lab, solved, split, text

SCRIPT = {
    "edits": st.lists(st.sampled_from(CELLS), max_size=6, unique=True),
    "halves": st.booleans(),
    "form": st.sampled_from(FORMS),
    "encoding": st.sampled_from(ENCODINGS),
    "seed": st.integers(0, 2**32),
}


def damaged(edits, halves, form, encoding, seed) -> tuple[dict, bytes]:
    """The solved lab after a script of damage, and its bytes. Cells are split last: only neighbours can be joined."""
    nb, chance = solved(), random.Random(seed)
    for edit in [*edits, *[split] * halves]:
        edit(nb, chance)
    return nb, encoding(form(nb))


def lines(source: str) -> list[str]:
    return [line.rstrip() for line in source.splitlines() if line.strip()]


def holds(nb: dict, raw: bytes) -> None:
    release, answers = lab()
    made = mend(read(raw), release).notebook
    nbformat.validate(made)
    marked = [cell for cell in made.cells if "nbgrader" in cell.metadata]
    assert [cell.metadata for cell in marked] == [cell.metadata for cell in release.cells]
    for cell, original in zip(marked, release.cells):
        right = answers.get(grade_id(cell), original.source)
        assert (cell.cell_type, lines(cell.source)) == (original.cell_type, lines(right)), grade_id(cell)
    own = {text(cell).splitlines()[-1] for cell in nb["cells"] if "# 내 셀" in text(cell)}
    assert own <= {cell.source.splitlines()[-1] for cell in made.cells if "nbgrader" not in cell.metadata}
    assert mend(made, release).notebook == made


@given(**SCRIPT)
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_answers_survive(**script):
    holds(*damaged(**script))


@pytest.mark.long
@given(**SCRIPT)
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
def test_answers_survive_at_length(**script):
    holds(*damaged(**script))


# And they get their points: damaged hand-ins through the whole of grading.
@pytest.mark.long
def test_damaged_hand_ins_get_full_score(tmp_path):
    (tmp_path / "source").symlink_to(ROOT / "source")
    (tmp_path / "nbgrader_config.py").write_bytes((ROOT / "nbgrader_config.py").read_bytes())
    for seed in range(10):
        chance = random.Random(seed)
        edits = chance.sample(CELLS, 5)
        _, raw = damaged(edits, seed % 2 == 0, FORMS[seed % len(FORMS)], ENCODINGS[seed // 2], seed)
        folder = tmp_path / "submitted" / f"s{seed}" / "lab11"
        folder.mkdir(parents=True)
        (folder / "lab11.ipynb").write_bytes(raw)
    records = grade(tmp_path, "lab11")
    assert len(records) == 10 and all(r.flags for r in records)
    assert [(r.student, r.status, r.auto_score) for r in records if (r.status, r.auto_score) != ("graded", r.max_auto)] == []
