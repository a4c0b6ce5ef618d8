"""The site on this computer while a chapter is being written: saved, rebuilt, reloaded.

What is served is a copy of the last good build, so a page stays readable while the next one is made or cannot be made.
The script that reloads is put into the answers of this server only; nothing of it reaches _build/html.
"""
from __future__ import annotations

import contextlib
import http.server
import json
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from autograder import CourseError
from autograder.book import site
from autograder.course import load

SETTINGS = ("_config.yml", "_toc.yml", "course.yml", "glossary.yml", "release/*/*.ipynb")
PAUSE = 0.4  # seconds between two looks at the files
SCRIPT = (Path(__file__).parent / "templates" / "preview.js").read_text(encoding="utf-8")


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    folder = ""  # the last good build
    state = {"version": 0, "error": ""}

    def handle_error(self, *args) -> None:
        """A browser that leaves, or asks for nonsense, is no news for the author."""


class _Pages(http.server.SimpleHTTPRequestHandler):
    """Files of the last good build; a page with the script that asks for the state."""

    def __init__(self, *args) -> None:
        super().__init__(*args, directory=args[2].folder)

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if self.path == "/preview.json":
            self._answer(json.dumps(self.server.state).encode(), "application/json")
        elif path.suffix == ".html" and path.is_file():
            self._answer(path.read_bytes().replace(b"</body>", f"<script>{SCRIPT}</script></body>".encode()), "text/html; charset=utf-8")
        else:
            super().do_GET()

    def _answer(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(data))), ("Cache-Control", "no-store")):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args) -> None: ...


def preview(root: Path, port: int, say: Callable[[str], None], stop: threading.Event | None = None) -> None:
    """Serve the site of the course in ROOT at the first free port from PORT and rebuild it when a file of it changes.

    Ends at Ctrl+C, or when STOP is set. Raises CourseError when the first build fails: there is no page to show yet.
    """
    with tempfile.TemporaryDirectory(prefix="preview-") as kept, _Server(("127.0.0.1", _free(port)), _Pages) as server:
        seen = _times(root)
        server.folder = _built(root, Path(kept), say)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        say(f"미리보기: http://127.0.0.1:{server.server_port}/  (장을 저장하면 다시 만들고, Ctrl+C로 끝냅니다)")
        try:
            while not (stop and stop.is_set()):
                time.sleep(PAUSE)
                if (now := _times(root)) == seen:
                    continue
                changed, seen = sorted(path.name for path, _ in set(now.items()) ^ set(seen.items())), now
                say(f"고친 파일: {', '.join(dict.fromkeys(changed))}")
                _rebuild(server, root, Path(kept), say)
        except KeyboardInterrupt:
            say("\n미리보기를 끝냅니다.")
        finally:
            server.shutdown()


def _rebuild(server: _Server, root: Path, kept: Path, say: Callable[[str], None]) -> None:
    start, remarks, old = time.monotonic(), [], server.folder
    try:
        server.folder = _built(root, kept, lambda line: (remarks.append(line), say(line)))
    except Exception as error:  # whatever was saved half written: the author goes on writing, so the preview goes on, too
        why = str(error) if isinstance(error, CourseError | OSError) else f"{type(error).__name__}: {error}"
        say(f"만들지 못했습니다. 화면에는 지난번에 만든 쪽이 남아 있습니다. {why}")
        told = [line for line in remarks if "WARNING" in line or "ERROR" in line]  # what Sphinx has to say names the cell
        server.state = server.state | {"error": "\n".join([*told, why])}
        return
    server.state = {"version": server.state["version"] + 1, "error": ""}
    shutil.rmtree(old, ignore_errors=True)
    say(f"다시 만들었습니다. ({time.monotonic() - start:.1f}초)")


def _built(root: Path, kept: Path, say: Callable[[str], None]) -> str:
    """Build the site; the folder with a copy of it."""
    html = site.build(load(root), say)
    return str(shutil.copytree(html, Path(tempfile.mkdtemp(dir=kept)) / "html"))


def _times(root: Path) -> dict[Path, int]:
    """When each file that a site is made of was written."""
    files = [*(path for path in (root / "chapters").rglob("[!.]*")), *(path for name in SETTINGS for path in root.glob(name))]
    times = {}
    for path in files:
        with contextlib.suppress(FileNotFoundError):  # an editor's file that lived for a moment
            if path.is_file() and "variants" not in path.parts:
                times[path] = path.stat().st_mtime_ns
    return times


def _free(port: int) -> int:
    for candidate in range(max(port, 1), min(port + 50, 65536)):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", candidate)):
                return candidate
    raise CourseError(f"{port}번부터 쓸 수 있는 포트가 없습니다. --port로 1024부터 65535 사이의 다른 번호를 정하세요.")
