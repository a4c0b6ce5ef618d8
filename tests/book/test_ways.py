"""Ways to a page from outside: anchors, what is said of a page in its head, the map of the site, the page for lost addresses."""
from __future__ import annotations

import functools
import http.server
import io
import re
import threading
from html import unescape
from urllib.parse import urlsplit
from xml.etree import ElementTree

import matplotlib.image
import pytest

from autograder.book import card
from autograder.book.site import toc_documents
from autograder.book.ways import ANCHOR, CARD
from autograder.course import load
from tests.book.conftest import open_page
from tests.conftest import ROOT

DOCUMENTS = toc_documents(load(ROOT))


def read(site, document: str) -> str:
    return (site / f"{document}.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_heading_has_the_address_that_its_author_gave_it(site, document):
    article = read(site, document).split("<article")[1].split("</article>")[0]
    headings = re.findall(r"<h[1-6]>.*?</h[1-6]>", article, flags=re.S)
    anchors = re.findall(r'<h[1-6]>(?:(?!</h).)*<a class="headerlink" href="#([^"]+)"', article, flags=re.S)
    assert len(anchors) == len(headings) > 0
    for anchor in anchors:
        assert ANCHOR.fullmatch(anchor) and article.count(f'id="{anchor}"') == 1
    assert re.findall(r'<section[^>]* id="(?!ch-|sec-|ex-|term-)[^"]*"', article) == [], "an address that moves with the text"


def test_map_of_the_site_lists_the_pages_and_nothing_else(course, site):
    root = ElementTree.fromstring((site / "sitemap.xml").read_bytes())
    assert [url.text for url in root.findall(".//{*}loc")] == [f"{course.site_url}{document}.html" for document in DOCUMENTS]
    assert {element.tag.split("}")[1] for element in root.iter()} == {"urlset", "url", "loc"}, "no dates: they would change with every build"


def test_head_says_in_korean_what_a_page_answers(course, site):
    descriptions = {}
    for document in DOCUMENTS:
        head = read(site, document).split("</head>")[0]
        meta = {name: unescape(value) for name, value in re.findall(r'<meta (?:name|property)="([\w:-]+)" content="([^"]*)"', head)}
        descriptions[document] = meta["description"]
        assert re.search("[가-힣]", meta["description"]) and meta["description"].endswith(("?", "."))
        assert meta["og:description"] == meta["description"] and meta["og:locale"] == "ko_KR" and meta["og:site_name"] == course.title
        assert f'<link rel="canonical" href="{meta["og:url"]}"' in head and meta["og:url"] == f"{course.site_url}{document}.html"
        assert meta["og:image"] == course.site_url + CARD and re.search("[가-힣]", meta["og:image:alt"])
        assert head.count('name="theme-color"') == 2 and '<link rel="icon"' in head
    assert descriptions["chapters/causal"].startswith("아직 나오지 않은 토큰(token)을 보지 못하게 하려면")
    assert len(set(descriptions.values())) == len(DOCUMENTS)
    index = read(site, "index")
    assert f'href="{course.site_url}{DOCUMENTS[0]}.html"' in index and "og:image" in index


def test_card_has_the_size_that_messengers_expect_and_is_what_its_module_draws(site):
    shown, drawn = (matplotlib.image.imread(source)[:, :, :3] for source in (site / CARD, io.BytesIO(card.draw())))
    assert shown.shape[:2] == drawn.shape[:2] == (card.HEIGHT, card.WIDTH)
    assert abs(shown - drawn).mean() < 0.01, "python -m autograder.book.card"  # edges of letters differ between versions of matplotlib


@pytest.fixture(scope="module")
def host(site, course):
    """A server as GitHub Pages: the site lies below a path, and 404.html answers for every lost address."""
    prefix = urlsplit(course.site_url).path

    class Pages(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args) -> None: ...

        def translate_path(self, path: str) -> str:
            return super().translate_path("/" + path.removeprefix(prefix) if path.startswith(prefix) else "/lost")

        def send_error(self, code, *args) -> None:
            page = (site / "404.html").read_bytes()
            self.send_response(code)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Pages, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.mark.parametrize("lost", ["none.html", "chapters/none.html", "a/b/c/none"])
def test_lost_address_at_any_depth_leads_back(browser, host, course, lost):
    prefix = urlsplit(course.site_url).path
    page, seen = open_page(browser, host, f"{prefix.strip('/')}/{lost}", width=375)
    assert [line for line in seen.console if "404" not in line] == [] and seen.outside == []
    assert page.evaluate("document.documentElement.lang") == "ko" and "이 주소에는 쪽이 없습니다" in page.inner_text("h1")
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    links = page.eval_on_selector_all("a", "links => links.map((a) => a.href)")
    assert links == [f"{host}{prefix}{document}.html" for document in DOCUMENTS]
    assert all(page.request.get(link).ok for link in links)
    page.get_by_label("찾을 낱말").fill("마스크")
    page.get_by_role("button", name="검색").click()
    page.wait_for_selector("#search-results li a")
    page.close()
