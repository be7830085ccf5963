"""A state of a game on a machine, in the form of the states of native steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.machines.text_machine import TextMachine, Words

WIN = 1000
"""The evaluation of a win."""
GREATEST = 100
"""The greatest goal value."""


@dataclass(frozen=True, slots=True)
class _Properties:
    """Whether a state is over, and the legal moves and the goal of each role."""

    is_over: bool
    legal: tuple[tuple[int, ...], ...]
    goals: tuple[int, ...]


@dataclass(frozen=True)
class MachineState:
    """A state of a game, as the words of its machine."""

    machine: TextMachine = field(compare=False, repr=False)
    words: Words

    def __str__(self) -> str:
        return self.machine.text(self.words)

    @cached_property
    def _properties(self) -> _Properties:
        core, roles = self.machine.core, range(len(self.machine.players))
        core.look(self.words)
        legal = tuple(tuple(core.legal(role)) for role in roles)
        is_over = core.terminal() or not all(legal)
        return _Properties(is_over, legal, tuple(max(0, core.goal(role)) for role in roles))

    @cached_property
    def mover(self) -> int:
        """The role to move."""
        return self.machine.mover(self.words, self._properties.legal)

    @cached_property
    def legal(self) -> Mapping[str, int]:
        """The legal moves of the role to move by their texts: none if the game is over."""
        if self._properties.is_over:
            return {}
        text, mover = self.machine.move_text, self.mover
        return {text(mover, move): move for move in self._properties.legal[mover]}

    @property
    def goals(self) -> tuple[int, ...]:
        """The goal of each role, 0 if there is none or several."""
        return self._properties.goals

    @property
    def to_move(self) -> int:
        return self.machine.players.index(self.mover)

    @property
    def is_over(self) -> bool:
        return self._properties.is_over

    @property
    def outcome(self) -> int:
        if not self.is_over:
            raise ValueError("the game is not over")
        return self._lead(self.machine.players[0]) // self.machine.point

    def _lead(self, role: int) -> int:
        """Return the goal of a role less that of the other role."""
        return self.goals[role] - sum(goal for other, goal in enumerate(self.goals) if other != role)

    @property
    def evaluation(self) -> int:
        value = WIN // GREATEST * self._lead(self.mover)
        if self.is_over:
            return value
        estimate = self.machine.estimate(self.words, self.mover)
        return max(1 - WIN, min(WIN - 1, value if estimate is None else estimate))

    @property
    def features(self) -> list[int]:
        return []

    @property
    def conditions(self) -> list[int]:
        return [0, len(self.legal), self.evaluation]

    def moves(self) -> list[str]:
        return list(self.legal)

    @cached_property
    def next_states(self) -> Mapping[str, MachineState]:
        """The states after the legal moves."""
        return {move: self.after(move) for move in self.legal}

    def after(self, move: str) -> MachineState:
        if move not in self.legal:
            raise ValueError(f"`{move}` is no legal move")
        core = self.machine.core
        joint = [moves[0] for moves in self._properties.legal]
        joint[self.mover] = self.legal[move]
        core.look(self.words)
        return MachineState(self.machine, tuple(core.next(joint)))

    def perft(self, depth: int) -> int:
        if depth < 0:
            raise ValueError("a line of play has no moves or more")
        return 1 if depth == 0 else sum(each.perft(depth - 1) for each in self.next_states.values())

    @property
    def canonical(self) -> MachineState:
        return self
