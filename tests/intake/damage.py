"""What happens to a notebook between the release and the hand-in, as functions on its JSON.

Each takes the notebook and a source of chance, and changes the notebook; none changes the text of an answer.
"""
from __future__ import annotations

import copy
import functools
import json
import random
import string

import nbformat

from autograder import notebooks
from autograder.course import load
from autograder.exercises import parse
from autograder.handins import filled, variants
from tests.conftest import ROOT

OWN = [
    "from google.colab import drive\ndrive.mount('/content/drive')\n%cd /content/drive/MyDrive",
    "!pip install -q 아무것도-아님",
    "이름 = input('이름: ')\n나이 = int(input('나이: '))",
    "x = 1\nprint(f'{x} 번')",
    "이건 (파이썬이 아님",
    "    들여 쓴 줄",
    "메모입니다.",
]


@functools.cache
def lab() -> tuple[nbformat.NotebookNode, dict[str, str]]:
    """The release of the lab, and the model answer of every code answer cell (grade id -> source)."""
    course = load(ROOT)
    source = notebooks.read(ROOT / "source" / "lab11" / "lab11.ipynb")
    release = notebooks.read(ROOT / "release" / "lab11" / "lab11.ipynb")
    by_hand = {e.grade_id for e in parse(source) if not e.checks}  # free text: no source is the right one
    release.cells = [cell for cell in release.cells if cell.metadata.get("nbgrader", {}).get("grade_id") not in by_hand]
    return release, {e.grade_id: variants(course, e, "")[0].code for e in parse(source) if e.checks}


def solved() -> dict:
    release, answers = lab()
    return json.loads(nbformat.writes(filled(release, answers)))


def text(cell: dict) -> str:
    return cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])


def grade_id(cell: dict) -> str:
    mark = cell["metadata"].get("nbgrader")
    return mark.get("grade_id", "") if isinstance(mark, dict) else ""


def is_answer(cell: dict) -> bool:
    return text(cell).removeprefix("```python\n").removesuffix("\n```") in lab()[1].values()


def own_cell(kind: str, source: str, n: int) -> dict:
    cell = {"cell_type": kind, "id": f"mine-{n}", "metadata": {}, "source": source}
    return cell | ({"outputs": [], "execution_count": None} if kind == "code" else {})


# ---- cells ------------------------------------------------------------------------------------------------------


def lose_marks(nb: dict, chance: random.Random) -> None:
    share = chance.choice([0.1, 0.5, 1.0])
    for cell in nb["cells"]:
        if chance.random() < share:
            cell["metadata"].pop("nbgrader", None)


def spoil_marks(nb: dict, chance: random.Random) -> None:
    junk = [{}, None, 7, {"grade_id": "지어낸 이름"}, {"grade_id": None}, {"points": float("nan")}]
    for cell in nb["cells"]:
        if chance.random() < 0.3:
            cell["metadata"]["nbgrader"] = chance.choice(junk)


def lose_ids(nb: dict, chance: random.Random) -> None:
    nb["nbformat_minor"] = 4
    for cell in nb["cells"]:
        cell.pop("id", None)
        cell["metadata"].pop("id", None)


def new_ids(nb: dict, chance: random.Random) -> None:
    for cell in nb["cells"]:
        cell["id"] = cell["metadata"]["id"] = "".join(chance.choices(string.ascii_letters + string.digits, k=12))


def duplicate(nb: dict, chance: random.Random) -> None:
    for cell in chance.sample(nb["cells"], 4):
        twin = copy.deepcopy(cell)
        if chance.random() < 0.5:
            twin["id"] = f"{twin.get('id', 'x')}-2"
        nb["cells"].insert(chance.randrange(len(nb["cells"]) + 1), twin)


def copy_stubs(nb: dict, chance: random.Random) -> None:
    stubs = {cell.metadata.nbgrader.grade_id: cell.source for cell in lab()[0].cells}
    for cell in [cell for cell in nb["cells"] if is_answer(cell) and grade_id(cell) in stubs and chance.random() < 0.2]:
        twin = copy.deepcopy(cell) | {"source": stubs[grade_id(cell)] + chance.choice(["", "\n# 나중에", "\n"])}
        nb["cells"].insert(chance.randrange(len(nb["cells"]) + 1), twin)


def delete(nb: dict, chance: random.Random) -> None:
    nb["cells"] = [cell for cell in nb["cells"] if is_answer(cell) or chance.random() < 0.8]


def shuffle(nb: dict, chance: random.Random) -> None:
    chance.shuffle(nb["cells"])


def reverse(nb: dict, chance: random.Random) -> None:
    nb["cells"].reverse()


def retype(nb: dict, chance: random.Random) -> None:
    for cell in nb["cells"]:
        if chance.random() < 0.3:
            cell["cell_type"] = chance.choice(["code", "markdown", "raw"])
            for key in ("outputs", "execution_count"):
                cell.pop(key, None)
            if cell["cell_type"] == "code":
                cell |= {"outputs": [], "execution_count": None}


def fence(nb: dict, chance: random.Random) -> None:
    for cell in nb["cells"]:
        if is_answer(cell) and chance.random() < 0.3:
            cell["cell_type"], cell["source"] = "markdown", f"```python\n{text(cell)}\n```"
            cell.pop("outputs", None), cell.pop("execution_count", None)


