"""A hand-in mended against the release: every marked cell there once and in order, the student's own cells between them.

Marks, texts and kinds of the course's cells come from the release. Of the student come the answers, wherever they were
written, and the cells that are nobody else's. Whatever was done is told in Korean, to the student as to the instructor.
"""
from __future__ import annotations

import copy
import math
import re
import sys
from collections import defaultdict
from dataclasses import dataclass

import nbformat
from nbformat import NotebookNode
from rapidfuzz import fuzz

from autograder import CourseError
from autograder.exercises import mark
from autograder.intake import sources
from autograder.intake.matching import ID, MARK, NAME, NEAR, PLACE, TEXT, Part, Piece, claim, evidence, parts, pieces
from autograder.intake.newer import lowered
from autograder.intake.offline import offline
from autograder.intake.sources import is_blank, normal

MAX_OUTPUT = 2_000_000  # letters of the outputs that are kept of one cell
VERSION = re.compile(r"[\w.-]{1,20}")
OURS = f"Python {sys.version_info.major}.{sys.version_info.minor}"

UNTOUCHED = (
    "답을 쓴 셀이 하나도 없습니다. 배포한 과제 그대로이거나 답을 지운 파일입니다. "
    "Colab이라면 Drive에 저장한 사본을 내려받았는지 확인하고 다시 제출하세요."
)
CHAPTER = "과제가 아니라 교재 본문의 노트북이고, 그 안에 쓴 답도 없습니다. 과제 노트북을 제출하세요."
FROM_CHAPTER = "과제가 아니라 교재 본문의 노트북입니다. 그 안에 있는 직접 해보기만 채점합니다."
OTHER = "다른 과제({name})의 노트북입니다. 어느 과제에 낼 파일인지 확인하세요."
NOT_OURS = "이 과제의 셀이 하나도 없는 노트북입니다. 다른 파일을 골랐는지 확인하고 과제 노트북을 제출하세요."
EDITION = "과제의 다른 판(버전 {theirs})으로 만든 노트북입니다. 지금 판(버전 {ours})에도 있는 문제만 채점합니다."
FOUND = "과제가 셀에 단 표시가 지워져, 셀 {count}개를 셀 id나 내용으로 다시 찾았습니다."
ORDER = "셀의 순서가 과제와 달라 과제의 순서로 되돌렸습니다."
TEXTS = "과제의 안내나 준비 셀 {count}개가 지워지거나 고쳐져 있어 배포한 내용으로 되돌렸습니다."
OWN_SKIPPED = "직접 만든 셀에서 채점하는 곳에서는 할 수 없는 것을 건너뜁니다: {what}."
OWN_NEWER = f"직접 만든 셀의 새 문법({{what}})을 채점하는 {OURS}이 읽도록 같은 뜻의 옛 문법으로 바꾸었습니다."

# Of one 직접 해보기; its title stands before.
BY_NAME = "답 셀의 표시가 지워져 함수 이름으로 찾았습니다."
SWAPPED = "답이 다른 직접 해보기의 답 셀에 있어 함수 이름을 보고 제자리로 옮겼습니다."
BY_PLACE = "답 셀의 표시가 지워져 놓인 자리로 찾았습니다. 다른 글이 답으로 잡혔으면 강사에게 알려 주세요."
SPLIT = "나뉜 답 셀을 이어 붙였습니다."
TWICE = (
    "서로 다른 답이 {count}개 있습니다. 점검 위에 있는 것 가운데 마지막 답을 채점합니다. "
    "노트북을 위에서부터 실행할 때 점검이 쓰는 답이기 때문입니다."
)
BOTH = "답 셀이 {count}개여서 쓴 글을 모두 이어 붙였습니다."
COPIES = "같은 답 셀이 여럿이어서 하나만 남겼습니다."
FROM_CHECK = "답 셀이 비어 있고 답이 점검 셀에 있어 답 셀로 옮겼습니다."
FROM_OWN = "답 셀이 비어 있고 답이 다른 셀에 있어 답 셀로 옮겼습니다."
KIND = "답 셀의 종류가 바뀌어 있어 {kind} 셀로 되돌렸습니다."
FENCE = "답을 감싼 ``` 줄을 지웠습니다."
STUB = "답과 함께 남아 있던 빈칸 표시 줄을 지웠습니다."
MISSING = "답 셀이 없습니다. 빈칸으로 두고 채점합니다."
NEWER = f"새 문법({{what}})을 채점하는 {OURS}이 읽도록 같은 뜻의 옛 문법으로 바꾸었습니다."
SKIPPED = "채점하는 곳에서는 할 수 없는 것을 건너뜁니다: {what}."
CUT = "출력이 너무 길어 앞부분만 보관합니다."
CHECK_GONE = "지워진 점검 셀을 되살렸습니다."
CHECK_EDITED = "고쳐진 점검 셀을 배포한 내용으로 되돌렸습니다."
ADDED = "과제의 셀에 더한 코드를 떼어 따로 실행합니다."


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


