"""The interface of a game's machine, which translates its numbers to terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from hornbook.planner import _core
from hornbook.planner.gdl.game import State
from hornbook.planner.gdl.ground import Ground

Words = Sequence[int]
"""A state in the form of a machine. Equal states have equal words, and different states different ones."""


class GameMachine(Protocol):
    """A compiled machine, and the terms of its numbers. Roles have the numbers of their places in `roles`."""

    @property
    def roles(self) -> tuple[str, ...]: ...

    @property
    def core(self) -> _core.Machine:
        """The core of the machine, which planners use."""

    def most(self, role: int) -> int:
        """Return an upper bound on the value of any state for a role."""

    def words(self, state: State) -> list[int]:
        """Return a state's words. Raises ValueError if it contains a term that this game never makes true."""

    def state(self, words: Words) -> State:
        """Return the state of the given words."""

    def number(self, role: int, move: Ground) -> int | None:
        """Return a move's number, or None if the role never has the move."""

    def move(self, role: int, number: int) -> Ground:
        """Return the move with a number."""
