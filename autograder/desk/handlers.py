"""nbgrader's pages and requests as this desk answers them.

Every handler of nbgrader is used as it is, with `OneRequest` mixed in before it. Ours stand in for those that run student
code or commands inside the server, show a notebook, take scores as they come, or can read a configuration from any folder.
"""
from __future__ import annotations

import asyncio
import json
import math
import os
import re
import secrets
import sys
from base64 import b64encode
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader
from jinja2.ext import Extension
from markupsafe import escape
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.server_extensions.formgrader import apihandlers, handlers
from nbgrader.server_extensions.formgrader.base import BaseApiHandler, BaseHandler, check_xsrf
from tornado import web

from autograder.book.site import mathjax_folder
from autograder.grade import hand, records
from autograder.grade.folder import CourseFolder

HERE = Path(__file__).parent
TEMPLATES = HERE / "templates"
PACKAGE_ROOT = HERE.parents[1]
FAILED = "저장하거나 읽지 못했습니다. 쪽을 새로 고친 뒤 다시 해 보세요. 계속되면 ./course formgrade를 실행한 창의 오류를 확인하세요."
NO_NUMBER = "점수는 숫자로 쓰세요. 저장하지 않았습니다."
CLAMPED = "점수는 0점에서 {max:g}점까지입니다. {given:g}점 대신 {kept:g}점으로 저장했습니다."
NO_FILES = "이 화면에서는 파일을 열지 않습니다. 노트북이나 폴더는 Jupyter나 파일 탐색기로 여세요."


# ---- every request ----------------------------------------------------------------------------------------------


