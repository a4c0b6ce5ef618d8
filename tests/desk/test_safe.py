"""Promises about rendering: what students wrote does nothing, neither at the desk nor in feedback, and can still be read."""
from __future__ import annotations

import base64
import shutil

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbgrader.server_extensions.formgrader import handlers

from autograder.desk.safe import SafeExporter, clean
from autograder.feedback import write_feedback
from autograder.grade.records import read_records
from tests.desk.conftest import FAIR, open_list, open_submission
from tests.desk.payloads import EVIL, NAME, PIXEL
from tests.grade.small_course import ASSIGNMENT

LOOK = """() => {
  const box = document.querySelector('#notebook');
  const all = [...box.querySelectorAll('*')];
  return {
    ran: window.ran,
    tags: all.filter((e) => e.matches('script:not([nonce]), iframe, object, embed, form, base, link, meta, style, svg')).map((e) => e.tagName),
    handlers: all.filter((e) => [...e.attributes].some((a) => a.name.startsWith('on'))).length,
    links: [...box.querySelectorAll('a[href]')].map((e) => e.getAttribute('href')),
    images: [...box.querySelectorAll('img[src]')].map((e) => e.getAttribute('src').slice(0, 20)),
    full: box.querySelectorAll('.full-credit').length, essays: document.querySelectorAll('[id="essay"]').length,
    fixed: all.filter((e) => getComputedStyle(e).position === 'fixed').length,
    title: document.title,
  };
}"""


# Every payload is in the page's notebook, and nothing happens: no script, dialog, request or foreign element.
def test_desk_is_inert(desk, visit):
    page, seen = visit(desk)
    open_submission(page, desk, NAME)
    for link in page.query_selector_all("#notebook a:not([href])"):
        link.dispatch_event("click")
    found = page.evaluate(LOOK)
    assert (found["ran"], found["tags"], found["handlers"], found["fixed"]) == ([], [], 0, 0)
    assert (seen.dialogs, seen.outside, seen.console, seen.refused) == ([], [], [], [])
    assert all(link.startswith(("http://example.org", f"{EVIL}/")) for link in found["links"])
    assert {image.split(",")[0][:15] for image in found["images"]} <= {"data:image/png;", "data:image/svg+"}
    assert (found["full"], found["essays"], found["title"]) == (5, 1, "hw")
    text = page.inner_text("#notebook")
    assert "보이지 않게 한 것" in text and "보이지 않게 한 출력: application/javascript" in text and "hit('raw')" in text
    assert page.query_selector(".score#essay")


# The same notebook in nbgrader's own rendering: the payloads are no blanks.
def test_payloads_are_live_elsewhere(desk, visit, tmp_path):
    exporter = HTMLExporter(template_name="formgrade", extra_template_basedirs=[handlers.template_path])
    resources = {"base_url": "", "index": 0, "total": 1, "stale": set()}
    html, _ = exporter.from_filename(str(desk.root / "autograded" / NAME / ASSIGNMENT / "hw.ipynb"), resources=resources)
    (tmp_path / "stock.html").write_text(html.replace("http-equiv", "x"), encoding="utf-8")
    page, seen = visit()
    page.goto((tmp_path / "stock.html").as_uri(), wait_until="networkidle")
    live = {"script", "upper", "img", "svg", "frame", "details", "focus", "video", "comment", "out-html"}  # the run itself keeps no metadata of outputs
    assert live <= set(page.evaluate("window.ran"))
    assert any(EVIL in url for url in seen.outside)


# Lists of students and the address bar: a student's name is text there, too.
def test_names_are_text(desk, visit):
    page, seen = visit(desk)
    for path in (
        "manage_students",
        f"manage_students/{NAME}",
        f"manage_students/{NAME}/hw",
        "manage_submissions/hw",
        "gradebook/hw/hw",
    ):
        open_list(page, desk, path)
        assert (page.evaluate("window.ran"), seen.dialogs, seen.outside, seen.console) == ([], [], [], []), path
        assert page.query_selector_all("img") == [] and ("onerror" in page.inner_text("body") or path == "gradebook/hw/hw")


