"""A hand-in mended against the release: every marked cell there once and in order, the student's own cells between them.

Marks, texts and kinds of the course's cells come from the release. Of the student come the answers, wherever they were
written, and the cells that are nobody else's. Whatever was done is told in Korean, to the student as to the instructor.
"""
from __future__ import annotations

import copy
import math
import re
from collections import defaultdict
from dataclasses import dataclass

import nbformat
from nbformat import NotebookNode
from rapidfuzz import fuzz

from autograder import CourseError
from autograder.exercises import mark
from autograder.intake import notes, sources
from autograder.intake.matching import ENOUGH, ID, MARK, NAME, NEAR, PLACE, TEXT, Part, Piece, claim, evidence, parts, pieces
from autograder.intake.newer import lowered
from autograder.intake.offline import offline
from autograder.intake.sources import is_blank, normal

MAX_OUTPUT = 2_000_000  # letters of the outputs that are kept of one cell
PLAIN = re.compile(r"[\w. -]{1,40}")

@dataclass(frozen=True)
class Mended:
    """A hand-in ready for grading, what was mended (Korean sentences), and the release's version it was made from."""

    notebook: NotebookNode
    notes: list[str]
    version: str


class NothingToGrade(CourseError):
    """No answer is in this notebook. `mended` is set when it is this assignment's all the same, with every answer blank:
    it can be filed with its checks unpassed, so that the record tells an untouched release from a wrong file."""

    def __init__(self, text: str, mended: Mended | None = None):
        super().__init__(text)
        self.mended = mended


def mend(notebook: NotebookNode, release: NotebookNode, plan: list[Part] | None = None) -> Mended:
    """The hand-in with exactly the release's marked cells in the release's order, and the student's own between them.

    Takes what `reading.read` gives (or any notebook of nbformat 4); `plan` is parts(release), for who mends many. Mending twice changes nothing more. Raises
    NothingToGrade when no answer is there: an untouched release, another assignment, a chapter of the book.
    """
    plan, found, said, ours = plan or parts(release), pieces(notebook, release), _course(notebook), _course(release)
    same = "assignment" in said and said["assignment"] == ours.get("assignment")
    other = notes.OTHER.format(name=said["assignment"]) if "assignment" in said and not same else notes.NOT_OURS
    if evidence(notebook, release) < ENOUGH:
        raise NothingToGrade(notes.CHAPTER if "chapter" in said else other)
    claim(found, plan)
    if not same and _is_strange(found):
        raise NothingToGrade(other)

    version = said.get("version", "")
    another = bool(version) and version != ours.get("version", version)
    told = [text for text in notebook.metadata.get("reading", []) if isinstance(text, str)]
    told += [notes.FROM_CHAPTER] * ("chapter" in said)
    told += [notes.EDITION.format(theirs=version, ours=ours.get("version"))] * another
    work = _Work(plan, found, told, another)
    cells = work.cells()
    metadata = copy.deepcopy(dict(release.metadata))
    if "course" in metadata:
        metadata["course"].pop("version", None)  # ours; what the hand-in was made from stays known
        metadata["course"] |= {"version": version} if version else {}
    made = nbformat.from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells})
    mended = Mended(made, list(dict.fromkeys(work.notes)), version)
    if not work.answered:
        raise NothingToGrade(notes.CHAPTER) if "chapter" in said else NothingToGrade(notes.UNTOUCHED, mended)
    return mended


def _course(notebook: NotebookNode) -> dict[str, str]:
    """What the notebook says about the course, as far as it is short and plain: the sentences repeat some of it."""
    said = notebook.metadata.get("course")
    return {key: str(text) for key, text in said.items() if PLAIN.fullmatch(str(text))} if isinstance(said, dict) else {}


def _is_strange(found: list[Piece]) -> bool:
    """Marks alone may be another course's (q1, q2, ...): of some of its texts a release is known, too."""
    pairs = [(p.source, p.part.source) for p in found if p.part and not p.part.answer and normal(p.part.source)]
    return len(pairs) > 2 and not any(fuzz.ratio(theirs[:5000], ours[:5000]) > 60 for theirs, ours in pairs)


