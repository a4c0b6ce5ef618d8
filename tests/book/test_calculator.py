"""The attention calculator on the real pages: its numbers against torch and against the graders' own wrong answers, its
sentences against arithmetic, and what a reader does with it by mouse, keyboard and finger."""
from __future__ import annotations

import contextlib
import io
import math
import re

import pytest
import torch
import yaml
from nbformat import from_dict

from autograder import CourseError, handins, notebooks
from autograder.book import calculator
from tests.book.conftest import open_page
from tests.book.scenes import TABLES, Graders, fragment, hidden, random_scene, run

HAND = {"tokens": ["고양이가", "생선을", "먹었다"], "Q": [[2, 1], [1, 2], [1, 3]], "K": [[1, 0], [0, 2], [1, 1]], "V": [[1, 0], [0, 1], [1, 1]]}
CAUSAL = {**HAND, "mask": "causal"}
# Open the scene of each address and read every cell: {table: [[value]]} and the sentences.
READ = """async (fragments) => {
  const seen = [];
  for (const fragment of fragments) {
    const turned = new Promise((done) => addEventListener('hashchange', done, {once: true}));
    location.hash = '#x';
    await turned;
    const loaded = new Promise((done) => addEventListener('hashchange', done, {once: true}));
    location.hash = fragment;
    await loaded;
    const cells = [...document.querySelectorAll('.calc-tables [data-at]')].map((node) => [
      node.dataset.at, node.dataset.value, node.getAttribute('aria-label'), node.querySelector('span').textContent, node.closest('td').className]);
    const text = (selector) => document.querySelector(selector).textContent;
    seen.push({cells, code: text('.calc-code pre'), status: text('.calc-status'), note: text('.calc-note')});
  }
  return seen;
}"""


@pytest.fixture(scope="module")
def page(browser, address):
    page, seen = open_page(browser, address, "chapters/hand.html")
    yield page
    page.close()
    assert seen.console == [] and seen.outside == []


@pytest.fixture
def fresh(browser, address):
    """open(path, **context options) -> a page of its own; nothing may appear in its console."""
    opened = []

    def open(path: str, **options):
        context = browser.new_context(locale="ko-KR", **{"viewport": {"width": 1280, "height": 900}} | options)
        opened.append((context, []))
        page = context.new_page()
        page.on("pageerror", lambda error: opened[-1][1].append(str(error)))
        page.on("console", lambda message: opened[-1][1].append(message.text) if message.type == "error" else None)
        page.goto(f"{address}/chapters/{path}", wait_until="load")
        return page

    yield open
    for context, console in opened:
        context.close()
        assert console == []


def shown(seen: dict, name: str) -> torch.Tensor:
    """One table of the page as float64, without its sums."""
    rows: dict[str, list[float]] = {}
    for at, value, *_ in seen["cells"]:
        table, i, _ = at.split(".")
        if table == name and "sum" not in at:
            rows.setdefault(i, []).append(float(value))
    return torch.tensor(list(rows.values()), dtype=torch.float64)


