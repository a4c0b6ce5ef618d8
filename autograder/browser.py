"""A Chrome or Chromium for the PDFs and the tests: the one that is installed, or Debian's when we may install it."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable

from autograder import CourseError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"


def find_browser(say: Callable[[str], None]) -> str:
    """Path of a browser; installs Debian's Chromium and a Korean font as root. Raises CourseError naming the package."""
    if os.environ.get("CHROMIUM"):
        return os.environ["CHROMIUM"]
    if not _installed() and sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get"):
        say("PDF와 브라우저 테스트에 쓸 Chromium과 한글 글꼴을 설치합니다.")
        quiet = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        for command in (["update"], ["install", "-y", "--no-install-recommends", "chromium", "fonts-nanum"]):
            subprocess.run(["apt-get", "-qq", *command], env=quiet, stdout=subprocess.DEVNULL, check=False)
    if path := _installed():
        return path
    raise CourseError("PDF와 브라우저 테스트에는 Chrome이나 Chromium이 필요합니다. 설치하고(예: sudo apt install chromium fonts-nanum) 다시 실행하세요.")


def _installed() -> str | None:
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    return found or (MAC if os.path.exists(MAC) else None)