class _Work:
    """One mending: what stands for what, what was told so far."""

    def __init__(self, plan: list[Part], found: list[Piece], told: list[str], another: bool):
        self.plan, self.found, self.notes, self.other_edition = plan, found, told, another
        self.claims: dict[Part, list[Piece]] = defaultdict(list)
        for piece in found:
            if piece.part:
                self.claims[piece.part].append(piece)
        self.chosen: dict[Part, Piece] = {}
        self.split: set[Part] = set()
        self.moved: dict[Piece, set[str]] = defaultdict(set)  # names of answers that were found in a cell
        self.answered = False
        self.restored = self.marked = 0

    def cells(self) -> list[NotebookNode]:
        """All cells of the mended notebook."""
        for part in self.plan:
            self.join(part) if part.answer else self.swallow(part)
        told, self.notes = self.notes, []
        made = {part: self.answer(part) if part.answer else self.locked(part) for part in self.plan}
        known = {name for part in self.plan if part.kind == "code" for name in sources.defines(part.source)}
        added = {part: self.additions(part, known) for part in self.plan if not part.answer and part.kind == "code"}
        own = self.own()
        order = [self.chosen[part].place for part in self.plan if part in self.chosen]
        whole = [(notes.FOUND.format(count=self.marked), self.marked), (notes.ORDER, order != sorted(order))]
        whole.append((notes.TEXTS.format(count=self.restored), self.restored and not self.other_edition))
        self.notes = told + [text for text, true in whole if true] + self.notes
        cells = own[None]
        for part in self.plan:
            extra = [nbformat.v4.new_code_cell(added[part])] if added.get(part) else []
            cells += [*extra, made[part]] if part.check else [made[part], *extra]
            cells += own[part]
        free = not any(part.answer for part in self.plan) or any(mark(part.cell).get("task") for part in self.plan)
        self.answered = self.answered or free and any(p.own for p in self.found if p.part is None and not p.used)
        return _with_ids(cells, {part.cell.get("id") for part in self.plan})

    def note(self, part: Part, text: str, **values) -> None:
        self.notes.append(f"[{part.title or part.grade_id}] {text.format(**values)}")

    def seen(self, part: Part, answers: list[Piece]) -> Piece:
        """Of several answers the one that the checks see when the notebook runs from the top."""
        checks = [piece.place for other in self.plan if other.owner == part.grade_id for piece in self.claims[other]]
        first = min(checks, default=math.inf)
        return next((piece for piece in reversed(answers) if piece.place < first), answers[0])

    # ---- cells in pieces

    def neighbours(self, piece: Piece, part: Part) -> list[Piece]:
        """The next few cells that may be the rest of one."""
        run: list[Piece] = []
        for n in range(piece.place + 1, len(self.found)):
            other = self.found[n]
            if len(run) == 8 or not other.used and other.part not in (None, part):
                break
            run += [other] * (not other.used)
        return run

    def join(self, part: Part) -> None:
        """Put the halves of a split answer together, also of one that stands in a cell of the student's own."""
        if part.kind != "code":
            return
        alike = [p for p in self.found if p.part is None and not p.used and sources.begins(p.source) & part.names]
        for piece in [*self.claims[part], *alike]:
            while not piece.used and (run := self.neighbours(piece, part)):
                count, text = sources.joined([sources.unfenced(p.source) for p in (piece, *run)])
                if not count or part.names and not sources.defines(text) & part.names:
                    break
                piece.source = text
                for other in run[: count - 1]:
                    other.used = True
                self.split.add(part)
            if piece.part is None and is_blank(_text(piece, part), part.source, part.kind):
                piece.used = True  # the halves of a copy of the stub
        self.claims[part] = [piece for piece in self.claims[part] if not piece.used]

    def swallow(self, part: Part) -> None:
        """The rest of a course's cell that was split is not the student's."""
        whole = normal(part.source)
        for piece in self.claims[part]:
            if len(normal(piece.source)) < len(whole):
                for other in self.neighbours(piece, part):
                    if other.part is None and normal(other.source) not in whole:
                        break
                    other.used = True

    # ---- answers

    def answer(self, part: Part) -> NotebookNode:
        piece = self.choose(part)
        whole, kind = (piece.source, piece.kind) if piece else ("", part.kind)
        source = _text(piece, part) if piece else whole
        if source != whole:
            self.note(part, notes.FENCE)
        blank = is_blank(source, part.source, part.kind)
        if more := self.elsewhere(part, source, blank) if part.names else self.beside(part) if blank else "":
            source = more if blank else f"{source}\n\n{more}"
        if is_blank(source, part.source, part.kind):
            if piece is None:
                self.note(part, notes.MISSING)
            source = source if normal(source) else part.source
        else:
            self.answered = True
            if part in self.split:
                self.note(part, notes.SPLIT)
            if kind != part.kind:
                self.note(part, notes.KIND, kind="코드" if part.kind == "code" else "텍스트")
            source, left = sources.without_stub_lines(source, part.source, part.kind)
            if left:
                self.note(part, notes.STUB)
            if part.kind == "code":
                source, newer = lowered(source)
                if newer := [*piece.newer, *newer] if piece else newer:
                    self.note(part, notes.NEWER, what=", ".join(dict.fromkeys(newer)))
                source, skipped = offline(source)
                if skipped:
                    self.note(part, notes.SKIPPED, what=", ".join(skipped))
        cell = nbformat.from_dict(part.cell)  # a copy, far quicker than deepcopy of its class
        cell.source = source
        if piece and part.kind != "code" and piece.cell.get("attachments"):
            cell.attachments = copy.deepcopy(piece.cell.attachments)
        return self.with_outputs(part, cell)

    def choose(self, part: Part) -> Piece | None:
        """The cell that counts as the answer; what else claims to be it becomes the student's own, or goes as a copy."""
        claims = self.claims[part]
        if not claims:
            return None
        real = [p for p in claims if not is_blank(_text(p, part), part.source, part.kind)]
        best = [p for p in real if sources.answers(p.code, part.source) & part.names] or real
        if part.kind == "code":
            best = [p for p in best if p.code and sources.parse(p.code)] or best
        piece = self.seen(part, best or claims)
        texts = list(dict.fromkeys(normal(p.source) for p in best))
        if len(texts) > 1 and part.kind != "code":
            piece.source = "\n\n".join(texts)
            self.note(part, notes.BOTH, count=len(texts))
        elif len(texts) > 1:
            self.note(part, notes.TWICE, count=len(texts))
        elif len(claims) > 1:
            self.note(part, notes.COPIES, kind="답")
        for other in claims:
            other.part = None
            other.used = other not in real or part.kind != "code" or normal(other.source) == normal(piece.source)
        piece.part, piece.used, self.chosen[part] = part, True, piece
        self.tell_how(part, piece)
        return piece

    def tell_how(self, part: Part, piece: Piece) -> None:
        if piece.how == NAME and mark(piece.cell).get("grade_id"):
            self.note(part, notes.SWAPPED)
        elif piece.how in (NAME, PLACE):
            self.note(part, notes.BY_NAME if piece.how == NAME else notes.BY_PLACE)
        elif piece.how in (ID, TEXT, NEAR):
            self.marked += 1

    def elsewhere(self, part: Part, source: str, blank: bool) -> str:
        """The definitions that an answer lacks, from wherever else the student wrote them; "" when there are none."""
        missing = part.names - (set() if blank else sources.answers(source, part.source))
        if not missing:
            return ""
        others = [p for p in self.found if p is not self.chosen.get(part) and (p.part or not p.used)]
        donors = [p for p in others if any(n in p.source for n in missing) and sources.answers(p.code, part.source) & missing]
        if not donors or not (text := sources.definitions((donor := self.seen(part, donors)).code, missing)):
            return ""
        self.moved[donor] |= missing
        self.note(part, notes.ELSEWHERE, where="점검" if donor.part and donor.part.check else "다른")
        return text

    def beside(self, part: Part) -> str:
        """What stands in the student's own cells around an answer cell that was left blank; "" when nothing does."""
        cells = self.around(part)
        if part.kind == "code" and cells:
            cells = [self.seen(part, cells)]
        for piece in cells:
            piece.used = True
        if cells:
            self.note(part, notes.ELSEWHERE, where="다른")
        return "\n\n".join(_text(piece, part) for piece in cells)

    def around(self, part: Part) -> list[Piece]:
        if part not in self.chosen:
            return []
        place, between = self.chosen[part].place, []
        for steps in (range(place - 1, -1, -1), range(place + 1, len(self.found))):
            for n in steps:
                if self.found[n].part is not None:
                    break
                between.append(self.found[n])
        own = [p for p in sorted(between, key=lambda p: p.place) if p.own and not p.used]
        return [p for p in own if p.kind == part.kind] or ([] if part.kind == "code" else own)

    # ---- the course's cells

    def locked(self, part: Part) -> NotebookNode:
        claims = self.claims[part]
        exact = [p for p in claims if normal(p.source) == normal(part.source)]
        piece = next(iter(exact or claims), None)
        for other in claims:
            other.used = True
        if piece:
            self.chosen[part] = piece
            self.marked += piece.how != MARK
        if part.check and len(claims) > 1:
            self.note(part, notes.COPIES, kind="점검")
        if not exact or piece.kind != part.kind:
            if not part.check:
                self.restored += 1
            elif piece is None or not self.other_edition:
                self.note(part, notes.CHECK_EDITED if piece else notes.CHECK_GONE)
        return self.with_outputs(part, nbformat.from_dict(part.cell))

    def additions(self, part: Part, known: set[str]) -> str:
        """What a student defined inside a cell of the course: an import in the set-up cell, a helper in a check."""
        texts = [sources.additions(p.code, part.source, known | self.moved[p]) for p in self.claims[part]]
        text = "\n".join(dict.fromkeys(text for text in texts if text))
        if text:
            self.note(part, notes.ADDED)
        return text

    # ---- the student's own cells

    def own(self) -> dict[Part | None, list[NotebookNode]]:
        """Part -> the student's own cells that follow it; None -> those at the top."""
        places = {piece: part for part, piece in self.chosen.items()}
        kept: dict[Part | None, list[NotebookNode]] = defaultdict(list)
        after, skipped, newer = None, [], []
        for piece in self.found:
            after = places.get(piece, after)
            if piece.used or piece.part is not None or not piece.source.strip() and not piece.cell.get("attachments"):
                continue
            cell = {"cell_type": piece.kind, "id": piece.cell.get("id"), "metadata": {}, "source": piece.source}
            if piece.kind == "code":
                cell["source"], syntax = lowered(piece.source)
                cell["source"], what = offline(cell["source"])
                skipped, newer = skipped + what, newer + piece.newer + syntax
                cell |= {"outputs": [], "execution_count": None}
            elif piece.cell.get("attachments"):
                cell["attachments"] = copy.deepcopy(piece.cell.attachments)
            kept[after].append(nbformat.from_dict(cell))
        for text, what in ((notes.OWN_SKIPPED, skipped), (notes.OWN_NEWER, newer)):
            if what:
                self.notes.append(text.format(what=", ".join(dict.fromkeys(what))))
        return kept

    def with_outputs(self, part: Part, cell: NotebookNode) -> NotebookNode:
        """Outputs are kept where a person grades them, or where nobody but the student could run the cell."""
        if part.kind != "code":
            return cell
        cell.outputs, cell.execution_count, piece = [], None, self.chosen.get(part)
        course = cell.metadata.get("course")
        by_hand = part.answer and mark(cell).get("grade") or isinstance(course, dict) and course.get("runtime_only")
        left = MAX_OUTPUT
        for output in piece.cell.get("outputs", []) if piece and by_hand else []:
            left -= len(str(output))
            if left < 0:
                self.note(part, notes.CUT)
                break
            cell.outputs.append(copy.deepcopy(output))
        return cell


def _text(piece: Piece, part: Part) -> str:
    return sources.unfenced(piece.source) if part.kind == "code" else piece.source


def _with_ids(cells: list[NotebookNode], reserved: set[str]) -> list[NotebookNode]:
    """Unique ids: the release's cells keep theirs."""
    taken = set()
    for n, cell in enumerate(cells):
        ours = "nbgrader" in cell.metadata
        if not cell.get("id") or cell.id in taken or not ours and cell.id in reserved:
            cell.id = next(made for k in range(len(cells) + 1) if (made := f"own-{n + k}") not in taken | reserved)
        taken.add(cell.id)
    return cells
