"""What may cross between processes: length-prefixed frames of JSON and raw bytes. Nothing is ever unpickled.

A frame is two little-endian uint32 (length of the JSON, length of the bytes), the JSON, the bytes. Tensors and arrays are
(dtype, shape, place in the bytes). `decode` is written for a hostile other end: it checks sizes before it makes anything
and raises WireError for whatever does not fit.
"""
from __future__ import annotations

import json
import math
import re
import socket
import struct
import time
from typing import Any

import numpy as np

MAX_HEAD, MAX_BODY, MAX_DEPTH, MAX_NODES = 16 << 20, 128 << 20, 100, 2_000_000
CUT = "\n(출력이 너무 길어 여기까지만 보관합니다.)\n"  # stands where output was dropped, on either side
MAX_GAPS = 64  # a view of a larger tensor takes at most this many times its own size
DTYPES = {
    "float32": 4, "float64": 8, "float16": 2, "bfloat16": 2, "complex64": 8, "complex128": 16,
    "int64": 8, "int32": 4, "int16": 2, "int8": 1, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8, "bool": 1,
}  # fmt: skip


class WireError(Exception):
    """A value that cannot cross, or a frame that is none."""


class Channel:
    """One end of a stream socket; frames as (head, bytes). `deadline` is in time.monotonic() seconds; None leaves the socket's
    own timeout."""

    def __init__(self, end: socket.socket):
        self.end, self.deadline, self.read = end, None, bytearray()

    def send(self, head: dict, body: bytes = b"") -> None:
        text = json.dumps(head).encode()
        self._time()
        self.end.sendall(b"".join((struct.pack("<II", len(text), len(body)), text, body)))  # one system call

    def receive(self) -> tuple[dict, bytearray]:
        """Raises EOFError, TimeoutError, WireError."""
        size = 8
        while True:
            if len(self.read) >= 8:
                head, body = struct.unpack_from("<II", self.read)
                if head > MAX_HEAD or body > MAX_BODY:
                    raise WireError(f"a frame of {head} + {body} bytes")
                size = 8 + head + body
            if len(self.read) >= size:  # only a whole frame is taken, so that reading can go on after a TimeoutError
                text, rest = self.read[8 : 8 + head], self.read[8 + head : size]
                del self.read[:size]
                return _parse(text), rest
            self._time()
            got = self.end.recv(max(1 << 16, min(size - len(self.read), 1 << 20)))
            if not got:
                raise EOFError("the other end is gone")
            self.read += got

    def _time(self) -> None:
        if self.deadline is not None:
            if (left := self.deadline - time.monotonic()) <= 0:
                raise TimeoutError
            self.end.settimeout(left)


def _parse(text: bytes) -> dict:
    try:
        head = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WireError("not JSON") from error
    if not isinstance(head, dict):
        raise WireError("not an object")
    return head


class Encoder:
    """Python values -> JSON, their bytes into `body`. `refer(value)` may turn what is no plain value into a reference."""

    def __init__(self, refer=None):
        self.body, self.refer, self.tensors = bytearray(), refer, []

    def __call__(self, value: Any, depth: int = 0) -> Any:
        if depth > MAX_DEPTH:
            raise WireError("nested too deeply")
        kind = type(value)
        if value is None or kind in (bool, str):
            return value
        if kind is int:
            return value if abs(value) < 1 << 53 else {"i": hex(value)}
        if kind is float:
            return {"f": value.hex()}
        if kind is complex:
            return {"c": [value.real.hex(), value.imag.hex()]}
        if kind in (list, set, frozenset):
            return {{list: "l", set: "s", frozenset: "z"}[kind]: [self(item, depth + 1) for item in value]}
        if isinstance(value, tuple):  # a shape, a named tuple, what torch.max returns
            return {"u": [self(item, depth + 1) for item in value]}
        if isinstance(value, dict):
            return {"d": [[self(key, depth + 1), self(item, depth + 1)] for key, item in value.items()]}
        if kind in (bytes, bytearray):
            return {"b": self._put(bytes(value))}
        if isinstance(value, (np.ndarray, np.generic)):
            return self._array(value)
        torch = _torch(value)
        if torch and isinstance(value, torch.Tensor):
            return self._tensor(value, torch)
        if torch and kind in (torch.dtype, torch.device):
            return {"y" if kind is torch.dtype else "v": str(value)}
        for plain in (str, int, float):  # a class derived from one says nothing of its own here
            if isinstance(value, plain):
                return self(plain(value), depth)
        if self.refer and (reference := self.refer(value)) is not None:
            return {"r": reference}
        raise WireError(f"{kind.__name__}")

    def _array(self, value) -> dict:
        array = np.asarray(value)
        if array.dtype.kind == "U":  # class names, say
            return {"a": [array.dtype.str, list(array.shape), array.reshape(-1).tolist()]}
        if array.dtype.name not in DTYPES:
            raise WireError(f"an array of {array.dtype.name}")
        raw = np.ascontiguousarray(array).tobytes()
        return {"g" if isinstance(value, np.generic) else "n": [array.dtype.name, list(array.shape), *self._put(raw)]}

    def _tensor(self, value, torch) -> dict:
        with torch._C.DisableTorchFunctionSubclass():  # a subclass says nothing of its own here
            if value.layout != torch.strided or value.is_quantized or str(value.dtype)[6:] not in DTYPES:
                raise WireError(f"a tensor of {value.dtype}")
            plain = value.detach().cpu().contiguous().reshape(-1)
            raw = plain.view(torch.uint8).numpy().tobytes() if plain.numel() else b""
            self.tensors.append(value)
            strides = None if value.is_contiguous() or 0 in value.stride() else list(value.stride())
            return {"t": [str(value.dtype)[6:], list(value.shape), *self._put(raw), bool(value.requires_grad), strides]}

    def _put(self, raw: bytes) -> list[int]:
        place = len(self.body)
        self.body += raw
        if len(self.body) > MAX_BODY:
            raise WireError("too much data")
        return [place, len(raw)]


