"""Every page of the real site in a real browser: 1280 and 375 px, light and dark."""
from __future__ import annotations

import json
import re
from itertools import product

import pytest

from autograder import exercises, notebooks, publish
from autograder.book.extension import BODY, FRAME
from autograder.book.site import toc_pages, write_tree
from autograder.course import load
from benchmarks.site import weigh
from tests.book.conftest import open_page
from tests.conftest import ROOT

PAGES = [f"{page}.html" for page in toc_pages(load(ROOT))]
LOOKS = list(product([*PAGES, "search.html"], (1280, 375), ("light", "dark")))
HANGUL = re.compile("[가-힣]")
# Words of the themes and of Sphinx in their own language.
ENGLISH = (
    "Skip to main content|Back to top|Search|Contents|On this page|Site Navigation|Section Navigation|Launch|Show code cell|Hide code cell|"
    "Light|Dark|System Settings|Previous|Next|By |Copyright|Open issue|Repository|Download|Print to PDF|Fullscreen|Toggle|Click to|Copied"
)
RAW = ("$", "**", ":::", "```", "{ref}", "<details", "BEGIN SOLUTION", "BEGIN HIDDEN")


@pytest.mark.parametrize(("path", "width", "scheme"), LOOKS)
def test_page_is_clean(look, path, width, scheme):
    seen = look(path, width, scheme)
    found = seen.found
    assert seen.console == [] and seen.outside == []
    assert found["lang"] == "ko" and found["theme"] == scheme
    assert found["wide"] <= 0, "the page scrolls sideways"
    assert [mark for mark in RAW if mark in found["text"]] == []
    assert re.findall(r"\(\w+-[\w-]+\)=", found["text"]) == [], "a label is visible"
    assert found["typeset"] == found["formulas"] and found["badFormulas"] == 0
    assert found["torn"] == [], "a line begins with a particle"
    assert found["shift"] < 0.02, "text jumped while the page was loading"


@pytest.mark.parametrize("path", [*PAGES, "search.html"])
def test_first_visit_is_light(look, site, path):
    everything, own = weigh(site, look(path).asked)
    assert everything < 800_000 and own < 250_000


@pytest.mark.parametrize("path", PAGES)
def test_images_load_and_say_what_they_show(look, path):
    for source, alt, width in look(path).found["images"]:
        assert alt and HANGUL.search(alt), f"{source} has no Korean alt text"
        assert width > 0, f"{source} did not load"


@pytest.mark.parametrize("path", [*PAGES, "search.html"])
def test_interface_speaks_korean(look, path):
    found = look(path).found
    assert re.findall(rf"^\s*(?:{ENGLISH})", found["words"], flags=re.M) == []
    foreign = [text for text in found["spoken"] if re.search("[A-Za-z]{3}", text) and not HANGUL.search(text)]
    assert foreign == []
    assert "검색" in found["words"]
    if path in PAGES:
        assert "Colab에서 열기" in found["words"]
        text = "\n".join(cell.source for cell in notebooks.read(ROOT / path.replace(".html", ".ipynb")).cells)
        assert ("이 쪽의 차례" in found["words"]) == ("\n## " in text)  # a page without sections needs none


def test_every_repair_of_the_themes_still_finds_its_place(site):
    """The themes are pinned because their HTML is mended as text; this is what fails when a new version differs."""
    text = "".join(path.read_text(encoding="utf-8") for path in [*site.rglob("*.html"), site / "_static" / "copybutton.js"])
    for old, new in [*FRAME, *BODY]:
        assert old not in text and new in text, old
    assert "fontawesome.js" not in text and "fa-solid" in text


def test_setup_code_is_folded_under_a_korean_prompt(look):
    words = look("chapters/hand.html").found["words"]
    assert "준비 코드 접기" in words and "점검 도구 접기" in words and "보이는 점검 접기" in words  # LOOK opened them
    assert "#@title" not in words


def test_exercises_have_a_frame(course, look):
    for path in PAGES:
        name = path.removeprefix("chapters/").removesuffix(".html")
        assert look(path).found["exercises"] == len(exercises.parse(notebooks.chapter(course, name)))


@pytest.fixture(scope="module")
def published(course, tmp_path_factory):
    tree = tmp_path_factory.mktemp("published")
    write_tree(publish.student_files(course), tree)
    return tree


@pytest.mark.parametrize("path", PAGES)
def test_buttons_point_into_the_student_tree(course, look, site, published, path):
    name = path.removeprefix("chapters/").removesuffix(".html")
    links = {(text, href) for text, href in look(path).found["links"]}
    texts = {text for text, _ in links}
    offered = bool(exercises.parse(notebooks.chapter(course, name)))
    assert {"Colab에서 열기", "이 노트북 받기"} <= texts
    assert ({"과제를 Colab에서 열기", "과제 노트북 받기"} <= texts) == offered
    assert ("Colab에서 열기", course.colab(f"chapters/{name}.ipynb")) in links
    for text, href in links:
        opened = re.fullmatch(rf"https://colab\.research\.google\.com/github/{course.student_repository}/blob/{course.branch}/(.+)", href)
        inside = opened.group(1) if opened else "/".join(href.split("/")[3:])
        assert (published / inside).is_file(), f"{text}: {href}"
        if not opened:
            assert (site / inside).read_bytes() == (published / inside).read_bytes()


def test_colab_notebooks_link_to_what_the_site_has(course, site, published):
    """Links and figures of the Colab view are addresses of the site: page, anchor and image must be there."""
    for path in (published / "chapters").glob("*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for target in re.findall(rf"\({re.escape(course.site_url)}([^)\s]+)\)", "".join(cell["source"])):
                file, _, anchor = target.partition("#")
                assert (site / file).is_file(), f"{path.name}: {target}"
                assert not anchor or f'id="{anchor}"' in (site / file).read_text(encoding="utf-8"), f"{path.name}: {target}"


def test_first_address_leads_to_the_first_page(site, browser, address):
    page, seen = open_page(browser, address, "index.html")
    page.wait_for_url(f"{address}/{PAGES[0]}")
    page.close()
    assert seen.console == [] and '<html lang="ko">' in (site / "index.html").read_text(encoding="utf-8")
