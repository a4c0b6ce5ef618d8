"""The attention calculator of a page: its scene from the metadata of a Markdown cell, what stands there without
JavaScript, and the picture that Colab shows.

A chapter's cell has `{"course": {"calculator": {"scene": {...}, "links": [{"title", "ask", "set"}]}}}` in its metadata.
`./course tidy` draws the scene into chapters/figures/ and ends the cell with the picture and a link; on the site that end
is replaced by the calculator, which assets/attention.js and assets/calculator.js bring to life.
"""
from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import torch
import yaml
from nbformat import NotebookNode

from autograder import CourseError, handins, notebooks
from autograder.book.calculator_picture import picture
from autograder.course import Course
from autograder.views import LABEL

FRAME = Path(__file__).with_suffix(".html")  # what the script fills
MASKS = ("none", "causal", "padding", "both", "own")
TITLES = {
    "S": "1. 점수 S = QKᵀ",
    "scaled": "2. 스케일링 S ÷ √d",
    "masked": "3. 마스크: 가린 칸은 −∞",
    "W": "4. 가중치 W: 행마다 softmax",
    "O": "5. 새 표현 WV",
}
TAIL = re.compile(r"\s*^!\[[^\]]*\]\(figures/calculator-.*\Z", flags=re.M | re.S)
COLAB = "숫자를 고치고, 칸을 가리고, 먼저 맞혀 보는 계산기는 [책의 사이트](#{label})에 있습니다."


@dataclass(frozen=True)
class Scene:
    """What the calculator starts from: T tokens, Q and K (T, d), V (T, 2), which keys a query may not see."""

    tokens: list[str]
    Q: list[list[float]]
    K: list[list[float]]
    V: list[list[float]]
    mask: str = "none"
    pad: list[int] = field(default_factory=list)  # positions of padding
    own: list[list[int]] = field(default_factory=list)  # (T, T), 1 hides: read when mask is "own"
    scale: bool = True
    temperature: float = 1.0
    mistake: str = ""
    predict: str = ""
    at: str = ""

    def hidden(self) -> torch.Tensor:
        """(T, T), True where a score is hidden."""
        T = len(self.tokens)
        place = torch.arange(T)
        future = place[None, :] > place[:, None]
        padding = torch.tensor([j in self.pad for j in range(T)]).expand(T, T)
        nothing = torch.zeros(T, T, dtype=torch.bool)
        kinds = {"none": nothing, "causal": future, "padding": padding, "both": future | padding}
        return torch.tensor(self.own).bool() if self.mask == "own" else kinds[self.mask]

    def tables(self) -> dict[str, torch.Tensor]:
        """S, scaled, masked, W (T, T) and O (T, d_v) by the right way, in float64."""
        Q, K, V = (torch.tensor(X, dtype=torch.float64) for X in (self.Q, self.K, self.V))
        S = Q @ K.T
        scaled = S / (Q.shape[-1] ** 0.5 if self.scale else 1) / self.temperature
        masked = scaled.masked_fill(self.hidden(), float("-inf"))
        W = torch.softmax(masked, dim=-1)
        return {"S": S, "scaled": scaled, "masked": masked, "W": W, "O": W @ V}


def _scene(data) -> dict | None:
    return data.get("scene") if isinstance(data, dict) else None


def read(data: dict | None, place: str) -> Scene:
    """A scene from metadata. Raises CourseError that names PLACE when it is not one that the calculator can show."""
    try:
        scene = Scene(**data)
        T, d = len(scene.tokens), len(scene.Q[0])
        sizes = {len(row) for X in (scene.Q, scene.K) for row in X} == {d} and {len(row) for row in scene.V} == {2}
        if not (1 <= T <= 6 and 1 <= d <= 4 and sizes and {len(scene.Q), len(scene.K), len(scene.V)} == {T} and scene.mask in MASKS):
            raise ValueError("토큰은 6개, d는 4까지이고 V의 성분은 2개입니다")
        scene.tables()
    except (TypeError, ValueError, IndexError, KeyError, RuntimeError) as error:
        raise CourseError(f"{place}: 계산기의 장면을 읽을 수 없습니다. 메타데이터의 calculator를 고치세요. ({error})") from error
    return scene


def mistakes(course: Course) -> list[dict[str, str]]:
    """What the switch for mistakes offers: id, label, and the text that the graders' own wrong answer carries."""
    listed = yaml.safe_load((course.chapters / "mistakes.yml").read_text(encoding="utf-8"))
    return [{"id": m["id"], "label": m["label"], "text": variant(course, m).mistake} for m in listed]


def variant(course: Course, mistake: dict[str, str]) -> handins.Variant:
    """The wrong answer that a line of mistakes.yml names. Raises CourseError when there is none."""
    exercise, _, name = mistake["variant"].partition("/")
    path = course.chapters / "variants" / exercise / f"wrong_{name}.py"
    if not path.is_file():
        raise CourseError(f"mistakes.yml의 {mistake['id']}: chapters/variants/{exercise}/wrong_{name}.py가 없습니다.")
    return handins.read(path)


def cells(nb: NotebookNode) -> list[NotebookNode]:
    """The cells of a chapter that hold a calculator."""
    return [cell for cell in nb.cells if "calculator" in cell.metadata.get("course", {})]


