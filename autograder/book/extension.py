"""Sphinx extension of the site: the guard against building the author's notebooks, Korean words where the themes have
none, buttons, exercise frames, repairs for screen readers.

The themes offer no option for most of this, so parts of their HTML are replaced as text. requirements.txt pins them;
tests/book says when a replacement no longer finds its place.
"""
from __future__ import annotations

import html
import re
from pathlib import Path

import sphinx.locale
from docutils import nodes
from sphinx.application import Sphinx

from autograder.book.glossary import link_terms
from autograder.book.light import size_images
from autograder.book.lines import keep_particles
from autograder.book.ways import describe_page, own_anchors

# pydata-sphinx-theme has no Korean; Sphinx and sphinx-book-theme have gaps and odd words (By: 으로). Their own
# catalogues are looked up first, so entries are written into them.
KOREAN = {
    "sphinx": {
        "Skip to main content": "본문으로 건너뛰기",
        "Color mode": "화면 밝기",
        "Light": "밝게",
        "Dark": "어둡게",
        "System Settings": "시스템 설정대로",
        "Site navigation": "사이트 이동",
        "Version warning": "버전 알림",
        "previous page": "이전 쪽",
        "next page": "다음 쪽",
        "previous": "이전",
        "next": "다음",
        "Search": "검색",
        "Error": "오류",
        "Please activate JavaScript to enable the search functionality.": "검색하려면 자바스크립트를 켜야 합니다.",
        "Link to this heading": "이 제목의 주소",
        "Link to this equation": "이 식의 주소",
        "Link to this table": "이 표의 주소",
        "Link to this image": "이 그림의 주소",
        "Link to this code": "이 코드의 주소",
    },
    "booktheme": {"By": "지은이"},
}
# In the body of a page. An English aria-label hides the Korean text from screen readers; pandas leaves headings empty.
BODY = [
    ('<summary aria-label="Toggle hidden content">', "<summary>"),
    ("<th></th>", "<td></td>"),
    ('<th class="head"><p></p></th>', '<td class="head"></td>'),
]
SEARCH_SCRIPTS = ("searchindex.js", "search-korean.js", "search-query.js", "search.js", "search-page.js")
COPY = "{'copy': '복사', 'copy_to_clipboard': '복사하기', 'copy_success': '복사했습니다', 'copy_failure': '복사하지 못했습니다'}"
# In the frame of a page, and in the script of the copy button, which has no Korean.
FRAME = [
    ("const messages = {\n  'en'", f"const messages = {{\n  'ko': {COPY},\n  'en'"),
    ('title="Toggle primary sidebar"', 'title="전체 차례 여닫기" aria-label="전체 차례 여닫기"'),
    ('title="Toggle secondary sidebar"', 'title="이 쪽의 차례 여닫기" aria-label="이 쪽의 차례 여닫기"'),
    ('class="bd-links bd-docs-nav" aria-label="Main"', 'class="bd-links bd-docs-nav" aria-label="전체 차례"'),
    # Colours from the first paint on: the theme leaves "auto" to a script at the end of the page. Without scripts: light.
    ('data-theme="auto"', 'data-theme="light"'),
    (
        'localStorage.getItem("theme") || "auto"',
        'localStorage.getItem("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")',
    ),
    ('<dialog id="pst-search-dialog">', '<dialog id="pst-search-dialog" aria-label="검색">'),
    ('<dialog id="pst-primary-sidebar-modal">', '<dialog id="pst-primary-sidebar-modal" aria-label="전체 차례">'),
    ('<dialog id="pst-secondary-sidebar-modal">', '<dialog id="pst-secondary-sidebar-modal" aria-label="이 쪽의 차례">'),
    ('<nav aria-label="Page">', '<nav aria-label="이 쪽의 차례(인쇄용)">'),
    ('class="bd-sidebar-primary bd-sidebar">', 'class="bd-sidebar-primary bd-sidebar" role="region" aria-label="왼쪽 막대">'),
    ('<span class="search-button__kbd-shortcut">', '<span class="search-button__kbd-shortcut" aria-hidden="true">'),
    (' title="검색" aria-label="검색"', ' title="검색"'),
]


def require_site_tree(app: Sphinx) -> None:
    """Only _build/site/ may be built. The author's folder holds answers, which Sphinx would publish."""
    if Path(app.srcdir).parts[-2:] != ("_build", "site"):
        # Not an exception: Jupyter Book would bury it in two tracebacks.
        raise SystemExit("이 폴더의 노트북에는 답과 숨은 점검이 있어 책으로 만들 수 없습니다. ./course build를 실행하세요.")


def speak_korean(app: Sphinx) -> None:
    for domain, words in KOREAN.items():
        catalogue = getattr(sphinx.locale.translators.get(("general", domain)), "_catalog", None)
        if catalogue is not None:
            catalogue.update(words)


