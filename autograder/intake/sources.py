"""What a cell's text says: which names it defines, whether an answer is still blank, which lines cannot run where
grading happens. Text in, text out; nothing here knows of notebooks.

Student code is parsed, never run. What Python cannot parse is left as it is.
"""
from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from functools import lru_cache

IPYTHON = re.compile(r"\s*(?:!|%{1,2}\w|[\w, ]+=\s*(?:!|%\w))")  # a line that is no Python
CELL_MAGIC = re.compile(r"\s*%%(\w+)")
PYTHON_MAGICS = {"time", "timeit", "capture", "prun"}  # the rest of such a cell is Python all the same
HEAD = re.compile(r"^(?:async\s+)?(?:def|class)\s+(\w+)\s*(\([^)]*\))?", flags=re.M)
FENCE = re.compile(r"\A\s*```\w*\n(.*?)\n?```\s*\Z", flags=re.S)
BLOCKS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
NESTED = (ast.If, ast.Try, ast.With, ast.For, ast.While)
DEFINING = (*BLOCKS, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.If, ast.Try, ast.With)
MAX_DEPTH = 150  # of a tree: whoever walks it recursively must come to an end


@lru_cache(maxsize=4096)
def normal(text: str) -> str:
    """Text for comparing: spaces at line ends and empty lines around it do not count."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip()


def unfenced(source: str) -> str:
    """Code without the ``` around it that it needed as text."""
    match = FENCE.match(source)
    return match.group(1) if match else source


def parse(source: str) -> ast.Module | None:
    """The code, with `pass` for IPython's own lines; None when it is no Python, or one newer than ours."""
    return parsed(source)[0]


@lru_cache(maxsize=4096)
def parsed(source: str) -> tuple[ast.Module | None, frozenset[int]]:
    """The tree of `parse`, and the numbers (from 0) of the lines that are IPython's."""
    if (tree := _tree(source)) is not None:
        return tree, frozenset()
    lines, special, carried = source.split("\n"), set(), False
    first = CELL_MAGIC.match(source)
    for n, line in enumerate(lines):
        if carried or IPYTHON.match(line) or first and first.group(1) not in PYTHON_MAGICS:
            lines[n] = "" if carried else line[: len(line) - len(line.lstrip())] + "pass"
            carried = line.rstrip().endswith("\\")
            special.add(n)
    tree = _tree("\n".join(lines))
    strings = [] if tree is None else [node for node in ast.walk(tree) if isinstance(node, (ast.Constant, ast.JoinedStr))]
    return tree, frozenset(special - {n for node in strings for n in range(node.lineno, node.end_lineno)})


def _tree(source: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes and the like: the student's business
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    level: list[ast.AST] = [tree]
    for _ in range(MAX_DEPTH):
        if not (level := [child for node in level for child in ast.iter_child_nodes(node)]):
            return tree
    return None


# ---- names ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def defines(source: str) -> frozenset[str]:
    """Names that a cell gives a value at module level. Of text that does not parse, its functions and classes."""
    tree = parse(source)
    return frozenset(begins(source) if tree is None else _given(tree.body))


def begins(source: str) -> set[str]:
    """Functions and classes whose first line is here, in code or in a part of it."""
    return {match.group(1) for match in HEAD.finditer(source)}


def heads(source: str) -> set[str]:
    """Functions and classes with their arguments, `add(a,b)`: how an answer is known that bears no mark."""
    return {re.sub(r"\s", "", "".join(match.groups(""))) for match in HEAD.finditer(source)}


@lru_cache(maxsize=4096)
def needs(source: str) -> frozenset[str]:
    """Names that a cell reads and does not give a value itself."""
    tree = parse(source)
    return frozenset() if tree is None else frozenset(_read([tree]) - _given(tree.body))


def _given(body: list[ast.stmt]) -> set[str]:
    return {name for statement in _statements(body) for name in _names(statement)}


def _read(nodes: list[ast.AST]) -> set[str]:
    inside = [node for top in nodes for node in ast.walk(top)]
    names = [node for node in inside if isinstance(node, ast.Name)]
    stored = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    return {node.id for node in names} - stored - {node.arg for node in inside if isinstance(node, ast.arg)}


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements at module level, with those in branches and loops."""
    for statement in body:
        yield statement
        if isinstance(statement, NESTED):
            handlers = [line for handler in getattr(statement, "handlers", []) for line in handler.body]
            for inner in (statement.body, getattr(statement, "orelse", []), getattr(statement, "finalbody", []), handlers):
                yield from _statements(inner)


def _names(statement: ast.stmt) -> set[str]:
    if isinstance(statement, BLOCKS):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    nodes = [node for target in targets if target for node in ast.walk(target)]
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


# ---- blanks -----------------------------------------------------------------------------------------------------


def is_blank(source: str, stub: str, kind: str) -> bool:
    """Whether an answer says no more than its stub. Comments, `pass` and "not implemented" say nothing."""
    if {line.strip() for line in source.splitlines()} - {line.strip() for line in stub.splitlines()} <= {""}:
        return True
    tree = parse(source) if kind == "code" else None
    return tree is not None and not _written(tree, parse(stub))


def answers(source: str, stub: str) -> set[str]:
    """The names that a cell defines for real: with more behind them than the stub has."""
    tree = parse(source)
    if tree is None:
        return defines(source)
    written = _written(tree, parse(stub))
    lines = [s for s in _statements(tree.body) if not isinstance(s, BLOCKS) and ast.unparse(s) in written.get("", [])]
    return {name.split(".")[1] for name in written if name} | _given(lines)


def without_stub_lines(source: str, stub: str, kind: str) -> tuple[str, bool]:
    """An answer without the lines of the stub that were left standing beside it, and whether there were any."""
    if kind != "code":
        stubs = [line.strip() for line in stub.splitlines() if line.strip()]
        lines = [line for line in source.splitlines() if [line.strip()] != stubs]  # more than one line is a form to fill in
        return "\n".join(lines).strip("\n"), len(lines) < len(source.splitlines())
    tree, base = parse(source), parse(stub)
    if tree is None:
        return source, False
    stubs = {ast.unparse(node) for node in ast.walk(base) if isinstance(node, ast.Raise)} if base else set()
    written, left = _written(tree, base), []
    for name, body in _bodies(tree):
        if name in written or any(other.startswith(f"{name}.") for other in written):
            for n, node in enumerate(body):
                bare = _is_not_implemented(node) and not (isinstance(node.exc, ast.Call) and node.exc.args)
                above = _is_not_implemented(node) and not all(map(_says_nothing, body[n + 1 :]))
                if bare or above or _is_not_implemented(node) and ast.unparse(node) in stubs:
                    left.append(node)
    return replaced(source, [(node, "") for node in left]), bool(left)


def _written(tree: ast.Module, base: ast.Module | None) -> dict[str, list[str]]:
    """Dotted name of a function or class ("" for the module) -> its own statements, where they are not the stub's."""
    stub = dict(_own_lines(base)) if base else {}
    return {name: lines for name, lines in _own_lines(tree) if lines and lines != stub.get(name)}


@lru_cache(maxsize=4096)  # trees are those of `parsed`, one for each text
def _own_lines(tree: ast.Module) -> list[tuple[str, list[str]]]:
    return [(name, [ast.unparse(s) for s in body if not isinstance(s, BLOCKS) and not _says_nothing(s)]) for name, body in _bodies(tree)]


def _says_nothing(statement: ast.stmt) -> bool:
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return constant or isinstance(statement, ast.Pass) or _is_not_implemented(statement)


def _is_not_implemented(node: ast.stmt) -> bool:
    error = node.exc if isinstance(node, ast.Raise) else None
    error = error.func if isinstance(error, ast.Call) else error
    return isinstance(error, ast.Name) and error.id == "NotImplementedError"


def _bodies(tree: ast.Module) -> Iterator[tuple[str, list[ast.stmt]]]:
    """(dotted name, body) of the module and of every function and class in it."""
    waiting: list[tuple[str, list[ast.stmt]]] = [("", tree.body)]
    while waiting:
        name, body = waiting.pop()
        yield name, body
        waiting += [(f"{name}.{s.name}", s.body) for s in _statements(body) if isinstance(s, BLOCKS)]


# ---- parts ------------------------------------------------------------------------------------------------------


def definitions(source: str, names: set[str]) -> str:
    """The statements of a cell that define some names, with whatever else of it they need; "" when there are none."""
    tree = parse(source)
    if tree is None:
        return _blocks(source, names)
    wanted, kept = set(names), set()
    while more := {n for n, s in enumerate(tree.body) if isinstance(s, DEFINING) and _given([s]) & wanted} - kept:
        kept |= more
        wanted |= _read([tree.body[n] for n in more])
    return _lines_of(source, [tree.body[n] for n in sorted(kept)])


def additions(source: str, base: str, known: set[str]) -> str:
    """Definitions of new names that a student put into a cell of the course."""
    tree = parse(source)
    if tree is None or parse(base) is None:
        return ""
    old = known | defines(base)
    return _lines_of(source, [s for s in tree.body if isinstance(s, DEFINING) and _given([s]) - old])


def new_lines(text: str, base: str) -> str:
    """Lines of a text that its original does not have."""
    known = {line.strip() for line in base.splitlines()}
    return "\n".join(line for line in text.splitlines() if line.strip() not in known).strip("\n")


def joined(texts: list[str]) -> tuple[int, str]:
    """How many of some successive cells are one that was split, and its text; (0, "") when the first stands alone.

    Pieces of one cell are known by this: together they are Python, the first or the rest alone is not.
    """
    if all(parse(text) is not None for text in texts):
        return 0, ""
    for count in range(2, len(texts) + 1):
        first, rest = texts[0], "\n".join(texts[1:count])
        if parse(first) is not None and parse(rest) is not None:
            continue
        in_line = ("", " ") if count == 2 and "#" not in first.rpartition("\n")[2] else ()  # a comment would swallow it
        for between in ("\n", *in_line):
            if parse(text := f"{first}{between}{rest}") is not None:
                return count, text
    return 0, ""


def _lines_of(source: str, statements: list[ast.stmt]) -> str:
    """Whole lines of statements, with their decorators and the comments right above them."""
    lines, kept = source.split("\n"), set()
    for statement in statements:
        start = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))]) - 1
        while start and lines[start - 1].startswith("#") and not lines[start - 1].startswith("#@"):
            start -= 1
        kept |= set(range(start, statement.end_lineno))
    return "\n".join(lines[n] for n in sorted(kept))


def _blocks(source: str, names: set[str]) -> str:
    """Functions and classes by their indentation, from text that does not parse as a whole."""
    forms = (rf"^(?:async\s+)?(?:def|class)\s+{re.escape(name)}\b.*(?:\n(?:[ \t].*)?)*" for name in sorted(names))
    blocks = [match.group().rstrip() for form in forms if (match := re.search(form, source, flags=re.M))]
    return "\n\n\n".join(block for block in blocks if parse(block) is not None)


def replaced(source: str, changes: list[tuple[ast.AST, str]]) -> str:
    """Source with other text in place of some nodes, none inside another. A node replaced by "" goes with its line."""
    lines = source.split("\n")  # what Python takes for a line, not what Unicode does
    for node, text in sorted(changes, key=lambda change: (change[0].lineno, change[0].col_offset), reverse=True):
        first, last = lines[node.lineno - 1].encode(), lines[node.end_lineno - 1].encode()  # columns count bytes
        before, after = first[: node.col_offset].decode(), last[node.end_col_offset :].decode()
        alone = not text and not before.strip() and not after.partition("#")[0].strip()
        lines[node.lineno - 1 : node.end_lineno] = [] if alone else [f"{before}{text or 'pass'}{after}"]
    return "\n".join(lines)