def mend(notebook: NotebookNode, release: NotebookNode) -> Mended:
    """The hand-in with exactly the release's marked cells in the release's order, and the student's own between them.

    Takes what `reading.read` gives (or any notebook of nbformat 4). Mending twice changes nothing more. Raises
    NothingToGrade when no answer is there: an untouched release, another assignment, a chapter of the book.
    """
    plan, found = parts(release), pieces(notebook, release)
    said, ours = _course(notebook), _course(release)
    same = bool(said.get("assignment")) and said.get("assignment") == ours.get("assignment")
    other = OTHER.format(name=said["assignment"]) if VERSION.fullmatch(said.get("assignment", "")) and not same else NOT_OURS
    if evidence(notebook, release) < 2:
        raise NothingToGrade(CHAPTER if "chapter" in said else other)
    claim(found, plan)
    if not same and _is_strange(found):
        raise NothingToGrade(other)
    work = _Work(plan, found, [name for name in notebook.metadata.get("reading", []) if isinstance(name, str)])
    work.notes += [FROM_CHAPTER] * ("chapter" in said)
    version = said.get("version", "") if VERSION.fullmatch(said.get("version", "")) else ""
    if version and ours.get("version") and version != ours["version"]:
        work.notes.append(EDITION.format(theirs=version, ours=ours["version"]))
        work.other_edition = True
    cells = work.cells()
    metadata = copy.deepcopy(dict(release.metadata))
    if "course" in metadata:  # what it was made from stays known
        metadata["course"] = {k: v for k, v in metadata["course"].items() if k != "version"} | ({"version": version} if version else {})
    made = nbformat.from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells})
    mended = Mended(made, list(dict.fromkeys(work.notes)), version)
    if not work.answered and "chapter" in said:
        raise NothingToGrade(CHAPTER)
    if not work.answered:
        raise NothingToGrade(UNTOUCHED, mended)
    return mended


def _course(notebook: NotebookNode) -> dict[str, str]:
    said = notebook.metadata.get("course")
    return {key: str(value) for key, value in said.items()} if isinstance(said, dict) else {}


def _is_strange(found: list[Piece]) -> bool:
    """Marks alone may be another course's (q1, q2, ...): of some of its texts a release is known, too."""
    pairs = [(p.source, p.part.source) for p in found if p.part and not p.part.answer and normal(p.part.source)]
    return len(pairs) > 2 and not any(fuzz.ratio(theirs[:5000], ours[:5000]) > 60 for theirs, ours in pairs)