def edit_locked(nb: dict, chance: random.Random) -> None:
    for cell in nb["cells"]:
        if not is_answer(cell) and grade_id(cell) and chance.random() < 0.3:
            lines = text(cell).splitlines()
            cell["source"] = "\n".join(chance.choice([[*lines, "# 확인함"], lines[: len(lines) // 2], ["pass"]]))


def add_cells(nb: dict, chance: random.Random) -> None:
    for n in range(chance.randint(1, 6)):
        kind = chance.choice(["code", "markdown"])
        nb["cells"].insert(chance.randrange(len(nb["cells"]) + 1), own_cell(kind, f"{chance.choice(OWN)}\n# 내 셀 {n}", n))


def split(nb: dict, chance: random.Random) -> None:
    """Ctrl+Shift+-: the first half keeps the id, the second has a new one; the mark stays with the first or with both."""
    cells = []
    for cell in nb["cells"]:
        lines = text(cell).splitlines()
        if chance.random() > 0.3 or len(lines) < 3 or text(cell).startswith("```"):
            cells.append(cell)
            continue
        cuts = sorted(chance.sample(range(1, len(lines)), chance.choice([1, 1, 2])))
        for n, (start, end) in enumerate(zip([0, *cuts], [*cuts, len(lines)])):
            piece = copy.deepcopy(cell) | {"source": "\n".join(lines[start:end])}
            if n:
                piece["id"] = f"{cell.get('id', 'x')}-{n}"
                piece["metadata"] = chance.choice([piece["metadata"], {}])
            cells.append(piece)
    nb["cells"] = cells


def tamper(nb: dict, chance: random.Random) -> None:
    changes = [{"points": 500}, {"locked": False}, {"solution": True}, {"schema_version": 99}, {"task": True}]
    for cell in nb["cells"]:
        if grade_id(cell) and chance.random() < 0.5:
            cell["metadata"]["nbgrader"] |= chance.choice(changes)
            cell["metadata"]["tags"] = ["skip-execution"]


MARKS = [lose_marks, spoil_marks, lose_ids, new_ids, tamper]
CELLS = [*MARKS, duplicate, copy_stubs, delete, shuffle, reverse, retype, fence, edit_locked, add_cells]


# ---- files ------------------------------------------------------------------------------------------------------


def colab_drive(nb: dict) -> dict:
    """File > Download .ipynb: account data in the cells, one line of JSON, widget state without its wrapper."""
    return _colab(nb, {"provenance": [{"file_id": "1AbC", "timestamp": 1790000000000}]})


def colab_github(nb: dict) -> dict:
    """Save a copy in GitHub: a badge cell without an id in front."""
    made = _colab(nb, {"provenance": [], "include_colab_link": True})
    site = "https://colab.research.google.com"
    badge = f'<a href="{site}/github/a/b/blob/main/lab11.ipynb" target="_parent"><img src="{site}/assets/colab-badge.svg"/></a>'
    about = {"id": "view-in-github", "colab_type": "text"}
    made["cells"].insert(0, {"cell_type": "markdown", "metadata": about, "source": [badge]})
    return made


def colab_new(nb: dict) -> dict:
    """A notebook that Colab made itself: nbformat 4.0, no ids but in the metadata, and those are new."""
    made = colab_drive(nb) | {"nbformat_minor": 0}
    for n, cell in enumerate(made["cells"]):
        cell.pop("id", None)
        cell["metadata"]["id"] = f"zKp{n:09}"
    return made


def _colab(nb: dict, colab: dict) -> dict:
    made = copy.deepcopy(nb)
    widgets = {"application/vnd.jupyter.widget-state+json": {"0fb7": {"model_name": "HBoxModel"}}}
    made["metadata"] |= {"colab": colab, "accelerator": "GPU", "widgets": widgets}
    for n, cell in enumerate(made["cells"]):
        cell["source"] = text(cell).splitlines(keepends=True)
        if cell.get("id"):
            cell["metadata"]["id"] = cell["id"]
        if cell["cell_type"] == "code":
            user = {"displayName": "홍길동", "userId": "00000000000000000000"}
            cell["metadata"] |= {"executionInfo": {"status": "ok", "elapsed": 312, "user": user}, "outputId": f"o-{n}"}
            cell["execution_count"] = n
            table = {"application/vnd.google.colaboratory.intrinsic+json": {"type": "string"}}
            cell["outputs"] = [
                {"output_type": "stream", "name": "stdout", "text": ["통과\n"]},
                {"output_type": "display_data", "data": table, "metadata": {}},
            ]
    return made


def jupyter(nb: dict) -> dict:
    return nb


def old_format(nb: dict) -> dict:
    """nbformat 3, as nbformat itself goes back."""
    whole = copy.deepcopy(nb) | {"nbformat": 4, "nbformat_minor": 4}
    for cell in whole["cells"]:
        cell.pop("id", None)
        cell["source"] = text(cell)
    return json.loads(nbformat.writes(nbformat.convert(nbformat.from_dict(whole), 3), version=3))


def utf8(nb: dict) -> bytes:
    return json.dumps(nb, ensure_ascii=False).encode()


def with_mark(nb: dict) -> bytes:
    return b"\xef\xbb\xbf" + json.dumps(nb, ensure_ascii=False, indent=1).encode()


def escaped(nb: dict) -> bytes:
    return json.dumps(nb, indent=2).replace("\n", "\r\n").encode("ascii")


def utf16(nb: dict) -> bytes:
    return json.dumps(nb, ensure_ascii=False).encode("utf-16")


def cp949(nb: dict) -> bytes:
    def encoded(char: str) -> bytes:
        try:
            return char.encode("cp949")
        except UnicodeEncodeError:
            return json.dumps(char)[1:-1].encode()

    return b"".join(map(encoded, json.dumps(nb, ensure_ascii=False)))


FORMS = [jupyter, colab_drive, colab_github, colab_new, old_format]
ENCODINGS = [utf8, with_mark, escaped, utf16, cp949]
