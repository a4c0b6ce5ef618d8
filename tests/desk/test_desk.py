"""Promises about the desk as a server: quiet, closed, current, and never frozen."""
from __future__ import annotations

import json
import threading
import time

import pytest

from autograder import CourseError
from autograder.desk import server
from autograder.grade.folder import CourseFolder
from tests.desk.conftest import FAIR, READY, SCORED, SLOW, open_list, open_submission, until
from tests.grade.small_course import ASSIGNMENT

PAGES = [
    "gradebook",
    "gradebook/hw",
    "gradebook/hw/hw",
    "manage_assignments",
    "manage_submissions/hw",
    "manage_students",
    f"manage_students/{FAIR}/hw",
]


# It says in Korean where it is and what to do, and nothing else.
def test_welcome(desk):
    text = "".join(desk.said)
    assert desk.address.startswith("http://127.0.0.1:") and "브라우저에 붙여 넣으세요" in text and "Jupyter Server" not in text


def test_without_a_gradebook_it_says_what_to_do(tmp_path):
    with pytest.raises(CourseError, match="./course grade"):
        server.open_desk(tmp_path, 9300, print)


# No console error, no request elsewhere, no failed request, on any page.
def test_pages_are_quiet(desk, visit):
    page, seen = visit(desk)
    assert page.url == f"{desk.address}/formgrader/gradebook"  # the token is gone from the address
    for path in PAGES:
        open_list(page, desk, path)
    open_submission(page, desk, FAIR)
    assert (seen.console, seen.outside, seen.refused) == ([], [], [])


# MathJax is there, so the keys are: next and previous hand-in, next field, a flag.
def test_keys(desk, visit):
    page, seen = visit(desk)
    listed = json.loads(desk.ask("/formgrader/api/submitted_notebooks/hw/hw")[2])
    order = [one["id"] for one in sorted(listed, key=lambda one: one["index"])]
    open_submission(page, desk, next(one["student"] for one in listed if one["index"] == 0))
    for key, at in (("Control+.", 1), ("Control+.", 2), ("Control+,", 1)):
        page.keyboard.press(key)
        page.wait_for_url(f"**/submissions/{order[at]}/**")
        until(page, READY)
    page.keyboard.press("Tab")
    first = page.evaluate("document.activeElement.id")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") != first
    with page.expect_response("**/flag"):
        page.keyboard.press("Control+Shift+F")
    listed = json.loads(desk.ask("/formgrader/api/submitted_notebooks/hw/hw")[2])
    assert [one["id"] for one in listed if one["flagged"]] == [order[1]]
    assert seen.console == []


# Without the token nothing; with it no kernel, terminal or file, and no other server's extensions.
@pytest.mark.parametrize(
    "path",
    ["/api/kernels", "/api/sessions", "/api/terminals", "/api/contents", "/api/contents/nbgrader_config.py", "/files/nbgrader_config.py", "/lab", "/view/nbgrader_config.py",
     "/nbconvert/html/source/hw/hw.ipynb", "/api/config/x", "/formgrader/submissions/x/../../../nbgrader_config.py", "/api/kernelspecs", "/assignments"],
)  # fmt: skip
def test_closed_doors(desk, path):
    for method in ("GET", "POST"):
        status, _, text = desk.ask(path, method, b"{}" if method == "POST" else None)
        assert status in (403, 404, 405) and "get_config" not in text


def test_token_is_needed(desk):
    for path in ("/formgrader/gradebook", "/formgrader/api/students", f"/formgrader/submissions/{desk.submission(FAIR)}/"):
        status, headers, text = desk.ask(path, token=False)
        assert status == 403 or status == 302 and "/login" in headers["Location"], path
        assert FAIR not in text
    assert desk.ask(f"/formgrader/api/submission/hw/{FAIR}/autograde", "POST", b"", token=False)[0] == 403


# Links into Jupyter, which this server has not, get an answer that says so.
def test_links_to_files_are_answered(desk):
    status, _, text = desk.ask("/tree/source/hw")
    assert status == 404 and "파일을 열지 않습니다" in text


# nbgrader prints its whole configuration, and reads one from any folder that a link names.
def test_no_secret_and_no_foreign_configuration(desk, tmp_path):
    text = desk.ask("/formgrader/manage_assignments")[2]
    assert desk.token not in text and "sqlite:" not in text and "Current configuration" not in text
    (tmp_path / "nbgrader_config.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()")
    assert desk.ask(f"/formgrader/?path={tmp_path}")[0] == 302 and not (tmp_path / "ran").exists()


# Scripts only with the page's nonce, a new one each time; answers of the API are no HTML.
def test_headers(desk):
    seen = [
        desk.ask(path)[1]
        for path in ("/formgrader/gradebook", f"/formgrader/submissions/{desk.submission(FAIR)}/", "/formgrader/api/students")
    ]
    policies = [headers["Content-Security-Policy"] for headers in seen]
    assert len(set(policies)) == 3 and all("default-src 'none'" in policy for policy in policies)
    assert all("'unsafe-inline'" not in policy.partition("script-src")[2].partition(";")[0] for policy in policies)
    assert seen[2]["Content-Type"].startswith("text/plain") and seen[2]["X-Content-Type-Options"] == "nosniff"
    assert all(headers["Cache-Control"] == "no-store" for headers in seen)


