"""A check gives the same verdict with stand-ins as beside the code: what it may do to a student's names, and what not."""
from __future__ import annotations

import copy
import re

import nbformat
import pytest
from nbformat.v4 import new_notebook

from autograder.grade.jail.client import WarmParent
from autograder.grade.programme import plan
from autograder.grade.trial import Budget, Trial
from tests.grade.jail.conftest import LIMITS
from tests.grade.small_course import answer, cell, check

GIVEN = "import math, random\nimport numpy as np\nimport torch\nfrom torch import nn\nimport torch.nn.functional as F"
MODULE = """class Net(nn.Module):
    def __init__(self, d, h=2):
        super().__init__()
        self.h, self.fc = h, nn.Linear(d, d)
        self.drop = nn.Dropout(0.5)
        self.register_buffer("seen", torch.zeros(1))
    def forward(self, x, scale=1.0):
        self.seen += 1
        return self.drop(self.fc(x)) * scale
    def halves(self, x):
        return self.fc(x).chunk(2, -1)"""
# (what the student wrote, what the check does) -> passes
PASSES = {
    "function": ("def f(a, b=2, *, c=3):\n    return a * b + c", "assert f(1) == 5 and f(2, 3, c=1) == 7 and f.__name__ == 'f' and callable(f)"),
    "many kinds": ("def f(x):\n    return {'a': [x, (x,)], 1: {2, 3}, 'n': None}", "assert f('가') == {'a': ['가', ('가',)], 1: {2, 3}, 'n': None}"),
    "numpy": ("def f(x):\n    return x.mean(0), x.sum()", "m, s = f(np.arange(6.0).reshape(2, 3))\nassert m.tolist() == [1.5, 2.5, 3.5] and s == 15 and isinstance(s, np.float64)"),
    "variable": ("answer = torch.arange(3)", "assert answer.tolist() == [0, 1, 2]"),
    "tensor in place": ("def f(x):\n    x.mul_(2)\n    x[0] = 7", "x = torch.ones(3)\nassert f(x) is None and x.tolist() == [7, 2, 2]"),
    "view in place": ("def f(x):\n    x.zero_()", "x = torch.ones(2, 3)\nf(x[0])\nassert x.sum() == 3"),
    "containers in place": ("def f(a, d):\n    a.append(4)\n    a[0] = [9]\n    d['k'] = a[1]\n    del d['old']", "a, d = [1, 2], {'old': 1}\nf(a, d)\nassert a == [[9], 2, 4] and d == {'k': 2}"),
    "array in place": ("def f(x):\n    x += 1", "x = np.zeros(2)\nf(x)\nassert x.tolist() == [1, 1]"),
    "exception": ("def f(x):\n    raise ValueError('나쁨')", "try:\n    f(1)\n    assert False\nexcept ValueError as e:\n    assert str(e) == '나쁨'"),
    "own exception": ("class Odd(Exception):\n    pass\ndef f(x):\n    raise Odd('홀')", "try:\n    f(1)\n    raise SystemExit\nexcept Exception as e:\n    assert type(e).__name__ == 'Odd'"),
    "gradients": ("def f(q, k):\n    return torch.softmax(q @ k.T, -1), (q * 2).sum()", "q, k = torch.randn(2, 3, requires_grad=True), torch.randn(4, 3, requires_grad=True)\nw, s = f(q, k)\n(w.pow(2).sum() + s).backward()\ng = q.grad.clone(), k.grad.clone()\nq.grad = k.grad = None\n(torch.softmax(q @ k.T, -1).pow(2).sum() + (q * 2).sum()).backward()\nassert torch.allclose(g[0], q.grad) and torch.allclose(g[1], k.grad)"),
    "no gradients": ("def f(q):\n    return q * 2", "q = torch.ones(1, requires_grad=True)\nwith torch.no_grad():\n    assert not f(q).requires_grad"),
    "seed goes along": ("def f(n):\n    return torch.randn(n), np.random.rand(n), random.random()", "torch.manual_seed(3); np.random.seed(3); random.seed(3)\na = f(700)\ntorch.manual_seed(3); np.random.seed(3); random.seed(3)\nassert torch.equal(a[0], torch.randn(700)) and (a[1] == np.random.rand(700)).all() and a[2] == random.random()"),
    "seed comes back": ("def f(n):\n    return torch.randn(n)", "torch.manual_seed(3)\nf(32); a = torch.randn(2)\ntorch.manual_seed(3)\ntorch.randn(32)\nassert torch.equal(a, torch.randn(2))"),
    "given at random": ("def f(x):\n    return x + 1\ny = f(x)", "assert torch.equal(y, x + 1)"),
    "module": (MODULE, "torch.manual_seed(0)\nm = Net(4)\ntorch.manual_seed(0)\nref = nn.Linear(4, 4)\nassert isinstance(m, nn.Module) and isinstance(m.fc, nn.Linear) and m.h == 2\nassert torch.equal(m.fc.weight, ref.weight)\nassert [n for n, _ in m.named_parameters()] == ['fc.weight', 'fc.bias'] and sum(p.numel() for p in m.parameters()) == 20\nx = torch.randn(2, 4)\nm.eval()\nassert torch.allclose(m(x, scale=2.0), ref(x) * 2)\nm.train()\ntorch.manual_seed(1); a = m(x)\ntorch.manual_seed(1); assert torch.allclose(a, F.dropout(ref(x), 0.5))\nassert m.seen.item() == 2 and len(m.halves(x)) == 2 and torch.equal(m.fc(x), ref(x))"),
    "load_state_dict": (MODULE, "m = Net(2)\nm.load_state_dict({'fc.weight': torch.eye(2), 'fc.bias': torch.ones(2)}, strict=False)\nm.eval()\nassert torch.equal(m(torch.zeros(1, 2)), torch.ones(1, 2)) and torch.equal(m.state_dict()['fc.weight'], torch.eye(2))"),
    "module changed here": (MODULE, "m = Net(2).eval()\nwith torch.no_grad():\n    m.fc.weight.zero_(); m.fc.bias.fill_(3)\nassert m(torch.ones(1, 2)).tolist() == [[3, 3]]\nm.fc.weight.requires_grad_(False)\nm(torch.ones(1, 2)).sum().backward()\nassert m.fc.weight.grad is None and m.fc.bias.grad.tolist() == [1, 1]"),
    "one step of training": (MODULE, "torch.manual_seed(0)\nm = Net(3).eval()\nref = nn.Linear(3, 3)\nref.load_state_dict({k[3:]: v for k, v in m.state_dict().items() if k.startswith('fc')})\nx = torch.randn(5, 3)\nfor net in (m, ref):\n    opt = torch.optim.SGD(net.parameters(), lr=0.1)\n    for _ in range(3):\n        opt.zero_grad(); net(x).pow(2).mean().backward(); opt.step()\nassert torch.allclose(m.fc.weight, ref.weight, atol=1e-6)"),
    "module handed back": (MODULE + "\ndef count(m):\n    return sum(p.numel() for p in m.parameters())", "assert count(Net(2)) == 6"),
    "tied weights": ("class Tied(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(2, 2, bias=False)\n        self.b = self.a", "m = Tied()\nassert m.a.weight is m.b.weight and len(list(m.parameters())) == 1"),
    "object": ("class Box:\n    def __init__(self):\n        self.items = []\n    def add(self, x):\n        self.items.append(x)\n        return self\n    def __len__(self):\n        return len(self.items)", "b = Box()\nb.add(1).add(2)\nassert len(b) == 2 and b.items == [1, 2]"),
    "generator": ("def f(n):\n    for i in range(n):\n        yield i", "assert list(f(3)) == [0, 1, 2]"),
    "function returned": ("def f(n):\n    return lambda x: x + n", "assert f(3)(4) == 7"),
    "shell command": ("!echo hi\ndef f(x):\n    return x", "assert f(1) == 1"),
    "texts": ("def f(i):\n    return np.array(['cat', 'dog'])[i], np.array(['cat', 'dog'])", "a, b = f(1)\nassert a == 'dog' and b.tolist() == ['cat', 'dog']"),
    "derived exception": ("class Odd(ValueError):\n    pass\ndef f(x):\n    raise Odd('홀', x)", "try:\n    f(1)\n    assert False\nexcept ValueError as e:\n    assert e.args == ('홀', 1)"),
    "own seed": ("def f(n):\n    random.seed(0); np.random.seed(0)\n    return torch.randn(n)", "assert not torch.equal(f(32), f(32))"),
    "odd output": ("from IPython.display import display\ndisplay({'application/json': {'a': np.float32(1)}, 'text/plain': b'x'}, raw=True)\nd = []\nfor _ in range(900):\n    d = [d]\ndisplay({'application/json': d}, raw=True)\nget_ipython().execution_count = -50\ndef f(x):\n    return x", "assert f(1) == 1"),
    "layout": ("def f(x):\n    return x.transpose(0, 1)", "y = f(torch.arange(6).reshape(2, 3))\nassert not y.is_contiguous() and y.shape == (3, 2)"),
}  # fmt: skip
FAILS = {
    "wrong value": ("def f(x):\n    return x", "assert f(1) == 2"),
    "always equal": ("class T(torch.Tensor):\n    @classmethod\n    def __torch_function__(cls, *a, **k):\n        return True\ndef f(x):\n    return torch.zeros(2).as_subclass(T)", "assert torch.allclose(f(0), torch.ones(2))"),
    "equal to all": ("class E:\n    def __eq__(self, o):\n        return True\ndef f(x):\n    return E()", "assert f(1) == 2"),
    "patched library": ("torch.allclose = lambda *a, **k: True\nF.softmax = lambda x, d: x\ndef f(x):\n    return x", "assert torch.allclose(f(torch.ones(2)), torch.zeros(2))"),
    "shadowed name": ("def same(a, b):\n    return True\nlen = lambda x: 0\ndef f(x):\n    return 1", "assert len([f(1)]) == 0"),
    "exits": ("def f(x):\n    raise SystemExit(0)", "assert f(1) == 1"),
    "interrupts": ("def f(x):\n    raise KeyboardInterrupt", "try:\n    assert f(1) == 1\nexcept ValueError:\n    pass"),
    "not defined": ("pass", "assert f(1) == 1"),
    "random state made up": ("def f(x):\n    s = torch.get_rng_state()\n    s[24:5016] = 0\n    torch.set_rng_state(s)\n    return x", "x = f(torch.randn(3))\nassert torch.randn(100).std() < 0.1"),
    "spare normal number": ("def f(x):\n    s = np.random.get_state(); np.random.set_state((s[0], s[1], s[2], 1, float('nan')))\n    return 2.0 if x == 1 else x", "assert f(1.0) == 2\nfor _ in range(3):\n    x = np.random.randn()\n    np.testing.assert_allclose(f(x), x + 1)"),
    "gone instead of names": ("import gc\nfor o in gc.get_objects():\n    if type(o).__name__ == 'Student':\n        type(o).do_look = lambda self, head: {'gone': True}", "assert f(1) == 2"),
    "no names at all": ("import gc\nfor o in gc.get_objects():\n    if type(o).__name__ == 'Student':\n        type(o).do_look = lambda self, head: {'relayed': False, 'done': {'ran': True, 'outputs': []}}", "assert f(1) == 2"),
    "a callback": ("def f(g):\n    return g(1)", "assert f(lambda x: x + 1) == 2"),
    "printing a pass": ("def f(x):\n    print('통과')\n    return 0", "assert f(1) == 1"),
}  # fmt: skip


