"""Build the site: executed chapters -> site views in _build/site/ -> Jupyter Book -> _build/html/.

Jupyter Book never sees a notebook with answers: it copies its sources, so what it is given is public already.
"""
from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import yaml

from autograder import CourseError, exercises, notebooks, views
from autograder.book import calculator, glossary
from autograder.book.light import shed
from autograder.book.pdf import book_pdf, write_pdfs
from autograder.book.search import NOT_SEARCHED, write_index
from autograder.book.ways import extra_pages
from autograder.course import Course
from autograder.execute import Progress, executed

HERE = Path(__file__).parent
PACKAGE_ROOT = HERE.parents[1]
THEME = ("sphinx", "myst-nb", "sphinx-book-theme", "pydata-sphinx-theme")
SKELETON = re.compile(r"^(?:# .+|\([a-z][a-z0-9-]*\)=)$", flags=re.M)
PROMPTS = {"chapter": "준비 코드", "checks": "점검 도구", "reviews": "리뷰 준비 코드", "visible": "보이는 점검"}  # of folded cells


def build(course: Course, progress: Progress = print, *, pdf: bool = False, fresh: bool = False) -> Path:
    """Build all pages of _toc.yml; the folder of the finished site. `pdf`: also the pages and the book as PDF. `fresh`: keep
    nothing of earlier builds but outputs.

    Raises CourseError when a chapter does not run or Sphinx has anything to remark; then no site is left behind.
    """
    pages, documents = toc_pages(course), toc_documents(course)
    tree = site_tree(course, pages, progress, pdf)
    site, html = course.build / "site", course.build / "html"
    write_tree(tree, site)
    frame, kept = _frame(tree, pages), course.build / "html.frame"
    if fresh or not kept.is_file() or kept.read_text() != frame:
        _forget(course)  # Sphinx would keep stale pages and stale links between pages
    kept.unlink(missing_ok=True)  # a build that does not come to its end starts afresh next time
    progress(f"책을 만듭니다. {len(documents)}쪽")
    remarks = _jupyter_book(site, course.root)
    if remarks is not None:
        progress(remarks)
        _forget(course)
        raise CourseError("책을 만들지 못했습니다. 위에 나온 곳을 고친 뒤 ./course build를 다시 실행하세요.")
    # Not by html_extra_path: Sphinx copies those only when it has a page to write.
    for path, data in (downloads(course, pages) | extra_pages(course, html, documents)).items():
        (html / path).parent.mkdir(parents=True, exist_ok=True)
        (html / path).write_bytes(data)
    shed(html)
    write_index(html, documents, course.root / "glossary.yml")
    try:
        if pdf:
            write_pdfs(course, html, documents, progress)
    except CourseError:
        _forget(course)  # its pages offer what is not there
        raise
    kept.write_text(frame)
    progress(f"책을 만들었습니다. {html / 'index.html'}")
    return html


def toc_documents(course: Course) -> list[str]:
    """Chapters and generated pages in the order of _toc.yml: ["chapters/welcome", ..., "glossary"]."""

    def walk(entry) -> list[str]:
        if isinstance(entry, list):
            return [page for item in entry for page in walk(item)]
        if not isinstance(entry, dict):
            raise CourseError(f"_toc.yml에서 쪽을 적는 줄은 '- file: chapters/이름' 모양이어야 합니다: {entry!r}")
        own = [str(entry[key]) for key in ("root", "file") if key in entry]
        return own + [page for key in ("parts", "chapters", "sections") for page in walk(entry.get(key, []))]

    return walk(_settings(course, "_toc.yml"))


