"""Syntax that is newer than the Python that grades: Colab runs 3.12 and 3.13, and an answer is not wrong for using them.

What 3.12 and 3.13 added to the grammar is written here in the older way: f-strings with the same quotes, backslashes or
line ends inside (PEP 701), type parameters and `type` statements (PEP 695, 696). Where grading runs on such a Python,
everything parses and nothing is changed.
"""
from __future__ import annotations

import ast
import re

from autograder.intake.sources import parse

PREFIX = re.compile(r"[rbufRBUF]{0,2}")
GENERIC = re.compile(r"^([ \t]*)((?:async[ \t]+)?(?:def|class|type)[ \t]+\w+)[ \t]*\[", flags=re.M)
ALIAS = re.compile(r"^([ \t]*)type[ \t]+(\w+)([ \t]*=)", flags=re.M)
VARIABLES = {"": "TypeVar", "*": "TypeVarTuple", "**": "ParamSpec"}


def lowered(source: str) -> tuple[str, list[str]]:
    """Code in the grammar of our Python, and what was rewritten; unchanged when it parses already or never will."""
    if parse(source) is not None:
        return source, []
    text, kinds = source, []
    for rewrite, kind in ((_plain_fields, "f-string"), (_without_parameters, "타입 파라미터"), (_without_type, "type 문")):
        try:
            changed = rewrite(text)
        except (IndexError, ValueError, RecursionError):  # the end of the cell in the middle of something: no grammar's code
            return source, []
        kinds += [kind] * (changed != text)
        text = changed
    return (text, kinds) if kinds and parse(text) is not None else (source, [])


def _without_parameters(source: str) -> str:
    """`def f[T](x: T)` with T as a variable made on the line before."""
    while match := GENERIC.search(source):
        end = _code(source, match.end(), "]")[0]
        given = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "", source[match.end() : end])  # without commas of bounds
        indent, names = match.group(1), re.findall(r"(?:^|,)\s*(\*{0,2})(\w+)", given)
        made = "".join(f'{indent}{name} = __import__("typing").{VARIABLES[stars]}("{name}")\n' for stars, name in names)
        start = match.start()
        while (above := re.search(r"^[ \t]*@[^\n]*\n\Z", source[:start], flags=re.M)) is not None:
            start = above.start()
        source = source[:start] + made + source[start : match.start()] + indent + match.group(2) + source[end + 1 :]
    return source


def _without_type(source: str) -> str:
    return ALIAS.sub(r"\1\2\3", source)


# ---- f-strings --------------------------------------------------------------------------------------------------


def _plain_fields(source: str) -> str:
    """f-strings that our Python cannot read as calls of str.format. Raises IndexError when one has no end."""
    return _code(source, 0, "")[1]


def _code(source: str, at: int, stops: str) -> tuple[int, str]:
    """Code from `at` to a stop outside brackets (or to the end): where it stops, and its text rewritten."""
    depth, out = 0, []
    while at < len(source):
        char = source[at]
        if opening := _opening(source, at):
            at, text = _strings(source, at, opening, bool(depth or stops))
            out.append(text)
            continue
        if char.isidentifier():
            word = re.compile(r"\w+").match(source, at).group()
        elif char == "#":
            word = source[at : (source + "\n").index("\n", at)]
        elif char in "!=<>" and source[at + 1 : at + 2] == "=":
            word = source[at : at + 2]
        else:
            if not depth and char in stops:
                return at, "".join(out)
            depth += (char in "([{") - (char in ")]}")
            word = char
        out.append(word)
        at += len(word)
    if stops:
        raise IndexError(at)
    return at, "".join(out)


def _opening(source: str, at: int) -> tuple[str, str] | None:
    """(prefix, quotes) of a string that begins here."""
    prefix = PREFIX.match(source, at).group()
    start = at + len(prefix)
    quotes = next((q for q in ('"""', "'''", '"', "'") if source.startswith(q, start)), None)
    return (prefix.lower(), quotes) if quotes else None


def _strings(source: str, at: int, opening: tuple[str, str], within: bool) -> tuple[int, str]:
    """A string and those that follow it without an operator, which our rewriting has to add."""
    pieces, start, changed = [], at, False
    gap = re.compile(r"(?:[ \t]|\\\n" + (r"|\n|#[^\n]*" if within else "") + ")*")
    while opening:
        prefix, quotes = opening
        begin, at = at, at + len(prefix) + len(quotes)
        if "f" in prefix:
            at, text = _fields(source, at, prefix.replace("f", ""), quotes)
            if not _is_read(source[begin:at]):
                changed = True
                pieces.append(text)
            else:
                pieces.append(source[begin:at])
        else:
            while not source.startswith(quotes, at):
                at += 2 if source[at] == "\\" else 1
            at += len(quotes)
            pieces.append(source[begin:at])
        end = at
        at = gap.match(source, at).end()
        opening = _opening(source, at) if at < len(source) else None
    return end, f"({' + '.join(pieces)})" if changed else source[start:end]


def _is_read(text: str) -> bool:
    try:
        ast.parse(f"({text})")
    except (SyntaxError, ValueError):
        return False
    return True


def _fields(source: str, at: int, prefix: str, quotes: str) -> tuple[int, str]:
    """The rest of an f-string: where it ends, and it as `"...{}...".format(...)`."""
    literal, values = [], []
    while not source.startswith(quotes, at):
        if source[at] == "\\":
            named = source.startswith("\\N{", at) and "r" not in prefix
            step = source.index("}", at) + 1 - at if named else 1 if source[at + 1] in "{}" else 2
            literal.append(source[at : at + step])
            at += step
        elif source[at : at + 2] in ("{{", "}}"):
            literal.append(source[at : at + 2])
            at += 2
        elif source[at] == "{":
            at = _field(source, at, literal, values)
        elif source[at] == "\n" and len(quotes) == 1:
            raise IndexError(at)
        else:
            literal.append(source[at])
            at += 1
    return at + len(quotes), f"{prefix}{quotes}{''.join(literal)}{quotes}.format({', '.join(values)})"


def _field(source: str, at: int, literal: list[str], values: list[str]) -> int:
    """One {...}: its value to `values`, its conversion and format to `literal`; where it ends."""
    at, value = _code(source, at + 1, "!:}=")
    convert = ""
    if source[at] == "=":  # {x = } shows its own text
        after = at + 1 + len(source[at + 1 :]) - len(source[at + 1 :].lstrip(" "))
        shown, at = f"{value}{source[at:after]}", after
        for char in "\\\"'":
            shown = shown.replace(char, f"\\{char}")
        literal.append(shown.replace("{", "{{").replace("}", "}}"))
        convert = "!r" if source[at] == "}" else ""
    values.append(f"({value})")
    if source[at] == "!":
        convert, at = source[at : at + 2], at + 2
    literal.append("{" + convert)
    if source[at] == ":":
        literal.append(":")
        at += 1
        while source[at] != "}":
            if source[at] == "{":
                at = _field(source, at, literal, values)
            else:
                literal.append(source[at])
                at += 1
    literal.append("}")
    return at + 1
