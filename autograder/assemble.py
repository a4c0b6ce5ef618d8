"""Chapters -> source/<name>/<name>.ipynb -> release/<name>/<name>.ipynb.

The source is put together from the exercises of the chapters; the release is made from it by nbgrader's own
generate_assignment, on a temporary gradebook, so that a check can still be mended after hand-ins have arrived.
"""
from __future__ import annotations

import copy
import hashlib
import io
import json
import logging
import tempfile
from pathlib import Path

import nbgrader
from nbformat import NotebookNode
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder import CourseError, notebooks, views
from autograder.course import Assignment, Course
from autograder.exercises import Exercise, is_runtime_only, parse


def assemble(course: Course, name: str) -> tuple[Path, Path]:
    """Write source and release of one assignment; their paths. Same chapters, same bytes."""
    source = source_notebook(course, course.assignment(name))
    source_path = course.root / "source" / name / f"{name}.ipynb"
    release_path = course.root / "release" / name / f"{name}.ipynb"
    notebooks.write(source, source_path)
    notebooks.write(release_notebook(course, name, source), release_path)
    return source_path, release_path


def outdated(course: Course) -> list[Path]:
    """Assembled notebooks that are missing or differ from what the chapters give now.

    nbgrader takes seconds for a release, so a pair that was found right is known by its fingerprint in _build/cache/.
    """
    found = []
    for name, assignment in course.assignments.items():
        source = source_notebook(course, assignment)
        paths = [course.root / step / name / f"{name}.ipynb" for step in ("source", "release")]
        here = [path.read_text(encoding="utf-8") if path.is_file() else None for path in paths]
        known = course.build / "cache" / f"{name}.release"
        pair = _fingerprint(course, notebooks.dumps(source), *here)
        if known.is_file() and known.read_text() == pair:
            continue
        want = [notebooks.dumps(nb) for nb in (source, release_notebook(course, name, source))]
        wrong = [path for path, is_, must in zip(paths, here, want) if is_ != must]
        if not wrong:
            known.parent.mkdir(parents=True, exist_ok=True)
            known.write_text(pair)
        found += wrong
    return found


def _fingerprint(course: Course, *texts: str | None) -> str:
    """Hash of TEXTS and of all else that a release is made by: settings, this package's code, nbgrader."""
    settings = course.root / "nbgrader_config.py"
    digest = hashlib.sha256(json.dumps([texts, nbgrader.__version__]).encode())
    for path in [*sorted(Path(__file__).parent.glob("*.py")), *([settings] if settings.is_file() else [])]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def source_notebook(course: Course, assignment: Assignment) -> NotebookNode:
    """The instructor's notebook: header, set-up, the exercises of each chapter in order, the whole check."""
    chapters = {name: notebooks.chapter(course, name) for name in assignment.chapters}
    exercises = {name: parse(nb) for name, nb in chapters.items()}
    everything = [e for chapter in exercises.values() for e in chapter]
    if not everything:
        raise CourseError(f"과제 '{assignment.name}'의 장에 직접 해보기가 없습니다. course.yml의 chapters를 확인하세요.")

    cells = [
        _locked(f"{assignment.name}-header", "markdown", header(assignment, everything)),
        _locked(f"{assignment.name}-setup", "code", notebooks.setup_code(course, "checks")),
        _version(course, assignment),
    ]
    done = 0.0
    for name, nb in chapters.items():
        if not exercises[name]:
            continue
        done += sum(e.points for e in exercises[name])
        cells.append(_locked(f"{name}-section", "markdown", _section(course, nb, name, exercises[name], done, everything)))
        owner = {cell_id: exercise for exercise in exercises[name] for cell_id in exercise.cells}
        taken = [cell for cell in nb.cells if cell.id in owner or is_runtime_only(cell)]
        cells += [_taken(course, cell, owner.get(cell.id), name) for cell in taken]
    cells.append(_locked(f"{assignment.name}-whole-check", "code", whole_check(everything)))

    nb = notebooks.nbformat.from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})
    nb.metadata.course = {"assignment": assignment.name, "version": assignment.version, "title": assignment.title}
    return notebooks.canonical(nb)


