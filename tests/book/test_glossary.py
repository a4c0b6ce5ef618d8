"""The glossary page and the links of first mentions to it."""
from __future__ import annotations

import re
from html import unescape
from itertools import product

import pytest
import yaml

from autograder import CourseError
from autograder.book import glossary
from autograder.book.glossary import Term, page, terms
from autograder.book.site import toc_pages
from autograder.course import load
from tests.book.conftest import open_page
from tests.conftest import ROOT

PAGES = [f"{name}.html" for name in toc_pages(load(ROOT))]
MASK = Term("인과 마스크", "인과 마스크(causal mask; 룩어헤드 마스크라고도 부릅니다)", "뒤를 가립니다.", "sec-one-mask")
ATTENTION = Term("어텐션", "어텐션(attention)", "섞습니다.", "ch-one")
SELF = Term("셀프 어텐션", "셀프 어텐션(self-attention)", "스스로 섞습니다.", "ch-one")
HEAD = Term("head", "head(헤드)", "한 벌입니다.", "ch-one")
CHAPTERS = {
    "chapters/one": [
        "(ch-one)=\n# 1 첫 장\n\n어텐션(attention)을 배웁니다. d_head와 heads는 아닙니다.",
        "(sec-one-mask)=\n\n## 1.1 가리기\n\n`인과 마스크`는 코드이고 $인과 마스크$는 식입니다.",
        "(sec-one-faq)=\n## 자주 묻는 질문\n\n인과 마스크(causal mask; 룩어헤드 마스크라고도 부릅니다)와 셀프 어텐션(self-attention)입니다.",
    ],
    "chapters/two": ["(ch-two)=\n# 2 둘째 장\n\n인과 마스크를 head마다 씁니다."],
}


def entry(text: str, term: Term) -> str:
    return text.split(f"({term.anchor})=")[1].split("\n(term-")[0]


@pytest.mark.parametrize(
    ("first", "anchor"),
    [
        (MASK.first, "term-causal-mask"),
        ("멀티 헤드 어텐션(multi-head attention)", "term-multi-head-attention"),
        ("Query(쿼리)", "term-query"),
        ("softmax(소프트맥스)", "term-softmax"),
    ],
)
def test_address_of_a_term_is_its_english(first, anchor):
    assert Term("", first, "", "").anchor == anchor


def test_uses_are_read_off_the_prose_of_the_chapters():
    text = page([MASK, ATTENTION, SELF, HEAD], CHAPTERS)
    mask = entry(text, MASK)
    assert "배우는 곳: [1.1 가리기](#sec-one-mask). 처음 나오는 곳: [1 첫 장 › 자주 묻는 질문](#sec-one-faq)." in mask
    assert "찾아보기: 2쪽 2곳" in mask and "- [1 첫 장](#ch-one): [자주 묻는 질문](#sec-one-faq)\n- [2 둘째 장](#ch-two): [머리말](#ch-two)" in mask
    assert "1쪽 1곳" in entry(text, ATTENTION), "in 셀프 어텐션 it is another term"
    assert "1쪽 1곳" in entry(text, HEAD), "neither d_head nor heads"


def test_terms_stand_in_korean_order_with_latin_ones_behind(course):
    names = [term.name for term in terms(course)]
    korean = [name for name in names if not name.isascii()]
    assert names == korean + [name for name in names if name.isascii()] and korean == sorted(korean)
    assert all(re.search("[가-힣]", term.meaning) and term.meaning.count("니다.") == 1 for term in terms(course)), "one sentence"


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        (lambda entry: entry.pop("meaning"), "'어텐션'에 meaning"),
        (lambda entry: entry.pop("section"), "'어텐션'에 meaning.*section"),
        (lambda entry: entry.update(first="어텐션(쿼리)"), "'어텐션'.*영어"),
        (lambda entry: entry.update(first="어텐션(token)"), "겹치지 않는 영어"),
        (lambda entry: entry.update(section="sec-none"), "sec-none"),
    ],
)
def test_an_entry_that_cannot_be_shown_says_what_it_lacks(mini, change, advice):
    entries = yaml.safe_load((mini.root / "glossary.yml").read_text(encoding="utf-8"))
    change(entries[0])
    (mini.root / "glossary.yml").write_text(yaml.safe_dump(entries, allow_unicode=True), encoding="utf-8")
    with pytest.raises(CourseError, match=advice):
        page([term for term in terms(mini) if term.name == "어텐션"], CHAPTERS)


@pytest.mark.parametrize(("width", "scheme"), list(product((1280, 375), ("light", "dark"))))
def test_page_is_clean(look, width, scheme):
    seen = look("glossary.html", width, scheme)
    assert seen.console == [] and seen.outside == []
    assert seen.found["lang"] == "ko" and seen.found["theme"] == scheme and seen.found["wide"] <= 0
    assert [mark for mark in ("**", "](", ")=", "<details", ":::") if mark in seen.found["text"]] == []
    assert seen.found["links"] == [], "there is no notebook of this page"


def test_every_term_has_its_entry_and_every_link_its_target(course, site):
    text = (site / "glossary.html").read_text(encoding="utf-8")
    assert re.findall(r'<section id="(term-[\w-]+)">', text) == [term.anchor for term in terms(course)]
    for path, anchor in re.findall(r'href="(chapters/[\w-]+\.html)#([\w-]+)"', text):
        assert f'id="{anchor}"' in (site / path).read_text(encoding="utf-8"), f"{path}#{anchor}"
    assert '"glossary.html"' in (site / "_static" / "searchindex.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PAGES)
def test_first_mention_leads_to_the_entry(site, course, path):
    article = re.search(r"<article.*?</article>", (site / path).read_text(encoding="utf-8"), flags=re.S).group()
    links = re.findall(r'<a class="term [^"]*" href="\.\./([^"]+)" title="([^"]+)">([^<]+)</a>(?=(.{0,200}))', article, flags=re.S)
    entries = {f"{glossary.PAGE}.html#{term.anchor}": term for term in terms(course)}
    assert len({href for href, *_ in links}) == len(links) == article.count('class="term ') > 0, "once a page"
    for href, title, word, rest in links:
        text = re.sub(r"<[^>]*>", "", f"{word}{rest}")
        assert unescape(text).startswith(entries[href].first) and unescape(title) == entries[href].meaning
    for place in re.findall(r"<(h[1-6]|pre|code)\b[^>]*>(.*?)</\1>", article, flags=re.S):
        assert 'class="term ' not in place[1]


def test_term_is_underlined_with_dots_and_reached_by_keyboard(browser, address):
    opened, _ = open_page(browser, address, "chapters/hand.html")
    term = opened.locator("article a.term").first
    assert term.evaluate("a => getComputedStyle(a).textDecorationStyle") == "dotted"
    term.focus()
    opened.keyboard.press("Enter")
    opened.wait_for_url("**/glossary.html#term-token")
    opened.close()
