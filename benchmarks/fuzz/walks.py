"""Comparison of the compiled engine with the plain one on random steps, or its memory over time.

After each step both must have the same facts. At the first difference the walk is shortened as far as
possible and printed as a program that reproduces it. The exit code is then 1, as after a crash or a hang of
the compiled engine. With `--pops` there is one compiled engine instead, which is pushed, updated and popped;
its memory must not grow.

Usage:

    python benchmarks/fuzz/walks.py [--steps 1000000] [--seed 1] [--jobs 1] [--families plain,recursive]
                                     [--output benchmarks/results/engine_walk.txt]
    python benchmarks/fuzz/walks.py --pops 1000000
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib.metadata import version
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import study
from oracles.engine.faults import FaultlessEngine
from oracles.engine.resident_memory import growth, measured
from oracles.engine.side_by_side import EngineDifference
from oracles.walks.random_walks import FAMILIES, wander
from oracles.walks.walk_events import Tally
from oracles.walks.walk_reports import report, report_from_children

PART = 10
"""Number of programs that one process walks before it reports."""
PATIENCE = 300.0
"""Limit of seconds for a part of the walk, which only a hanging compiled engine exceeds."""
FLAT = 2**20
"""Limit in bytes of memory growth: less than a leak of one byte in each of a million rounds."""

Job = tuple[str, int]
"""Family, and the seed of the first of some programs."""


def part(job: Job) -> tuple[Tally, str | None]:
    """Return the tally of the walks of one part, and the description of a difference."""
    family, seed = job
    tally = Tally()
    for each in range(seed, seed + PART):
        try:
            wander(each, family, tally)
        except EngineDifference as difference:
            return tally, f"{family} {each}: {report(difference)}"
    return tally, None


def crash(jobs: list[Job]) -> str:
    """Return the walk that ended its process, found in separate processes."""
    for family, seed in jobs:
        for each in range(seed, seed + PART):
            found = report_from_children(wander(each, family, Tally(), FaultlessEngine))
            if found:
                return f"{family} {each}: {found}"
    return f"a process came to no end, but none that walks alone; on their way were: {jobs}"


def walk(steps: int, seed: int, jobs: int, families: list[str], show: Progress) -> tuple[Tally, str | None]:
    """Walk until there are enough steps, or until the engines differ."""
    task = show.add_task("steps", total=steps)
    total = Tally()
    numbers = (
        (family, seed * 10_000_000 + first) for first in range(0, 10_000_000, PART) for family in families
    )
    on_their_way: dict[Future[tuple[Tally, str | None]], Job] = {}
    pool = ProcessPoolExecutor(jobs)
    try:
        while total["steps"] < steps:
            while len(on_their_way) < 2 * jobs:
                job = next(numbers)
                on_their_way[pool.submit(part, job)] = job
            done, _ = wait(on_their_way, PATIENCE, FIRST_COMPLETED)
            if not done:
                return total, crash(list(on_their_way.values()))
            for future in done:
                tally, difference = future.result()
                del on_their_way[future]
                total.update(tally)
                if difference:
                    return total, difference
            show.update(task, completed=total["steps"])
    except BrokenProcessPool:
        return total, crash(list(on_their_way.values()))
    finally:
        for process in [*(pool._processes or {}).values()]:  # noqa: SLF001 - hanging processes are ended
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)
    return total, None


def versions() -> Iterator[str]:
    yield f"Python {platform.python_version()}"
    for name in ("hornbook", "numpy"):
        yield f"{name} {version(name)}"
    yield f"{platform.system()} {platform.machine()}"


def walk_report(arguments: argparse.Namespace, show: Progress) -> tuple[str, bool]:
    families = arguments.families.split(",")
    began = time.monotonic()
    total, difference = walk(arguments.steps, arguments.seed, arguments.jobs, families, show)
    seconds = time.monotonic() - began
    met = "\n".join(f"{number:12,} {event}" for event, number in sorted(total.items()))
    chosen = "" if families == list(FAMILIES) else f" --families {arguments.families}"
    text = (
        f"command: python benchmarks/fuzz/walks.py --steps {arguments.steps} --seed "
        f"{arguments.seed}{chosen}\n"
        f"{', '.join(versions())}; {seconds:.0f} seconds with {arguments.jobs} processes\n\n"
        f"{total['steps']:,} steps, {total['programs']:,} programs, {total['refused']:,} steps refused by "
        "both,"
        f" {1 if difference else 0} differences\n\nmet on the way:\n{met}\n"
    )
    return (f"{text}\n{difference}\n" if difference else text), difference is not None


def pops_report(pops: int, show: Progress) -> tuple[str, bool]:
    rounds = pops // 2
    task = show.add_task("pops", total=pops)
    began = time.monotonic()
    measures = measured(rounds, tell=lambda done: show.update(task, completed=2 * done))
    seconds = time.monotonic() - began
    grown = growth(measures)
    text = (
        f"command: python benchmarks/fuzz/walks.py --pops {pops}\n"
        f"{', '.join(versions())}; {seconds:.0f} seconds\n\n"
        f"resident memory after each tenth: {', '.join(f'{each / 2**20:.2f}' for each in measures)} MiB\n"
        f"grown after the first fifth: {grown:,} bytes, which is {'too much' if grown >= FLAT else 'flat'}\n"
    )
    return text, grown >= FLAT


def main() -> int:
    parser = study.options(__doc__, steps=1_000_000, seed=1, jobs=1)
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--pops", type=int, help="push, update and pop instead, and measure the memory")
    arguments = parser.parse_args()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns) as show:
        text, failed = pops_report(arguments.pops, show) if arguments.pops else walk_report(arguments, show)
    print(text, end="")
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
