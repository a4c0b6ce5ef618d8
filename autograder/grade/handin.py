"""A hand-in as it arrived: what can be graded is copied in, mended against the release; the rest is refused with a reason."""
from __future__ import annotations

import os
import shutil
from functools import lru_cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder import CourseError
from autograder.grade.blueprint import Blueprint
from autograder.intake.matching import ENOUGH, Part, evidence, parts
from autograder.intake.reading import read
from autograder.intake.repair import NothingToGrade, mend
from autograder.intake.submitted import ODD_FILE


class Refused(Exception):
    """A hand-in that cannot be graded as it is. The text is Korean, for the student as much as for the instructor."""


def take_in(submitted: Path, into: Path, plan: Blueprint) -> tuple[dict[str, NotebookNode], list[str]]:
    """The notebooks of a hand-in, mended, by name, and Korean notes on what is odd about it. Other files are copied.

    Whose name is not a release's is recognised by its content. Links are left out: they could lead anywhere. Cells
    that are missing are put back. Raises Refused when no notebook can be graded.
    """
    known = {name: _release(Path(plan.folder, "release", f"{name}.ipynb")) for name in plan.cells}
    releases = {name: release for name, (release, _) in known.items()}
    found = {path.stem: path for path in sorted(submitted.glob("*.ipynb")) if not path.is_symlink()}
    notes, reasons, mended = [], [], {}
    for name, path in _matched(found, releases, notes).items():
        one, said = _mended(path, *known[name])
        said = said if len(releases) == 1 else [f"{name}.ipynb: {text}" for text in said]
        if one:
            mended[name] = one
        (notes if one else reasons).extend(said)
    if not mended and not reasons:
        wanted, got = (", ".join(f"{name}.ipynb" for name in names) for names in (plan.cells, found))
        reasons = [f"과제 노트북({wanted})이 없습니다. 낸 노트북: {got or '없음'}. 과제 노트북을 다시 제출하세요."]
    if not mended:
        raise Refused(" ".join([*notes, *reasons]))
    notes += reasons + [f"내지 않은 노트북이 있습니다: {name}.ipynb" for name in plan.cells if name not in mended]

    into.mkdir(parents=True)
    for folder, _, names in os.walk(submitted):
        for path in (Path(folder, name) for name in names):
            if not path.is_symlink() and path.suffix != ".ipynb" and path.name != "timestamp.txt":  # running needs no time
                copy = into / path.relative_to(submitted)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
    return mended, notes


@lru_cache
def _release(path: Path) -> tuple[NotebookNode, list[Part]]:
    release = nbformat.read(path, as_version=4)
    return release, parts(release)


def _mended(path: Path, release: NotebookNode, plan: list[Part]) -> tuple[NotebookNode | None, list[str]]:
    """A notebook ready for grading and what was mended; None and why when there is nothing to grade."""
    try:
        made = mend(read(path.read_bytes()), release, plan)
        return made.notebook, made.notes
    except NothingToGrade as error:
        if error.mended:  # an untouched release is graded, and said to be one
            return error.mended.notebook, [str(error), *error.mended.notes]
        return None, [str(error)]
    except CourseError as error:
        return None, [str(error)]
    except Exception as error:  # one odd file must not stop a class
        return None, [ODD_FILE.format(kind=type(error).__name__)]


def _matched(found: dict[str, Path], releases: dict[str, NotebookNode], notes: list[str]) -> dict[str, Path]:
    """Release name -> the file that stands for it; notes on files with other names."""
    matched = {name: found[name] for name in releases if name in found}
    for stem, path in found.items():
        if stem in releases:
            continue
        try:
            notebook, reason = read(path.read_bytes()), "과제에 없는 노트북이라 채점하지 않았습니다."
            shared = {name: evidence(notebook, release) for name, release in releases.items() if name not in matched}
        except CourseError as error:
            shared, reason = {}, str(error)
        best = max(shared, key=shared.get, default="")
        if shared.get(best, 0) >= ENOUGH:
            matched[best], reason = path, f"{best}.ipynb로 보고 채점합니다."
        notes.append(f"{stem}.ipynb: {reason}")
    return matched
