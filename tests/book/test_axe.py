"""axe-core finds nothing to remark on any page, folded parts unfolded. No rule is disabled; target-size is added."""
from __future__ import annotations

from itertools import product

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from autograder.book.site import toc_pages
from autograder.course import load
from tests.book.conftest import open_page
from tests.conftest import ROOT

PAGES = [*(f"{page}.html" for page in toc_pages(load(ROOT))), "search.html?q=softmax"]
LOOKS = list(product((1280, 375), ("light", "dark")))
UNFOLD = "() => document.querySelectorAll('details').forEach((part) => (part.open = true))"
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
WHOLE = """async () => (await axe.run(document, {resultTypes: ['violations'], rules: {'target-size': {enabled: true}}}))
  .violations.map((found) => [found.id, found.nodes.map((node) => node.html)])"""
# Contrast takes nine tenths of the time, and is the same where tags, classes and surroundings are: one of each kind is looked at.
QUICK = """async () => {
  const kinds = new Map();
  for (const element of document.querySelectorAll('body *')) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) || !element.checkVisibility()) continue;
    let kind = '';
    for (let up = element, k = 0; up && k < 6; up = up.parentElement, k++) kind += `${up.tagName}.${up.className} `;
    kinds.set(kind, kinds.get(kind) || element);
  }
  const options = {resultTypes: ['violations']};
  const runs = [
    await axe.run(document, {...options, rules: {'target-size': {enabled: true}, 'color-contrast': {enabled: false}}}),
    await axe.run({include: [...kinds.values()]}, {...options, runOnly: {type: 'rule', values: ['color-contrast']}}),
  ];
  return runs.flatMap((run) => run.violations).map((found) => [found.id, found.nodes.map((node) => node.html)]);
}"""


def remarks(browser, address, path, looks, script) -> list:
    """What axe has to say about a page in each look: (width, scheme, rule, elements)."""
    page, _ = open_page(browser, address, path)
    page.emulate_media(reduced_motion="reduce")  # colours are judged at rest
    page.evaluate(AXE_SCRIPT)
    page.evaluate(UNFOLD)
    found = []
    for width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("(scheme) => (document.documentElement.dataset.theme = scheme)", scheme)
        page.evaluate(TWO_FRAMES)
        found += [(width, scheme, *remark) for remark in page.evaluate(script)]
    page.close()
    return found


@pytest.mark.parametrize("path", PAGES)
def test_axe_has_no_remark(browser, address, path):
    assert remarks(browser, address, path, [LOOKS[0], LOOKS[-1]], QUICK) == []


@pytest.mark.long
@pytest.mark.parametrize("path", PAGES)
def test_axe_has_no_remark_in_any_look_on_any_element(browser, address, path):
    assert remarks(browser, address, path, LOOKS, WHOLE) == []


def test_both_ways_see_what_is_wrong(browser, address):
    """A grey word in a paragraph, and a picture without a description, on a page that has none."""
    for script in (QUICK, WHOLE):
        page, _ = open_page(browser, address, PAGES[0])
        page.evaluate(AXE_SCRIPT)
        page.evaluate("""() => document.querySelector('article p').insertAdjacentHTML('beforeend',
            '<span style="color: #ccc; background: #fff">흐린 말</span><img src="data:,">')""")
        assert {"color-contrast", "image-alt"} <= {rule for rule, _ in page.evaluate(script)}
        page.close()
