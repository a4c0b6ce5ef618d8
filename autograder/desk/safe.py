"""What students wrote, as HTML that does nothing.

A notebook is rebuilt from the few fields that a page shows, Markdown and HTML go through an allow-list after rendering, and
a note stands where something was left out. Formulas stay text until MathJax, whose own safe mode is on, reads them.
"""
from __future__ import annotations

import html
import re
from urllib.parse import unquote

import nbformat
import nh3
from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from pygments.token import STANDARD_TYPES

TAGS = set(
    "a abbr b blockquote br caption code col colgroup dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img "
    "ins kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr tt u ul var".split()
)
WITH_CONTENT = {
    "script",
    "style",
    "template",
    "noscript",
    "iframe",
    "object",
    "svg",
    "math",
    "textarea",
    "select",
    "title",
}  # go as a whole
WITHOUT_NOTE = {"style", "center", "font"}  # tables of pandas bring a style; nothing to read is lost with these
TAG = re.compile(r"<(?=/?([a-z][a-z0-9:-]*))", re.I)
STYLES = {"text-align", "color", "background-color", "font-weight", "font-style", "text-decoration"}
PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*")
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
ATTACHED = re.compile(r"attachment:([^)\s\"'>]+)")
NAME = re.compile(r"[\w-]+")
SHOWN = ("text/html", "text/markdown", "image/svg+xml", "image/png", "image/jpeg", "text/latex", "text/plain")


def _attribute(tag: str, name: str, value: str) -> str | None:
    """Pictures come with the notebook or not at all; links lead out or nowhere."""
    if name == "src":
        return value if PICTURE.fullmatch(value) else None
    if name == "href":
        return value if value.lower().startswith(("http://", "https://", "mailto:")) else None
    return value


# No id, name or data-* (the page's scripts find their fields by them) and no class but those of coloured code.
CLEANER = nh3.Cleaner(
    tags=TAGS,
    clean_content_tags=WITH_CONTENT,
    attributes={
        "*": {"title", "style", "align"},
        "a": {"href"},
        "img": {"src", "alt", "width", "height"},
        "td": {"colspan", "rowspan"},
        "th": {"colspan", "rowspan"},
        "ol": {"start"},
    },
    attribute_filter=_attribute,
    allowed_classes={"span": set(STANDARD_TYPES.values()) - {""}, "div": {"highlight"}, "table": {"dataframe"}},
    filter_style_properties=STYLES,
    url_schemes={"http", "https", "mailto", "data"},
    url_relative="deny",
    set_tag_attribute_values={"a": {"target": "_blank"}},
)


def clean(page: str) -> str:
    """HTML of a student without what could run, load, cover or imitate anything.

    Tags we do not know are shown as they were written: vector<int> is meant as text. A note says what else is missing.
    """
    known = TAGS | WITH_CONTENT | WITHOUT_NOTE
    page = TAG.sub(lambda tag: "<" if tag.group(1).lower() in known else "&lt;", page)
    safe = CLEANER.clean(page)
    missing = {f"<{tag}>" for tag in map(str.lower, TAG.findall(page)) if tag in WITH_CONTENT - WITHOUT_NOTE}
    for text, pattern in {"그림": r"<img\b[^>]*\ssrc=", "링크": r"<a\b[^>]*\shref=", "동작": r"<[^>]+\son\w+\s*="}.items():
        if len(re.findall(pattern, page, re.I)) > len(re.findall(pattern, safe, re.I)):
            missing.add(text)
    return safe + _note(missing)


def _note(missing: set[str]) -> str:
    names = html.escape(", ".join(sorted(missing))[:200])
    return f"<p><em>(보이지 않게 한 것: {names})</em></p>" if missing else ""


def plain(notebook: NotebookNode) -> NotebookNode:
    """The notebook rebuilt from what the page shows; every other field of it is a student's and of no use here."""
    cells = [_cell(index, cell) for index, cell in enumerate(notebook.cells)]
    metadata = {"language_info": {"name": "python"}}  # an unknown language would come into the page as a class name
    return nbformat.from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells})


