"""The proof catches what it promises to catch, through the real grading path."""
import pytest

from autograder import CourseError, notebooks
from autograder.prove import prove, shortfalls
from tests.conftest import make_mini


def outcome(rows):
    return {row.variant.name: (row.score, row.surprise) for row in rows}


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """One proof of a sound exercise with three variants that are not what they say."""
    course = make_mini(tmp_path_factory.mktemp("prove") / "mini")
    folder = course.chapters / "variants" / "one-double"
    (folder / "wrong_paid_in_full.py").write_text('"""아무 메시지"""\ndef double(x):\n    return x + x\n', encoding="utf-8")
    (folder / "wrong_other_message.py").write_text('"""다른 메시지"""\ndef double(x):\n    return x + 2\n', encoding="utf-8")
    (folder / "right_not_right.py").write_text('"""틀린 맞는 답"""\ndef double(x):\n    return x\n', encoding="utf-8")
    return prove(course, "lab1")


def test_a_sound_exercise_is_proved(rows):
    got = outcome(rows)
    assert all(not got[name][1] for name in ("model", "stub", "same", "square", "plus", "typed", "inplace", "add", "loop"))
    assert got["model"][0] == got["add"][0] == got["loop"][0] == 5
    assert got["stub"][0] == 0
    assert got["square"][0] == 2  # passes the visible check, fails the hidden one


def test_surprises_are_found(rows):
    got = outcome(rows)
    assert "만점을 받았습니다" in got["paid_in_full"][1]
    assert "기대한 메시지가 아닙니다" in got["other_message"][1]
    assert "만점이어야 합니다" in got["not_right"][1]


def test_too_few_or_equal_wrong_answers_are_named(rows):
    def without(*names):
        return shortfalls([row for row in rows if row.variant.name not in names])

    assert without() == []
    assert "틀린 답" in without("plus", "paid_in_full", "other_message")[0]
    assert "맞는 답" in without("loop", "not_right")[0]


@pytest.mark.parametrize(
    ("text", "named"), [("def double(x):\n    return x\n", "docstring"), ('"""메시지"""\ndef double(x) return x\n', "문법")]
)
def test_a_broken_variant_is_named(mini, text, named):
    (mini.chapters / "variants" / "one-double" / "wrong_broken.py").write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match=f"(?s)wrong_broken.*{named}"):
        prove(mini, "lab1")


def test_variants_without_an_exercise_are_named(mini):
    (mini.chapters / "variants" / "one-trible").mkdir()
    with pytest.raises(CourseError, match="one-trible"):
        prove(mini, "lab1")


def test_a_check_that_lets_everything_pass_is_a_surprise(mini):
    nb = notebooks.chapter(mini, "one")
    for cell in nb.cells:
        if cell.id == "one-double-hidden":
            cell.source = "### BEGIN HIDDEN TESTS\ndouble(torch.ones(2))\n### END HIDDEN TESTS"
    notebooks.write(nb, mini.chapters / "one.ipynb")
    got = outcome(prove(mini, "lab1"))
    assert got["square"][1] and got["inplace"][1] and not got["model"][1]
