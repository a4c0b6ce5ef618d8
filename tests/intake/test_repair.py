"""Promises about repair: whatever happened to the cells, the answers are in their places, and it is told what was done."""
from __future__ import annotations

import copy
import functools
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.intake.reading import read
from autograder.intake.repair import MAX_OUTPUT, NothingToGrade, mend
from autograder.intake.sources import parse
from tests.grade.small_course import RIGHT_ADD, RIGHT_MUL, answer, cell, check, find, make_course
from tests.grade.small_course import release as released
from tests.intake.damage import utf8

ESSAY = "덧셈은 교환됩니다."
RIGHT = {"add": RIGHT_ADD, "mul": RIGHT_MUL, "essay": ESSAY}
STUB = "raise NotImplementedError()"


@functools.cache
def small() -> nbformat.NotebookNode:
    """add and mul with a visible and a hidden check each, an essay; as nbgrader releases them."""
    blank = f"def {{0}}(a, b):\n    # YOUR CODE HERE\n    {STUB}"
    cells = [
        cell("markdown", "intro", "# 셈\n\n덧셈과 곱셈을 만듭니다."),
        cell("code", "setup", "import os, sys, time"),
        cell("markdown", "add-task", "### 직접 해보기 (1) 더하기\n\n`add(a, b)`를 쓰세요."),
        answer("add", blank.format("add")),
        check("add-visible", 2, 'assert add(1, 2) == 3, "1 + 2가 3이 아닙니다."'),
        check("add-hidden", 3, "# 숨은 점검"),
        cell("markdown", "mul-task", "### 직접 해보기 (2) 곱하기\n\n`mul(a, b)`를 쓰세요."),
        answer("mul", blank.format("mul")),
        check("mul-visible", 1, 'assert mul(2, 3) == 6, "2 * 3이 6이 아닙니다."'),
        check("mul-hidden", 4, "# 숨은 점검"),
        cell("markdown", "essay", "여기에 답을 쓰세요.", grade=True, solution=True, locked=False, points=5),
    ]
    return new_notebook(cells=cells, metadata={"course": {"assignment": "hw", "version": "2", "title": "셈"}})


def solved() -> nbformat.NotebookNode:
    nb = copy.deepcopy(small())
    for grade_id, source in RIGHT.items():
        find(nb, grade_id).source = source
    return nb


def mended(nb):
    """Mended from its bytes, as everything that arrives is; and a second time, which must change nothing."""
    made = mend(read(utf8(nb)), small())
    nbformat.validate(made.notebook)
    marks = [c.metadata.nbgrader for c in made.notebook.cells if "nbgrader" in c.metadata]
    assert marks == [c.metadata.nbgrader for c in small().cells]
    assert mend(read(utf8(made.notebook)), small()).notebook == made.notebook
    return made


def answers(nb) -> dict[str, str]:
    return {grade_id: find(nb, grade_id).source for grade_id in RIGHT}


def own(nb) -> list[str]:
    return [c.source for c in nb.cells if "nbgrader" not in c.metadata]


def put(nb, after: str, *cells) -> None:
    at = nb.cells.index(find(nb, after)) + 1
    nb.cells[at:at] = cells


def copy_of(nb, grade_id: str, source: str | None = None):
    one = copy.deepcopy(find(nb, grade_id))
    one.id = f"{one.id}-copy"
    one.source = one.source if source is None else source
    return one


def test_nothing_to_mend():
    made = mended(solved())
    assert (made.notes, made.version, answers(made.notebook), own(made.notebook)) == ([], "2", RIGHT, [])


# ---- damage: what happened, what is told ------------------------------------------------------------------------


def no_marks(nb):
    for one in nb.cells:
        one.metadata.pop("nbgrader", None)


def no_marks_no_ids(nb):
    no_marks(nb)
    for n, one in enumerate(nb.cells):
        one.id = f"zz{n}"


def one_mark_gone(nb):
    del find(nb, "add").metadata["nbgrader"]


def made_up_mark(nb):
    find(nb, "add-visible").metadata.nbgrader.grade_id = "add-visible2"
    find(nb, "add").metadata.nbgrader = {}


def check_deleted(nb):
    nb.cells.remove(find(nb, "add-hidden"))


def check_edited(nb):
    find(nb, "add-visible").source = "pass"


def texts_edited(nb):
    nb.cells.remove(find(nb, "add-task"))
    find(nb, "mul-task").source += "\n\n어렵다"


def reversed_order(nb):
    nb.cells.reverse()