class OneRequest:
    """A gradebook for one request, closed after it; a page whose scripts are those of the template alone.

    nbgrader keeps one database session as long as the server runs: pages show old scores, and after one failed write every
    request fails.
    """

    _gradebook: Gradebook | None = None

    @property
    def gradebook(self) -> Gradebook:
        if self._gradebook is None:
            self._gradebook = Gradebook(self.db_url, self.coursedir.course_id)
        return self._gradebook

    @property
    def course(self) -> CourseFolder:
        return self.settings["desk_course"]

    def on_finish(self) -> None:
        if self._gradebook is not None:
            self._gradebook.close()
        super().on_finish()

    @cached_property
    def nonce(self) -> str:
        return secrets.token_urlsafe(16)

    @property
    def content_security_policy(self) -> str:
        scripts = f"'nonce-{self.nonce}' 'strict-dynamic' 'unsafe-hashes' {_handler_hashes()}"
        return (
            f"default-src 'none'; script-src {scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
            "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )

    def set_default_headers(self) -> None:
        super().set_default_headers()
        self.set_header("Cache-Control", "no-store")  # the browser's Back shows scores as they are now
        self.set_header("Referrer-Policy", "no-referrer")
        if isinstance(self, BaseApiHandler):  # nbgrader sends JSON as HTML; its scripts expect text
            self.set_header("Content-Type", "text/plain; charset=UTF-8")

    def render(self, name: str, **values) -> str:
        resources = values.pop("resources", {}) | {"nonce": self.nonce}
        return super().render(name, resources=resources, **values)

    def write_error(self, status_code: int, **kwargs) -> None:
        if isinstance(self, BaseApiHandler):
            self.finish(json.dumps({"message": FAILED}, ensure_ascii=False))
        else:
            super().write_error(status_code, **kwargs)

    def refuse(self, message: str) -> None:
        self.set_status(400)
        self.finish(json.dumps({"message": message}, ensure_ascii=False))


class OwnScripts(Extension):
    """Prepares nbgrader's templates for strict headers: its scripts carry the page's nonce, its values are JSON in them.

    Not nbconvert's: one of them writes a student's JavaScript output into a script of its own.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        if not str(filename).startswith((handlers.template_path, str(TEMPLATES))):
            return source
        source = re.sub(r"<script\b", '<script nonce="{{ resources.nonce }}"', source)
        return re.sub(r'= "\{\{ (\w+) \}\}";', r"= {{ \1 | tojson }};", source)


def environment() -> Environment:
    """nbgrader's page templates, those beside this module before them, everything escaped."""
    stock = FileSystemLoader(handlers.template_path)
    loader = ChoiceLoader([FileSystemLoader(TEMPLATES), stock, PrefixLoader({"nbgrader": stock})])
    return Environment(loader=loader, autoescape=True, extensions=[OwnScripts])


@cache
def _handler_hashes() -> str:
    """Of the onclick="..." in nbgrader's templates; no others run."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(Path(handlers.template_path).rglob("*.*")))
    calls = {call for text in texts for call in re.findall(r'\sonclick="([^"]*)"', text, re.I)}
    return " ".join(f"'sha256-{b64encode(sha256(call.encode()).digest()).decode()}'" for call in sorted(calls))


# ---- pages ------------------------------------------------------------------------------------------------------


class Front(OneRequest, BaseHandler):
    """nbgrader's front page reads a configuration, that is runs a program, from whatever folder a link names."""

    @web.authenticated
    @check_xsrf
    def get(self) -> None:
        self.redirect(f"{self.base_url}/formgrader/gradebook")


class Submission(OneRequest, BaseHandler):
    """One notebook of one student, to be graded."""

    @web.authenticated
    @check_xsrf
    def get(self, submission_id: str) -> None:
        try:
            submission = self.gradebook.find_submission_notebook_by_id(submission_id)
        except MissingEntry as error:
            raise web.HTTPError(404) from error
        if not self.request.path.endswith("/"):
            return self.redirect(f"{self.request.path}/" + (f"?{self.request.query}" if self.request.query else ""))
        assignment, notebook, student = submission.assignment.assignment.name, submission.notebook.name, submission.student
        indices = self.api.get_notebook_submission_indices(assignment, notebook)
        outdated = hand.stale(self.course, self.gradebook, assignment, student.id)
        texts = {
            "assignment_id": assignment,
            "notebook_id": notebook,
            "student": student.id,
            "last_name": student.last_name,
            "first_name": student.first_name,
        }
        resources = {name: text and str(escape(text)) for name, text in texts.items()} | {
            "submission_id": submission.id,
            "index": indices.get(submission.id, -2),
            "total": len(indices),
            "base_url": self.base_url,
            "nonce": self.nonce,
            "stale": {grade.name for grade in submission.grades if grade.id in outdated},
        }
        path = self.course.path("autograded", student.id, assignment) / f"{notebook}.ipynb"
        if not path.is_file():
            self.set_status(404)
            return self.write(
                self.render("desk_no_notebook.tpl", base_url=self.base_url, assignment=assignment, student=student.id)
            )
        page, _ = self.exporter.from_filename(str(path), resources=resources)
        self.write(page)


class NoFiles(OneRequest, BaseHandler):
    """Where nbgrader's pages link into JupyterLab."""

    @web.authenticated
    def get(self) -> None:
        self.set_status(404)
        self.write(self.render("desk_no_files.tpl", base_url=self.base_url, message=NO_FILES))


# ---- scores and comments ----------------------------------------------------------------------------------------


class Score(OneRequest, apihandlers.GradeHandler):
    """A hand score within 0 and the maximum, noted with the answer it was given for."""

    @web.authenticated
    @check_xsrf
    def put(self, grade_id: str) -> None:
        try:
            grade = self.gradebook.find_grade_by_id(grade_id)
        except MissingEntry as error:
            raise web.HTTPError(404) from error
        data = self.get_json_body()
        try:
            score, extra = _number(data["manual_score"]), _number(data.get("extra_credit"))
        except (TypeError, KeyError, ValueError, AttributeError):
            return self.refuse(NO_NUMBER)
        kept = None if score is None else min(max(score, 0.0), float(grade.max_score))
        grade.manual_score, grade.extra_credit = kept, None if extra is None else max(extra, 0.0)
        grade.needs_manual_grade = kept is None and grade.auto_score is None
        hand.note(self.course, self.gradebook, grade)
        message = {} if kept == score else {"message": CLAMPED.format(max=grade.max_score, given=score, kept=kept)}
        self.write(json.dumps(grade.to_dict() | message, ensure_ascii=False))


def _number(value) -> float | None:
    """A finite number; nbgrader's page sends text. Raises TypeError or ValueError."""
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not math.isfinite(number := float(value)):
        raise ValueError(value)
    return number


class Comment(OneRequest, apihandlers.CommentHandler):
    def get_json_body(self) -> dict:
        """Without what a database refuses: NUL characters, half characters."""
        data = super().get_json_body()
        text = data.get("manual_comment") if isinstance(data, dict) else None
        return {
            "manual_comment": text.replace("\0", "").encode("utf-8", "replace").decode() if isinstance(text, str) else None
        }


# ---- commands ---------------------------------------------------------------------------------------------------


class Command(OneRequest, BaseApiHandler):
    """A button that takes long: the command runs in a process of its own, one at a time, and the server goes on answering."""

    def initialize(self, words: tuple[str, ...]) -> None:
        self.words = words

    @web.authenticated
    @check_xsrf
    async def post(self, assignment: str, student: str | None = None) -> None:
        async with self.settings["desk_queue"]:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", *self.words, *self.arguments(assignment, student)),
                cwd=self.course.root,
                env=os.environ
                | {"PYTHONPATH": os.pathsep.join(filter(None, [str(PACKAGE_ROOT), os.environ.get("PYTHONPATH")]))},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
            )
            log = (await process.communicate())[0].decode("utf-8", "replace")
        error = self.error(assignment, student)
        self.write(json.dumps({"success": not (process.returncode or error), "log": log, "error": error}, ensure_ascii=False))

    def arguments(self, assignment: str, student: str | None) -> list[str]:
        return [f"--assignment={assignment}", *([f"--student={student}"] if student else [])]

    def error(self, assignment: str, student: str | None) -> str:
        return ""