class _Work:
    """One mending: what stands for what, what was told so far."""

    def __init__(self, plan: list[Part], found: list[Piece], notes: list[str]):
        self.plan, self.found, self.notes = plan, found, notes
        self.claims: dict[Part, list[Piece]] = defaultdict(list)
        for piece in found:
            if piece.part:
                self.claims[piece.part].append(piece)
        self.chosen: dict[Part, Piece] = {}
        self.split: set[Part] = set()
        self.moved: dict[Piece, set[str]] = defaultdict(set)  # names of answers that were found in a cell
        self.answered = self.other_edition = False
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
        whole = [(FOUND.format(count=self.marked), self.marked), (ORDER, order != sorted(order))]
        whole.append((TEXTS.format(count=self.restored), self.restored and not self.other_edition))
        self.notes = told + [text for text, true in whole if true] + self.notes
        cells = own[None]
        for part in self.plan:
            extra = [nbformat.v4.new_code_cell(added[part])] if added.get(part) else []
            cells += [*extra, made[part]] if part.check else [made[part], *extra]
            cells += own[part]
        free = not any(part.answer for part in self.plan) or any(mark(part.cell).get("task") for part in self.plan)
        self.answered = self.answered or free and any(piece.own for piece in self.found if piece.part is None and not piece.used)
        return _with_ids(cells, {part.cell.get("id") for part in self.plan})

    def note(self, part: Part, text: str, **values) -> None:
        self.notes.append(f"[{part.title or part.grade_id}] {text.format(**values)}")

    def limit(self, part: Part) -> float:
        """Place of the first check of an answer: what stands above it is what it sees."""
        checks = [piece.place for other in self.plan if other.owner == part.grade_id for piece in self.claims[other]]
        return min(checks, default=math.inf)

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
        begun = sources.heads(part.source)
        alike = [p for p in self.found if p.part is None and not p.used and sources.heads(p.source) & begun]
        for piece in [*self.claims[part], *alike]:
            while not piece.used and (run := self.neighbours(piece, part)):
                count, text = sources.joined([sources.unfenced(p.source) for p in (piece, *run)])
                if not count:
                    break
                piece.source = text
                for other in run[: count - 1]:
                    other.used = True
                self.split.add(part)
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
        source = sources.unfenced(whole) if part.kind == "code" else whole
        if source != whole:
            self.note(part, FENCE)
        blank = is_blank(source, part.source, part.kind)
        source = self.recovered(part, source, blank)
        if is_blank(source, part.source, part.kind):
            if piece is None:
                self.note(part, MISSING)
            source = source if normal(source) else part.source
        else:
            self.answered = True
            if part in self.split:
                self.note(part, SPLIT)
            if kind != part.kind:
                self.note(part, KIND, kind="코드" if part.kind == "code" else "텍스트")
            source, left = sources.without_stub_lines(source, part.source, part.kind)
            if left:
                self.note(part, STUB)
            if part.kind == "code":
                source, newer = lowered(source)
                if newer := [*piece.newer, *newer] if piece else newer:
                    self.note(part, NEWER, what=", ".join(dict.fromkeys(newer)))
                source, skipped = offline(source)
                if skipped:
                    self.note(part, SKIPPED, what=", ".join(skipped))
        cell = copy.deepcopy(part.cell)
        cell.source = source
        if piece and part.kind != "code" and piece.cell.get("attachments"):
            cell.attachments = copy.deepcopy(piece.cell.attachments)
        return self.with_outputs(part, cell)

    def choose(self, part: Part) -> Piece | None:
        """The cell that counts as the answer; what else claims to be it becomes the student's own, or goes as a copy."""
        claims = self.claims[part]
        if not claims:
            return None
        real = [p for p in claims if not is_blank(p.source, part.source, part.kind)]
        best = [p for p in real if sources.answers(p.code, part.source) & part.names] or real
        best = [p for p in best if sources.parse(p.code)] or best
        limit = self.limit(part)
        above = [p for p in best if p.place < limit]
        piece = above[-1] if above else (best or claims)[0]
        texts = list(dict.fromkeys(normal(p.source) for p in best))
        if len(texts) > 1 and part.kind != "code":
            piece.source = "\n\n".join(texts)
            self.note(part, BOTH, count=len(texts))
        elif len(texts) > 1:
            self.note(part, TWICE, count=len(texts))
        elif len(claims) > 1:
            self.note(part, COPIES)
        for other in claims:
            other.part = None
            other.used = other not in real or part.kind != "code" or normal(other.source) == normal(piece.source)
        piece.part, piece.used, self.chosen[part] = part, True, piece
        self.tell_how(part, piece)
        return piece

    def tell_how(self, part: Part, piece: Piece) -> None:
        if piece.how == NAME and mark(piece.cell).get("grade_id"):
            self.note(part, SWAPPED)
        elif piece.how in (NAME, PLACE):
            self.note(part, BY_NAME if piece.how == NAME else BY_PLACE)
        elif piece.how in (ID, TEXT, NEAR):
            self.marked += 1

    def recovered(self, part: Part, source: str, blank: bool) -> str:
        """An answer completed by what the student wrote for it elsewhere."""
        if part.names:
            missing = part.names - (set() if blank else sources.answers(source, part.source))
            donors = [p for p in self.found if missing and p is not self.chosen.get(part) and self.gives(p, part, missing)]
        else:
            donors = self.around(part) if blank else []
        if not donors:
            return source
        limit = self.limit(part)
        above = [p for p in donors if p.place < limit]
        if not part.names and part.kind != "code":
            text = "\n\n".join(p.source for p in donors)
            for donor in donors:
                donor.used = True
        else:
            donor = above[-1] if above else donors[0]
            text = sources.definitions(donor.code, missing) if part.names else donor.code
            donors = [donor]
            if part.names:
                self.moved[donor] |= missing
            else:
                donor.used = True
        if not text:
            return source
        self.note(part, FROM_CHECK if donors[0].part and donors[0].part.check else FROM_OWN)
        return text if blank else f"{source}\n\n{text}"

    def gives(self, piece: Piece, part: Part, names: set[str]) -> bool:
        if piece.used and piece.part is None or not any(name in piece.source for name in names):
            return False
        return bool(sources.answers(piece.code, part.source) & names)

    def around(self, part: Part) -> list[Piece]:
        """The student's own cells beside an answer cell that was left blank."""
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
        if not exact or piece.kind != part.kind:
            if not part.check:
                self.restored += 1
            elif piece is None or not self.other_edition:
                self.note(part, CHECK_EDITED if piece else CHECK_GONE)
        return self.with_outputs(part, copy.deepcopy(part.cell))

    def additions(self, part: Part, known: set[str]) -> str:
        """What a student defined inside a cell of the course: an import in the set-up cell, a helper in a check."""
        texts = [sources.additions(p.code, part.source, known | self.moved[p]) for p in self.claims[part]]
        text = "\n".join(dict.fromkeys(text for text in texts if text))
        if text:
            self.note(part, ADDED)
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
        for text, what in ((OWN_SKIPPED, skipped), (OWN_NEWER, newer)):
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
                self.note(part, CUT)
                break
            cell.outputs.append(copy.deepcopy(output))
        return cell


def _with_ids(cells: list[NotebookNode], reserved: set[str]) -> list[NotebookNode]:
    """Unique ids: the release's cells keep theirs."""
    taken = set()
    for n, cell in enumerate(cells):
        ours = "nbgrader" in cell.metadata
        if not cell.get("id") or cell.id in taken or not ours and cell.id in reserved:
            cell.id = next(made for k in range(len(cells) + 1) if (made := f"own-{n + k}") not in taken | reserved)
        taken.add(cell.id)
    return cells
