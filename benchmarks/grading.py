"""How long grading takes: stock nbgrader, stock nbgrader tuned, ours, and the floor, in one run on one machine.

    .venv/bin/python benchmarks/grading.py [--rounds 3] [--stock 10] [--ours 100] [--workers 2] [--alike] [--json FILE]

All four grade the same kinds of honest hand-ins of lab11 (model answers, other right ones, common mistakes, blanks; none
that times out), each from a cold start. Stock nbgrader also runs the cells of section 6 that load reviews and train, which ours and the
floor pass over; with --alike these cells are empty for all four, so that all do the same work.

    stock   `nbgrader autograde lab11` as it comes
    tuned   the same with one thread per library and immediate kernel shutdown
    ours    `./course grade lab11`: warm fork, walls, judge, gradebook, records
    floor   the cells of the same hand-ins, checks included, in bare forks of a process that has imported everything; no
            walls, no judge, no nbgrader

Wall time is of the whole command. CPU is what the machine's processors did meanwhile, so run it on a quiet machine. Memory
is the largest sum of PSS of the command and everything below it, sampled. Ratios compare seconds per hand-in.
"""
from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from autograder import notebooks  # noqa: E402
from autograder.course import load  # noqa: E402
from autograder.exercises import is_runtime_only, is_solution, parse  # noqa: E402
from autograder.grade.jail.client import ENVIRONMENT, descendants  # noqa: E402
from autograder.handins import filled, variants  # noqa: E402

NAME = "lab11"
TUNED = "c.Execute.shutdown_kernel = 'immediate'\n"
COMMANDS = {
    "stock": [sys.executable, "-m", "nbgrader", "autograde", NAME],
    "tuned": [sys.executable, "-m", "nbgrader", "autograde", NAME],
    "ours": [sys.executable, "-m", "autograder", "grade", NAME, "--course", "."],
    "floor": [sys.executable, str(Path(__file__).resolve()), "--floor"],
}


@dataclass(frozen=True)
class Measured:
    """One command on one class."""

    seconds: float
    cpu: float
    megabytes: float
    hand_ins: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--stock", type=int, default=10, help="hand-ins for stock nbgrader")
    parser.add_argument("--ours", type=int, default=100, help="hand-ins for ours and for the floor")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--alike", action="store_true", help="empty the cells that only a reader runs")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--floor", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.floor:
        return floor(options.workers)
    found: dict[str, list[Measured]] = {which: [] for which in COMMANDS}
    scores = {}
    for number in range(options.rounds):
        for which in COMMANDS:
            with tempfile.TemporaryDirectory(prefix="bench-") as folder:
                many = options.stock if which in ("stock", "tuned") else options.ours
                make_class(Path(folder), many, which, options.alike)
                found[which].append(measure(which, Path(folder), many, options.workers))
                if which in ("stock", "ours"):
                    scores[which] = read_scores(Path(folder))
                print(f"round {number + 1}  {which:6} {found[which][-1]}", flush=True)
    report(found, scores)
    if options.json:
        Path(options.json).write_text(json.dumps({which: [vars(one) for one in runs] for which, runs in found.items()}, indent=1))


