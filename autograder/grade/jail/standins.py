"""Stand-ins in the judge for what lives in the student's process. A check calls them as if they were the real thing.

A function's arguments go over as values, what it changed in place is written back, the random state goes along and comes
back, and gradients flow through. An nn.Module is mirrored: parameters, buffers and modes are here, copied over before a
call when the check changed them, copied back when the call did. What does not fit raises CannotCross, which names it: then
the author of the check declares it weak.
"""
from __future__ import annotations

import builtins
import sys
from typing import Any, Callable

from autograder.grade.jail import random as randomness
from autograder.grade.jail.values import Decoder, Encoder, WireError

Ask = Callable[[dict, bytes], tuple[dict, bytes]]


class StudentError(Exception):
    """An exception of the student's code that is none of Python's own."""


class CannotCross(TypeError):
    """A value that has no way between the processes."""


class StudentGone(BaseException):
    """The student's process has ended; no check can go on."""


class Link:
    """The judge's view of the student's process. `ask` sends a request and returns the reply."""

    def __init__(self, ask: Ask):
        self.ask, self.said, self.mirrors, self.stream, self.life = ask, [], {}, None, 0

    def meet(self, life: int) -> None:
        """A new process of the student knows nothing of the old one's objects and random states."""
        if life != self.life:
            self.life, self.stream = life, None
            self.mirrors.clear()

    def look(self, names: list[str]) -> dict[str, Any]:
        reply, body = self._ask({"do": "look", "names": names})
        decode = Decoder(body, self.stand_in)
        return {name: decode(node) for name, node in reply["values"].items() if name in names}

    def call(self, target: int, path: list[str], args: tuple, kwargs: dict) -> Any:
        encode = Encoder(self._refer)
        self._modules: list[Any] = []
        try:
            nodes = encode(args), encode(kwargs)
        except WireError as error:
            raise CannotCross(f"{error} cannot be handed to a student's code") from None
        models = list(dict.fromkeys([self.mirrors[target], *self._modules] if target in self.mirrors else self._modules))
        for model in models:
            model._push()
        before = randomness.snapshot()
        known = self.stream is not None and randomness.same(before, self.stream)
        head = {
            "do": "call", "target": target, "path": path, "args": nodes[0], "kwargs": nodes[1],
            "models": [model._held for model in models], "state": None if known else encode(randomness.plain(before)), "grad": _grad_enabled(),
        }  # fmt: skip
        self.stream = None  # until the call has come back
        reply, body = self._ask(head, bytes(encode.body))
        decode = Decoder(body, self.stand_in)
        value = decode(reply["value"])
        results = [tensor for tensor, grad in decode.tensors if grad]
        for model, changes in zip(models, reply["models"], strict=True):
            model._pull([(place, decode(node)) for place, node in changes])
        if reply["args"] is not None:
            _settle((args, kwargs), (decode(reply["args"][0]), decode(reply["args"][1])))
        self.stream = before
        if reply["state"] is not None:
            randomness.put(randomness.accepted(decode(reply["state"]), randomness.plain(before)))
            self.stream = None  # what was accepted may differ from what was said
        self.said.append(str(reply["said"]))
        if type(reply["graph"]) is int and results:
            leaves = [tensor for tensor in encode.tensors if tensor.requires_grad]
            leaves += [tensor for model in models for tensor in model._tensors if tensor.requires_grad]
            value = _with_gradients(self, reply["graph"], value, results, leaves)
        return value

    def get(self, target: int, path: list[str]) -> Any:
        reply, body = self._ask({"do": "call", "target": target, "path": path, "args": None})
        return Decoder(body, self.stand_in)(reply["value"])

    def _ask(self, head: dict, body: bytes = b"") -> tuple[dict, bytes]:
        reply, body = self.ask(head, body)
        if "error" in reply:
            name, text, bases, args = [*reply["error"], "", "", [], None][:4] if isinstance(reply["error"], list) else ["", "", [], None]
            raise _exception(str(name), str(text), bases if isinstance(bases, list) else [], args)
        return reply, body

    def _refer(self, value: Any) -> dict | None:
        """A stand-in that goes back to the student is the student's own object."""
        if isinstance(value, StandIn):
            return {"held": value._held}
        if isinstance(value, _module_class()) and not value._path:
            self._modules.append(value)
            return {"held": value._held}
        return None

    def stand_in(self, reference: dict, decode: Decoder) -> Any:
        held, name = reference["held"], str(reference.get("name", ""))[:200]
        if type(held) is not int:
            raise WireError("no number")
        if reference["kind"] == "module":
            return mirror(self, held, reference["model"], name, decode)
        return StandIn(self, held, name)


