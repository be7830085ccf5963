"""Runs: each peer in a process of its own, compared before it is timed, given up when it takes too long."""

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
"""Seconds of processor time after which a peer is given up."""


class DisagreementError(Exception):
    """Two peers that found different things; nothing of such a workload is timed."""


@dataclass(slots=True)
class Record:
    """What came out for one peer, workload and size: medians, or the reason why there is nothing."""

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
    """One run that is over; `done` of `total` are, and `record` is there when it was the peer's last."""

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
    """Runs all, and says after each run where it stands. Raises DisagreementError."""
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
    """The outcome of a run, or why there is none; who took too long for a smaller size is not asked again."""
    if not suited(PEERS[task.peer], workload, task.size):
        return "not for this workload or size"
    if (task.peer, task.workload) in given_up:
        return f"{OVER_TIME} at a smaller size"
    outcome = run(task, limit)
    if outcome == OVER_TIME:
        given_up.add((task.peer, task.workload))
    return outcome


def run(task: Task, limit: int = LIMIT) -> Outcome | str:
    """The outcome of one run, or why there is none."""
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
                # With what it has started, which would go on alone.
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
    """What a process prints. Raises _TooLong when it and what it started have used so much processor time.

    It is looked at from outside: a process under RLIMIT_CPU reads its own clock in steps of milliseconds.
    """
    while True:
        try:
            return process.communicate(timeout=0.5)
        except subprocess.TimeoutExpired:
            if _spent(process.pid) > limit:
                raise _TooLong from None


def _spent(group: int) -> float:
    """Processor seconds that the living processes of a group have used."""
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
    """Raises DisagreementError unless all that two peers both say is equal."""
    for i, (peer, result) in enumerate(found):
        for other, theirs in found[i + 1 :]:
            for key in result.keys() & theirs.keys():
                one, two = _common(result[key], theirs[key])
                if one != two:
                    raise DisagreementError(f"{what}: {key}: {peer} {one}, {other} {two}")


def _common(one: Any, other: Any) -> tuple[Any, Any]:
    """What two values have in common to be compared: of totals after updates, those that both have."""
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
