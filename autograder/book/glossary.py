"""The glossary page, made from glossary.yml and from the chapters, and the links of first mentions to it.

An entry of glossary.yml that has a first form (`first`) is a term of the course and gets an entry here; the others are
rules of language. Where a term is used is read off the chapters' public text.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from docutils import nodes
from sphinx.application import Sphinx

from autograder import CourseError
from autograder.course import Course, glossary_entries

PAGE = "glossary"  # name of the page in _toc.yml
SECTION = re.compile(r"^\(([a-z][a-z0-9-]*)\)=\s*\n(#+) (.+)$", flags=re.M)
NUMBER = re.compile(r"(?:\d+|[IVX]+)\.\d+(?=\s)")
NOT_PROSE = re.compile(r"```.*?```|`[^`\n]*`|\$\$.*?\$\$|\$[^$\n]*\$|\]\([^)\n]*\)|<[^>\n]*>|^\([a-z0-9-]+\)=", flags=re.S | re.M)
HEAD = """(ch-glossary)=
# 용어

이 책에서 쓰는 말은 무슨 뜻이고, 어느 절에서 배웁니까?

가나다 차례이며 로마자로 적는 말은 뒤에 있습니다. 본문에서 점선 밑줄이 있는 말을 누르면 이 쪽의 그 말로 옵니다.

{index}
"""
ENTRY = """
({anchor})=
## {name}

*{first}*

{meaning}

배우는 곳: {section}. 처음 나오는 곳: {introduced}.

<details>
<summary>{name} 찾아보기: {pages}쪽 {places}곳</summary>

{uses}