def verdict(endpoint, code: str, test: str, model: str = "", seconds: int = 20):
    """Errors of the check when a student writes `code` where the source has `model`."""
    cells = [cell("code", "given", GIVEN), cell("code", "x", "x = torch.randn(3)"), answer("sol", model or code), check("test", 1, test)]
    source = new_notebook(cells=[nbformat.from_dict(c) for c in cells])
    trial = Trial(endpoint, plan(source), Budget(cell_seconds=seconds))
    source.cells[2].source = code
    trial.run(source)
    return [output for output in source.cells[-1].outputs if output.output_type == "error"], trial


@pytest.mark.parametrize("name", PASSES)
def test_passes(endpoint, name):
    errors, trial = verdict(endpoint, *PASSES[name])
    assert errors == [] and trial.stop == "" and trial.flags == [], "\n".join(errors[0].traceback) if errors else ""


@pytest.mark.parametrize("name", FAILS)
def test_fails(endpoint, name):
    errors, trial = verdict(endpoint, *FAILS[name], "def f(x):\n    return x + 1")
    assert errors and trial.stop == ""


# What the source's author does not define is the judge's own, however the student calls it.
def test_only_names_of_the_answers_are_asked_for():
    cells = [cell("code", "given", GIVEN + "\ndef same(a, b):\n    return a == b"), answer("sol", "import math\ndef f(x):\n    torch.nothing = 1\n    return x\ng = h = f\n(p, *q), r = (1, 2), 3\nbox.lid = 1")]
    cells += [cell("code", "demo", "print(f(1))"), cell("code", "helper", "w = f(2)"), check("test", 1, "assert same(f(1), w) and math and g and h and p and q and r and box")]
    programme = plan(new_notebook(cells=cells))
    assert programme.steps[-1].names == ("box", "f", "g", "h", "p", "q", "r") and programme.imports == "import math"
    assert [step.needless for step in programme.steps] == [False, False, True, False, False]
    assert programme.preload == ("math", "random", "numpy", "torch", "torch.nn.functional")


