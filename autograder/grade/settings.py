"""How hand-ins are run: what course.yml and the command line say. Imports nothing that takes time."""
from __future__ import annotations

from dataclasses import dataclass

from autograder.grade.jail.walls import Limits


@dataclass(frozen=True)
class Budget:
    """Limits of a hand-in's notebook; those of a process are in Limits."""

    cell_seconds: int = 60
    notebook_seconds: int = 600
    output_bytes: int = 1_000_000  # of a cell
    notebook_bytes: int = 4_000_000  # of all cells together


@dataclass(frozen=True)
class Settings:
    """`fresh`: each hand-in in a new Python that has imported nothing. `weak`: also where walls are missing."""

    budget: Budget = Budget()
    limits: Limits = Limits()
    workers: int | None = None  # one per processor
    fresh: bool = False
    weak: bool = False

    @classmethod
    def of(cls, limits: dict[str, int], **choices) -> Settings:
        """From course.yml's limits."""
        output = 1000 * limits["cell_output_kb"], 1000 * limits["notebook_output_kb"]
        budget = Budget(limits["cell_seconds"], limits["notebook_seconds"], *output)
        walls = Limits(limits["memory_mb"], limits["processes"], limits["disk_mb"], cpu_seconds=2 * limits["notebook_seconds"])
        return cls(budget, walls, **choices)