def _settings(course: Course, name: str) -> dict:
    """_toc.yml or _config.yml. Raises CourseError when it is not YAML with keys."""
    try:
        data = yaml.safe_load((course.root / name).read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise CourseError(f"{name}을 읽을 수 없습니다. UTF-8인지, 들여쓰기와 콜론이 맞는지 확인하세요.\n{error}") from error
    if not isinstance(data, dict):
        raise CourseError(f"{name}의 모양이 맞지 않습니다. 처음의 {name}과 견주어 보세요.")
    return data


def toc_pages(course: Course) -> list[str]:
    """The chapters among them. Raises CourseError when one is not there."""
    pages = [page for page in toc_documents(course) if page != glossary.PAGE]
    for page in pages:
        if not re.fullmatch(r"chapters/[\w-]+", page) or not (course.root / f"{page}.ipynb").is_file():
            raise CourseError(f"_toc.yml에 적힌 {page}의 노트북이 없습니다. chapters/ 아래의 .ipynb 이름을 확장자 없이 적으세요.")
    return pages


def site_tree(course: Course, pages: list[str], progress: Progress, pdf: bool = False) -> dict[str, bytes]:
    """Everything Jupyter Book may read: path in _build/site/ -> content."""
    tree = {f"{page}.ipynb": page_notebook(course, Path(page).name, progress) for page in pages}
    if glossary.PAGE in toc_documents(course):
        text = {page: _markdown(tree[f"{page}.ipynb"]) for page in pages}
        tree[f"{glossary.PAGE}.md"] = glossary.page(glossary.terms(course), text).encode()
    tree |= {f"chapters/figures/{path.name}": path.read_bytes() for path in (course.chapters / "figures").glob("[!.]*") if path.is_file()}
    tree |= {f"assets/{path.name}": path.read_bytes() for path in (HERE / "assets").glob("[!.]*")}
    tree |= {f"assets/mathjax/{name}": data for name, data in mathjax().items()}
    tree["_toc.yml"] = (course.root / "_toc.yml").read_bytes()
    tree["_config.yml"] = config(course, pages, pdf).encode()
    return tree


def page_notebook(course: Course, name: str, progress: Progress) -> bytes:
    """The site view of one chapter; set-up code and visible checks are folded, since a reader cannot run them here."""
    nb = executed(course, name, progress)
    kinds = {c.id: "visible" if exercises.is_check(c) else c.metadata.get("course", {}).get("setup") for c in nb.cells}
    calculators = {cell.id: calculator.on_site(course, cell) for cell in calculator.cells(nb)}
    view = views.site_view(course, nb, name)
    for cell in view.cells:
        cell.source = calculators.get(cell.id, cell.source)
        if cell.cell_type == "code":
            cell.source = re.sub(r"\A#@title.*\n", "", cell.source)  # an instruction for Colab
        if prompt := PROMPTS.get(kinds.get(cell.id)):
            tags = {"hide-input"} if kinds[cell.id] == "visible" else {"hide-input", NOT_SEARCHED}
            cell.metadata["tags"] = sorted({*cell.metadata.get("tags", []), *tags})
            cell.metadata["mystnb"] = {"code_prompt_show": f"{prompt} 보기", "code_prompt_hide": f"{prompt} 접기"}
    return notebooks.dumps(view).encode()


def downloads(course: Course, pages: list[str]) -> dict[str, bytes]:
    """Notebooks that the buttons offer, at the paths that they have in the student repository."""
    names = [Path(page).name for page in pages]
    files = {
        f"chapters/{name}.ipynb": notebooks.dumps(views.colab_view(course, notebooks.chapter(course, name), name)).encode()
        for name in names
    }
    for assignment in course.assignments.values():
        if set(names) & set(assignment.chapters):
            path = f"release/{assignment.name}/{assignment.name}.ipynb"
            if not (course.root / path).is_file():
                raise CourseError(f"{path}가 없습니다. ./course assemble을 먼저 실행하세요.")
            files[path] = (course.root / path).read_bytes()
    return files


def mathjax_folder() -> Path:
    """MathJax 3 as the package sphinx-mathjax-offline brings it."""
    found = find_spec("sphinx-mathjax-offline")
    if found is None:
        raise CourseError("sphinx-mathjax-offline 패키지가 없습니다. pip install -r requirements.txt를 실행하세요.")
    return Path(found.submodule_search_locations[0]) / "static" / "mathjax"


def mathjax() -> dict[str, bytes]:
    """MathJax and its fonts, for the site, with the licence that the package leaves out."""
    root = mathjax_folder()
    files = [root / "tex-chtml.js", *(root / "output/chtml/fonts/woff-v2").glob("*.woff")]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files} | {"LICENSE": (HERE / "mathjax.LICENSE").read_bytes()}