# After a death the judge meets a new process: numbers and random states of the old one mean nothing to it.
def test_questions_after_a_death(endpoint):
    net = "class {0}(nn.Module):\n    def __init__(self, d):\n        super().__init__()\n        self.{0} = nn.Linear(d, 4)"
    parts = [("f", "def f(x):\n    return x + 1", "m, n, o = A(2), A(2), A(2)\nassert f(1) == 2"), ("g", "def g(x):\n    import os; os._exit(0)", "g(1)"),
             ("h", "def h(x):\n    return torch.rand(1)", "assert h(1).shape == (1,) and B(3).B.weight.shape == (4, 3)")]  # fmt: skip
    cells = [cell("code", "given", GIVEN), answer("A", net.format("A")), answer("B", net.format("B"))]
    for name, code, test in parts:
        cells += [answer(name, code), check(f"{name}-check", 1, test)]
    notebook = new_notebook(cells=[nbformat.from_dict(c) for c in cells])
    trial = Trial(endpoint, plan(notebook), Budget(cell_seconds=20))
    trial.run(notebook)
    errors = {c.metadata.nbgrader.grade_id: [o.ename for o in c.outputs if o.output_type == "error"] for c in notebook.cells}
    assert (errors["f-check"], errors["g-check"], errors["h-check"]) == ([], ["GradingStopped"], []) and trial.stop


