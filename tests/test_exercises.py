"""Exercises as objects, from our chapters and from any nbgrader source notebook."""
import os
from pathlib import Path

import pytest

from autograder import notebooks
from autograder.exercises import defined_names, korean_strings, parse


def test_a_chapter_gives_its_exercise(mini):
    (exercise,) = parse(notebooks.chapter(mini, "one"))
    assert (exercise.grade_id, exercise.points, exercise.minutes, exercise.difficulty) == ("one-double", 5, 3, 1)
    assert exercise.title == "직접 해보기 (1) 두 배"
    assert exercise.names == ["double"]
    assert exercise.cells == ("one-double-task", "one-double", "one-double-visible", "one-double-hidden")
    assert [(c.grade_id, c.points, c.hidden) for c in exercise.checks] == [
        ("one-double-visible", 2, False),
        ("one-double-hidden", 3, True),
    ]


def test_declared_messages_are_those_of_hidden_checks_and_of_the_public_check_tool(mini):
    (exercise,) = parse(notebooks.chapter(mini, "one"))
    visible, hidden = exercise.checks
    assert "입력을 바꾸었습니다. 새 텐서를 돌려주세요." in hidden.messages
    assert "결과의 모양이 기대와 다릅니다. 어느 축이 남아야 하는지 확인하세요." in hidden.messages
    assert visible.says("[1, 2]의 두 배가 [2, 4]가 아닙니다.") and not visible.says("[1, 2]의 두 배가 [2, 5]가 아닙니다.")


def test_f_strings_declare_nothing():
    assert korean_strings('assert x, f"값이 {x}입니다."\nassert y, "그대로"') == {"그대로"}


def test_names_of_an_answer_cell():
    assert defined_names("import math\nclass A: pass\ndef f(): inner = 1\nb: int = 2\nc = d = 3") == ["A", "f", "b", "c", "d"]


@pytest.mark.skipif("ATTENTION_CASES" not in os.environ, reason="ATTENTION_CASES names no folder of cases")
def test_a_course_not_made_by_us_gives_exercises():
    source = Path(os.environ["ATTENTION_CASES"]) / "course" / "source" / "ps1" / "attention.ipynb"
    attention, essay = parse(notebooks.read(source))
    assert (attention.grade_id, attention.points, [c.hidden for c in attention.checks]) == ("attention", 5, [False, True])
    assert (essay.grade_id, essay.manual_points, essay.checks) == ("essay", 5, ())
