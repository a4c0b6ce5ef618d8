"""What the warm parent begins with is a guess from the source notebooks; whatever they hold, it is only a guess."""
from __future__ import annotations

import json

import pytest

from autograder.grade.early import likely_imports


def code(*lines: str) -> dict:
    return {"cell_type": "code", "source": list(lines)}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (json.dumps({"cells": [code("import math, torch.nn as nn\n", "from json import loads\n", "x = 1"), code("  import os"), {"cell_type": "markdown", "source": "import sys"}]}), ["math", "torch.nn", "json"]),
        (json.dumps({"cells": [code("%matplotlib inline\nimport re\nfrom math import (\n  sqrt)\nfrom . import x")]}), ["re"]),
        (json.dumps({"cells": [code("import nothing so\n")]}), []),
        (json.dumps({"cells": 3}), []), ("[]", []), ("", []), ("{", []),
    ],
)  # fmt: skip
def test_likely_imports(tmp_path, text, found):
    (tmp_path / "lab.ipynb").write_text(text, encoding="utf-8")
    assert likely_imports(tmp_path) == found


def test_no_folder(tmp_path):
    assert likely_imports(tmp_path / "none") == []
