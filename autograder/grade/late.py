"""Late hand-ins in nbgrader's own terms: due dates and extensions in the gradebook, and a penalty by the day.

nbgrader counts lateness from `duedate` + `extension`; what course.yml and extensions.csv say is written there, the grace as
part of the extension. How much is taken away is up to nbgrader_config.py.
"""
from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float

if TYPE_CHECKING:
    from autograder.intake.rules import Rules

DAY = 24 * 60 * 60


class PercentPerDay(LateSubmissionPlugin):
    """Takes a part of the score for every day begun after the time was up."""

    percent_per_day = Float(0.0, min=0.0, max=100.0, help="What a day costs, in percent of the score").tag(config=True)
    most_percent = Float(100.0, min=0.0, max=100.0, help="What lateness costs at most").tag(config=True)

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float:
        days = math.ceil(total_seconds_late / DAY)
        return score * min(self.percent_per_day * days, self.most_percent) / 100


def extension(student: str, rules: Rules) -> timedelta | None:
    """How much later than the assignment's due date a student's time is up."""
    return rules.deadline(student) - rules.due + rules.grace if rules.due else None
