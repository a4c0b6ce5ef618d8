"""The repository itself: generated files are current, personal data stays out, nothing speaks of one machine."""
import ast
import json
import re
import subprocess

import pytest

import autograder
from autograder import leaks, notebooks
from autograder.assemble import outdated
from tests.conftest import ROOT

PERSONAL = [
    "submitted/2026100001/lab11/lab11.ipynb",
    "attempts/2026100001/lab11/a/lab11.ipynb",
    "autograded/2026100001/lab11/lab11.ipynb",
    "feedback/2026100001/lab11/feedback.html",
    "reports/lab11/index.html",
    "exchange/course/inbound/x",
    "gradebook.db",
    "gradebook.db-journal",
    "old-gradebook.db.bak",
    "roster.csv",
    "2026-roster.xlsx",
    "extensions.csv",
    "matches/lab11.csv",
    "CS101-과제-77.zip",
    "채점 워크시트.csv",
    "gc_2026.xls",
    "grades.csv",
    "demo/handins/2026100001_lab11.ipynb",
]


def tracked() -> list[str]:
    return subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")[:-1]


@pytest.mark.parametrize("path", PERSONAL)
def test_git_would_not_add_personal_data(path):
    assert subprocess.run(["git", "check-ignore", "-q", "--no-index", path], cwd=ROOT, check=False).returncode == 0


@pytest.mark.parametrize("path", ["source/lab11/lab11.ipynb", "release/lab11/lab11.ipynb", "chapters/hand.ipynb", "tests/golden.json"])
def test_git_would_add_what_belongs_to_it(path):
    assert subprocess.run(["git", "check-ignore", "-q", "--no-index", path], cwd=ROOT, check=False).returncode == 1


def test_generated_folders_are_marked(course):
    for folder in ("source", "release"):
        out = subprocess.run(
            ["git", "check-attr", "linguist-generated", f"{folder}/lab11/lab11.ipynb"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        assert out.rstrip().endswith("true")


def test_source_and_release_are_current(course):
    assert outdated(course) == [], "run ./course assemble"


def test_the_release_leaks_nothing(course):
    secret = leaks.secrets([notebooks.read(path) for path in course.chapters.glob("*.ipynb")])
    assert leaks.scan(ROOT / "release", secret) == []


def test_no_notebook_holds_outputs():
    for path in tracked():
        if path.endswith(".ipynb"):
            for cell in json.loads((ROOT / path).read_text(encoding="utf-8"))["cells"]:
                assert not cell.get("outputs"), path


def test_nothing_names_a_machine_s_folder():
    found = []
    for path in tracked():
        if path.startswith(("tests/", ".github/")) or path.endswith((".otf", ".png")):
            continue
        text = (ROOT / path).read_text(encoding="utf-8")
        found += [(path, match) for match in re.findall(r"/(?:work|home|Users|root)/[\w.-]+/", text)]
    assert not found


def test_no_module_imports_one_that_comes_later():
    """The order is the list in autograder/__init__.py."""
    order = re.findall(r"[\w.]+", autograder.__doc__.split("later.")[1])

    def place(name: str) -> int:
        """Of autograder.grade.folder: that of its own entry, else of the package's."""
        parts = name.split(".")[1:]
        return next(order.index(entry) for k in (2, 1) if (entry := ".".join(parts[:k])) in order)

    wrong = []
    for path in (ROOT / "autograder").rglob("[!_]*.py"):
        importer = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "autograder":
                # Inside a package its own __init__.py lists the modules.
                names = [node.module] if "." in node.module else [f"autograder.{a.name}" for a in node.names if a.name[0].islower()]
                later = [name for name in names if place(name) > place(importer)]
                wrong += [(importer, name) for name in later if name.split(".")[1] != importer.split(".")[1]]
    assert not wrong


def test_no_file_is_large():
    assert [path for path in tracked() if (ROOT / path).stat().st_size > 2_000_000] == []
