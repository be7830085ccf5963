"""A refutation: a strategy of all others that keeps a role at a maximal value, whatever it does.

The others play together against the role and know its move, as in a strategy (strategy.py). A node has a
state, and for each legal move of the role a reply of the others and the successor node.

Invariants of every refutation that is reported as such:

- no move of the role is missing, and each reply is legal;
- if the game is over, the role's goal is at most `most`, or it has no goal or several, which count as 0.

There are no ranks: the replies may form cycles. Every play of the role against them stays among the nodes. So
it either ends in a terminal node, with at most `most`, or never ends, which counts as 0. `check.py` checks
all of it.
"""

from __future__ import annotations

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.game import State
from hornbook.planner.gdl.ground import Ground


@dataclass(frozen=True, slots=True)
class RefutationAnswer:
    """A move of the role, the replies of the others, and the number of the successor node.

    The replies are in the order of the sheet.
    """

    move: Ground
    replies: tuple[Ground, ...]
    to: int


@dataclass(frozen=True, slots=True)
class RefutationNode:
    """A state that keeps the role at `most`.

    If the game is over, or a role has no move, there are no answers.
    """

    state: State
    answers: tuple[RefutationAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class Refutation:
    """The others' strategy against a role; it begins at the first node. A node's number is its index."""

    roles: tuple[str, ...]
    """All roles, in the order of the sheet."""
    role: str
    most: int
    """The upper bound on the role's value."""
    nodes: tuple[RefutationNode, ...]

    @property
    def others(self) -> tuple[str, ...]:
        """Return the other roles, in the order of the sheet."""
        return tuple(role for role in self.roles if role != self.role)
