"""Runs of peers: each in its own process, compared before timing, and stopped after a time limit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.engine.child import UNSUITED
from benchmarks.engine.measure import OVER_TIME, Outcome, Task, median
from benchmarks.engine.workloads import PEERS, WORKLOADS, Workload, suited

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 300
"""Limit of processor seconds of a peer."""


class DisagreementError(Exception):
    """Error for two peers with different results. The workload is then not timed."""


@dataclass(slots=True)
class Record:
    """Results for one peer, workload and size: medians, or the reason for a missing value."""

    workload: str
    size: int
    peer: str
    seconds: dict[str, float] = field(default_factory=dict)
    bytes: int | None = None
    result: dict[str, Any] = field(default_factory=dict)
    version: str = ""
    notes: dict[str, Any] = field(default_factory=dict)
    missing: str = ""

    def as_dict(self) -> dict[str, Any]:
        shown = asdict(self)
        shown["result"] = {key: value for key, value in self.result.items() if key != "after"}
        return shown


@dataclass(frozen=True, slots=True)
class Step:
    """Finished run: `done` of `total` are finished; `record` is present after the last run of a peer."""

    label: str
    done: int
    total: int
    record: Record | None


def benchmark(
    workloads: Sequence[str],
    peers: Sequence[str],
    sizes: Sequence[int],
    repeat: int,
    seed: int,
    limit: int = LIMIT,
) -> Iterator[Step]:
    """Run all workloads, and yield the state after each run. Raise DisagreementError."""
    plan = [(WORKLOADS[name], size) for name in workloads for size in sizes or WORKLOADS[name].sizes]
    total = len(plan) * len(peers) * repeat
    done = 0
    given_up: set[tuple[str, str]] = set()
    with TemporaryDirectory(prefix="hornbook-bench-") as build:
        for workload, size in plan:
            with TemporaryDirectory(prefix="hornbook-bench-") as folder:
                program = Path(folder) / "program.txt"
                if workload.make is not None:
                    workload.make(program, size, seed)
                tasks = [Task(peer, workload.name, size, seed, program, Path(build)) for peer in peers]
                first: list[tuple[Task, Outcome]] = []
                for task in tasks:
                    outcome = _first_run(task, workload, limit, given_up)
                    label = f"{workload.name} {size}: {PEERS[task.peer].title}"
                    if isinstance(outcome, Outcome):
                        done += 1
                        first.append((task, outcome))
                        yield Step(label, done, total, None)
                    else:
                        done += repeat
                        yield Step(
                            label, done, total, Record(workload.name, size, task.peer, missing=outcome)
                        )
                compare([(task.peer, outcome.result) for task, outcome in first], f"{workload.name} {size}")
                for task, outcome in first:
                    runs = [outcome]
                    for _ in range(repeat - 1):
                        again = run(task, limit)
                        runs += [again] if isinstance(again, Outcome) else []
                        done += 1
                        yield Step(f"{workload.name} {size}: {PEERS[task.peer].title}", done, total, None)
                    record = _record(task, runs)
                    yield Step(f"{workload.name} {size}: {PEERS[task.peer].title}", done, total, record)


def _first_run(task: Task, workload: Workload, limit: int, given_up: set[tuple[str, str]]) -> Outcome | str:
    """Return the outcome of a run, or the reason why there is none.

    A peer that took too long for a smaller size is not run again.
    """
    if not suited(PEERS[task.peer], workload, task.size):
        return "not for this workload or size"
    if (task.peer, task.workload) in given_up:
        return f"{OVER_TIME} at a smaller size"
    outcome = run(task, limit)
    if outcome == OVER_TIME:
        given_up.add((task.peer, task.workload))
    return outcome


def run(task: Task, limit: int = LIMIT) -> Outcome | str:
    """Return the outcome of one run, or the reason why there is none."""
    values = {**asdict(task), "program": str(task.program), "build": str(task.build)}
    command = [sys.executable, "-m", "benchmarks.engine.child", json.dumps(values)]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), *_python_path()]),
        "PYTHONHASHSEED": "0",
    }
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=task.build,
        env=environment,
        start_new_session=True,
    ) as process:
        try:
            output, errors = _waited(process, limit)
        except _TooLong:
            return OVER_TIME
        finally:
            if process.poll() is None:
                # Including its children, which would otherwise go on.
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode == UNSUITED:
        return errors.strip().splitlines()[-1]
    if process.returncode != 0:
        last = errors.strip().splitlines()[-1:] or [f"ended with {process.returncode}"]
        return f"failed: {last[0]}"
    return Outcome(**json.loads(output.splitlines()[-1]))


class _TooLong(Exception):
    pass


def _waited(process: subprocess.Popen[str], limit: int) -> tuple[str, str]:
    """Return the output of a process. Raise _TooLong if it and its children have used too
    much processor time.

    The time is measured from outside: a process under RLIMIT_CPU reads its own clock in
    steps of milliseconds.
    """
    while True:
        try:
            return process.communicate(timeout=0.5)
        except subprocess.TimeoutExpired:
            if _spent(process.pid) > limit:
                raise _TooLong from None


def _spent(group: int) -> float:
    """Return the processor seconds used by the living processes of a group."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[2]) == group:
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _python_path() -> list[str]:
    return [path for path in [os.environ.get("PYTHONPATH", "")] if path]


def compare(found: Sequence[tuple[str, dict[str, Any]]], what: str) -> None:
    """Raise DisagreementError unless two peers agree on all common results."""
    for i, (peer, result) in enumerate(found):
        for other, theirs in found[i + 1 :]:
            for key in result.keys() & theirs.keys():
                one, two = _common(result[key], theirs[key])
                if one != two:
                    raise DisagreementError(f"{what}: {key}: {peer} {one}, {other} {two}")


def _common(one: Any, other: Any) -> tuple[Any, Any]:
    """Return the comparable parts of two values: the common totals after updates."""
    if not isinstance(one, list | dict):
        return one, other
    totals = [
        {int(k): v for k, v in (each.items() if isinstance(each, dict) else enumerate(each))}
        for each in (one, other)
    ]
    both = sorted(totals[0].keys() & totals[1].keys())
    return [totals[0][k] for k in both], [totals[1][k] for k in both]


def _record(task: Task, runs: Sequence[Outcome]) -> Record:
    seconds = {measure: median(each.seconds[measure] for each in runs) for measure in runs[0].seconds}
    sizes = sorted(each.bytes for each in runs if each.bytes is not None)
    return Record(
        task.workload,
        task.size,
        task.peer,
        seconds,
        sizes[len(sizes) // 2] if sizes else None,
        runs[0].result,
        runs[0].version,
        runs[0].notes,
    )
