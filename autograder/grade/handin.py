"""A hand-in as it arrived: what can be graded is copied in, what cannot is refused with a reason."""
from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.grade.blueprint import ANSWER, AUTO, HAND, TEXT, Blueprint
from autograder.grade.preprocessors import NOT_RUN, kept_outputs, not_run_output

AGAIN = "Colab에서 [파일 > 다운로드 > .ipynb 다운로드]로 다시 받아 제출하세요."


class Refused(Exception):
    """A hand-in that cannot be graded as it is. The text is Korean, for the student as much as for the instructor."""


def copy_in(submitted: Path, into: Path, plan: Blueprint, may_miss: bool) -> list[str]:
    """Copy a hand-in, its notebooks marked as they were released; Korean notes on what is odd about it.

    Links are left out: they could lead anywhere. Raises Refused.
    """
    found = {path.stem: path for path in sorted(submitted.glob("*.ipynb")) if not path.is_symlink()}
    known = [name for name in plan.cells if name in found]
    if not known:
        wanted, got = (", ".join(f"{name}.ipynb" for name in names) for names in (plan.cells, found))
        raise Refused(f"과제 노트북({wanted})이 없습니다. 낸 노트북: {got or '없음'}. 파일 이름을 확인해 다시 제출하세요.")
    notes = [f"내지 않은 노트북이 있습니다: {name}.ipynb" for name in plan.cells if name not in found]
    notes += [f"과제에 없는 노트북이라 채점하지 않았습니다: {name}.ipynb" for name in found if name not in plan.cells]

    into.mkdir(parents=True)
    for folder, _, names in os.walk(submitted):
        for path in (Path(folder, name) for name in names):
            if not path.is_symlink() and path.suffix != ".ipynb" and path.name != "timestamp.txt":  # running needs no time
                copy = into / path.relative_to(submitted)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
    for name in known:
        notebook = read_notebook(found[name])
        notes += restore_marks(notebook, plan.cells[name], may_miss)
        nbformat.write(notebook, into / f"{name}.ipynb")
    return notes


def read_notebook(path: Path) -> NotebookNode:
    """Any notebook that nbformat can read, in today's format. Raises Refused with a reason that a student understands."""
    data = path.read_bytes()
    if not data.strip():
        raise Refused(f"{path.name} 파일이 비어 있습니다. {AGAIN}")
    if data.lstrip()[:1] == b"<":
        raise Refused(f"{path.name} 파일은 노트북이 아니라 웹 페이지입니다. {AGAIN}")
    try:
        text = data.decode("utf-8-sig")
        json.loads(text)
    except UnicodeDecodeError as error:
        raise Refused(f"{path.name} 파일의 글자를 읽을 수 없습니다(UTF-8이 아닙니다). {AGAIN}") from error
    except (ValueError, RecursionError) as error:
        raise Refused(f"{path.name} 파일이 중간에 잘렸거나 깨져서 읽을 수 없습니다. {AGAIN}") from error
    try:
        notebook = nbformat.reads(text, as_version=4)
        nbformat.validate(notebook)
        return notebook
    except Exception as error:  # nbformat raises many kinds
        raise Refused(f"{path.name} 파일의 형식이 노트북과 다릅니다. {AGAIN}") from error


def restore_marks(notebook: NotebookNode, released: dict[str, dict], may_miss: bool = False) -> list[str]:
    """Points, locks and kinds of cells come from the course, never from the hand-in; notes on missing answer cells.

    Of a checking cell that was copied, the first one counts: its text is the course's anyway. Raises Refused.
    """
    kinds = {grade_id: cell["kind"] for grade_id, cell in released.items()}
    found: Counter[str] = Counter()
    for cell in notebook.cells:
        cell.metadata.pop(NOT_RUN, None)
        mark = cell.metadata.pop("nbgrader", None)
        grade_id = mark.get("grade_id") if isinstance(mark, dict) else None
        if not isinstance(grade_id, str) or grade_id not in released:
            continue
        found[grade_id] += 1
        if found[grade_id] == 1:
            cell.metadata["nbgrader"] = nbformat.from_dict(released[grade_id]["mark"])
            if released[grade_id].get("runtime_only"):  # ClearOutput comes before Run
                cell.metadata[NOT_RUN] = kept_outputs(cell) if kinds[grade_id] == HAND else [not_run_output()]
    double = [grade_id for grade_id, n in found.items() if n > 1 and kinds[grade_id] in (ANSWER, HAND)]
    if double:
        raise Refused(f"같은 답 셀이 둘 이상입니다: {', '.join(double)}. 답을 원래 셀 하나로 모아 다시 제출하세요.")
    missing = [grade_id for grade_id in released if not found[grade_id] and kinds[grade_id] != TEXT]
    graded = [grade_id for grade_id in missing if kinds[grade_id] in (AUTO, HAND)]
    if graded and not may_miss:
        raise Refused(
            f"채점에 필요한 셀이 없습니다: {', '.join(graded)}. 과제 노트북을 새로 받아 답을 옮겨 적고 다시 제출하세요."
        )
    return [f"답 셀이 없습니다: {grade_id}" for grade_id in missing if kinds[grade_id] == ANSWER]
