"""Chapters to source and release: same bytes each time, complete, readable, runnable."""
import copy
import json
import sys

import pytest

from autograder import CourseError, notebooks
from autograder.assemble import assemble, exercise_links, outdated, source_notebook
from autograder.course import load
from autograder.exercises import parse
from tests.conftest import make_mini


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    course = make_mini(tmp_path_factory.mktemp("assemble") / "mini")
    source, release = assemble(course, "lab1")
    return course, notebooks.read(source), notebooks.read(release), release


def by_id(nb):
    return {cell.metadata.nbgrader.grade_id: cell for cell in nb.cells}


def test_assembling_twice_gives_the_same_bytes(built):
    course, _, _, release_path = built
    paths = [release_path, course.root / "source" / "lab1" / "lab1.ipynb"]
    before = [path.read_bytes() for path in paths]
    assemble(course, "lab1")
    assert [path.read_bytes() for path in paths] == before


def test_an_edited_chapter_makes_both_outdated(mini):
    paths = list(assemble(mini, "lab1"))
    assert outdated(mini) == []
    chapter = mini.chapters / "one.ipynb"
    chapter.write_text(chapter.read_text(encoding="utf-8").replace("모든 칸을 두 배로 만드는", "칸마다 두 배로 만드는"), encoding="utf-8")
    assert outdated(mini) == paths
    paths[1].unlink()
    assemble(mini, "lab1")
    paths[1].unlink()
    assert outdated(mini) == paths[1:]


def test_the_source_gives_the_chapter_s_exercises(built):
    course, source, _, _ = built
    ours, theirs = parse(source), parse(notebooks.chapter(course, "one"))
    for one, other in zip(ours, theirs, strict=True):
        assert (one.grade_id, one.title, one.answer, one.minutes) == (other.grade_id, other.title, other.answer, other.minutes)
        assert [(c.grade_id, c.points, c.source) for c in one.checks] == [(c.grade_id, c.points, c.source) for c in other.checks]


def test_the_release_is_what_colab_and_nbgrader_need(built):
    _, _, release, path = built
    raw = json.loads(path.read_text(encoding="utf-8"))
    assert (raw["nbformat"], raw["nbformat_minor"]) == (4, 5)
    for cell in raw["cells"]:
        assert cell["id"] == cell["metadata"]["id"] == cell["metadata"]["nbgrader"]["grade_id"]
    assert len({cell["id"] for cell in raw["cells"]}) == len(raw["cells"])
    course = raw["metadata"]["course"]
    assert (course["assignment"], course["version"], course["hash"]) == ("lab1", "1", notebooks.cells_hash(release))


def test_the_hash_survives_an_editor_and_sees_a_change(built):
    release = copy.deepcopy(built[2])
    before = notebooks.cells_hash(release)
    for cell in release.cells:
        cell.source = cell.source.replace("\n", "  \r\n")
        cell.metadata["id"] = "x"
    assert notebooks.cells_hash(release) == before
    release.cells[2].source += "."
    assert notebooks.cells_hash(release) != before


def test_the_first_cells_are_short_and_say_what_a_student_needs(built):
    _, _, release, _ = built
    header, setup = release.cells[0], release.cells[1]
    assert len(header.source.splitlines()) < 25 and len(setup.source.splitlines()) < 25
    for word in ("5점", "2026년 12월 14일 23:59", "3분", "Drive에 사본 저장", "Colab", "내 컴퓨터"):
        assert word in header.source


def test_a_release_needs_no_course_only_torch(built):
    _, _, release, _ = built
    code = "\n".join(cell.source for cell in release.cells if cell.cell_type == "code")
    imports = {line.split()[1].split(".")[0] for line in code.splitlines() if line.startswith(("import ", "from "))}
    assert imports <= {"torch", *sys.stdlib_module_names}


def test_the_stub_raises_only_when_a_check_calls_it(built, capsys):
    _, _, release, _ = built
    cells = by_id(release)
    space: dict = {}
    exec(cells["lab1-setup"].source, space)
    exec(cells["one-double"].source, space)
    with pytest.raises(NotImplementedError, match="아직 빈칸입니다"):
        exec(cells["one-double-visible"].source, space)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (None, ["미통과", "아직 빈칸입니다", "보이는 점검 2점 중 0점", "숨은 점검 3점"]),
        ("def double(x):\n    return 2 * x", ["통과 2점", "보이는 점검 2점 중 2점"]),
        ("def double(x):\n    raise SystemExit('끝')", ["미통과", "끝"]),
    ],
)
def test_the_whole_check_survives_blanks_and_counts(built, capsys, answer, expected):
    _, _, release, _ = built
    cells = by_id(release)
    space: dict = {}
    exec(cells["lab1-setup"].source, space)
    exec(answer or cells["one-double"].source, space)
    exec(cells["one-double-visible"].source.replace("\ncheck_one_double()\n", "\n"), space)
    exec(cells["lab1-whole-check"].source, space)
    printed = capsys.readouterr().out
    for text in expected:
        assert text in printed


