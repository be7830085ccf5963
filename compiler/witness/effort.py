"""How much a search for witnesses may do: steps are counted, and no clock is asked, so it ends alike on every machine."""

from __future__ import annotations

from math import inf
from typing import Final

from hornbook.compiler.checker.context import RejectedError

MAX_EFFORT: Final = 500_000
"""Statements, terms and numbers looked at for one certificate: some second of a search that finds nothing."""


class TooMuchEffortError(RejectedError):
    """A search for witnesses was given up."""


class Effort:
    """What is left of the work that one certificate may take."""

    def __init__(self, *, bounded: bool = True) -> None:
        self.most: float = MAX_EFFORT if bounded else inf
        self.left = self.most

    def allow(self, most: int) -> None:
        """Gives so much in all, instead of what one certificate may take."""
        self.left += most - self.most
        self.most = most

    def spend(self, amount: int = 1) -> None:
        """Raises TooMuchEffortError where nothing is left; and so does every later use."""
        self.left -= amount
        if self.left < 0:
            raise TooMuchEffortError(
                f"what proves the rule was not found within {self.most:,} steps of search"
            )
