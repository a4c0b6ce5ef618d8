"""Ways to a page from outside: its stable anchors, what search engines and messengers show of it, the map of the site,
the page for an address that does not exist.

Small enough to do here: sphinx-sitemap lists only the pages that a build wrote again, sphinxext-opengraph describes a page by
its first letters where we have its question, and a 404 page that loads nothing needs no sphinx-notfound-page.
"""
from __future__ import annotations

import html
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from docutils import nodes
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sphinx.application import Sphinx

from autograder.course import Course

ANCHOR = re.compile(r"(?:ch|sec|ex|term)-[a-z0-9-]+")  # what authors write above headings: (sec-hand-scale)=
TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).resolve().parents[1] / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)
CARD = "_static/card.png"  # made by card.py
CARD_ALT = "고양이가, 생선을, 먹었다 세 토큰의 어텐션 가중치를 행마다 칠한 표"
COLOURS = {"light": "#ffffff", "dark": "#121212"}  # of the theme's background, for the frame that a phone draws around a page


def own_anchors(app: Sphinx, doctree: nodes.document) -> None:
    """The address of a heading is its label. Sphinx would take the Latin letters in it, or id1, which move with the text."""
    for section in doctree.findall(nodes.section):
        section["ids"] = [name for name in section["ids"] if ANCHOR.fullmatch(name)] or section["ids"]


def describe_page(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    """Tags about a page in its head. Its description is its first paragraph: the question that it answers."""
    if doctree is None:
        return
    question = next(doctree.findall(nodes.paragraph), None)
    title = next(doctree.findall(nodes.title)).astext()
    url = f"{app.config.html_baseurl}{pagename}.html"
    context["metatags"] += tags(app.config.html_baseurl, url, app.config.html_title, title, question.astext() if question else title)


def tags(site_url: str, url: str, book: str, title: str, description: str) -> str:
    """Description, OpenGraph, colour of the frame."""
    shown = {
        "og:type": "article", "og:locale": "ko_KR", "og:site_name": book, "og:title": title, "og:url": url,
        "og:description": description, "og:image": site_url + CARD, "og:image:alt": CARD_ALT,
    }  # fmt: skip
    lines = [f'<meta name="description" content="{html.escape(description)}">']
    lines += [f'<meta property="{name}" content="{html.escape(value)}">' for name, value in shown.items()]
    lines += [f'<meta name="theme-color" content="{c}" media="(prefers-color-scheme: {scheme})">' for scheme, c in COLOURS.items()]
    return "\n" + "\n".join(lines) + "\n"


def extra_pages(course: Course, html_folder: Path, documents: Sequence[str]) -> dict[str, bytes]:
    """Files beside the pages of the book, path in the site -> content: index.html, 404.html, sitemap.xml."""
    titles = {document: _title(html_folder / f"{document}.html") for document in documents}
    facts = {"course": course, "titles": titles, "first": documents[0], "root": urlsplit(course.site_url).path}
    facts["tags"] = tags(course.site_url, course.site_url, course.title, course.title, _description(html_folder / f"{documents[0]}.html"))
    return {
        "index.html": TEMPLATES.get_template("index.html.j2").render(facts).encode(),
        "404.html": TEMPLATES.get_template("404.html.j2").render(facts).encode(),
        "sitemap.xml": TEMPLATES.get_template("sitemap.xml.j2").render(facts).encode(),
    }


def _title(page: Path) -> str:
    return html.unescape(re.search(r'<meta property="og:title" content="([^"]*)"', page.read_text(encoding="utf-8")).group(1))


def _description(page: Path) -> str:
    return html.unescape(re.search(r'<meta name="description" content="([^"]*)"', page.read_text(encoding="utf-8")).group(1))
