"""What a reader without a mouse meets: where the focus is, what it can reach, where it is after a panel."""
from __future__ import annotations

import pytest

from tests.book.conftest import open_page

FOCUSED = """() => {
  const element = document.activeElement, style = getComputedStyle(element);
  const name = (element.getAttribute('aria-label') || element.innerText).trim();
  return {name, seen: style.outlineStyle !== 'none' || style.boxShadow !== 'none', skip: element.getAttribute('href') === '#main-content'};
}"""
# Boxes that scroll sideways and cannot be reached, and others that stop the way of the Tab key for nothing.
ASTRAY = """() => [...document.querySelectorAll(
    'pre, .cell_output > .output, .pst-scrollable-table-container, mjx-container[display=true]')]
  .filter((box) => box.checkVisibility() && (box.scrollWidth > box.clientWidth) !== (box.tabIndex === 0))
  .map((box) => box.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("width", [1280, 375])
def test_focus_is_seen_wherever_the_tab_key_leads(browser, address, width):
    page, _ = open_page(browser, address, "chapters/causal.html", width)
    for step in range(30):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        assert focused["seen"], focused["name"]
        assert focused["skip"] == (step == 0), "the first stop leads past the sidebar"
    page.close()


def test_wide_boxes_are_reached_and_no_others_also_when_they_unfold_later(browser, address):
    page, _ = open_page(browser, address, "chapters/padding.html", 375)
    for change in ("() => {}", "() => document.querySelectorAll('details').forEach((part) => (part.open = true))"):
        page.evaluate(change)
        page.wait_for_timeout(700)  # the theme looks for itself 300 ms after a change of size
        assert page.evaluate(ASTRAY) == []
    page.close()


@pytest.mark.parametrize("panel", ["primary", "secondary"])
def test_a_panel_on_the_phone_has_a_name_and_gives_the_focus_back(browser, address, panel):
    page, _ = open_page(browser, address, "chapters/causal.html", 375)
    page.focus(f".{panel}-toggle")
    page.keyboard.press("Enter")
    dialog = page.locator(f"#pst-{panel}-sidebar-modal")
    dialog.wait_for()
    assert dialog.get_attribute("aria-label") and page.evaluate("document.activeElement.closest('dialog') !== null")
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    assert page.evaluate(f"document.activeElement.matches('.{panel}-toggle')")
    page.close()


def test_nothing_moves_for_who_asked_for_rest(browser, address):
    page, _ = open_page(browser, address, "chapters/causal.html")
    page.emulate_media(reduced_motion="reduce")
    moving = "() => [...document.querySelectorAll('*')].filter((e) => parseFloat(getComputedStyle(e).transitionDuration) > 0).length"
    assert page.evaluate(moving) == 0
    page.evaluate("() => (document.querySelector('article details').open = true)")
    assert page.evaluate("document.getAnimations().length") == 0
    page.close()