def equal(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.shape == b.shape and torch.allclose(a, b, rtol=0, atol=1e-9, equal_nan=True)


def listed(course) -> list[dict]:
    return yaml.safe_load((course.chapters / "mistakes.yml").read_text(encoding="utf-8"))


# Numbers


def test_tables_equal_torch_on_random_scenes(page):
    scenes = [random_scene(seed) for seed in range(40)]
    unscaled = [seed % 3 == 0 for seed in range(40)]
    addresses = [fragment(scene, scale=int(not off)) for scene, off in zip(scenes, unscaled)]
    for scene, off, seen in zip(scenes, unscaled, page.evaluate(READ, addresses)):
        Q, K, V = (torch.tensor(scene[X], dtype=torch.float64) for X in "QKV")
        factor = (1 if off else 1 / math.sqrt(len(scene["Q"][0]))) / scene["temperature"]
        bias = torch.zeros(len(Q), len(Q), dtype=torch.float64).masked_fill(hidden(scene), float("-inf"))
        masked = Q @ K.T * factor + bias
        W = torch.softmax(masked, dim=-1)
        want = {"S": Q @ K.T, "scaled": Q @ K.T * factor, "masked": masked, "W": W, "O": W @ V}
        for name in TABLES:
            assert equal(shown(seen, name), want[name]), f"{name} of {scene}"
        empty = hidden(scene).all(dim=-1)
        sdpa = torch.nn.functional.scaled_dot_product_attention(Q[None], K[None], V[None], attn_mask=~hidden(scene)[None], scale=factor)[0]
        assert equal(shown(seen, "O")[~empty], sdpa[~empty])


def test_every_mistake_is_the_graders_own_wrong_answer(course, page):
    graders, mistakes = Graders(course), listed(course)
    assert page.evaluate("Object.keys(attention.MISTAKES).sort()") == sorted(m["id"] for m in mistakes)
    scenes = [random_scene(seed) for seed in range(100, 108)]
    todo = [(scene, mistake) for scene in scenes for mistake in mistakes]
    differ = set()
    for (scene, mistake), seen in zip(todo, page.evaluate(READ, [fragment(s, mistake=m["id"]) for s, m in todo])):
        right = graders.tables(scene)
        for name, table in graders.tables(scene, mistake).items():
            assert equal(shown(seen, name), table), f"{mistake['id']}, {name} of {scene}"
            cells = [(at, looks.split()) for at, *_, looks in seen["cells"] if at.startswith(f"{name}.") and "sum" not in at]
            marked = {at for at, looks in cells if "differs" in looks}
            if table.shape == right[name].shape:
                apart = ~torch.isclose(table, right[name], rtol=0, atol=1e-9, equal_nan=True)
                assert marked == {f"{name}.{i}.{j}" for i, j in apart.nonzero().tolist()}, f"{mistake['id']}, {name} of {scene}"
                differ |= {mistake["id"]} if marked else set()
    assert differ == {m["id"] for m in mistakes}


def test_the_program_prints_the_decimals_of_the_page(course, page):
    # In the last scene weights are sixteenths: halves at the third decimal.
    halves = {**HAND, "Q": [[0], [0], [0]], "K": [[0], [0], [0]], "V": [[0.0625, -0.0625], [0.1875, 0], [0.0625, 2.0005]]}
    scenes = [(random_scene(seed), m["id"]) for seed in (200, 201, 202) for m in [*listed(course), {"id": ""}]]
    scenes += [(CAUSAL, ""), (halves, ""), ({**HAND, "V": [[0.0625, 0.1875], [0.0625, 0.1875], [0.0625, 0.1875]]}, "")]
    addresses = [fragment(scene, **({"mistake": name} if name else {})) for scene, name in scenes]
    for seen in page.evaluate(READ, addresses):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            run(seen["code"])
        numbers = re.findall(r"(?<= )-?(?:\d+\.\d{3}|inf|nan)\b", printed.getvalue())
        on_page = [text.replace("−", "-").replace("∞", "inf").replace("NaN", "nan") for at, _, _, text, _ in seen["cells"] if "sum" not in at]
        assert numbers == on_page, seen["code"]


# Sentences

ARITHMETIC = re.compile(r"[\d.e()+*/\s-]+")


def evaluate(text: str) -> float | None:
    """The value of an arithmetic expression in the notation of the sentences; None when it is words."""
    code = re.sub(r"e\^\(", "exp(", text.replace("×", "*").replace("÷", "/").replace("−", "-").replace("exp(-∞)", "0"))
    if not ARITHMETIC.fullmatch(code.replace("exp(", "(")):
        return None
    return eval(code, {"exp": math.exp, "__builtins__": {}})


def test_every_sentence_is_true_arithmetic(page):
    """In every chain a = b ≈ c of every cell both sides are equal up to the four decimals shown, and the last is the cell."""
    checked = 0
    for seen in page.evaluate(READ, [fragment(CAUSAL), *(fragment(random_scene(seed)) for seed in range(300, 312))]):
        for at, value, label, *_ in seen["cells"]:
            assert re.search("[가-힣]", label) and "undefined" not in label and "null" not in label and ".." not in label
            if at.startswith("masked") or value == "NaN":
                continue
            sides = re.split(r" (=|≈) ", re.sub(r" \([^()]*[가-힣].*$", "", label).removesuffix("."))
            result = evaluate(sides[-1].split(". ")[0])
            assert result == pytest.approx(float(value), abs=6e-5, rel=1e-4), label
            last = evaluate(sides[-3]) if len(sides) > 2 else None
            if last is not None:
                size = max(1.0, *(abs(float(x)) for x in re.findall(r"\d+\.?\d*", sides[-3])))
                assert last == pytest.approx(result, abs=1e-4 * size * 6), label
                if sides[-2] == "=":
                    tiny = abs(result) < 5e-5  # two digits, as 2.0e−6
                    assert (last if tiny else round(last, 4)) == pytest.approx(result, rel=0.05 if tiny else 0, abs=1e-9), label
                checked += 1
    assert checked > 300


@pytest.mark.parametrize(
    ("scene", "at", "sentence"),
    [
        (HAND, "S.2.1", "먹었다의 Query (1, 3) · 생선을의 Key (0, 2) = 1×0 + 3×2 = 6"),
        (HAND, "scaled.2.1", "먹었다의 행, 생선을의 열: 점수 6 ÷ √2 ≈ 6 ÷ 1.4142 ≈ 4.2426"),
        (HAND, "W.2.1", "먹었다의 행, 생선을의 열: e^(4.2426−4.2426) ÷ (0.0291 + 1 + 0.2431) ≈ 1 ÷ 1.2723 = 0.7860"),
        (HAND, "O.0.0", "고양이가의 새 표현, 성분 0: 가중치 × Value = 0.2483×1 + 0.2483×0 + 0.5035×1 ≈ 0.7517"),
        (HAND, "W.sum.1", "생선을의 열의 합: 0.2483 + 0.6200 + 0.7860 ≈ 1.6542 (이 Key가 받은 몫의 합이며 1일 까닭이 없습니다)"),
        (CAUSAL, "masked.0.1", "고양이가의 행, 생선을의 열: 가린 칸(Key의 자리 1 > Query의 자리 0)이어서 점수 1.4142 대신 −∞를 넣습니다. e^(−∞) = 0이므로 몫이 없습니다."),
        (CAUSAL, "W.1.2", "생선을의 행, 먹었다의 열: e^(−∞) ÷ 1.1199 = 0 ÷ 1.1199 = 0. 가리기 전의 몫(0.3057)은 보이는 칸으로 옮겨 갔습니다(모두 × 1.4403)."),
        (CAUSAL, "W.1.0", "생선을의 행, 고양이가의 열: e^(0.7071−2.8284) ÷ (0.1199 + 1 + 0) = 0.1199 ÷ 1.1199 ≈ 0.1070 (가리기 전 0.0743의 1.4403배)"),
        ({**HAND, "mask": "own", "own": [[1, 1, 1], [0, 0, 0], [0, 0, 0]]}, "W.0.1", "고양이가의 행, 생선을의 열: 이 행에는 볼 칸이 하나도 없어 0 ÷ 0이 되고 값은 NaN입니다. torch.softmax도 NaN을 냅니다(5.5절)."),
    ],
)  # fmt: skip
def test_sentences_of_the_book_example(page, scene, at, sentence):
    [seen] = page.evaluate(READ, [fragment(scene)])
    assert {a: label for a, _, label, *_ in seen["cells"]}[at] == sentence


def test_hidden_cells_pass_through_three_stages(page):
    page.evaluate(READ, [fragment(CAUSAL)])
    stages = [page.locator(f'td:has(> [data-at="{name}.1.2"]), td[data-at="{name}.1.2"]') for name in ("scaled", "masked", "W")]
    assert [stage.inner_text().split() for stage in stages] == [["2.121"], ["−∞"], ["0.000", "0.306", "→"]]
    assert "line-through" in stages[0].locator("span").evaluate("e => getComputedStyle(e).textDecoration")
    assert [page.inner_text(f'[data-at="W.1.{j}"]').split() for j in (0, 1)] == [["0.107", "0.074", "×", "1.440"], ["0.893", "0.620", "×", "1.440"]]


def test_a_scene_that_cannot_show_a_mistake_says_so(page):
    [blind, marked] = page.evaluate(READ, [fragment(HAND, mistake="fill-zero"), fragment(HAND, mistake="column")])
    assert "이 실수를 찾을 수 없습니다" in blind["note"] and not any("differs" in looks for *_, looks in blind["cells"])
    looks = {at: looks for at, *_, looks in marked["cells"]}
    assert "differs" in looks["W.0.0"] and "differs" not in looks["O.0.0"]  # the blind spot of the first example
    assert page.locator('[data-at="W.0.0"] b').inner_text() == "≠"
    assert "softmax를 건 축이 Key 방향" in marked["note"], "what the grader says"


# Hands


def test_fields_take_numbers_and_keep_the_last_good_one(fresh):
    page = fresh("hand.html")
    page.click(".calc-edit summary")
    field = page.locator('[data-at="K.1.1"]')
    for typed, good in (("3", True), ("", False), ("-", False), ("1e9", False), ("5000", False), ("−0.5", True), ("１.５", True), ("abc", False)):
        field.fill(typed)
        assert field.get_attribute("aria-invalid") == str(not good).lower(), typed
        assert ("마지막으로 맞았던 값" in page.inner_text(".calc-status")) == (not good), typed
    field.blur()
    assert field.input_value() == "1.5" and field.get_attribute("aria-invalid") is None
    assert page.get_attribute('[data-at="S.2.1"]', "data-value") == "4.5"
    page.get_by_role("button", name="처음 장면으로").click()
    assert page.get_attribute('[data-at="S.2.1"]', "data-value") == "6" and field.input_value() == "2"
    page.locator("[name=temperature]").fill("0")
    assert "0.05부터 20까지" in page.inner_text(".calc-status")


def test_tokens_and_sizes_change_within_their_limits(fresh):
    page = fresh("causal.html")
    page.click(".calc-edit summary")
    for _ in range(3):
        page.get_by_role("button", name="토큰 더하기").click()
    assert page.get_by_role("button", name="토큰 더하기").count() == 0 and page.locator('[data-at="W.5.5"]').count() == 1
    page.get_by_label("토큰 3의 이름").fill("그리고")
    page.locator("[name=V]").select_option("3")
    assert "그리기" not in page.inner_text(".calc-figure") and "성분이 3개여서" in page.inner_text(".calc-figure")
    page.get_by_role("button", name="토큰 0 빼기").click()
    assert page.locator('.calc-tables [data-at="O.4.2"]').count() == 1 and "그리고" in page.inner_text(".calc-tables")
    page.get_by_role("button", name="처음 장면으로").click()
    assert page.locator('[data-at="W.3.0"]').count() == 0


def test_keyboard_reaches_everything(fresh):
    page = fresh("causal.html")
    page.locator("[name=predict]").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    stops = []
    for _ in range(5):  # a table is one stop
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.dataset.at"))
    assert stops == ["S.0.0", "scaled.0.0", "masked.0.0", "W.0.0", "O.0.0"]
    page.focus('[data-at="masked.0.0"]')
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.at") == "masked.0.1"
    page.keyboard.press("Space")
    assert page.evaluate("[document.activeElement.dataset.at, document.activeElement.ariaPressed]") == ["masked.0.1", "false"]
    assert page.locator("[name=mask]").input_value() == "own" and page.get_attribute('[data-at="W.0.1"]', "data-value") == "0.5"
    page.keyboard.press("End")
    assert page.inner_text(".calc-sentence") == "고양이가의 행: Key 3개 가운데 보이는 칸 2개"
    page.focus(".point")
    assert page.inner_text(".calc-sentence").startswith("고양이가의 새 표현 (0.500, 0.500)")


def test_pointer_and_focus_show_the_sentence_that_a_screen_reader_hears(fresh):
    page = fresh("hand.html")
    for act in ("hover", "focus"):
        cell = page.locator('[data-at="W.2.1"]')
        getattr(cell, act)()
        assert page.inner_text(".calc-sentence") == cell.get_attribute("aria-label")
        assert page.locator(".used").evaluate_all("cells => cells.map((c) => c.dataset.at)") == ["masked.2.0", "masked.2.1", "masked.2.2"]
    assert page.get_attribute(".calc-sentence", "aria-live") == "off"  # focus has spoken it
    page.hover('[data-at="S.0.0"]')
    assert page.get_attribute(".calc-sentence", "aria-live") == "polite"


def test_the_keyboard_is_heard_over_a_mouse_at_rest_and_its_cell_is_never_below_the_sentence(fresh):
    page = fresh("causal.html" + fragment(CAUSAL), viewport={"width": 1280, "height": 500})
    page.hover('[data-at="S.2.1"]')
    page.focus('[name="predict"]')
    seen = []
    for _ in range(9):
        page.keyboard.press("Tab")
        page.wait_for_timeout(60)  # the page has scrolled, and the browser told what is now below the mouse
        focused, under, text = page.evaluate("""() => {
          const [cell, say] = [document.activeElement, document.querySelector('.calc-say')];
          const [a, b] = [cell.getBoundingClientRect(), say.getBoundingClientRect()];
          return [cell.getAttribute('aria-label'), a.bottom > b.top && a.top < b.bottom, say.querySelector('.calc-sentence').textContent];
        }""")
        seen.append(focused)
        assert not under and (focused is None or text == focused)
    assert len(set(seen) - {None}) == 8


def test_a_wrong_prediction_is_named_and_a_right_one_opens_the_cell(fresh):
    page = fresh("hand.html" + fragment(HAND, predict="W", at="W.0.2"))
    cell = page.locator('[data-at="W.0.2"]')
    assert cell.inner_text() == "?" and cell.get_attribute("data-value") is None and page.locator("circle").count() == 0
    for at in ("W.0.0", "O.1.1", "W.2.sum"):
        assert not re.search(r"0\.\d", page.get_attribute(f"[data-at='{at}']", "aria-label"))
    page.keyboard.press("Enter")
    for typed, said in (
        ("0.333", "흔한 실수의 값과도 다릅니다"),
        ("0.248", "‘열에 softmax 걸기’. 행이 아니라 열의 합이 1입니다"),
        ("x", "수를 넣으세요"),
        ("0.503", "맞습니다"),
    ):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        if said != "맞습니다":
            assert cell.inner_text() == "?"
            page.locator(".calc-sentence input").select_text()
        assert said in page.inner_text(".calc-status")
    assert cell.inner_text() == "0.503" and page.evaluate("document.activeElement.dataset.at") == "W.0.2"


def test_a_finger_opens_sentences_and_hides_cells(fresh):
    page = fresh("causal.html", viewport={"width": 375, "height": 800}, has_touch=True)
    page.tap('[data-at="O.2.1"]')
    assert page.inner_text(".calc-sentence").endswith("= 0.9771")
    box = page.locator(".calc-say").bounding_box()
    assert 0 <= box["y"] and box["y"] + box["height"] <= 800, "the sentence is in sight"
    page.tap('[data-at="masked.2.0"]')
    assert page.get_attribute('[data-at="W.2.0"]', "data-value") == "0"


# Addresses


def test_an_address_carries_the_whole_scene(fresh, address):
    page = fresh("causal.html")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("[name=mask]").select_option("both")
    page.locator("[name=mistake]").select_option("zero-after")
    page.locator("[name=temperature]").fill("0.5")
    page.click('[data-at="masked.2.0"]')
    page.get_by_role("button", name="이 장면의 주소 복사").click()
    page.wait_for_function("document.querySelector('.calc-status').textContent.includes('복사했습니다')")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"{address}/chapters/causal.html#calc=1;") and copied == page.url
    other = fresh(copied.removeprefix(f"{address}/chapters/"))
    state = "attention.address(attention.parse(location.hash))"
    assert other.evaluate(state) == page.evaluate(state)
    values = "[...document.querySelectorAll('.calc-tables [data-at]')].map((c) => [c.dataset.at, c.dataset.value])"
    assert other.evaluate(values) == page.evaluate(values)
    assert other.evaluate("document.querySelector('.attention-calculator').getBoundingClientRect().top") < 900