def _cell(index: int, cell: NotebookNode) -> dict:
    mark = cell.get("metadata", {}).get("nbgrader")
    known = isinstance(mark, dict) and NAME.fullmatch(str(mark.get("grade_id")))
    kept = {"id": f"cell-{index}", "metadata": {"nbgrader": mark} if known else {}, "source": _text(cell.get("source"))}
    if known:
        mark["points"] = float(mark.get("points") or 0)
    if cell.cell_type == "code":
        count = cell.get("execution_count")
        outputs = [_output(output) for output in cell.get("outputs", [])]
        return kept | {"cell_type": "code", "execution_count": count if isinstance(count, int) else None, "outputs": outputs}
    if cell.cell_type == "markdown":
        source, pictures = _pictures(kept["source"], cell.get("attachments", {}))
        return kept | {"cell_type": "markdown", "source": source, "attachments": pictures}
    return kept | {"cell_type": "markdown", "source": f"<pre>{html.escape(kept['source'])}</pre>", "attachments": {}}


def _pictures(source: str, attachments: dict) -> tuple[str, dict]:
    """Attached pictures under plain names: nbconvert fails on Korean ones, and on a picture that got lost (as in Colab)."""
    pictures = {}
    for name, bundle in attachments.items():
        images = (
            {mime: data for mime, data in bundle.items() if mime.startswith("image/") and isinstance(data, str)}
            if isinstance(bundle, dict)
            else {}
        )
        if images:
            pictures[name] = (f"picture-{len(pictures)}", images)

    def renamed(use: re.Match) -> str:
        name = unquote(use.group(1))
        return f"attachment:{pictures[name][0]}" if name in pictures else "lost"

    return ATTACHED.sub(renamed, source), dict(pictures.values())


def _output(output: NotebookNode) -> dict:
    kind = output.get("output_type")
    if kind == "stream":
        return {
            "output_type": "stream",
            "name": "stderr" if output.get("name") == "stderr" else "stdout",
            "text": _text(output.get("text")),
        }
    if kind == "error":
        return {
            "output_type": "error",
            "ename": "",
            "evalue": "",
            "traceback": [_text(line) for line in output.get("traceback", [])],
        }
    bundle = output.get("data", {})
    data = {mime: text for mime in SHOWN if mime in bundle and (text := _shown(mime, bundle[mime])) is not None}
    missing = set(bundle) - set(data)
    if missing and not set(data) - {"text/plain"}:  # a plain text alone stands for something richer
        names = _text(", ".join(sorted(missing)))[:200]
        data["text/plain"] = f"{data.get('text/plain', '')}\n(보이지 않게 한 출력: {names})".strip()
    return {"output_type": "display_data", "metadata": {}, "data": data}


def _shown(mime: str, value) -> str | None:
    text = _text(value)
    if mime in ("image/png", "image/jpeg"):
        return text if BASE64.fullmatch(text) else None
    return clean(text) if mime == "text/html" else text


def _text(value) -> str:
    """Any JSON value as text that can be written as UTF-8: JSON may hold half a character."""
    text = "".join(map(str, value)) if isinstance(value, list) else str("" if value is None else value)
    return text.encode("utf-8", "replace").decode("utf-8")


class SafeExporter(HTMLExporter):
    """nbconvert's exporter for pages that are opened in somebody else's browser."""

    exclude_anchor_links = True

    def from_notebook_node(self, nb, resources=None, **kw):
        return super().from_notebook_node(plain(nb), resources, **kw)

    @pass_context
    def markdown2html(self, context, source):
        try:
            return clean(super().markdown2html(context, source))
        except Exception:  # a text made to break the renderer (nesting without end) is still an answer that can be read
            return f"<pre>{html.escape(source)}</pre>"
