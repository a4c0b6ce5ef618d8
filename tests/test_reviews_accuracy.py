"""What the embedded reviews are good for, measured with the chapter's own code."""
import os
from pathlib import Path

import pytest

from autograder import notebooks
from tests.conftest import ROOT


@pytest.mark.long
@pytest.mark.skipif("NSMC_DIR" not in os.environ, reason="NSMC_DIR names the folder of the real reviews")
def test_a_model_of_the_embedded_reviews_reads_real_ones(course, monkeypatch):
    """At least 0.60 of 5,000 real reviews (0.65 is what the corpus was written for), and more of its own held-out part."""
    real = os.environ["NSMC_DIR"]
    for name in ("NSMC_DIR", "NSMC_TOKENIZER"):
        monkeypatch.setenv(name, str(ROOT / "chapters" / "data"))
    sources = {cell.id: cell.source for cell in notebooks.chapter(course, "nsmc").cells}
    space: dict = {}
    for name in ("reviews", "read", "encode", "model", "train"):
        exec(sources[f"nsmc-{name}"], space)
    own = space["attention_history"][-1]
    space["REVIEWS"] = Path(real)
    sample = space["read_reviews"]("ratings_test.txt").sample(5000, random_state=42)
    space["test_ids"], space["test_mask"] = space["encode"](sample["document"])
    space["test_labels"] = space["torch"].tensor(sample["label"].tolist())
    accuracy = space["accuracy"](space["model"])
    print(f"own held-out part {own:.4f}, real reviews {accuracy:.4f}")
    assert accuracy >= 0.60 and own >= 0.65
