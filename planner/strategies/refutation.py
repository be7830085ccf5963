"""A refutation: how the others keep a role to so much at most, whatever it does.

They play against the role together and know its move, as a strategy has it (strategy.py). A node has a state, and for each legal
move of the role a reply of the others and the node that follows. What holds of every refutation that is announced as one:

- no move of the role is missing, and each reply is legal;
- where the game is over, the role's goal is `most` at most, or it has no goal or several, which count as nothing.

There are no ranks: the replies may go in circles. Every play of the role against them stays among the nodes; so it either ends
in one that is over, with `most` at most, or never ends, which counts as nothing. `check.py` checks all of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from hornbook.planner.gdl.game import State
from hornbook.planner.gdl.ground import Ground


@dataclass(frozen=True, slots=True)
class Answer:
    """A move of the role, what the others reply, in the order of the sheet, and the number of the node that follows."""

    move: Ground
    replies: tuple[Ground, ...]
    to: int


@dataclass(frozen=True, slots=True)
class Held:
    """A state in which the role is held to `most`. Where the game is over, or somebody has no move, there are no answers."""

    state: State
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Refutation:
    """The others' strategy against a role; it begins at the first node. A node's number is its place."""

    roles: tuple[str, ...]
    """All roles, in the order of the sheet."""
    role: str
    most: int
    """The role reaches no more."""
    nodes: tuple[Held, ...]

    @property
    def others(self) -> tuple[str, ...]:
        """Who replies, in the order of the sheet."""
        return tuple(role for role in self.roles if role != self.role)