def copied(nb):
    put(nb, "mul-hidden", copy_of(nb, "add"), copy_of(nb, "add-visible"))


def stub_below(nb):
    put(nb, "add", copy_of(nb, "add", find(small(), "add").source))


def stub_above(nb):
    put(nb, "add-task", copy_of(nb, "add", find(small(), "add").source + "\n# 다시"))


def split(nb):
    first, _, rest = RIGHT_ADD.partition("\n")
    find(nb, "add").source = first
    put(nb, "add", copy_of(nb, "add", rest))


def split_in_a_line(nb):
    find(nb, "add").source = "def add(a, b):\n    return a +"
    put(nb, "add", new_code_cell("b"))


def split_in_three(nb):
    find(nb, "add").source = "def add(a, b):"
    put(nb, "add", new_code_cell("    # 더하면"), new_code_cell("    return a + b"))


def split_essay(nb):
    find(nb, "essay").source = "덧셈은"
    put(nb, "essay", copy_of(nb, "essay", "교환됩니다."))


def as_text(nb):
    for grade_id, kind in (("add", "markdown"), ("mul", "raw"), ("essay", "code"), ("add-visible", "markdown")):
        one = find(nb, grade_id)
        one.cell_type = kind
        one.pop("outputs", None), one.pop("execution_count", None)
        one.update({"outputs": [], "execution_count": None} if kind == "code" else {})


def fenced(nb):
    find(nb, "add").source = f"```python\n{RIGHT_ADD}\n```"


def answered_below(nb):
    find(nb, "add").source = find(small(), "add").source
    put(nb, "add", new_code_cell(RIGHT_ADD))


def answered_at_the_end(nb):
    find(nb, "add").source = "# 맨 아래에 썼습니다"
    nb.cells.append(new_code_cell(f"x = add(1, 2)\n{RIGHT_ADD}\nprint(x)"))


def answered_in_the_check(nb):
    find(nb, "add").source = find(small(), "add").source
    find(nb, "add-visible").source = f"{RIGHT_ADD}\n{find(small(), 'add-visible').source}"


def answered_in_another_answer(nb):
    find(nb, "mul").source = find(small(), "mul").source
    find(nb, "add").source = f"{RIGHT_ADD}\n\n{RIGHT_MUL}"


def answers_swapped(nb):
    find(nb, "add").source, find(nb, "mul").source = RIGHT_MUL, RIGHT_ADD


def answer_in_a_new_cell(nb):
    nb.cells.remove(find(nb, "add"))
    put(nb, "add-task", new_code_cell(RIGHT_ADD))


def essay_in_a_new_cell(nb):
    find(nb, "essay").source = "여기에 답을 쓰세요."
    nb.cells.append(new_markdown_cell(ESSAY))


def essay_without_mark(nb):
    del find(nb, "essay").metadata["nbgrader"]
    nb.cells[-1].id = "other"


def stub_left_above(nb):
    find(nb, "add").source = f"def add(a, b):\n    {STUB}\n    return a + b"


def stub_left_at_the_end(nb):
    find(nb, "add").source = f"{RIGHT_ADD}\n{STUB}"


def stub_left_in_text(nb):
    find(nb, "essay").source = f"여기에 답을 쓰세요.\n\n{ESSAY}"


def all_in_one_cell(nb):
    """A new notebook with nothing of the course in it."""
    nb.cells = [new_code_cell(f"{RIGHT_ADD}\n\n{RIGHT_MUL}"), new_markdown_cell(ESSAY)]


