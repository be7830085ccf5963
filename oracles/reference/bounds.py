"""The limits of one call: seconds, facts and bytes, each with a specific error.

Bytes are estimated, not measured, so that a program exceeds a limit on every machine or on none. A fact costs
FACT_BYTES, and CELL_BYTES for each of its cells. A derivation costs DERIVATION_BYTES, and CELL_BYTES for each
variable of its rule and each of its premises. An answer to a query costs as much as a fact. States stored by
marks are not counted.
"""

from __future__ import annotations

from math import inf
from time import perf_counter

from hornbook.matcher.program.coded import Derivation, Limits
from hornbook.matcher.program.errors import FactLimitError, MemoryLimitError, TimeLimitError

FACT_BYTES = 200
DERIVATION_BYTES = 200
CELL_BYTES = 8


class CallBounds:
    """The resources of one call, counted from its beginning."""

    def __init__(self, limits: Limits, *, used_bytes: int = 0) -> None:
        self.facts = 0
        self.bytes = used_bytes
        self._limits = limits
        self._most_facts = inf if limits.facts is None else limits.facts
        self._most_bytes = inf if limits.bytes is None else limits.bytes
        self._deadline = inf if limits.seconds is None else perf_counter() + limits.seconds

    def check_time(self) -> None:
        """Raise TimeLimitError if the time is over."""
        if perf_counter() > self._deadline:
            assert self._limits.seconds is not None
            raise TimeLimitError(self._limits.seconds)

    def count_facts(self, number: int, arity: int) -> None:
        """Count `number` new facts of one width.

        Raises FactLimitError or MemoryLimitError if there are too many.
        """
        self.facts += number
        if self.facts > self._most_facts:
            assert self._limits.facts is not None
            raise FactLimitError(self._limits.facts)
        self._count_bytes(number * (FACT_BYTES + CELL_BYTES * arity))

    def count_derivation(self, derivation: Derivation) -> None:
        """Count a stored derivation; raise MemoryLimitError if there are too many."""
        width = len(derivation.binding) + len(derivation.premises)
        self._count_bytes(DERIVATION_BYTES + CELL_BYTES * width)

    def count_answer(self, width: int) -> None:
        """Count an answer to a query; raise MemoryLimitError if there are too many."""
        self._count_bytes(FACT_BYTES + CELL_BYTES * width)

    def _count_bytes(self, number: int) -> None:
        self.bytes += number
        if self.bytes > self._most_bytes:
            assert self._limits.bytes is not None
            raise MemoryLimitError(self._limits.bytes)
