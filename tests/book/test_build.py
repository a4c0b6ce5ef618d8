"""The build: what it refuses, what it rebuilds, what it leaves behind."""
from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from PIL import Image

from autograder import CourseError, notebooks
from autograder.book.site import build, config, toc_pages
from autograder.course import Course, load
from tests.book.conftest import make_book
from tests.conftest import ROOT


def quiet(line: str) -> None: ...


def edit(course: Course, old: str, new: str, name: str = "one") -> None:
    path = course.chapters / f"{name}.ipynb"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def second_page(course: Course) -> None:
    nb = notebooks.chapter(course, "one")
    nb.cells = nb.cells[:1]
    nb.cells[0].id = "two-title"
    nb.cells[0].source = "(ch-two)=\n# 둘째 쪽\n\n[첫 쪽](#ch-one)을 먼저 읽으세요."
    notebooks.write(notebooks.canonical(nb), course.chapters / "two.ipynb")
    (course.root / "_toc.yml").write_text("format: jb-book\nroot: chapters/one\nchapters:\n- file: chapters/two\n", encoding="utf-8")


def files(html: Path) -> dict[str, bytes]:
    return {path.relative_to(html).as_posix(): path.read_bytes() for path in html.rglob("*") if path.is_file()}


def test_the_authors_folder_cannot_be_built(tmp_path):
    """What a newcomer tries first: it would publish answers."""
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", str(ROOT), "--path-output", str(tmp_path)]
    start = time.monotonic()
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode != 0 and "./course build" in result.stderr and "Traceback" not in result.stderr
    assert list(tmp_path.rglob("*.html")) == []
    assert time.monotonic() - start < 20  # Sphinx stops at once; starting Python and Jupyter Book takes the rest


def test_a_remark_of_sphinx_fails_the_build_every_time_and_names_the_cell(book):
    edit(book, "## 직접", "#### 직접")
    for _ in range(2):  # Sphinx itself forgets the warnings of pages that it does not read again
        lines: list[str] = []
        with pytest.raises(CourseError, match="./course build"):
            build(book, lines.append)
        assert any("chapters/one.ipynb, 셀 one-double-task: WARNING" in line and "header level" in line for line in lines)
        assert not (book.build / "html").exists()


def test_only_what_changed_is_written_again(book):
    second_page(book)
    html = build(book, quiet)
    tree = {path: path.stat().st_mtime_ns for path in (book.build / "site").rglob("*") if path.is_file()}
    other = (book.build / ".doctrees" / "chapters" / "two.doctree").stat().st_mtime_ns
    edit(book, "를 배웁니다", "를 셈합니다")
    build(book, quiet)
    changed = {path.relative_to(book.build / "site").as_posix() for path, when in tree.items() if path.stat().st_mtime_ns != when}
    assert changed == {"chapters/one.ipynb"}
    assert (book.build / ".doctrees" / "chapters" / "two.doctree").stat().st_mtime_ns == other
    assert "를 셈합니다" in (html / "chapters" / "one.html").read_text(encoding="utf-8")


def test_a_new_release_reaches_the_site_though_no_page_changed(book):
    html = build(book, quiet)
    released = book.root / "release" / "lab1" / "lab1.ipynb"
    released.write_bytes(released.read_bytes().replace("작은 과제".encode(), "새 과제".encode()))
    build(book, quiet)
    assert (html / "release" / "lab1" / "lab1.ipynb").read_bytes() == released.read_bytes()


@pytest.mark.long
def test_stale_pages_links_and_figures_vanish(book):
    second_page(book)
    edit(book, "print(torch.ones(2) + 1)", "plt.plot([1, 2]); plt.show()")
    html = build(book, quiet)
    old = {path.name for path in (html / "_images").iterdir()}
    assert len(old) == 1 and (html / "chapters" / "two.html").is_file()

    edit(book, "plt.plot([1, 2])", "plt.plot([2, 1])")
    edit(book, "# 둘째 쪽", "# 새 이름", name="two")
    build(book, quiet)
    assert len(list((html / "_images").iterdir())) == 1 and not old & {path.name for path in (html / "_images").iterdir()}
    assert "새 이름" in (html / "chapters" / "one.html").read_text(encoding="utf-8"), "the list of pages beside page one"

    (book.root / "_toc.yml").write_text("format: jb-book\nroot: chapters/one\n", encoding="utf-8")
    build(book, quiet)
    assert not (html / "chapters" / "two.html").exists() and not (html / "chapters" / "two.ipynb").exists()
    assert "two.html" not in (html / "chapters" / "one.html").read_text(encoding="utf-8")


