"""The weekly run on Colab's packages: what it reads from Colab's list, what it runs, and that it names what fails."""
import sys

import nbformat
import pytest

from autograder import CourseError, colab, notebooks
from autograder.assemble import assemble
from autograder.exercises import is_solution, parse

FREEZE = """# Do not modify this file directly
absl-py==1.4.0
torch @ https://download.pytorch.org/whl/cu128/torch-2.11.0%2Bcu128-cp313-cp313-manylinux_2_28_x86_64.whl#sha256=a81b55
torchvision==0.26.0+cu128
google-colab @ file:///colabtools/dist/google-colab-1.0.0.tar.gz
-e git+https://example.org/x#egg=x
osqp==0.6.2.post8
"""


def test_pins_are_what_an_index_has_without_the_cuda_build():
    assert colab.pins(FREEZE) == ["absl-py==1.4.0", "torch==2.11.0", "torchvision==0.26.0", "osqp==0.6.2.post8"]


@pytest.mark.parametrize("text", ["", "404: Not Found", "<html>torch</html>"])
def test_a_page_that_is_no_list_is_refused(text):
    with pytest.raises(CourseError, match="pip-freeze.txt"):
        colab.pins(text)


def test_every_student_notebook_is_run_with_every_answer_filled_in(mini):
    assemble(mini, "lab1")
    books = dict(colab.filled(mini))
    assert list(books) == ["chapters/one.ipynb", "release/lab1/lab1.ipynb"]
    for nb in books.values():
        assert "scaled_by_secret_factor" in next(cell.source for cell in nb.cells if cell.id == "one-double")
        assert not any("NotImplementedError" in cell.source for cell in nb.cells if cell.cell_type == "code")


def test_no_answer_of_the_course_is_left_out(course):
    answers = {e.grade_id for name in course.assignment("lab11").chapters for e in parse(notebooks.chapter(course, name))}
    release = notebooks.read(course.root / "release" / "lab11" / "lab11.ipynb")
    assert {cell.id for cell in release.cells if is_solution(cell)} == answers


def notebook(*sources: str) -> nbformat.NotebookNode:
    cells = [nbformat.v4.new_code_cell(source, id=f"page-{k}") for k, source in enumerate(sources)]
    return nbformat.v4.new_notebook(cells=cells)


@pytest.mark.parametrize(
    ("sources", "said"),
    [
        (["import os; assert os.listdir() == []", "x = 1"], ""),
        (["x = 1", "x.gone"], "셀 page-1: AttributeError"),
        (["import warnings; warnings.warn('곧 없어집니다', FutureWarning)"], "셀 page-0: 경고가 찍혔습니다"),
        (["import os; os._exit(1)"], "셀 page-0: DeadKernelError"),
    ],
)
def test_what_goes_wrong_is_named_with_its_cell(sources, said):
    found = colab.run(notebook(*sources), sys.executable)
    assert found.startswith(said) and bool(found) == bool(said)


def test_a_python_that_is_not_there_is_named():
    with pytest.raises(SystemExit, match="no/python"):
        colab.main(["run", "no/python"])