def test_links_open_their_scenes(fresh):
    page = fresh("causal.html")
    links = page.locator(".attention-calculator li a")
    assert links.count() >= 7
    for n in range(links.count()):
        links.nth(n).click()
        assert page.inner_text(".calc-status").find("읽을 수 없어") == -1
    page.get_by_role("link", name="통째로 가려진 행").click()
    page.wait_for_function("document.querySelector('.calc-note').textContent.includes('[PAD]')")
    assert page.inner_text('[data-at="W.0.0"]') == "NaN" and page.inner_text('[data-at="W.1.1"]').startswith("1.000")
    assert "0 ÷ 0" in page.inner_text(".calc-note")


@pytest.mark.parametrize(
    "damaged",
    [
        "#calc", "#calc=1", "#calc=2;tokens=a", "#calc=1;tokens=%E0%A4%A", "#calc=1;tokens=a;Q=1e99;K=1;V=1", "#calc=1;constructor=1",
        "#calc=1;tokens=a,b;Q=1,2/3;K=1,2/1,2;V=1/1", f"#calc=1;tokens={','.join('a' * 7)};Q=1;K=1;V=1", "#calc=1;__proto__=x;tokens=a;Q=1;K=1;V=1",
        "#calc=1;tokens=a;Q=1;K=1;V=1;mask=toString", "#calc=1;tokens=a;Q=1;K=1;V=1;at=x\"]", "#calc=1;tokens=a;Q=1;K=1;V=1;temperature=0",
        "#calc=1;tokens=a;Q=;K=1;V=1", f"#calc=1;tokens=a;Q=1;K=1;V=1;own={'1' * 5000}",
    ],
)  # fmt: skip
def test_a_damaged_address_shows_the_scene_of_the_page(page, damaged):
    page.get_by_role("button", name="처음 장면으로").click()
    [seen] = page.evaluate(READ, [damaged])
    assert "읽을 수 없어" in seen["status"]
    assert shown(seen, "S").tolist() == [[2, 2, 3], [1, 4, 3], [1, 6, 4]]


