"""What a run is asked and what it answers: seconds of its process, what it found, and bytes.

Seconds are processor time of the whole process, so a second thread would be counted and not hidden. What makes
runs comparable (counts, checksums) is never inside of what is timed.
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
    """A peer that is not installed, or cannot do this workload; the message says which."""


@dataclass(frozen=True, slots=True)
class Task:
    """One run: a workload of a size, from a seed, written to `program` where peers read it from there."""

    peer: str
    workload: str
    size: int
    seed: int
    program: Path
    build: Path
    """Where compiled peers are kept for the next run."""


@dataclass(slots=True)
class Outcome:
    """What a run measured (seconds by the name of the measure) and found (compared with the other peers)."""

    seconds: dict[str, float]
    result: dict[str, Any]
    bytes: int | None = None
    version: str = ""
    notes: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> str:
        return json.dumps(asdict(self))


def why_it_ended(done: subprocess.CompletedProcess[str]) -> str:
    """Why a process that a peer started has no result."""
    said = done.stderr.strip() or done.stdout.strip()
    return f"{Path(str(done.args[0])).name} ended with {done.returncode}: {said[-300:]}"


class Stopwatch:
    """Processor seconds of this process since it was made."""

    def __init__(self) -> None:
        self._start = process_time()

    def seconds(self) -> float:
        return process_time() - self._start


def resident() -> int:
    """Bytes of memory that this process holds, after what is free has been given back."""
    gc.collect()
    with suppress(AttributeError):  # a C library that is not glibc
        ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def checksum(rows: Iterable[Row]) -> int:
    """A sum over rows that does not depend on their order."""
    total = 0
    for row in rows:
        value = 0
        for cell in row:
            value = (value * _MULTIPLIER + cell) % _MODULUS
        total += value
    return total


def checksum_of_columns(columns: Any) -> int:
    """The same of columns, which are NumPy arrays of 64-bit integers."""
    value = columns[0] % _MODULUS
    for column in columns[1:]:
        value = (value * _MULTIPLIER + column) % _MODULUS
    return int(value.sum())


def checksum_in_sql(columns: Iterable[str]) -> str:
    """The same as an expression over the columns of a table."""
    first, *others = columns
    value = first
    for column in others:
        value = f"(({value}) * {_MULTIPLIER} + {column}) % {_MODULUS}"
    return f"sum({value})"


def median(values: Iterable[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2]
