"""The released notebook in a real kernel, alone in an empty folder, as Colab runs it."""
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from autograder import notebooks
from autograder.exercises import parse
from autograder.handins import filled, variants
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def release():
    return notebooks.read(ROOT / "release" / "lab11" / "lab11.ipynb")


@pytest.fixture(autouse=True)
def embedded_reviews(monkeypatch):
    """No test asks the network for NSMC (tests/test_reviews_sources.py does, on this machine)."""
    for name in ("NSMC_DIR", "NSMC_TOKENIZER"):
        monkeypatch.setenv(name, str(ROOT / "chapters" / "data"))


def run(nb, folder, **options):
    NotebookClient(nb, timeout=300, resources={"metadata": {"path": str(folder)}}, **options).execute()
    return nb


def text(cell) -> str:
    return "".join(o.get("text", "") for o in cell.outputs)


def test_run_all_of_an_untouched_release_stops_where_its_header_says(release, tmp_path):
    nb = filled(release, {})
    with pytest.raises(CellExecutionError, match="아직 빈칸입니다"):
        run(nb, tmp_path)
    stopped = [cell.id for cell in nb.cells if any(o.output_type == "error" for o in cell.get("outputs", []))]
    first = next(cell.id for cell in nb.cells if cell.id.endswith("-visible"))
    assert stopped == [first]


@pytest.mark.long
def test_the_whole_check_counts_after_a_run_over_blanks(release, tmp_path):
    nb = run(filled(release, {}), tmp_path, allow_errors=True)
    total = sum(c.metadata.nbgrader.points for c in nb.cells if c.id.endswith("-visible"))
    assert f"보이는 점검 {total}점 중 0점" in text(nb.cells[-1])


def test_a_solved_release_runs_to_its_end_without_a_word_on_stderr(course, release, tmp_path):
    source = notebooks.read(ROOT / "source" / "lab11" / "lab11.ipynb")
    answers = {e.grade_id: variants(course, e, "")[0].code for e in parse(source)}
    nb = run(filled(release, answers), tmp_path)
    total = sum(c.metadata.nbgrader.points for c in nb.cells if c.id.endswith("-visible"))
    assert f"보이는 점검 {total}점 중 {total}점" in text(nb.cells[-1])
    assert not [o for cell in nb.cells for o in cell.get("outputs", []) if o.get("name") == "stderr"]
    by_id = {cell.id: cell for cell in nb.cells}
    assert text(by_id["nsmc-train"]).count("시험 정확도") == 6, "a student trains the model in the assignment itself"
    assert text(by_id["nsmc-own"]).count("P(긍정)") >= 3 and "판단:" in text(by_id["nsmc-own"])