def test_text_of_an_address_stays_text(page):
    hostile = {**HAND, "tokens": ["<img src=x>", "'><script>", '"]; exit(1)']}
    [seen] = page.evaluate(READ, [fragment(hostile)])
    assert "<img src=x>의 Query" in {at: label for at, _, label, *_ in seen["cells"]}["S.0.0"]
    assert page.locator(".attention-calculator :is(img, script)").count() == 0
    with contextlib.redirect_stdout(io.StringIO()):
        assert run(seen["code"])["tokens"] == hostile["tokens"]


def test_anchors_still_work_beside_scenes(page):
    page.evaluate(READ, [fragment(HAND, mistake="column")])
    page.evaluate("() => { location.hash = '#sec-hand-scale' }")
    page.wait_for_function("Math.abs(document.getElementById('sec-hand-scale').getBoundingClientRect().top) < 200")
    assert page.locator("[name=mistake]").input_value() == "column"


# Pages


def test_six_tokens_scroll_in_their_own_box_on_a_phone(fresh):
    wide = next(scene for seed in range(99) if len((scene := random_scene(seed))["tokens"]) == 6 and len(scene["V"][0]) == 2)
    page = fresh("hand.html" + fragment(wide), viewport={"width": 375, "height": 800})
    page.click(".calc-edit summary")
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    box = page.locator('.calc-scroll:has([data-at="W.0.0"])')
    assert box.evaluate("e => e.scrollWidth > e.clientWidth") and box.get_attribute("tabindex") == "0"


