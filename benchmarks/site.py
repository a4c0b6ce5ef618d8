"""How heavy and how steady the site is: python -m benchmarks.site [--rebuild]

One line a page: kilobytes of a first visit with gzip, kilobytes of the page's own, requests, layout shift at 1280 and 375 px.
--rebuild adds how long a build takes after one edited sentence; the sentence is put back.
"""
from __future__ import annotations

import argparse
import functools
import gzip
import http.server
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import sync_playwright

from autograder.book.site import toc_pages
from autograder.browser import find_browser
from autograder.course import load

ROOT = Path(__file__).resolve().parent.parent
PACKED = (".png", ".woff", ".woff2", ".pdf")  # a server sends these as they are


def weigh(site: Path, asked: list[str]) -> tuple[int, int]:
    """Bytes over the line for the addresses ASKED, gzip for text: (all, what no other page shares)."""
    sizes = {}
    for address in asked:
        path = site / unquote(urlsplit(address).path).lstrip("/")
        if path.is_file() and path.is_relative_to(site):
            data = path.read_bytes()
            sizes[path] = len(data if path.suffix in PACKED else gzip.compress(data, mtime=0))
    return sum(sizes.values()), sum(size for path, size in sizes.items() if "_static" not in path.parts and path.name != "searchindex.js")


def rebuild() -> float:
    """Seconds of `build` after one sentence of the longest chapter was edited."""
    chapter = max((ROOT / "chapters").glob("*.ipynb"), key=lambda path: path.stat().st_size)
    before, seconds = chapter.read_bytes(), 0.0
    command = [sys.executable, "-m", "autograder", "build"]
    try:
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        chapter.write_bytes(before.replace("이 절을 마치면 다음을".encode(), "이 절을 마치면 다음의 것을".encode(), 1))
        assert chapter.read_bytes() != before
        start = time.monotonic()
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        seconds = time.monotonic() - start
    finally:
        chapter.write_bytes(before)
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rebuild", action="store_true")
    args = parser.parse_args()
    if args.rebuild:
        print(f"build after one edited sentence: {rebuild():.1f} s")
        return
    from tests.book.conftest import open_page  # the browser's eyes are those of the tests

    site = ROOT / "_build" / "html"
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(site))
    http.server.SimpleHTTPRequestHandler.log_message = lambda *args: None
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, sync_playwright() as play:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = play.chromium.launch(executable_path=find_browser(print), args=["--no-sandbox"])
        print(f"{'page':<22} {'first kB':>8} {'own kB':>7} {'requests':>8} {'shift 1280':>10} {'shift 375':>9}")
        for path in [*(f"{page}.html" for page in toc_pages(load(ROOT))), "search.html"]:
            shifts = []
            for width in (375, 1280):
                page, seen = open_page(browser, f"http://127.0.0.1:{server.server_port}", path, width)
                shifts.append(page.evaluate("window.layoutShift"))
                page.close()
            everything, own = weigh(site, seen.asked)
            print(f"{path:<22} {everything / 1000:8.0f} {own / 1000:7.0f} {len(seen.asked):8} {shifts[1]:10.4f} {shifts[0]:9.4f}")
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
