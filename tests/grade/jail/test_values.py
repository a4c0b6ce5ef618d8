"""What crosses between processes comes out as it went in; what a hostile end sends comes out as an error."""
from __future__ import annotations

import collections
import json
import math
import socket
import struct

import numpy as np
import pytest
import torch

from autograder.grade.jail import random
from autograder.grade.jail.values import MAX_BODY, MAX_HEAD, Channel, Decoder, Encoder, WireError

Point = collections.namedtuple("Point", "x y")
VALUES = [
    None, True, 3, -(10**30), 0.1, math.inf, -0.0, 1 + 2j, "가나 \U0001f600", b"\x00\xff", [1, [2.5, "x"]], (1, (2,)), {1, 2},
    {"a": [1], 2: (3,), (1, 2): None}, np.float32(1.5), np.arange(6).reshape(2, 3), np.array([True]), np.zeros((0, 3)), np.array([["cat", "개"]]), frozenset({frozenset({1})}), 2**4000,
    torch.arange(6.0).reshape(2, 3), torch.tensor(3), torch.zeros(0, 4), torch.tensor([True, False]), torch.randn(2, 3).half(),
    torch.randn(3).bfloat16(), torch.randn(2, 3, 4).transpose(1, 2), torch.arange(10)[::3], torch.randn(2, dtype=torch.complex64),
    torch.float64, torch.device("cpu"),
]  # fmt: skip


def crossed(value):
    encode = Encoder()
    node = json.loads(json.dumps(encode(value)))
    return Decoder(bytes(encode.body))(node)


def alike(one, other) -> bool:
    if isinstance(one, torch.Tensor):
        same = one.dtype == other.dtype and one.shape == other.shape and one.is_contiguous() == other.is_contiguous()
        return same and one.numpy(force=True).tobytes() == other.numpy(force=True).tobytes() if one.dtype != torch.bfloat16 else torch.equal(one, other)
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    return type(one) is type(other) and repr(one) == repr(other)


@pytest.mark.parametrize("value", VALUES, ids=[f"{n}-{type(value).__name__}" for n, value in enumerate(VALUES)])
def test_values_cross(value):
    assert alike(value, crossed(value))


def test_kinds_that_change():
    assert crossed(Point(1, 2)) == (1, 2) and crossed(torch.zeros(2, 3).shape) == (2, 3)
    assert math.isnan(crossed(math.nan)) and torch.isnan(crossed(torch.tensor(math.nan)))
    assert torch.equal(crossed(torch.ones(1, 3).expand(2, 3)), torch.ones(2, 3))
    class Name(str):
        pass
    assert type(crossed(Name("x"))) is str


STRANGERS = [object(), print, Point, lambda: 0, np.array([object()]), torch.zeros(2).to_sparse(), iter([]), {"x": object()}]


@pytest.mark.parametrize("value", STRANGERS, ids=range(len(STRANGERS)))
def test_what_cannot_cross_is_named(value):
    with pytest.raises(WireError):
        Encoder()(value)


def deep(depth: int):
    node = 1
    for _ in range(depth):
        node = {"l": [node]}
    return node


HOSTILE = [
    [], 1.5, {}, {"t": 1, "l": []}, {"zz": 1}, {"l": 3}, {"d": [[1]]}, {"d": [[{"l": []}, 1]]}, {"f": "nonsense"}, {"f": 3}, {"i": "zz"},
    {"t": ["float32", [2, 4, 8], -8, 256, False, None]}, {"t": ["float32", [2**39, 2**39], 0, 0, False, None]},
    {"t": ["float32", [-1], 0, 4, False, None]}, {"t": ["float32", [1], 6, 4, False, None]}, {"t": ["object", [1], 0, 8, False, None]},
    {"t": ["float32", [True], 0, 4, False, None]}, {"t": ["float32", [1], 0, 4, False, [1, 1]]}, {"t": ["float32", [2], 0, 8, False, [2**39]]},
    {"t": ["float32", [0] * 17, 0, 0, False, None]}, {"n": ["O", [1], 0, 8]}, {"b": [0, 1 << 60]}, {"b": ["0", 1]}, {"y": "torch.nn"}, {"y": 3},
    {"v": "not a device"}, {"r": {"held": 0}}, deep(150), {"l": [1] * 2_100_000},
]  # fmt: skip


@pytest.mark.parametrize("node", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_values_are_refused(node):
    with pytest.raises(WireError):
        Decoder(b"12345678")(node)


@pytest.mark.parametrize(
    "raw",
    [b"", b"\x01", struct.pack("<II", 5, 0) + b"{}", struct.pack("<II", MAX_HEAD + 1, 0), struct.pack("<II", 2, MAX_BODY + 1),
     struct.pack("<II", 4, 0) + b"oops", struct.pack("<II", 2, 0) + b"[]", struct.pack("<II", 200_000, 0) + b"[" * 200_000, struct.pack("<II", 2, 0) + b"\xff\xfe"],
    ids=range(9),
)  # fmt: skip
def test_hostile_frames_are_refused(raw):
    ours, theirs = socket.socketpair()
    theirs.sendall(raw)
    theirs.close()
    with pytest.raises((WireError, EOFError)):
        Channel(ours).receive()


def test_a_silent_end_is_not_waited_for():
    ours, theirs = socket.socketpair()
    channel = Channel(ours)
    channel.deadline = 0.0
    with pytest.raises(TimeoutError):
        channel.receive()


def test_what_was_drawn_is_seen_in_a_snapshot():
    np.random.seed(3)
    before = random.snapshot()
    assert random.same(before, random.snapshot())
    for draw in (np.random.rand, np.random.randn, np.random.randn, lambda: random.put(random.plain(before)), lambda: np.random.seed(4)):
        state = random.snapshot()
        draw()
        assert not random.same(state, random.snapshot())
