"""The desk: a Jupyter server on this machine alone that has formgrader's pages and nothing else."""
from __future__ import annotations

import asyncio
import os
import secrets
import signal
from collections.abc import Callable
from pathlib import Path

from jupyter_server.serverapp import ServerApp
from jupyter_server.services.contents.filemanager import FileContentsManager
from jupyter_server.utils import url_path_join
from nbgrader.server_extensions.formgrader import handlers as stock
from nbgrader.server_extensions.formgrader.formgrader import FormgradeExtension
from sqlalchemy.exc import SQLAlchemyError
from traitlets.config import Config

from autograder import CourseError
from autograder.desk.handlers import TEMPLATES, OwnScripts, environment, routes
from autograder.desk.safe import SafeExporter
from autograder.grade.folder import CourseFolder

WELCOME = """손 채점 화면을 열었습니다. 아래 주소를 브라우저에 붙여 넣으세요. 이 컴퓨터에서만 열립니다.

    {url}

과제와 노트북을 고르면 낸 노트북이 차례로 나옵니다. 점수와 의견은 칸을 벗어날 때 저장됩니다.
주소의 token을 아는 사람은 성적을 고칠 수 있으니 남에게 알려 주지 마세요. 끝낼 때는 이 창에서 Ctrl-C를 누릅니다."""
NOT_GRADED = "{root}에 성적부가 없습니다. ./course grade 과제를 먼저 실행하세요."
NO_GRADEBOOK = "성적부를 열 수 없습니다. nbgrader_config.py의 db_url과 데이터베이스가 켜져 있는지 확인하세요. ({error})"


class NoFilesManager(FileContentsManager):
    """Jupyter would serve every file of the course folder under /files."""

    def get_extra_handlers(self) -> list:
        return []


class Formgrader(FormgradeExtension):
    """nbgrader's formgrader with our pages."""

    debug = False  # nbgrader would print its configuration, the server's token and the database's password with it

    def build_extra_config(self) -> Config:
        config = super().build_extra_config()
        config.HTMLExporter.template_name = "desk"
        config.HTMLExporter.extra_template_basedirs = [str(TEMPLATES), stock.template_path]
        config.HTMLExporter.extra_template_paths = [stock.template_path]  # ours extends formgrade/index.html.j2
        return config

    def init_tornado_settings(self, webapp) -> None:
        super().init_tornado_settings(webapp)
        exporter = SafeExporter(config=self.config)
        exporter.environment.add_extension(OwnScripts)
        webapp.settings.update(
            nbgrader_exporter=exporter,
            nbgrader_jinja2_env=environment(),
            desk_course=CourseFolder(self.root_dir),
            desk_queue=asyncio.Lock(),
        )

    def init_handlers(self, webapp) -> None:
        base = webapp.settings["base_url"]
        webapp.add_handlers(".*$", [(url_path_join(base, pattern.lstrip("/")), *rest) for pattern, *rest in routes()])


class Desk(ServerApp):
    """Jupyter's server without kernels, terminals, files or other extensions: a page that was broken into finds none."""

    default_services = ("auth",)

    def load_config_file(self, suppress_errors: bool = True) -> None:
        """A jupyter_server_config of the machine is for other servers."""

    def write_server_info_file(self) -> None:
        """Jupyter would leave the token in files, readable to whatever code this user runs: that of students, say."""

    write_browser_open_files = write_server_info_file

    def init_signal(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self.io_loop.add_callback_from_signal(self.stop))

    def load_server_extensions(self) -> None:
        formgrader = Formgrader(parent=self)
        formgrader.root_dir, formgrader.log = self.root_dir, self.log
        formgrader.initialize([])
        formgrader.init_tornado_settings(self.web_app)
        formgrader.init_handlers(self.web_app)


def open_desk(root: Path, port: int, say: Callable[[str], None]) -> None:
    """Serve the desk of a course folder until Ctrl-C. Raises CourseError when there is no gradebook to work on."""
    course, token = CourseFolder(root), secrets.token_urlsafe(24)
    if not course.has_gradebook():
        raise CourseError(NOT_GRADED.format(root=course.root))
    try:
        with course.gradebook():
            pass
    except SQLAlchemyError as error:
        raise CourseError(NO_GRADEBOOK.format(error=type(error).__name__)) from error
    os.chdir(course.root)  # nbgrader reads the nbgrader_config.py of the folder it is started in
    config = Config()
    config.ServerApp = Config(
        root_dir=str(course.root),
        ip="127.0.0.1",
        port=port,
        default_url="/formgrader/",
        contents_manager_class=NoFilesManager,
        cookie_secret=secrets.token_bytes(32),
        allow_root=True,
        open_browser=False,
        log_level="ERROR",
    )
    config.IdentityProvider.token = token
    desk = Desk(config=config)
    desk.initialize(argv=[], find_extensions=False)
    # After the server's own first callback, which begins to listen.
    desk.io_loop.add_callback(say, WELCOME.format(url=f"http://127.0.0.1:{desk.port}/formgrader/?token={token}"))
    desk.start()
