"""What one call may use: seconds, facts and bytes, with a named error when a bound is passed.

Bytes are an estimate and no measurement, so that the same program passes the same bound on every machine:
a fact costs FACT_BYTES and CELL_BYTES for each of its cells, a derivation costs DERIVATION_BYTES and
CELL_BYTES for each variable of its rule and each of its premises, the answer to a query costs as much as a
fact. States that marks keep are not counted.
"""

from __future__ import annotations

from math import inf
from time import perf_counter

from hornbook.matcher.program.coded import Derivation, Limits
from hornbook.matcher.program.errors import FactLimitError, MemoryLimitError, TimeLimitError

FACT_BYTES = 200
DERIVATION_BYTES = 200
CELL_BYTES = 8


class Bounds:
    """The use of one call, counted from its beginning."""

    def __init__(self, limits: Limits, *, used_bytes: int = 0) -> None:
        self.facts = 0
        self.bytes = used_bytes
        self._limits = limits
        self._most_facts = inf if limits.facts is None else limits.facts
        self._most_bytes = inf if limits.bytes is None else limits.bytes
        self._deadline = inf if limits.seconds is None else perf_counter() + limits.seconds

    def check_time(self) -> None:
        """Raise TimeLimitError when the time is over."""
        if perf_counter() > self._deadline:
            assert self._limits.seconds is not None
            raise TimeLimitError(self._limits.seconds)

    def count_facts(self, number: int, arity: int) -> None:
        """Some more facts of one width; raises FactLimitError or MemoryLimitError when they are too many."""
        self.facts += number
        if self.facts > self._most_facts:
            assert self._limits.facts is not None
            raise FactLimitError(self._limits.facts)
        self._count_bytes(number * (FACT_BYTES + CELL_BYTES * arity))

    def count_derivation(self, derivation: Derivation) -> None:
        """One more recorded derivation; raises MemoryLimitError when they are too many."""
        width = len(derivation.binding) + len(derivation.premises)
        self._count_bytes(DERIVATION_BYTES + CELL_BYTES * width)

    def count_answer(self, width: int) -> None:
        """One more answer to a query; raises MemoryLimitError when they are too many."""
        self._count_bytes(FACT_BYTES + CELL_BYTES * width)

    def _count_bytes(self, number: int) -> None:
        self.bytes += number
        if self.bytes > self._most_bytes:
            assert self._limits.bytes is not None
            raise MemoryLimitError(self._limits.bytes)
