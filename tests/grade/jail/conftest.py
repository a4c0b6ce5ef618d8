from __future__ import annotations

import pytest

from autograder.grade.jail.client import Child, WarmParent
from autograder.grade.jail.walls import Limits

LIMITS = Limits(memory_mb=1000, processes=32, disk_mb=32)


def run(child: Child, code: str) -> list[dict]:
    """Outputs of a cell in a student's process."""
    child.channel.send({"do": "run", "code": code})
    return child.channel.receive()[0]["outputs"]


@pytest.fixture(scope="session")
def endpoint():
    with WarmParent(["math", "torch", "torch.nn", "torch.nn.functional"], LIMITS) as endpoint:
        yield endpoint


@pytest.fixture
def student(endpoint):
    child = Child(endpoint, "student", slot=0, seed=1, output_bytes=100_000, files={"data/reviews.txt": "글".encode()})
    yield child
    child.end()