# A thread can end the student's process at any moment, between two questions of the judge too: no exception, only stops.
@pytest.mark.parametrize("delay", ["0", "0.01", "0.05", "0.2"])
def test_death_at_any_moment(endpoint, delay):
    # Hostile hand-ins of a test beside this one may hold all threads that the user id has for the moment.
    bomb = f"""import os, threading, time
while threading.active_count() < 2:
    try:
        threading.Timer({delay}, lambda: os._exit(3)).start()
    except RuntimeError:
        time.sleep(0.05)
def f(x):
    time.sleep(0.05)
    return x + 1"""
    cells = [answer("f", bomb), check("f-check", 1, "for n in range(9):\n    assert f(n) == n + 1"), cell("code", "given", "import torch\nx = torch.rand(2)")]
    cells += [answer("g", "def g(x):\n    return x"), check("g-check", 1, "assert g(1) == 1")]
    notebook = new_notebook(cells=[nbformat.from_dict(c) for c in cells])
    trial = Trial(endpoint, plan(notebook), Budget(cell_seconds=20))
    trial.run(notebook)
    assert [o.ename for o in notebook.cells[1].outputs] == ["GradingStopped"] and trial.stop


def test_without_a_judge_nothing_passes(endpoint, monkeypatch):
    from autograder.grade import trial as module

    real = module.Child

    def no_judge(endpoint, role, **how):
        if role == "judge":
            raise module.Ended("no room")
        return real(endpoint, role, **how)

    monkeypatch.setattr(module, "Child", no_judge)
    errors, trial = verdict(endpoint, "def f(x):\n    return x", "assert f(1) == 1")
    assert [error.ename for error in errors] == ["GradingStopped"] and trial.stop


