"""A strategy: the moves of one role in every state that can arise until the game is over.

It is an acyclic graph. A node has a state and the role's move, with a reply for each joint move of the
others. A state that arises in several ways is one node. A plan for one role is a strategy with one empty
reply for each node.

Invariants of every strategy that is reported as such:

- no move is missing: each node that does not end the game has the role's move, and all replies to it;
- the `value` of a node is guaranteed: it is at most the value of each successor, and at most the role's goal
  if the
  game is over;
- the `rank` of a node is an upper bound on the number of moves until the end: it decreases with each move.

`check.py` checks all of it.
"""

from __future__ import annotations

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.game import State
from hornbook.planner.gdl.ground import Ground


@dataclass(frozen=True, slots=True)
class JointReply:
    """The moves of the others, in the order of the sheet, and the number of the successor node."""

    moves: tuple[Ground, ...]
    to: int


@dataclass(frozen=True, slots=True)
class StrategyNode:
    """A state. If the game is over, `move` is None and there are no replies."""

    state: State
    value: int
    """The guaranteed goal of the role, from 0 to 100."""
    rank: int
    """The maximal number of moves until the game is over."""
    move: Ground | None = None
    replies: tuple[JointReply, ...] = ()


@dataclass(frozen=True, slots=True)
class RoleStrategy:
    """The strategy of a role; it begins at the first node. A node's number is its index."""

    roles: tuple[str, ...]
    """All roles, in the order of the sheet."""
    role: str
    nodes: tuple[StrategyNode, ...]

    @property
    def value(self) -> int:
        """Return the value that the role is guaranteed."""
        return self.nodes[0].value

    @property
    def others(self) -> tuple[str, ...]:
        """Return the other roles, in the order of the sheet."""
        return tuple(role for role in self.roles if role != self.role)
