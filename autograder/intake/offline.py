"""Code that cannot run where grading happens: it asks somebody, installs something, or talks to Colab or Drive.

Such statements are skipped so that the rest of their cell runs; what was skipped stays as a comment.
"""
from __future__ import annotations

import ast
import re

from autograder.intake.sources import CELL_MAGIC, PYTHON_MAGICS, parsed, replaced

SUSPECT = re.compile(r"[!%]|google\.colab|\binput\s*\(|getpass|chdir|\b(?:drive|files|userdata|auth)\.")
SHELL_MAGICS = ("bash", "sh", "shell", "script", "system", "sx", "pip", "conda", "cd")
COMMAND = re.compile(r"(?P<indent>\s*)(?P<name>[\w, ]+=\s*)?(?P<sign>!+|%{1,2})\s*(?P<word>[\w-]*)")
COMMANDS = ("pip", "pip3", "apt", "apt-get", "conda", "git", "wget", "curl", "gdown", "unzip", "cd", "ls", "nvidia-smi")
SKIPPED = "# 채점할 때 건너뛴 줄: "
CALLS = {
    "drive.mount": "None",
    "drive.flush_and_unmount": "None",
    "files.upload": "{}",
    "files.download": "None",
    "userdata.get": '""',
    "auth.authenticate_user": "None",
}
ASKS = ("input", "getpass", "getpass.getpass")
TYPED = '"1"'  # what a program is told that asks: it reads as text and as a number
ASKED = "input()(1이라고 답합니다)"


def offline(source: str) -> tuple[str, list[str]]:
    """A cell's code without what cannot be done, and the names of what was skipped: `!pip`, `drive.mount`, `input()` ...

    `input()` gives "1". A loop that waits for an answer is skipped whole; in a function, it is left to fail.
    """
    if not SUSPECT.search(source):
        return source, []
    first = CELL_MAGIC.match(source)
    if first and first.group(1) in SHELL_MAGICS:
        return "\n".join(f"# {line}" for line in source.splitlines()), [f"%%{first.group(1)}"]
    tree, special = parsed(source)
    if tree is None or first and first.group(1) not in PYTHON_MAGICS:
        return source, []
    visitor, lines, skipping = _Offline(source), source.split("\n"), False
    visitor.visit(tree)
    for n in sorted(special):  # nothing in these lines is in the tree
        match = COMMAND.match(lines[n])
        if match:
            what = _command(match)
            visitor.done += [what] * bool(what)
            skipping, instead = bool(what), f"{match['name']}[]" if match["name"] else "pass"
        if skipping:
            lines[n] = f"{match['indent']}{instead}  {SKIPPED}{lines[n].strip()}" if match else f"# {lines[n]}"
    return replaced("\n".join(lines), visitor.changes), list(dict.fromkeys(visitor.done))


def _command(match: re.Match) -> str:
    """What a line of IPython's would do that cannot be done; "" when it can."""
    sign, word = match["sign"], match["word"]
    if sign.startswith("!"):
        return f"!{word}" if word in COMMANDS else "!"
    return f"{sign}{word}" if word in SHELL_MAGICS or sign == "%%" and word in PYTHON_MAGICS else ""


class _Offline(ast.NodeVisitor):
    """Collects nodes with what shall stand in their place."""

    def __init__(self, source: str):
        self.lines, self.changes, self.done = source.split("\n"), [], []
        self.colab: set[str] = set()  # names that this cell imports from Colab
        self.in_function = False

    def skip(self, statement: ast.stmt, what: str) -> None:
        line = self.lines[statement.lineno - 1].encode()[statement.col_offset :].decode()
        rest = self.lines[statement.end_lineno - 1].encode()[statement.end_col_offset :].decode()
        self.changes.append((statement, "pass" if rest.strip() else f"pass  {SKIPPED}{line}"))
        self.done.append(what)

    def visit_Try(self, node: ast.Try) -> None:
        for part in (*node.handlers, *node.orelse, *node.finalbody):
            self.visit(part)  # the body may fail: the student has seen to it

    def visit_FunctionDef(self, node) -> None:
        outer, self.in_function = self.in_function, True
        self.generic_visit(node)
        self.in_function = outer

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef

    def visit_While(self, node: ast.While) -> None:
        if any(isinstance(part, ast.Call) and _dotted(part.func) in ASKS for part in ast.walk(node)):
            if not self.in_function:
                self.skip(node, "input()")
        else:
            self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        if all(alias.name.startswith("google.colab") for alias in node.names):
            self.colab |= {alias.asname or "google.colab" for alias in node.names}
            self.skip(node, "google.colab")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if (node.module or "").startswith("google.colab"):
            self.colab |= {alias.asname or alias.name for alias in node.names}
            self.skip(node, "google.colab")

    def visit_Expr(self, node: ast.Expr) -> None:
        what = self.replacement(node.value)
        if what and what[0] not in ASKS:
            self.skip(node, what[0])
        else:
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        what = self.replacement(node)
        if what:
            self.changes.append((node, what[1]))
            self.done.append(ASKED if what[0] in ASKS else what[0])
        else:
            self.generic_visit(node)

    def replacement(self, node: ast.expr) -> tuple[str, str] | None:
        """(what it is, what stands in its place) of a call that cannot be made."""
        name = _dotted(node.func) if isinstance(node, ast.Call) else ""
        if name in ASKS:
            return name, TYPED
        short = ".".join(name.split(".")[-2:])
        if name in CALLS or short in CALLS and name.startswith("google.colab"):
            return short, CALLS[short]
        if name in self.colab or any(name.startswith(f"{own}.") for own in self.colab):
            return "google.colab", "None"
        folder = node.args[0].value if name == "os.chdir" and node.args and isinstance(node.args[0], ast.Constant) else ""
        return (name, "None") if str(folder).startswith("/content") else None


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""
