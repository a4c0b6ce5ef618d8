"""Promises about what a hand-in is: its content says it, a file name only where nothing else does."""
from __future__ import annotations

import copy
import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder import notebooks
from autograder.grade.folder import CourseFolder
from autograder.intake.identify import identify, releases
from autograder.intake.reading import read
from autograder.views import colab_view
from tests.conftest import ROOT
from tests.grade.small_course import ADD, ASSIGNMENT, answer, cell, check, filled, make_course, source_cells
from tests.intake.damage import colab_drive, colab_github, colab_new, lab, solved, utf8


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """hw; hw2 with two notebooks and the same grade ids in part; hw3 without a release; a folder with a broken notebook."""
    root = make_course(tmp_path_factory.mktemp("course") / "course")
    one = [cell("markdown", "intro", "# 2주차 첫째"), answer("q1", ADD)]
    two = [cell("markdown", "intro", "# 2주차 둘째"), answer("q2", ADD)]
    make_course(root, {"one": one, "two": two}, "hw2")
    (root / "source" / "hw3").mkdir()
    hidden = check("t", 1, "### BEGIN HIDDEN TESTS\nassert 비밀\n### END HIDDEN TESTS")
    secret = [*source_cells()[:2], hidden, answer("sub", ADD.replace("add", "sub"))]
    nbformat.write(new_notebook(cells=secret), root / "source" / "hw3" / "minus.ipynb")
    (root / "release" / "broken").mkdir()
    (root / "release" / "broken" / "x.ipynb").write_text("{")
    return root


@pytest.fixture(scope="module")
def known(root):
    return releases(CourseFolder(root))


def test_releases(known):
    names = {assignment: list(books) for assignment, books in known.items()}
    assert names == {"hw": ["hw"], "hw2": ["one", "two"], "hw3": ["minus"]}
    made = nbformat.writes(known["hw3"]["minus"])  # from the source, and yet without answer and hidden test
    assert "비밀" not in made and "return a + b" not in made


def told(known, nb, wanted=ASSIGNMENT, name=""):
    found = identify(read(utf8(nb)), known, wanted, name)
    return found.assignment, found.notebook, found.reason


def bare(nb):
    """Neither marks nor ids."""
    nb = copy.deepcopy(nb)
    for n, one in enumerate(nb.cells):
        one.metadata, one.id = {}, f"z{n}"
    return nb


def test_by_content(known, root):
    for nb in (filled(root), bare(filled(root)), known["hw"]["hw"]):
        assert told(known, nb, name="hw2의 사본.ipynb") == ("hw", "hw", "")
    assert told(known, known["hw2"]["two"], "hw2", "one.ipynb") == ("hw2", "two", "")
    assert told(known, bare(known["hw2"]["two"]), "hw2") == ("hw2", "two", "")
    answers = [new_code_cell("def add(a, b):\n    return a + b"), new_code_cell("def mul(a, b):\n    return a * b")]
    assert told(known, new_notebook(cells=answers)) == ("hw", "hw", "")


# Where two notebooks of an assignment are alike, the name decides.
def test_name_breaks_ties(known):
    twins = {"hw": {"a": known["hw"]["hw"], "b": known["hw"]["hw"]}}
    assert told(twins, known["hw"]["hw"], name="b.ipynb의 사본")[1] == "b"


def test_what_it_is_not(known):
    other = told(known, known["hw2"]["one"])
    assert other[:2] == ("hw2", "one") and "다른 과제(hw2)" in other[2]
    said = new_notebook(cells=[new_markdown_cell("빈 노트북")], metadata={"course": {"assignment": "hw2"}})
    assert told(known, said)[0] == "hw2" and "다른 과제(hw2)" in told(known, said)[2]
    for course, says in (({}, "셀이 하나도 없는"), ({"chapter": "sums"}, "교재 본문")):
        cells = [new_markdown_cell("아무 글"), new_code_cell("import os, sys, time")]
        nb = new_notebook(cells=cells, metadata={"course": course})
        assert told(known, nb)[:2] == ("", "") and says in told(known, nb)[2]


# The lab, as Colab saves it in each of its ways, and a chapter with exercises of the lab in it.
def test_the_lab(course):
    known = {"lab11": {"lab11": lab()[0]}}
    for form in (colab_drive, colab_github, colab_new):
        assert told(known, form(solved()), "lab11", "Untitled0.ipynb") == ("lab11", "lab11", "")
    chapter = json.loads(nbformat.writes(colab_view(course, notebooks.read(ROOT / "chapters" / "hand.ipynb"), "hand")))
    assert told(known, chapter, "lab11") == ("lab11", "lab11", "")
