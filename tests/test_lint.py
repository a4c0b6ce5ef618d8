"""Each rule of the lint, by a chapter named for its fault."""
import copy

import nbformat
import pytest

from autograder import notebooks
from autograder.lint import lint


def cell(nb, cell_id):
    return next(c for c in nb.cells if c.id == cell_id)


def replace(cell_id, old, new):
    def fault(nb):
        target = cell(nb, cell_id)
        assert old in target.source
        target.source = target.source.replace(old, new)

    return fault


def grade(cell_id, **values):
    return lambda nb: cell(nb, cell_id).metadata.nbgrader.update(values)


def append(cell_id, text):
    return lambda nb: setattr(cell(nb, cell_id), "source", cell(nb, cell_id).source + text)


def worked_after(source):
    def fault(nb):
        after = copy.deepcopy(cell(nb, "one-worked"))
        after |= {"id": "one-after", "metadata": {"id": "one-after"}, "source": source}
        nb.cells.append(nbformat.from_dict(after))

    return fault


def cut(cell_id, start):
    return lambda nb: setattr(cell(nb, cell_id), "source", cell(nb, cell_id).source.split(start)[0])


def worked(*cells):
    """Worked cells right after the set-up: (source, runtime_only)."""

    def fault(nb):
        for k, (source, runtime) in enumerate(reversed(cells)):
            metadata = {"id": f"one-new-{k}"} | ({"course": {"runtime_only": True}} if runtime else {})
            new = {"id": f"one-new-{k}", "metadata": metadata, "source": source}
            nb.cells.insert(3, nbformat.from_dict(dict(cell(nb, "one-worked")) | new))

    return fault


FAULTS = {
    "grade id unlike cell id": (grade("one-double", grade_id="cell-1f3"), "셀 id와 같게"),
    "two cells of one id": (lambda nb: nb.cells[3].update(id="one-title"), "정돈"),
    "id that an editor made": (lambda nb: nb.cells[3].update(id="a1b2c3d4"), "one-"),
    "old nbgrader schema": (grade("one-double-visible", schema_version=2), "schema_version"),
    "check without points": (grade("one-double-visible", points=0), "points"),
    "unlocked check": (grade("one-double-hidden", locked=False), "locked: true"),
    "locked answer": (grade("one-double", locked=True), "locked: false"),
    "no hidden check": (lambda nb: nb.cells.remove(cell(nb, "one-double-hidden")), "숨은 점검"),
    "no minutes": (lambda nb: cell(nb, "one-double-task").metadata.pop("course"), "minutes"),
    "one hint only": (cut("one-double-task", "<details>\n<summary>힌트 2"), "힌트"),
    "exercise without its label": (replace("one-double-task", "(ex-one-double)=", "(ex-other)="), "ex-one-double"),
    "delimiter in lower case": (replace("one-double", "### BEGIN SOLUTION", "### Begin Solution"), "구분 표시"),
    "delimiter with two spaces": (replace("one-double", "BEGIN SOLUTION", "BEGIN  SOLUTION"), "구분 표시"),
    "delimiter with a full-width space": (replace("one-double-hidden", "BEGIN HIDDEN", "BEGIN\u3000HIDDEN"), "구분 표시"),
    "delimiter in prose": (append("one-title", "\n\nBEGIN SOLUTION을 씁니다."), "구분 표시"),
    "end without begin": (replace("one-double", "    ### BEGIN SOLUTION\n", ""), "짝을"),
    "begin without end": (replace("one-double-hidden", "\n### END HIDDEN TESTS", ""), "짝을"),
    "solution region outside an answer cell": (replace("one-worked", "print", "### BEGIN SOLUTION\n### END SOLUTION\nprint"), "답 셀에만"),
    "empty answer": (lambda nb: setattr(cell(nb, "one-double"), "source", "def double(x):\n    pass"), "답이 없습니다"),
    "check that only defines": (replace("one-double-visible", "\n\ncheck_one_double()\n", "\n\n"), "부르지 않습니다"),
    "check that ends in a value": (append("one-double-visible", "\n0.5"), "값으로 끝납니다"),
    "hidden message that quotes a value": (
        replace("one-double-hidden", '"입력을 바꾸었습니다. 새 텐서를 돌려주세요."', 'f"입력 {hidden_before}을 바꾸었습니다."'),
        "f-string",
    ),
    "worked cell that needs an answer": (
        worked_after("print(double(torch.ones(2)))"),
        "답 없이 실행",
    ),
    "worked cell that prints a hidden value": (
        worked_after("print(hidden_matrix)"),
        "hidden_matrix",
    ),
    "exercise that needs a worked cell": (
        lambda nb: (append("one-worked", "\nbody_value = 3")(nb), append("one-double-visible", "\nprint(body_value)")(nb)),
        "본문 셀의 이름",
    ),
    "assignment cell that needs a page cell": (worked(("page_value = 3", False), ("print(page_value)", True)), "과제에는 본문이 없으니"),
    "check that needs a cell that grading does not run": (
        lambda nb: (worked(("trained = 3", True))(nb), append("one-double-visible", "\nprint(trained)")(nb)),
        "채점할 때 실행되는 셀",
    ),
    "check that grading would not run": (
        lambda nb: cell(nb, "one-double-visible").metadata.update(course={"runtime_only": True}),
        "runtime_only일 수 없",
    ),
    "heading without an anchor": (append("one-title", "\n\n## 이름표 없는 제목"), "바로 위에"),
    "anchor twice": (append("one-title", "\n\n(ch-one)=\n## 같은 이름"), "에도 있습니다"),
    "link to nowhere": (append("one-title", "\n\n[저기](#sec-nowhere)"), "sec-nowhere"),
    "figure without alt text": (append("one-title", "\n\n![](figures/a.svg)"), "무엇이 보이는지"),
    "plot without alt text": (append("one-worked", "\nplt.plot([1])\nplt.show()"), "alt"),
    "term that we do not write": (append("one-title", "\n\n코잘 마스크를 만듭니다."), "인과 마스크"),
    "term in a message": (replace("one-double-visible", "[1, 2]의 두 배가", "스코어가"), "점수"),
    "term in a comment": (append("one-worked", "  # 매개변수"), "파라미터"),
    "tone": (append("one-title", "\n\n쉽게 계산합니다."), "어조"),
    "particle unlike the sound before it": (append("one-title", "\n\n세 값를 더합니다."), "끝소리"),
    "particle in a message": (replace("one-double-visible", "[1, 2]의 두 배가", "softmax을 걸면"), "끝소리"),
    "term without its first form": (append("one-title", "\n\n토큰을 셉니다."), "토큰(token)"),
    "bold before a particle": (append("one-title", "\n\n**가중합(weighted sum)**을 구합니다."), "별표"),
    "directive": (append("one-title", "\n\n:::{note}\n글\n:::"), "MyST"),
    "unknown tag": (lambda nb: cell(nb, "one-worked").metadata.update(tags=["hide_input"]), "모르는 태그"),
}


