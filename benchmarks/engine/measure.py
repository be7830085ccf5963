"""Tasks and outcomes of runs: seconds of the process, results, and bytes.

Seconds are processor time of the whole process, so a second thread is counted too. Checks that make runs
comparable (counts, checksums) are not timed.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.engine.program_text import Row

OVER_TIME = "past the time limit"
_MULTIPLIER, _MODULUS = 1_000_003, 1_000_000_007


class UnsuitedError(Exception):
    """Error for a peer that is not installed, or cannot run this workload; the message says which."""


@dataclass(frozen=True, slots=True)
class Task:
    """One run: a workload of a size and seed, written to `program` for peers that read it from there."""

    peer: str
    workload: str
    size: int
    seed: int
    program: Path
    build: Path
    """Folder of compiled peers for later runs."""


@dataclass(slots=True)
class Outcome:
    """Measured seconds of a run by measure, and its results, which are compared with those of other peers."""

    seconds: dict[str, float]
    result: dict[str, Any]
    bytes: int | None = None
    version: str = ""
    notes: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> str:
        return json.dumps(asdict(self))


def why_it_ended(done: subprocess.CompletedProcess[str]) -> str:
    """Return the reason why a process of a peer has no result."""
    output = done.stderr.strip() or done.stdout.strip()
    return f"{Path(str(done.args[0])).name} ended with {done.returncode}: {output[-300:]}"


class Stopwatch:
    """Processor seconds of this process since the creation of the stopwatch."""

    def __init__(self) -> None:
        self._start = process_time()

    def seconds(self) -> float:
        return process_time() - self._start


def resident() -> int:
    """Return the bytes of resident memory of this process, after releasing free memory."""
    gc.collect()
    with suppress(AttributeError):  # a C library that is not glibc
        ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def checksum(rows: Iterable[Row]) -> int:
    """Return a sum over rows that is independent of their order."""
    total = 0
    for row in rows:
        value = 0
        for cell in row:
            value = (value * _MULTIPLIER + cell) % _MODULUS
        total += value
    return total


def checksum_of_columns(columns: Any) -> int:
    """Return the same for columns, which are NumPy arrays of 64-bit integers."""
    value = columns[0] % _MODULUS
    for column in columns[1:]:
        value = (value * _MULTIPLIER + column) % _MODULUS
    return int(value.sum())


def checksum_in_sql(columns: Iterable[str]) -> str:
    """Return the same as an expression over the columns of a table."""
    first, *others = columns
    value = first
    for column in others:
        value = f"(({value}) * {_MULTIPLIER} + {column}) % {_MODULUS}"
    return f"sum({value})"


def median(values: Iterable[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2]
