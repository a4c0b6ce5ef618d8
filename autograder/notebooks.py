"""Notebooks on disk: one canonical form, so that two writes of the same content give the same bytes.

Canonical: nbformat 4.5, no outputs, no execution counts, readable unique cell ids with `id` equal to `metadata.id`
(Colab keys on the latter), one kernelspec, JSON with one space of indent and sorted keys.
"""
from __future__ import annotations

import copy
import hashlib
import json
import re
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder import CourseError
from autograder.course import Course

KERNELSPEC = {"name": "python3", "display_name": "Python 3", "language": "python"}
CHECKSUM = re.compile(r"SHA256\((\S+?)\)")
CELL_ID = re.compile(r"[a-z][a-z0-9-]{0,63}")
# Metadata that editors leave behind; some of it is personal (executionInfo holds a Google account).
EDITOR_METADATA = ("colab", "executionInfo", "outputId", "collapsed", "jupyter", "trusted", "scrolled", "ExecuteTime", "pycharm", "vscode")


def read(path: Path) -> NotebookNode:
    """Read a notebook as nbformat 4.5. Raises CourseError when it is not one."""
    try:
        return nbformat.read(path, as_version=4)
    except Exception as error:  # nbformat raises a dozen types
        raise CourseError(f"{path.name}: 노트북으로 읽을 수 없습니다. Jupyter에서 다시 저장해 보세요. ({error})") from error


def canonical(nb: NotebookNode) -> NotebookNode:
    """A copy in canonical form. Keeps sources and the metadata that means something to the course."""
    metadata = {"kernelspec": dict(KERNELSPEC), "language_info": {"name": "python"}}
    if "course" in nb.metadata:
        metadata["course"] = nb.metadata["course"]
    cells = []
    for cell in nb.cells:
        kept = {k: v for k, v in cell.metadata.items() if k not in EDITOR_METADATA}
        kept["id"] = cell.id
        clean = {"cell_type": cell.cell_type, "id": cell.id, "metadata": kept, "source": cell.source.rstrip()}
        if cell.cell_type == "code":
            clean |= {"outputs": [], "execution_count": None}
        if cell.get("attachments"):
            clean["attachments"] = cell.attachments
        cells.append(clean)
    return nbformat.from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells})


def dumps(nb: NotebookNode) -> str:
    """The one JSON layout: sources as lists of lines (so that a diff shows lines), keys sorted."""
    return json.dumps(nbformat.v4.rwbase.split_lines(copy.deepcopy(nb)), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def write(nb: NotebookNode, path: Path) -> None:
    """Validate and write in the one JSON layout."""
    nbformat.validate(nb)
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.part")  # a full disk must not leave half a chapter
    half.write_text(dumps(nb), encoding="utf-8")
    half.replace(path)


def tidy(course: Course) -> list[Path]:
    """Rewrite every chapter in canonical form with current set-up cells; the paths that changed."""
    changed = []
    for path in sorted(course.chapters.glob("*.ipynb")):
        before = path.read_text(encoding="utf-8")
        nb = canonical(read(path))
        fill_setup(nb, course)
        after = dumps(nb)
        if after != before:
            write(nb, path)
            changed.append(path)
    return changed


def fill_setup(nb: NotebookNode, course: Course) -> None:
    """Put chapters/setup/NAME.py into the cells marked `course.setup: NAME`: every chapter opens with the same code,
    and Colab can open one notebook alone, so the code must be in each; this keeps a single source of it.

    SHA256(data/x) becomes the checksum of chapters/data/x, so that what a notebook downloads is what lies here."""
    for cell in nb.cells:
        name = cell.metadata.get("course", {}).get("setup")
        if name:
            cell.source = setup_code(course, name)


def setup_code(course: Course, name: str) -> str:
    """chapters/setup/NAME.py as a notebook carries it."""
    source = (course.chapters / "setup" / f"{name}.py").read_text(encoding="utf-8").rstrip()
    source = source.replace("OWNER/REPOSITORY/BRANCH", f"{course.student_repository}/{course.branch}")
    return CHECKSUM.sub(lambda m: hashlib.sha256((course.chapters / m[1]).read_bytes()).hexdigest(), source)


def version_code(course: Course, path: str, version: int | str) -> str:
    """Code that asks the student repository whether the notebook at PATH has a newer version than this one.

    Only student views carry it: the author's chapters stay as they are when a text changes, and a build asks no network.
    """
    source = setup_code(course, "version").replace("NOTEBOOK_PATH", path).replace("NOTEBOOK_LINK", course.colab(path))
    return source.replace('"NOTEBOOK_VERSION"', json.dumps(version))


def cells_hash(nb: NotebookNode) -> str:
    """Identity of a student's notebook: what its cells say, whatever an editor does to ids, outputs or line ends."""
    digest = hashlib.sha256()
    for cell in nb.cells:
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        lines = "\n".join(line.rstrip() for line in cell.source.splitlines())
        digest.update(f"{cell.cell_type}\0{grade_id}\0{lines}\0".encode())
    return digest.hexdigest()


def chapter(course: Course, name: str) -> NotebookNode:
    """One chapter, as the author wrote it."""
    return read(course.chapters / f"{name}.ipynb")
