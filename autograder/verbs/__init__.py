"""What `./course VERB` does: each verb calls the module of its step and prints for people.

A verb returns 0, or 1 or a line that says what is left to do; it raises CourseError when it cannot go on.
Modules are imported in the verbs that use them, so that no verb waits for the libraries of another.
"""
from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def say(text: str) -> None:
    """Print now, also when the output is not a terminal."""
    print(text, flush=True)


def write_json(path: str, data) -> None:
    """A result for programs (--json)."""
    Path(path).write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
