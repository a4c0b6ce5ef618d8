"""The verbs of authors: from chapters to the site and to what students get."""
from __future__ import annotations

import shlex
import sys
from pathlib import Path

from autograder import CourseError
from autograder.course import load
from autograder.verbs import ROOT, say, write_json


def tidy(args) -> int:
    """Chapters and pictures of calculators in their one form."""
    from autograder import notebooks
    from autograder.book import calculator

    changed = list(dict.fromkeys([*notebooks.tidy(load(ROOT)), *calculator.refresh(load(ROOT))]))
    for path in changed:
        say(f"정돈함: {path.relative_to(ROOT)}")
    say(f"파일 {len(changed)}개를 고쳤습니다." if changed else "모든 장이 이미 정돈되어 있습니다.")
    return 0


def assemble(args) -> int:
    """source/ and release/ of some or all assignments."""
    from autograder.assemble import assemble

    course = load(ROOT)
    for name in args.assignment or course.assignments:
        for path in assemble(course, name):
            say(f"만듦: {path.relative_to(ROOT)}")
    return 0


def check(args) -> int:
    """Rules, leaks, and the proof of every exercise; the proof waits until the rules hold."""
    from autograder import publish
    from autograder.assemble import outdated
    from autograder.lint import lint
    from autograder.prove import prove, shortfalls

    course = load(ROOT)
    problems = [str(problem) for problem in lint(course)]
    say(f"1. 규칙 검사: 문제 {len(problems)}건")
    for problem in problems:
        say(f"   {problem}")

    found = publish.leaks_in(course, publish.everything(course, course.build / "html"))
    say(f"2. 유출 검사: {len(found)}건")
    for leak in found:
        say(f"   {leak}")

    say("3. 증명: 모범 답안, 빈칸, 틀린 답, 다르게 푼 맞는 답을 실제 경로로 채점합니다.")
    rows = [row for name in course.assignments for row in prove(course, name, progress=_same_line)] if not problems else []
    for row in rows:
        outcome = "다름    " if row.surprise else "예상대로"
        say(f"   {outcome}  {row.score:g}/{row.max:g}  {row.variant.exercise}  {row.variant.kind} {row.variant.name}")
        if row.surprise:
            say(f"            {row.surprise}")
    missing = shortfalls(rows)
    for text in missing:
        say(f"   {text}")
    surprises = [row for row in rows if row.surprise]
    if args.json:
        record = {
            "problems": problems,
            "leaks": [str(leak) for leak in found],
            "missing": missing,
            "proof": [
                {"exercise": r.variant.exercise, "kind": r.variant.kind, "name": r.variant.name, "score": r.score, "max": r.max}
                | {"messages": r.messages, "surprise": r.surprise}
                for r in rows
            ],
        }
        write_json(args.json, record)
    if problems:
        raise CourseError("규칙 검사에서 찾은 문제를 먼저 고치고 다시 실행하세요. 증명은 하지 않았습니다.")
    for row in surprises:  # again, at the end: three hundred lines stand above
        name = f"{row.variant.kind}_{row.variant.name}.py" if row.variant.kind in ("wrong", "right") else row.variant.kind
        say(f"   {row.variant.exercise}/{name}: {row.surprise}")
    if found or surprises or missing:
        raise CourseError("유출, 증명, 빠진 답에서 찾은 위의 항목을 고친 뒤 ./course check를 다시 실행하세요.")
    say(f"모두 예상대로입니다. 직접 해보기 {len({r.variant.exercise for r in rows})}개, 답 {len(rows)}가지를 확인했습니다.")
    if outdated(course):
        say("다음: 장이 바뀌었으니 ./course assemble로 과제를 다시 만드세요.")
    return 0


def build(args) -> int:
    """The site, searched for answers and hidden checks."""
    from autograder import publish
    from autograder.assemble import outdated
    from autograder.book.site import build

    course = load(ROOT)
    if outdated(course):  # the site offers the release for download
        raise CourseError("source/와 release/가 지금의 장과 다릅니다. ./course assemble을 먼저 실행하세요.")
    html = build(course, say, pdf=args.pdf)
    publish.require_clean(course, publish.everything(course, html), say)
    say("모든 파일에 답과 숨은 점검이 없습니다. 학생에게 공개하려면: ./course publish 폴더")
    return 0


def publish(args) -> int:
    """Site and student notebooks into a folder."""
    from autograder.publish import publish

    course, folder = load(ROOT), Path(args.folder).resolve()
    written, removed = publish(course, folder, say, pdf=args.pdf)
    say(f"공개할 폴더: {folder} (새로 쓴 파일 {written}개, 지운 파일 {removed}개)")
    if not written and not removed:
        say("지난번에 쓴 것과 같습니다. 그때 올렸다면 더 할 일이 없습니다.")
    elif (folder / ".git").exists():
        say("아직 올리지 않았습니다. 다음 명령으로 올립니다:")
        git = f"git -C {shlex.quote(str(folder))}"
        say(f"{git} add --all && {git} commit -m 공개 && {git} push")
    else:
        say(f"아직 올리지 않았습니다. {course.student_repository} 저장소를 clone한 폴더에 publish하면 git으로 올릴 수 있습니다.")
    return 0


def preview(args) -> int:
    """The site on this computer, renewed at every saved chapter."""
    from autograder.preview import preview

    preview(ROOT, args.port, say)
    return 0


def _same_line(text: str) -> None:
    """Progress that overwrites itself on a terminal."""
    print(f"\r   {text}", end="\n" if not sys.stdout.isatty() else "", flush=True)