# A weak check runs beside the student's code: honest work passes without a remark, what was changed is named and scores nothing.
@pytest.mark.parametrize(
    ("code", "altered"),
    [
        ("def f(x):\n    return torch.softmax(x, -1)", []),
        ("x = input\ndef f(x):\n    return x", []),
        ("torch.allclose = lambda *a, **k: True\ndef f(x):\n    return x", ["torch.allclose"]),
        ("import builtins\nbuiltins.all = lambda x: True\ndel math.sqrt\ndef f(x):\n    return x", ["builtins.all", "math.sqrt"]),
    ],
)
def test_weak_check(endpoint, code, altered):
    weak = check("test", 1, "assert f(torch.ones(2)) is not None")
    weak.metadata["course"] = {"weak": True}
    notebook = new_notebook(cells=[cell("code", "given", GIVEN), answer("sol", code), weak])
    trial = Trial(endpoint, plan(notebook), Budget(cell_seconds=20))
    trial.run(notebook)
    errors = [output.ename for output in weak.outputs if output.output_type == "error"]
    assert errors == (["Altered"] if altered else []) and len(trial.flags) == len(errors)
    assert all(name in trial.flags[0] for name in altered)


# Time runs out in a check: that one has no points, and the others go on with what the student's process holds.
@pytest.mark.parametrize(
    ("code", "test", "lives"),
    [
        ("def f(x):\n    while True: pass", "f(1)", 1),
        ("def f(x):\n    while True: pass", "for n in range(99):\n    try:\n        f(n)\n    except BaseException:\n        pass", 1),
        ("import time\ndef f(x):\n    while True:\n        try:\n            time.sleep(9)\n        except BaseException:\n            pass", "f(1)", 2),
        ("def f(x):\n    return x", "f(1)\nwhile True: pass", 1),
        ("def f(x):\n    return x", "import time\ntry:\n    time.sleep(99)\nexcept BaseException:\n    f(1)", 1),
    ],
    ids=["endless", "endless many times", "cannot be interrupted", "the check itself", "asks after its time"],
)
def test_time_runs_out(endpoint, code, test, lives):
    cells = [answer("f", code), check("f-check", 1, test), answer("g", "seen = [1]\ndef g(x):\n    return seen + [x]"), check("g-check", 1, "assert g(2) == [1, 2]")]
    notebook = new_notebook(cells=[nbformat.from_dict(c) for c in cells])
    trial = Trial(endpoint, plan(notebook), Budget(cell_seconds=2))
    trial.run(notebook)
    errors = [[o.ename for o in c.outputs if o.output_type == "error"] for c in notebook.cells]
    assert errors[1][-1] in ("CellTimeoutError", "GradingStopped") and errors[3] == []
    assert trial.lives == lives and trial.flags == []


# What judges' parent has learned runs as it would otherwise: value, error, output, names left behind.
def test_a_learned_check_gives_what_any_other_gives(endpoint):
    checks = ["assert f(1) == 2, '1을 더합니다.'", "total = f(1)\n0.25 * total", "print(f(1))", "total + 1", "for n in range(3):\n    f(n)", "%matplotlib", "f(", "import sys\nsys.exit(3)", ""]
    cells = [answer("f", "def f(x):\n    return x + 2")] + [check(f"c{n}", 1, text) for n, text in enumerate(checks)]
    source = new_notebook(cells=[nbformat.from_dict(c) for c in cells])
    programme = plan(source)
    with WarmParent(["math"], LIMITS, programme.judged()) as taught:
        found = []
        for place in (endpoint, taught):
            notebook = copy.deepcopy(source)
            Trial(place, programme, Budget(cell_seconds=20)).run(notebook)
            found.append([[(o.output_type, o.get("ename"), re.sub(r"<.*?>", "", o.get("evalue", "")), o.get("text"), o.get("data")) for o in c.outputs if o.get("name") != "stderr"] for c in notebook.cells])
    assert found[0] == found[1]
    assert [bool(outputs) for outputs in found[1][1:]] == [True, True, True, True, False, True, True, True, False]
