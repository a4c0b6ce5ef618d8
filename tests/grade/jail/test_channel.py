"""A student's process that owns its end of the line: whatever it sends, it scores nothing and harms nobody."""
from __future__ import annotations

from contextlib import nullcontext

import pytest

from autograder.grade.jail.client import WarmParent
from tests.grade.jail.conftest import LIMITS
from tests.grade.jail.test_checks import verdict

PREPARE = '''import os, socket, struct, json, sys, time
_end = socket.socket(fileno=os.dup([int(f) for f in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + f) and os.readlink("/proc/self/fd/" + f).startswith("socket")][0]))
_end.setblocking(True)
def raw(data):
    _end.sendall(data)
def frame(head, body=b""):
    head = head if isinstance(head, bytes) else json.dumps(head).encode()
    raw(struct.pack("<II", len(head), len(body)) + head + body)
'''
TRUE = '{"value": True, "args": None, "models": [], "state": None, "said": "", "graph": None}'
ATTACKS = {
    "garbage": "raw(os.urandom(4096))",
    "huge lengths": 'raw(struct.pack("<II", 0xffffffff, 0xffffffff))',
    "deep json": 'frame(b\'{"value":\' + b"[" * 200000 + b"]" * 200000 + b"}")',
    "bad extent": 'frame({"value": {"t": ["float32", [2, 4], -8, 32, False, None]}}, b"x" * 10)',
    "huge shape": 'frame({"value": {"t": ["float32", [2**39, 2**39, 0], 0, 0, False, None]}})',
    "never answers": "time.sleep(1000)",
    "not an object": "frame([1, 2, 3])",
    "slow drip": 'raw(struct.pack("<II", 100000, 0))\n    for _ in range(1000):\n        raw(b"x"); time.sleep(.05)',
    "big answer": "return torch.zeros(300_000_000, dtype=torch.uint8)",
    "many answers from forks": f"for _ in range(5):\n        if os.fork() == 0:\n            frame({TRUE}); os._exit(0)",
    "the judge's own word": 'frame({"done": {"outputs": [], "said": ""}})',
    "an answer and a half": f"frame({TRUE}); frame({TRUE})",
    "no state": 'frame({"value": 2, "args": None, "models": [], "state": {"d": []}, "said": "", "graph": None})',
    "a strange module": 'frame({"value": {"r": {"held": 0, "kind": "module", "name": "x", "model": {"parts": 3}}}, "args": None, "models": [], "state": None, "said": "", "graph": None})',
    "gone": 'frame({"gone": True})',
    "an error with a class": 'frame({"error": ["SystemExit", "0"]})',
    "an error that is none": 'frame({"error": 7})',
    "changed arguments": 'frame({"value": True, "args": 5, "models": [1, 2], "state": None, "said": 3, "graph": 99})',
    "end": "os._exit(0)",
    "segfault": "import ctypes; ctypes.string_at(0)",
}
PRESENT = {
    "answers before questions": f"frame({TRUE}); frame({TRUE}); frame({{'values': {{'f': True}}}})\ndef f(x):\n    return 0",
    "outputs before they are asked": 'frame({"outputs": [], "count": 1})\ndef f(x):\n    return 0',
    "a channel taken away": "os.dup2(os.open('/dev/null', os.O_RDWR), _end.fileno())\ndef f(x):\n    return 0",
    "student's own code replaced": "import gc\nfor o in gc.get_objects():\n    if type(o).__name__ == 'Student':\n        type(o).do_look = lambda self, head: {'values': {'f': {'i': '2'}}}\n        type(o).do_call = lambda self, head: {'value': 2}\ndef f(x):\n    return 0",
}
MODEL, TEST = "def f(x):\n    return x + 1", "assert torch.equal(f(torch.ones(2)), torch.full((2,), 2.0))"


@pytest.mark.parametrize("name", ATTACKS)
def test_answers(endpoint, name):
    errors, _ = verdict(endpoint, f"{PREPARE}def f(x):\n    {ATTACKS[name]}\n    return x", TEST, MODEL, seconds=2)
    assert errors


@pytest.mark.parametrize("name", PRESENT)
def test_beforehand(endpoint, name):
    errors, _ = verdict(endpoint, PREPARE + PRESENT[name], TEST, MODEL, seconds=2)
    assert errors


# The memory of a student's process holds no test, not even while it is being called by one.
@pytest.mark.parametrize("learned", [False, True])
def test_memory_holds_no_test(endpoint, learned):
    scan = '''
WORDS = [bytes(reversed(word)) for word in (b"DERCES_NEDDIH", b"DERCES_NEDDIM")]
def scan():
    found = dict.fromkeys(range(2), 0)
    with open("/proc/self/mem", "rb", 0) as memory:
        for line in open("/proc/self/maps"):
            span, rights = line.split()[:2]
            start, end = (int(x, 16) for x in span.split("-"))
            if rights[0] != "r" or "[v" in line or end - start > 400_000_000:
                continue
            try:
                memory.seek(start); data = memory.read(end - start)
            except (OSError, ValueError, OverflowError):
                continue
            for place in found:
                found[place] += data.count(WORDS[place])
    return found
def f(x):
    hits = scan()
    return x + 1 if hits[0] == hits[1] else x + hits[0]
'''
    test = "secret = 'HIDDEN_' + 'SECRED'  # HIDDEN_SECRED\n" + TEST
    with WarmParent(["math", "torch"], LIMITS, [test]) if learned else nullcontext(endpoint) as place:
        errors, _ = verdict(place, scan, test, MODEL, seconds=60)
    assert errors == []
