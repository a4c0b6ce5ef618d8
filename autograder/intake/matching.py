"""Which cell of a hand-in stands for which cell of the release.

What speaks for it, in this order: the grade id; the cell's id (Colab keeps it, and a copy in `metadata.id`); the same
text; for an answer, the functions that it defines; nearly the same text; and last the place between its neighbours.
A mark that contradicts the text does not count: a copy of one answer cell may have been used for another answer.
"""
from __future__ import annotations

import builtins
import re
from collections import defaultdict
from dataclasses import dataclass, field

from nbformat import NotebookNode
from rapidfuzz import fuzz, process

from autograder.exercises import is_check, is_solution, mark, parse
from autograder.intake.newer import lowered
from autograder.intake.sources import answers, begins, defines, heads, is_blank, needs, normal, unfenced
from autograder.intake.sources import parse as parse_code

MARK, ID, TEXT, NAME, NEAR, PLACE = "mark", "id", "text", "name", "near", "place"
ENOUGH = 2  # of evidence: less is chance
NEAR_ENOUGH, MAX_NEAR = 75, 5000  # percent; so many letters of so many cells are compared
NEWER = re.compile(r"""\b[rR]?[fF][rR]?["']|^\s*type\s|\b(?:def|class)\s+\w+\s*\[""", flags=re.M)
BUILT_IN = frozenset(dir(builtins)) | {"get_ipython", "display", "In", "Out"}


@dataclass(frozen=True, eq=False)
class Part:
    """A marked cell of the release."""

    place: int
    grade_id: str
    cell: NotebookNode
    title: str  # of its 직접 해보기; "" for what belongs to none
    answer: bool  # students write here
    check: bool
    owner: str  # of a check: the answer's grade id
    names: frozenset[str] = frozenset()  # what an answer has to define

    @property
    def kind(self) -> str:
        return self.cell.cell_type

    @property
    def source(self) -> str:
        return self.cell.source


@dataclass(eq=False)
class Piece:
    """A cell of the hand-in. `part` is what it stands for, None for a cell of the student's own."""

    place: int
    cell: NotebookNode
    kind: str
    source: str
    own: bool  # not a cell of the release that bears no mark there either
    newer: list[str] = field(default_factory=list)  # syntax that was rewritten for our Python
    part: Part | None = None
    how: str = ""
    used: bool = False  # nothing more is to be done with it

    @property
    def code(self) -> str:
        """Its text as code, also where the cell was turned into text; "" when that is none."""
        text = unfenced(self.source)
        return text if self.kind == "code" or parse_code(text) is not None else ""


def parts(release: NotebookNode) -> list[Part]:
    """The marked cells of a release, in order."""
    titles = {cell_id: exercise.title for exercise in parse(release) for cell_id in exercise.cells}
    cells = [cell for cell in release.cells if mark(cell).get("grade_id")]
    given = {name for cell in release.cells if cell.cell_type == "code" for name in defines(cell.source)}
    found, owner, taken = [], "", set()
    for n, cell in enumerate(cells):
        names: frozenset[str] = frozenset()
        if is_solution(cell):
            owner = mark(cell)["grade_id"]
            names = _expected(cell, cells[n + 1 :], given, taken)
            taken |= names
        check = is_check(cell)
        title = titles.get(cell.get("id"), "")
        found.append(Part(n, mark(cell)["grade_id"], cell, title, is_solution(cell), check, owner if check else "", names))
    return found


def _expected(answer: NotebookNode, after: list[NotebookNode], given: set[str], taken: set[str]) -> frozenset[str]:
    """Names that an answer has to define: those its stub begins, or else those that its checks use and nobody defines."""
    if answer.cell_type != "code":
        return frozenset()
    if begun := begins(answer.source):
        return frozenset(begun)
    used: set[str] = set()
    for cell in after:
        if is_solution(cell):
            break
        used |= needs(cell.source) if cell.cell_type == "code" else set()
    return frozenset(used - given - BUILT_IN - taken) or frozenset(defines(answer.source))


def pieces(notebook: NotebookNode, release: NotebookNode) -> list[Piece]:
    """The cells of a hand-in, without Colab's badge."""
    plain = {normal(cell.source) for cell in release.cells if not mark(cell).get("grade_id")}
    found = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and "colab-badge.svg" in cell.source and len(cell.source) < 400:
            continue
        source, newer = lowered(cell.source) if cell.cell_type == "code" and NEWER.search(cell.source) else (cell.source, [])
        found.append(Piece(len(found), cell, cell.cell_type, source, normal(source) not in plain, newer))
    return found


def evidence(notebook: NotebookNode, release: NotebookNode) -> int:
    """How much speaks for a hand-in being made from a release."""
    marks = {mark(cell).get("grade_id") for cell in notebook.cells}
    ids = {i for cell in notebook.cells for i in (cell.get("id"), cell.metadata.get("id"))}
    texts = {normal(cell.source) for cell in notebook.cells}
    begun = {head for cell in notebook.cells for head in heads(cell.source)}
    marked = [cell for cell in release.cells if mark(cell).get("grade_id")]
    shared = sum(
        2 * (mark(cell)["grade_id"] in marks)
        + (cell.get("id") in ids)
        + (normal(cell.source) in texts)
        + 2 * (is_solution(cell) and bool(heads(cell.source) & begun))
        for cell in marked
    )
    if shared < ENOUGH:  # perhaps only the answers were copied, and the stubs do not say what they are called
        names = {name for part in parts(release) for name in part.names}
        defined = {name for cell in notebook.cells if cell.cell_type == "code" for name in defines(cell.source)}
        shared = ENOUGH if 2 * len(names & defined) > len(names) else shared
    return shared


