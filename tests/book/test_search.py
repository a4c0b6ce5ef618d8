"""The search: labelled queries through the real page, the rules of Korean one by one, and what the reader sees."""
from __future__ import annotations

import json
import statistics
import unicodedata
from pathlib import Path

import pytest

from autograder.book.search import plain_math, sections, words
from benchmarks.search import Answer, ask, labelled, mean
from benchmarks.search import answers as all_answers
from tests.book.conftest import open_page
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def search(browser, site):
    """The search page, opened as a plain file."""
    page = browser.new_page()
    page.goto((site / "search.html").as_uri())
    yield page
    page.close()


@pytest.fixture(scope="module")
def answers(search) -> list[Answer]:
    return all_answers(search)


def real(answers: list[Answer]) -> list[Answer]:
    return [answer for answer in answers if answer.asked.wanted]


def test_the_queries_name_pages_and_are_many(site):
    queries = labelled()
    pages = {path.stem for path in (site / "chapters").glob("*.html")}
    assert len(queries) >= 60 and len({query.query for query in queries}) == len(queries)
    assert sum(bool(query.held) for query in queries) >= 20 and sum(not query.wanted for query in queries) >= 8
    for query in queries:
        assert {*query.wanted, *query.mentions} <= pages and set(query.best) <= set(query.wanted), query.query
        assert bool(query.best) == bool(query.wanted) and not set(query.wanted) & set(query.mentions), query.query


def test_every_wanted_page_is_found(answers):
    assert {answer.asked.query: answer.missed for answer in real(answers) if answer.missed} == {}


@pytest.mark.parametrize("held", [False, True])
def test_little_is_found_that_was_not_asked_for(answers, held):
    some = [answer for answer in real(answers) if bool(answer.asked.held) == held]
    assert mean(some, "precision") > 0.9
    assert mean(some, "share_wanted") > 0.75, "pages that only use the word outnumber those that treat it"


def test_the_best_page_stands_high(answers):
    assert statistics.mean(1 / answer.rank for answer in real(answers)) > 0.85
    assert {answer.asked.query: answer.found for answer in real(answers) if answer.rank > 3} == {}


def test_what_is_not_in_the_book_is_not_found(answers):
    assert [(a.asked.query, a.found) for a in answers if not a.asked.wanted and a.found] == []


# What is typed, a text, and the part of the text that is the word; "" when it is not there.
MATCHES = [
    ("마스크에서는", "인과 마스크를 씁니다. 마스크가", "마스크"),
    ("학습", "학습률은 작습니다.", "학습"),
    ("헤드", "멀티헤드를 씁니다.", "헤드"),
    ("헤드", "룩어헤드 마스크", ""),
    ("인과", "결과를 확인과 함께", ""),
    ("차이", "차이를 봅니다.", "차이"),
    ("차이를", "자동차를 봅니다. 차이가", "차이"),
    ("행", "실행하면 행렬이 나옵니다. 진행", ""),
    ("행을", "한 행마다 합이 1인 행이", "행"),
    ("값이", "값은 값이", "값"),
    ("가린", "표를 가리킵니다. 가립니다", "가립니다"),
    ("가리는", "칸을 가렸다. 가립니다", "가렸다"),
    ("나눠서", "둘로 나눕니다.", "나눕니다"),
    ("더한", "값을 더해 봅니다. 더합니다", "더해"),
    ("섞어서", "섞은 답. 섞습니다", "섞은"),
    ("학습하는", "학습을 마쳤습니다.", "학습"),
    ("인과마스크", "인과 마스크를", "인과 마스크"),
    ("softmax를", "F.softmax(x)", "softmax"),
    ("view", "reviews, x.view(2)", "view"),
    ("head", "two heads", "head"),
    ("QK^T", "점수는 QKᵀ입니다.", "QKᵀ"),
    ("√d로", "1 / √d", "√d"),
    ("-1e9", "−1e9를 채우면", "−1e9"),
    ("0.786", "0.7863, 10.786", ""),
    ("0.786", "0.7860", "0.786"),
    ("dim=-1", "softmax(x, dim = -1)", "dim = -1"),
    ("다음 토큰", "다음 절에서 토큰을", ""),
    ("ＳＯＦＴＭＡＸ", "softmax", "softmax"),
]


@pytest.mark.parametrize(("typed", "text", "found"), MATCHES)
def test_a_word_is_found_in_its_forms_and_not_in_other_words(search, typed, text, found):
    script = """([typed, text]) => {
      const { fold, parse } = searchQuery(text + " 다음 토큰", { "룩어헤드": ["인과 마스크"] });
      return parse(typed).flatMap(({ find }) => find(fold(text)).map(([from, to]) => text.slice(from, to)))[0] ?? "";
    }"""
    assert search.evaluate(script, [typed, text]) == found


def test_query_of_a_mac_keyboard(search):
    """Hangul may come taken apart into letters."""
    apart, whole = ask(search, [unicodedata.normalize("NFD", "룩어헤드"), "룩어헤드"])
    assert apart == whole != []


def test_what_we_do_not_write_is_found_by_the_glossary(search):
    typed = [(word, term) for word, terms in words(ROOT / "glossary.yml").items() for term in terms]
    for (word, term), found, of_term in zip(typed, ask(search, [word for word, _ in typed]), ask(search, [term for _, term in typed])):
        assert of_term and of_term[0] in found, f"{word} -> {term}"


def test_titles_come_first_then_headings(search):
    own, both, heading = ask(search, ["셀프 어텐션", "인과 마스크", "스케일링"])
    assert own[0] == "self" and both[:2] == ["causal", "padding"] and heading[0] == "hand"


