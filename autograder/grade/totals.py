"""A hand-in's score: what grading found, what a person gave, what lateness takes away."""
from __future__ import annotations

from dataclasses import dataclass, field

from autograder.grade.folder import HandScores
from autograder.grade.records import REFUSED, Record

STALE = "채점한 뒤 답이 바뀌었습니다: {cells}"


@dataclass(frozen=True)
class Total:
    """`auto` + `hand` - `penalty` = `score`; `hand` is None as long as no person has given anything."""

    auto: float
    hand: float | None
    penalty: float
    max: float
    waiting: list[str] = field(default_factory=list)  # graded cells that a person has still to look at
    stale: list[str] = field(default_factory=list)  # those of them whose hand score was for an earlier answer; not counted

    @property
    def score(self) -> float:
        return max(0.0, self.auto + (self.hand or 0.0) - self.penalty)


def total(record: Record, scores: HandScores | None) -> Total:
    """Add up a record and what the gradebook says. As in nbgrader, a person's score replaces that of a check."""
    full = record.max_auto + record.max_manual
    not_run = record.status == REFUSED or not record.cells and record.max_auto
    if scores is None or not_run:  # what the gradebook may say is about an earlier hand-in
        return Total(record.auto_score, None, 0.0, full)
    given, waiting, stale = [], [], [name for name, cell in scores.cells.items() if cell.stale]
    for name, cell in scores.cells.items():
        if cell.stale or cell.score is None:
            waiting.append(name)
        elif name not in record.cells:
            given.append(cell.score)
        elif cell.by_hand:
            given.append(cell.score - record.cells[name]["score"])
        if cell.extra and not cell.stale:
            given.append(cell.extra)
    return Total(record.auto_score, sum(given) if given else None, scores.penalty, full, waiting, stale)


def points(value: float | None) -> str:
    """A score for people: 3, 2.5, 1.67; "" for None."""
    return "" if value is None else f"{round(value, 2):g}"
