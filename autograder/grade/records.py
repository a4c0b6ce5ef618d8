"""What is known about one hand-in after grading. Feedback, report and export read records, not notebooks.

Records are kept in `reports/<assignment>/records/<student>.json` and not beside the graded notebook: nbgrader deletes
and refills `autograded/<student>/<assignment>` at will and copies the student's own files there (a hand-in could bring
its own record.json), and a refused hand-in has no such folder.
"""
from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from autograder import CourseError

GRADED, REFUSED, STOPPED = "graded", "refused", "stopped"

# Messages that grading itself writes; such a cell has "from_grader" set. They are made from these texts alone, never
# from an output (a student's code could print the like), so students may read them even where a check is hidden.
ANSWER_CUT = "답 셀이 제한 시간 {seconds}초 안에 끝나지 않아 점검하지 못했습니다."
NOT_FINISHED = "점검하지 못했습니다. {reason}"
NOT_HANDED_IN = "이 점검이 들어 있는 노트북을 내지 않았습니다: {name}.ipynb"
PARTIAL = "부분 점수입니다."


@dataclass
class Record:
    """One hand-in. `cells` holds the automatic checks; hand scores live in the gradebook alone.

    cells: grade id -> {"score", "max", "message", "hidden", "from_grader", "weak"}; message is "" when the check passed,
    hidden says that students do not see the whole check, weak that it ran beside the student's code. A grade id that two notebooks share is written "notebook/grade id".
    """

    student: str
    assignment: str
    status: str = GRADED
    auto_score: float = 0.0
    max_auto: float = 0.0
    max_manual: float = 0.0
    cells: dict[str, dict] = field(default_factory=dict)
    flags: list[str] = field(default_factory=list)  # Korean sentences: what a person should know or look at
    reason: str = ""  # Korean; why the hand-in was refused or stopped
    seconds: float = 0.0
    slow: dict[str, float] = field(default_factory=dict)  # cell -> seconds, of those that took longest
    fingerprint: str = ""  # of everything the result depends on; "" when it must be graded again

    def as_dict(self) -> dict:
        return dict(vars(self))

    def to_json(self) -> str:
        return json.dumps(self.as_dict(), ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Raises CourseError when the text is not a record."""
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError) as error:
            raise CourseError(f"채점 기록을 읽을 수 없습니다. 그 과제를 다시 채점하세요. ({error})") from error


def path(course_dir: Path, assignment: str, student: str) -> Path:
    return Path(course_dir) / "reports" / assignment / "records" / f"{student}.json"


def save(course_dir: Path, record: Record) -> Path:
    """Write one record; a crash leaves the old record or the new one."""
    target = path(course_dir, record.assignment, record.student)
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_suffix(".json.new")
    fresh.write_text(record.to_json(), encoding="utf-8")
    fresh.replace(target)
    return target


def outdate(course_dir: Path, record: Record) -> None:
    """Mark the old record of a hand-in as one to be graded again, should what follows be cut off."""
    target = path(course_dir, record.assignment, record.student)
    if target.is_file():
        old = Record.from_json(target.read_text(encoding="utf-8"))
        old.fingerprint = ""
        save(course_dir, old)


def read_records(course_dir: Path, assignment: str) -> list[Record]:
    """All records of an assignment, by student."""
    folder = path(course_dir, assignment, "x").parent
    return [Record.from_json(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))]
