"""Settings for nbgrader's own commands in this folder (formgrader, export, ...). `./course` reads them too."""
import os
import sys

c = get_config()  # noqa: F821  (nbgrader provides it)
sys.path.append(os.path.dirname(os.path.abspath(__file__)))  # our classes, for nbgrader's own commands

c.CourseDirectory.course_id = "attention-by-hand"
# Stubs raise only when a check calls the function, so an untouched notebook still runs up to its first check.
c.ClearSolutions.code_stub = {"python": 'raise NotImplementedError("아직 빈칸입니다. 이 줄을 지우고 답을 쓰세요.")'}
c.ClearSolutions.text_stub = "여기에 답을 쓰세요."

# Student code behind walls and checks in a separate judge for `nbgrader autograde`, too. Needs Linux (./course doctor).
from autograder.grade.seam import AUTOGRADE, SANITIZE  # noqa: E402

c.Autograde.sanitize_preprocessors = SANITIZE
c.Autograde.autograde_preprocessors = AUTOGRADE

# Late hand-ins are marked as late; what a day begun costs is for the instructor to say (percent of the score). Due dates
# and grace: course.yml. Longer for one student: extensions.csv.
c.AssignLatePenalties.plugin_class = "autograder.grade.late.PercentPerDay"
c.PercentPerDay.percent_per_day = 0
c.PercentPerDay.most_percent = 100
