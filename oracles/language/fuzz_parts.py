"""A long run of numbered inputs, in parts.

The output file has the results of the finished parts.

A run that was stopped or that crashed continues after its last whole part. `FuzzOutcome` is the content of
the file.
"""

from __future__ import annotations

import json
import platform
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

_PROGRESS = "progress: "


@dataclass
class FuzzOutcome:
    """The result of a run: inputs from the first seed to the next one, events, and errors."""

    first: int
    next: int
    seconds: float = 0.0
    tally: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def text(self, command: str, more_lines: Sequence[str] = ()) -> str:
        met = "\n".join(f"{number:12,} {event}" for event, number in sorted(self.tally.items()))
        lines = [
            f"command: {command}",
            f"{', '.join(versions())}; {self.seconds:.0f} seconds",
            *more_lines,
            "",
            (
                f"{self.tally['inputs']:,} inputs (seeds {self.first} to {self.next - 1}), {len(self.wrong)} "
                "wrong"
            ),
            *self.wrong,
            "",
            "met on the way:",
            met,
            "",
            _PROGRESS + json.dumps([self.first, self.next, self.seconds, self.tally, self.wrong]),
        ]
        return "\n".join(lines) + "\n"


def versions() -> list[str]:
    return [
        f"hornbook {version('hornbook')}", f"Python {platform.python_version()}",
        f"{platform.system()} {platform.machine()}",
    ]  # fmt: skip


def read_outcome(path: Path | None, first: int) -> FuzzOutcome:
    """Return the stored result of a run, or an empty one."""
    if path is not None and path.exists():
        line = path.read_text(encoding="utf-8").splitlines()[-1]
        start, following, seconds, tally, wrong = json.loads(line.removeprefix(_PROGRESS))
        return FuzzOutcome(start, following, seconds, Counter(tally), wrong)
    return FuzzOutcome(first, first)


def run_parts(
    outcome: FuzzOutcome,
    inputs: int,
    one: Callable[[int], Counter[str]],
    save: Callable[[FuzzOutcome], object],
    *,
    seconds: float,
    size: int = 50,
) -> None:
    """Continue until `inputs` inputs are done or the time is over; `save` is called after each part."""
    end = time.monotonic() + seconds
    while outcome.tally["inputs"] < inputs and time.monotonic() < end:
        began = time.monotonic()
        for seed in range(outcome.next, outcome.next + size):
            try:
                outcome.tally.update(one(seed))
            except Exception:  # noqa: BLE001 - whatever it is, it is told
                outcome.tally["inputs"] += 1
                outcome.wrong.append(f"seed {seed}: {traceback.format_exc(limit=-4)}")
        outcome.next += size
        outcome.seconds += time.monotonic() - began
        save(outcome)