class Decoder:
    """JSON and bytes -> Python values; `tensors` lists (tensor, whether the other end's required a gradient) in order.
    `resolve(reference)` makes something of a reference."""

    def __init__(self, body: bytes, resolve=None):
        self.body, self.resolve, self.tensors, self.nodes = body, resolve, [], 0

    def __call__(self, node: Any, depth: int = 0) -> Any:
        try:
            return self._value(node, depth)
        except (ValueError, TypeError, KeyError, IndexError, OverflowError, AttributeError, MemoryError, RuntimeError) as error:
            raise WireError(f"not a value: {type(error).__name__} {error}") from error

    def _value(self, node: Any, depth: int) -> Any:
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise WireError("nested too deeply, or too many parts")
        if node is None or type(node) in (bool, str, int):
            return node
        ((tag, held),) = node.items()
        if tag == "i":
            return int(held, 16)
        if tag == "f":
            return float.fromhex(held)
        if tag == "c":
            return complex(float.fromhex(held[0]), float.fromhex(held[1]))
        if tag in "lusz":
            items = [self._value(item, depth + 1) for item in held]
            return {"l": list, "u": tuple, "s": set, "z": frozenset}[tag](items)
        if tag == "d":
            return {self._value(key, depth + 1): self._value(item, depth + 1) for key, item in held}
        if tag == "b":
            return self._slice(*held)
        if tag in "ng":
            array = self._array(*held)
            return array if tag == "n" else array[()]
        if tag == "a":
            return self._texts(*held)
        if tag == "t":
            return self._tensor(*held)
        if tag == "r" and self.resolve:
            return self.resolve(held, self)
        import torch

        if tag == "y" and held.removeprefix("torch.") in DTYPES:
            return getattr(torch, held.removeprefix("torch."))
        if tag == "v":
            return torch.device(held)
        raise WireError(f"unknown kind {str(tag)[:20]}")

    def _slice(self, place: int, size: int) -> bytes:
        if not (type(place) is type(size) is int and 0 <= place <= place + size <= len(self.body)):
            raise WireError("outside of the frame")
        return bytes(self.body[place : place + size])

    def _shaped(self, dtype: str, shape: list, place: int, size: int) -> bytes:
        if len(shape) > 16 or not all(type(n) is int and 0 <= n < 1 << 40 for n in shape):
            raise WireError("no shape")
        if math.prod(shape) * DTYPES[dtype] != size:
            raise WireError("shape and size differ")
        return self._slice(place, size)

    def _array(self, dtype: str, shape: list, place: int, size: int) -> np.ndarray:
        return np.frombuffer(bytearray(self._shaped(dtype, shape, place, size)), dtype=np.dtype(dtype)).reshape(shape)

    def _texts(self, dtype: str, shape: list, texts: list) -> np.ndarray:
        if not re.fullmatch(r"[<>]U\d{1,4}", dtype) or not all(type(text) is str for text in texts) or math.prod(shape) != len(texts):
            raise WireError("no array of texts")
        return np.array(texts, dtype=dtype).reshape(shape)

    def _tensor(self, dtype: str, shape: list, place: int, size: int, grad: bool, strides: list | None):
        import torch

        raw, kind = self._shaped(dtype, shape, place, size), getattr(torch, dtype)
        tensor = torch.frombuffer(bytearray(raw), dtype=kind).reshape(shape) if raw else torch.empty(shape, dtype=kind)
        if strides and raw:  # view() works on some layouts only, so a layout is part of the value
            if len(strides) != len(shape) or not all(type(n) is int and 0 < n < 1 << 40 for n in strides):
                raise WireError("no strides")
            if sum((n - 1) * step for n, step in zip(shape, strides, strict=True)) >= MAX_GAPS * tensor.numel():
                raise WireError("too many gaps")
            tensor = torch.empty_strided(shape, strides, dtype=kind).copy_(tensor)
        self.tensors.append((tensor, grad is True and (kind.is_floating_point or kind.is_complex)))
        return tensor


def _torch(value):
    """torch, where it can matter: a value of torch's own, or of a class derived from one, means that it is imported."""
    import sys

    return sys.modules.get("torch")