def test_scripts_come_only_with_a_calculator(site, course):
    for path in (site / "chapters").glob("*.html"):
        has = bool(calculator.cells(notebooks.chapter(course, path.stem)))
        text = path.read_text(encoding="utf-8")
        assert [name in text for name in ("calculator.css", "attention.js", "calculator.js")] == [has] * 3, path.name
    assert sum((site / "_static" / name).stat().st_size for name in ("attention.js", "calculator.js")) < 40_000


@pytest.mark.parametrize("name", ["hand", "causal"])
def test_without_javascript_the_tables_and_the_picture_stand(fresh, name):
    page = fresh(f"{name}.html", java_script_enabled=False)
    tables = page.locator(".attention-calculator table")
    assert tables.count() == 5 and "자바스크립트를 켜면" in page.inner_text(".attention-calculator")
    Q, K = (torch.tensor(HAND[X]).double() for X in "QK")
    bias = torch.full((3, 3), -torch.inf).triu(1) if name == "causal" else torch.zeros(3, 3)
    W = torch.softmax(Q @ K.T / math.sqrt(2) + bias, dim=-1)
    rows = [[f"{x:.3f}" for x in [*row, sum(row)]] for row in W.tolist()]
    assert [tables.nth(3).locator(f"tbody tr:nth-child({i + 1}) td").all_inner_texts() for i in range(3)] == rows
    picture = page.locator(".attention-calculator img")
    assert picture.evaluate("i => i.complete && i.naturalWidth > 0") and f"먹었다 ({', '.join(rows[2][:3])})" in picture.get_attribute("alt")


