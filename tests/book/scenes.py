"""Random scenes of the calculator, their addresses, and the tables that torch and the graders' own code give for them."""
from __future__ import annotations

import math
import random
from urllib.parse import quote

import torch
import torch.nn.functional as F
from torch import nn

from autograder import exercises, handins, notebooks
from autograder.book import calculator
from autograder.course import Course

TABLES = ("S", "scaled", "masked", "W", "O")


def random_scene(seed: int) -> dict:
    """Metadata of a scene: any size that a reader can make, values with up to two decimals, any mask."""
    source = random.Random(seed)
    T, d, parts = source.randint(1, 6), source.randint(1, 4), source.choice([1, 2, 2, 3, 4])

    def draw(width: int) -> list[list[float]]:
        return [[round(source.uniform(-4, 4), source.randint(0, 2)) + 0.0 for _ in range(width)] for _ in range(T)]

    return {
        "tokens": [f"토큰{n}" for n in range(T)],
        "Q": draw(d),
        "K": draw(d),
        "V": draw(parts),
        "mask": source.choice(calculator.MASKS),
        "pad": sorted(source.sample(range(T), source.randint(0, T - 1))),
        "own": [[int(source.random() < 0.4) for _ in range(T)] for _ in range(T)],
        "temperature": source.choice([1.0, 0.5, 1.75]),
    }


def fragment(scene: dict, **more) -> str:
    """The address of a scene, written here a second time: what teachers have linked must stay readable."""
    parts = [f"tokens={','.join(map(quote, scene['tokens']))}"]
    parts += [f"{X}={'/'.join(','.join(f'{x:g}' for x in row) for row in scene[X])}" for X in "QKV"]
    parts += [f"mask={scene.get('mask', 'none')}"]
    if scene.get("pad"):
        parts += [f"pad={','.join(map(str, scene['pad']))}"]
    if scene.get("own"):
        parts += [f"own={'/'.join(''.join(map(str, row)) for row in scene['own'])}"]
    if "temperature" in scene:
        parts += [f"temperature={scene['temperature']:g}"]
    return f"#calc=1;{';'.join([*parts, *(f'{key}={value}' for key, value in more.items())])}"


def run(code: str) -> dict:
    """The names that an answer cell makes."""
    names = {"torch": torch, "math": math, "F": F, "nn": nn}
    exec(code, names)
    return names


class Graders:
    """The model answers, and the wrong answers that mistakes.yml names."""

    def __init__(self, course: Course):
        self.course = course
        self.models: dict[str, dict] = {}
        for chapter in ("hand", "causal"):
            for exercise in exercises.parse(notebooks.chapter(course, chapter)):
                self.models[exercise.grade_id] = run(handins.variants(course, exercise, "")[0].code)

    def tables(self, data: dict, mistake: dict[str, str] | None = None) -> dict[str, torch.Tensor]:
        """What the answers give for a scene, one of them replaced by the mistake's variant. Without "scaled" and "masked"
        where the variant's function does not show them."""
        wrong = calculator.variant(self.course, mistake) if mistake else None
        names = {e: run(wrong.code) if wrong and wrong.exercise == e else self.models[e] for e in ("hand-scores", "causal-weights", "hand-attend")}
        Q, K, V = (torch.tensor(data[X], dtype=torch.float64) for X in "QKV")
        mask, temperature = hidden(data), data.get("temperature", 1.0)
        scaled = names["hand-scores"]["scaled_scores"](Q, K) / temperature
        if not wrong or wrong.exercise != "hand-attend":
            W = names["causal-weights"]["masked_weights"](scaled, mask)
            return {"scaled": scaled, "W": W, "O": W @ V}
        rows, outputs = [], []
        for i, q in enumerate(Q):  # this function knows no mask: it gets the keys that are visible
            seen = ~mask[i]
            some = seen if seen.any() else ~seen
            output, weights = names["hand-attend"]["attend_one"](q / temperature, K[some], V[some])
            empty = torch.nan if not seen.any() else 0.0
            rows.append(torch.zeros(len(K), dtype=torch.float64).masked_scatter(some, weights) + empty)
            outputs.append(output + empty)
        return {"W": torch.stack(rows), "O": torch.stack(outputs)}


def hidden(data: dict) -> torch.Tensor:
    """(T, T), True where a scene hides a score."""
    def hides(i: int, j: int) -> bool:
        if data["mask"] == "own":
            return data["own"][i][j] == 1
        return (data["mask"] in ("causal", "both") and j > i) or (data["mask"] in ("padding", "both") and j in data["pad"])

    places = range(len(data["tokens"]))
    return torch.tensor([[hides(i, j) for j in places] for i in places])
