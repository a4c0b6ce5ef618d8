"""The command line: which verbs there are, what each takes, and how a run ends."""
from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn

from autograder import CourseError
from autograder.course import load
from autograder.verbs import ROOT, authors, instructors, say

# argparse speaks English: what it says of the mistakes that people make at a prompt.
KOREAN = {
    "the following arguments are required:": "빠진 것이 있습니다:",
    "unrecognized arguments:": "모르는 말이 있습니다:",
    "invalid choice:": "없는 명령입니다.",
    "choose from": "있는 명령:",
    "expected one argument": "뒤에 값을 적으세요",
    "invalid int value:": "수가 아닙니다:",
    "argument ": "",
}


class Parser(argparse.ArgumentParser):
    """A parser that explains itself in Korean."""

    def __init__(self, **settings) -> None:
        super().__init__(**settings, add_help=False, formatter_class=Help)
        self._positionals.title, self._optionals.title = "적을 것", "옵션"
        self.add_argument("-h", "--help", action="help", help="이 설명을 보입니다")

    def error(self, message: str) -> NoReturn:
        for english, korean in KOREAN.items():
            message = message.replace(english, korean)
        self.exit(2, f"{self.format_usage()}{message}\n자세한 설명: {self.prog} --help\n")


class Help(argparse.HelpFormatter):
    """The first line in Korean, too."""

    def add_usage(self, usage, actions, groups, prefix=None) -> None:
        super().add_usage(usage, actions, groups, "쓰는 법: " if prefix is None else prefix)


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


def demo(args) -> int:
    """The whole course once, with eight made-up students."""
    from autograder.demo import demo

    return demo(load(ROOT), say)


def test(args) -> int:
    """The tests, in as many processes as the machine has cores; it needs a browser."""
    import pytest

    from autograder.browser import find_browser

    os.environ["CHROMIUM"] = find_browser(say)
    arguments = ["-q", "--durations=8", "-n", str(min(4, os.cpu_count() or 1)), "--dist", "loadfile", *args.pytest]
    arguments += [] if args.long else ["-m", "not long"]
    os.chdir(ROOT)
    return pytest.main(arguments)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="./course", description="어텐션을 손으로 만들기: 교재를 만들고, 과제를 내고, 채점합니다.")
    verbs = parser.add_subparsers(metavar="명령", required=True)

    def verb(name: str, run, text: str) -> argparse.ArgumentParser:
        sub = verbs.add_parser(name, help=text, description=text)
        sub.set_defaults(run=run)
        return sub

    verb("demo", demo, "처음부터 끝까지 한 번: 과제와 사이트를 만들고, 가상의 학생 여덟 명을 채점해 보여 줍니다.")
    sub = verb("test", test, "테스트를 실행합니다(브라우저 포함).")
    sub.add_argument("--long", action="store_true", help="CI에서 쓰는 긴 테스트까지")
    sub.add_argument("pytest", nargs="*", help="pytest에 그대로 넘길 인수")

    verb("tidy", authors.tidy, "[저자] 장을 정돈합니다: 출력 없음, 한 가지 JSON 모양, 준비 셀 채우기.")
    sub = verb("check", authors.check, "[저자] 장의 규칙, 유출, 모든 직접 해보기의 채점을 확인합니다.")
    sub.add_argument("--json", metavar="FILE", help="결과를 JSON으로도 저장")
    sub = verb("assemble", authors.assemble, "[저자] 장에서 source/와 release/의 과제 노트북을 만듭니다.")
    sub.add_argument("assignment", nargs="*", help="과제 이름(없으면 전부)")
    sub = verb("build", authors.build, "[저자] 사이트(_build/html)를 만듭니다.")
    _pdf_option(sub)
    sub = verb("preview", authors.preview, "[저자] 사이트를 이 컴퓨터에 열고, 장을 저장할 때마다 다시 만들어 보여 줍니다.")
    sub.add_argument("--port", type=int, default=8000, metavar="N", help="포트(기본 8000, 쓰고 있으면 다음 번호)")
    sub = verb("publish", authors.publish, "[저자] 사이트와 학생 노트북을 DIR에 씁니다. 이 폴더를 학생 저장소에 올립니다.")
    sub.add_argument("folder", metavar="DIR", help="학생 저장소를 clone한 폴더나 빈 폴더. 다른 파일이 있으면 아무것도 바꾸지 않습니다")
    _pdf_option(sub)

    verb("doctor", instructors.doctor, "[강사] 이 컴퓨터가 학생 코드를 가두어 채점할 수 있는지 확인합니다.")
    sub = verb("collect", instructors.collect, "[강사] LMS에서 받은 것을 학번별로 모읍니다. 원본은 attempts/에, 누구 것인지는 matches/에 남습니다.")
    sub.add_argument("files", nargs="*", metavar="파일", help=".zip, 폴더, .ipynb, LMS의 채점 워크시트나 성적부 CSV. 없으면 고친 대응표를 따릅니다.")
    sub.add_argument("--assignment", required=True, metavar="과제", help="예: lab11")
    sub.add_argument("--roster", metavar="명단", help="학번, 이름 열이 있는 CSV(기본: 강좌 폴더의 roster.csv)")
    _course_options(sub)
    sub = verb("grade", instructors.grade, "[강사] 모은 노트북을 채점합니다. 한 파일이 잘못되어도 나머지는 끝까지 갑니다.")
    sub.add_argument("assignment", metavar="과제")
    sub.add_argument("--student", action="append", metavar="학번", help="이 학생만(여러 번 쓸 수 있음)")
    sub.add_argument("--workers", type=int, metavar="N", help="동시에 채점할 수(기본: 코어 수)")
    sub.add_argument("--again", action="store_true", help="바뀐 것이 없는 제출도 다시 채점")
    sub.add_argument("--fresh", action="store_true", help="제출마다 새 파이썬을 시작해 채점(느림)")
    sub.add_argument("--verify", type=int, metavar="N", help="N명을 뽑아 새 파이썬에서 한 번 더 채점하고 견줌")
    sub.add_argument("--weak", action="store_true", help="벽을 세울 수 없는 컴퓨터에서도 채점. 모두 믿을 수 있는 제출일 때만")
    _course_options(sub)
    for name, run, text in (
        ("feedback", instructors.feedback, "[강사] 학생마다 피드백 쪽을 만듭니다."),
        ("report", instructors.report, "[강사] 반 전체의 요약을 만듭니다."),
        ("export", instructors.export, "[강사] 성적을 엑셀에서 열리는 CSV나, LMS에 다시 올릴 표로 내보냅니다."),
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
    sub = verb("formgrade", instructors.formgrade, "[강사] 손으로 채점하는 화면(nbgrader formgrader)을 이 컴퓨터에 엽니다.")
    sub.add_argument("folder", nargs="?", metavar="DIR", help="강좌 폴더(기본: 이 폴더)")
    sub.add_argument("--port", type=int, default=8888, metavar="N", help="포트(기본 8888, 쓰고 있으면 다음 번호)")
    return parser


def _pdf_option(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--pdf", action="store_true", help="쪽마다, 그리고 책 전체의 PDF까지 (Chrome이나 Chromium이 필요하고 1~2분 더 걸립니다)")


def _course_options(sub: argparse.ArgumentParser, json_file: bool = True) -> None:
    sub.add_argument("--course", metavar="DIR", help="강좌 폴더(기본: 이 폴더). nbgrader 강좌 폴더면 어떤 것이든 됩니다.")
    if json_file:
        sub.add_argument("--json", metavar="FILE", help="결과를 JSON으로도 저장")