def release_notebook(course: Course, name: str, source: NotebookNode) -> NotebookNode:
    """The student's notebook, by nbgrader. Its metadata names the assignment, the version and a hash of its cells."""
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        root = Path(folder)
        notebooks.write(source, root / "source" / name / f"{name}.ipynb")
        config = views.nbgrader_config(course.root)
        config.merge(Config({"CourseDirectory": {"root": str(root), "db_url": f"sqlite:///{root}/gradebook.db"}}))
        converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
        converter.coursedir.assignment_id = name
        log = io.StringIO()  # nbgrader logs what went wrong and raises something general
        converter.log = logging.Logger("release", logging.ERROR)
        converter.log.addHandler(logging.StreamHandler(log))
        try:
            converter.start()
        except (Exception, SystemExit) as error:
            raise CourseError(f"nbgrader가 '{name}' 과제를 만들지 못했습니다. ./course check로 원인을 찾으세요.\n{log.getvalue() or error}") from error
        release = notebooks.canonical(notebooks.read(root / "release" / name / f"{name}.ipynb"))
    release.metadata.course = dict(source.metadata.course) | {"hash": notebooks.cells_hash(release)}
    return release


def header(assignment: Assignment, exercises: list[Exercise]) -> str:
    """First cell of the release: what it is worth, until when, how long, how to keep a copy, how to hand in."""
    points = sum(e.points for e in exercises)
    visible = sum(c.points for e in exercises for c in e.checks if not c.hidden)
    manual = sum(e.manual_points for e in exercises)
    by_hand = f", 손으로 채점하는 답 {manual:g}점" if manual else ""
    minutes = sum(e.minutes or 0 for e in exercises)
    due = assignment.due
    until = f"{due.year}년 {due.month}월 {due.day}일 {due:%H:%M}" if due else "강의 공지를 확인하세요"
    return f"""# {assignment.title}

직접 해보기 {len(exercises)}개, 모두 {points:g}점입니다. 약 {minutes}분 걸립니다.

| 항목 | 내용 |
| --- | --- |
| 마감 | {until} |
| 배점 | 보이는 점검 {visible:g}점, 낸 뒤에 하는 숨은 점검 {points - visible - manual:g}점{by_hand} |
| 사본 | Colab에서는 먼저 **파일 > Drive에 사본 저장**을 누르세요. 그러지 않으면 창을 닫을 때 답이 사라집니다. |
| 준비 | Colab은 설치할 것이 없습니다. 내 컴퓨터에서는 torch, pandas, tokenizers와 Jupyter가 있으면 됩니다. |
| 제출 | **파일 > 다운로드 > .ipynb 다운로드**로 받은 파일을 냅니다. 파일 이름은 바꾸어도 됩니다. |

답 셀의 `raise NotImplementedError(...)` 줄을 지우고 답을 쓴 다음, 바로 아래 점검 셀을 실행하세요.
빈칸이 남아 있을 때 **모두 실행**을 누르면 첫 번째 빈칸의 점검 셀에서 멈춥니다. 고장이 아닙니다.
맨 아래 **전체 점검** 셀은 빈칸이 있어도 끝까지 실행됩니다."""


