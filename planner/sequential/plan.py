"""What a sequential planner finds: a plan, and how much of what it would like to say is proved.

A plan is a sequence of moves that is *legal*, *complete* (it ends in a terminal state) and *minimal* (no state before is
terminal). It is *optimal* if no plan has more reward; a longer one may well have the same (Genesereth and Thielscher,
General Game Playing, 11.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hornbook.planner.gdl.ground import Ground

Stopped = Literal["seconds", "states", "memory", "interrupted"]
"""Why a search ended before it had proved its plan: a limit, or whoever waited."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one search; None means no bound. `memory` is in bytes."""

    seconds: float | None = None
    states: int | None = None
    memory: int = 2 * 2**30


UNLIMITED = Limits()
"""No bounds but that of memory."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Moves from the first state on. `value` is what the state is worth in which they end."""

    moves: tuple[Ground, ...]
    value: int


@dataclass(frozen=True, slots=True)
class Planned:
    """The best plan that was found, and what is proved of it.

    Every plan's value is at most `most`; `most` is None where no plan exists at all. So the value of an optimal plan lies
    between `plan.value` and `most`.
    """

    plan: Plan | None
    most: int | None
    shortest: bool
    """It is proved that no plan with fewer moves has this plan's value."""
    stopped: Stopped | None
    """Why the search ended, where more could have been proved."""
    states: int
    """States looked at."""
    boards: int
    """States that were kept, without clocks and without what nothing asks for."""
    depth: int
    """All states were looked at that fewer moves reach."""
    phases: int
    """How many phases the clock has; 1 where the sheet has no clock."""
    seconds: float

    @property
    def optimal(self) -> bool:
        """Whether it is proved that no plan has more reward, or that there is no plan."""
        return self.most == (None if self.plan is None else self.plan.value)
