"""The PDFs, read back with pypdf: text, numbers, links, and what must stay folded."""
from __future__ import annotations

import html
import io
import re
import unicodedata
from pathlib import Path

import pytest
from pypdf import PdfReader

from autograder import CourseError
from autograder.book.pdf import book_pdf, headings, print_pages
from autograder.book.site import build, toc_documents
from autograder.browser import find_browser
from autograder.course import Course

FEW = ["chapters/welcome", "chapters/next", "glossary"]


def dense(text: str) -> str:
    """A PDF has no white space of its own, and prints a ligature or a minus as it likes."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))


def texts(reader: PdfReader) -> list[str]:
    return [re.sub(" +", " ", page.extract_text()) for page in reader.pages]  # pypdf doubles a space at a change of font


def paragraphs(site: Path, document: str) -> list[str]:
    """Paragraphs of a page that have no formula."""
    article = (site / f"{document}.html").read_text(encoding="utf-8").split("<article")[1].split("</article>")[0]
    article = re.sub(r"<(details|noscript|template).*?</\1>", "", article, flags=re.S)
    found = re.findall(r"<p>((?:(?!</p>|math).)+)</p>", article, flags=re.S)
    return [html.unescape(re.sub(r"<[^>]*>", "", text)) for text in found]


@pytest.fixture(scope="module")
def chromium() -> str:
    return find_browser(print)


@pytest.fixture(scope="module")
def few(course: Course, site: Path, chromium: str) -> PdfReader:
    """A book of three pages with cover and contents."""
    return PdfReader(io.BytesIO(print_pages(course, site, FEW, chromium, cover=True)))


@pytest.fixture(scope="module")
def few_texts(few: PdfReader) -> list[str]:
    return texts(few)


def test_text_of_the_pages_can_be_found_and_copied(site, few_texts):
    whole = "\n".join(few_texts)
    assert not re.search("[\x00-\x09\x0b-\x1f]", whole) and "언어 모델은 한 낱말을 읽을 때" in whole, "words are searched with the spaces between them"
    assert unicodedata.normalize("NFC", whole) == whole and not re.search("[\u1100-\u11ff\ue000-\uf8ff]", whole), "not whole syllables"
    for document in FEW:
        assert len(paragraphs(site, document)) > 3
        for text in paragraphs(site, document):
            for sentence in text.split("\n"):
                assert dense(sentence)[:25] in dense(whole), sentence  # a page may end within a longer one


def test_numbers_run_through_and_the_contents_tell_them(course, site, few, few_texts):
    assert course.title in few_texts[0] and course.site_url in few_texts[0]
    for number, text in enumerate(few_texts[1:], start=2):
        assert re.search(rf"^\s*{number}\s*$", text, flags=re.M), f"page {number} does not bear its number"
    contents = dense(few_texts[1])
    for document in FEW:
        for entry in headings(site, document):
            page = few.get_destination_page_number(few.named_destinations[f"/{entry.anchor}"]) if not entry.anchor.startswith("term-") else None
            if page is not None:
                assert f"{dense(entry.title)}{page + 1}" in contents and dense(entry.title) in dense(few_texts[page])


def test_bookmarks_are_the_headings(site, few):
    def titles(outline) -> list[str]:
        return [title for item in outline for title in (titles(item) if isinstance(item, list) else [item.title])]

    expected = [dense(entry.title) for document in FEW for entry in headings(site, document)]
    assert [title for title in map(dense, titles(few.outline)) if title in expected] == expected


def test_links_stay_in_the_book_or_go_to_the_site(course, few):
    links = [note.get_object() for page in few.pages for note in page.get("/Annots", [])]
    inside = [link for link in links if "/Dest" in link]
    outside = [link["/A"]["/URI"] for link in links if "/A" in link and "/URI" in link["/A"]]
    assert len(inside) > 20 and f"{course.site_url}chapters/hand.html#sec-hand-scale" in outside
    assert all(uri.startswith("https://") for uri in outside), "an address of this computer"
    assert all(link["/Dest"] in few.named_destinations for link in inside if isinstance(link["/Dest"], str))


def test_fonts_travel_with_the_file_and_no_date(few):
    for page in few.pages:
        for font in page["/Resources"].get("/Font", {}).values():
            font = font.get_object()
            descriptor = font["/DescendantFonts"][0]["/FontDescriptor"] if "/DescendantFonts" in font else font
            assert font["/Subtype"] == "/Type3" or "/FontFile2" in descriptor or "/FontFile3" in descriptor
            assert "/ToUnicode" in font
    assert few.metadata.keys() & {"/CreationDate", "/ModDate", "/Creator"} == set() and few.metadata.title


def test_a_screen_reader_knows_language_and_structure(few):
    assert few.root_object["/Lang"] == "ko" and few.root_object["/MarkInfo"]["/Marked"] and "/StructTreeRoot" in few.root_object


def test_a_print_can_be_repeated(course, site, chromium):
    assert print_pages(course, site, ["chapters/next"], chromium) == print_pages(course, site, ["chapters/next"], chromium)


def test_answers_to_questions_are_printed_hints_and_set_up_stay_folded(course, site, chromium):
    printed = dense("\n".join(texts(PdfReader(io.BytesIO(print_pages(course, site, ["chapters/theory"], chromium))))))
    for shown in ("중요한 것은 0보다 큰지가 아니라 다른 점수와의 차이입니다", "힌트 1: 말로", "직접 해보기: 온도가 있는 softmax", "7.389 ÷ 11.213"):
        assert dense(shown) in printed, shown
    for folded in ("온도는 몫이 아니라 점수에 적용합니다", "download_font", "보이는 점검을 통과했습니다", "Colab에서 열기", "PDF로 받기", "과제 노트북에서 풀기"):
        assert dense(folded) not in printed, folded


def test_a_build_without_pdfs_offers_none(site):
    assert not any(".pdf" in page.read_text(encoding="utf-8") for page in site.rglob("*.html"))


@pytest.mark.long
def test_pdfs_are_offered_when_they_were_made(book, monkeypatch):
    for broken in ("/bin/false", "/none/chromium"):
        monkeypatch.setenv("CHROMIUM", broken)
        with pytest.raises(CourseError, match=broken):
            build(book, print, pdf=True)
        assert not (book.build / "html").exists(), "its pages would offer what is not there"
    monkeypatch.undo()
    made = build(book, print, pdf=True)
    page = (made / "chapters" / "one.html").read_text(encoding="utf-8")
    for text, name in (("PDF로 받기", "chapters/one.pdf"), ("책 전체를 PDF로 받기", book_pdf(book))):
        assert re.search(rf'href="\.\./{name}" download>{text}</a>', page) and (made / name).read_bytes().startswith(b"%PDF-")


@pytest.mark.long
def test_whole_book_prints(course, site, chromium):
    documents = toc_documents(course)
    reader = PdfReader(io.BytesIO(print_pages(course, site, documents, chromium, cover=True)))
    printed = texts(reader)
    whole = dense("\n".join(printed))
    for document in documents:
        for entry in headings(site, document):
            assert dense(entry.title) in whole, entry.title
        for text in paragraphs(site, document):
            assert dense(text)[:20] in whole, text
    assert all(re.search(rf"^\s*{number}\s*$", text, flags=re.M) for number, text in enumerate(printed[1:], start=2))