DAMAGE = [
    (no_marks, ["표시가 지워져"]),
    (no_marks_no_ids, ["표시가 지워져", "(1) 더하기] 답 셀의 표시가 지워져 함수 이름", "(2) 곱하기] 답 셀의 표시가", "[essay] 답 셀의 표시가 지워져 놓인 자리"]),
    (one_mark_gone, ["셀 1개를 셀 id나"]),
    (made_up_mark, ["셀 2개를 셀 id나"]),
    (check_deleted, ["[직접 해보기 (1) 더하기] 지워진 점검"]),
    (check_edited, ["[직접 해보기 (1) 더하기] 고쳐진 점검"]),
    (texts_edited, ["안내나 준비 셀 2개"]),
    (reversed_order, ["셀의 순서"]),
    (copied, ["(1) 더하기] 같은 답 셀", "(1) 더하기] 같은 점검 셀"]),
    (stub_below, ["(1) 더하기] 같은 답 셀"]),
    (stub_above, ["(1) 더하기] 같은 답 셀"]),
    (split, ["(1) 더하기] 나뉜 답 셀"]),
    (split_in_a_line, ["(1) 더하기] 나뉜 답 셀"]),
    (split_in_three, ["(1) 더하기] 나뉜 답 셀"]),
    (split_essay, ["[essay] 답 셀이 2개여서"]),
    (as_text, ["(1) 더하기] 답 셀의 종류", "(1) 더하기] 고쳐진 점검", "(2) 곱하기] 답 셀의 종류", "[essay] 답 셀의 종류"]),
    (fenced, ["(1) 더하기] 답을 감싼"]),
    (answered_below, ["(1) 더하기] 답 셀에 없던 답을 다른 셀"]),
    (answered_at_the_end, ["(1) 더하기] 답 셀에 없던 답을 다른 셀"]),
    (answered_in_the_check, ["(1) 더하기] 답 셀에 없던 답을 점검 셀", "(1) 더하기] 고쳐진 점검"]),
    (answered_in_another_answer, ["(2) 곱하기] 답 셀에 없던 답을 다른 셀"]),
    (answers_swapped, ["셀의 순서", "(1) 더하기] 답이 다른 직접 해보기의 답 셀에", "(2) 곱하기] 답이 다른 직접 해보기의 답 셀에"]),
    (answer_in_a_new_cell, ["(1) 더하기] 답 셀의 표시가 지워져 함수 이름"]),
    (essay_in_a_new_cell, ["[essay] 답 셀에 없던 답을 다른 셀"]),
    (essay_without_mark, ["[essay] 답 셀의 표시가 지워져 놓인 자리"]),
    (stub_left_above, ["(1) 더하기] 답과 함께 남아 있던 빈칸"]),
    (stub_left_at_the_end, ["(1) 더하기] 답과 함께 남아 있던 빈칸"]),
    (stub_left_in_text, ["[essay] 답과 함께 남아 있던 빈칸"]),
    (all_in_one_cell, None),
]


@pytest.mark.parametrize(("damage", "told"), DAMAGE, ids=[damage.__name__ for damage, _ in DAMAGE])
def test_damage(damage, told):
    nb = solved()
    damage(nb)
    made = mended(nb)
    for grade_id, source in answers(made.notebook).items():
        flat, right = (" ".join(text.replace("# 더하면", "").replace("+b", "+ b").split()) for text in (source, RIGHT[grade_id]))
        assert flat == right or right in flat and damage in (answered_in_another_answer, all_in_one_cell), grade_id
    if told is not None:
        assert len(made.notes) == len(told) and all(part in note for part, note in zip(told, made.notes)), made.notes


# What counts when there are two answers: what the checks see when the notebook runs from the top. The other one stays
# where it was, as a cell of the student's own.
@pytest.mark.parametrize(("place", "other", "counts"), [("add", "above", "below"), ("add-hidden", "above", "above")])
def test_two_answers(place, other, counts):
    nb = solved()
    texts = {"above": RIGHT_ADD + "  # 먼저", "below": RIGHT_ADD + "  # 나중"}
    find(nb, "add").source = texts["above"]
    put(nb, place, copy_of(nb, "add", texts["below"]))
    made = mended(nb)
    assert find(made.notebook, "add").source == texts[counts]
    assert own(made.notebook) == [texts["above" if counts == "below" else "below"]] and "서로 다른 답이 2개" in made.notes[0]


# ---- the student's own cells ------------------------------------------------------------------------------------


# Own cells stand after the cell they followed; what cannot run there is skipped, the rest of the cell is not.
def test_own_cells_stay_in_place():
    nb = solved()
    put(nb, "setup", new_code_cell("!pip install x\nimport math"))
    put(nb, "add", new_markdown_cell("메모"), new_code_cell("print(add(1, 2))"))
    nb.cells.insert(0, new_markdown_cell("학번 2026100001"))
    made = mended(nb)
    texts = [c.id if "nbgrader" in c.metadata else c.source.splitlines()[-1] for c in made.notebook.cells]
    assert texts[:4] == ["학번 2026100001", "intro", "setup", "import math"]
    assert texts[4:9] == ["add-task", "add", "메모", "print(add(1, 2))", "add-visible"]
    assert made.notes == ["직접 만든 셀에서 채점하는 곳에서는 할 수 없는 것을 건너뜁니다: !pip."]


