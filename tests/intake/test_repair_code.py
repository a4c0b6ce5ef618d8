"""Promises about the text of a cell: what is a blank, what cannot run while grading, what is newer than our Python."""
from __future__ import annotations

import sys

import pytest

from autograder.intake.newer import lowered
from autograder.intake.offline import ASKED, offline
from autograder.intake.sources import additions, answers, definitions, is_blank, joined, parse, without_stub_lines

RAISE = 'raise NotImplementedError("아직 빈칸입니다.")'
STUB = f'def f(x):\n    """문서"""\n    {RAISE}'
MODULE = "# YOUR CODE HERE\nraise NotImplementedError()"
CLASS = f"class A:\n    def __init__(self):\n        super().__init__()\n        {RAISE}\n\n    def go(self):\n        {RAISE}"


@pytest.mark.parametrize(
    ("source", "stub", "kind"),
    [
        (STUB, STUB, "code"),
        (f"{STUB}\n# 나중에", STUB, "code"),
        ("", STUB, "code"),
        ("# 모르겠습니다", STUB, "code"),
        ("def f(x):\n    pass", STUB, "code"),
        ("def f(x):\n    ...", STUB, "code"),
        ("def f(x):", STUB, "code"),
        (CLASS, CLASS, "code"),
        ("class A:\n    def __init__(self):\n        super().__init__()", CLASS, "code"),
        ("여기에 답을 쓰세요.\n\n", "여기에 답을 쓰세요.", "markdown"),
        ("   ", "여기에 답을 쓰세요.", "markdown"),
    ],
)
def test_blank(source, stub, kind):
    assert is_blank(source, stub, kind) and (kind != "code" or parse(source) is None or not answers(source, stub))


@pytest.mark.parametrize(
    ("source", "stub", "names"),
    [
        ("def f(x):\n    return 1", STUB, {"f"}),
        ("f = lambda x: x", STUB, {"f"}),
        ("from mine import f", STUB, {"f"}),
        ("def f(x)\n    return 1", STUB, {"f"}),
        (CLASS.replace("super().__init__()", "super().__init__()\n        self.x = 1"), CLASS, {"A"}),
        ("%%time\nx, y = 1, 2", MODULE, {"x", "y"}),
        ("if True:\n    def f(x):\n        return 2", STUB, {"f"}),
    ],
)
def test_answer(source, stub, names):
    assert not is_blank(source, stub, "code") and answers(source, stub) == names


@pytest.mark.parametrize(
    ("source", "stub", "left"),
    [
        (f"def f(x):\n    {RAISE}\n    return 1", STUB, "def f(x):\n    return 1"),
        (f"def f(x):\n    return 1\n    {RAISE}", STUB, "def f(x):\n    return 1"),
        ("def f(x):\n    return 1\nraise NotImplementedError()", STUB, "def f(x):\n    return 1"),
        ("raise NotImplementedError\nx = 1", MODULE, "x = 1"),
        (f"def f(x): y = 1; {RAISE}", STUB, "def f(x): y = 1; pass"),
        (f"def f(x):\n    if x:\n        {RAISE}\n    return 1", STUB, None),
        ('def f(x):\n    if x:\n        return 1\n    raise NotImplementedError("그 밖")', STUB, None),
        (CLASS.replace("super().__init__()", "self.x = 1", 1).replace(f"        {RAISE}\n", "", 1), CLASS, None),
        (f"def f(x)\n    {RAISE}\n    return 1", STUB, None),
    ],
)
def test_stub_lines(source, stub, left):
    assert without_stub_lines(source, stub, "code") == (source if left is None else left, left is not None)


# A text stub of several lines is a form: what is printed in it belongs to the answer.
def test_stub_lines_of_text():
    assert without_stub_lines("여기에 쓰세요.\n답", "여기에 쓰세요.", "markdown") == ("답", True)
    assert without_stub_lines("주장: 가\n근거:\n나", "주장:\n근거:", "markdown") == ("주장: 가\n근거:\n나", False)