def refresh(course: Course) -> list[Path]:
    """Draw the pictures and end the cells with them; the files that changed."""
    changed = []
    for path, content in _fresh(course):
        if not path.is_file() or path.read_text(encoding="utf-8") != content:
            path.write_text(content, encoding="utf-8")
            changed.append(path)
    return changed


def problems(course: Course) -> Iterator[tuple[str, str]]:
    """(place, what to do) for lint: scenes that cannot be shown, pictures that do not show the numbers of their scene."""
    try:
        for path, content in _fresh(course):
            if not path.is_file() or path.read_text(encoding="utf-8") != content:
                yield str(path.relative_to(course.root)), "계산기의 그림이 장면의 숫자와 다릅니다. ./course tidy를 실행하세요."
    except CourseError as error:
        yield "chapters", str(error)


def on_site(course: Course, cell: NotebookNode) -> str:
    """The text of a cell with its calculator instead of picture and link: HTML tables and the picture, until the script
    puts the live one in their place."""
    data = cell.metadata.course.calculator
    scene = read(_scene(data), cell.id)
    listed = {m["id"]: {"label": m["label"], "text": m["text"]} for m in mistakes(course)}
    options = "".join(f'<option value="{name}">{html.escape(m["label"])}</option>' for name, m in listed.items())
    frame = FRAME.read_text(encoding="utf-8").strip().replace("MISTAKES", options).replace("LINKS", _links(data.get("links", [])))
    text, shown = TAIL.sub("", cell.source), TAIL.search(cell.source)
    if not shown:
        raise CourseError(f"{cell.id}: 계산기의 그림이 없습니다. ./course tidy를 실행하세요.")
    tables = "\n".join(_table(scene, name, X) for name, X in scene.tables().items())
    figure = shown.group().strip().splitlines()[0]
    given = f'data-scene="{_attribute(data["scene"])}" data-mistakes="{_attribute(listed)}"'
    opening = f'<div class="attention-calculator" role="group" aria-label="어텐션 계산기" {given}>'
    return f"{text}\n\n{opening}\n{frame}\n{tables}\n\n{figure}\n\n</div>"


def _attribute(value: object) -> str:
    return html.escape(json.dumps(value, ensure_ascii=False))


def _links(links: list[dict]) -> str:
    """Scenes to open, each with the question that it answers."""
    items = [f'<li><a data-set="{_attribute(link["set"])}">{html.escape(link["title"])}</a>: {html.escape(link["ask"])}</li>' for link in links]
    return "\n".join(['<p class="calc-title">장면 열어 보기</p>', "<ul>", *items, "</ul>"]) if links else ""


def _fresh(course: Course) -> Iterator[tuple[Path, str]]:
    """(file, content) of every picture and of every chapter with a calculator, as they should be."""
    for path in sorted(course.chapters.glob("*.ipynb")):
        nb = notebooks.read(path)
        found = cells(nb)
        if len(found) > 1:
            raise CourseError(f"chapters/{path.name}: 계산기는 한 쪽에 하나만 둘 수 있습니다.")
        for cell in found:
            data = cell.metadata.course.calculator
            scene = read(_scene(data), cell.id)
            linked = [read(data["scene"] | link["set"], f"{cell.id}, {link['title']}") for link in data.get("links", [])]
            used = {each.mistake for each in [scene, *linked]} - {""}
            if unknown := used and used - {m["id"] for m in mistakes(course)}:
                raise CourseError(f"{cell.id}: mistakes.yml에 없는 실수입니다: {', '.join(sorted(unknown))}")
            svg, alt = picture(scene.tokens, scene.V, scene.tables())
            alt = alt.replace("[", "(").replace("]", ")")  # brackets would end the text of the picture
            figure = course.chapters / "figures" / f"calculator-{path.stem}.svg"
            yield figure, svg
            label = LABEL.search(cell.source + "\n")
            if not label:
                raise CourseError(f"{cell.id}: 계산기가 있는 셀에는 (sec-이름)= 줄이 있어야 합니다.")
            cell.source = f"{TAIL.sub('', cell.source)}\n\n![{alt}](figures/{figure.name})\n\n{COLAB.format(label=label[1])}"
            yield path, notebooks.dumps(nb)


def _table(scene: Scene, name: str, X: torch.Tensor) -> str:
    """One table as HTML without an empty line, which would end a block of HTML in Markdown."""
    columns = [f"성분 {n}" for n in range(X.shape[1])] if name == "O" else scene.tokens
    edge = ["행의 합"] if name in ("S", "scaled", "W") else []
    head = "".join(f'<th scope="col">{html.escape(text)}</th>' for text in [*columns, *edge])
    lines = [f'<table class="calc-static"><caption>{TITLES[name]}</caption><thead><tr><td></td>{head}</tr></thead><tbody>']
    for token, row in zip(scene.tokens, X.tolist()):
        numbers = "".join(f"<td>{number(x)}</td>" for x in [*row, *([sum(row)] if edge else [])])
        lines.append(f'<tr><th scope="row">{html.escape(token)}</th>{numbers}</tr>')
    return "\n".join([*lines, "</tbody></table>"])


def number(x: float) -> str:
    """Three decimals as the tables of the calculator show them."""
    return {float("-inf"): "−∞"}.get(x, "NaN" if x != x else f"{x:z.3f}".replace("-", "−"))