def config(course: Course, pages: list[str], pdf: bool = False) -> str:
    """_config.yml with what course.yml owns."""
    data = _settings(course, "_config.yml")
    data |= {"title": course.title, "author": course.author}
    data["html"]["baseurl"] = course.site_url
    data["sphinx"]["local_extensions"] = {"autograder.book.extension": os.path.relpath(PACKAGE_ROOT, course.build / "site")}
    links = {page: page_links(course, Path(page).name) for page in pages}
    if glossary.PAGE in toc_documents(course):
        links[glossary.PAGE] = {"assignments": []}
        data["sphinx"]["config"]["course_terms"] = [[term.first, term.anchor, term.meaning] for term in glossary.terms(course)]
    if pdf:  # else no page offers what is not there
        links = {page: own | {"pdf": f"{page}.pdf"} for page, own in links.items()}
        links[pages[0]]["book"] = book_pdf(course)
    data["sphinx"]["config"]["course_pages"] = links
    return yaml.safe_dump(data, allow_unicode=True, sort_keys=False)


def page_links(course: Course, name: str) -> dict:
    """Where the buttons of a page point; an assignment is offered where the page has exercises."""
    has_exercise = bool(exercises.parse(notebooks.chapter(course, name)))
    offered = [a for a in course.assignments.values() if has_exercise and name in a.chapters]
    paths = {a.title: f"release/{a.name}/{a.name}.ipynb" for a in offered}
    return {
        "colab": course.colab(f"chapters/{name}.ipynb"),
        "notebook": f"chapters/{name}.ipynb",
        "assignments": [{"title": title, "colab": course.colab(path), "notebook": path} for title, path in paths.items()],
    }


def write_tree(tree: dict[str, bytes], dest: Path) -> None:
    """Make DEST hold exactly TREE. Files that are right already keep their time, so Sphinx does not read them again."""
    for path in [p for p in dest.rglob("*") if p.is_file() and p.relative_to(dest).as_posix() not in tree]:
        path.unlink()
    for name, data in tree.items():
        path = dest / name
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def _frame(tree: dict[str, bytes], pages: list[str]) -> str:
    """Hash of what more than one page depends on: file names, settings, theme, code of this package, titles, labels."""
    digest = hashlib.sha256(json.dumps(sorted(tree)).encode())
    for name, data in sorted(tree.items()):
        if name.removesuffix(".ipynb") in pages:
            digest.update(json.dumps(SKELETON.findall("\n".join(_markdown(data)))).encode())
        elif name.startswith(("_", "assets/")):
            digest.update(data)
    for path in sorted(HERE.glob("*.py")):
        digest.update(path.read_bytes())
    digest.update(json.dumps([metadata.version(package) for package in THEME]).encode())
    return digest.hexdigest()


def _markdown(notebook: bytes) -> list[str]:
    return ["".join(cell["source"]) for cell in json.loads(notebook)["cells"] if cell["cell_type"] == "markdown"]


def _jupyter_book(site: Path, output: Path) -> str | None:
    """Run Jupyter Book on the tree; None, or its warnings when it is not content."""
    # Through this Python: the console script may not be on PATH, and the package has no __main__.
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()", "build", str(site)]
    command += ["--path-output", str(output), "-W", "-n", "--keep-going", "-q"]
    env = os.environ | {"PYTHONUTF8": "1", "NO_COLOR": "1"}
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=env)
    if result.returncode == 0:
        return None
    text = result.stderr.split("Traceback (most recent call last)")[0].strip() or result.stdout[-2000:]

    def name_cell(match: re.Match) -> str:  # Sphinx counts 10,000 lines a cell
        cells = json.loads((site / match.group(1)).read_text(encoding="utf-8"))["cells"]
        return f"{match.group(1)}, 셀 {cells[int(match.group(2)) // 10000 - 1]['id']}:"

    return re.sub(r"(chapters/[\w-]+\.ipynb):(\d{5,}):", name_cell, text.replace(f"{site}/", ""))


def _forget(course: Course) -> None:
    for folder in ("html", ".doctrees", "jupyter_execute"):
        shutil.rmtree(course.build / folder, ignore_errors=True)
