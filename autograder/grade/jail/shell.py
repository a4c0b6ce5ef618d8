"""IPython without a kernel: a cell in, its outputs in nbformat's shape out. Used by the student's process and the judge's.

Outputs have a budget in bytes; what is beyond it is dropped and said so. Nothing here protects the shell from the code
that it runs: in the student's process what comes out is a claim.
"""
from __future__ import annotations

import ast
import base64
import builtins
import io
import json
import os
import subprocess
import sys
import tempfile
import traceback
from types import CodeType

import IPython
from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder.grade.jail.values import CUT

OURS = (os.path.dirname(IPython.__file__), os.path.dirname(__file__))
NO_INPUT = "채점할 때는 input()에 답할 사람이 없습니다. 값을 변수에 적어 두세요."


class Outputs:
    """Outputs of the running cell, in order."""

    def __init__(self):
        self.budget, self.found, self.size = 1_000_000, [], 0

    def stream(self, name: str, text: str) -> None:
        raw = text.encode("utf-8", "replace")
        before, self.size = self.size, self.size + len(raw)
        if not text or before > self.budget:
            return
        if self.size > self.budget:
            text = raw[: self.budget - before].decode("utf-8", "ignore") + CUT
        last = self.found[-1] if self.found else {}
        if last.get("output_type") == "stream" and last["name"] == name:
            last["text"].append(text)
        else:
            self.found.append({"output_type": "stream", "name": name, "text": [text]})

    def add(self, output: dict, size: int) -> None:
        before, self.size = self.size, self.size + size
        if self.size <= self.budget:
            self.found.append(output)
        elif before <= self.budget:
            self.found.append({"output_type": "stream", "name": "stdout", "text": [CUT]})

    def take(self) -> list[dict]:
        found, self.found, self.size = self.found, [], 0
        for output in found:
            output.pop("display_id", None)
            if output["output_type"] == "stream":
                output["text"] = "".join(output["text"])
        return found


OUTPUTS = Outputs()


class Stream(io.TextIOBase):
    """sys.stdout and sys.stderr of the code."""

    encoding, errors = "utf-8", "replace"

    def __init__(self, name: str, descriptor: int):
        self.label, self.descriptor = name, descriptor

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        OUTPUTS.stream(self.label, text)
        return len(text)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.descriptor


class ResultHook(DisplayHook):
    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, data, metadata=None) -> None:
        data = _plain(data)
        output = {"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": self.prompt_count}
        OUTPUTS.add(output, _size(data))


class Display(DisplayPublisher):
    def publish(self, data, metadata=None, source=None, *, transient=None, update=False, **_) -> None:
        data, name = _plain(data), (transient or {}).get("display_id")
        if update and name:
            for shown in OUTPUTS.found:
                if shown.get("display_id") == name:
                    shown["data"] = data
            return
        OUTPUTS.add({"output_type": "display_data", "data": data, "metadata": {}, "display_id": name and str(name)}, _size(data))

    def clear_output(self, wait=False) -> None:
        OUTPUTS.found.clear()


class Compiler(CachingCompiler):
    """Parses a cell once, although the shell asks twice: whether it is plain Python, and for its tree."""

    known: tuple[str, ast.Module | None] = "", None

    def is_python(self, source: str) -> bool:
        try:
            self.known = source, ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        return True

    def ast_parse(self, source, *args, **names):
        (text, tree), self.known = self.known, ("", None)
        return tree if tree and text == source else super().ast_parse(source, *args, **names)


