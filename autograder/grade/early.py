"""The warm parent takes longest to start, so it starts first, while the grader imports nbgrader and reads the source.

Imports nothing that takes time, and so guesses: the source notebooks may lie elsewhere. `run` tells the parent the rest.
"""
from __future__ import annotations

import ast
import json
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path

from autograder.grade import doctor
from autograder.grade.jail.client import WarmParent
from autograder.grade.settings import Settings


def warm_parent(course_dir: Path, assignment: str, settings: Settings):
    """A context with a warm parent that has begun to start; with None where each hand-in gets a new one, or there is nothing
    to begin with."""
    modules = likely_imports(course_dir / "source" / assignment)
    if settings.fresh or not modules or doctor.missing():
        return nullcontext()
    parent = WarmParent(modules, replace(settings.limits, walls=True))
    parent.start()
    return closing(parent)


def likely_imports(folder: Path) -> list[str]:
    """Modules that notebooks in `folder` import at the beginning of a line, in order; what cannot be read is passed over."""
    found: dict[str, None] = {}
    for path in sorted(folder.glob("*.ipynb")):
        try:
            cells = json.loads(path.read_bytes())["cells"]
            lines = [line for cell in cells if cell["cell_type"] == "code" for line in "".join(cell["source"]).splitlines()]
            tree = ast.parse("\n".join(line for line in lines if line.startswith(("import ", "from ")) and "(" not in line))
        except (OSError, ValueError, TypeError, KeyError, SyntaxError):
            continue
        for node in tree.body:
            names = [node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            found |= dict.fromkeys(filter(None, names))
    return list(found)
