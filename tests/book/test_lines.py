"""Which Hangul is tied to the mark before it; test_pages.py looks at the lines of every page."""
from __future__ import annotations

import pytest

from autograder.book.lines import keep_particles
from tests.book.conftest import TORN


@pytest.mark.parametrize(
    ("before", "after"),
    {
        "softmax(소프트맥스)를": 'softmax(소프트맥스<span class="tied">)를</span>',
        "(괄호)": "(괄호)",
        "3.5%포인트": '3.5<span class="tied">%포인트</span>',
        "‘몫’이고": '‘몫<span class="tied">’이고</span>',
        "##과": '#<span class="tied">#과</span>',
        "A&amp;B&#39;는": 'A&amp;B<span class="tied">&#39;는</span>',
        "a &lt;는": "a &lt;는",
        "<pre>(값)을</pre>": "<pre>(값)을</pre>",
        '<img alt="(값)을">': '<img alt="(값)을">',
        '<code><span class="pre">(B,</span> <span class="pre">T)</span></code>로': '<span class="tied"><code><span class="pre">(B,</span> '
        '<span class="pre">T)</span></code>로</span>',
        '<code><span class="pre">attend(Q,</span> <span class="pre">K,</span> <span class="pre">causal=True)</span></code>를':
        '<code><span class="pre">attend(Q,</span> <span class="pre">K,</span> <span class="pre">causal=True)</span></code>\u2060를',
        '<code><span class="pre">x</span></code>를': '<code><span class="pre">x</span></code>를',
        '<span class="math notranslate">\\(d\\)</span>로': '<span class="tied"><span class="math notranslate">\\(d\\)</span>로</span>',
    }.items(),
)
def test_what_is_tied(before, after):
    assert keep_particles(f"<p>{before}</p>") == f"<p>{after}</p>"


def test_the_search_for_torn_words_finds_one(browser):
    page = browser.new_page(viewport={"width": 300, "height": 300})
    page.set_content("<article><p style='width: 6em; word-break: keep-all'>softmax(소프트)를 걸고</p></article>")
    assert page.evaluate(TORN) == [[")", "를 걸고"]]
    page.close()
