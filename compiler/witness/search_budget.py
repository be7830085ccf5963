"""The search budget for witnesses.

It counts steps instead of time, so the search ends alike on every machine.
"""

from __future__ import annotations

from math import inf
from typing import Final

from hornbook.compiler.checker.context import RejectedError

MAX_SEARCH: Final = 500_000
"""The budget for one certificate in statements, terms and numbers.

An unsuccessful search takes about one second.
"""


class SearchBudgetError(RejectedError):
    """The search for witnesses exceeded its budget."""


class SearchBudget:
    """The remaining search budget of one certificate."""

    def __init__(self, *, bounded: bool = True) -> None:
        self.most: float = MAX_SEARCH if bounded else inf
        self.left = self.most

    def allow(self, most: int) -> None:
        """Set the total budget to `most`; the amount spent so far still counts."""
        self.left += most - self.most
        self.most = most

    def spend(self, amount: int = 1) -> None:
        """Spend part of the budget. Raise SearchBudgetError if it is exhausted, also at every later call."""
        self.left -= amount
        if self.left < 0:
            raise SearchBudgetError(f"no proof was found within {self.most:,} steps of search")
