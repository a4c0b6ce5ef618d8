"""Random states that travel with a call, so that code gives the same in the student's process as it would beside the test.

All three generators (torch's, numpy's, Python's) are Mersenne Twisters: 624 words and a place among them. The judge takes
back only a state that honest drawing can lead to; a made-up one could make the next inputs of a hidden check trivial.
"""
from __future__ import annotations

import ctypes
import random
import sys
from typing import Any

import numpy as np

WORDS = slice(24, 24 + 624 * 8)  # of torch's state: seed, two counters, then one word in each eight bytes
MAX_BLOCKS = 2_000  # of 624 numbers each, that a call may draw; a search takes at most 20 ms


Snapshot = tuple[tuple, tuple, Any]


def snapshot() -> Snapshot:
    """The states of this process as the generators give them: taken and compared around every call."""
    torch = sys.modules.get("torch")
    return random.getstate(), _numpy_state(), torch.random.get_rng_state() if torch else None


_SEEN: dict[bytes, tuple] = {}  # the last state of numpy's generator by its words and place


def _numpy_state() -> tuple:
    """np.random.get_state(), which takes longer than many a call, unless nothing was drawn since. A spare normal number can
    go without a trace in the words, so a state that has one is always asked for; code that puts one back by hand is missed."""
    generator = np.random.get_bit_generator()
    known = type(generator) is np.random.MT19937 and ctypes.string_at(generator.ctypes.state_address, 625 * 4)
    if known not in _SEEN:
        _SEEN.clear()
        state = np.random.get_state()
        if not known or state[3]:
            return state
        _SEEN[known] = state
    return _SEEN[known]


def same(one: Snapshot, other: Snapshot) -> bool:
    if one[0] != other[0]:
        return False
    if one[1] is not other[1] and (one[1][2:] != other[1][2:] or (one[1][1] != other[1][1]).any()):
        return False
    return one[2] is None if other[2] is None else one[2] is not None and one[2].equal(other[2])


def plain(taken: Snapshot) -> dict[str, Any]:
    """A snapshot as values that can cross."""
    (version, own, own_gauss), (_, words, place, has_gauss, gauss), torch_state = taken
    state = {"python": (version, np.array(own, dtype=np.uint32), own_gauss), "numpy": (words, place, has_gauss, gauss)}
    return state if torch_state is None else state | {"torch": torch_state}


def take() -> dict[str, Any]:
    return plain(snapshot())


def put(state: dict[str, Any]) -> None:
    version, words, gauss = state["python"]
    random.setstate((version, tuple(words.tolist()), gauss))
    np.random.set_state(("MT19937", *state["numpy"]))
    _SEEN.clear()
    if "torch" in state and "torch" in sys.modules:
        sys.modules["torch"].random.set_rng_state(state["torch"])


def reseed(seed: int) -> None:
    """A fork copies the generators of its parent; each hand-in gets its own."""
    random.seed(seed)
    np.random.seed(seed % (1 << 32))
    if "torch" in sys.modules:
        sys.modules["torch"].default_generator.manual_seed(seed)  # torch.manual_seed looks for other devices first


def follows(after: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether `after` can come from `before` by drawing numbers, or by seeding torch anew and drawing."""
    return set(after) == set(before) and all(_follows(kind, after[kind], before[kind]) for kind in before)


def accepted(after: Any, before: dict[str, Any]) -> dict[str, Any]:
    """`before`, each generator moved on to `after` where that can be true. A normal number that a generator keeps for the
    next call is never taken over: it could be any number at all."""
    taken = dict(before)
    for kind in before:
        if isinstance(after, dict) and kind in after and not _equal(after[kind], before[kind]) and _follows(kind, after[kind], before[kind]):
            taken[kind] = _without_spare(kind, after[kind])
    return taken


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(one.equal(other)) if hasattr(one, "equal") else all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
    except (TypeError, ValueError, RuntimeError):
        return False


def _without_spare(kind: str, state: Any) -> Any:
    if kind == "python":
        return (3, state[1], None)
    if kind == "numpy":
        return (state[0], state[1], 0, 0.0)
    fresh = sys.modules["torch"].Generator().get_state()
    fresh[: WORDS.stop] = state[: WORDS.stop]
    return fresh


def _follows(kind: str, after: Any, before: Any) -> bool:
    try:
        new, old = _words(kind, after), _words(kind, before)
        starts = [old]
        if kind == "torch":
            seed = int.from_bytes(bytes(after[:8].tolist()), "little")
            fresh = sys.modules["torch"].Generator().manual_seed(seed - (1 << 64) if seed >= 1 << 63 else seed)
            starts.append(_words(kind, fresh.get_state()))
        return any(np.array_equal(new, start) for start in starts) or _reachable(starts, new)
    except (TypeError, ValueError, IndexError, AttributeError, KeyError, RuntimeError, OverflowError):
        return False


def _words(kind: str, state: Any) -> np.ndarray:
    if kind == "torch":
        if str(state.dtype) != "torch.uint8" or state.shape != (5056,):
            raise ValueError("not a state")
        return np.frombuffer(bytes(state.tolist())[WORDS], dtype=np.uint64).astype(np.uint32)
    words = np.asarray(state[1][:-1] if kind == "python" else state[0], dtype=np.uint32)
    place = state[1][-1] if kind == "python" else state[1]
    if words.shape != (624,) or not 0 <= int(place) <= 624:
        raise ValueError("not a state")
    return words


def _reachable(starts: list[np.ndarray], goal: np.ndarray) -> bool:
    """Words are compared as the numbers that they give: both are 624 in a block, one from another without loss."""
    wanted, ways = _generator(goal, 0).random_raw(624), [_generator(start, 624) for start in starts]
    for count in (4, 60, MAX_BLOCKS - 64):
        for blocks in ways:
            found = blocks.random_raw(624 * count).reshape(count, 624)
            if (found[found[:, 0] == wanted[0]] == wanted).all(axis=1).any():
                return True
    return False


def _generator(words: np.ndarray, place: int) -> np.random.MT19937:
    generator = np.random.MT19937()
    generator.state = {"bit_generator": "MT19937", "state": {"key": words, "pos": place}}
    return generator
