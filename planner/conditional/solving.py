"""What a role can guarantee against all others, and its strategy: a conditional plan (Genesereth and Thielscher, section 11.3).

The role moves first in each step and the others reply to it, all together and as badly for it as they can, `random` among
them: what comes out is the maximin over pure moves. A play that never ends is worth nothing to the role, and neither is an
end in which it has no goal or several.

States are found in breadth as long as the whole game may be small, for the smallest strategy; else where a proof needs them.
Either way all that is announced was concluded by backward induction over the states found (planner/core/conditional/). Where
that is stopped, what was concluded from fewer states stands.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Literal

from hornbook.planner import _core
from hornbook.planner.gdl.game import State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.machines.machine import GameMachine
from hornbook.planner.strategies.refutation import Answer, Held, Refutation
from hornbook.planner.strategies.strategy import Node, Reply, Strategy

SECONDS = 60.0
MEGABYTES = 4000
_SLICE = 0.1
"""Seconds of work between two looks at the clock, and for who waits."""
_SMALL = 5_000_000
"""States of a game that is searched in breadth, as long as a third of the time is not over."""
_SETTLED_BY_THEN = 100_000
"""After so many states in breadth, and each time there are twice as many, it is asked whether they are enough."""
_TO_CONCLUDE = 0.1
"""The last part of the time: what was found is concluded in it, and the strategy made."""
_AFTER_INTERRUPT = 2.0
"""Seconds for that at most, where the search was interrupted."""
Verdict = Literal["found", "none", "open"]


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop."""

    seconds: float = SECONDS
    nodes: int | None = None
    """States that are looked at."""
    megabytes: int = MEGABYTES
    """About what the states found may take."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What is proved. `found`: the strategy guarantees what was asked for, or the most that can be; `none`: there is no such
    strategy; `open`: a limit was reached, and the strategy, if there is one, guarantees the lower bound.
    """

    answer: Verdict
    bounds: tuple[int, int]
    """The role can guarantee the first, and no more than the second."""
    strategy: Strategy | None
    nodes: int
    """States that were looked at."""
    refutation: Refutation | None = None
    """Where it was asked for, and more than the upper bound is thinkable: how the others keep the role to it."""