def make_class(folder: Path, many: int, which: str, alike: bool = False) -> None:
    """A course folder with `many` hand-ins, of the same mix whatever `many` is."""
    course = load(ROOT)
    source, release = (notebooks.read(ROOT / step / NAME / f"{NAME}.ipynb") for step in ("source", "release"))
    for cell in [*source.cells, *release.cells] if alike else []:
        if cell.cell_type == "code" and is_runtime_only(cell) and not is_solution(cell):
            cell.source = ""
    stubs = {cell.metadata.nbgrader.grade_id: cell.source for cell in release.cells if "nbgrader" in cell.metadata}
    ways = {e.grade_id: variants(course, e, stubs[e.grade_id]) for e in parse(source) if e.checks}
    kinds = ["model", "right", "wrong", "model", "wrong", "right", "stub", "wrong", "model", "right"]
    for step, notebook in (("source", source), ("release", release)):
        notebooks.write(notebook, folder / step / NAME / f"{NAME}.ipynb")
    shutil.copy(ROOT / "course.yml", folder)
    shutil.copytree(ROOT / "chapters", folder / "chapters", ignore=shutil.ignore_patterns("variants"))
    plain = 'c = get_config()\nc.CourseDirectory.course_id = "bench"\n'
    (folder / "nbgrader_config.py").write_text(plain + (TUNED if which == "tuned" else ""))
    subprocess.run([sys.executable, "-m", "nbgrader", "generate_assignment", NAME, "--force"], cwd=folder, env=environment(), check=True, capture_output=True)
    for number in range(many):
        kind = kinds[number % len(kinds)]
        chosen = {i: [v for v in vs if v.kind == kind] or vs[:1] for i, vs in ways.items()}
        answers = {i: vs[(number // len(kinds)) % len(vs)].code for i, vs in chosen.items()}
        path = folder / "submitted" / f"{2026000000 + number}" / NAME / f"{NAME}.ipynb"
        notebooks.write(filled(release, answers), path)
        if which in ("stock", "tuned"):  # nbgrader's own release of the same source is what it grades against
            path.with_name("timestamp.txt").write_text("2026-12-01 03:04:05 UTC")


def measure(which: str, folder: Path, many: int, workers: int) -> Measured:
    command = COMMANDS[which] + (["--workers", str(workers)] if which in ("ours", "floor") else [])
    one_thread = ENVIRONMENT if which != "stock" else {}
    busy, began = busy_seconds(), time.monotonic()
    process = subprocess.Popen(command, cwd=folder, env=environment() | one_thread, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    peak = [0.0]
    watcher = threading.Thread(target=watch, args=(process.pid, peak), daemon=True)
    watcher.start()
    said, _ = process.communicate()
    seconds = time.monotonic() - began
    if process.returncode:
        raise SystemExit(f"{which} failed:\n{said[-2000:]}")
    return Measured(round(seconds, 2), round(busy_seconds() - busy, 2), round(peak[0]), many)


def environment() -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ours = {name: value for name, value in os.environ.items() if not name.startswith("NSMC_")}  # the reviews of the course
    return dict(ours, PATH=path, PYTHONPATH=str(ROOT), PYTHONUTF8="1")


def busy_seconds() -> float:
    """Seconds that all processors together were not idle since the machine started."""
    numbers = [int(n) for n in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return (sum(numbers) - numbers[3] - numbers[4]) / os.sysconf("SC_CLK_TCK")


def watch(pid: int, peak: list[float]) -> None:
    while Path(f"/proc/{pid}").exists():
        peak[0] = max(peak[0], sum(map(pss, descendants(pid))) / 1024)
        time.sleep(2)


def pss(pid: int) -> int:
    """Proportional memory of a process in kB: shared pages count once for all who share them."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration, ValueError):
        return 0


def read_scores(folder: Path) -> dict[str, dict[str, float]]:
    from autograder.grade.folder import CourseFolder

    found = CourseFolder(folder).hand_scores(NAME)
    return {student: {name: cell.score for name, cell in scores.cells.items()} for student, scores in found.items()}


def report(found: dict[str, list[Measured]], scores: dict) -> None:
    middle = {which: statistics.median(run.seconds / run.hand_ins for run in runs) for which, runs in found.items()}
    print(f"\n{'':8}{'hand-ins':>9}{'s each':>9}{'CPU s each':>12}{'peak MB':>9}")
    for which, runs in found.items():
        cpu = statistics.median(run.cpu / run.hand_ins for run in runs)
        print(f"{which:8}{runs[0].hand_ins:>9}{middle[which]:>9.3f}{cpu:>12.3f}{max(run.megabytes for run in runs):>9.0f}")
    for one, other in (("stock", "ours"), ("tuned", "ours"), ("ours", "floor")):
        print(f"{one} / {other}: {middle[one] / middle[other]:.1f}")
    same = [student for student in scores["stock"] if scores["stock"][student] == scores["ours"].get(student)]
    print(f"same scores in every cell as stock: {len(same)} of {len(scores['stock'])}")


def floor(workers: int) -> None:
    """Fork, run every cell with the source's checks in place, leave."""
    from autograder.grade import programme
    from autograder.grade.jail import shell as shells
    from autograder.grade.jail import warm

    plan = programme.read(Path("source", NAME, f"{NAME}.ipynb"))
    shell, running = shells.make(), 0
    warm.load(list(plan.preload))
    warm.prepare(shell)
    for path in sorted(Path("submitted").glob(f"*/{NAME}/{NAME}.ipynb")):
        if running == workers:
            os.wait()
            running -= 1
        running += 1
        if not os.fork():
            try:
                runner = shells.Runner(shell, 1_000_000)
                for cell in notebooks.read(path).cells:
                    step = plan.step(cell.metadata.get("nbgrader", {}).get("grade_id"))
                    if cell.cell_type == "code" and not (step and step.reader_only):
                        runner.run(step.code if step and step.code else cell.source)
            finally:
                os._exit(0)
    while running:
        os.wait()
        running -= 1


if __name__ == "__main__":
    main()