def test_results_show_where(search, site):
    ask(search, ["√d로 나누는 이유"])
    assert search.inner_text("[role=status]").endswith("쪽에서 찾았습니다.")
    place = search.locator("#search-results ol ul li").first
    assert place.locator("a").get_attribute("href") == "chapters/hand.html#sec-hand-scale"
    assert {"나누는", "까닭"} <= set(place.locator("mark").all_inner_texts())
    assert search.title().startswith("√d로 나누는 이유 - 검색")
    headings = search.eval_on_selector_all("main :is(h1, h2, h3)", "all => all.map((each) => each.tagName)")
    assert headings[0] == "H1" and set(headings[1:]) == {"H2"}


def test_every_place_that_a_result_may_link_to_exists(site):
    index = json.loads((site / "_static" / "searchindex.js").read_text(encoding="utf-8").removeprefix("const searchIndex = ").rstrip(";\n"))
    for address, found in index["pages"]:
        page = (site / address).read_text(encoding="utf-8")
        assert all(f'id="{anchor}"' in page for anchor, *_ in found), address
        assert found[0][1], "the page has a title"


def test_nothing_found_says_what_to_do(search):
    ask(search, ["소프트멕스"])
    assert "찾지 못했습니다" in search.inner_text("[role=status]")
    assert search.locator("#search-results li a").all_inner_texts() == ["softmax"]
    ask(search, ["softmax 바나나"])
    assert "책에 없는 말: 바나나" in search.inner_text("#search-results")
    ask(search, ["qqqq"])
    assert "더 짧은 낱말" in search.inner_text("#search-results")
    assert ask(search, ["?!", " "]) == [[], []] and search.inner_text("#search-results") == ""


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (375, "dark")])
def test_search_works_by_keyboard_from_any_page(browser, address, width, scheme):
    page, seen = open_page(browser, address, "chapters/next.html", width, scheme)
    page.keyboard.press("Control+k")
    page.keyboard.type("마스크")
    page.keyboard.press("Enter")
    page.wait_for_selector("#search-results h2 a")
    assert page.evaluate("document.activeElement.value") == "마스크", "the field has the focus"
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/chapters/causal.html")
    page.go_back()
    page.wait_for_selector("#search-results h2 a")
    assert "q=" in page.url and seen.console == [] and seen.outside == []
    page.close()


def test_only_the_search_page_loads_the_index(site):
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert ("searchindex.js" in text) == (path.name == "search.html")
        assert "searchtools.js" not in text and "language_data.js" not in text


def test_sections_of_a_page(tmp_path: Path):
    page = tmp_path / "page.html"
    page.write_text(
        """<nav>밖</nav><article><section id="one"><span id="ch-one"></span><h1>제목<a class="headerlink">#</a></h1>
        <p>첫 줄<br>이어서</p><div class="cell tag_not-searched"><pre>font = 1</pre></div><pre>a = 1
        b = 2</pre><p><span class="math">\\(\\frac{QK^\\top}{\\sqrt{d}}\\)</span></p>
        <section id="two"><h2>둘째</h2><table><tr><th>행</th><td>1</td></tr></table><img src="x.png" alt="그림의 설명">
        <details><summary>물음?</summary><p>대답</p></details><details class="hide"><summary>보기</summary><pre>c</pre></details><p>끝
        </section></section></article>""",
        encoding="utf-8",
    )
    assert sections(page) == [
        ["ch-one", "제목", -1, "첫 줄 이어서\nQKᵀ / √d", "a = 1\nb = 2"],
        ["two", "둘째", 0, "행 1\n그림의 설명\n보기\n끝", "c"],
        ["two", "물음?", 1, "대답", ""],
    ]


@pytest.mark.parametrize(
    ("tex", "plain"),
    [
        (r"\(\frac{Q_h K_h^\top}{\sqrt{d_{\mathrm{head}}}}\)", "Q_h K_hᵀ / √d_head"),
        (r"\(e^{-\infty} = 0\)", "e^-∞ = 0"),
        (r"\(\mathrm{softmax}(s)_i\)", "softmax(s)_i"),
    ],
)
def test_formulas_read_as_they_are_typed(tex, plain):
    assert " ".join(plain_math(tex).split()) == plain


def test_glossary_gives_what_readers_type(tmp_path: Path):
    glossary = tmp_path / "glossary.yml"
    glossary.write_text(
        "- {term: 점수, first: 점수(score; 맞는 정도), never: [스코어, '점(?!수)'], aliases: [득점]}\n- {term: 어조, never: [쉽게]}\n",
        encoding="utf-8",
    )
    assert words(glossary) == {word: ["점수"] for word in ("score", "득점", "스코어", "점수")}


@pytest.mark.parametrize(
    "query",
    ["가" * 20, "가" * 3000, "이다" * 60, "토큰평균행렬소프트맥스점수합" * 8, "뷁" * 60, "마스크 " * 500, "1가" * 300, "a-b_" * 900, "(?<=[\\", "__proto__",
     "<img src=x onerror=alert(1)>", "\u202e", "\ud83d", " "],
    ids=range(14),
)  # fmt: skip
def test_no_query_holds_the_page_up(search, query):
    timed = "(query) => { const start = performance.now(); bookSearch.search(query); return performance.now() - start; }"
    milliseconds = search.evaluate(timed, query)
    assert milliseconds < 5000  # measured: 1000 at most; without a memory for pieces twenty syllables took 80 seconds


def test_signs_that_nobody_sees_change_nothing(search):
    shown = "(query) => bookSearch.search(query).found.map(({page}) => page.address)"
    assert search.evaluate(shown, "\u202e마스\u200b크\u2060") == search.evaluate(shown, "마스크") != []
