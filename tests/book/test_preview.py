"""`./course preview`, with a real browser on a small course: what is saved is what is seen."""
from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request

import pytest

from autograder.preview import preview
from tests.book.conftest import make_book


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """(course, lines that were said, address) of a running preview."""
    course, said, stop = make_book(tmp_path_factory.mktemp("preview") / "mini"), [], threading.Event()
    thread = threading.Thread(target=preview, args=(course.root, 8300, said.append, stop), daemon=True)
    thread.start()
    while not any("http://" in line for line in said):
        assert thread.is_alive(), said
        time.sleep(0.1)
    yield course, said, said[-1].split()[1]
    stop.set()
    thread.join(60)
    assert not thread.is_alive()


def edit(course, old, new):
    path = course.chapters / "one.ipynb"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_nothing_but_the_site_is_served(served):
    course, _, address = served
    assert json.load(urllib.request.urlopen(f"{address}preview.json")) ["error"] == ""
    for path in ("chapters/../../../course.yml", "%2e%2e/%2e%2e/course.yml", "../site/_config.yml"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(address + path)


def test_an_edited_sentence_appears_and_an_error_leaves_the_last_page(browser, served):
    course, said, address = served
    page = browser.new_page()
    page.goto(f"{address}chapters/one.html")
    edit(course, "를 배웁니다", "를 셈합니다")
    page.wait_for_selector("text=를 셈합니다", timeout=60_000)

    edit(course, "## 직접", "#### 직접")  # Sphinx remarks on a heading that leaves a level out
    page.wait_for_selector("#preview-bar:not([hidden])", timeout=60_000)
    bar = page.inner_text("#preview-bar")
    assert "one-double-task" in bar and "./course build" in bar
    assert "를 셈합니다" in page.inner_text("article") and any("만들지 못했습니다" in line for line in said)
    assert urllib.request.urlopen(f"{address}chapters/one.html").status == 200, "a reload shows it, too"

    edit(course, "#### 직접", "## 직접")
    page.wait_for_selector("#preview-bar", state="hidden", timeout=60_000)
    page.close()
    assert "preview" not in (course.build / "html" / "chapters" / "one.html").read_text(encoding="utf-8")
