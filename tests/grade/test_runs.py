"""Promises about grading again, about other people's course folders, and about the seam to the engine."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_output
from nbgrader.utils import determine_grade

from autograder import CourseError
from autograder.grade.blueprint import build
from autograder.grade.engine import Graded
from autograder.grade.folder import CourseFolder
from autograder.grade.preprocessors import Settle
from autograder.grade.records import Record, read_records
from autograder.grade.run import Settings, grade, sample, verify
from autograder.grade.totals import total
from autograder.grade.trial import Budget
from tests.grade.small_course import ADD, ASSIGNMENT, CONFIG, STAMP, answer, check, filled, find, hand_in, make_course, source_cells, tree
from tests.grade.small_course import release as released


class Instant:
    """An engine without kernels: every check passes, except for the student "wrong". Shows that `run` needs no other."""

    def __init__(self, plan):
        self.plan, self.closed = plan, False

    def grade(self, hand_in):
        if hand_in.student == "breaks":
            raise OSError("no space left on device")
        executed = hand_in.folder / "executed"
        executed.mkdir()
        for name in self.plan.cells:
            notebook = nbformat.read(hand_in.submitted / f"{name}.ipynb", as_version=4)
            if hand_in.student == "wrong":
                find(notebook, "add-visible").outputs = [new_output("error", ename="AssertionError", evalue="", traceback=[])]
            nbformat.write(notebook, executed / f"{name}.ipynb")
        return Graded(self.plan.record(hand_in.student, auto_score=7.0), executed)

    def close(self):
        self.closed = True


@pytest.fixture
def root(tmp_path):
    return make_course(tmp_path / "course")


# Any engine can take the place of ours; its failure on one hand-in is a record like any other.
def test_engine_is_a_seam(root):
    for student in ("breaks", "wrong", "right"):
        hand_in(root, student, filled(root))
    engines = []
    found = grade(root, ASSIGNMENT, make_engine=lambda plan: engines.append(Instant(plan)) or engines[0])
    wanted = [("breaks", "stopped", 0), ("right", "graded", 7), ("wrong", "graded", 7)]
    assert [(r.student, r.status, r.auto_score) for r in found] == wanted
    assert "no space left" in found[0].reason and engines[0].closed
    grades = CourseFolder(root).hand_scores(ASSIGNMENT)
    assert grades["right"].cells["add-visible"].score == 2 and grades["wrong"].cells["add-visible"].score == 0


# Chosen students only; a student who has handed in nothing, an unknown assignment and an empty class are told apart.
def test_choosing_students(root):
    with pytest.raises(CourseError, match="낸 과제가 없습니다"):
        grade(root, ASSIGNMENT, make_engine=Instant)
    hand_in(root, "right", filled(root))
    hand_in(root, "wrong", filled(root))
    assert [r.student for r in grade(root, ASSIGNMENT, students=["wrong"], make_engine=Instant)] == ["wrong"]
    assert [r.student for r in read_records(root, ASSIGNMENT)] == ["wrong"]
    with pytest.raises(CourseError, match="nobody"):
        grade(root, ASSIGNMENT, students=["nobody"], make_engine=Instant)
    with pytest.raises(CourseError, match="hw9"):
        grade(root, "hw9", make_engine=Instant)


# nbgrader calls `alembic` by name when it makes a gradebook: it must be found without an activated environment.
def test_environment_need_not_be_activated(root, monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (root / "gradebook.db").unlink()
    hand_in(root, "right", filled(root))
    assert grade(root, ASSIGNMENT, make_engine=Instant)[0].status == "graded"


# Grading again: a changed check counts, hand scores stay, the time of submission stays; a refused new hand-in leaves
# the old scores alone and says so. Graded cells that come or go are an error that tells what to do and changes nothing.
def test_grading_again(root):
    hand_in(root, "right", filled(root))
    assert grade(root, ASSIGNMENT)[0].auto_score == 10
    course = CourseFolder(root)
    with course.gradebook() as gradebook:
        essay = gradebook.find_grade("essay", "hw", ASSIGNMENT, "right")
        essay.manual_score, essay.extra_credit = 4.5, 0.5
        gradebook.db.commit()

    cells = source_cells()
    cells[4].source = 'assert add(1, 2) == 4, "새 점검입니다."'
    write_source(root, cells)
    before = tree(root / "release") | tree(root / "submitted")
    again = grade(root, ASSIGNMENT)[0]
    assert (again.auto_score, again.cells["add-visible"]["message"]) == (8, "새 점검입니다.")
    scores = course.hand_scores(ASSIGNMENT)["right"]
    assert (scores.cells["essay"].score, scores.cells["essay"].by_hand, scores.cells["add-visible"].score) == (4.5, True, 0)
    assert total(again, scores).score == 13
    with course.gradebook() as gradebook:
        assert gradebook.find_submission(ASSIGNMENT, "right").timestamp.isoformat() == "2026-12-01T03:04:05"

    hand_in(root, "right", b"{")
    refused = grade(root, ASSIGNMENT, settings=Settings(workers=1))[0]
    assert refused.status == "refused" and "그대로" in refused.flags[0]
    assert course.hand_scores(ASSIGNMENT)["right"].cells["mul-hidden"].score == 4
    hand_in(root, "right", filled(root))

    write_source(root, [*cells, answer("sub", ADD.replace("add", "sub")), check("sub-visible", 1, "assert sub(2, 1) == 1")])
    rows = (root / "gradebook.db").read_bytes()
    with pytest.raises(CourseError) as error:
        grade(root, ASSIGNMENT, make_engine=Instant)
    assert "hw/sub-visible" in str(error.value) and "nbgrader db assignment remove" in str(error.value)
    assert (root / "gradebook.db").read_bytes() == rows
    assert {k: v[0] for k, v in (tree(root / "release") | tree(root / "submitted")).items()} == {k: v[0] for k, v in before.items()}


def write_source(root: Path, cells: list) -> None:
    path = root / "source" / ASSIGNMENT / "hw.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = cells
    nbformat.write(notebook, path)


# Somebody else's folder: two notebooks with the same grade ids, data and a module beside them, hidden tests marked in
# the course's own way, partial credit, other folder names, a preprocessor of the course, names with spaces and brackets.
def test_foreign_course(tmp_path):
    config = CONFIG + (
        "c.ClearHiddenTests.begin_test_delimeter = '#secret'\nc.ClearHiddenTests.end_test_delimeter = '#public'\n"
        "c.CourseDirectory.submitted_directory = 'collected'\n"
        "import autograder_test_step\nc.Autograde.autograde_preprocessors = autograder_test_step.STEPS\n"
    )
    root = tmp_path / "my course [1]"
    root.mkdir()
    (root / "autograder_test_step.py").write_text(
        "from nbgrader.converters import Autograde\nfrom nbgrader.preprocessors import NbGraderPreprocessor\n"
        "class Mark(NbGraderPreprocessor):\n    def preprocess(self, nb, resources):\n"
        "        nb.metadata['step'] = 'was here'\n        return nb, resources\n"
        "STEPS = ['autograder_test_step.Mark'] + [f'{s.__module__}.{s.__name__}' for s in Autograde.autograde_preprocessors.default()]\n"
        .replace("Autograde.autograde_preprocessors.default()", "Autograde.class_traits()['autograde_preprocessors'].default()")
    )
    parts = [
        answer("sol", ADD.replace("return a + b", "from helper import plus\n    return plus(a, b)")),
        check("test", 2, "assert add(1, 2) == 3\n#secret\nassert add(5, 6) == 11, '비밀 11'\n#public"),
        check("part", 4, "float(open('data.txt').read()) * add(0, 1)"),
    ]
    make_course(root, {"one": parts, "two": [answer("sol2", ADD), check("test", 1, "assert add(1, 1) == 2")]}, "week 1", config)
    for name, text in {"data.txt": "1.5", "helper.py": "def plus(a, b):\n    return a + b\n"}.items():
        (root / "source" / "week 1" / name).write_text(text)
    notebook = released(root, "one", "week 1")
    find(notebook, "sol").source = "from helper import plus\ndef add(a, b):\n    return plus(a, b) if a != 5 else 0"
    for student, content in {"김 민수 (2)": notebook, "stub": released(root, "one", "week 1")}.items():
        folder = root / "collected" / student / "week 1"
        folder.mkdir(parents=True)
        nbformat.write(content, folder / "one.ipynb")
    stub, record = sorted(grade(root, "week 1"), key=lambda record: record.student)
    assert (record.status, record.auto_score, record.max_auto) == ("graded", 1.5, 7)
    assert record.cells["one/test"] == {"score": 0, "max": 2, "message": "비밀 11", "hidden": True, "from_grader": False, "weak": False}
    assert (record.cells["part"]["score"], record.cells["part"]["message"], record.cells["part"]["hidden"]) == (1.5, "부분 점수입니다.", False)
    assert "two.ipynb" in record.cells["two/test"]["message"] and record.flags == ["내지 않은 노트북이 있습니다: two.ipynb"]
    assert stub.auto_score == 0
    assert nbformat.read(root / "autograded" / record.student / "week 1" / "one.ipynb", as_version=4).metadata.step == "was here"
    scores = CourseFolder(root).hand_scores("week 1")[record.student]
    assert {name: cell.score for name, cell in scores.cells.items()} == {"one/test": 0, "part": 1.5, "two/test": 0}


# `nbgrader autograde` with our lists in its configuration: the same scores, and student code reaches no check.
def test_nbgrader_autograde_uses_the_engine(root):
    patched = "def add(a, b):\n    return 0\nimport builtins, torch\nbuiltins.AssertionError = ValueError"
    for student, add in {"right": "def add(a, b):\n    return a + b", "wrong": patched, "exit": "os._exit(0)"}.items():
        hand_in(root, student, filled(root, add=add))
    lists = "from autograder.grade.seam import AUTOGRADE, SANITIZE\nc.Autograde.sanitize_preprocessors = SANITIZE\nc.Autograde.autograde_preprocessors = AUTOGRADE\n"
    (root / "nbgrader_config.py").write_text(CONFIG + lists)
    environment = dict(os.environ, PYTHONPATH=str(Path(__file__).parents[2]), PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    for command in (["generate_assignment", ASSIGNMENT, "--force"], ["autograde", ASSIGNMENT]):
        done = subprocess.run([sys.executable, "-m", "nbgrader", *command], cwd=root, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
    scores = {student: {name: cell.score for name, cell in found.cells.items()} for student, found in CourseFolder(root).hand_scores(ASSIGNMENT).items()}
    assert scores["right"] | {"essay": None} == {"add-visible": 2, "add-hidden": 3, "mul-visible": 1, "mul-hidden": 4, "essay": None}
    assert (scores["wrong"]["add-visible"], scores["wrong"]["mul-hidden"]) == (0, 4)
    assert (scores["exit"]["add-visible"], scores["exit"]["mul-hidden"]) == (None, 4)


# A source that nbgrader cannot release, or that has nothing to grade, is the author's matter.
def test_broken_source(root, tmp_path):
    hand_in(root, "right", filled(root))
    write_source(root, [answer("add", "### BEGIN SOLUTION\nx = 1")])
    with pytest.raises(CourseError, match="source/hw"):
        grade(root, ASSIGNMENT)
    write_source(root, source_cells()[:1])
    with pytest.raises(CourseError, match="채점 셀이 없습니다"):
        grade(root, ASSIGNMENT)
    (root / "nbgrader_config.py").write_text("1 / 0")
    with pytest.raises(CourseError, match="nbgrader_config.py"):
        grade(root, ASSIGNMENT)


# Ctrl-C: what is graded is filed, no process stays behind, and the next run takes up the rest only.
def test_interrupted(root):
    for student in ("a", "b", "c"):
        hand_in(root, student, filled(root, add="import time\ntime.sleep(1)\ndef add(a, b):\n    return a + b"))

    def interrupt(record, done, total):
        raise KeyboardInterrupt

    def parents():
        return {p.name for p in Path("/proc").glob("[0-9]*") if b"jail/start.py" in command(p) and parent(p) == os.getpid()}

    before = parents()
    with pytest.raises(KeyboardInterrupt):
        grade(root, ASSIGNMENT, settings=Settings(workers=1), progress=interrupt)
    assert len(read_records(root, ASSIGNMENT)) == 1
    assert parents() <= before
    told = []
    found = grade(root, ASSIGNMENT, progress=lambda record, done, total: told.append((record.student, done, total)))
    assert [r.auto_score for r in found] == [10, 10, 10] and [done for _, done, _ in told] == [2, 3]


# The grader killed again and again, wherever it happens to be: nothing is lost, nobody is graded for nothing, nobody stays.
def test_killed_repeatedly(root):
    students = [f"s{number}" for number in range(8)]
    for student in students:
        hand_in(root, student, filled(root, add="import time\ntime.sleep(0.3)\ndef add(a, b):\n    return a + b"))
    command_line = [sys.executable, "-m", "autograder", "grade", ASSIGNMENT, "--course", str(root), "--workers", "2"]
    told = []
    for kills in range(20):
        process = subprocess.Popen(command_line, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True)
        for line in process.stdout:
            if line.startswith("["):
                told.append(line.split()[1])
                if len(told) < 2 * (kills + 1) or kills > 2:  # the first three runs die after two more hand-ins
                    continue
                process.kill()
        if process.wait() == 0:
            break
    assert kills >= 2 and set(told) <= set(students) and len(told) <= len(students) + 2 * kills
    found = read_records(root, ASSIGNMENT)
    assert [(r.student, r.status, r.auto_score) for r in found] == [(student, "graded", 10) for student in students]
    scores = CourseFolder(root).hand_scores(ASSIGNMENT)
    assert sorted(scores) == students and all(scores[s].cells["mul-hidden"].score == 4 for s in students)
    deadline = time.monotonic() + 30  # workers of a killed grader finish the hand-in that they have, for nobody
    while (left := [p.name for p in Path("/proc").glob("[0-9]*") if str(root).encode() in command(p)]) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert left == []


# Killed while nbgrader was replacing a graded notebook: the next run does not take the old record's word for it.
def test_killed_while_filing(root, monkeypatch):
    hand_in(root, "right", filled(root))
    grade(root, ASSIGNMENT)

    def killed(self, name):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("autograder.grade.converters.Bookkeeping.convert_single_notebook", killed)
        grade(root, ASSIGNMENT, again=True)
    notebook = root / "autograded" / "right" / ASSIGNMENT / "hw.ipynb"
    assert not notebook.exists()
    assert grade(root, ASSIGNMENT)[0].auto_score == 10 and notebook.exists()


# A hand-in is graded again when it, its checks or the limits have changed, when its result is gone, or when asked.
def test_what_is_graded_again(root):
    hand_in(root, "a", filled(root))
    hand_in(root, "b", b"{")

    def regraded(**how):
        told = []
        grade(root, ASSIGNMENT, progress=lambda record, done, total: told.append(record.student), **how)
        return sorted(told)

    assert regraded() == ["a", "b"] and regraded() == []
    assert regraded(again=True) == ["a", "b"]
    assert regraded(settings=Settings(Budget(cell_seconds=7))) == ["a", "b"]
    regraded()
    hand_in(root, "a", filled(root, add=ADD.replace("a + b", "a - b")))
    assert regraded() == ["a"]
    shutil.rmtree(root / "autograded" / "a")
    assert regraded() == ["a"]


# In a Python of its own, and compared with the warm one: the same scores, nothing filed.
def test_verify(root):
    hand_in(root, "a", filled(root))
    hand_in(root, "wrong", filled(root, add="def add(a, b):\n    return a - b"))
    fresh = grade(root, ASSIGNMENT, settings=Settings(fresh=True))
    found = grade(root, ASSIGNMENT)
    assert [r.auto_score for r in fresh] == [r.auto_score for r in found] == [10, 5]
    before = tree(root)
    assert verify(root, ASSIGNMENT, sample(found, 5)) == []
    assert {k: v[0] for k, v in tree(root).items() if "gradebook" not in k} == {k: v[0] for k, v in before.items() if "gradebook" not in k}
    found[0].auto_score, found[0].cells["add-hidden"]["score"] = 7, 0
    assert verify(root, ASSIGNMENT, found[:1]) == ["a: 새 파이썬에서 7점이 10점이 되었습니다. (add-hidden)"]


# A notebook of many slow cells has a limit, too; what was finished before it counts.
def test_limit_of_a_notebook(root):
    hand_in(root, "slow", filled(root, mul="import time\ntime.sleep(60)"))
    record = grade(root, ASSIGNMENT, settings=Settings(Budget(cell_seconds=60, notebook_seconds=2)))[0]
    assert (record.status, record.auto_score) == ("stopped", 5) and "2초" in record.reason


# nbgrader gives full marks for -1 and nan, and fails above the maximum.
@pytest.mark.parametrize(("value", "score"), [("0.5", 0.5), ("-1", 0), ("nan", 0), ("inf", 0), ("7", 2), ("'text'", 2)])
def test_partial_credit(value, score):
    cell = check("c", 2, "value")
    cell.execution_count, cell.outputs = 1, [new_output("execute_result", {"text/plain": value}, execution_count=1)]
    cell, _ = Settle().preprocess_cell(cell, {"nbgrader": {"stop": ""}}, 0)
    assert determine_grade(cell) == (score, 2)


def command(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


def parent(process: Path) -> int:
    return int((process / "stat").read_text().rpartition(")")[2].split()[1])


# Making the blueprint touches the gradebook only, and the private one knows no student.
def test_blueprint(root, tmp_path):
    hand_in(root, "right", filled(root))
    before = tree(root)
    (tmp_path / "plan").mkdir()
    plan = build(CourseFolder(root), ASSIGNMENT, tmp_path / "plan")
    after = tree(root)
    assert set(after) == set(before) and {path for path in before if after[path] != before[path]} == {"gradebook.db"}
    assert {name: (c["kind"], c["hidden"]) for name, c in plan.cells["hw"].items() if c["points"]} == {
        "add-visible": ("auto", False), "add-hidden": ("auto", True), "mul-visible": ("auto", False), "mul-hidden": ("auto", True), "essay": ("hand", False)
    }  # fmt: skip
    assert b"right" not in plan.gradebook.read_bytes()


# The hostile class: the ordinary students get their scores.
@pytest.mark.skipif("ATTENTION_CASES" not in os.environ, reason="ATTENTION_CASES names the folder cases/hostile")
def test_hostile_course(tmp_path):
    root = tmp_path / "course"
    shutil.copytree(Path(os.environ["ATTENTION_CASES"]) / "course", root, copy_function=shutil.copyfile)
    for path in [root, *root.rglob("*/")]:
        path.chmod(0o755)
    (root / ".hostile-test-course").touch()
    alice, zoe = grade(root, "ps1")
    assert (alice.status, alice.auto_score, alice.max_auto, alice.max_manual) == ("graded", 5, 5, 5)
    assert (zoe.status, zoe.auto_score) == ("graded", 0)


def test_records(tmp_path):
    record = Record("2024123456", "hw", cells={"a": {"score": 1.0, "max": 1.0, "message": "", "hidden": True, "from_grader": False, "weak": False}})
    assert Record.from_json(record.to_json()) == record and "2024123456" in record.to_json()
    with pytest.raises(CourseError, match="다시 채점"):
        Record.from_json("{")
    assert read_records(tmp_path, "hw") == [] and STAMP.endswith("UTC")
