"""The workflows cannot be run here; what they rely on can be checked."""
from __future__ import annotations

import importlib
import re
import shlex
import subprocess
import sys

import pytest
import yaml

from autograder import notebooks
from autograder.cli import _parser
from autograder.course import Course
from tests.conftest import ROOT

FILES = sorted([*(ROOT / ".github" / "workflows").glob("*.yml"), *(ROOT / ".github" / "actions").glob("*/action.yml")])
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in FILES if path.parent.name == "workflows"}
JOBS = [(name, job) for name, workflow in WORKFLOWS.items() for job in workflow["jobs"]]


def steps(path) -> list[dict]:
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    return document["runs"]["steps"] if "runs" in document else [step for job in document["jobs"].values() for step in job["steps"]]


def commands() -> list[str]:
    return [line.strip() for path in FILES for step in steps(path) for line in step.get("run", "").splitlines()]


def test_what_the_workflows_run_is_in_the_project():
    verbs = next(action for action in _parser()._actions if action.dest != "help").choices
    seen = set()
    for command in commands():
        if found := re.match(r"\./course (?!--)(\S+)", command):
            assert found[1] in verbs, command
        if found := re.search(r"python -m (autograder\S*)", command):
            importlib.import_module(found[1])
        if found := re.match(r"bash (\S+)", command):
            assert (ROOT / found[1]).is_file(), command
        seen.add(command.split(" ")[0])
    assert {"./course", "bash", ".venv/bin/python"} <= seen


@pytest.mark.parametrize("path", [path for path in FILES if path.parent.name == "workflows"], ids=lambda path: path.stem)
def test_a_change_from_outside_meets_no_secret(path):
    text = path.read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    assert "pull_request_target" not in workflow[True]  # YAML 1.1 reads the key `on` as true
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        assert "permissions" not in job
        if "secrets." in yaml.safe_dump(job):
            assert (path.stem, name) == ("ci", "publish") and job["if"] == "github.event_name == 'push'" and job["needs"] == "test"


@pytest.mark.parametrize(("name", "job"), JOBS)
def test_every_job_ends_and_waits_for_its_like(name, job):
    workflow = WORKFLOWS[name]
    assert workflow["jobs"][job]["timeout-minutes"] <= 60
    assert "concurrency" in workflow or "concurrency" in workflow["jobs"][job]


def test_every_action_is_pinned_to_a_version_or_lies_here():
    for path in FILES:
        for step in steps(path):
            if (used := step.get("uses", "")).startswith("./"):
                assert (ROOT / used / "action.yml").is_file()
            elif used:
                assert re.fullmatch(r"actions/[\w-]+@v\d+", used)


def test_only_a_build_with_the_key_is_published():
    publish_job = WORKFLOWS["ci"]["jobs"]["publish"]
    first, *rest = publish_job["steps"]
    assert first["if"] == "env.HAS_KEY != 'true'" and "::notice::" in first["run"]
    assert {step["if"] for step in rest} == {"env.HAS_KEY == 'true'"}


def test_the_public_repository_is_read_from_course_yml(course):
    lines = {line for line in commands() if line.startswith("repository=$(")}
    assert len(lines) == 1
    script = f'{lines.pop()}\nprintf %s "$repository"'
    assert subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout == course.student_repository


def imported(course: Course) -> set[str]:
    cells = [cell for path in course.chapters.glob("*.ipynb") for cell in notebooks.read(path).cells if cell.cell_type == "code"]
    return {name for cell in cells for name in re.findall(r"^\s*(?:import|from) (\w+)", cell.source, flags=re.M)}


def test_the_weekly_run_installs_what_the_notebooks_import(course):
    install = next(command for command in commands() if "-c pins.txt" in command)
    packages = set(shlex.split(install.partition("-c pins.txt")[2]))
    assert imported(course) - set(sys.stdlib_module_names) - {"IPython"} <= packages and "ipykernel" in packages
