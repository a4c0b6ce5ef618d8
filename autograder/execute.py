"""Run a chapter, answers and checks included, and give back its outputs: what the site shows has really been computed.

A run proves the chapter: an error, a warning on stderr or an output that differs from run to run stops the build.
Outputs are kept in _build/cache/ under everything they depend on, so that an edit of the text runs no code.
"""
from __future__ import annotations

import copy
import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from autograder import CourseError, notebooks
from autograder.course import Course

CELL_SECONDS = 900  # training on two busy cores takes minutes
PACKAGES = ("torch", "numpy", "pandas", "matplotlib", "tokenizers")  # whatever changes the printed figures
ADDRESS = re.compile(r"\bat 0x[0-9a-f]{6,}")

Progress = Callable[[str], None]


def executed(course: Course, name: str, progress: Progress = lambda line: None) -> NotebookNode:
    """The author's chapter NAME with the outputs of its code cells.

    Raises CourseError naming chapter and cell when a cell fails, writes to stderr, or is tagged raises-exception and
    does not raise. The chapter file is not changed.
    """
    nb = notebooks.chapter(course, name)
    cells = code_cells(nb)
    if not cells:
        return nb
    key = cache_key(course, nb)
    store = course.build / "cache" / f"{name}.json"
    outputs = _stored(store, key)
    if outputs is None:
        progress(f"{name}: 코드 셀 {len(cells)}개를 실행합니다.")
        start = time.monotonic()
        ran = copy.deepcopy(nb)  # nbclient writes the Python version and more into the notebook
        _run(course, name, ran)
        outputs = [[_stable(output) for output in cell.outputs] for cell in code_cells(ran)]
        _store(store, key, outputs)
        progress(f"{name}: {time.monotonic() - start:.1f}초 걸렸습니다.")
    else:
        progress(f"{name}: 코드가 그대로여서 지난 실행 결과를 씁니다.")
    for cell, results in zip(cells, outputs):
        cell.outputs = [nbformat.from_dict(output) for output in results]
    return nb


def code_cells(nb: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in nb.cells if cell.cell_type == "code"]


def cache_key(course: Course, nb: NotebookNode) -> str:
    """Hash of all that the outputs depend on: code and tags, set-up code, font and declared data, versions, this module.

    A chapter declares in its metadata the files that it reads, relative to chapters/, {"course": {"data": ["data/a.csv"]}},
    and the folders that environment variables may replace, {"course": {"folders": {"NSMC_DIR": "data"}}}.
    """
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for cell in code_cells(nb):
        digest.update(json.dumps([cell.source, sorted(cell.metadata.get("tags", []))]).encode())
    declared = nb.metadata.get("course", {}).get("data", [])
    shared = sorted([*course.chapters.glob("setup/*.py"), *course.chapters.glob("fonts/*")])
    for path in [*shared, *(course.chapters / name for name in declared)]:
        if not path.is_file():
            raise CourseError(f"노트북이 쓴다고 적은 chapters/{path.relative_to(course.chapters)} 파일이 없습니다.")
        digest.update(f"{path.relative_to(course.chapters)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}".encode())
    for variable, folder in folders(nb).items():
        for path in sorted(path for path in (course.chapters / folder).glob("*") if path.is_file() and path.suffix != ".md"):
            digest.update(f"{variable}\0{path.name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}".encode())
    digest.update(json.dumps([sys.version, *(metadata.version(package) for package in PACKAGES)]).encode())
    return digest.hexdigest()


def folders(nb: NotebookNode) -> dict[str, str]:
    """Environment variable -> folder of data. A build never asks the network: what is not set is what lies in chapters/."""
    declared = nb.metadata.get("course", {}).get("folders", {})
    return {variable: os.environ.get(variable) or folder for variable, folder in declared.items()}


class KernelOf(KernelSpecManager):
    """The kernel is always the Python that is named, whatever kernels the machine has registered."""

    def __init__(self, python: str = sys.executable):
        super().__init__()
        self.python = python

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        argv = [self.python, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=argv, display_name="Python 3", language="python")


