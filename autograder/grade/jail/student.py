"""The student's process: runs the cells of a hand-in and answers the judge's calls. Everything it says is a claim.

Requests, each with one reply ({"error": [class, message]} when it failed):
    run   {code}                       -> {outputs, count}
    weak  {code}                       -> {outputs, count, altered}: a check that its author lets run here
    look  {names}                      -> {values}: those of the names that exist
    call  {target, path, args, kwargs, models, state, grad} -> {value, args, models: what became of them, state, said, graph};
          a state that is as it was is None
    set   {target, tensors, training}  -> {}: parameters and buffers of a module, changed by the judge
    grads {graph, by}                  -> {value}: gradients of a call's leaves
    state {}                           -> {state}: of the random generators
"""
from __future__ import annotations

import signal
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from typing import Any

from autograder.grade.jail import random as randomness
from autograder.grade.jail import shell as shells
from autograder.grade.jail.values import Channel, Decoder, Encoder

MESSAGE = 2000  # characters of an exception that are told


class Student:
    def __init__(self, shell: shells.Shell, channel: Channel, output_bytes: int, life: int = 0):
        self.runner, self.channel, self.intact = shells.Runner(shell, output_bytes), channel, shell.intact | watch(["builtins"])
        self.names = shell.user_ns
        self.held: list[Any] = []  # objects that the judge knows by number
        self.numbers: dict[int, int] = {}
        self.first = life * 1_000_000  # no number means two objects, though processes follow one another
        self.graphs: list[tuple[list, list]] = []  # results and leaves of calls that may be differentiated
        self.encode = Encoder()
        self.stream: randomness.Snapshot | None = None  # random state of the judge, as far as it was told
        self.own: randomness.Snapshot | None = None  # that of the cells, while the generators are at the judge's

    def serve(self) -> None:
        while True:
            head, body = self.channel.receive()
            self.encode, self.decode = Encoder(self.refer), Decoder(body, self.resolve)
            try:
                signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs too long is interrupted first
                reply = getattr(self, f"do_{head['do']}")(head)
            except BaseException as error:  # SystemExit of a student's function, too
                self.encode = Encoder()
                reply = {"error": _told(error)}
            finally:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
            self.channel.send(reply, bytes(self.encode.body))

    def do_run(self, head: dict) -> dict:
        self._leave_stream()
        outputs, count = self.runner.run(head["code"])
        return {"outputs": outputs, "count": count}

    def do_weak(self, head: dict) -> dict:
        altered = alterations(self.intact)
        outputs, _ = self.runner.run("assert False")
        if not any(output["output_type"] == "error" for output in outputs):
            altered.append("assert")
        return self.do_run(head) | {"altered": altered}

    def do_look(self, head: dict) -> dict:
        return {"values": {name: self.encode(self.names[name]) for name in head["names"] if name in self.names}}

    def do_call(self, head: dict) -> dict:
        """Call held[target], or the attribute at `path` of it; with "args" None the attribute itself is the value.
        `models` are the modules that take part: their parameters are leaves, their changes are told."""
        target = self._held(head["target"])
        for name in head["path"]:
            target = getattr(target, name)
        if head["args"] is None:
            self._leave_stream()
            return {"value": self.encode(target)}
        args, kwargs = self.decode(head["args"]), self.decode(head["kwargs"])
        leaves = [tensor.requires_grad_() for tensor, grad in self.decode.tensors if grad]
        models = [tensors_of(self._held(number)) for number in head["models"]]
        were = [[tensor.detach().clone() for tensor in model] for model in models]
        shells.OUTPUTS.take()
        sys.stdout, sys.stderr = self.runner.streams
        try:
            self._enter_stream(head["state"])
            with _gradients(head["grad"]):
                value = target(*args, **kwargs)
            state = randomness.snapshot()
        finally:
            said = "".join(o["text"] for o in shells.OUTPUTS.take() if o["output_type"] == "stream")
        reply = {"value": self.encode(value), "graph": None, "said": said}
        if results := [tensor for tensor in self.encode.tensors if tensor.requires_grad]:
            leaves += [tensor for model in models for tensor in model if tensor.requires_grad]
            self.graphs.append((results, leaves))
            reply["graph"] = len(self.graphs) - 1
        changed = zip(models, were, strict=True)
        reply["models"] = [
            [[place, self.encode(now.detach())] for place, (now, was) in enumerate(zip(*pair, strict=True)) if not _equal(now, was)]
            for pair in changed
        ]
        reply["state"] = None if randomness.same(state, self.stream) else self.encode(randomness.plain(state))
        self.stream = state
        return reply | {"args": self._changed(args, kwargs, head)}

    def _enter_stream(self, told: dict | None) -> None:
        """Let the generators go on where the judge's are. From call to call they are there already."""
        entered = self.own is None
        if entered:
            self.own = randomness.snapshot()
        if told is not None:
            randomness.put(self.decode(told))
            self.stream = randomness.snapshot()
        elif entered:
            randomness.put(randomness.plain(self.stream))

    def _leave_stream(self) -> None:
        if self.own is not None:
            randomness.put(randomness.plain(self.own))
            self.own = None

    def _changed(self, args: tuple, kwargs: dict, head: dict) -> list | None:
        """[args, kwargs] when the call changed one of them in place."""
        again = Encoder(lambda value: {"held": self.numbers.get(id(value), -1)})  # as the judge refers to objects
        if [again(args), again(kwargs)] == [head["args"], head["kwargs"]] and again.body == self.decode.body:
            return None  # what came would be sent again as it came
        now, then, decode = Encoder(lambda _: -1), Encoder(lambda _: -1), Decoder(self.decode.body, self.resolve)
        given = decode(head["args"]), decode(head["kwargs"])
        for tensor, grad in decode.tensors:
            tensor.requires_grad_(grad)
        nodes = [now(args), now(kwargs)], [then(given[0]), then(given[1])]
        if nodes[0] == nodes[1] and now.body == then.body:
            return None
        return [self.encode(args), self.encode(kwargs)]

    def do_set(self, head: dict) -> dict:
        """New values, requires_grad and training flags for a module that the judge changed on its side."""
        import torch

        module = self._held(head["target"])
        mine = tensors_of(module)
        with torch.no_grad():
            for place, node, grad in head["tensors"]:
                mine[place].data = self.decode(node)
                if mine[place].is_leaf:
                    mine[place].requires_grad_(bool(grad))
        for part, training in zip(module.modules(), head["training"], strict=False):
            part.training = bool(training)
        return {}

    def do_grads(self, head: dict) -> dict:
        import torch

        results, leaves = self.graphs[head["graph"]]
        by = self.decode(head["by"])
        chosen = [(result, grad) for result, grad in zip(results, by, strict=True) if grad is not None]
        found = torch.autograd.grad([r for r, _ in chosen], leaves, [g for _, g in chosen], allow_unused=True, retain_graph=True)
        return {"value": self.encode(list(found))}

    def do_state(self, head: dict) -> dict:
        self._leave_stream()
        return {"state": self.encode(randomness.take())}

    # ---- what is no plain value ---------------------------------------------------------------------------------

    def refer(self, value: Any) -> dict:
        """Keep an object and tell the judge its number and kind."""
        if id(value) not in self.numbers:
            self.numbers[id(value)] = self.first + len(self.held)
            self.held.append(value)
        torch, number = sys.modules.get("torch"), self.numbers[id(value)]
        if torch and isinstance(value, torch.nn.Module):
            return {"held": number, "kind": "module", "name": type(value).__name__, "model": self.describe(value)}
        kind = "class" if isinstance(value, type) else "function" if callable(value) else "object"
        return {"held": number, "kind": kind, "name": str(getattr(value, "__name__", type(value).__name__))[:200]}

    def resolve(self, reference: dict, decoder: Decoder) -> Any:
        return self._held(reference["held"])

    def _held(self, number: int) -> Any:
        if not 0 <= number - self.first < len(self.held):
            raise LookupError("an object of a process that has ended")
        return self.held[number - self.first]

    def describe(self, module) -> dict:
        """Everything of an nn.Module that the judge mirrors. Tied parameters share a place among the tensors."""
        tensors = tensors_of(module)
        places = {id(tensor): place for place, tensor in enumerate(tensors)}
        parts = []
        for name, part in module.named_modules(remove_duplicate=False):
            library = type(part).__module__.startswith("torch.nn")
            parts.append([
                name,
                type(part).__name__ if library else "",
                {key: places[id(t)] for key, t in part._parameters.items() if t is not None},
                {key: places[id(t)] for key, t in part._buffers.items() if t is not None},
                list(part._non_persistent_buffers_set),
                part.training,
            ])  # fmt: skip
        kinds = [bool(tensor.requires_grad) for tensor in tensors]
        return {"parts": parts, "tensors": [self.encode(tensor.detach()) for tensor in tensors], "grads": kinds}


