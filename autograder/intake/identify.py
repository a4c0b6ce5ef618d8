"""Which assignment a hand-in is, and which of its notebooks: by what it holds, never by what its file is called."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import nbformat
from nbformat import NotebookNode

from autograder.grade.folder import CourseFolder
from autograder.intake.matching import ENOUGH, evidence
from autograder.intake.notes import CHAPTER, NOT_OURS, OTHER

Releases = dict[str, dict[str, NotebookNode]]  # assignment -> notebook -> what students got


@dataclass(frozen=True)
class Identity:
    """What a hand-in is. `reason` is "" when it is a notebook of the wanted assignment, else Korean."""

    assignment: str = ""
    notebook: str = ""
    reason: str = ""


def releases(course: CourseFolder) -> Releases:
    """The released notebooks of every assignment: from release/, else made from source/ as nbgrader would release them.

    A damaged notebook is left out: it matters only to whoever collects for its assignment.
    """
    found: Releases = {}
    for step in ("release", "source"):
        for folder in course.path(step, ".", "x").parent.glob("*/"):
            paths = sorted(folder.glob("*.ipynb")) if folder.name not in found else []
            if books := {path.stem: book for path in paths if (book := _book(course, path, step))}:
                found[folder.name] = books
    return found


def _book(course: CourseFolder, path: Path, step: str) -> NotebookNode | None:
    try:
        book = nbformat.read(path, as_version=4)
        return _without_answers(course, book) if step == "source" else book
    except Exception:  # nbformat and nbgrader raise many kinds
        return None


def _without_answers(course: CourseFolder, book: NotebookNode) -> NotebookNode:
    from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, ClearSolutions

    for step in (ClearSolutions, ClearHiddenTests, ClearMarkScheme):
        book, _ = step(config=course.config).preprocess(book, {})
    return book


def identify(notebook: NotebookNode, known: Releases, wanted: str, name: str = "") -> Identity:
    """The release that a hand-in shares most with. Its own metadata, the wanted assignment and last its file name break
    ties; a notebook that shares nothing is what its metadata says, or nothing of ours."""
    course = notebook.metadata.get("course")
    said = course if isinstance(course, dict) else {}
    shared = {
        (assignment, book): evidence(notebook, release)
        for assignment, books in known.items()
        for book, release in books.items()
    }
    stem = PurePosixPath(name).name.partition(".")[0]

    def strength(at: tuple[str, str]) -> tuple:
        return shared[at], at[0] == said.get("assignment"), at[0] == wanted, at[1] == stem

    best = max(shared, key=strength, default=("", ""))
    if shared.get(best, 0) < ENOUGH:
        if said.get("assignment") in known and said["assignment"] != wanted:
            return Identity(said["assignment"], "", _other(known, said["assignment"]))
        return Identity("", "", CHAPTER if "chapter" in said else NOT_OURS)
    if best[0] != wanted:
        return Identity(*best, _other(known, best[0]))
    return Identity(*best)


def _other(known: Releases, assignment: str) -> str:
    titles = [book.metadata.get("course", {}).get("title") for book in known[assignment].values()]
    return OTHER.format(name=next(filter(None, titles), assignment))