def _run(course: Course, name: str, nb: NotebookNode) -> None:
    """Execute NB in place, in a fresh kernel, in chapters/."""
    started: list[NotebookNode] = []
    cache = course.build / "cache"
    for folder in ("ipython", "matplotlib"):
        (cache / folder).mkdir(parents=True, exist_ok=True)
    env = os.environ | folders(nb) | {
        "OMP_NUM_THREADS": "1",  # sums in one order, and a build does not take the machine
        "PYTHONHASHSEED": "0",
        "IPYTHONDIR": str(cache / "ipython"),  # nobody's start-up files or matplotlibrc change the book
        "MPLCONFIGDIR": str(cache / "matplotlib"),
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",  # silences the debugger's remark about frozen modules
    }
    client = NotebookClient(
        nb,
        km=AsyncKernelManager(kernel_spec_manager=KernelOf()),
        timeout=CELL_SECONDS,
        resources={"metadata": {"path": str(course.chapters)}},
        record_timing=False,
        coalesce_streams=True,  # how a stream was cut into messages is chance
        on_cell_execute=lambda cell, cell_index: started.append(cell),
        # Figures in double resolution; the page shows them at their size. The kernel's own log is not for readers.
        extra_arguments=["--InlineBackend.figure_formats={'retina'}", "--log-level=50"],
    )
    try:
        client.execute(env=env, cleanup_kc=True)
    except CellExecutionError as error:
        remedy = "고친 뒤 다시 실행하세요. 일부러 낸 오류이면 셀에 raises-exception 태그를 다세요."
        raise _fault(name, started[-1], f"{error.ename}: {error.evalue}", remedy) from error
    except CellTimeoutError as error:
        raise _fault(name, started[-1], f"{CELL_SECONDS}초 안에 끝나지 않았습니다.", "더 작은 데이터로 줄이세요.") from error
    except DeadKernelError as error:
        where = started[-1] if started else nb.cells[0]
        raise _fault(name, where, "파이썬이 멈췄습니다.", "메모리가 모자라지 않은지 확인하세요.") from error
    for cell in code_cells(nb):
        _require_clean(name, cell)


def _require_clean(name: str, cell: NotebookNode) -> None:
    """What a page may not show even though the cell ran."""
    failed = any(output.output_type == "error" for output in cell.outputs)
    if "raises-exception" in cell.metadata.get("tags", []) and not failed:
        what = "raises-exception 태그가 있으나 오류가 나지 않았습니다."
        raise _fault(name, cell, what, "태그를 지우거나, 오류가 나도록 고치세요.")
    for output in cell.outputs:
        shown = (output.get("text", "") or output.get("data", {}).get("text/plain", "")).strip()
        if output.output_type == "stream" and output.name == "stderr":
            raise _fault(name, cell, f"경고가 찍혔습니다: {shown}", "본문에는 경고를 싣지 않습니다. 원인을 고치세요.")
        if ADDRESS.search(shown):
            what = f"실행할 때마다 달라지는 출력이 있습니다: {shown}"
            raise _fault(name, cell, what, "줄 끝에 ;를 붙이거나 print로 바꾸세요.")


def _fault(name: str, cell: NotebookNode, what: str, remedy: str) -> CourseError:
    return CourseError(f"chapters/{name}.ipynb, 셀 {cell.id}: {what}\n{remedy}")


def _stable(output: NotebookNode) -> NotebookNode:
    """An output without what differs between machines: a traceback holds paths and terminal colours."""
    if output.output_type == "error":
        output.traceback = [f"{output.ename}: {output.evalue}"]
    if output.output_type == "execute_result":
        output.execution_count = None
    return output


def _stored(store: Path, key: str) -> list | None:
    try:
        kept = json.loads(store.read_text(encoding="utf-8"))
        return kept["outputs"] if kept["key"] == key else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _store(store: Path, key: str, outputs: list) -> None:
    """Written beside and renamed: an interrupted build leaves no half file."""
    store.parent.mkdir(parents=True, exist_ok=True)
    half = store.with_suffix(f".{os.getpid()}")
    half.write_text(json.dumps({"key": key, "outputs": outputs}, ensure_ascii=False), encoding="utf-8")
    half.replace(store)
