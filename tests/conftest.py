"""A small course made by code, for tests that need every part but not the real chapters."""
from __future__ import annotations

import fcntl
import os
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import sync_playwright

from autograder import notebooks
from autograder.browser import find_browser
from autograder.course import Course, load

ROOT = Path(__file__).resolve().parent.parent
# nbgrader calls its database tool by name; ./course does the same for its verbs.
os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]


@pytest.fixture(scope="session")
def course() -> Course:
    """The real course."""
    return load(ROOT)


@pytest.fixture
def mini(tmp_path: Path) -> Course:
    """A course with one chapter, `one`, and one exercise, `one-double`, whose parts tests may damage."""
    return make_mini(tmp_path / "mini")


def make_mini(root: Path) -> Course:
    (root / "chapters" / "variants" / "one-double").mkdir(parents=True)
    shutil.copytree(ROOT / "chapters" / "setup", root / "chapters" / "setup")
    shutil.copytree(ROOT / "chapters" / "fonts", root / "chapters" / "fonts")
    for name in ("glossary.yml", "nbgrader_config.py", "LICENSE"):
        shutil.copy(ROOT / name, root)
    (root / "course.yml").write_text(
        "title: 작은 교재\nauthor: 시험\nstudent_repository: owner/name\nbranch: main\nsite_url: https://example.org/book/\n"
        "answers: never\nassignments:\n  lab1:\n    title: 작은 과제\n    due: 2026-12-14 23:59\n    chapters: [one]\n",
        encoding="utf-8",
    )
    (root / "_toc.yml").write_text("format: jb-book\nroot: chapters/one\n", encoding="utf-8")
    notebooks.write(mini_chapter(), root / "chapters" / "one.ipynb")
    for name, text in VARIANTS.items():
        (root / "chapters" / "variants" / "one-double" / f"{name}.py").write_text(text, encoding="utf-8")
    course = load(root)
    notebooks.tidy(course)
    return course


def mini_chapter() -> nbformat.NotebookNode:
    locked = {"grade": False, "solution": False, "task": False, "locked": True, "schema_version": 3}
    answer = locked | {"solution": True, "locked": False}
    graded = locked | {"grade": True}
    cells = [
        _cell("markdown", "one-title", "(ch-one)=\n# 두 배\n\n이 절은 [두 배](#ex-one-double)를 배웁니다."),
        _cell("code", "one-setup", "", {"course": {"setup": "chapter"}, "tags": ["hide-input"]}),
        _cell("code", "one-checks", "", {"course": {"setup": "checks"}, "tags": ["hide-input"]}),
        _cell("code", "one-worked", "print(torch.ones(2) + 1)   # (2,) -> (2,)"),
        _cell("markdown", "one-double-task", TASK, {"course": {"minutes": 3, "difficulty": 1}, "nbgrader": locked | {"grade_id": "one-double-task"}}),
        _cell("code", "one-double", ANSWER, {"nbgrader": answer | {"grade_id": "one-double"}}),
        _cell("code", "one-double-visible", VISIBLE, {"nbgrader": graded | {"grade_id": "one-double-visible", "points": 2}}),
        _cell("code", "one-double-hidden", HIDDEN, {"nbgrader": graded | {"grade_id": "one-double-hidden", "points": 3}}),
    ]
    return notebooks.canonical(nbformat.from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": {"course": {"chapter": "one"}}, "cells": cells}))


def _cell(cell_type: str, cell_id: str, source: str, metadata: dict | None = None) -> dict:
    cell = {"cell_type": cell_type, "id": cell_id, "metadata": metadata or {}, "source": source}
    return cell | ({"outputs": [], "execution_count": None} if cell_type == "code" else {})


TASK = """(ex-one-double)=
### 직접 해보기 (1) 두 배

모든 칸을 두 배로 만드는 `double(x)`를 쓰세요.

<details>
<summary>힌트 1: 말로</summary>

한 칸씩 두 번 더합니다.

</details>

<details>
<summary>힌트 2: 의사코드</summary>

`결과 = x + x`

</details>"""
ANSWER = '''def double(x):
    """모든 칸을 두 배로 만듭니다."""
    ### BEGIN SOLUTION
    scaled_by_secret_factor = x * 2.0
    return scaled_by_secret_factor
    ### END SOLUTION'''
VISIBLE = '''#@title 보이는 점검 (실행하면 통과했는지 알려 줍니다) { display-mode: "form" }
def check_one_double():
    got = double(torch.tensor([1.0, 2.0]))
    expect(got, torch.tensor([2.0, 4.0]), "[1, 2]의 두 배가 [2, 4]가 아닙니다.", {"더하지 않고 그대로 돌려주었습니다.": torch.tensor([1.0, 2.0])})


check_one_double()
print("보이는 점검을 통과했습니다.")'''
HIDDEN = '''# 숨은 점검: 낸 뒤에 다른 값과 모양으로 확인합니다.
### BEGIN HIDDEN TESTS
hidden_matrix = torch.tensor([[3.0, -1.5, 0.0], [0.25, 7.0, 8.0]])
hidden_before = hidden_matrix.clone()
expect(
    double(hidden_matrix),
    hidden_before + hidden_before,
    "다른 값에서는 두 배가 아닙니다.",
    {"제곱했습니다. 2를 곱하세요.": hidden_before**2, "2를 더했습니다. 2를 곱하세요.": hidden_before + 2},
)
assert torch.equal(hidden_matrix, hidden_before), "입력을 바꾸었습니다. 새 텐서를 돌려주세요."
### END HIDDEN TESTS'''
VARIANTS = {
    "wrong_same": '"""더하지 않고 그대로 돌려주었습니다."""\ndef double(x):\n    return x.clone()\n',
    "wrong_square": '"""제곱했습니다. 2를 곱하세요."""\ndef double(x):\n    return torch.where(x == 1, 2 * x, x**2)\n',
    "wrong_plus": '"""[1, 2]의 두 배가 [2, 4]가 아닙니다."""\ndef double(x):\n    return x + 2\n',
    "wrong_typed": '"""결과의 모양이 기대와 다릅니다. 어느 축이 남아야 하는지 확인하세요."""\ndef double(x):\n    return torch.tensor([2.0, 4.0])\n',
    "wrong_inplace": '"""입력을 바꾸었습니다. 새 텐서를 돌려주세요."""\ndef double(x):\n    return x.mul_(2)\n',
    "right_add": '"""더하기로."""\ndef double(x):\n    return x + x\n',
    "right_loop": '"""한 칸씩."""\ndef double(x):\n    return torch.stack([v * 2 for v in x])\n',
}


@contextmanager
def alone():
    """One process at a time in the real course's _build/: tests run on several cores."""
    (ROOT / "_build").mkdir(exist_ok=True)
    with open(ROOT / "_build" / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def pytest_runtest_logreport(report):
    """Where the data of a test lies on the machine, skipping that test would be a hole nobody sees."""
    if report.skipped and os.environ.get("ATTENTION_REQUIRE_DATA"):
        SKIPPED_WITH_DATA.append(report.nodeid)


SKIPPED_WITH_DATA: list[str] = []


def pytest_sessionfinish(session, exitstatus):
    if SKIPPED_WITH_DATA and exitstatus == 0:
        session.exitstatus = 1
        print(f"\nskipped although the data is here: {', '.join(SKIPPED_WITH_DATA)}")


# One for the whole process: Playwright cannot be started twice in a thread.
@pytest.fixture(scope="session")
def browser():
    executable = find_browser(print)  # says what to install when there is none
    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        yield running
        running.close()
