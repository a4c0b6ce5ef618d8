"""Faults of a notebook are named, and the cache is used exactly when nothing that matters has changed."""
from __future__ import annotations

import nbformat
import pytest

from autograder import CourseError, notebooks
from autograder.course import Course
from autograder.execute import executed


def put(course: Course, *cells: tuple[str, list[str]], text: str = "# 쪽", data: list[str] = []) -> None:
    """Write chapters/page.ipynb: a title and code cells page-1, page-2, ... of (source, tags)."""
    made = [{"cell_type": "markdown", "id": "page-title", "metadata": {}, "source": text}]
    for k, (source, tags) in enumerate(cells, 1):
        code = {"cell_type": "code", "id": f"page-{k}", "metadata": {"tags": tags}, "source": source}
        made.append(code | {"outputs": [], "execution_count": None})
    nb = nbformat.from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": {"course": {"data": data}}, "cells": made})
    notebooks.write(notebooks.canonical(nb), course.chapters / "page.ipynb")


def runs(course: Course) -> bool:
    """Whether code was run, told by the progress lines."""
    lines: list[str] = []
    executed(course, "page", lines.append)
    return any("실행합니다" in line for line in lines)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        (("1 / 0", []), "ZeroDivisionError: division by zero"),
        (("assert False, '합이 1이 아닙니다'", []), "AssertionError: 합이 1이 아닙니다"),
        (("def f(:", []), "SyntaxError"),
        (("import sys; sys.exit(3)", []), "SystemExit"),
        (("import os; os._exit(1)", []), "파이썬이 멈췄습니다"),
        (("import warnings; warnings.warn('낡은 방법입니다')", []), "경고가 찍혔습니다"),
        (("import sys; print('진행', file=sys.stderr)", []), "경고가 찍혔습니다"),
        (("object()", []), "실행할 때마다 달라지는 출력"),
        (("print('무사합니다')", ["raises-exception"]), "오류가 나지 않았습니다"),
    ],
)
def test_fault_names_chapter_cell_and_cause(mini, cell, said):
    put(mini, ("x = 1", []), cell)
    for _ in range(2):  # a failed run is not remembered as a good one
        with pytest.raises(CourseError) as caught:
            executed(mini, "page")
        assert "chapters/page.ipynb, 셀 page-2" in str(caught.value) and said in str(caught.value)


def test_runs_in_the_chapters_folder_with_one_thread_and_keeps_only_what_is_stable(mini):
    put(
        mini,
        ("import os; print(os.path.basename(os.getcwd()), os.environ['OMP_NUM_THREADS'])", []),
        ("import pandas as pd; pd.DataFrame({'합': [1]})", []),
        ("[][0]", ["raises-exception"]),
    )
    nb = executed(mini, "page")
    where, table, error = (cell.outputs for cell in nb.cells[1:])
    assert where[0].text == "chapters 1\n"
    assert "<table" in table[0].data["text/html"] and table[0].execution_count is None
    assert error[0].traceback == ["IndexError: list index out of range"]
    assert executed(mini, "page") == nb, "from the cache"
    assert (mini.chapters / "page.ipynb").read_text(encoding="utf-8").count("IndexError") == 0


def test_text_is_not_in_the_cache_key_and_code_tags_setup_and_data_are(mini):
    data = mini.chapters / "numbers.txt"
    data.write_text("1 2 3")
    cells = [("print(open('numbers.txt').read())", []), ("1", [])]
    put(mini, *cells, data=["numbers.txt"])
    assert runs(mini) and not runs(mini)
    put(mini, *cells, text="# 다른 글", data=["numbers.txt"])
    assert not runs(mini)
    data.write_text("4 5 6")
    assert runs(mini)
    put(mini, cells[0], ("1", ["hide-output"]), data=["numbers.txt"])
    assert runs(mini)
    put(mini, cells[0], ("2", []), data=["numbers.txt"])
    assert runs(mini)
    setup = mini.chapters / "setup" / "chapter.py"
    setup.write_text(setup.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert runs(mini)
    (mini.build / "cache" / "page.json").write_text("{ half")
    assert runs(mini) and not runs(mini)
    data.unlink()
    with pytest.raises(CourseError, match="numbers.txt"):
        executed(mini, "page")


def test_folders_of_data_come_from_the_environment_or_from_the_chapters(mini, tmp_path, monkeypatch):
    """A build uses the data beside the chapters, never the network; a folder named by the environment takes its place."""
    monkeypatch.delenv("PAGE_DATA", raising=False)
    for folder, text in ((mini.chapters / "data", "1 2 3"), (tmp_path / "elsewhere", "4 5 6")):
        folder.mkdir()
        (folder / "numbers.txt").write_text(text)
    put(mini, ("import os; print(open(os.environ['PAGE_DATA'] + '/numbers.txt').read())", []))
    nb = notebooks.chapter(mini, "page")
    nb.metadata.course["folders"] = {"PAGE_DATA": "data"}
    notebooks.write(nb, mini.chapters / "page.ipynb")
    said = lambda: executed(mini, "page").cells[1].outputs[0].text  # noqa: E731
    assert said() == "1 2 3\n" and not runs(mini)
    monkeypatch.setenv("PAGE_DATA", str(tmp_path / "elsewhere"))
    assert said() == "4 5 6\n" and not runs(mini)
    (tmp_path / "elsewhere" / "numbers.txt").write_text("7 8 9")
    assert said() == "7 8 9\n"


def test_version_of_a_library_is_in_the_cache_key(mini, monkeypatch):
    put(mini, ("1", []))
    assert runs(mini)
    monkeypatch.setattr("autograder.execute.metadata.version", lambda package: "0.0")
    assert runs(mini)
