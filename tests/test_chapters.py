"""The real chapters: sound, and every figure of golden.json appears in what the pages themselves compute."""
import json
import os
import re
from pathlib import Path

import pytest

from autograder import notebooks
from autograder.execute import executed
from autograder.exercises import parse
from autograder.lint import lint
from tests.conftest import alone

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))
# Page -> its part of golden.json. The second example belongs to two pages.
SECOND = GOLDEN["second"]
FIGURES = {
    "theory": GOLDEN["softmax"],
    "hand": GOLDEN["hand"] | {k: v for k, v in SECOND.items() if not k.startswith("causal")},
    "self": GOLDEN["self_attention"],
    "heads": GOLDEN["multi_head"],
    "padding": GOLDEN["padding"],
    "summary": GOLDEN["self_check"],
    "nsmc": {k: GOLDEN["nsmc"][k] for k in ("max_len", "parameters")},
    "causal": GOLDEN["causal"] | {k: v for k, v in SECOND.items() if k.startswith("causal")},
}
NUMBER = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+|\d+\.\d+|\d+\.?|inf|∞)|nan")


def rows(value, path=""):
    """(path, row of numbers) for every innermost list, and for every number alone."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from rows(item, f"{path}.{key}")
    elif isinstance(value, list) and any(isinstance(item, (list, dict)) for item in value):
        for k, item in enumerate(value):
            yield from rows(item, f"{path}[{k}]")
    elif isinstance(value, list) and value and not isinstance(value[0], str):
        yield path, value
    elif isinstance(value, (int, float)):
        yield path, [value]


def decimals(path: str, row) -> int:
    stated = re.search(r"_(\d)dp", path)
    return int(stated.group(1)) if stated else max(len(str(x).partition(".")[2].rstrip("0")) for x in row if x is not None)


def printed(nb) -> list[list[str]]:
    """The numbers of each output of a page, in order."""
    outputs = [o for cell in nb.cells if cell.cell_type == "code" for o in cell.outputs]
    texts = [o.text if o.output_type == "stream" else o.get("data", {}).get("text/plain", "") for o in outputs]
    return [[number.replace(",", "") for number in NUMBER.findall(text)] for text in texts]


def agrees(token: str, want, places: int) -> bool:
    """Whether a printed number is the wanted one at its stated precision; null stands for -inf or nan."""
    if want is None:
        return token in ("-inf", "-∞", "nan")
    if token in ("-inf", "inf", "-∞", "∞", "nan"):
        return False
    return abs(float(token) - want) <= 0.5 * 10**-places + 1e-9


def appears(row, places: int, outputs: list[list[str]]) -> bool:
    n = len(row)
    return any(
        all(agrees(tokens[start + k], row[k], places) for k in range(n)) for tokens in outputs for start in range(len(tokens) - n + 1)
    )


@pytest.mark.parametrize("chapter", FIGURES)
def test_every_golden_figure_is_computed_on_its_page(course, chapter):
    with alone():
        outputs = printed(executed(course, chapter))
    missing = [(path, row) for path, row in rows(FIGURES[chapter]) if not appears(row, decimals(path, row), outputs)]
    assert not missing


def test_the_figure_test_can_fail():
    outputs = [["0.248", "0.248", "0.503"]]
    assert appears([0.248, 0.248, 0.503], 3, outputs)
    assert not appears([0.248, 0.503, 0.248], 3, outputs)
    assert not appears([0.249], 3, outputs)


def test_the_published_run_stands_in_its_own_tables(course):
    """Figures of somebody else's run: typed on the page, read from golden.json here, never mixed with what we compute."""
    published = {k: v for k, v in GOLDEN["nsmc"].items() if k.startswith("published")}
    cells = [c for c in notebooks.chapter(course, "nsmc").cells if c.cell_type == "markdown" and "공개 실습" in c.source]
    text = "\n".join(c.source for c in cells)
    assert all(f"| 에폭 {n} | {x:.4f} |" in text for n, x in enumerate(published["published_accuracy"], 1))
    assert f"{published['published_seconds']}초" in text
    for review in (*published["published_top5"], *published["published_own_top4"]):
        assert "| " + ", ".join(f"{piece} {share:.3f}" for piece, share in review) + " |" in text
    assert [f"{p:.3f}" in text for p in published["published_p_positive"]] == [True] * 3


@pytest.mark.skipif("NSMC_DIR" not in os.environ, reason="NSMC_DIR and NSMC_TOKENIZER name the real reviews and a tokenizer")
def test_attention_pooling_learns_from_real_reviews(course):
    with alone():
        nb = executed(course, "nsmc")
    said = {c.id: "".join(o.get("text", "") for o in c.outputs) for c in nb.cells if c.cell_type == "code"}
    size = GOLDEN["nsmc"]
    assert f"학습용 {size['train_rows']:,}건, 시험용 {size['test_rows']:,}건" in said["nsmc-read"]
    curves = {i: [float(x) for x in re.findall(r"시험 정확도 ([\d.]+)", said[f"nsmc-{i}"])] for i in ("train", "train-mean")}
    assert [len(curve) for curve in curves.values()] == [size["epochs"]] * 2
    assert curves["train"][-1] >= 0.74 and curves["train-mean"][-1] >= 0.74
    assert f"{size['vocab_size']:,}" in said["nsmc-encode"]


def test_comments_on_the_training_are_computed(course):
    """What a page says about its reviews must be true for any reviews: no figure of a run is typed in its prose."""
    for cell in notebooks.chapter(course, "nsmc").cells:
        if cell.cell_type == "markdown" and "공개 실습" not in cell.source and "nbgrader" not in cell.metadata:
            assert not re.search(r"정확도[^.|]*\d\.\d|P\(긍정\)[^.|]*\d\.\d", cell.source), cell.id


def test_chapters_have_no_problem(course):
    assert [str(problem) for problem in lint(course)] == []


def test_the_lab_s_numbered_exercises_are_there(course):
    titles = [e.title for name in course.assignment("lab11").chapters for e in parse(notebooks.chapter(course, name))]
    assert len(titles) >= 6
    for number in ("(1)", "(2)", "(3)"):
        assert any(number in title for title in titles)