class OurCommand(Command):
    """A verb of ./course."""

    def arguments(self, assignment: str, student: str | None) -> list[str]:
        return [f"--course={self.course.root}", *([f"--student={student}"] if student else []), "--", assignment]


class Autograde(OurCommand):
    def error(self, assignment: str, student: str) -> str:
        """A hand-in that was refused is no success, though the command is."""
        found = [record for record in records.read_records(self.course.root, assignment) if record.student == student]
        return found[0].reason if found and found[0].status == records.REFUSED else ""


# ---- which address is answered by what --------------------------------------------------------------------------


def routes() -> list[tuple]:
    """(pattern, handler, settings): ours, then nbgrader's with `OneRequest` mixed in.

    nbgrader's SubmissionFilesHandler is left out: it would serve a student's HTML from the address of the desk.
    """
    stock = [*handlers.default_handlers, *apihandlers.default_handlers, (r"/formgrader/.*", handlers.Template404)]
    mixed = [
        (pattern, type(handler.__name__, (OneRequest, handler), {}))
        for pattern, handler, *_ in stock
        if issubclass(handler, BaseHandler) and handler is not handlers.SubmissionFilesHandler
    ]
    folders = {"static": handlers.static_path, "desk": HERE / "static", "mathjax": mathjax_folder()}
    files = [(rf"/formgrader/{name}/(.*)", web.StaticFileHandler, {"path": str(path)}) for name, path in folders.items()]
    return [*OURS, *files, *mixed]


OURS = [
    (r"/formgrader/?", Front),
    (r"/formgrader/submissions/([^/]+)/?", Submission),
    (r"/(?:tree|notebooks|edit|terminals)(?:/.*)?", NoFiles),
    (r"/formgrader/api/grade/([^/]+)", Score),
    (r"/formgrader/api/comment/([^/]+)", Comment),
    (r"/formgrader/api/submission/([^/]+)/([^/]+)/autograde", Autograde, {"words": ("autograder", "grade")}),
] + [
    (rf"/formgrader/api/assignment/([^/]+)/{pattern}", handler, {"words": words})
    for pattern, handler, words in (
        ("(?:([^/]+)/)?generate_feedback", OurCommand, ("autograder", "feedback")),  # nbgrader's shows hidden checks
        ("(?:([^/]+)/)?release_feedback", Command, ("nbgrader", "release_feedback")),
        ("assign", Command, ("nbgrader", "generate_assignment", "--force")),
        ("unrelease", Command, ("nbgrader", "list", "--remove")),
        ("release", Command, ("nbgrader", "release_assignment")),
        ("collect", Command, ("nbgrader", "collect", "--update")),
    )
]
