"""The whole course once, on embedded data: assemble, build, a class of eight made by code, grade, feedback, report."""
from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable

from nbformat import NotebookNode

from autograder import notebooks
from autograder.assemble import assemble, exercise_links
from autograder.book.site import build
from autograder.course import Course
from autograder.execute import executed
from autograder.exercises import Exercise, is_runtime_only, is_solution, parse
from autograder.export import write_grades
from autograder.feedback import write_feedback
from autograder.grade.run import Settings, grade
from autograder.handins import filled, variants
from autograder.intake.collect import collect
from autograder.report import write_report

CELL_SECONDS = 20  # the endless loop of the class should not keep a first-time visitor waiting


def demo(course: Course, say: Callable[[str], None]) -> int:
    """Run everything in <course>/demo and say where the results lie. Returns 0."""
    start = time.monotonic()
    name = next(iter(course.assignments))
    folder = course.root / "demo"
    shutil.rmtree(folder, ignore_errors=True)

    say("1/5 과제 노트북을 만듭니다.")
    source_path, release_path = assemble(course, name)
    say("2/5 장을 실행하고 사이트를 만듭니다.")
    html = build(course, lambda text: say(f"    {text}"))

    say("3/5 가상의 학생 여덟 명이 과제를 냅니다.")
    folder.mkdir()
    for file in ("course.yml", "nbgrader_config.py"):
        shutil.copy(course.root / file, folder)
    shutil.copytree(course.chapters, folder / "chapters", ignore=shutil.ignore_patterns("variants"))
    shutil.copytree(source_path.parent, folder / "source" / name)
    source, release = notebooks.read(source_path), notebooks.read(release_path)
    exercises = parse(source)
    shown = {
        cell.id: cell.outputs
        for chapter in course.assignment(name).chapters
        for cell in executed(course, chapter).cells
        if is_runtime_only(cell) and is_solution(cell)
    }
    students = classroom(course, release, parse(source), shown)
    handins = folder / "handins"
    handins.mkdir()
    for student, (_, content) in students.items():
        (handins / f"{student}_{name}.ipynb").write_text(content, encoding="utf-8")
    received = collect(folder, name, [handins])
    say(f"    {len(received.rows)}건을 모았습니다. 원본은 attempts/에 그대로 남습니다.")

    say("4/5 채점합니다. 한 명은 끝나지 않는 반복문을 냈으므로 그 자리에서 잠시 기다립니다.")
    records = grade(
        folder,
        name,
        settings=Settings.of(course.limits | {"cell_seconds": CELL_SECONDS}),
        progress=lambda r, done, total: say(f"    [{done}/{total}] {r.student} {r.auto_score:g}/{r.max_auto:g}점  ({students[r.student][0]}) {r.reason}".rstrip()),
    )

    say("5/5 피드백과 반 요약을 씁니다.")
    pages = write_feedback(folder, name, records, exercises, exercise_links(course, source))
    summary = write_report(folder, name, records, exercises)
    grades = write_grades(folder, name, records, folder / "grades.csv")
    say(f"\n{time.monotonic() - start:.0f}초 걸렸습니다. 결과는 다음과 같습니다.")
    say(f"  교재 사이트      {html / 'index.html'}")
    say(f"  학생 과제 노트북  {release_path}")
    say(f"  학생별 피드백    {pages[0].parent.parent.parent} ({len(pages)}명)")
    say(f"  반 요약          {summary}")
    say(f"  성적표           {grades}")
    return 0


def classroom(
    course: Course, release: NotebookNode, exercises: list[Exercise], shown: dict[str, list]
) -> dict[str, tuple[str, str]]:
    """Eight hand-ins: 학번 -> (what kind of student, file content). `shown`: what the hand-graded answers print."""
    stubs = {cell.metadata.nbgrader.grade_id: cell.source for cell in release.cells if "nbgrader" in cell.metadata}
    ways = {e.grade_id: variants(course, e, stubs[e.grade_id]) for e in exercises if e.checks}

    def pick(kind: str, nth: int = 0) -> dict[str, str]:
        """One variant of KIND for every exercise, the model where there is none."""
        found = {i: [v for v in vs if v.kind == kind] for i, vs in ways.items()}
        return {i: (vs[nth % len(vs)] if vs else ways[i][0]).code for i, vs in found.items()}

    model, right, blank = pick("model"), pick("right"), pick("stub")
    first, *_, last = model
    half = {i: (model if k % 2 else pick("wrong"))[i] for k, i in enumerate(model)}
    early = {i: (model if k < len(model) // 2 else blank)[i] for k, i in enumerate(model)}
    crash = model | {last: model[last] + "\n\nimport os\nos._exit(1)  # 커널이 꺼집니다"}
    loop = model | {first: re.sub("raise NotImplementedError.*", "while True: pass", blank[first])}
    by_hand = {e.grade_id: variants(course, e, "")[0].code for e in exercises if e.manual_points}

    def finished(answers: dict[str, str]) -> str:
        """A notebook saved with the hand-graded answers and their outputs."""
        nb = filled(release, answers | by_hand)
        for cell in nb.cells:
            if cell.id in by_hand and cell.cell_type == "code":
                cell.outputs = shown.get(cell.id, [])
        return notebooks.dumps(nb)

    return {
        "2026100001": ("모두 맞힌 학생", finished(model)),
        "2026100002": ("다른 방법으로 맞힌 학생", finished(right)),
        "2026100003": ("문제마다 흔한 실수를 한 학생", notebooks.dumps(filled(release, pick("wrong", 1)))),
        "2026100004": ("절반은 맞고 절반은 틀린 학생", notebooks.dumps(filled(release, half))),
        "2026100005": ("앞의 절반만 푼 학생", notebooks.dumps(filled(release, early))),
        "2026100006": ("빈칸 그대로 낸 학생", notebooks.dumps(release)),
        "2026100007": ("마지막 답에서 커널을 끄는 학생", notebooks.dumps(filled(release, crash))),
        "2026100008": ("끝나지 않는 반복문을 쓴 학생", notebooks.dumps(filled(release, loop))),
    }
