"""The class at a glance, for the instructor: who stands where, which checks fail and why, what needs a person."""
from __future__ import annotations

import base64
import io
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from autograder.exercises import Exercise
from autograder.feedback import course_zone, environment
from autograder.grade.folder import CourseFolder
from autograder.grade.records import GRADED, REFUSED, STOPPED, Record
from autograder.grade.totals import STALE, Total, points, total

STATUS = {GRADED: "채점함", STOPPED: "중간에 멈춤", REFUSED: "채점 못 함"}
FONT = Path("chapters", "fonts", "NotoSansKR-subset.otf")
COMMON_MESSAGES, SLOWEST = 3, 5


@dataclass(frozen=True)
class CheckSummary:
    """One check over the class."""

    number: int  # names the check in the plot
    name: str
    exercise: str
    passed: int
    tried: int
    messages: list[tuple[str, int]]  # most frequent first

    @property
    def rate(self) -> float:
        return 100 * self.passed / self.tried if self.tried else 0.0


def write_report(course_dir: Path | str, assignment: str, records: list[Record], exercises: list[Exercise]) -> Path:
    """Write reports/<assignment>/index.html, one page that needs nothing else; its path.

    It shows messages of hidden checks: it is not for students.
    """
    course = CourseFolder(course_dir)
    scores = course.hand_scores(assignment)
    records = sorted(records, key=lambda record: record.student)
    totals = {record.student: total(record, scores.get(record.student)) for record in records}
    checks = _checks(records, exercises)
    page = environment().get_template("report.html.j2").render(
        assignment=assignment,
        records=records,
        totals=totals,
        counts=[(text, sum(record.status == status for record in records)) for status, text in STATUS.items()],
        status=STATUS,
        stale={student: STALE.format(cells=", ".join(sums.stale)) for student, sums in totals.items() if sums.stale},
        to_see=[record.student for record in records if totals[record.student].waiting],
        plots=_plots(course.root, [totals[r.student] for r in records if r.status != REFUSED], checks),
        checks=checks,
        slowest=sorted(records, key=lambda record: -record.seconds)[:SLOWEST],
        written=datetime.now(course_zone(course.root, assignment)[1]),
    )
    path = course.root / "reports" / assignment / "index.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page, encoding="utf-8")
    return path


def _checks(records: list[Record], exercises: list[Exercise]) -> list[CheckSummary]:
    titles = {check.grade_id: exercise.title for exercise in exercises for check in exercise.checks}
    known = [name for name in titles if any(name in record.cells for record in records)]
    names = dict.fromkeys([*known, *(name for record in records for name in record.cells)])
    summaries = []
    for number, name in enumerate(names, 1):
        cells = [record.cells[name] for record in records if name in record.cells]
        messages = Counter(" ".join(cell["message"].split()) for cell in cells if cell["message"])
        passed = len(cells) - sum(messages.values())
        summaries.append(CheckSummary(number, name, titles.get(name, ""), passed, len(cells), messages.most_common(COMMON_MESSAGES)))
    return summaries


# ---- plots ------------------------------------------------------------------------------------------------------


def _plots(root: Path, totals: list[Total], checks: list[CheckSummary]) -> list[tuple[str, str]]:
    """(data URI, alt text) of the plots that there is something to show in."""
    if not totals or not checks:
        return []
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"font.family": _font(root), "axes.unicode_minus": False, "svg.fonttype": "path"}):
        return [_distribution(Figure(figsize=(7, 3), layout="constrained"), totals), _pass_rates(Figure, checks)]


def _distribution(figure, totals: list[Total]) -> tuple[str, str]:
    values, most = [t.score for t in totals], max(t.max for t in totals) or 1.0
    axes = figure.subplots()
    axes.hist(values, bins=10, range=(0, max(most, *values)), color="#3b6ea5", edgecolor="white")
    axes.set(xlabel="점수", ylabel="학생 수")
    axes.yaxis.get_major_locator().set_params(integer=True)
    middle = sorted(values)[len(values) // 2]
    text = f"점수 분포. {len(values)}명, {points(min(values))}점에서 {points(max(values))}점, 가운데 값 {points(middle)}점, 만점 {points(most)}점."
    return _data_uri(figure), text


def _pass_rates(new_figure, checks: list[CheckSummary]) -> tuple[str, str]:
    figure = new_figure(figsize=(7, 0.8 + 0.28 * len(checks)), layout="constrained")
    axes = figure.subplots()
    bars = axes.barh([str(check.number) for check in checks], [check.rate for check in checks], color="#3b6ea5")
    axes.bar_label(bars, [f"{check.rate:.0f}%" for check in checks], padding=3)
    axes.set(xlim=(0, 110), xticks=range(0, 101, 20), xlabel="통과율 (%)", ylabel="점검 번호")
    axes.invert_yaxis()
    hardest = min(checks, key=lambda check: check.rate)
    return _data_uri(figure), f"점검 {len(checks)}개의 통과율. 가장 낮은 것은 {hardest.number}번으로 {hardest.rate:.0f}%입니다."


def _data_uri(figure) -> str:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", facecolor="white", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(buffer.getvalue()).decode()


def _font(root: Path) -> list[str]:
    """Families for plots: the course's own font, that of this repository, or one of the system; then matplotlib's."""
    from matplotlib import font_manager

    for path in (root / FONT, Path(__file__).resolve().parents[1] / FONT):
        if path.is_file():
            font_manager.fontManager.addfont(path)
            return [font_manager.FontProperties(fname=path).get_name(), "DejaVu Sans"]
    known = {font.name for font in font_manager.fontManager.ttflist}
    korean = ("Noto Sans KR", "Noto Sans CJK KR", "NanumGothic", "Malgun Gothic", "AppleGothic", "Apple SD Gothic Neo")
    return [name for name in korean if name in known][:1] + ["DejaVu Sans"]