# What an honest student writes is all there.
def test_honest_answer_is_whole(desk, visit):
    page, seen = visit(desk)
    open_submission(page, desk, FAIR)
    box = page.query_selector(".nbgrader_cell:has(#essay) .rendered_html")
    assert len(box.query_selector_all("mjx-container")) == 2 and not box.query_selector("mjx-merror")
    assert box.query_selector("strong").inner_text() == "교환" and "vector<int>" in box.inner_text()
    assert box.query_selector("td").evaluate("e => getComputedStyle(e).textAlign") == "right"
    image = box.query_selector("img[alt='곡선']")
    assert image.evaluate("e => [e.naturalWidth, getComputedStyle(e).borderTopWidth]") == [1, "0px"]
    assert box.query_selector(".highlight .k") and box.query_selector(
        "a[href='https://example.org'][rel~=noopener][target=_blank]"
    )
    assert "(보이지 않게 한 것: <script>)" in box.inner_text() and seen.console == []


# Feedback: the same student, with his exception's text on the page and a hostile name.
def test_feedback_is_inert(desk, visit, tmp_path):
    root = tmp_path / "course"
    shutil.copytree(desk.root, root)
    records = read_records(root, ASSIGNMENT)
    for record in records:
        record.flags.append("과제에 없는 노트북: <img src=x onerror=hit('flag')>.ipynb")
    for path in write_feedback(root, ASSIGNMENT, records, [], {}):
        page, seen = visit()
        page.goto(path.as_uri(), wait_until="networkidle")
        assert page.evaluate("window.ran") == [] and (seen.dialogs, seen.outside, seen.console) == ([], [], [])
        assert page.query_selector_all("img, script, iframe, [onerror]") == [] and "hit('flag')" in page.inner_text("main")
        assert "hit('message')" in page.inner_text("main") or "onerror" not in str(path)


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("List<int>과 <b>굵게</b>", "List&lt;int&gt;과 <b>굵게</b>"),
        (
            "<style>p{}</style><table class='dataframe x'><tbody><tr><td>1</td></tr></tbody></table>",
            '<table class="dataframe"><tbody><tr><td>1</td></tr></tbody></table>',
        ),
        ("<p id=a name=b class=modal style='color:red;position:fixed'>글</p>", '<p style="color:red">글</p>'),
        (f"<img src='data:image/png;base64,{PIXEL}' alt='점'>", f'<img src="data:image/png;base64,{PIXEL}" alt="점">'),
        (
            "<a href='/formgrader'>x</a>",
            '<a target="_blank" rel="noopener noreferrer">x</a><p><em>(보이지 않게 한 것: 링크)</em></p>',
        ),
    ],
)
def test_clean(text, safe):
    assert clean(text) == safe


# Any notebook makes a page: half characters, nesting that breaks the renderer, fields of the wrong kind.
def test_odd_notebooks_are_shown():
    odd = {
        "output_type": "display_data",
        "metadata": {},
        "data": {"text/html": ["<b>", 3], "text/plain": {"a": 1}, "image/png": [base64.b64encode(b"x").decode()]},
    }
    cells = [
        {
            "cell_type": "markdown",
            "id": "a",
            "metadata": {},
            "source": "반쪽 \ud800 **굵게** ![잃은 그림](attachment:x)",
            "attachments": {"x": [1]},
        },
        {"cell_type": "markdown", "id": "b", "metadata": {}, "source": "> " * 3000 + "깊은 글"},
        {
            "cell_type": "code",
            "id": "c",
            "metadata": {"nbgrader": 3},
            "source": "1",
            "execution_count": "x",
            "outputs": [odd, {"output_type": "?"}],
        },
        {"cell_type": "odd", "id": "d", "metadata": {}, "source": "<i>이상한 셀"},
    ]
    notebook = nbformat.from_dict(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": {"language_info": {"name": "<x>"}}, "cells": cells}
    )
    page, _ = SafeExporter(template_name="classic").from_notebook_node(notebook)
    assert all(
        text in page for text in ("반쪽 ? <strong>굵게</strong>", "보이지 않게 한 것: 그림", "깊은 글", "&lt;i&gt;이상한 셀")
    )
