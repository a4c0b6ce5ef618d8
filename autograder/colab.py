"""Every notebook that students get, filled with model answers, on the packages that Colab has (once a week, colab.yml).

    python -m autograder.colab pins FILE          constraints for pip, from Colab's own list of packages (pip freeze)
    python -m autograder.colab run PYTHON [NAME]  the notebooks in that interpreter, each alone in an empty folder

As on Colab, a notebook takes what it needs from the network. NSMC_DIR and NSMC_TOKENIZER replace NSMC and its tokenizer.
"""
from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbformat import NotebookNode

from autograder import CourseError, notebooks, publish
from autograder.course import Course, load
from autograder.execute import CELL_SECONDS, KernelOf
from autograder.exercises import parse
from autograder.handins import variants

ROOT = Path(__file__).resolve().parent.parent
PINNED = re.compile(r"([\w.-]+)(?:==| @ https?://\S+/[\w.]+?-(?=\d))([0-9][\w.]*)", flags=re.ASCII)


def pins(freeze: str) -> list[str]:
    """name==version of every package of a `pip freeze` that an index has. Colab's torch is a CUDA wheel by address
    (torch-2.11.0%2Bcu128-...) or by local version (2.11.0+cu128); pinned without it, pip may take the CPU build."""
    found = [match for line in freeze.splitlines() if (match := PINNED.match(line.strip()))]
    if not found:
        raise CourseError("패키지 목록이 아닙니다. googlecolab/backend-info의 pip-freeze.txt를 주세요.")
    return [f"{match[1]}=={match[2]}" for match in found]


def filled(course: Course) -> Iterator[tuple[str, NotebookNode]]:
    """(path, notebook with model answers) of every published notebook."""
    chapters = [notebooks.read(path) for path in sorted(course.chapters.glob("*.ipynb"))]
    answers = {e.grade_id: variants(course, e, "")[0].code for nb in chapters for e in parse(nb)}
    for path, data in publish.student_files(course).items():
        if path.endswith(".ipynb"):
            nb = nbformat.reads(data.decode(), as_version=4)
            for cell in nb.cells:
                cell.source = answers.get(cell.id, cell.source)
            yield path, nb


def run(nb: NotebookNode, python: str) -> str:
    """Run all cells of NB in an empty folder; what a student would see go wrong, with the cell, or ""."""
    started: list[NotebookNode] = []
    with tempfile.TemporaryDirectory(prefix="colab-") as folder:
        client = NotebookClient(
            nb,
            km=AsyncKernelManager(kernel_spec_manager=KernelOf(python)),
            timeout=CELL_SECONDS,
            resources={"metadata": {"path": folder}},
            on_cell_execute=lambda cell, cell_index: started.append(cell),
            extra_arguments=["--log-level=50"],
        )
        try:
            client.execute(cleanup_kc=True)
        except CellExecutionError as error:
            return f"셀 {started[-1].id}: {error.ename}: {error.evalue}"
        except (TimeoutError, DeadKernelError, RuntimeError) as error:  # the last: no kernel came up
            return f"셀 {started[-1].id if started else '(시작 전)'}: {type(error).__name__}: {error}"
    for cell in nb.cells:
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                return f"셀 {cell.id}: 경고가 찍혔습니다: {output.text.strip()}"
    return ""


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m autograder.colab", description="Colab의 패키지로 학생 노트북을 모두 실행합니다.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("pins", help="Colab의 pip-freeze.txt를 pip의 constraints로 바꿉니다.").add_argument("file", type=Path)
    sub = verbs.add_parser("run", help="모범 답안을 채운 노트북을 모두 실행합니다.")
    sub.add_argument("python", help="Colab의 패키지를 설치한 파이썬")
    sub.add_argument("name", nargs="*", help="이 노트북만(예: hand, lab11)")
    args = parser.parse_args(arguments)
    try:
        if args.verb == "pins":
            print("\n".join(pins(args.file.read_text(encoding="utf-8"))))
            return
        if not shutil.which(args.python):
            raise CourseError(f"{args.python}을 실행할 수 없습니다. Colab의 패키지를 설치한 파이썬의 경로를 적으세요.")
        chosen = [(path, nb) for path, nb in filled(load(ROOT)) if not args.name or Path(path).stem in args.name]
    except (CourseError, OSError) as error:
        sys.exit(f"멈추었습니다: {error}")
    failed = []
    for path, nb in chosen:
        start = time.monotonic()
        fault = run(nb, args.python)
        print(f"{path}: {fault or '끝까지 실행했습니다.'} ({time.monotonic() - start:.0f}초)", flush=True)
        failed += [f"{path}, {fault}"] * bool(fault)
    if failed or not chosen:
        sys.exit("\n".join(["Colab의 패키지에서 실행하지 못한 노트북이 있습니다(failed on Colab's packages):", *failed]))


if __name__ == "__main__":
    main()
