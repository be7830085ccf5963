"""The result of a sequential planner: a plan, and the properties that are proved of it.

A plan is a sequence of moves that is *legal*, *complete* (it ends in a terminal state) and *minimal* (no
earlier state is terminal). It is *optimal* if no plan has more reward; a longer one may have the same.

Source: Genesereth and Thielscher, General Game Playing, 11.2.
"""

from __future__ import annotations

from typing import Literal

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.ground import Ground

Stopped = Literal["seconds", "states", "memory", "interrupted"]
"""The reason why a search ended before its plan was proved optimal: a limit, or an interrupt by the user."""


@dataclass(frozen=True, slots=True)
class SequentialPlan:
    """Moves from the first state. `value` is the goal value of their last state."""

    moves: tuple[Ground, ...]
    value: int


@dataclass(frozen=True, slots=True)
class Planned:
    """The best plan found, and the properties that are proved of it.

    Every plan's value is at most `most`; `most` is None if no plan exists at all. So the value of an optimal
    plan is between `plan.value` and `most`.
    """

    plan: SequentialPlan | None
    most: int | None
    shortest: bool
    """Whether it is proved that no plan with fewer moves has this plan's value."""
    stopped: Stopped | None
    """The reason why the search ended, if more could have been proved."""
    states: int
    """The number of states visited."""
    boards: int
    """The number of states stored, without clocks and irrelevant fluents."""
    depth: int
    """The number of moves for which the search is complete: all states reached by fewer moves were visited.
    """
    phases: int
    """The number of phases of the clock; 1 if the sheet has no clock."""
    seconds: float

    @property
    def optimal(self) -> bool:
        """Return whether it is proved that no plan has more reward, or that there is no plan."""
        return self.most == (None if self.plan is None else self.plan.value)