def claim(found: list[Piece], release: list[Part]) -> None:
    """Set `part` and `how` of every piece that stands for a part; several may stand for one."""
    by_mark = {part.grade_id: part for part in release}
    by_id = {part.cell.get("id"): part for part in release}
    for piece in found:
        if part := by_mark.get(mark(piece.cell).get("grade_id")):
            piece.part, piece.how = part, MARK
        elif part := next((by_id[i] for i in _ids(piece) if i in by_id), None):
            piece.part, piece.how = part, ID
    _contradictions(found, release)
    _same_text(found, release)
    _by_name(found, release)
    _near_text(found, release)
    _places(found, release)


def _ids(piece: Piece) -> list[str]:
    return [i for i in (piece.cell.get("id"), piece.cell.metadata.get("id")) if i]


def _free(found: list[Piece]) -> list[Piece]:
    return [piece for piece in found if piece.part is None]


def _open(found: list[Piece], release: list[Part]) -> list[Part]:
    claimed = {piece.part for piece in found}
    return [part for part in release if part not in claimed]


def _contradictions(found: list[Piece], release: list[Part]) -> None:
    """The mark says one answer, the functions say another."""
    owners = {name: part for part in release for name in part.names}
    for piece in found:
        if piece.part and piece.part.names and normal(piece.source) != normal(piece.part.source):
            others = {owners[name] for name in defines(piece.code) if name in owners}
            if others and piece.part not in others:
                piece.part, piece.how = min(others, key=lambda part: part.place), NAME


def _same_text(found: list[Piece], release: list[Part]) -> None:
    """The same text, in order: the hidden checks of a release may all look alike."""
    texts: dict[str, list[Part]] = defaultdict(list)
    for part in release:
        texts[normal(part.source)].append(part)
    alike: dict[str, list[Piece]] = defaultdict(list)
    for piece in _free(found):
        if normal(piece.source) in texts:
            alike[normal(piece.source)].append(piece)
    for text, free in alike.items():
        waiting = [part for part in _open(found, release) if part in texts[text]]
        for part in waiting[: len(free)]:
            piece = free[0]
            if len(free) != len(waiting):  # some are gone or double: the first one below the part before
                start = max((p.place for p in found if p.part and p.part.place < part.place), default=-1)
                piece = next((p for p in free if p.place > start), piece)
            piece.part, piece.how = part, TEXT
            free.remove(piece)
        for piece in free:  # a copy of what is there already
            piece.part, piece.how = texts[text][0], TEXT


def _by_name(found: list[Piece], release: list[Part]) -> None:
    """Cells that define what an answer has to define. One that does so without doing anything is a copy of the stub, or
    the first half of an answer that was split; one that is no Python may be that, too."""
    named, unclaimed = [part for part in release if part.names], set(_open(found, release))
    word = re.compile(rf"\b(?:{'|'.join(re.escape(name) for part in named for name in sorted(part.names)) or '$^'})\b")
    for piece in _free(found):
        if not word.search(piece.source):
            continue
        begun, first = defines(piece.code), heads(piece.source)
        for part in named:
            fits = part in unclaimed and (answers(piece.code, part.source) & part.names or first & heads(part.source))
            if fits or begun & part.names and is_blank(piece.code, part.source, part.kind):
                piece.part, piece.how = part, NAME
                break


def _near_text(found: list[Piece], release: list[Part]) -> None:
    free = [piece for piece in _free(found) if len(piece.source) < MAX_NEAR][:MAX_NEAR]
    for part in _open(found, release):
        texts = {piece.place: piece.source for piece in free if piece.part is None}
        best = process.extractOne(part.source, texts, scorer=fuzz.ratio, score_cutoff=NEAR_ENOUGH)
        if best:
            found[best[2]].part, found[best[2]].how = part, NEAR


def _places(found: list[Piece], release: list[Part]) -> None:
    """Answers that nothing else tells: between its neighbours lies what the student wrote."""
    gaps: dict[tuple[int, int], list[Part]] = defaultdict(list)
    for part in _open(found, release):
        if part.answer and not part.names:
            start = max((piece.place for piece in found if piece.part and piece.part.place < part.place), default=-1)
            after = [piece.place for piece in found if piece.part and piece.part.place > part.place and piece.place > start]
            gaps[start, min(after, default=len(found))].append(part)
    for (start, end), waiting in gaps.items():
        between = [piece for piece in found[start + 1 : end] if piece.part is None and piece.own]
        for part in waiting:
            last = part is waiting[-1]
            mine = [piece for piece in between if piece.kind == part.kind] or between
            mine = mine[-1:] if last and part.kind == "code" else mine if last else mine[:1]
            for piece in mine:
                piece.part, piece.how = part, PLACE
                between.remove(piece)