class Solving:
    """One question: what a role can guarantee from a state, or whether it can guarantee at least so much.

    `run` may be interrupted, and `solution` asked all the same. The time begins when this is made.
    """

    def __init__(
        self, machine: GameMachine, role: str, start: State, at_least: int | None, limits: Limits
    ) -> None:
        self._machine, self._role = machine, machine.roles.index(role)
        self._at_least, self._limits = at_least, limits
        self._thinkable = machine.most(self._role)
        self._solver = _core.Solver(
            machine.core, self._role, machine.words(start), self._thinkable, limits.megabytes * 2**20
        )
        now = monotonic()
        self._end = now + limits.seconds
        self._until = now + limits.seconds * (1 - _TO_CONCLUDE)
        self.bounds = (0, self._thinkable)
        """What is proved so far."""

    @property
    def nodes(self) -> int:
        """States that were looked at so far."""
        return self._solver.expanded

    def run(self, told: Callable[[Solving], None] = lambda _: None) -> None:
        """Works until there is an answer or a limit is reached, and tells how it goes ten times a second."""
        now = monotonic()
        self._solver.stop_after(self._until - now)
        self._in_breadth(now + (self._until - now) / 3, told)
        while not self._answered() and not self._at_limit():
            aim = self._aim()
            while not self._at_limit() and not self._solver.prove(aim, self._slice(self._until), self._most):
                told(self)
            self._settle()

    def interrupt(self) -> None:
        """Leaves a little time alone for what `solution` has to conclude."""
        self._end = min(self._end, monotonic() + _AFTER_INTERRUPT)

    def solution(self, *, refuted: bool = False) -> Solution:
        """What is proved, with the others' strategy where it is to be `refuted` that more is possible.

        Ctrl-C ends what there is to conclude, as the time does.
        """
        self._solver.stop_after(self._end - monotonic())
        with suppress(KeyboardInterrupt):
            self._settle()
        lower, upper = self.bounds
        wanted = max(1, upper if self._at_least is None else self._at_least)
        answer: Verdict = "found" if lower >= wanted else "none" if upper < wanted else "open"
        least = wanted if answer == "found" else lower
        strategy = None
        if least > 0 and answer != "none":
            with suppress(KeyboardInterrupt):
                strategy = self._strategy(self._solver.strategy(least))
            if strategy is None:
                # Proved, and not written down in time.
                answer = "open"
        refutation = None
        if refuted and upper < self._thinkable:
            with suppress(KeyboardInterrupt):
                refutation = self._refutation(self._solver.refutation(upper), upper)
        return Solution(answer, self.bounds, strategy, self.nodes, refutation)

    @property
    def _most(self) -> int:
        return 2**62 if self._limits.nodes is None else self._limits.nodes

    def _slice(self, until: float) -> float:
        return max(0.0, min(_SLICE, until - monotonic()))

    def _at_limit(self) -> bool:
        return self._solver.full or monotonic() >= self._until or self.nodes >= self._most

    def _in_breadth(self, until: float, told: Callable[[Solving], None]) -> None:
        settle_at = _SETTLED_BY_THEN
        most = min(self._most, _SMALL)
        while not self._solver.explore(self._slice(until), most):
            told(self)
            if monotonic() >= until or self.nodes >= most or self._solver.full:
                break
            if self.nodes >= settle_at:
                settle_at *= 2
                self._settle()
                if self._answered():
                    return
        self._settle()

    def _settle(self) -> None:
        lower, upper = self._solver.bounds()
        self.bounds = max(0, lower), max(0, upper)

    def _answered(self) -> bool:
        lower, upper = self.bounds
        return lower == upper or (self._at_least is not None and not lower < self._at_least <= upper)

    def _aim(self) -> int:
        """The goal to prove or disprove next: the lowest one seen that is still open."""
        lower, upper = self.bounds
        if self._at_least is not None:
            return self._at_least
        return next((worth for worth in self._solver.worths() if lower < worth <= upper), lower + 1)

    def _strategy(self, steps: list[_core.Step]) -> Strategy | None:
        """In terms, or None where there are no steps, or the time is up."""
        machine = self._machine
        nodes = []
        for step in steps:
            if monotonic() >= self._end:
                return None
            replies = tuple(
                Reply(self._reply(reply), to) for reply, to in zip(step.replies, step.to, strict=True)
            )
            move = machine.move(self._role, step.move) if step.move >= 0 else None
            state = machine.state(self._solver.words(step.state))
            nodes.append(Node(state, step.value, step.rank, move, replies))
        return Strategy(machine.roles, machine.roles[self._role], tuple(nodes)) if nodes else None

    def _refutation(self, found: list[_core.Refuted], most: int) -> Refutation | None:
        """In terms, or None as above."""
        machine = self._machine
        nodes = []
        for each in found:
            if monotonic() >= self._end:
                return None
            moves = [machine.move(self._role, move) for move in each.moves]
            replies = map(self._reply, each.replies)
            answers = tuple(Answer(*answer) for answer in zip(moves, replies, each.to, strict=True))
            nodes.append(Held(machine.state(self._solver.words(each.state)), answers))
        return Refutation(machine.roles, machine.roles[self._role], most, tuple(nodes)) if nodes else None

    def _reply(self, moves: list[int]) -> tuple[Ground, ...]:
        """What the others do, in terms."""
        others = [role for role in range(len(self._machine.roles)) if role != self._role]
        return tuple(self._machine.move(role, move) for role, move in zip(others, moves, strict=True))


def solve(
    machine: GameMachine,
    role: str,
    start: State,
    at_least: int | None = None,
    limits: Limits | None = None,
    told: Callable[[Solving], None] = lambda _: None,
    *,
    refuted: bool = False,
) -> Solution:
    """What a role can guarantee from a state; with `at_least`, whether it can guarantee so much (from 1 on).

    Ctrl-C ends the search as a limit does. A start that the game never makes is refused with ValueError, as by the machine.
    """
    solving = Solving(machine, role, start, at_least, Limits() if limits is None else limits)
    try:
        solving.run(told)
    except KeyboardInterrupt:
        solving.interrupt()
    return solving.solution(refuted=refuted)
