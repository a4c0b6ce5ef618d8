"""The real site, built once, and a browser that looks at it; a small course to damage."""
from __future__ import annotations

import functools
import http.server
import shutil
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from autograder.book.site import build
from autograder.course import Course
from tests.conftest import ROOT, alone, make_mini

# Hangul at the start of a line with no space before it: [what ends the line above, the line].
TORN = r"""() => {
  const blocks = 'p, li, dd, dt, td, th, h1, h2, h3, h4, summary, figcaption, caption';
  const torn = [];
  for (const block of document.querySelectorAll(`article :is(${blocks})`)) {
    if (!block.checkVisibility()) continue;
    const walk = document.createTreeWalker(block, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    let before = null;
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (node.tagName === 'MJX-CONTAINER') before = {mark: 'formula', bottom: node.getBoundingClientRect().bottom};
      const around = node.parentElement;
      if (node.nodeType === 1 || around.closest(blocks) !== block || around.closest('mjx-container, .headerlink')) continue;
      for (let k = 0; k < node.length; k++) {
        const range = new Range();
        range.setStart(node, k);
        range.setEnd(node, k + 1);
        const box = range.getClientRects()[0], mark = node.data[k];
        if (/\s/.test(mark)) before = null;
        if (!box?.width || /\s/.test(mark)) continue;
        if (/[가-힣]/.test(mark) && before && box.top >= before.bottom - 2) torn.push([before.mark, node.data.slice(k, k + 12)]);
        before = {mark, bottom: box.bottom};
      }
    }
  }
  return torn;
}"""
# The sum that Core Web Vitals calls CLS, from the first paint on.
SHIFT = """window.layoutShift = 0;
new PerformanceObserver((seen) => seen.getEntries().forEach((shift) => (window.layoutShift += shift.hadRecentInput ? 0 : shift.value)))
  .observe({type: 'layout-shift', buffered: true});"""
LOOK = """() => {
  document.querySelectorAll('article details').forEach((d) => (d.open = true));
  const text = (document.querySelector('article') || document.querySelector('main')).cloneNode(true);
  text.querySelectorAll('pre, code, mjx-container, script, style').forEach((e) => e.remove());
  const spoken = [];
  for (const e of document.querySelectorAll('body *'))
    for (const name of ['title', 'aria-label', 'placeholder', 'alt', 'label', 'data-tooltip', 'data-bs-title', 'data-bs-original-title'])
      if (e.getAttribute(name)) spoken.push(e.getAttribute(name));
  const page = document.documentElement;
  return {
    lang: page.lang, theme: page.dataset.theme, wide: page.scrollWidth - page.clientWidth,
    text: text.textContent, words: document.body.innerText, spoken,
    formulas: document.querySelectorAll('.math').length, typeset: document.querySelectorAll('mjx-container').length,
    badFormulas: document.querySelectorAll('mjx-merror, [data-mjx-error]').length,
    images: [...document.images].map((i) => [i.getAttribute('src'), i.getAttribute('alt'), i.naturalWidth]),
    links: [...document.querySelectorAll('.notebook-links a, .dropdown-menu a')].map((a) => [a.textContent.trim(), a.href]),
    exercises: document.querySelectorAll('section.exercise').length,
    torn: (%s)(), shift: window.layoutShift,
  };
}""" % TORN


@dataclass
class Seen:
    """What the browser met on a page: `found` is the answer of LOOK."""

    console: list[str]
    outside: list[str]
    asked: list[str]  # addresses of the site itself
    found: dict


@pytest.fixture(scope="session")
def site(course: Course) -> Path:
    with alone():
        return build(course, progress=print)


@pytest.fixture(scope="session")
def address(site: Path):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args) -> None: ...

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def open_page(browser: Browser, address: str, path: str, width: int = 1280, scheme: str = "light") -> tuple[Page, Seen]:
    """An open page that may load nothing from elsewhere, with its formulas typeset."""
    page, seen = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme, locale="ko-KR"), Seen([], [], [], {})

    def only_own(route) -> None:
        own = route.request.url.startswith((address, "data:", "blob:"))
        (seen.asked if own else seen.outside).append(route.request.url)
        route.continue_() if own else route.abort()

    page.add_init_script(SHIFT)
    page.route("**/*", only_own)
    page.on("console", lambda message: seen.console.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: seen.console.append(str(error)))
    page.goto(f"{address}/{path}", wait_until="networkidle")
    page.evaluate("async () => { if (window.MathJax?.startup) await MathJax.startup.promise; }")
    return page, seen


@pytest.fixture(scope="session")
def look(browser: Browser, address: str):
    """look(path, width, scheme) -> Seen, each combination once."""

    @functools.cache
    def look(path: str, width: int = 1280, scheme: str = "light") -> Seen:
        page, seen = open_page(browser, address, path, width, scheme)
        seen.found = page.evaluate(LOOK)
        page.close()
        return seen

    return look


@pytest.fixture
def book(tmp_path: Path) -> Course:
    """A small course whose site has one page."""
    return make_book(tmp_path / "mini")


def make_book(root: Path) -> Course:
    course = make_mini(root)
    chapter = course.chapters / "one.ipynb"
    chapter.write_text(chapter.read_text(encoding="utf-8").replace("### 직접", "## 직접"), encoding="utf-8")  # Sphinx counts levels
    shutil.copy(ROOT / "_config.yml", root)
    released = root / "release" / "lab1" / "lab1.ipynb"
    released.parent.mkdir(parents=True)
    shutil.copy(chapter, released)  # its content does not matter here
    return course
