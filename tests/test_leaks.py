"""The leak check finds one planted leak per carrier, and nothing in a clean tree."""
import base64
import gzip
import html
import io
import json
import tarfile
import urllib.parse
import zipfile

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from autograder import leaks, notebooks, publish, views
from autograder.assemble import assemble

LINE = "scaled_by_secret_factor = x * 2.0"
HIDDEN_LINE = "hidden_matrix = torch.tensor([[3.0, -1.5, 0.0], [0.25, 7.0, 8.0]])"


@pytest.fixture
def secret(mini):
    nb = notebooks.chapter(mini, "one")
    hidden = next(cell for cell in nb.cells if cell.id == "one-double-hidden")
    hidden.source = hidden.source.replace("### END", "commented_secret_line = x + 1234567  # 설명\n### END")
    return leaks.secrets([nb])


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "tree").mkdir()
    return tmp_path / "tree"


def zipped(name: str, data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, data)
    return buffer.getvalue()


def tarred(name: str, data: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        info = tarfile.TarInfo(name)
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def spans(line: str) -> str:
    """A line as Pygments writes it."""
    return "".join(f'<span class="n">{html.escape(part)}</span> ' for part in line.split(" "))


def printed(line: str) -> bytes:
    """A PDF as printers write it: what it says is compressed."""
    writer, stream = PdfWriter(), DecodedStreamObject()
    page = writer.add_blank_page(600, 200)
    stream.set_data(f"BT /F1 12 Tf ({line}) Tj ET".encode())
    page[NameObject("/Contents")] = writer._add_object(stream.flate_encode())
    font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Courier"}
    font = {NameObject(key): NameObject(value) for key, value in font.items()}
    fonts = DictionaryObject({NameObject("/F1"): DictionaryObject(font)})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


CELL = {"cell_type": "code", "source": ["x = 1\n", f"{LINE}\n"]}
ATTACHED = {"attachments": {"a.txt": {"text/plain": base64.b64encode(LINE.encode()).decode()}}}
CARRIERS = {
    "plain.txt": LINE.encode(),
    "hidden-check.txt": HIDDEN_LINE.encode(),
    "delimiter.py": b"### BEGIN SOLUTION",
    "notebook.ipynb": json.dumps({"cells": [CELL]}).encode(),
    "page.html": spans(LINE).encode(),
    "other-spacing.py": b"scaled_by_secret_factor=x*2.0",
    "unicode-escapes.json": json.dumps({"a": "답: " + LINE}).encode(),
    "json-in-html.html": f"<script>{json.dumps(json.dumps(LINE))}</script>".encode(),
    "searchindex.js": b'Search.setIndex({"terms":{"scaled_by_secret_factor":[0]},"titleterms":{}})',
    "stemmed/searchindex.js": b'Search.setIndex({"terms":{"scaled_by_secret_fact":[0]},"titleterms":{}})',
    "text/searchindex.js": b'const searchIndex = {"pages":[["a.html",[["b","c",-1,"","scaled_by_secret_factor"]]]]};',
    "_sources/one.ipynb.txt": json.dumps({"cells": [CELL]}).encode(),
    "attachment.ipynb": json.dumps({"cells": [ATTACHED]}).encode(),
    "data-uri.html": b'<img src="data:image/svg+xml;base64,' + base64.b64encode(f"<text>{LINE}</text>".encode()) + b'">',
    "data-uri-charset.html": b'<a href="data:text/plain;charset=utf-8;base64,' + base64.b64encode(LINE.encode()) + b'">',
    "printed.pdf": printed(LINE),
    "inside.zip": zipped("a.py", LINE.encode()),
    "zip-in-zip.zip": zipped("b.zip", zipped("a.py", LINE.encode())),
    "inside.tar.gz": gzip.compress(tarred("a.py", LINE.encode())),
    "utf16.txt": LINE.encode("utf-16"),
    "cp949.txt": f"답은 {LINE}".encode("cp949"),
    "percent.html": urllib.parse.quote(f"<a href='{LINE}'>").encode(),
    "terminal.txt": "scaled_by_secret_factor \x1b[31m=\x1b[0m x * 2.0".encode(),
    "invisible.txt": "scaled_by_\u200bsecret_factor = x * 2.0".encode(),
    "without-its-comment.py": b"commented_secret_line = x + 1234567",
    "zip-behind-other-bytes.bin": b"MZ" * 40 + zipped("a.py", LINE.encode()),
}


@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_planted_leak_is_found(tree, secret, carrier):
    path = tree / carrier
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(CARRIERS[carrier])
    found = leaks.scan(tree, secret)
    assert found and found[0].place.startswith(carrier)


def test_a_link_is_reported(tree, secret, tmp_path):
    (tree / "elsewhere").symlink_to(tmp_path)
    assert [leak.place for leak in leaks.scan(tree, secret)] == ["elsewhere"]


def test_an_answer_pasted_into_prose_is_found_though_prose_is_public(mini, tree):
    nb = notebooks.chapter(mini, "one")
    nb.cells[0].source += f"\n\n답은 {LINE} return scaled_by_secret_factor 입니다."
    (tree / "page.md").write_text(nb.cells[0].source, encoding="utf-8")
    assert leaks.scan(tree, leaks.secrets([nb]))


def test_an_archive_that_cannot_be_read_is_reported(tree, secret):
    locked = bytearray(zipped("a.py", LINE.encode()))
    locked[6] |= 1  # the flag of an encrypted member, in its own header and in the directory
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    (tree / "locked.zip").write_bytes(bytes(locked))
    (tree / "broken.gz").write_bytes(gzip.compress(LINE.encode() * 50)[:30])
    assert {leak.place for leak in leaks.scan(tree, secret)} == {"locked.zip", "broken.gz"}


def test_student_trees_are_clean(mini, secret):
    assemble(mini, "lab1")
    assert publish.student_files(mini) and publish.leaks_in(mini, publish.student_files(mini)) == []
    assert leaks.scan(mini.root / "release", secret) == []


def test_the_author_side_is_not_clean(mini, secret):
    assemble(mini, "lab1")
    assert leaks.scan(mini.root / "source", secret) and leaks.scan(mini.chapters, secret)


def test_a_word_that_begins_a_secret_name_is_no_leak(tree, secret):
    (tree / "searchindex.js").write_bytes(b'Search.setIndex({"terms":{"hidden":[0],"scaled_by_secret":[0]},"titleterms":{}})')
    assert leaks.scan(tree, secret) == []


def test_what_public_text_holds_is_no_secret(mini):
    """A hidden check may use a line of the visible one, and a name that a public name begins."""
    nb = notebooks.chapter(mini, "one")
    cells = {cell.id: cell for cell in nb.cells}
    cells["one-worked"].source += f"\nshown = [{HIDDEN_LINE.partition(' = ')[2]}, None]\nscaled_by_secret_fact = 1"
    cells["one-double-hidden"].source = cells["one-double-hidden"].source.replace("hidden_matrix = torch", "hidden_matrix = \\\n    torch")
    secret = leaks.secrets([nb])
    assert leaks.normal(HIDDEN_LINE.partition(" = ")[2]) not in secret.pieces
    assert "scaled_by_secret_factor" not in secret.words and "hidden_matrix" in secret.words


def test_a_declared_message_is_no_leak(tree, secret):
    (tree / "feedback.html").write_text("입력을 바꾸었습니다. 새 텐서를 돌려주세요.", encoding="utf-8")
    assert leaks.scan(tree, secret) == []


def test_an_answer_that_the_course_shows_is_no_leak_but_its_hidden_check_is(mini, tree):
    shown = leaks.secrets([], [notebooks.chapter(mini, "one")])
    (tree / "a.txt").write_text(LINE)
    assert leaks.scan(tree, shown) == []
    (tree / "a.txt").write_text(HIDDEN_LINE)
    assert leaks.scan(tree, shown)


def test_a_leaking_view_would_be_caught(mini, secret, monkeypatch):
    """The check looks at what was written: with the clearing step gone, it must cry."""
    monkeypatch.setattr(views, "clear_solutions", lambda course, nb: nb)
    assert publish.leaks_in(mini, publish.student_files(mini))