def leave_out_sphinx_search(app: Sphinx) -> None:
    """No index of stems: autograder/book/search.py writes the one that the search page reads."""
    app.builder.search = False


def frame_exercises(app: Sphinx, doctree: nodes.document) -> None:
    """A section with a label (ex-...)= is an exercise: course.css draws a frame around it, which ends in a way to solve it."""
    assignments = app.config.course_pages.get(app.env.docname, {}).get("assignments", [])
    for section in doctree.findall(nodes.section):
        if any(name.startswith("ex-") for name in section["ids"]):
            section["classes"].append("exercise")
            for assignment in assignments:
                link = nodes.reference("", "과제 노트북에서 풀기", refuri=assignment["colab"])
                section += nodes.paragraph("", "", link, classes=["solve"])


def page_context(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    """Repairs in the body; links to the notebooks as words under the title, and in the header that stays in view."""
    for old, new in BODY:
        context["body"] = context.get("body", "").replace(old, new)
    context["body"] = keep_particles(context["body"])
    if 'class="attention-calculator"' in context["body"]:
        app.add_css_file("calculator.css")
        for script in ("attention.js", "calculator.js"):
            app.add_js_file(script, loading_method="defer")
    if pagename == "search":  # files that are added in this event are for this page alone
        app.add_css_file("search.css")
        for script in SEARCH_SCRIPTS:
            app.add_js_file(script, loading_method="defer")
    links = app.config.course_pages.get(pagename)
    if not links:
        return
    root = context["content_root"]
    own = [("Colab에서 열기", links["colab"]), ("이 노트북 받기", root + links["notebook"])] if "colab" in links else []
    printed = [(text, root + links[key]) for key, text in (("pdf", "PDF로 받기"), ("book", "책 전체를 PDF로 받기")) if key in links]
    work = []
    for assignment in links["assignments"]:
        work += [("과제를 Colab에서 열기", assignment["colab"]), ("과제 노트북 받기", root + assignment["notebook"])]
    bar = "".join(_link(*link, "own") for link in own + printed) + "".join(_link(*link, "work") for link in work)
    context["body"] = context["body"].replace("</h1>", f'</h1>\n<nav class="notebook-links" aria-label="열기와 받기">{bar}</nav>', 1)
    menus = [("노트북", "fas fa-rocket", own), ("과제", "fas fa-pen", work), ("PDF 받기", "fas fa-file-pdf", printed)]
    context["header_buttons"] = [*(_menu(*menu) for menu in menus if menu[2]), *context["header_buttons"]]


def _link(text: str, url: str, kind: str) -> str:
    how = "download" if "받기" in text else 'target="_blank" rel="noopener"'
    return f'<a class="{kind}" href="{html.escape(url)}" {how}>{text}</a>'


def _menu(name: str, icon: str, links: list[tuple[str, str]]) -> dict:
    """A group of buttons in the form that the theme's templates read."""
    buttons = [{"type": "link", "text": text, "url": url} for text, url in links]
    return {"type": "group", "tooltip": name, "icon": icon, "buttons": buttons, "label": "launch-buttons"}


def mend_frame(app: Sphinx, error: Exception | None) -> None:
    """Repairs of what the themes write around the body."""
    if error or app.builder.format != "html":
        return
    for path in [*Path(app.outdir).rglob("*.html"), Path(app.outdir) / "_static" / "copybutton.js"]:
        text = before = path.read_text(encoding="utf-8")
        for old, new in FRAME:
            text = text.replace(old, new)
        # Sphinx's own search, which every page would load.
        text = re.sub(r'<script src="[^"]*(?:searchtools|language_data|searchindex)\.js"></script>\s*', "", text)
        # The icons come from the theme's web font already; this second copy is 1.4 MB of script on every page.
        text = re.sub(r'<script defer src="[^"]*fontawesome\.js[^"]*"></script>', "", text)
        text = re.sub(r' data-mode="(light|dark|auto)"\s+title="[^"]*"', r' data-mode="\1"', text)  # repeats the label
        text = re.sub(r"(mystnb\.\w+\.css)\?v=\w+", r"\1", text)  # a checksum that only a second build into this folder knows
        text = size_images(text, Path(app.outdir) / "_images")
        if text != before:
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict:
    require_site_tree(app)
    app.add_config_value("course_pages", {}, "env")
    app.add_config_value("course_terms", [], "html")  # first form, anchor, meaning
    app.connect("builder-inited", speak_korean, priority=900)
    app.connect("builder-inited", leave_out_sphinx_search)
    app.connect("doctree-read", frame_exercises)
    app.connect("doctree-read", own_anchors, priority=100)  # before Sphinx collects the contents of the page
    app.connect("doctree-resolved", link_terms)
    app.connect("html-page-context", page_context, priority=900)  # after the theme has put its buttons
    app.connect("html-page-context", describe_page)
    app.connect("build-finished", mend_frame)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
