"""Three views of a chapter: what each shows, and what neither student view may show."""
import pytest

from autograder import CourseError, notebooks, views
from autograder.course import load


def sources(nb) -> dict[str, str]:
    return {cell.id: cell.source for cell in nb.cells}


@pytest.mark.parametrize("view", [views.colab_view, views.site_view])
def test_student_views_hold_stubs_and_no_hidden_check(mini, view):
    cells = sources(view(mini, notebooks.chapter(mini, "one"), "one"))
    assert "아직 빈칸입니다" in cells["one-double"] and "secret_factor" not in cells["one-double"]
    assert "one-double-hidden" not in cells
    assert "check_one_double()" in cells["one-double-visible"]


@pytest.mark.parametrize("view", [views.colab_view, views.site_view])
def test_student_views_hold_no_grading_metadata(mini, view):
    for cell in view(mini, notebooks.chapter(mini, "one"), "one").cells:
        assert not {"nbgrader", "course"} & cell.metadata.keys()


def test_points_minutes_and_difficulty_come_from_metadata(mini):
    cells = sources(views.colab_view(mini, notebooks.chapter(mini, "one"), "one"))
    assert "5점(보이는 점검 2점, 숨은 점검 3점) · 약 3분 · 난이도 하" in cells["one-double-task"]


def test_colab_gets_plain_markdown_with_links_to_the_site(mini):
    cells = sources(views.colab_view(mini, notebooks.chapter(mini, "one"), "one"))
    assert cells["one-title"].startswith("# 두 배")
    assert "](https://example.org/book/chapters/one.html#ex-one-double)" in cells["one-title"]


def test_colab_figures_come_from_the_site(mini):
    assert views.plain_markdown(mini, "![흐름](figures/flow.svg)") == "![흐름](https://example.org/book/_images/flow.svg)"


def test_a_link_to_nowhere_is_named(mini):
    with pytest.raises(CourseError, match="no-such-place"):
        views.plain_markdown(mini, "[여기](#no-such-place)")


def test_the_site_keeps_labels_and_worked_outputs_only(mini):
    nb = notebooks.chapter(mini, "one")
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.outputs = [notebooks.nbformat.v4.new_output("stream", text=f"{cell.id}\n")]
    cells = {c.id: c for c in views.site_view(mini, nb, "one").cells}
    assert cells["one-title"].source.startswith("(ch-one)=")
    assert cells["one-worked"].outputs
    assert not cells["one-double-visible"].outputs and not cells["one-double"].outputs


def test_the_site_shows_answers_only_when_the_course_allows_it(mini):
    assert "one-double-answer" not in sources(views.site_view(mini, notebooks.chapter(mini, "one"), "one"))
    path = mini.root / "course.yml"
    path.write_text(path.read_text(encoding="utf-8").replace("answers: never", "answers: always"), encoding="utf-8")
    cells = sources(views.site_view(load(mini.root), notebooks.chapter(mini, "one"), "one"))
    assert "secret_factor" in cells["one-double-answer"] and "BEGIN SOLUTION" not in cells["one-double-answer"]
    assert "hidden_matrix" not in "".join(cells.values())


def test_views_leave_the_chapter_as_it_was(mini):
    nb = notebooks.chapter(mini, "one")
    before = notebooks.dumps(nb)
    views.colab_view(mini, nb, "one")
    views.site_view(mini, nb, "one")
    assert notebooks.dumps(nb) == before
