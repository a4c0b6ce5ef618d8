"""Canonical notebooks: one form, whatever an editor leaves behind."""
import nbformat
import pytest

from autograder import CourseError, notebooks


def test_tidy_of_a_tidy_chapter_changes_nothing(mini):
    assert notebooks.tidy(mini) == []


def test_tidy_removes_what_editors_leave_behind(mini):
    path = mini.chapters / "one.ipynb"
    before = path.read_bytes()
    nb = notebooks.read(path)
    cell = next(c for c in nb.cells if c.id == "one-worked")
    cell.outputs = [nbformat.v4.new_output("stream", text="2\n")]
    cell.execution_count = 7
    cell.metadata |= {"executionInfo": {"user": {"displayName": "홍길동"}}, "colab": {"height": 3}}
    nb.metadata.colab = {"name": "Copy of Copy of one.ipynb"}
    nb.metadata.kernelspec = {"name": "conda-env-torch39", "display_name": "x"}
    nbformat.write(nb, path)
    assert notebooks.tidy(mini) == [path]
    assert path.read_bytes() == before


def test_ids_stand_in_both_places(mini):
    for cell in notebooks.chapter(mini, "one").cells:
        assert cell.metadata.id == cell.id


def test_set_up_cells_have_one_source_and_the_course_repository(mini):
    setup = next(c for c in notebooks.chapter(mini, "one").cells if c.id == "one-setup")
    assert "githubusercontent.com/owner/name/main/chapters/fonts/" in setup.source
    (mini.chapters / "setup" / "chapter.py").write_text("print('new')\n", encoding="utf-8")
    notebooks.tidy(mini)
    assert next(c for c in notebooks.chapter(mini, "one").cells if c.id == "one-setup").source == "print('new')"


def test_writing_does_not_change_the_notebook_in_memory(mini):
    nb = notebooks.chapter(mini, "one")
    notebooks.write(nb, mini.root / "copy.ipynb")
    assert isinstance(nb.cells[0].source, str)


@pytest.mark.parametrize("content", [b"", b"<!DOCTYPE html>", b'{"cells": ['])
def test_what_is_no_notebook_is_named(tmp_path, content):
    path = tmp_path / "이상한.ipynb"
    path.write_bytes(content)
    with pytest.raises(CourseError, match="이상한.ipynb"):
        notebooks.read(path)