@pytest.mark.parametrize(
    ("given", "kept", "says"),
    [
        (3.5, 3.5, ""),
        ("4", 4, ""),
        ("", None, ""),
        (None, None, ""),
        (999, 5, "5점까지"),
        (-3, 0, "0점으로"),
        (1e308, 5, "5점까지"),
    ],
)
def test_scores_stay_in_their_range(desk, given, kept, says):
    grade = desk.grades(FAIR)["essay"]
    status, _, text = desk.ask(f"/formgrader/api/grade/{grade['id']}", "PUT", {"manual_score": given, "extra_credit": None})
    answer = json.loads(text)
    assert (status, answer["manual_score"], desk.grades(FAIR)["essay"]["manual_score"]) == (200, kept, kept)
    assert says in answer.get("message", "") and bool(says) == ("message" in answer)


@pytest.mark.parametrize(
    "body",
    [
        b'{"manual_score": NaN}',
        b'{"manual_score": Infinity}',
        b'{"manual_score": "abc"}',
        b'{"manual_score": [1]}',
        b'{"manual_score": true}',
        b'{"manual_score": 1, "extra_credit": NaN}',
        b"[1]",
        b"{}",
        b"",
    ],
)
def test_other_scores_are_refused(desk, body):
    grade = desk.grades(FAIR)["essay"]
    status, _, text = desk.ask(f"/formgrader/api/grade/{grade['id']}", "PUT", body)
    assert status == 400 and "숫자로" in json.loads(text)["message"]
    assert desk.grades(FAIR)["essay"] == grade


# A comment that a database would choke on is kept without the characters in question.
def test_comments(desk):
    path = f"/formgrader/api/comments?submission_id={desk.submission(FAIR)}"
    comment = next(one for one in json.loads(desk.ask(path)[2]) if one["name"] == "essay")
    assert (
        desk.ask(f"/formgrader/api/comment/{comment['id']}", "PUT", b'{"manual_comment": "\\u0000\\uc88b\\ub2e4 \\ud800"}')[0]
        == 200
    )
    assert next(one for one in json.loads(desk.ask(path)[2]) if one["name"] == "essay")["manual_comment"] == "좋다 ?"


# What another program writes is on the next page; a request that fails spoils none after it.
def test_sessions_are_fresh(desk):
    desk.grades(SCORED)
    with CourseFolder(desk.root).gradebook() as gradebook:
        gradebook.find_grade("add-visible", "hw", ASSIGNMENT, SCORED).manual_score = 1.25
        gradebook.db.commit()
    assert desk.grades(SCORED)["add-visible"]["manual_score"] == 1.25
    status, _, text = desk.ask(f"/formgrader/api/student/{SCORED}", "PUT", {"last_name": {"no": "text"}})
    assert status == 500 and "저장하거나 읽지 못했습니다" in json.loads(text)["message"]
    grade = desk.grades(SCORED)["add-visible"]
    assert desk.ask(f"/formgrader/api/grade/{grade['id']}", "PUT", {"manual_score": None})[0] == 200


# A score that cannot be saved is not lost in silence.
def test_failed_save_is_shown(desk, visit):
    page, _ = visit(desk)
    open_submission(page, desk, FAIR)
    page.route("**/api/grade/*", lambda route: route.fulfill(status=500, body="x"))
    page.fill("#essay", "2")
    page.press("#essay", "Escape")
    page.wait_for_selector(".desk-message")
    assert "저장하지 못했습니다" in page.inner_text(".desk-message")


# The graded notebook is gone: 404 with what to do.
def test_missing_notebook(desk):
    path, submission = desk.root / "autograded" / SCORED / ASSIGNMENT / "hw.ipynb", desk.submission(SCORED)
    path.rename(path.with_suffix(".away"))
    status, _, text = desk.ask(f"/formgrader/submissions/{submission}/")
    path.with_suffix(".away").rename(path)
    assert status == 404 and f"./course grade hw --student {SCORED}" in text


# The autograde button runs our grading; meanwhile the server answers as ever.
def test_autograde_button_does_not_freeze(desk, visit):
    page, seen = visit(desk)
    open_list(page, desk, "manage_submissions/hw")
    waits, done = [], threading.Event()

    def ask_all_the_time() -> None:
        while not done.is_set():
            start = time.monotonic()
            assert desk.ask("/formgrader/api/notebooks/hw")[0] == 200
            waits.append(time.monotonic() - start)
            time.sleep(0.1)

    asking = threading.Thread(target=ask_all_the_time)
    asking.start()
    start = time.monotonic()
    page.click(f"tr:has(.student-id:text-is('{SLOW}')) .autograde a")
    page.wait_for_selector("#success-modal", timeout=60_000)
    took = time.monotonic() - start
    done.set()
    asking.join()
    assert took > 3 and sorted(waits)[len(waits) // 2] < 0.5 and max(waits) < took / 3, (took, waits)
    assert f"{SLOW}  채점함  10/10" in page.inner_text("#success-modal") and seen.console == []


# A hand-in that cannot be graded is an error with its reason; other verbs answer through the same door.
def test_buttons_tell_what_went_wrong(desk):
    (desk.root / "submitted" / SLOW / ASSIGNMENT / "hw.ipynb").rename(desk.root / "kept.ipynb")
    answer = json.loads(desk.ask(f"/formgrader/api/submission/hw/{SLOW}/autograde", "POST", b"")[2])
    (desk.root / "kept.ipynb").rename(desk.root / "submitted" / SLOW / ASSIGNMENT / "hw.ipynb")
    assert not answer["success"] and "hw.ipynb" in answer["error"]
    answer = json.loads(desk.ask(f"/formgrader/api/assignment/hw/{FAIR}/generate_feedback", "POST", b"")[2])
    assert answer["success"] and [p.parts[-3] for p in (desk.root / "feedback").rglob("*.html")] == [FAIR]