# An import in the set-up cell, a helper in a check: the course's cell is put back, and what was added runs all the same.
def test_what_was_added_to_the_courses_cells():
    nb = solved()
    find(nb, "setup").source += "\nimport math\nos = None"
    find(nb, "add").source = "def add(a, b):\n    return plus(a, b)"
    find(nb, "add-visible").source = f"def plus(a, b):\n    return a + b\n{find(nb, 'add-visible').source}"
    made = mended(nb)
    ids = [c.metadata.nbgrader.grade_id if "nbgrader" in c.metadata else c.source for c in made.notebook.cells]
    assert ids[2] == "import math" and ids[5] == "def plus(a, b):\n    return a + b" and ids[6] == "add-visible"
    assert find(made.notebook, "setup").source == "import os, sys, time" and sum("따로 실행" in note for note in made.notes) == 2


def test_skipped_in_an_answer():
    nb = solved()
    mount = "from google.colab import drive\ndrive.mount('/content/drive')\n%cd /content"
    find(nb, "add").source = f"{mount}\nn = int(input('수: '))\n{RIGHT_ADD}"
    made = mended(nb)
    space: dict = {}
    exec(find(made.notebook, "add").source, space)
    assert space["add"](1, 2) == 3 and space["n"] == 1
    assert made.notes == ["[직접 해보기 (1) 더하기] 채점하는 곳에서는 할 수 없는 것을 건너뜁니다: google.colab, drive.mount, input()(1이라고 답합니다), %cd."]


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python reads it as it is")
def test_newer_syntax():
    nb = solved()
    body = 'print(f"{"합"}: {"\\n".join(["x"])}")\n    return a + b'
    find(nb, "add").source = f"type N = int\ndef add[T](a: T, b: T) -> T:\n    {body}"
    assert parse(find(nb, "add").source) is None
    made = mended(nb)
    space: dict = {}
    exec(find(made.notebook, "add").source, space)
    assert space["add"](1, 2) == 3 and "새 문법(f-string, 타입 파라미터, type 문)" in made.notes[0]


# ---- what a person grades ---------------------------------------------------------------------------------------


def by_hand() -> nbformat.NotebookNode:
    nb = copy.deepcopy(small())
    nb.cells.insert(2, cell("code", "plot", f"# 그림을 그리세요\n{STUB}", grade=True, solution=True, locked=False, points=5))
    nb.cells.insert(2, cell("code", "model", "train()"))
    nb.cells[2].metadata.course = {"runtime_only": True}
    return nb