def test_a_picture_that_is_stale_is_a_problem_until_tidy_draws_it_again(mini):
    path = mini.chapters / "one.ipynb"
    nb = notebooks.read(path)
    nb.cells[0].metadata["course"] = {"calculator": {"scene": HAND}}
    nb.cells[0].source = "(ch-one)=\n# 두 배\n\n글"
    notebooks.write(nb, path)
    assert [place for place, _ in calculator.problems(mini)] == ["chapters/figures/calculator-one.svg", "chapters/one.ipynb"]
    (mini.chapters / "figures").mkdir()
    assert len(calculator.refresh(mini)) == 2 and calculator.refresh(mini) == [] and list(calculator.problems(mini)) == []
    nb = notebooks.read(path)
    nb.cells[0].metadata.course.calculator.scene["K"] = [[1, 0], [0, 3], [1, 1]]
    notebooks.write(nb, path)
    assert len(list(calculator.problems(mini))) == 2
    nb.cells[0].metadata.course.calculator.scene["K"] = [[1, 0]]
    notebooks.write(nb, path)
    assert "메타데이터의 calculator" in [text for _, text in calculator.problems(mini)][0]
    (mini.chapters / "mistakes.yml").write_text("[]", encoding="utf-8")
    nb.cells[0].metadata.course.calculator.scene = {**HAND, "mistake": "none-such"}
    notebooks.write(nb, path)
    assert "none-such" in [text for _, text in calculator.problems(mini)][0]