def test_a_sound_chapter_has_no_problem(mini):
    assert lint(mini) == []


@pytest.mark.filterwarnings("ignore:Non-unique cell id")
@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_named(mini, fault):
    damage, expected = FAULTS[fault]
    nb = notebooks.chapter(mini, "one")
    damage(nb)
    (mini.chapters / "one.ipynb").write_text(notebooks.dumps(nb), encoding="utf-8")
    found = lint(mini)
    assert any(expected in problem.text for problem in found), [str(p) for p in found]
    assert all(problem.place.startswith("chapters/one.ipynb") for problem in found)


def test_runtime_only_cells_may_build_on_each_other_and_the_page_on_them(mini):
    nb = notebooks.chapter(mini, "one")
    worked(("trained = 3", True), ("again = trained", True), ("print(again)", False))(nb)
    cell(nb, "one-double").metadata.course = {"runtime_only": True}
    cell(nb, "one-double").source += "\nprint(trained)"
    notebooks.write(notebooks.canonical(nb), mini.chapters / "one.ipynb")
    assert lint(mini) == []


def test_an_untidy_chapter_is_named(mini):
    path = mini.chapters / "one.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("\n ", "\n  "), encoding="utf-8")
    assert any("./course tidy" in problem.text for problem in lint(mini))


def test_terms_in_code_and_formulas_are_not_prose(mini):
    nb = notebooks.chapter(mini, "one")
    append("one-title", "\n\n`코잘`과 $훈련$")(nb)
    notebooks.write(nb, mini.chapters / "one.ipynb")
    assert lint(mini) == []


@pytest.mark.parametrize(
    ("name", "text"),
    {
        "README.md": "값를 모읍니다.",
        "CONTRIBUTING.md": "**굵게(bold)**를",
        "autograder/messages.py": 'raise CourseError(f"{name}: softmax을 거세요.")',
        "autograder/page.js": "const text = '매개변수 수';",
        "autograder/page.html.j2": "<p>{{ name }}을 매개변수로</p>",
    }.items(),
)
def test_documents_and_messages_speak_the_same_language(mini, name, text):
    path = mini.root / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{text}\n", encoding="utf-8")
    assert [problem.place for problem in lint(mini)] == [name]