</details>
"""


@dataclass(frozen=True)
class Term:
    """One entry: `first` is the form of a first mention, `section` the label of the section that explains the term."""

    name: str
    first: str
    meaning: str
    section: str

    @property
    def anchor(self) -> str:
        """From the English in `first`: 인과 마스크(causal mask; ...) -> term-causal-mask, Query(쿼리) -> term-query."""
        word, _, gloss = self.first.partition("(")
        gloss = re.split(r"[;)]", gloss)[0]
        return "term-" + re.sub(r"[^a-z0-9]+", "-", (gloss if gloss.isascii() and gloss else word).lower()).strip("-")


@dataclass(frozen=True)
class Section:
    """A labelled section of a chapter with its own text (that of its subsections is theirs)."""

    page: str  # label of the page
    label: str
    title: str
    text: str


def terms(course: Course) -> list[Term]:
    """The terms in the order of the page. Raises CourseError when one lacks its meaning, its section or an ASCII name."""
    found = []
    for entry in glossary_entries(course.root / "glossary.yml"):
        if "first" not in entry:
            continue
        if not entry.get("meaning") or not entry.get("section"):
            raise CourseError(f"glossary.yml의 '{entry['term']}'에 meaning(한 문장 뜻)과 section(배우는 절의 이름표)을 적으세요.")
        term = Term(entry["term"], entry["first"], entry["meaning"], entry["section"])
        if term.anchor in {"term-", *(other.anchor for other in found)}:
            raise CourseError(f"glossary.yml의 '{term.name}': first의 괄호에 다른 용어와 겹치지 않는 영어를 적으세요. 주소가 됩니다.")
        found.append(term)
    return sorted(found, key=lambda term: (term.name.isascii(), term.name.lower()))  # 가나다 is the order of Unicode


def page(found: Iterable[Term], chapters: Mapping[str, list[str]]) -> str:
    """The page as Markdown; `chapters` gives the Markdown cells of each page in the order of the book.

    Raises CourseError when the section of a term is in no chapter.
    """
    found = list(found)
    all_sections = [section for cells in chapters.values() for section in sections(cells)]
    by_label = {section.label: section for section in all_sections}
    # A longer term is not a mention of the shorter one in it: 셀프 어텐션 is not 어텐션.
    pattern = re.compile("|".join(_pattern(name) for name in sorted({term.name for term in found}, key=len, reverse=True)))
    mentions = {section.label: set(pattern.findall(f"{section.title}\n{section.text}")) for section in all_sections}

    def entry(term: Term) -> str:
        if term.section not in by_label:
            raise CourseError(f"glossary.yml의 '{term.name}': section에 적은 이름표 '{term.section}'이 어느 장에도 없습니다.")
        used = [section for section in all_sections if term.name in mentions[section.label] or term.first in section.text]
        used = used or [by_label[term.section]]
        first = next((section for section in used if term.first in section.text), used[0])
        pages = list(dict.fromkeys(section.page for section in used))
        lines = [
            f"- [{by_label[page].title}](#{page}): " + ", ".join(_short(section) for section in used if section.page == page) for page in pages
        ]
        return ENTRY.format(
            anchor=term.anchor, name=term.name, first=term.first, meaning=term.meaning, section=_link(by_label[term.section], by_label),
            introduced=_link(first, by_label), pages=len(pages), places=len(used), uses="\n".join(lines),
        )  # fmt: skip

    index = " · ".join(f"[{term.name}](#{term.anchor})" for term in found)
    return HEAD.format(index=index) + "".join(map(entry, found))


def sections(cells: Iterable[str]) -> list[Section]:
    """The sections of one page, from its Markdown cells in order."""
    text = "\n\n".join(cells)
    heads = list(SECTION.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [
        Section(heads[0].group(1), head.group(1), head.group(3).strip(), NOT_PROSE.sub(" ", text[head.end() : end]))
        for head, end in zip(heads, ends, strict=True)
    ]


def link_terms(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Where a page writes a term in its first form, the term leads to its entry; once a page, in running text only."""
    if docname == PAGE or not app.config.course_terms:
        return
    waiting = {first: (anchor, meaning) for first, anchor, meaning in app.config.course_terms}
    target = app.builder.get_relative_uri(docname, PAGE)
    for text in list(doctree.findall(nodes.Text)):
        if not any(first in text for first in waiting) or _is_set_apart(text):
            continue
        pieces: list[nodes.Node] = []
        for piece in re.split("(" + "|".join(map(re.escape, sorted(waiting, key=len, reverse=True))) + ")", text):
            if piece in waiting:
                anchor, meaning = waiting.pop(piece)
                word, bracket, gloss = piece.partition("(")
                pieces.append(nodes.reference("", word, refuri=f"{target}#{anchor}", reftitle=meaning, internal=True, classes=["term"]))
                piece = bracket + gloss
            pieces.append(nodes.Text(piece))
        text.parent.replace(text, pieces)
        if not waiting:
            return


def _is_set_apart(text: nodes.Text) -> bool:
    """Whether a text stands in a heading, a link, code or a formula."""
    node = text.parent
    while node is not None and not isinstance(node, (nodes.title, nodes.reference, nodes.literal, nodes.FixedTextElement, nodes.math)):
        node = node.parent
    return node is not None


def _pattern(name: str) -> str:
    """A Latin term is a word of its own (head, not d_head); a Korean one takes particles and stands at a word's start."""
    return rf"(?<![A-Za-z_]){re.escape(name)}(?![A-Za-z_])" if name.isascii() else rf"(?<![가-힣]){re.escape(name)}"


def _link(section: Section, by_label: Mapping[str, Section]) -> str:
    """A section named so that one knows where it is: a title without a number says the page, too."""
    alone = section.label == section.page or NUMBER.match(section.title)
    where = "" if alone else f"{by_label[section.page].title} › "
    return f"[{where}{section.title}](#{section.label})"


def _short(section: Section) -> str:
    """A section in the list below its page."""
    number = NUMBER.match(section.title)
    text = "머리말" if section.label == section.page else f"{number.group()}절" if number else section.title
    return f"[{text}](#{section.label})"
