"""Where the reviews come from: the real set-up cell of the chapter, against real servers on this machine and none at all."""
from __future__ import annotations

import hashlib
import http.server
import json
import shutil
import socket
import threading
import time

import pandas as pd
import pytest

from autograder import notebooks, publish
from autograder.book.site import write_tree
from tests.conftest import ROOT

DATA = ROOT / "chapters" / "data"
TRAIN = "id\tdocument\tlabel\n" + "".join(f"{n}\t리뷰 {n}\t{n % 2}\n" for n in range(30))
TEST = "id\tdocument\tlabel\n" + "".join(f"{n}\t시험 {n}\t{n % 2}\n" for n in range(10))
PIECES = json.dumps({"model": {"vocab": {f"조각{n}": n for n in range(20)}}})
GOOD = {"ratings_train.txt": TRAIN.encode(), "ratings_test.txt": TEST.encode(), "tokenizer.json": PIECES.encode()}
SECONDS = 1  # what the cell waits here; 8 in the book


@pytest.fixture(scope="module")
def cell(course) -> str:
    return next(c.source for c in notebooks.chapter(course, "nsmc").cells if c.id == "nsmc-reviews")


class Server(http.server.BaseHTTPRequestHandler):
    """/KIND/NAME: the file NAME as a server of that kind sends it."""

    def do_GET(self):
        kind, name = self.path.strip("/").split("/")
        good = GOOD[name]
        bad = {
            "rubbish": b"<html>Sign in to the network</html>",
            "short": b"\n".join([*good.split(b"\n")[:-6], b""]),
            "changed": good.replace("리뷰".encode(), b"re"),
        }
        data = bad.get(kind, good)
        if kind == "hangs":
            time.sleep(SECONDS + 3)
            return
        self.send_response(500 if kind == "fails" else 200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        data = data[: len(data) // 2] if kind == "breaks" else data
        for byte in data if kind == "drips" else [data]:
            self.wfile.write(bytes([byte]) if kind == "drips" else byte)
            time.sleep(0.1 * (kind == "drips"))

    def log_message(self, *args): ...


@pytest.fixture(scope="module")
def address():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # clients leave in the middle
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture
def prepare(cell, tmp_path, monkeypatch, capsys):
    """prepare(nsmc, klue, book) runs the cell in an empty folder with these addresses in place of the real ones; what it
    made, what it printed, and the seconds it took."""
    monkeypatch.chdir(tmp_path)
    for name in ("NSMC_DIR", "NSMC_TOKENIZER", "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    head, tail = cell.split("REVIEWS, reviews_name", 1)

    def prepare(nsmc: str, klue: str, book: str = ""):
        space: dict = {}
        exec(head, space)
        for files, where, counts in (("NSMC", nsmc, (30, 10)), ("KLUE", klue, (20,))):
            for (name, (_, sha256, _)), count in zip(list(space[files].items()), counts, strict=True):
                checksum = hashlib.sha256(GOOD[name]).hexdigest() if sha256 else ""
                space[files][name] = (f"{where}/{name}", checksum, count)
        for files in ("BOOK", "BOOK_TOKENIZER"):
            space[files] = {name: (f"{book}/{name}", *facts) for name, (_, *facts) in space[files].items()}
        space["SECONDS"] = SECONDS
        start = time.monotonic()
        exec("REVIEWS, reviews_name" + tail, space)
        return space, capsys.readouterr().out, time.monotonic() - start

    return prepare


@pytest.fixture
def here(tmp_path):
    """The embedded files beside the notebook, as in a checkout of the repository."""
    shutil.copytree(DATA, tmp_path / "data", ignore=shutil.ignore_patterns("nsmc", "klue"))


def nowhere() -> str:
    """An address where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


def test_the_public_files_are_taken_kept_and_not_fetched_again(prepare, address, tmp_path):
    space, said, _ = prepare(f"{address}/good", f"{address}/good")
    assert said == "리뷰: 공개 NSMC · 토크나이저: klue/bert-base\n"
    assert (tmp_path / space["REVIEWS"] / "ratings_train.txt").read_text(encoding="utf-8") == TRAIN
    assert (tmp_path / space["TOKENIZER"] / "tokenizer.json").read_bytes() == GOOD["tokenizer.json"]
    assert prepare(nowhere(), nowhere())[1] == said
    (tmp_path / "data" / "nsmc" / "ratings_test.txt").write_text("half")  # an interrupted write
    assert prepare(f"{address}/good", nowhere())[1] == said


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("hangs", f"{SECONDS}초 안에 받지 못했습니다"),
        ("drips", f"{SECONDS}초 안에 받지 못했습니다"),
        ("fails", "txt (HTTPError)"),
        ("breaks", "정해 둔 것과 다릅니다"),
        ("rubbish", "정해 둔 것과 다릅니다"),
        ("short", "정해 둔 것과 다릅니다"),
        ("changed", "정해 둔 것과 다릅니다: ratings_train.txt"),
    ],
)
def test_a_bad_network_costs_seconds_and_says_why(prepare, here, address, kind, why, tmp_path):
    space, said, seconds = prepare(f"{address}/{kind}", f"{address}/{kind}")
    assert said.startswith("리뷰: 이 교재에 실린 것 (공개 NSMC: ") and why in said and said.count("\n") == 1
    assert said.endswith("토크나이저: 이 교재에 실린 것\n")
    assert space["REVIEWS"] == space["TOKENIZER"] == space["DATA"] and seconds < SECONDS + 1.5
    assert not (tmp_path / "data" / "nsmc" / "ratings_train.txt").exists()


def test_wrong_counts_are_told(prepare, here, address):
    said = prepare(f"{address}/short", nowhere())[1]  # of the file that came first
    assert "(실제 25개, 기대한 수 30개)" in said or "(실제 5개, 기대한 수 10개)" in said


def test_no_network_at_all_falls_back_at_once(prepare, here):
    _, said, seconds = prepare(nowhere(), nowhere())
    assert "이 교재에 실린 것 (공개 NSMC" in said and seconds < 1


def test_a_server_that_never_accepts_is_left(prepare, here):
    with socket.socket() as deaf:  # its queue is full after one connection
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        _, said, seconds = prepare(f"http://127.0.0.1:{deaf.getsockname()[1]}", nowhere())
    assert "이 교재에 실린 것" in said and seconds < SECONDS + 1.5


@pytest.mark.parametrize("kind", ["hangs", "rubbish", "short"])
def test_public_reviews_go_with_the_book_s_tokenizer_when_klue_s_cannot_be_had(prepare, here, address, kind):
    space, said, _ = prepare(f"{address}/good", f"{address}/{kind}")
    assert said.startswith("리뷰: 공개 NSMC · 토크나이저: 이 교재에 실린 것 (klue/bert-base: ")
    assert space["TOKENIZER"] == space["DATA"]


def test_a_notebook_alone_fetches_the_book_s_reviews_from_the_student_repository(course, prepare, tmp_path):
    """As on Colab when NSMC cannot be reached: an empty folder, and the tree that is published."""
    write_tree(publish.student_files(course), tmp_path / "published")
    handler = lambda *a: http.server.SimpleHTTPRequestHandler(*a, directory=str(tmp_path / "published"))  # noqa: E731
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    space, said, seconds = prepare(nowhere(), nowhere(), f"http://127.0.0.1:{server.server_port}/chapters/data")
    server.shutdown()
    assert said.startswith("리뷰: 이 교재에 실린 것 (공개 NSMC") and seconds < 5
    for name in ("ratings_train.txt", "ratings_test.txt", "tokenizer.json"):
        assert (tmp_path / "data" / name).read_bytes() == (DATA / name).read_bytes()
    text = next(c.source for c in notebooks.chapter(course, "nsmc").cells if c.id == "nsmc-reviews")
    assert f"https://raw.githubusercontent.com/{course.student_repository}/{course.branch}/chapters/data/" in text


def test_nothing_to_be_had_is_a_clear_error(prepare):
    with pytest.raises(RuntimeError, match="네트워크를 확인하고 이 셀을 다시 실행하세요"):
        prepare(nowhere(), nowhere(), nowhere())


def test_folders_named_by_the_environment_come_first(prepare, address, tmp_path, monkeypatch):
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.setenv("NSMC_DIR", str(own))
    with pytest.raises(FileNotFoundError, match="NSMC_DIR에 적은 폴더에 다음 파일이 없습니다: ratings_train.txt"):
        prepare(nowhere(), nowhere())
    for name, data in GOOD.items():
        (own / name).write_bytes(data)
    space, said, _ = prepare(nowhere(), f"{address}/good")
    assert said == "리뷰: NSMC_DIR 폴더의 것 · 토크나이저: klue/bert-base\n" and space["REVIEWS"] == own
    monkeypatch.setenv("NSMC_TOKENIZER", str(own))
    assert prepare(nowhere(), nowhere())[1] == "리뷰: NSMC_DIR 폴더의 것 · 토크나이저: NSMC_TOKENIZER 폴더의 것\n"


@pytest.fixture
def read(course, tmp_path):
    """The chapter's own reading of one file."""
    source = next(c.source for c in notebooks.chapter(course, "nsmc").cells if c.id == "nsmc-read")

    def read(text: bytes) -> list[list]:
        (tmp_path / "ratings.txt").write_bytes(text)
        space = {"pd": pd, "REVIEWS": tmp_path}
        exec(source.split("\n\n\n")[0], space)
        return space["read_reviews"]("ratings.txt")[["document", "label"]].values.tolist()

    return read


HEADER = "id\tdocument\tlabel\n"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('1\t"좋다\t1\n2\t재미없다\t0\n', [['"좋다', 1], ["재미없다", 0]]),
        ('1\t"좋다"\t1\n2\t그는 "별로"라고\t0\n', [['"좋다"', 1], ['그는 "별로"라고', 0]]),
        ("1\tNA\t0\n2\tnull\t1\n3\tnan\t0\n4\tNone\t1\n", [["NA", 0], ["null", 1], ["nan", 0], ["None", 1]]),
        ("1\t\t0\n2\t  \t1\n3\t좋다\t1\n", [["좋다", 1]]),
        ("1\t10\t1\n2\t007\t0\n", [["10", 1], ["007", 0]]),
        ("1\t#별로\t0\n2\t'굿\\\t1\n", [["#별로", 0], ["'굿\\", 1]]),
        ("1\t한 줄\u2028두 줄\x85셋\t1\n", [["한 줄\u2028두 줄\x85셋", 1]]),
    ],
    ids=["open quote", "quotes", "words for nothing", "empty", "numbers", "signs", "odd line ends"],
)
def test_reading_survives_the_traps_of_the_format(read, text, wanted):
    assert read((HEADER + text).encode()) == wanted
    assert read(b"\xef\xbb\xbf" + (HEADER + text).encode()) == wanted, "with a BOM"
    assert read((HEADER + text).replace("\n", "\r\n").encode()) == wanted, "with CRLF"