@pytest.mark.parametrize(
    ("source", "result", "what"),
    [
        ("from google.colab import drive\ndrive.mount('/a')\nx = 1", "pass\npass\nx = 1", ["google.colab", "drive.mount"]),
        ("!pip install a \\\n  b\nx = 1", "pass\nx = 1", ["!pip"]),
        ("if True:\n    !ls\n    y = 2", "if True:\n    pass\n    y = 2", ["!ls"]),
        ("files = !ls", "files = []", ["!ls"]),
        ("%cd /content\n%matplotlib inline", "pass\n%matplotlib inline", ["%cd"]),
        ("%%time\nx = 1", "pass\nx = 1", ["%%time"]),
        ("%%bash\npip install a", "", ["%%bash"]),
        ("%%writefile a.py\nimport google.colab", "%%writefile a.py\nimport google.colab", []),
        ("n = int(input('수: '))\nprint(n)", 'n = int("1")\nprint(n)', [ASKED]),
        ("while True:\n    s = input()\n    if s == 'q':\n        break\nx = 1", "pass\nx = 1", ["input()"]),
        ("def f():\n    while True:\n        input()", "def f():\n    while True:\n        input()", []),
        ("u = files.upload()\nfor k in u: print(k)", "u = {}\nfor k in u: print(k)", ["files.upload"]),
        ("import os\nos.chdir('/content/drive')\nx = 1", "import os\npass\nx = 1", ["os.chdir"]),
        ("print('가', input()); drive.mount('x')  # 끝", "print('가', \"1\"); pass", [ASKED, "drive.mount"]),
        ("try:\n    import google.colab\nexcept ImportError:\n    x = 1", None, []),
        ('def f():\n    """\n!pip\n"""\n!pip a', 'def f():\n    """\n!pip\n"""\npass', ["!pip"]),
        ("a = (5\n % 2)\nprint('%d!' % a)", None, []),
        ("x = 'a\u2028b'\n!ls", "x = 'a\u2028b'\npass", ["!ls"]),
        ("def g(\n!ls", None, []),
    ],
)
def test_offline(source, result, what):
    text, done = offline(source)
    shown = "\n".join(line.partition("  #")[0] for line in text.split("\n") if not line.startswith("#"))
    assert (shown, done) == (source if result is None else result, what)
    assert offline(text) == (text, [])


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python reads it as it is")
@pytest.mark.parametrize(
    ("source", "value"),
    [
        ('d = {"a": 1}\nr = f"{d["a"]}"', "1"),
        ('r = f"{"\\n".join(["a", "b"])} x{{}} {3.14159:.{1 + 1}f}"', "a\nb x{} 3.14"),
        ('r = ("a"\n  f"{"b"}"  # 설명\n  "c{}")', "abc{}"),
        ('w = 5\nr = f"{w=} {w = } {w!s} {"가"}"', "w=5 w = 5 5 가"),
        ('r = f"{\n 1 +  # 하나\n 2}"', "3"),
        ('r = f"{f"{"x"}"}{"a" if 3 != 4 else "b"}{(lambda x: x)(3)}{{{"q"}}}"', "xa3{q}"),
        ("r = rf'\\d{'1'}\\{'2'}'", "\\d1\\2"),
        ("r = f'\\N{BULLET}{'x'}'", "•x"),
        ("r = f'''{'''x'''}\n'''", "x\n"),
        ("type X = int\ntype L[T] = list[T]\ndef f(x: X) -> L[int]:\n    return [x]\nr = f(3)", [3]),
        ("def f[T: (int, str), *Ts, **P](x: T) -> T:\n    return x\nr = f(3)", 3),
        ("class A[T = int]:\n    @staticmethod\n    def g[U](x: T, y: U): return y\nr = A.g(1, 2)", 2),
        ("@staticmethod\n@staticmethod\ndef f[T](x: T):\n    return x\nr = 4", 4),
        ('%%time\ntype = 3\nr = f"{f"{type}"}"', "3"),
    ],
)
def test_newer_syntax(source, value):
    assert parse(source) is None
    text, what = lowered(source)
    space: dict = {}
    exec(text.removeprefix("%%time"), space)
    assert space["r"] == value and what and lowered(text) == (text, [])


@pytest.mark.parametrize(
    "source", ["def f(:", 'x = f"{a +}"', 'x = "abc', "def f[T(x): pass", 'f"{', "type = 3", "x[1] = f'{2}'", 'f"{x!}"', "(" * 300]
)
def test_no_python_of_any_age(source):
    assert lowered(source) == (source, [])


@pytest.mark.parametrize(
    ("texts", "count"),
    [
        (["def f(x):", "    return x"], 2),
        (["def f(x):\n    y = 1", "    # 설명", "    return y", "print(3)"], 3),
        (["x = (1 +", "2)"], 2),
        (["def f(x):\n    return x +", "1"], 2),
        (["def f(x):\n    return x", "print(f(1))"], 0),
        (["def f(x):\n    return x  # 끝", "    이건 글"], 0),
        (["x = 1", "y = (", ")"], 0),
    ],
)
def test_joined(texts, count):
    assert joined(texts)[0] == count and (not count or parse(joined(texts)[1]))


def test_parts_of_a_cell():
    half, f = "# 도움\ndef half(x):\n    return x / 2", "@staticmethod\ndef f(x):\n    return half(x) + math.pi"
    cell = f"import math\nunused = 3\n{half}\n\nprint(half(3))\n{f}"
    assert definitions(cell, {"f"}) == f"import math\n{half}\n{f}"
    assert definitions("def f(x):\n    return x\n이건 글\n", {"f"}) == "def f(x):\n    return x"
    assert additions("import os\nimport math\nx = 1\nos = None", "import os", {"x"}) == "import math"
