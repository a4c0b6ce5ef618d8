"""A desk as ./course formgrade starts it, in a process of its own, and a browser before it."""
from __future__ import annotations

import json
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from autograder.grade.run import grade
from tests.conftest import ROOT
from tests.desk.payloads import HONEST, NAME, PIXEL, attack
from tests.grade.small_course import ASSIGNMENT, MULS, filled, find, hand_in, make_course, temporary

ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}


@dataclass
class Desk:
    root: Path
    address: str  # http://127.0.0.1:port
    token: str
    process: subprocess.Popen
    said: list[str]
    before: Path | None = None  # a copy of the course as it was when the desk was opened

    def ask(self, path: str, method: str = "GET", body=None, token: bool = True) -> tuple[int, dict, str]:
        """One request without a browser: status, headers, text."""
        headers = {"Authorization": f"token {self.token}"} if token else {}
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data=data, method=method, headers=headers)
        try:
            with urllib.request.build_opener(NoRedirect).open(request, timeout=120) as answer:
                return answer.status, dict(answer.headers), answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, dict(error.headers), error.read().decode()

    def grades(self, student: str) -> dict[str, dict]:
        """The grades of one hand-in, by cell, as the desk tells them."""
        found = json.loads(self.ask(f"/formgrader/api/grades?submission_id={self.submission(student)}")[2])
        return {grade["name"]: grade for grade in found}

    def submission(self, student: str) -> str:
        listed = json.loads(self.ask(f"/formgrader/api/submitted_notebooks/{ASSIGNMENT}/hw")[2])
        return next(one["id"] for one in listed if one["student"] == student)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args, **kwargs) -> None:
        return None


@contextmanager
def open_desk(root: Path):
    command = [sys.executable, "-m", "autograder", "formgrade", str(root), "--port", "0"]
    process = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
    said, lines = [], queue.SimpleQueue()
    threading.Thread(target=lambda: [lines.put(line) for line in process.stdout], daemon=True).start()
    try:
        while not said or "Ctrl-C" not in said[-1]:
            said.append(lines.get(timeout=60))
        address, token = re.search(r"(http://127\.0\.0\.1:\d+)/formgrader/\?token=(\S+)", "".join(said)).groups()
        yield Desk(root, address, token, process, said)
    finally:
        process.terminate()
        process.wait(timeout=30)


@dataclass
class Seen:
    """What happened in the browser that should not."""

    console: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def open_page(browser: Browser, desk: Desk | None = None) -> tuple[Page, Seen]:  # noqa: F811
    """A page that records; with a desk, one that is logged in there. Nothing leaves the machine."""
    page, seen = browser.new_page(viewport={"width": 1280, "height": 900}, locale="ko-KR"), Seen()

    def only_own(route) -> None:
        url = route.request.url
        own = url.startswith((desk.address if desk else "file:", "data:", "blob:", "about:"))
        if not own:
            seen.outside.append(url)
        route.continue_() if own else route.abort()

    def dismiss(dialog) -> None:
        seen.dialogs.append(dialog.message)
        dialog.dismiss()

    page.route("**/*", only_own)
    page.on("console", lambda message: seen.console.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: seen.console.append(str(error)))
    page.on("dialog", dismiss)
    page.on("response", lambda answer: seen.refused.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None)
    page.add_init_script("window.ran = []; window.hit = (name) => window.ran.push(name);")
    if desk:
        page.goto(f"{desk.address}/formgrader/?token={desk.token}", wait_until="domcontentloaded")
    return page, seen


READY = "window.formgrader?.loaded && MathJax.loaded && formgrader.grades.loaded && formgrader.comments.loaded"


def until(page: Page, condition: str) -> None:
    """wait_for_function evaluates text inside the page, which the page's headers forbid."""
    deadline = time.monotonic() + 30
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, condition
        page.wait_for_timeout(50)


def open_list(page: Page, desk: Desk, path: str) -> None:
    page.goto(f"{desk.address}/formgrader/{path}")
    until(page, "!document.body.innerText.includes('Loading') && jQuery.active === 0")


def open_submission(page: Page, desk: Desk, student: str) -> None:
    """The grading page of a student, its formulas typeset and its scores loaded."""
    page.goto(f"{desk.address}/formgrader/submissions/{desk.submission(student)}/")
    until(page, READY)
    page.wait_for_load_state("networkidle")  # a view that is drawn anew would take no notice of what is typed


# Tests change what belongs to their student alone.
HOSTILE, FAIR, STOPPED, SCORED, SLOW = NAME, "2026000001", "2026000002", "2026000003", "2026000004"


@pytest.fixture(scope="session")
def desk():
    """The desk of a graded class."""
    root = make_course(temporary() / "course")
    honest = filled(root, essay=HONEST)
    find(honest, "essay").attachments = {"그림.png": {"image/png": PIXEL}}
    hand_in(root, HOSTILE, attack(root))
    hand_in(root, FAIR, honest)
    hand_in(root, STOPPED, filled(root, mul=MULS["exit"]))
    hand_in(root, SCORED, filled(root))
    statuses = {record.student: record.status for record in grade(root, ASSIGNMENT)}
    assert statuses == {HOSTILE: "graded", FAIR: "graded", STOPPED: "stopped", SCORED: "graded"}
    hand_in(root, SLOW, filled(root, mul="time.sleep(3)\ndef mul(a, b):\n    return a * b"))
    shutil.copytree(root, root.parent / "before")
    with open_desk(root) as desk:
        desk.before = root.parent / "before"
        yield desk


@pytest.fixture
def visit(browser):  # noqa: F811
    """visit(desk) -> page, what was seen; the pages are closed at the end."""
    pages = []

    def visit(desk: Desk | None = None) -> tuple[Page, Seen]:
        page, seen = open_page(browser, desk)
        pages.append(page)
        return page, seen

    yield visit
    for page in pages:
        page.close()
