"""What reaches the public folder: all of it, nothing else, the same bytes everywhere, and nothing that was there is lost."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import CourseError, leaks, notebooks, publish
from autograder.assemble import assemble
from autograder.course import Course, load
from tests.book.conftest import make_book
from tests.conftest import ROOT


def quiet(line: str) -> None: ...


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def complete(course: Course) -> Course:
    assemble(course, "lab1")
    for folder in ("figures", "data/nsmc"):
        (course.chapters / folder).mkdir(parents=True)
    (course.chapters / "figures" / "flow.svg").write_text("<svg/>", encoding="utf-8")
    (course.chapters / "data" / "README.md").write_text("데이터 카드", encoding="utf-8")
    (course.chapters / "data" / "nsmc" / "ratings_train.txt").write_text("내려받은 것", encoding="utf-8")
    draft = course.chapters / "one.ipynb"
    shutil.copy(draft, course.chapters / "draft.ipynb")
    (course.chapters / "draft.ipynb").write_text(draft.read_text(encoding="utf-8").replace("one-", "draft-"), encoding="utf-8")
    return course


@pytest.fixture(scope="module")
def published(tmp_path_factory) -> tuple[Course, Path]:
    """A small course, and the folder that was published from it."""
    course = complete(make_book(tmp_path_factory.mktemp("publish") / "mini"))
    folder = course.root.parent / "student"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "config").write_text("mine")
    publish.publish(course, folder, quiet)
    return course, folder


@pytest.fixture(scope="module")
def files() -> publish.Files:
    """As little as a publication may hold."""
    site = {"docs/index.html": b"<p>1</p>", "docs/_static/a.css": b""}
    return publish.listed(site | {"LICENSE": b"MIT", "README.md": b"#"} | release("1", "first"))


def release(version: str, digest: str) -> publish.Files:
    path = "release/lab1/lab1.ipynb"
    notebook = {path: json.dumps({"metadata": {"course": {"version": version, "hash": digest}}}).encode()}
    return notebook | {"version.json": json.dumps({"notebooks": publish.versions(notebook)}).encode()}


def test_the_folder_holds_what_students_need_and_nothing_else(published):
    course, folder = published
    found = content(folder)
    site = {path for path in found if path.startswith("docs/")}
    assert found.keys() - site == {
        ".git/config", ".gitattributes", "LICENSE", "README.md", "SHA256SUMS", "version.json",
        "chapters/one.ipynb", "chapters/figures/flow.svg", "chapters/data/README.md",
        "chapters/fonts/NotoSansKR-subset.otf", "chapters/fonts/OFL.txt", "release/lab1/lab1.ipynb",
    }  # fmt: skip
    assert site == {f"docs/{path}" for path in content(course.build / "html")} | {"docs/.nojekyll"}
    assert b"Apache License" in found["docs/_static/mathjax/LICENSE"]
    assert leaks.scan(folder, leaks.secrets([notebooks.chapter(course, "one"), notebooks.chapter(course, "draft")])) == []
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folder, check=True)


def test_links_of_the_front_page_lead_into_the_folder(published):
    course, folder = published
    text = (folder / "README.md").read_text(encoding="utf-8")
    for path in ("chapters/one.ipynb", "release/lab1/lab1.ipynb"):
        assert course.colab(path) in text and (folder / path).is_file()
    assert f"{course.site_url}chapters/one.html" in text and (folder / "docs" / "chapters" / "one.html").is_file()


def test_versions_are_those_that_the_notebooks_carry(published):
    _, folder = published
    known = json.loads((folder / "version.json").read_text(encoding="utf-8"))["notebooks"]
    assert known.keys() == {"chapters/one.ipynb", "release/lab1/lab1.ipynb"}
    for path, entry in known.items():
        text = (folder / path).read_text(encoding="utf-8")
        assert json.loads(text)["metadata"]["course"]["hash"] == entry["hash"]
        assert f"MINE = {json.dumps(entry['version'])} ".replace('"', '\\"') in text
    assert known["release/lab1/lab1.ipynb"]["version"] == 1


def test_another_machine_publishes_the_same_bytes(published, tmp_path):
    """Another folder, working directory, time zone, locale, umask, hash seed, and files that are all new; not run again
    (tests/book/test_build.py does that)."""
    course, folder = published
    copy = tmp_path / "다른 곳" / "book"
    built = shutil.ignore_patterns("html*", "site", ".doctrees", "jupyter_execute")
    shutil.copytree(course.root, copy, ignore=built, copy_function=shutil.copyfile)
    code = (
        "import os, pathlib, sys; from autograder import course, publish; os.umask(0o077); "
        "publish.publish(course.load(sys.argv[1]), pathlib.Path(sys.argv[2]), print)"
    )
    env = {key: value for key, value in os.environ.items() if not key.startswith("LC_")}
    env |= {"TZ": "America/St_Johns", "LC_ALL": "C", "PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code, str(copy), str(tmp_path / "out")], env=env, cwd="/", check=True, stdout=subprocess.DEVNULL)
    here, there = content(folder), content(tmp_path / "out")
    del here[".git/config"]
    assert here.keys() == there.keys()
    assert [path for path in here if here[path] != there[path]] == []


def test_a_leak_is_found_before_anything_is_written(published, tmp_path, monkeypatch):
    course, folder = published
    before, lines = content(folder), []
    monkeypatch.setattr(publish, "build", lambda *args, **kwargs: course.build / "html")
    page = course.build / "html" / "chapters" / "one.html"
    clean = page.read_bytes()
    page.write_bytes(clean + b"<pre>scaled_by_secret_factor = x * 2.0</pre>")
    with pytest.raises(CourseError, match="공개하지 않았습니다"):
        publish.publish(course, folder, lines.append)
    page.write_bytes(clean)
    assert content(folder) == before and any("docs/chapters/one.html" in line for line in lines)


def test_an_allowed_answer_is_no_leak_on_the_site_but_is_one_in_a_notebook(mini):
    settings = mini.root / "course.yml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("answers: never", "answers: always"), encoding="utf-8")
    answer = b"scaled_by_secret_factor = x * 2.0"
    found = publish.leaks_in(load(mini.root), {"docs/chapters/one.html": answer, "chapters/one.ipynb": answer})
    assert {leak.place for leak in found} == {"chapters/one.ipynb"}


def test_publishing_again_writes_only_what_changed_and_removes_what_is_gone(files, tmp_path):
    folder = tmp_path / "student"
    assert publish.put(folder, files) == (len(files), 0)
    (folder / ".git").mkdir()
    (folder / "docs" / "CNAME").write_text("book.example.org")
    assert publish.put(folder, files) == (0, 0)
    fewer = publish.listed({path: data for path, data in files.items() if "a.css" not in path} | {"docs/index.html": b"<p>2</p>"})
    assert publish.put(folder, fewer) == (2, 1)  # the page and the list
    assert content(folder) == fewer | {"docs/CNAME": b"book.example.org"}
    assert not (folder / "docs" / "_static").exists() and (folder / ".git").is_dir()


def put_a_note(folder: Path) -> None:
    (folder / "notes.txt").write_text("내 메모")


def edit_a_page(folder: Path) -> None:
    (folder / "docs" / "index.html").write_text("직접 고침")


def link_away(folder: Path) -> None:
    (folder / "docs" / "link").symlink_to("/etc")


def lose_the_list(folder: Path) -> None:
    (folder / "SHA256SUMS").unlink()


@pytest.mark.parametrize(
    ("damage", "named"),
    [(put_a_note, "notes.txt"), (edit_a_page, "docs/index.html"), (link_away, "docs/link"), (lose_the_list, "docs")],
)
def test_what_somebody_else_put_there_is_named_and_stays(files, tmp_path, damage, named):
    folder = tmp_path / "student"
    publish.put(folder, files)
    damage(folder)
    before = content(folder)
    with pytest.raises(CourseError, match=named):
        publish.put(folder, files | {"docs/index.html": b"<p>2</p>"})
    assert content(folder) == before


def test_a_file_is_no_place_to_publish(files, tmp_path):
    (tmp_path / "student").write_text("")
    with pytest.raises(CourseError, match="폴더가 아닙니다"):
        publish.put(tmp_path / "student", files)


def test_a_power_cut_in_the_first_moment_is_no_foreign_file(files, tmp_path):
    (tmp_path / ".SHA256SUMS.part").write_bytes(b"half")
    publish.put(tmp_path, files)
    assert content(tmp_path) == files


@pytest.mark.parametrize("inside", ["chapters/new", "source/lab2", "release/lab2", "_build/site/new", "_build/html", "_build/html/new"])
def test_a_folder_that_a_build_clears_or_reads_is_no_place(mini, inside):
    (mini.root / inside / ".git").mkdir(parents=True)
    with pytest.raises(CourseError, match="교재 밖의 폴더"):
        publish.publish(mini, mini.root / inside, quiet)
    assert (mini.root / inside / ".git").is_dir()


@pytest.mark.parametrize("edited", [True, False])
@pytest.mark.parametrize("first", [True, False])
def test_an_interrupted_publication_can_be_repeated(files, tmp_path, monkeypatch, first, edited):
    folder = tmp_path / "student"
    if not first:
        publish.put(folder, files)
    changed = publish.listed({path: data + b" " for path, data in files.items() if "a.css" not in path} | release("2", "second"))
    replace, left = Path.replace, [3]

    def stop_after_three(self, target):
        left[0] -= 1
        if left[0] < 0:
            raise OSError("no space left")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", stop_after_three)
    with pytest.raises(OSError, match="no space"):
        publish.put(folder, changed)
    monkeypatch.undo()
    assert content(folder) not in ({}, files, changed)
    for path in (publish.SUMS, "docs/index.html"):  # what a lost power leaves
        (folder / path).with_name(f".{(folder / path).name}.part").write_bytes(b"half")
    later = publish.listed(changed | {"docs/index.html": b"<p>3</p>", "docs/later.html": b""}) if edited else changed
    publish.put(folder, later)
    assert content(folder) == later


@pytest.mark.parametrize(
    ("version", "digest", "refused"),
    [("1", "first", False), ("1", "second", True), ("2", "second", False), ("7", "second", False)],
)
def test_a_changed_release_needs_a_higher_version(files, tmp_path, version, digest, refused):
    folder = tmp_path / "student"
    publish.put(folder, files)
    new = publish.listed(files | release(version, digest))
    if refused:
        with pytest.raises(CourseError, match=r'version을 "2"로'):
            publish.put(folder, new)
        assert content(folder) == files
    else:
        publish.put(folder, new)
        assert content(folder) == new


def test_a_release_never_goes_back(files, tmp_path):
    publish.put(tmp_path / "student", publish.listed(files | release("3", "third")))
    with pytest.raises(CourseError, match=r'version을 "4"로'):
        publish.put(tmp_path / "student", files)


def test_a_stale_release_is_not_published(mini, tmp_path):
    with pytest.raises(CourseError, match="./course assemble"):
        publish.publish(mini, tmp_path / "student", quiet)
    assert not (tmp_path / "student").exists()
