"""What a machine of a game tells beside what planners ask of it: which terms its numbers stand for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from hornbook.planner import _core
from hornbook.planner.gdl.game import State
from hornbook.planner.gdl.ground import Ground

Words = Sequence[int]
"""A state as a machine has it: the same for the same state, different for another one."""


class GameMachine(Protocol):
    """A compiled machine, and the terms behind its numbers. Roles are numbered as in `roles`."""

    @property
    def roles(self) -> tuple[str, ...]: ...

    @property
    def core(self) -> _core.Machine:
        """What planners work on."""

    def most(self, role: int) -> int:
        """No state is worth more to a role."""

    def words(self, state: State) -> list[int]:
        """A state's words. Raises ValueError if something is true in it that this game never makes true."""

    def state(self, words: Words) -> State:
        """The state that words stand for."""

    def number(self, role: int, move: Ground) -> int | None:
        """A move's number, or None where the role never has it."""

    def move(self, role: int, number: int) -> Ground:
        """The move that a number stands for."""
