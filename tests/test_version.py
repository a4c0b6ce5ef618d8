"""The note that a notebook is old: the code that students run, against real servers on this machine and none at all."""
from __future__ import annotations

import http.server
import json
import threading
import time

import pytest

from autograder import notebooks, views
from autograder.assemble import source_notebook
from autograder.grade.programme import plan

RELEASE, CHAPTER = "release/lab11/lab11.ipynb", "chapters/hand.ipynb"


@pytest.fixture(scope="module")
def address():
    """A server of /<answer>/version.json; `hangs` accepts and never answers."""
    answers = {
        "published": json.dumps({"notebooks": {RELEASE: {"version": 3}, CHAPTER: {"version": "abc"}}}).encode(),
        "another": json.dumps({"notebooks": {}}).encode(),
        "rubbish": b"<html>",
        "odd": json.dumps({"notebooks": {RELEASE: {"version": None}, CHAPTER: {}}}).encode(),
    }
    over = threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *args) -> None: ...

        def do_GET(self) -> None:
            answer = self.path.split("/")[1]
            if answer == "hangs":
                over.wait()
            self.send_response(200 if answer in answers else 404)
            self.end_headers()
            self.wfile.write(answers.get(answer, b""))

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    over.set()
    server.shutdown()


@pytest.fixture
def said(course, capsys):
    """said(path, version, where) -> what the code prints, and the seconds it takes."""

    def said(path: str, version: int | str, where: str) -> tuple[str, float]:
        code = notebooks.version_code(course, path, version)
        asked = f"https://raw.githubusercontent.com/{course.student_repository}/{course.branch}/version.json"
        assert code.count(asked) == 1
        start = time.monotonic()
        exec(code.replace(asked, f"{where}/version.json"), {})
        return capsys.readouterr().out, time.monotonic() - start

    return said


@pytest.mark.parametrize(
    ("path", "version", "old"),
    [(RELEASE, 2, True), (RELEASE, 3, False), (RELEASE, 4, False), (CHAPTER, "abd", True), (CHAPTER, "abc", False)],
)
def test_an_old_notebook_says_so_in_one_line_with_the_newest(course, said, address, path, version, old):
    out, _ = said(path, version, f"{address}/published")
    assert out.count("\n") == (1 if old else 0) and (course.colab(path) in out) is old


@pytest.mark.parametrize("answer", ["another", "rubbish", "odd", "missing", "hangs"])
def test_without_an_answer_it_is_silent_and_soon_over(said, address, answer):
    out, seconds = said(RELEASE, 1, f"{address}/{answer}")
    assert out == "" and seconds < 3


def test_without_a_network_it_is_silent_at_once(said):
    out, seconds = said(RELEASE, 1, "http://127.0.0.1:9")
    assert out == "" and seconds < 1


def test_a_request_carries_nothing_about_the_reader(course):
    code = notebooks.version_code(course, RELEASE, 1)
    assert code.count("urlopen(VERSIONS, timeout=seconds)") == 1 and "?" not in code


def test_only_what_students_run_asks(mini, course):
    """Neither the author's chapter and the site, whose build asks no network, nor the grader."""
    nb = notebooks.chapter(mini, "one")
    assert "version.json" not in notebooks.dumps(nb) + notebooks.dumps(views.site_view(mini, nb, "one"))
    setup = next(cell for cell in views.colab_view(mini, nb, "one").cells if cell.id == "one-setup")
    assert setup.source.count("tell_if_old()") == 1
    source = source_notebook(mini, mini.assignment("lab1"))
    assert next(cell for cell in source.cells if cell.id == "lab1-version").source.count("tell_if_old()") == 1
    assert plan(source).step("lab1-version").reader_only


def test_a_chapter_s_version_follows_its_text_alone(mini):
    def version() -> str:
        return views.colab_view(mini, notebooks.chapter(mini, "one"), "one").metadata.course["hash"]

    first, note = version(), mini.chapters / "setup" / "version.py"
    note.write_text(note.read_text(encoding="utf-8").replace("seconds=2", "seconds=1"), encoding="utf-8")
    assert version() == first
    chapter = mini.chapters / "one.ipynb"
    chapter.write_text(chapter.read_text(encoding="utf-8").replace("를 배웁니다", "를 셈합니다"), encoding="utf-8")
    assert version() != first


def test_every_page_with_code_has_the_cell_that_carries_the_note(course):
    for path in sorted(course.chapters.glob("*.ipynb")):
        cells = notebooks.read(path).cells
        setups = sum(cell.metadata.get("course", {}).get("setup") == "chapter" for cell in cells)
        assert setups == any(cell.cell_type == "code" for cell in cells), path.name
