"""`./course preview`, with a real browser on a small course: what is saved is what is seen."""
from __future__ import annotations

import json
import socket
import threading
import time
import urllib.error
import urllib.request

import pytest

from autograder import CourseError
from autograder.preview import _free, preview
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


@pytest.mark.parametrize(("name", "text"), [("glossary.yml", "a: 1\n"), ("chapters/one.ipynb", "{")])
def test_whatever_was_saved_half_written_leaves_the_preview_alive(served, name, text):
    course, said, address = served
    path, before = course.root / name, (course.root / name).read_text(encoding="utf-8")
    for written, is_good in ((text, False), (before, True)):
        count = len(said)
        path.write_text(written, encoding="utf-8")
        while not any(line.startswith(("만들지 못했습니다", "다시 만들었습니다")) for line in said[count:]):
            time.sleep(0.1)
        assert (json.load(urllib.request.urlopen(f"{address}preview.json"))["error"] == "") is is_good
        assert urllib.request.urlopen(f"{address}chapters/one.html").status == 200


@pytest.mark.parametrize("port", [-60, 65536, 70000])
def test_a_port_that_there_is_not_is_refused_in_words(port):
    with pytest.raises(CourseError, match="--port"):
        _free(port)


def test_nonsense_from_a_browser_prints_nothing(served, capfd):
    _, _, address = served
    with socket.create_connection(("127.0.0.1", int(address.rsplit(":", 1)[1].strip("/")))) as client:
        client.sendall(b"GET /%00.html HTTP/1.0\r\n\r\n")
        while client.recv(1000):
            pass
    assert capfd.readouterr().err == ""
