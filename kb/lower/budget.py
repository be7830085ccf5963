"""The budget of a search: seconds, memory and steps. The first step beyond a bound ends the search.

A `Limits` object is frozen and bounds each call of an engine. A `Budget` also counts what is spent, and
bounds a search of many calls; `Budget.limits` gives the bounds of each call.

Invariants: A search that ends at a bound raises SpentError. No search mistakes a result that was not found
for one that does not exist.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hornbook.kb.text.counts import counted
from hornbook.matcher.program.coded import MOST_FACTS, Limits
from hornbook.matcher.program.errors import FactLimitError, LimitError, MemoryLimitError, TimeLimitError
from hornbook.matcher.program.hornbook_error import HornbookError

_PAGES = "/proc/self/statm"
_MEGABYTE = 2**20
_BOUNDS: dict[type[LimitError], str] = {TimeLimitError: "seconds", FactLimitError: "facts"}


class SpentError(HornbookError):
    """A search ended at a bound. The message names the bound: `seconds`, `megabytes`, `facts`, or another."""

    def __init__(self, message: str, bound: str | None = None) -> None:
        self.bound = bound
        super().__init__(message)


class Budget:
    """The bounds of one search, or of several in sequence: each begins with `renew`. None means no bound.

    - `megabytes`: The maximum growth of the process. If the system does not report memory, the bound applies
      to each engine separately, as `facts` does.
    - `steps`: The maximum number of steps of the search, such as positions or proofs. It may be changed; the
      steps in `spent` still count.
    - `error`: Returns the exception for more steps than a number.
    """

    def __init__(
        self,
        *,
        seconds: float | None = None,
        megabytes: int | None = None,
        steps: int | None = None,
        facts: int | None = MOST_FACTS,
        error: Callable[[int], Exception] | None = None,
    ) -> None:
        self.seconds, self.megabytes, self.steps, self.facts = seconds, megabytes, steps, facts
        self._error = error or _too_many_steps
        self.renew()

    @classmethod
    def of(cls, limits: Limits | None) -> Budget:
        """Return the budget with some limits. A node is a step of the search."""
        known = limits or Limits()
        megabytes = None if known.bytes is None else known.bytes // _MEGABYTE
        return cls(seconds=known.seconds, megabytes=megabytes, steps=known.nodes, facts=known.facts)

    @property
    def limits(self) -> Limits:
        """The same bounds for each call of an engine."""
        size = None if self.megabytes is None else self.megabytes * _MEGABYTE
        return Limits(facts=self.facts, seconds=self.seconds, bytes=size)

    def renew(self) -> None:
        """Start again with nothing spent."""
        self._start = time.monotonic()
        self._initial_memory = resident() if self.megabytes is not None else 0
        self.spent = 0

    def resume(self, seconds: float) -> None:
        """Count the time from now on, after the search has already taken some seconds."""
        self._start = time.monotonic() - seconds

    @property
    def seconds_left(self) -> float | None:
        """The seconds that are left, at least 0; None means no bound."""
        return None if self.seconds is None else max(0.0, self._start + self.seconds - time.monotonic())

    def spend(self, amount: int = 1) -> None:
        """Count steps. Raise SpentError, or the budget's own error, if a bound is exceeded."""
        self.spent += amount
        if self.steps is not None and self.spent > self.steps:
            raise self._error(self.steps)
        if self.seconds is not None and time.monotonic() - self._start > self.seconds:
            raise SpentError(f"more than {counted(self.seconds, 'second')}", "seconds")
        if self.megabytes is not None and resident() - self._initial_memory > self.megabytes * _MEGABYTE:
            raise SpentError(f"more than {self.megabytes:,} MB of memory", "megabytes")

    @contextmanager
    def bounding(self) -> Iterator[None]:
        """Convert limit errors of engines in the block to SpentError."""
        try:
            yield
        except HornbookError as problem:
            passed = problem if isinstance(problem, LimitError) else problem.__cause__
            if isinstance(passed, MemoryLimitError):
                raise SpentError(f"more than {self.megabytes:,} MB of memory", "megabytes") from problem
            if isinstance(passed, LimitError):
                raise SpentError(str(passed), _BOUNDS.get(type(passed))) from problem
            raise


def _too_many_steps(steps: int) -> SpentError:
    return SpentError(f"more than {counted(steps, 'step')}")


def resident() -> int:
    """Return the resident memory of the process in bytes, or 0 if the system does not report it."""
    # Every step of a search asks, and a file object would cost several times as much.
    try:
        file = os.open(_PAGES, os.O_RDONLY)
    except OSError:
        return 0
    try:
        pages = int(os.read(file, 200).split()[1])
    finally:
        os.close(file)
    import resource  # noqa: PLC0415 - there is none on every system

    return pages * resource.getpagesize()
