"""The command line as an instructor uses it: from a zip to a CSV, and what it says when something is wrong."""
import json
import os
import re
import subprocess
import sys
import zipfile

import pytest

from autograder import notebooks
from autograder.assemble import assemble
from autograder.handins import filled
from tests.conftest import ROOT, make_mini


def course_command(*arguments, check=True):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "autograder", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def term(tmp_path_factory):
    """A course folder with three hand-ins in a zip: right, blank, and one that quotes a delimiter in its error."""
    course = make_mini(tmp_path_factory.mktemp("cli") / "mini")
    _, release_path = assemble(course, "lab1")
    release = notebooks.read(release_path)
    answers = {
        "2026000001_김하나": {"one-double": "def double(x):\n    return x + x"},
        "2026000002_이둘": {},
        "2026000003_박셋": {"one-double": "def double(x):\n    raise ValueError('### BEGIN SOLUTION')"},
    }
    archive = course.root / "제출.zip"
    with zipfile.ZipFile(archive, "w") as handle:
        for name, answer in answers.items():
            handle.writestr(f"{name}.ipynb", notebooks.dumps(filled(release, answer)))
    course_command("collect", archive, "--assignment", "lab1", "--course", course.root)
    course_command("grade", "lab1", "--course", course.root, "--json", course.root / "grade.json")
    return course.root


def test_grading_gives_one_record_a_student(term):
    records = {r["student"]: r for r in json.loads((term / "grade.json").read_text(encoding="utf-8"))}
    assert {student: (r["status"], r["auto_score"]) for student, r in records.items()} == {
        "2026000001": ("graded", 5),
        "2026000002": ("graded", 0),
        "2026000003": ("graded", 0),
    }


def test_report_and_export_end_in_files(term):
    course_command("report", "lab1", "--course", term)
    course_command("export", "lab1", term / "grades.csv", "--course", term)
    assert (term / "reports" / "lab1" / "index.html").is_file()
    text = (term / "grades.csv").read_bytes().decode("utf-8-sig")
    assert [line.split(",")[:3] for line in text.splitlines()[1:]] == [
        ["2026000001", "lab1", "5"],
        ["2026000002", "lab1", "0"],
        ["2026000003", "lab1", "0"],
    ]


def test_every_student_gets_a_page_and_none_holds_what_a_student_made_a_check_say(term):
    course_command("feedback", "lab1", "--course", term)
    pages = {path.parts[-3]: path.read_text(encoding="utf-8") for path in (term / "feedback").rglob("feedback.html")}
    assert sorted(pages) == ["2026000001", "2026000002", "2026000003"]
    assert "BEGIN SOLUTION" not in pages["2026000003"] and "ValueError 오류가 났습니다" in pages["2026000003"]


def test_a_page_that_holds_an_answer_is_withheld_and_the_others_are_not(term):
    """The instructor's own words can give an answer away; here the title of the assignment does."""
    settings = (term / "course.yml").read_text(encoding="utf-8")
    (term / "course.yml").write_text(settings.replace("작은 과제", "'### BEGIN SOLUTION'"), encoding="utf-8")
    done = course_command("feedback", "lab1", "--course", term, check=False)
    (term / "course.yml").write_text(settings, encoding="utf-8")
    assert done.returncode == 1 and "3명" in done.stderr and not list((term / "feedback").rglob("feedback.html"))


def test_export_says_who_handed_in_after_grading(term):
    path = term / "submitted" / "2026000002" / "lab1" / "lab1.ipynb"
    os.utime(path)
    done = course_command("export", "lab1", term / "again.csv", "--course", term, check=False)
    assert done.returncode == 1 and (term / "again.csv").is_file()
    assert done.stderr.startswith("이전 점수로 적었습니다: 2026000002.") and "./course grade lab1" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["grade", "lab9"], "있는 과제: lab1"),
        (["collect", "없는파일.zip", "--assignment", "lab1"], "'없는파일.zip'을 찾을 수 없습니다"),
        (["grade", "lab1", "--student", "1999"], "1999"),
    ],
)
def test_a_mistake_is_answered_with_what_to_do(term, arguments, said):
    done = course_command(*arguments, "--course", term, check=False)
    assert done.returncode == 1 and said in done.stderr and "Traceback" not in done.stderr


def test_publishing_into_a_folder_of_something_else_is_refused_before_the_build(tmp_path):
    (tmp_path / "보고서.docx").write_text("남의 것")
    done = course_command("publish", tmp_path, check=False)
    assert done.returncode == 1 and "보고서.docx" in done.stderr and done.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["보고서.docx"]


def test_feedback_before_grading_says_what_to_do_first(tmp_path):
    course = make_mini(tmp_path / "mini")
    assemble(course, "lab1")
    done = course_command("feedback", "lab1", "--course", course.root, check=False)
    assert done.returncode == 1 and "./course grade lab1" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "빠진 것이 있습니다: 명령\n자세한 설명: ./course --help"),
        (["gradee", "lab1"], "없는 명령입니다. 'gradee'"),
        (["publish"], "빠진 것이 있습니다: DIR\n자세한 설명: ./course publish --help"),
        (["build", "--pdff"], "모르는 말이 있습니다: --pdff"),
        (["grade", "lab1", "--workers", "둘"], "--workers: 수가 아닙니다: '둘'"),
        (["grade", "lab1", "--workers"], "--workers: 뒤에 값을 적으세요"),
    ],
)
def test_a_mistyped_command_is_answered_in_korean(arguments, said):
    done = course_command(*arguments, check=False)
    assert done.returncode == 2 and said in done.stderr and not re.search(r"usage|error|argument", done.stderr)


def test_help_names_every_verb():
    text = course_command("--help").stdout
    verbs = "demo test tidy check assemble build preview publish doctor collect grade feedback report export formgrade"
    for verb in verbs.split():
        assert re.search(rf"\n    {verb}\s", text)