def test_the_whole_check_tells_a_check_that_never_ran(built, capsys):
    _, _, release, _ = built
    exec(by_id(release)["lab1-whole-check"].source, {})
    assert "점검 셀을 아직 실행하지 않았습니다" in capsys.readouterr().out


def test_a_check_can_be_mended_without_touching_the_gradebook(mini):
    assemble(mini, "lab1")
    assert not list(mini.root.glob("*gradebook*"))


def test_feedback_knows_where_an_exercise_is_taught(built):
    course, source, _, _ = built
    assert exercise_links(course, source) == {"one-double": "https://example.org/book/chapters/one.html#ex-one-double"}


def test_an_assignment_without_exercises_is_named(mini):
    nb = notebooks.chapter(mini, "one")
    nb.cells = nb.cells[:4]
    notebooks.write(nb, mini.chapters / "one.ipynb")
    with pytest.raises(CourseError, match="직접 해보기가 없습니다"):
        source_notebook(mini, mini.assignment("lab1"))


def test_runtime_only_cells_go_along_locked_in_their_place_and_stay_marked(mini):
    nb = notebooks.chapter(mini, "one")
    at = next(k for k, cell in enumerate(nb.cells) if cell.id == "one-double-task")
    for cell_type, name, source in (("code", "train", "model = 3"), ("markdown", "note", "[두 배](#ex-one-double)에 씁니다.")):
        metadata = {"course": {"runtime_only": True}, "tags": ["hide-input"]}
        cell = {"cell_type": cell_type, "id": f"one-{name}", "metadata": metadata, "source": source}
        cell |= {"outputs": [], "execution_count": None} if cell_type == "code" else {}
        nb.cells.insert(at, notebooks.nbformat.from_dict(cell))
    notebooks.write(notebooks.canonical(nb), mini.chapters / "one.ipynb")
    for path in assemble(mini, "lab1"):
        made = notebooks.read(path)
        ids = [cell.id for cell in made.cells]
        assert ids[ids.index("one-section") + 1 :][:3] == ["one-note", "one-train", "one-double-task"]
        assert "one-worked" not in ids
        for name in ("one-note", "one-train"):
            mark, course = by_id(made)[name].metadata.nbgrader, by_id(made)[name].metadata.course
            assert (mark.locked, mark.grade, mark.solution) == (True, False, False) and course.runtime_only is True
            assert "tags" not in by_id(made)[name].metadata
        assert "https://example.org/book/chapters/one.html#ex-one-double" in by_id(made)["one-note"].source
    assert [e.grade_id for e in parse(made)] == ["one-double"] and "one-train" not in parse(made)[0].cells


def test_hand_graded_points_are_told_apart(mini):
    nb = notebooks.chapter(mini, "one")
    mark = {"grade": True, "solution": True, "locked": False, "task": False, "schema_version": 3, "grade_id": "one-say", "points": 7}
    cell = {"cell_type": "markdown", "id": "one-say", "source": "답", "metadata": {"nbgrader": mark}}
    nb.cells.append(notebooks.nbformat.from_dict(cell))
    notebooks.write(notebooks.canonical(nb), mini.chapters / "one.ipynb")
    made = by_id(notebooks.read(assemble(mini, "lab1")[1]))
    assert "보이는 점검 2점, 낸 뒤에 하는 숨은 점검 3점, 손으로 채점하는 답 7점" in made["lab1-header"].source
    assert "모두 12점" in made["lab1-header"].source and "손으로 채점하는 7점" in made["lab1-whole-check"].source


def test_a_failure_of_nbgrader_says_why(mini):
    path = mini.chapters / "one.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("    ### END SOLUTION", "    ### END"), encoding="utf-8")
    with pytest.raises(CourseError, match="(?s)lab1.*solution"):
        assemble(load(mini.root), "lab1")