def whole_check(exercises: list[Exercise]) -> str:
    """Last cell: runs every visible check again, survives blanks, counts visible points."""
    names = {c.grade_id: f"check_{e.grade_id.replace('-', '_')}" for e in exercises for c in e.checks if not c.hidden}
    rows = "".join(
        f'    "{names[c.grade_id]}": ("{e.title}", {c.points:g}),\n' for e in exercises for c in e.checks if not c.hidden
    )
    hidden = sum(c.points for e in exercises for c in e.checks if c.hidden)
    manual = sum(e.manual_points for e in exercises)
    rest = f"숨은 점검 {hidden:g}점" + (f"과 손으로 채점하는 {manual:g}점" if manual else "")
    return f'''#@title 전체 점검 (보이는 점검을 모두 다시 실행합니다) {{ display-mode: "form" }}
CHECKS = {{
{rows}}}


def whole_check():
    passed = 0
    for name, (title, points) in CHECKS.items():
        try:
            if name not in globals():
                raise RuntimeError("점검 셀을 아직 실행하지 않았습니다. 그 셀을 먼저 실행하세요.")
            globals()[name]()
            passed += points
            print(f"통과 {{points}}점  {{title}}")
        except (Exception, SystemExit) as error:
            print(f"미통과     {{title}}: {{error}}")
    total = sum(points for _, points in CHECKS.values())
    print(f"\\n보이는 점검 {{total}}점 중 {{passed}}점입니다. {rest}은 제출한 뒤에 정해집니다.")


whole_check()'''


def _version(course: Course, assignment: Assignment) -> NotebookNode:
    """The cell that tells students that the release they hold is old. Grading does not run it."""
    code = notebooks.version_code(course, f"release/{assignment.name}/{assignment.name}.ipynb", int(assignment.version))
    cell = _locked(f"{assignment.name}-version", "code", f'#@title 새 과제가 나왔는지 보기 {{ display-mode: "form" }}\n{code}')
    cell.metadata.course = {"runtime_only": True}
    return cell


def _section(course: Course, nb: NotebookNode, name: str, mine: list[Exercise], done: float, everything: list[Exercise]) -> str:
    """Heading of a chapter's part: link to the page, points and minutes, and how far one has come after it."""
    title = views.HEADING.search(nb.cells[0].source).group(0).lstrip("# ")
    points, minutes = sum(e.points for e in mine), sum(e.minutes or 0 for e in mine)
    total = sum(e.points for e in everything)
    return (
        f"## {title}\n\n[본문 읽기]({course.site_url}chapters/{name}.html) · 이 절 {points:g}점 · 약 {minutes}분 · "
        f"이 절까지 마치면 {total:g}점 중 {done:g}점"
    )


def _taken(course: Course, cell: NotebookNode, exercise: Exercise | None, chapter: str) -> NotebookNode:
    """A chapter's cell in the assignment: of an exercise, or a runtime-only one of the page, which gets locked."""
    cell = copy.deepcopy(cell)
    cell.metadata.course = dict(cell.metadata.get("course", {})) | {"chapter": chapter}
    if not exercise:
        cell.metadata = {"course": cell.metadata.course} | _locked(cell.id, cell.cell_type, cell.source).metadata
    if cell.cell_type == "markdown":
        if exercise and cell.id == exercise.cells[0]:
            cell.source = views.with_header(cell.source, exercise)
        cell.source = views.plain_markdown(course, cell.source)
    cell.metadata |= views.colab_form(cell.source)
    return cell


def _locked(cell_id: str, cell_type: str, source: str) -> NotebookNode:
    """A read-only cell of the assignment."""
    nbgrader = {"grade_id": cell_id, "grade": False, "solution": False, "task": False, "locked": True, "schema_version": 3}
    cell = {"cell_type": cell_type, "id": cell_id, "metadata": {"nbgrader": nbgrader}, "source": source}
    if cell_type == "code":
        cell |= {"outputs": [], "execution_count": None}
        cell["metadata"] |= views.colab_form(source)
    return notebooks.nbformat.from_dict(cell)


def exercise_links(course: Course, source: NotebookNode) -> dict[str, str]:
    """grade_id of every exercise -> address of its section on the site (feedback links there)."""
    chapters = {cell.id: cell.metadata.get("course", {}).get("chapter") for cell in source.cells}
    return {
        e.grade_id: f"{course.site_url}chapters/{chapters[e.grade_id]}.html#ex-{e.grade_id}"
        for e in parse(source)
        if chapters.get(e.grade_id)
    }
