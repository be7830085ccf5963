"""A strategy: what one role does in every state that can arise, whatever the others do, until the game is over.

It is a graph without circles. A node has a state and what the role does there, with a reply for each joint move that the
others can make; states that arise in several ways are one node. A plan for one role is a strategy in which each node has
one reply, by nobody. What holds of every strategy that is announced as one:

- no move is missing: each node that does not end the game has the role's move, and all replies to it;
- the `value` of a node is at least guaranteed: it is never more than the value of a node that a reply leads to, and where
  the game is over never more than the role's goal;
- the `rank` of a node is the number of moves until the game is over for certain: it falls with each move.

`check.py` checks all of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from hornbook.planner.gdl.game import State
from hornbook.planner.gdl.ground import Ground


@dataclass(frozen=True, slots=True)
class Reply:
    """What the others do, in the order of the sheet, and the number of the node that follows."""

    moves: tuple[Ground, ...]
    to: int


@dataclass(frozen=True, slots=True)
class Node:
    """A state. Where the game is over, `move` is None and there are no replies."""

    state: State
    value: int
    """The goal that the role reaches at least, from 0 to 100."""
    rank: int
    """After so many moves the game is over, or after fewer."""
    move: Ground | None = None
    replies: tuple[Reply, ...] = ()


@dataclass(frozen=True, slots=True)
class Strategy:
    """The strategy of a role; it begins at the first node. A node's number is its place."""

    roles: tuple[str, ...]
    """All roles, in the order of the sheet."""
    role: str
    nodes: tuple[Node, ...]

    @property
    def value(self) -> int:
        """What the role reaches at least."""
        return self.nodes[0].value

    @property
    def others(self) -> tuple[str, ...]:
        """Who replies, in the order of the sheet."""
        return tuple(role for role in self.roles if role != self.role)