class StandIn:
    """A student's function, class or other object."""

    def __init__(self, link: Link, held: int, name: str):
        self.__dict__.update(_link=link, _held=held, __name__=name, __qualname__=name)

    def __call__(self, *args, **kwargs):
        return self._link.call(self._held, [], args, kwargs)

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._link.get(self._held, [name])

    def __setattr__(self, name: str, value: Any):
        raise CannotCross(f"{name} of a student's object cannot be set")

    def __instancecheck__(self, instance: Any) -> bool:
        return getattr(instance, "_name", None) == self.__name__

    def __repr__(self) -> str:
        return f"<{self.__name__} of the student>"

    def __len__(self):
        try:
            return self._link.call(self._held, ["__len__"], (), {})
        except AttributeError:  # list() asks everything for its length and expects this error
            raise TypeError(f"{self.__name__} has no length") from None

    def __iter__(self):
        return self._link.call(self._held, ["__iter__"], (), {})

    def __next__(self):
        return self._link.call(self._held, ["__next__"], (), {})

    def __getitem__(self, key):
        return self._link.call(self._held, ["__getitem__"], (key,), {})


def mirror(link: Link, held: int, model: dict, name: str, decode: Decoder):
    """An nn.Module with the same parameters, buffers, parts and modes as the student's; its forward is over there."""
    import torch
    from torch import nn

    tensors = [decode(node) for node in model["tensors"]]
    if not all(isinstance(tensor, torch.Tensor) for tensor in tensors):
        raise WireError("no tensors")
    if held in link.mirrors:
        link.mirrors[held]._pull(list(enumerate(tensors))[: len(link.mirrors[held]._tensors)])
        return link.mirrors[held]
    used = {place for _, _, parameters, _, _, _ in model["parts"] for place in parameters.values()}
    for place, grad in enumerate(model["grads"]):
        if place in used:
            tensors[place] = nn.Parameter(tensors[place], requires_grad=bool(grad))
    parts: dict[str, Any] = {}
    for path, library, parameters, buffers, passing, training in sorted(model["parts"], key=lambda part: str(part[0]).count(".")):
        part = _part(library, name if not path else str(path))
        parts[path] = part
        part.__dict__.update(_link=link, _held=held, _path=path.split(".") if path else [], _name=name, training=bool(training))
        # Not by register_parameter() and the like: they would ask the student's module first.
        part._parameters.update({key: tensors[place] for key, place in parameters.items()})
        part._buffers.update({key: tensors[place] for key, place in buffers.items()})
        part._non_persistent_buffers_set.update(passing)
        if path:
            above, _, last = path.rpartition(".")
            parts[above]._modules[last] = part
    root = parts[""]
    root.__dict__.update(_tensors=tensors, _sent=[(id(t), t._version) for t in tensors], _sent_flags=_flags(root, tensors))
    link.mirrors[held] = root
    return root


def _part(library: str, name: str):
    """A module of ours that passes for one of torch.nn where the student's is one: isinstance(model.fc, nn.Linear)."""
    import torch

    own = _module_class()[0]
    base = getattr(torch.nn, library, None) if library.isidentifier() else None
    bases = (own, base) if isinstance(base, type) and issubclass(base, torch.nn.Module) and base is not torch.nn.Module else (own,)
    kind = type(name.rpartition(".")[2] or "Module", bases, {})
    part = kind.__new__(kind)
    torch.nn.Module.__init__(part)
    return part