class Shell(InteractiveShell):
    learned: dict[str, list[CodeType]] = {}  # cells -> what compiling them gave
    intact: dict = {}  # what checks rely on, before any of the code was run
    compiler_class = Compiler
    displayhook_class = ResultHook
    display_pub_class = Display

    def init_virtualenv(self):
        pass

    def enable_gui(self, gui=None):
        pass

    def system(self, command):
        """!command: a pseudo terminal, which IPython would take, is not there. What it says goes into the raw files."""
        self.user_ns["_exit_code"] = subprocess.call(self.var_expand(command, depth=1), shell=True, stdin=subprocess.DEVNULL)

    # Cells of plain Python, nearly all, need no rewriting; IPython tokenises each of them for 5 ms to find that out.
    def transform_cell(self, raw_cell):
        plain = "\n" in raw_cell.strip() and self.compile.is_python(raw_cell)
        return raw_cell if plain else super().transform_cell(raw_cell)

    def learn(self, cells: list[str]) -> None:
        """Compile cells of plain Python before they are needed, as run_cell() would: the last expression is displayed."""
        for number, cell in enumerate(cells):
            name = self.compile.cache(cell, number, cell)
            try:
                *body, last = ast.parse(cell, name).body or [ast.Pass(lineno=1, col_offset=0)]
                shown = isinstance(last, ast.Expr)
                parts = [(ast.Module(body if shown else [*body, last], []), "exec"), *([(ast.Interactive([last]), "single")] if shown else [])]
                self.learned[cell] = [compile(tree, name, mode, dont_inherit=True) for tree, mode in parts]
            except (SyntaxError, ValueError):  # IPython's own syntax, or none: told when it is run
                pass

    def recall(self, pieces: list[CodeType]) -> None:
        """Run a cell that was learned."""
        with self.builtin_trap, self.display_trap:
            try:
                for code in pieces:
                    exec(code, self.user_global_ns, self.user_ns)
            except BaseException:
                self.showtraceback()
        self.events.trigger("post_execute")

    def should_run_async(self, raw_cell, **known):
        return ("await" in raw_cell or "async" in raw_cell) and super().should_run_async(raw_cell, **known)

    # IPython's own tracebacks read and colour source for 0.1 s each, most of the time that a wrong hand-in takes.
    def showtraceback(self, exc_tuple=None, *_, **__):
        kind, value, trace = exc_tuple or sys.exc_info()
        OUTPUTS.found.append(  # whatever else was said: that a cell failed is never dropped
            {"output_type": "error", "ename": str(kind.__name__), "evalue": _said(value), "traceback": _lines(kind, value, trace)}
        )

    def showsyntaxerror(self, *_, **__):
        self.showtraceback()

    def _format_exception_for_storage(self, *_, **__):
        return []

    def raw_input(self, prompt=""):
        raise EOFError(NO_INPUT)


def make() -> Shell:
    """The shell of the warm parent: its forks each go on with a copy. Before libraries that look for one are imported."""
    config = Config()
    config.HistoryManager.enabled = False
    config.HistoryManager.hist_file = ":memory:"
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.autocall = 0
    shell = Shell.instance(config=config)
    sys.displayhook = shell.displayhook
    return shell


class Runner:
    """Runs cells in this process from now on."""

    def __init__(self, shell: Shell, output_bytes: int):
        self.shell, OUTPUTS.budget = shell, output_bytes
        builtins.input = shell.raw_input
        # What C code and child processes write goes past sys.stdout, into a file.
        self.raw = {number: tempfile.TemporaryFile() for number in (1, 2)}
        for number, file in self.raw.items():
            os.dup2(file.fileno(), number)
        self.streams = Stream("stdout", 1), Stream("stderr", 2)
        if "matplotlib_inline.backend_inline" in sys.modules:
            os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"

    def run(self, code: str) -> tuple[list[dict], int]:
        """Outputs and execution count of a cell."""
        sys.stdout, sys.stderr = self.streams
        try:
            if pieces := self.shell.learned.get(code):
                self.shell.recall(pieces)
            else:
                self.shell.run_cell(code, store_history=True)
        except KeyboardInterrupt:  # between the shell's own handlers
            self.shell.showtraceback()
        self._collect_raw()
        return OUTPUTS.take(), self.shell.execution_count - 1

    def _collect_raw(self) -> None:
        for (number, file), name in zip(self.raw.items(), ("stdout", "stderr"), strict=True):
            if size := os.fstat(number).st_size:
                file.seek(0)
                OUTPUTS.stream(name, file.read(min(size, OUTPUTS.budget + 1)).decode("utf-8", "replace"))
                file.seek(0)
                file.truncate()


def _said(value: BaseException) -> str:
    try:
        return str(value)
    except BaseException:
        return ""


def _lines(kind: type, value: BaseException, trace) -> list[str]:
    """A traceback of the frames in cells and libraries, without those of whoever ran the cell."""
    try:
        told = traceback.TracebackException(kind, value, trace)
        chain = told
        while chain:
            chain.stack = traceback.StackSummary.from_list([f for f in chain.stack if not f.filename.startswith(OURS)])
            chain = chain.__cause__ or chain.__context__
        return "".join(told.format()).splitlines()
    except BaseException:  # an exception whose own methods raise
        return [kind.__name__]


def _plain(data: dict) -> dict:
    """A mime bundle, or its metadata, that JSON can hold."""
    bundle = {str(kind): base64.b64encode(value).decode() if isinstance(value, bytes) else value for kind, value in data.items()}
    try:
        return json.loads(json.dumps(bundle, default=str))
    except (ValueError, RecursionError, TypeError):
        return {"text/plain": "(보관할 수 없는 출력입니다.)"}


def _size(data: dict) -> int:
    return sum(len(str(value).encode("utf-8", "replace")) for value in data.values())