# Saved outputs are kept where a person looks at them and nobody can make them again, within bounds; nowhere else.
def test_outputs_for_a_person():
    nb, picture = by_hand(), new_output("display_data", {"image/png": "AAAA"})
    find(nb, "plot").update(source="plt.plot(x)", outputs=[picture] + [new_output("stream", text="x" * (MAX_OUTPUT // 2))] * 3)
    find(nb, "model").outputs = [new_output("stream", text="0.85")]
    find(nb, "add").update(source=RIGHT_ADD, outputs=[new_output("stream", text="3")])
    nb.cells.append(new_code_cell("1", outputs=[new_output("stream", text="1")]))
    made = mend(read(utf8(nb)), by_hand())
    kept = {c.id: len(c.outputs) for c in made.notebook.cells if c.get("outputs")}
    assert kept == {"plot": 2, "model": 1} and "[셈] 출력이 너무 길어 앞부분만 보관합니다." in made.notes
    assert mend(read(utf8(made.notebook)), by_hand()).notebook == made.notebook


# A hand-graded code cell defines nothing by which it could be known: its place tells.
def test_hand_graded_code_without_marks():
    nb = by_hand()
    find(nb, "plot").source = "plt.plot(x)"
    no_marks_no_ids(nb)
    assert find(mend(read(utf8(nb)), by_hand()).notebook, "plot").source == "plt.plot(x)"


def test_pictures_in_an_essay():
    nb = solved()
    find(nb, "essay").update(source="![](attachment:a.png)", attachments={"a.png": {"image/png": "AAAA"}})
    assert find(mended(nb).notebook, "essay").attachments == {"a.png": {"image/png": "AAAA"}}


# ---- which notebook it is ---------------------------------------------------------------------------------------


# A release that nobody wrote into says so; it can be filed all the same, unlike everything else without an answer.
def test_untouched():
    for nb in (small(), new_notebook(cells=small().cells[:5])):
        with pytest.raises(NothingToGrade, match="답을 쓴 셀이 하나도 없습니다") as error:
            mend(read(utf8(nb)), small())
        assert answers(error.value.mended.notebook) == answers(small())


def test_not_this_assignment():
    other = new_notebook(cells=[cell("markdown", "x-task", "# 다른 과제"), answer("x", "y = 1")])
    chapter = new_notebook(cells=copy.deepcopy(small().cells[2:4]), metadata={"course": {"chapter": "sums"}})
    for one in chapter.cells:
        del one.metadata["nbgrader"]
    week = copy.deepcopy(other) | {"metadata": {"course": {"assignment": "hw3"}}}
    for nb, says in ((other, "셀이 하나도 없는"), (chapter, "교재 본문"), (week, "다른 과제(hw3)")):
        with pytest.raises(NothingToGrade) as error:
            mend(read(utf8(nb)), small())
        assert says in str(error.value) and error.value.mended is None
    chapter.cells[1].source = RIGHT_ADD  # answered in the chapter: not lost
    made = mended(chapter)
    assert find(made.notebook, "add").source == RIGHT_ADD and "교재 본문" in made.notes[0]


# q1, t1, ...: many courses call their cells alike, so marks alone prove nothing.
def test_same_marks_of_another_course():
    other = copy.deepcopy(small())
    other.metadata = {}
    for n, one in enumerate(other.cells):
        one.source = f"전혀 다른 이야기 {n}번입니다. " * 3
    with pytest.raises(NothingToGrade, match="셀이 하나도 없는"):
        mend(read(utf8(other)), small())


# A hand-in of an older edition: what both know is graded, what is new is blank, and the edition is named.
def test_older_edition():
    nb = solved()
    nb.cells = [one for one in nb.cells if one.id not in ("mul", "mul-visible")]
    find(nb, "add-visible").source = "assert add(2, 2) == 4"
    nb.metadata.course.version = "1"
    made = mended(nb)
    assert made.version == "1" and find(made.notebook, "mul").source == find(small(), "mul").source
    assert made.notes[0] == "과제의 다른 버전(1)으로 만든 노트북입니다. 지금 버전(2)에도 있는 문제만 채점합니다."
    assert made.notes[1:] == ["[직접 해보기 (2) 곱하기] 답 셀이 없습니다. 빈칸으로 두고 채점합니다.", "[직접 해보기 (2) 곱하기] 지워진 점검 셀을 되살렸습니다."]


# Notes are ours: nothing that a student wrote into metadata is told as if it were.
def test_nobody_else_speaks():
    nb = solved()
    nb.metadata = {"reading": ["만점을 주세요"], "course": {"assignment": "hw", "version": "<b>9</b>", "chapter": "만점"}}
    made = mended(nb)
    assert made.version == "" and made.notes == ["과제가 아니라 교재 본문의 노트북입니다. 그 안에 있는 직접 해보기만 채점합니다."]


# A task has no answer cell: whatever the student wrote below it is the answer.
def test_task_cells():
    tasks = [cell("markdown", "t1", "# 조사하세요", task=True, points=5), cell("markdown", "t2", "# 견주세요", task=True, points=5)]
    release = new_notebook(cells=tasks)
    nb = copy.deepcopy(release)
    put(nb, "t1", new_markdown_cell("조사했습니다."), new_code_cell("1 + 1"))
    made = mend(read(utf8(nb)), release).notebook
    assert [c.source for c in made.cells] == ["# 조사하세요", "조사했습니다.", "1 + 1", "# 견주세요"]
    with pytest.raises(NothingToGrade):
        mend(read(utf8(release)), release)


# Somebody else's course: stubs that do not say what to define, cells without marks, nothing of ours in the metadata.
def test_foreign_course(tmp_path):
    root = make_course(tmp_path / "course", {"book": [
        cell("markdown", "q1-text", "# 문제 1"),
        answer("q1", "### BEGIN SOLUTION\ndef square(x):\n    return x * x\n### END SOLUTION"),
        check("q1-test", 1, "assert square(3) == 9"),
        answer("q2", "### BEGIN SOLUTION\ntable = [1, 4]\n### END SOLUTION"),
        check("q2-test", 1, "assert table[1] == square(2)"),
    ]})  # fmt: skip
    release = released(root, "book")
    release.cells.insert(0, new_code_cell("import math", id="plain"))
    nb = copy.deepcopy(release)
    find(nb, "q1").source, find(nb, "q2").source = "def square(x):\n    return x * x", "table = [1, 4]"
    no_marks_no_ids(nb)
    nb.cells.insert(4, nb.cells.pop(2))  # q1 below its check
    made = mend(read(utf8(nb)), release)
    assert find(made.notebook, "q1").source == "def square(x):\n    return x * x"
    assert find(made.notebook, "q2").source == "table = [1, 4]"
    assert own(made.notebook) == ["import math"]
    with pytest.raises(NothingToGrade, match="답을 쓴"):
        mend(read(utf8(release)), release)
