"""The search's index: the text of every page, cut into sections, and the reader's words for our terms.

A book of this size needs no inverted index. The whole text, loaded by the search page alone, is smaller than Sphinx's
index on every page, opens from a plain file, and lets the page show the line in which a word stands. How a query is
compared with the text (particles, endings, spacing) is in assets/search-korean.js and nowhere else.
"""
from __future__ import annotations

import json
import re
import unicodedata
from html.parser import HTMLParser
from pathlib import Path

from autograder.course import glossary_entries

NOT_SEARCHED = "not-searched"  # tag of a cell that is the same on every page
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
BLOCKS = {"p", "li", "tr", "pre", "figcaption", "dt", "dd", "div", "section", "details", "table", "ul", "ol", "blockquote"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6", "summary"}
SKIPPED_TAGS = {"nav", "script", "style", "button", "noscript", "svg"}
SKIPPED_CLASSES = {"headerlink", "admonition-title", "solve", f"tag_{NOT_SEARCHED}"}
POINTS = re.compile(r"\d+점\(.*난이도 .$")  # the line under every exercise
MATH = [
    (r"\\(?:mathrm|text|operatorname|mathbf)\{([^{}]*)\}", r"\1"),
    (r"\^(?:\\top|\{\\top\})", "ᵀ"),
    (r"\\infty", "∞"),
    (r"([_^])\{([^{}]*)\}", r"\1\2"),
    (r"\\sqrt\{(\w+)\}", r"√\1"),
    (r"\\sqrt\{([^{}]*)\}", r"√(\1)"),
    (r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"\1 / \2"),
    (r"\\(?:left|right|begin\{\w+\}|end\{\w+\}|[(),;\[\]!])|[{}&]|\\\\", " "),
    (r"\\sum", "Σ"),
    (r"\\(?:qquad|quad)", " "),
    (r"\\([a-zA-Z]+)", r"\1"),
]


def write_index(html: Path, pages: list[str], glossary: Path) -> Path:
    """Write HTML/_static/searchindex.js for the PAGES ("chapters/hand") in their order.

    `words` maps what a reader may type to the terms that we write; `pages` holds [address, sections], a section being
    [anchor, title, number of the section above it or -1, text, code], the first of a page the page itself.
    """
    index = {"words": words(glossary), "pages": [[f"{page}.html", sections(html / f"{page}.html")] for page in pages]}
    path = html / "_static" / "searchindex.js"
    path.write_text(f"const searchIndex = {json.dumps(index, ensure_ascii=False, separators=(',', ':'))};\n", encoding="utf-8")
    return path


def words(glossary: Path) -> dict[str, list[str]]:
    """{what a reader may type: the terms for it}. Types terms, aliases, the English of the first mention, forms we never write."""
    found: dict[str, list[str]] = {}
    for entry in glossary_entries(glossary):
        if aliases := entry.get("aliases"):
            english = re.findall(r"\(([^;)]+)", entry.get("first", ""))
            never = [form for form in entry.get("never", []) if re.fullmatch(r"[\w -]+", form)]  # the others are patterns
            for word in dict.fromkeys([entry["term"], *aliases, *english, *never]):
                found.setdefault(word, []).append(entry["term"])
    return dict(sorted(found.items()))


def sections(page: Path) -> list[list]:
    """The sections of a built page, in order; a folded question, hint or answer counts as a section."""
    reader = _Reader()
    reader.feed(page.read_text(encoding="utf-8"))
    reader.close()
    return [[s.anchor, _clean(s.title), s.above, _lines(s.text), _lines(s.code)] for s in reader.sections]


class _Section:
    def __init__(self, anchor: str, above: int) -> None:
        self.anchor, self.above, self.title = anchor, above, ""
        self.text: list[str] = []
        self.code: list[str] = []


class _Reader(HTMLParser):
    """Collects what a reader sees inside <article>."""

    def __init__(self) -> None:
        super().__init__()
        self.sections: list[_Section] = []
        self.inside: list[int] = []  # numbers of the open sections
        self.open: list[tuple[str, str]] = []  # (tag, what it is to us)
        self.piece = ""  # text since the last block began

    def handle_starttag(self, tag: str, attributes: list) -> None:
        if not self.open and tag != "article":
            return
        given = dict(attributes)
        kind = self._kind(tag, given)
        if kind != "skip":
            self._begin(tag, kind, given)
        if tag not in VOID:
            self.open.append((tag, kind))

    def _kind(self, tag: str, given: dict) -> str:
        classes = set((given.get("class") or "").split())
        if tag in SKIPPED_TAGS or classes & SKIPPED_CLASSES or self.open and self.open[-1][1] == "skip":
            return "skip"
        if tag == "section" or tag == "details" and not classes:
            return "section"
        if tag in HEADINGS and self.inside and not self.sections[self.inside[-1]].title:
            return "title"
        return "math" if "math" in classes else "code" if tag == "pre" else ""

    def _begin(self, tag: str, kind: str, given: dict) -> None:
        if tag in BLOCKS | HEADINGS:
            self._end_block()
        if kind == "section":
            above = self.inside[-1] if self.inside else -1
            self.sections.append(_Section(given.get("id") or (self.sections[above].anchor if self.inside else ""), above))
            self.inside.append(len(self.sections) - 1)
        elif tag == "span" and self.inside and re.match(r"(ch|sec|ex)-", given.get("id") or ""):
            self.sections[self.inside[-1]].anchor = given["id"]  # the author's label rather than Sphinx's
        elif tag == "img" and given.get("alt"):
            self.piece += f" {given['alt']} "
        elif tag in ("td", "th", "br"):
            self.piece += " "

    def handle_endtag(self, tag: str) -> None:
        while any(each == tag for each, _ in self.open):  # what was left open inside ends with it
            closed, kind = self.open.pop()
            self._leave(closed, kind)
            if closed == tag:
                break

    def _leave(self, tag: str, kind: str) -> None:
        if kind == "title":
            self.sections[self.inside[-1]].title, self.piece = self.piece, ""
        elif tag in BLOCKS and kind != "skip":
            self._end_block(code=kind == "code")
        if kind == "section":
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        kinds = [kind for _, kind in self.open]
        if not kinds or kinds[-1] == "skip":
            return
        self.piece += plain_math(data) if "math" in kinds else data

    def _end_block(self, code: bool = False) -> None:
        if self.inside and self.piece.strip():
            section = self.sections[self.inside[-1]]
            if code:
                section.code += self.piece.split("\n")
            else:
                section.text.append(self.piece)
        self.piece = ""


def plain_math(tex: str) -> str:
    """A formula as a reader would type it: \\frac{QK^\\top}{\\sqrt{d}} -> QKᵀ / √d."""
    for pattern, plain in MATH:
        tex = re.sub(pattern, plain, tex)
    return tex


def _clean(text: str) -> str:
    return unicodedata.normalize("NFC", re.sub(r"\s+", " ", text)).strip()


def _lines(blocks: list[str]) -> str:
    """Blocks, one a line."""
    return "\n".join(line for line in map(_clean, blocks) if line and not POINTS.match(line))
