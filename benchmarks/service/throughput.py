"""Matches per second: positions of small boards, sent by wrk over many connections.

Each connection sends the next request after the previous answer. The tool wrk does not inspect answers: a
status of 400 or more, a broken connection and a time-out are errors, and only other answers count for the
rate. The mixed load checks the contents of answers.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.service.positions import positions
from benchmarks.service.running import Running, running

SIDES = (5, 7, 9)
"""Board sizes."""
BOARDS = 300
"""Number of positions of each size."""
WARM = 3
"""Seconds of load before the measurement."""
_SCRIPT = Path(__file__).with_name("requests.lua")


@dataclass(frozen=True, slots=True)
class LoadResult:
    """Results of wrk: right answers per second, milliseconds, errors, and its processor seconds."""

    requests: int
    errors: int
    rate: float
    p50: float
    p99: float
    most: float
    processor: float


def throughput(rules: Path, folder: Path, given: object, wrong: list[str]) -> Iterator[str]:
    """Yield the measurements for each board size, and add errors to `wrong`."""
    file = folder / "matches.tsv"
    for side in SIDES:
        boards = positions(side, BOARDS, random.Random(given.seed))
        file.write_text(
            "".join(f"/match\t{json.dumps({'state': board})}\n" for board in boards), encoding="utf-8"
        )
        with running("capture", "--rules", str(rules), "--workers", str(given.workers)) as run:
            wrk(run.address, WARM, given.connections, file)
            before = run.seconds()
            found = wrk(run.address, given.seconds, given.connections, file)
            server, answering = _spent(run, before, found.requests)
        load = os.getloadavg()[0]
        yield (
            f"  side {side}: {found.rate:.0f} a second, p50 {found.p50:.1f} ms, p99 {found.p99:.1f} ms, "
            f"most {found.most:.0f} ms;"
            f" {found.requests} requests, {found.errors} errors; processor time a request: server "
            f"{server:.3f} ms, answering"
            f" {answering:.3f} ms, wrk {1e3 * found.processor / max(1, found.requests):.3f} ms; load of the "
            f"machine {load:.1f}"
        )
        if found.errors or not found.requests:
            wrong.append(f"matches on side {side}: {found.errors} errors of {found.requests} requests")


def _spent(run: Running, before: dict[int, float], requests: int) -> tuple[float, float]:
    """Return the processor milliseconds per request: of the server, and of the processes that answer."""
    spent = {pid: seconds - before.get(pid, 0.0) for pid, seconds in run.seconds().items()}
    server = spent.pop(run.process.pid)
    return 1e3 * server / max(1, requests), 1e3 * sum(spent.values()) / max(1, requests)


def wrk(address: str, seconds: int, connections: int, file: Path) -> LoadResult:
    """Send the requests of a file repeatedly for some seconds."""
    command = [
        "wrk",
        "-t1",
        f"-c{connections}",
        f"-d{seconds}s",
        "-s",
        str(_SCRIPT),
        address,
        "--",
        str(file),
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return LoadResult(**json.loads(output.splitlines()[-1]), processor=processor)
