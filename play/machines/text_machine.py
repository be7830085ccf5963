"""The interface of machines whose states and moves have texts: games of one or two roles that take turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from hornbook.planner import _core

Words = Sequence[int]
"""A state in the form of a machine."""
Legal = Sequence[Sequence[int]]
"""The legal moves of each role; one role at most has several."""


class TextMachine(Protocol):
    """A machine of the planner with the texts of its states and moves."""

    @property
    def core(self) -> _core.Machine: ...

    @property
    def players(self) -> Sequence[int]:
        """Return the roles; the one that begins is the first."""

    @property
    def point(self) -> int:
        """Return the difference of goal values that counts 1 in an outcome."""

    def words(self, text: str) -> Words:
        """Return the state of a text. Raises ValueError."""

    def text(self, words: Words) -> str:
        """Return the text of a state."""

    def move_text(self, role: int, move: int) -> str:
        """Return the text of a move, without spaces. Different moves of a role have different texts."""

    def mover(self, words: Words, legal: Legal) -> int:
        """Return the role to move in a state with these legal moves."""

    @property
    def has_estimates(self) -> bool:
        """Return whether the machine estimates states that are not over."""

    def estimate(self, words: Words, role: int) -> int | None:
        """Return the estimated lead of a role in thousandths of a win, or None if the goals of the state are
        the estimate.
        """
