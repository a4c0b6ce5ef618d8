"""PDF of the book and of each of its pages: Chromium prints the pages of the finished site.

The articles of the pages go into one document (templates/print.html.j2), so the numbers of its pages run through and links
between them stay links. It is printed twice: only the first print tells on which page a section begins. Dates are taken out,
so the same site gives the same file on the same machine (browser and fonts are its own).
"""
from __future__ import annotations

import html
import io
import os
import posixpath
import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pypdf import PdfReader

from autograder import CourseError
from autograder.book.ways import TEMPLATES
from autograder.browser import find_browser
from autograder.course import Course
from autograder.execute import Progress

SECONDS = 300  # for one print; the whole book takes about a tenth of it
ARTICLE = re.compile(r'<article class="bd-article">(.*?)</article>', flags=re.S)
HEADING = re.compile(r'<section[^>]* id="([\w-]+)">\s*(?:<span[^>]*></span>\s*)*<h([12])>(.*?)<a class="headerlink"', flags=re.S)
SCREEN_ONLY = re.compile(r'<nav class="notebook-links".*?</nav>|<a class="headerlink".*?</a>', flags=re.S)
STYLE = re.compile(r'<link[^>]* rel="stylesheet"[^>]*>')
MATHJAX = re.compile(r"<script>window\.MathJax.*?</script>\s*<script[^>]*tex-chtml[^>]*></script>", flags=re.S)
MAKING = re.compile(rb"/(?:Creator|CreationDate|ModDate) ?\((?:[^()\\]|\\.)*\)")
ADDRESS = re.compile(r'(href|src)="(?![a-z]+:)([^"#]*)(#[^"]*)?"')


@dataclass(frozen=True)
class Entry:
    """A line of the table of contents."""

    level: int  # 1 for a page, 2 for a section
    anchor: str
    title: str


def book_pdf(course: Course) -> str:
    """File name of the whole book: that of the student repository, which says what it is among other downloads."""
    return f"{course.student_repository.split('/')[1]}.pdf"


def write_pdfs(course: Course, site: Path, documents: Sequence[str], progress: Progress) -> None:
    """Write every page and the whole book into SITE. Raises CourseError when there is no browser, no Korean font or no print."""
    browser = find_browser(progress)
    for document in documents:
        (site / f"{document}.pdf").write_bytes(print_pages(course, site, [document], browser))
    progress(f"쪽마다 PDF를 만들었습니다. {len(documents)}개")
    data = print_pages(course, site, documents, browser, cover=True)
    (site / book_pdf(course)).write_bytes(data)
    progress(f"책 전체를 PDF로 만들었습니다. A4 {len(PdfReader(io.BytesIO(data)).pages)}쪽: {book_pdf(course)}")


def print_pages(course: Course, site: Path, documents: Sequence[str], browser: str, cover: bool = False) -> bytes:
    """The PDF of some pages of the built SITE, in one file; with COVER also a cover and a table of contents."""
    contents = [entry for document in documents for entry in headings(site, document)] if cover else []
    contents = [entry for entry in contents if not entry.anchor.startswith("term-")]  # the glossary is an index itself
    data = _print(_document(course, site, documents, contents, {}), site, browser)
    if contents:
        reader = PdfReader(io.BytesIO(data))
        found = reader.named_destinations
        numbers = {e.anchor: reader.get_destination_page_number(found[f"/{e.anchor}"]) + 1 for e in contents if f"/{e.anchor}" in found}
        data = _print(_document(course, site, documents, contents, numbers), site, browser)
    return _without_date(data)


def headings(site: Path, document: str) -> list[Entry]:
    """Titles of a page and of its sections with their anchors."""
    found = HEADING.findall(_article(site, document))
    return [Entry(int(level), anchor, html.unescape(re.sub(r"<[^>]*>", "", title)).strip()) for anchor, level, title in found]


def _article(site: Path, document: str) -> str:
    return ARTICLE.search((site / f"{document}.html").read_text(encoding="utf-8")).group(1)


def _document(course: Course, site: Path, documents: Sequence[str], contents: Sequence[Entry], numbers: dict[str, int]) -> str:
    """What Chromium prints, with addresses relative to the root of the site."""
    first = {document: headings(site, document)[0].anchor for document in documents}

    def local(document: str, text: str) -> str:
        def address(match: re.Match) -> str:
            kind, path, anchor = match.group(1), match.group(2), match.group(3) or ""
            target = posixpath.normpath(posixpath.join(posixpath.dirname(document), path)) if path else f"{document}.html"
            if kind == "src" or target.startswith("_static/"):
                return f'{kind}="{target}{anchor}"'
            page = target.removesuffix(".html")
            return f'href="{anchor or "#" + first[page]}"' if page in first else f'href="{course.site_url}{target}{anchor}"'

        return ADDRESS.sub(address, text)

    page = (site / f"{documents[0]}.html").read_text(encoding="utf-8")
    head = local(documents[0], "\n".join([*STYLE.findall(page), *MATHJAX.findall(page)]))
    articles = [local(document, SCREEN_ONLY.sub("", _article(site, document))) for document in documents]
    title = course.title if contents else f"{headings(site, documents[0])[0].title} - {course.title}"
    facts = {"course": course, "title": title, "head": head, "articles": articles, "contents": contents, "numbers": numbers}
    return TEMPLATES.get_template("print.html.j2").render(facts)


def _print(document: str, site: Path, browser: str) -> bytes:
    """Print a document whose addresses are relative to SITE."""
    with tempfile.TemporaryDirectory(prefix="print-") as folder:
        source, target = Path(folder, "print.html"), Path(folder, "print.pdf")
        # A base element would turn links within the document into links to the site's folder.
        document = re.sub(r'((?:href|src)=")(?=_)', rf"\1{site.resolve().as_uri()}/", document)
        source.write_text(document, encoding="utf-8")
        command = [browser, "--headless", "--disable-gpu", "--no-pdf-header-footer", "--generate-pdf-document-outline"]
        command += ["--allow-file-access-from-files", "--virtual-time-budget=600000", f"--user-data-dir={folder}/profile"]
        command += ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []  # Chromium has none for root
        try:
            result = subprocess.run([*command, f"--print-to-pdf={target}", source.as_uri()], capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired as error:
            raise CourseError(f"PDF를 {SECONDS}초 안에 만들지 못했습니다. 다른 일이 끝난 뒤에 다시 실행하세요.") from error
        except OSError as error:
            raise CourseError(f"브라우저를 실행하지 못했습니다: {browser}. 환경 변수 CHROMIUM을 썼다면 경로를 확인하세요. ({error})") from error
        if not target.is_file():
            raise CourseError(f"브라우저가 PDF를 만들지 못했습니다. {browser}가 열리는지 확인하고 다시 실행하세요.\n{result.stderr[-1000:]}")
        return target.read_bytes()


def _without_date(data: bytes) -> bytes:
    """The PDF without the facts about its making. Raises CourseError when its text lacks Hangul: there was no Korean font."""
    if not re.search("[가-힣]", PdfReader(io.BytesIO(data)).pages[0].extract_text()):
        raise CourseError("이 컴퓨터에 한글 글꼴이 없어 PDF의 글자가 비었습니다. 글꼴을 설치하고(예: sudo apt install fonts-nanum) 다시 실행하세요.")
    return MAKING.sub(lambda match: b" " * len(match.group()), data)  # as long as before: a PDF counts its bytes