def test_pictures_of_the_book_are_current(course):
    assert list(calculator.problems(course)) == []


def test_mistakes_say_what_is_wrong_without_numbers_of_an_exercise(course):
    for mistake in calculator.mistakes(course):
        assert mistake["text"].endswith(")") and not re.search(r"\d\.\d{2,}", mistake["text"]), mistake
    with pytest.raises(CourseError, match="wrong_nothing.py"):
        calculator.variant(course, {"id": "x", "variant": "hand-row/nothing"})


def test_the_first_paragraph_of_a_variant_is_the_message_and_the_last_what_is_wrong(tmp_path):
    path = tmp_path / "wrong_sum.py"
    path.write_text('"""값이\n7입니다. (1절)\n\n더했습니다. (1절)\n"""\ndef f(): ...\n', encoding="utf-8")
    variant = handins.read(path)
    assert (variant.message, variant.mistake, variant.code) == ("값이 7입니다. (1절)", "더했습니다. (1절)", "def f(): ...")


def test_colab_gets_a_picture_and_a_link(course):
    from autograder.views import colab_view

    view = colab_view(course, notebooks.chapter(course, "causal"), "causal")
    [text] = [cell.source for cell in view.cells if cell.id == "causal-calculator"]
    assert f"{course.site_url}_images/calculator-causal.svg" in text and f"{course.site_url}chapters/causal.html#sec-causal-calculator" in text
    assert not any("course" in cell.metadata for cell in view.cells)


@pytest.mark.parametrize("data", ["x", None, {}, {"scene": 3}, {"scene": {"tokens": []}}, {"scene": {"tokens": ["a"], "Q": [[1]], "K": [[1]], "V": [[1]]}}], ids=str)
def test_metadata_that_is_no_scene_names_the_cell(course, data):
    cell = from_dict({"cell_type": "markdown", "id": "hand-x", "source": "", "metadata": {"course": {"calculator": data}}})
    with pytest.raises(CourseError, match="hand-x"):
        calculator.on_site(course, cell)
