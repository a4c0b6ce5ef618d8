"""The verbs of instructors: from what the platform gives to grades, feedback and tables."""
from __future__ import annotations

import time
from pathlib import Path

from autograder import CourseError
from autograder.course import LIMITS, load
from autograder.verbs import ROOT, say, write_json

STATUS = {"graded": "채점함", "stopped": "중간에 멈춤", "refused": "채점 못 함"}


def doctor(args) -> int:
    """Which walls this computer can build for the code of students."""
    from autograder.grade.doctor import examine

    findings = examine()
    for finding in findings:
        say(f"{'있음' if finding.good else '없음'}  {finding.name}" + ("" if finding.good else f"\n      {finding.advice}"))
    if all(finding.good or not finding.need for finding in findings):
        say("학생 코드를 가두어 채점할 수 있습니다.")
        return 0
    raise CourseError("벽이 모자라 숨은 점검을 돌리지 않습니다. 위에서 '없음'이라고 한 것을 갖추세요.")


def collect(args) -> int | str:
    """What came from the platform, matched with students and kept."""
    from autograder.intake.collect import collect
    from autograder.intake.matches import COUNTS, KEPT, ODD, REFUSED, STATUS, UNMATCHED

    found = collect(_course_dir(args), args.assignment, args.files, args.roster)
    odd = [row for row in found.rows if row.status == UNMATCHED or row.status == REFUSED and row.now]
    for row in [*(row for row in found.here if row.status not in ODD), *odd]:
        known = "" if row.new or row.status in ODD else " (전에 받음)"
        say(f"{row.student or '-':<12} {STATUS[row.status]}{known}  {row.file}  {row.note}".rstrip())
    if args.json:
        write_json(args.json, found.as_dict())
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
    """Every hand-in that is new or changed."""
    from autograder.grade import early
    from autograder.grade.folder import CourseFolder
    from autograder.grade.settings import Settings
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

    with early.warm_parent(folder, args.assignment, settings) as parent:
        from autograder.grade.run import grade, sample, verify

        chosen = {"students": args.student or None, "again": args.again}
        records = grade(folder, args.assignment, **chosen, settings=settings, progress=progress, parent=parent)
    if args.json:
        write_json(args.json, [r.as_dict() for r in records])
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


def feedback(args) -> int:
    """One page a student; a page that would show a secret is taken back."""
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
    """The summary of the class."""
    from autograder.report import write_report

    folder = _course_dir(args)
    _, exercises, records = _graded(folder, args.assignment)
    say(f"요약: {write_report(folder, args.assignment, records, exercises)}")
    if args.json:
        write_json(args.json, [r.as_dict() for r in records])
    return 0


def export(args) -> int | str:
    """Scores as a table of ours, or in the table of the platform."""
    from autograder.export import fill, write_grades
    from autograder.intake.roster import find_roster

    folder = _course_dir(args)
    _, _, records = _graded(folder, args.assignment)
    roster = find_roster(folder, args.roster)
    todo = []
    if args.lms:
        todo.append(_say_filled(fill(folder, args.assignment, records, args.lms, args.file, roster, args.column or "")))
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
    """The desk for grading by hand, until Ctrl+C."""
    from autograder.desk.server import open_desk

    open_desk(Path(args.folder or ROOT), args.port, say)
    return 0


def _say_filled(found) -> str:
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


def _course_dir(args) -> Path:
    """The course folder of --course; raises CourseError naming the assignments when it lacks this one."""
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


def _some(names: list[str], most: int = 10) -> str:
    return ", ".join(names[:most]) + (f" 외 {len(names) - most}명" if len(names) > most else "")
