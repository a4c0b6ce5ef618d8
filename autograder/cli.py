"""The command line: one verb per step of the course. Each verb only calls its module and prints for people."""
from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

from autograder import CourseError
from autograder.course import LIMITS, load

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Run one verb. Exit 0 when everything asked for was done, else 1 and a last line that says what to do.

    A verb that came to its end but leaves something to do returns that line; one that could not go on raises it.
    """
    args = _parser().parse_args()
    try:
        sys.exit(args.run(args) or 0)
    except CourseError as error:
        sys.exit(f"멈추었습니다: {error}")
    except OSError as error:
        sys.exit(f"멈추었습니다: 파일을 읽거나 쓰지 못했습니다. 남은 공간과 권한을 확인하고 다시 실행하세요. ({error})")
    except KeyboardInterrupt:
        sys.exit("\n중단했습니다. 같은 명령을 다시 실행하면 됩니다.")


def say(text: str) -> None:
    print(text, flush=True)


def tidy(args) -> int:
    from autograder import notebooks
    from autograder.book import calculator

    changed = list(dict.fromkeys([*notebooks.tidy(load(ROOT)), *calculator.refresh(load(ROOT))]))
    for path in changed:
        say(f"정돈함: {path.relative_to(ROOT)}")
    say(f"파일 {len(changed)}개를 고쳤습니다." if changed else "모든 장이 이미 정돈되어 있습니다.")
    return 0


def assemble(args) -> int:
    from autograder.assemble import assemble

    course = load(ROOT)
    for name in args.assignment or course.assignments:
        for path in assemble(course, name):
            say(f"만듦: {path.relative_to(ROOT)}")
    return 0


def check(args) -> int:
    from autograder import publish
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
        say(f"   {'예상대로' if not row.surprise else '다름   '}  {row.score:g}/{row.max:g}  {row.variant.exercise}  {row.variant.kind} {row.variant.name}")
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
        _write_json(args.json, record)
    if problems:
        raise CourseError("규칙 검사에서 찾은 문제를 먼저 고치고 다시 실행하세요. 증명은 하지 않았습니다.")
    for row in surprises:  # again, at the end: three hundred lines stand above
        name = f"{row.variant.kind}_{row.variant.name}.py" if row.variant.kind in ("wrong", "right") else row.variant.kind
        say(f"   {row.variant.exercise}/{name}: {row.surprise}")
    if found or surprises or missing:
        raise CourseError("유출, 증명, 빠진 답에서 찾은 위의 항목을 고친 뒤 ./course check를 다시 실행하세요.")
    say(f"모두 예상대로입니다. 직접 해보기 {len({r.variant.exercise for r in rows})}개, 답 {len(rows)}가지를 확인했습니다.")
    return 0


def build(args) -> int:
    from autograder import publish
    from autograder.assemble import outdated
    from autograder.book.site import build

    course = load(ROOT)
    if outdated(course):  # the site offers the release for download
        raise CourseError("source/와 release/가 지금의 장과 다릅니다. ./course assemble을 먼저 실행하세요.")
    html = build(course, say, pdf=args.pdf)
    publish.require_clean(course, publish.everything(course, html), say)
    say(f"사이트: {html / 'index.html'}")
    return 0


def publish(args) -> int:
    from autograder.publish import publish

    course, folder = load(ROOT), Path(args.folder).resolve()
    written, removed = publish(course, folder, say, pdf=args.pdf)
    say(f"공개할 폴더: {folder} (새로 쓴 파일 {written}개, 지운 파일 {removed}개)")
    say(f"다음: 이 폴더를 {course.student_repository}에 올립니다. 올리는 일은 하지 않았습니다. (git -C {folder} add --all, commit, push)")
    return 0


def preview(args) -> int:
    from autograder.preview import preview

    preview(ROOT, args.port, say)
    return 0


def collect(args) -> int | str:
    from autograder.intake.collect import collect
    from autograder.intake.matches import COUNTS, KEPT, ODD, REFUSED, STATUS, UNMATCHED

    found = collect(_course_dir(args), args.assignment, args.files, args.roster)
    odd = [row for row in found.rows if row.status == UNMATCHED or row.status == REFUSED and row.now]
    for row in [*(row for row in found.here if row.status not in ODD), *odd]:
        known = "" if row.new or row.status in ODD else " (전에 받음)"
        say(f"{row.student or '-':<12} {STATUS[row.status]}{known}  {row.file}  {row.note}".rstrip())
    if args.json:
        _write_json(args.json, found.as_dict())
    if not found.rows:
        raise CourseError("노트북(.ipynb)이나 zip을 찾지 못했습니다. 받은 파일이 든 폴더가 맞는지 확인하세요.")
    graded = {row.student for row in found.rows if row.status == COUNTS}
    say(f"파일 {len(found.here)}건을 살폈고 {sum(row.new for row in found.here)}건이 새로 왔습니다. 채점할 학생은 모두 {len(graded)}명입니다.")
    if passed := sum(row.status == KEPT for row in found.rows):
        say(f"채점하지 않는 {passed}건도 attempts/에 그대로 있습니다.")
    if found.late:
        say(f"늦게 낸 학생 {len(found.late)}명: {_some(found.late)}")
    if found.untimed:
        say("낸 시각을 알 수 없어 늦었는지 판단하지 못합니다. Moodle이면 채점 워크시트를 함께 주세요. 그때까지는 제때 낸 것으로 봅니다.")
    if found.absent:
        lost = sum(row.status == UNMATCHED for row in found.rows)
        perhaps = f" (학생을 찾지 못한 파일 {lost}건이 이들의 것일 수 있습니다)" if lost else ""
        say(f"명단에 있으나 내지 않은 학생 {len(found.absent)}명: {_some(found.absent)}{perhaps}")
    if found.strangers:
        say(f"extensions.csv에 있으나 명단에 없는 학번: {_some(found.strangers)}")
    for student, reason in found.nothing.items():
        say(f"채점할 것이 없는 학생 {student}: {reason}")
    say(f"대응표: {found.table} (읽기: {found.table.with_suffix('.html').name})")
    if not odd and not found.nothing:
        say(f"다음: ./course grade {args.assignment}") if graded else None
        return 0
    todo = ["모으기는 끝났습니다."]
    if odd:
        again = f"./course collect --assignment {args.assignment}"
        todo.append(f"학생을 찾지 못했거나 받지 못한 파일이 {len(odd)}건 있습니다. 대응표의 학번을 채우고 {again}을 다시 실행하세요.")
    if found.nothing:
        todo.append(f"다만 {len(found.nothing)}명은 다시 받아야 합니다.")
    if graded:
        todo.append(f"나머지는 ./course grade {args.assignment}로 그대로 채점할 수 있습니다.")
    return " ".join(todo)


def grade(args) -> int:
    from autograder.grade.folder import CourseFolder
    from autograder.grade.run import Settings, grade, sample, verify
    from autograder.grade.totals import total

    folder, start = _course_dir(args), time.monotonic()
    limits = load(folder).limits if (folder / "course.yml").is_file() else LIMITS
    settings = Settings.of(limits, workers=args.workers, fresh=args.fresh, weak=args.weak)
    new = []  # a hand-in that is graded already takes no time

    def progress(record, done: int, of: int) -> None:
        new.append(record)
        left = (time.monotonic() - start) / len(new) * (of - done)
        score = f"{record.auto_score:g}/{record.max_auto:g}"
        say(f"[{done}/{of}] {record.student}  {STATUS[record.status]}  {score}  남은 시간 약 {left:.0f}초  {record.reason}".rstrip())

    records = grade(folder, args.assignment, students=args.student or None, settings=settings, again=args.again, progress=progress)
    if args.json:
        _write_json(args.json, [r.as_dict() for r in records])
    counts = {status: sum(r.status == status for r in records) for status in STATUS}
    if not new:
        say("바뀐 제출이 없어 새로 채점하지 않았습니다. 다시 하려면 --again을 붙이세요.")
    say("모두: " + ", ".join(f"{STATUS[s]} {n}건" for s, n in counts.items() if n) + f" ({time.monotonic() - start:.0f}초)")
    slow = sorted(((seconds, r.student, cell) for r in new for cell, seconds in r.slow.items() if seconds >= 1), reverse=True)[:5]
    if slow:
        say("오래 걸린 셀: " + ", ".join(f"{student} {cell} {seconds:.0f}초" for seconds, student, cell in slow))
    differences = []
    if args.verify:
        chosen = sample(records, args.verify)
        differences = verify(folder, args.assignment, chosen, settings)
        say("\n".join(differences) or f"{len(chosen)}명을 새 파이썬에서 다시 채점했고 모두 같습니다.")
    scores = CourseFolder(folder).hand_scores(args.assignment)
    if by_hand := sum(bool(total(record, scores.get(record.student)).waiting) for record in records):
        say(f"손 채점이 남은 학생 {by_hand}명: ./course formgrade")
    say(f"다음: ./course feedback {args.assignment}, ./course report {args.assignment}, ./course export {args.assignment} grades.csv")
    return 1 if differences else 0


def doctor(args) -> int:
    from autograder.grade.doctor import examine

    findings = examine()
    for finding in findings:
        say(f"{'있음' if finding.good else '없음'}  {finding.name}" + ("" if finding.good else f"\n      {finding.advice}"))
    if all(finding.good or not finding.need for finding in findings):
        say("학생 코드를 가두어 채점할 수 있습니다.")
        return 0
    raise CourseError("벽이 모자라 숨은 점검을 돌리지 않습니다. 위에서 '없음'이라고 한 것을 갖추세요.")


STATUS = {"graded": "채점함", "stopped": "중간에 멈춤", "refused": "채점 못 함"}


def feedback(args) -> int:
    from autograder import leaks
    from autograder.assemble import exercise_links
    from autograder.feedback import write_feedback

    folder = _course_dir(args)
    sources, exercises, records = _graded(folder, args.assignment)
    ours = load(folder) if (folder / "course.yml").is_file() else None
    links = {k: v for nb in sources for k, v in exercise_links(ours, nb).items()} if ours else {}
    if args.student:
        records = [record for record in records if record.student in args.student]
    pages = write_feedback(folder, args.assignment, records, exercises, links)
    withheld = {page: found for page in pages if (found := leaks.scan(page, leaks.secrets(sources)))}
    for page, found in withheld.items():
        page.unlink()
        say(f"   {page.parent.parent.name}: {'; '.join(leak.what for leak in found)}")
    say(f"피드백 {len(pages) - len(withheld)}쪽: {folder / 'feedback'}")
    if withheld:
        raise CourseError(f"{len(withheld)}명의 피드백에는 답이나 숨은 점검으로 보이는 글이 있어 지웠습니다. 위의 학생을 확인하세요. 나머지는 나누어 주어도 됩니다.")
    return 0


def report(args) -> int:
    from autograder.report import write_report

    folder = _course_dir(args)
    _, exercises, records = _graded(folder, args.assignment)
    say(f"요약: {write_report(folder, args.assignment, records, exercises)}")
    if args.json:
        _write_json(args.json, [r.as_dict() for r in records])
    return 0


def export(args) -> int | str:
    from autograder.export import fill, write_grades
    from autograder.intake.roster import find_roster

    folder = _course_dir(args)
    _, _, records = _graded(folder, args.assignment)
    roster = find_roster(folder, args.roster)
    todo = []
    if args.lms:
        todo.append(say_filled(fill(folder, args.assignment, records, args.lms, args.file, roster, args.column or "")))
    else:
        say(f"성적표: {write_grades(folder, args.assignment, records, args.file, roster)}")
    if behind := _not_graded(folder, args.assignment):
        known = {record.student for record in records}
        old, missing = ([student for student in behind if (student in known) is is_old] for is_old in (True, False))
        todo += [f"이전 점수로 적었습니다: {_some(old)}."] if old else []
        todo += [f"아직 채점하지 않아 점수를 적지 못했습니다: {_some(missing)}."] if missing else []
        todo.append(f"./course grade {args.assignment} 뒤에 다시 내보내세요.")
    return " ".join(filter(None, todo)) or 0


def formgrade(args) -> int:
    from autograder.desk.server import open_desk

    open_desk(Path(args.folder or ROOT), args.port, say)
    return 0


def say_filled(found) -> str:
    """Print what was written for a platform; what is left to do, or ""."""
    say(f"{found.system}에 올릴 파일: {found.path} (점수 {len(found.filled)}명)")
    if found.no_score:
        say(f"점수를 적지 않은 학생 {len(found.no_score)}명: {_some(found.no_score)}")
    if found.waiting:
        say(f"손으로 채점할 셀이 남아 지금까지의 점수만 적은 학생 {len(found.waiting)}명: {_some(found.waiting)}")
    if found.maxima:
        say(f"주의: {found.system}의 만점은 {found.maxima[0]}점, 이 과제의 만점은 {found.maxima[1]}점입니다. {found.system}의 만점을 고치고 올리세요.")
    if not found.no_row:
        return ""
    missing = f"{found.system} 표에서 찾지 못한 학생이 {len(found.no_row)}명 있습니다: {_some(found.no_row)}."
    return f"{missing} 명단(--roster)을 주거나 표를 다시 내려받으세요."


def demo(args) -> int:
    from autograder.demo import demo

    return demo(load(ROOT), say)


def test(args) -> int:
    import pytest

    from autograder.browser import find_browser

    os.environ["CHROMIUM"] = find_browser(say)
    arguments = ["-q", "--durations=8", "-n", str(min(4, os.cpu_count() or 1)), "--dist", "loadfile", *args.pytest] + ([] if args.long else ["-m", "not long"])
    os.chdir(ROOT)
    return pytest.main(arguments)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./course", description="어텐션을 손으로 만들기: 교재를 만들고, 과제를 내고, 채점합니다.")
    verbs = parser.add_subparsers(metavar="명령", required=True)

    def verb(name: str, run, text: str) -> argparse.ArgumentParser:
        sub = verbs.add_parser(name, help=text, description=text)
        sub.set_defaults(run=run)
        return sub

    verb("demo", demo, "처음부터 끝까지 한 번: 과제와 사이트를 만들고, 가상의 학생 여덟 명을 채점해 보여 줍니다.")
    sub = verb("test", test, "테스트를 실행합니다(브라우저 포함).")
    sub.add_argument("--long", action="store_true", help="CI에서 쓰는 긴 테스트까지")
    sub.add_argument("pytest", nargs="*", help="pytest에 그대로 넘길 인수")

    verb("tidy", tidy, "[저자] 장을 정돈합니다: 출력 없음, 한 가지 JSON 모양, 준비 셀 채우기.")
    sub = verb("check", check, "[저자] 장의 규칙, 유출, 모든 직접 해보기의 채점을 확인합니다.")
    sub.add_argument("--json", metavar="FILE", help="결과를 JSON으로도 저장")
    sub = verb("assemble", assemble, "[저자] 장에서 source/와 release/의 과제 노트북을 만듭니다.")
    sub.add_argument("assignment", nargs="*", help="과제 이름(없으면 전부)")
    sub = verb("build", build, "[저자] 사이트(_build/html)를 만듭니다.")
    _pdf_option(sub)
    sub = verb("preview", preview, "[저자] 사이트를 이 컴퓨터에 열고, 장을 저장할 때마다 다시 만들어 보여 줍니다.")
    sub.add_argument("--port", type=int, default=8000, metavar="N", help="포트(기본 8000, 쓰고 있으면 다음 번호)")
    sub = verb("publish", publish, "[저자] 사이트와 학생 노트북을 DIR에 씁니다. 이 폴더를 학생 저장소에 올립니다.")
    sub.add_argument("folder", metavar="DIR", help="학생 저장소를 clone한 폴더나 빈 폴더. 다른 파일이 있으면 아무것도 바꾸지 않습니다")
    _pdf_option(sub)

    verb("doctor", doctor, "[강사] 이 컴퓨터가 학생 코드를 가두어 채점할 수 있는지 확인합니다.")
    sub = verb("collect", collect, "[강사] LMS에서 받은 것을 학번별로 모읍니다. 원본은 attempts/에, 누구 것인지는 matches/에 남습니다.")
    sub.add_argument("files", nargs="*", metavar="파일", help=".zip, 폴더, .ipynb, LMS의 채점 워크시트나 성적부 CSV. 없으면 고친 대응표를 따릅니다.")
    sub.add_argument("--assignment", required=True, metavar="과제", help="예: lab11")
    sub.add_argument("--roster", metavar="명단", help="학번, 이름 열이 있는 CSV(기본: 강좌 폴더의 roster.csv)")
    _course_options(sub)
    sub = verb("grade", grade, "[강사] 모은 노트북을 채점합니다. 한 파일이 잘못되어도 나머지는 끝까지 갑니다.")
    sub.add_argument("assignment", metavar="과제")
    sub.add_argument("--student", action="append", metavar="학번", help="이 학생만(여러 번 쓸 수 있음)")
    sub.add_argument("--workers", type=int, metavar="N", help="동시에 채점할 수(기본: 코어 수)")
    sub.add_argument("--again", action="store_true", help="바뀐 것이 없는 제출도 다시 채점")
    sub.add_argument("--fresh", action="store_true", help="제출마다 새 파이썬을 시작해 채점(느림)")
    sub.add_argument("--verify", type=int, metavar="N", help="N명을 뽑아 새 파이썬에서 한 번 더 채점하고 견줌")
    sub.add_argument("--weak", action="store_true", help="벽을 세울 수 없는 컴퓨터에서도 채점. 모두 믿을 수 있는 제출일 때만")
    _course_options(sub)
    for name, run, text in (
        ("feedback", feedback, "[강사] 학생마다 피드백 쪽을 만듭니다."),
        ("report", report, "[강사] 반 전체의 요약을 만듭니다."),
        ("export", export, "[강사] 성적을 엑셀에서 열리는 CSV나, LMS에 다시 올릴 표로 내보냅니다."),
    ):
        sub = verb(name, run, text)
        sub.add_argument("assignment", metavar="과제")
        if name == "export":
            sub.add_argument("file", metavar="파일", help="예: grades.csv")
            sub.add_argument("--lms", metavar="표", help="LMS에서 내려받은 채점 워크시트나 성적부 CSV. 여기에 점수를 채웁니다")
            sub.add_argument("--column", metavar="열", help="성적부에서 이 과제의 열 이름(일부). 과제 이름으로 찾지 못할 때")
            sub.add_argument("--roster", metavar="명단", help="학번, 이름 열이 있는 CSV(기본: 강좌 폴더의 roster.csv)")
        if name == "feedback":
            sub.add_argument("--student", action="append", metavar="학번", help="이 학생만(여러 번 쓸 수 있음)")
        _course_options(sub, json_file=name == "report")
    sub = verb("formgrade", formgrade, "[강사] 손으로 채점하는 화면(nbgrader formgrader)을 이 컴퓨터에 엽니다.")
    sub.add_argument("folder", nargs="?", metavar="DIR", help="강좌 폴더(기본: 이 폴더)")
    sub.add_argument("--port", type=int, default=8888, metavar="N", help="포트(기본 8888, 쓰고 있으면 다음 번호)")
    return parser


def _pdf_option(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--pdf", action="store_true", help="쪽마다, 그리고 책 전체의 PDF까지 (Chrome이나 Chromium이 필요하고 1~2분 더 걸립니다)")


def _course_options(sub: argparse.ArgumentParser, json_file: bool = True) -> None:
    sub.add_argument("--course", metavar="DIR", help="강좌 폴더(기본: 이 폴더). nbgrader 강좌 폴더면 어떤 것이든 됩니다.")
    if json_file:
        sub.add_argument("--json", metavar="FILE", help="결과를 JSON으로도 저장")


def _course_dir(args) -> Path:
    folder = Path(args.course or ROOT).resolve()
    if not (folder / "source" / args.assignment).is_dir():
        known = ", ".join(sorted(p.name for p in (folder / "source").glob("*/"))) or "없음"
        raise CourseError(f"{folder}/source에 '{args.assignment}' 과제가 없습니다. 있는 과제: {known}")
    return folder


def _graded(folder: Path, assignment: str):
    """The source notebooks of an assignment, their exercises, and the records of the last grading."""
    from autograder import notebooks
    from autograder.exercises import parse
    from autograder.grade.records import read_records

    records = read_records(folder, assignment)
    if not records:
        raise CourseError(f"채점 기록이 없습니다. ./course grade {assignment}을 먼저 실행하세요.")
    sources = [notebooks.read(path) for path in sorted((folder / "source" / assignment).glob("*.ipynb"))]
    return sources, [e for nb in sources for e in parse(nb)], records


def _some(names: list[str], most: int = 10) -> str:
    return ", ".join(names[:most]) + (f" 외 {len(names) - most}명" if len(names) > most else "")


def _not_graded(folder: Path, assignment: str) -> list[str]:
    """Students whose hand-in has no record, or one older than the hand-in."""
    from autograder.grade import records
    from autograder.grade.folder import CourseFolder

    course, behind = CourseFolder(folder), []
    for student in course.students(assignment):
        record = records.path(folder, assignment, student)
        files = [p.stat().st_mtime for p in course.path("submitted", student, assignment).rglob("*") if p.is_file()]
        if not record.is_file() or any(changed > record.stat().st_mtime for changed in files):
            behind.append(student)
    return sorted(behind)


def _same_line(text: str) -> None:
    print(f"\r   {text}", end="\n" if not sys.stdout.isatty() else "", flush=True)


def _write_json(path: str, data) -> None:
    Path(path).write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
