"""Cells for the student's own runtime are never run while grading; what a hand-graded one showed is kept for a person."""
from __future__ import annotations

import nbformat
import pytest
from nbformat.v4 import new_output

from autograder.grade.folder import CourseFolder
from autograder.grade.run import grade
from autograder.grade.trial import KEPT_BYTES, READER_ONLY
from tests.grade.small_course import ADD, ASSIGNMENT, RIGHT_ADD, answer, check, find, hand_in, make_course, release, temporary
from tests.grade.small_course import cell as make_cell

SHOWN = "P(긍정) 0.982, 최고 0.365"
OWN = "### BEGIN SOLUTION\nprint(1)\n### END SOLUTION"
BOMB = "import pathlib\npathlib.Path('{}').write_text('')\nraise SystemExit"


def runtime(one):
    one.metadata["course"] = {"runtime_only": True}
    return one


@pytest.fixture(scope="module")
def graded():
    """A course whose training cell must not run; students who try to have cells run, or not run, against its will."""
    root = temporary() / "course"
    trace = root.parent / "it-was-run"
    make_course(root, {"hw": [
        make_cell("markdown", "add-task", "### 더하기"),
        answer("add", ADD),
        check("add-visible", 2, "assert add(1, 2) == 3"),
        runtime(make_cell("markdown", "note", "학습하는 셀은 채점할 때 실행하지 않습니다.")),
        runtime(make_cell("code", "train", BOMB.format(trace))),
        runtime(make_cell("code", "own", OWN, grade=True, solution=True, locked=False, points=10)),
        check("add-hidden", 3, "### BEGIN HIDDEN TESTS\nassert add(5, 6) == 11\n### END HIDDEN TESTS"),
    ]})  # fmt: skip

    def solved(own="reviews = []", outputs=(), add=RIGHT_ADD):
        notebook = release(root)
        find(notebook, "add").source, find(notebook, "own").source = add, own
        find(notebook, "own").outputs = list(outputs)
        return notebook

    data = {"text/html": "<script>1</script>", "text/plain": "표", "image/png": "iVBORw0KGgo=", "image/svg+xml": "<svg/>"}
    rich = new_output("display_data", data)
    students = {
        "good": solved(BOMB.format(trace), [new_output("stream", text=SHOWN), rich]),
        "error": solved(outputs=[new_output("error", ename="GradingStopped", evalue="속임수", traceback=["x"])]),
        "flood": solved(outputs=[new_output("stream", text=SHOWN), new_output("stream", text="가" * (KEPT_BYTES + 1))]),
        "blank": release(root),
    }
    students["skips"] = solved(add="def add(a, b):\n    return 0")  # marks that would have the checks left out
    for grade_id in ("add-visible", "add-hidden"):
        find(students["skips"], grade_id).metadata |= {"course": {"runtime_only": True}}
    students["unmarked"] = solved()  # marks taken away, and outputs brought along
    for grade_id in ("train", "own"):
        one = find(students["unmarked"], grade_id)
        one.metadata.pop("course")
        one.source, one.outputs = BOMB.format(trace), [new_output("stream", text=SHOWN)]
    for student, notebook in students.items():
        hand_in(root, student, notebook)
    records = {record.student: record for record in grade(root, ASSIGNMENT)}
    books = {s: nbformat.read(root / "autograded" / s / ASSIGNMENT / "hw.ipynb", as_version=4) for s in students}
    return root, trace, records, books


def shown(books, student: str, grade_id: str) -> str:
    return "".join(o.get("text", "") for o in find(books[student], grade_id).outputs)


def test_nothing_of_them_ran_and_the_checks_did(graded):
    root, trace, records, _ = graded
    assert not trace.exists()
    scores = {student: (record.status, record.auto_score) for student, record in records.items()}
    assert scores == {s: ("graded", 0 if s in ("blank", "skips") else 5) for s in records}
    assert (records["good"].max_auto, records["good"].max_manual) == (5, 10)


def test_a_locked_cell_says_that_it_is_not_run(graded):
    _, _, _, books = graded
    for student in books:
        assert shown(books, student, "train") == READER_ONLY
    assert not find(books["good"], "note").get("outputs")


def test_what_a_hand_graded_cell_showed_survives_as_text_and_pictures(graded):
    _, _, _, books = graded
    outputs = find(books["good"], "own").outputs
    assert shown(books, "good", "own") == SHOWN and outputs[1].data == {"text/plain": "표", "image/png": "iVBORw0KGgo="}
    assert shown(books, "unmarked", "own") == SHOWN
    assert shown(books, "flood", "own").startswith(SHOWN) and len(shown(books, "flood", "own")) < 1000
    assert shown(books, "error", "own") == "GradingStopped: 속임수"


def test_a_person_grades_it_and_a_blank_needs_none(graded):
    root, _, records, _ = graded
    scores = CourseFolder(root).hand_scores(ASSIGNMENT)
    assert scores["good"].cells["own"].score is None and scores["blank"].cells["own"].score == 0
    assert "답이 비어 있습니다: own" in records["blank"].flags and records["good"].flags == []
