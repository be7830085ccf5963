"""The search budget for witnesses.

It counts steps instead of time, so the search ends alike on every machine.
"""

from __future__ import annotations

from typing import Final

from hornbook.compiler.checker.context import RejectedError
from hornbook.kb.lower.budget import Budget

MAX_SEARCH: Final = 500_000
"""The budget for one certificate in statements, terms and numbers.

An unsuccessful search takes about one second.
"""


class SearchBudgetError(RejectedError):
    """The search for witnesses exceeded its budget."""


def search_budget() -> Budget:
    """Return the budget of the search for the witnesses of one certificate."""
    return Budget(steps=MAX_SEARCH, error=_spent)


def _spent(steps: int) -> SearchBudgetError:
    return SearchBudgetError(f"no proof was found within {steps:,} steps of search")