def tensors_of(module) -> list:
    """Parameters, then buffers, each once."""
    found = {id(tensor): tensor for tensor in module.parameters()} | {id(tensor): tensor for tensor in module.buffers()}
    return list(found.values())


RELIED_ON = ("math", "operator", "numpy", "torch", "torch.nn.functional", "torch.testing", "torch.linalg")
Names = tuple[tuple[str, ...], list[int]]  # and identities, in the same order


def watch(modules: Iterable[str] = RELIED_ON) -> dict[str, Names]:
    """What checks rely on, as it was before any student code ran."""
    found = {name: {k: id(v) for k, v in vars(sys.modules[name]).items() if callable(v)} for name in modules if name in sys.modules}
    return {name: (tuple(known), list(known.values())) for name, known in found.items()}


def alterations(intact: dict[str, Names]) -> list[str]:
    """Names of `intact` that are something else now. A flag for the instructor, no protection: what looks can be fooled."""
    found = []
    for module, (names, were) in intact.items():
        are = list(map(id, map(vars(sys.modules[module]).get if module in sys.modules else {}.get, names)))
        found += [f"{module}.{name}" for name, was, now in zip(names, were, are, strict=True) if was != now] if were != are else []
    return found


def _gradients(wanted: bool):
    """The judge's grad mode, for one call."""
    torch = sys.modules.get("torch")
    return torch.set_grad_enabled(bool(wanted)) if torch else nullcontext()


def _equal(now, was) -> bool:
    return now.shape == was.shape and now.dtype == was.dtype and bool((now.detach() == was).all())


def _told(error: BaseException) -> list:
    """[class, message, names of its base classes, arguments where they are plain]."""
    try:
        text = str(error)[:MESSAGE]
    except BaseException:
        text = ""
    args = [arg[:MESSAGE] if isinstance(arg, str) else arg for arg in error.args]
    plain = args if all(type(arg) in (str, int, float, bool) for arg in args) and len(args) < 10 else None
    return [type(error).__name__[:200], text, [kind.__name__ for kind in type(error).__mro__[1:]], plain]