def _module_class() -> tuple:
    """(StudentModule,), made when torch is there; () before."""
    if "torch" not in sys.modules:
        return ()
    if "StudentModule" not in globals():
        from torch import nn

        class StudentModule(nn.Module):
            def forward(self, *args, **kwargs):
                return self._link.call(self._held, self._path, args, kwargs)

            def __getattr__(self, name: str):
                try:
                    return super().__getattr__(name)
                except AttributeError:
                    if name.startswith("_"):
                        raise
                    return self._link.get(self._held, [*self._path, name])

            def _push(self) -> None:
                """Tell the student's module what the check changed here."""
                current = [*dict.fromkeys(self.parameters()), *dict.fromkeys(self.buffers())]
                self._tensors[:] = current if len(current) == len(self._tensors) else self._tensors
                marks, flags = [(id(t), t._version) for t in self._tensors], _flags(self, self._tensors)
                if marks == self._sent and flags == self._sent_flags:
                    return
                encode = Encoder()
                changed = [place for place, mark in enumerate(marks) if mark != self._sent[place] or flags[0][place] != self._sent_flags[0][place]]
                tensors = [[place, encode(self._tensors[place].detach()), flags[0][place]] for place in changed]
                head = {"do": "set", "target": self._held, "tensors": tensors, "training": flags[1]}
                self._link._ask(head, bytes(encode.body))
                self.__dict__.update(_sent=marks, _sent_flags=flags)

            def _pull(self, changes: list) -> None:
                for place, value in changes:
                    self._tensors[place].data = value
                self.__dict__["_sent"] = [(id(t), t._version) for t in self._tensors]

        globals()["StudentModule"] = StudentModule
    return (globals()["StudentModule"],)


def _flags(root, tensors) -> tuple[list[bool], list[bool]]:
    return [bool(t.requires_grad) for t in tensors], [part.training for part in root.modules()]


def _with_gradients(link: Link, graph: int, value: Any, results: list, leaves: list):
    """`value` with its tensors tied to `leaves`: the backward pass asks the student's process."""
    import torch

    class Call(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *_):
            return tuple(result.detach() for result in results)

        @staticmethod
        def backward(ctx, *grads):
            encode = Encoder()
            reply, body = link._ask({"do": "grads", "graph": graph, "by": encode(list(grads))}, bytes(encode.body))
            found = Decoder(body)(reply["value"])
            if not isinstance(found, list) or len(found) != len(leaves):
                raise StudentError("gradients that do not belong to the call")
            return tuple(found)

    tied = dict(zip(map(id, results), Call.apply(*leaves), strict=True))
    return _replace(value, tied)


def _replace(value: Any, tied: dict[int, Any]) -> Any:
    if id(value) in tied:
        return tied[id(value)]
    if isinstance(value, (list, tuple)):
        return type(value)(_replace(item, tied) for item in value)
    if isinstance(value, dict):
        return {key: _replace(item, tied) for key, item in value.items()}
    return value


def _settle(ours: Any, theirs: Any) -> Any:
    """Change an argument to what the call left of it, in place where the call could; what stands there afterwards."""
    torch, np = sys.modules.get("torch"), sys.modules["numpy"]
    if torch and isinstance(ours, torch.Tensor) and isinstance(theirs, torch.Tensor):
        with torch.no_grad():
            if ours.shape == theirs.shape and ours.dtype == theirs.dtype:
                ours.copy_(theirs)
            else:
                ours.data = theirs
    elif isinstance(ours, np.ndarray) and isinstance(theirs, np.ndarray) and ours.shape == theirs.shape:
        ours[...] = theirs
    elif isinstance(ours, list) and isinstance(theirs, list):
        ours[:] = [_settle(*pair) for pair in zip(ours, theirs, strict=False)] + theirs[len(ours) :]
    elif isinstance(ours, dict) and isinstance(theirs, dict):
        left = {key: _settle(ours[key], value) if key in ours else value for key, value in theirs.items()}
        ours.clear()
        ours.update(left)
    elif isinstance(ours, set) and isinstance(theirs, set):
        ours.clear()
        ours.update(theirs)
    elif isinstance(ours, tuple) and isinstance(theirs, tuple):
        for pair in zip(ours, theirs, strict=False):
            _settle(*pair)
    else:
        return theirs
    return ours


def _exception(name: str, text: str, bases: list, args: Any) -> BaseException:
    """Python's own exception of that name, or one of that name derived from Python's own, so that a check may expect it;
    nothing that would end the judge."""
    found = (getattr(builtins, str(base), None) for base in [name, *bases])
    base = next((kind for kind in found if isinstance(kind, type) and issubclass(kind, Exception)), StudentError)
    plain = [arg for arg in args if arg is None or type(arg) in (str, int, float, bool)] if isinstance(args, list) else [text]
    try:
        kind = base if base.__name__ == name else type(name if name.isidentifier() else "StudentError", (base,), {})
        return kind(*plain)
    except Exception:  # UnicodeDecodeError and the like take other arguments
        return StudentError(f"{name}: {text}")


def _grad_enabled() -> bool:
    return "torch" in sys.modules and sys.modules["torch"].is_grad_enabled()