@pytest.mark.long
def test_two_builds_give_the_same_files(site, tmp_path):
    """The session's build, made in steps over days, against one from nothing (runs included) in another folder."""
    for name in ("chapters", "release"):
        shutil.copytree(ROOT / name, tmp_path / "copy" / name)
    for name in ("course.yml", "glossary.yml", "_config.yml", "_toc.yml", "nbgrader_config.py"):
        shutil.copy(ROOT / name, tmp_path / "copy")
    again = files(build(load(tmp_path / "copy"), quiet))
    here = files(site)
    assert here.keys() == again.keys()
    assert [name for name in here if here[name] != again[name]] == []


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Course:
    """The small course with its site, to look at."""
    course = make_book(tmp_path_factory.mktemp("built") / "mini")
    build(course, quiet)
    return course


def test_settings_of_course_yml_reach_the_site(built):
    config = yaml.safe_load((built.build / "site" / "_config.yml").read_text(encoding="utf-8"))
    assert (config["title"], config["author"], config["html"]["baseurl"]) == (built.title, built.author, built.site_url)
    page = (built.build / "html" / "chapters" / "one.html").read_text(encoding="utf-8")
    assert "작은 교재" in page and "https://colab.research.google.com/github/owner/name/blob/main/release/lab1/lab1.ipynb" in page
    assert "https://colab.research.google.com/github/owner/name/blob/main/chapters/one.ipynb" in page
    for line in (ROOT / "_config.yml").read_text(encoding="utf-8").splitlines():
        assert not line.startswith(("title:", "author:", "repository:")), "course.yml owns this"


def test_site_tree_holds_no_answer(built):
    for path in (built.build / "site").rglob("*.ipynb"):
        if "release" not in path.parts:  # a stand-in here
            text = path.read_text(encoding="utf-8")
            assert "scaled_by_secret_factor" not in text and "hidden_matrix" not in text
    page = json.loads((built.build / "site" / "chapters" / "one.ipynb").read_text(encoding="utf-8"))
    assert not any("".join(cell["source"]).startswith("#@title") for cell in page["cells"])


def test_missing_pieces_are_named(book):
    (book.root / "_toc.yml").write_text("format: jb-book\nroot: chapters/three\n", encoding="utf-8")
    with pytest.raises(CourseError, match="chapters/three"):
        build(book, quiet)
    (book.root / "_toc.yml").write_text("format: jb-book\nroot: chapters/one\n", encoding="utf-8")
    shutil.rmtree(book.root / "release")
    with pytest.raises(CourseError, match="./course assemble"):
        build(book, quiet)


@pytest.mark.parametrize("text", ["format: [\n", "", "- a\n", "root: chapters/one\nparts: [a]\n", "root:\n", b"root: \xff"])
def test_a_table_of_contents_that_cannot_be_read_is_named(book, text):
    (book.root / "_toc.yml").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(CourseError, match="_toc.yml"):
        toc_pages(book)


@pytest.mark.parametrize("text", ["html: [\n", "", "- a\n"])
def test_settings_that_cannot_be_read_are_named(book, text):
    (book.root / "_config.yml").write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match="_config.yml"):
        config(book, toc_pages(book))


def test_photos_and_drawings_of_any_kind_are_figures(book):
    figures = book.chapters / "figures"
    (figures / "old").mkdir(parents=True)
    Image.new("RGB", (40, 20)).save(figures / "a.png")
    Image.new("RGB", (30, 20)).save(figures / "b.jpg")
    (figures / "c.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>', encoding="utf-8")
    edit(book, "를 배웁니다.", "를 배웁니다. ![가](figures/a.png) ![나](figures/b.jpg) ![다](figures/c.svg)")
    page = (build(book, quiet) / "chapters" / "one.html").read_text(encoding="utf-8")
    shown = {name: tag for tag, name in re.findall(r'(<img [^>]*_images/([abc])\.[^>]*>)', page)}
    assert shown.keys() == set("abc")
    assert 'width="40" height="20"' in shown["a"] and 'width="30" height="20"' in shown["b"]
