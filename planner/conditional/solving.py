"""The value that a role can guarantee against all others, with a conditional plan as its strategy.

In each step the role moves first. All others then reply together, as badly for the role as possible; `random`
is one of them. The result is therefore the maximin over pure moves. A play that never ends is worth 0 to the
role. An end without a goal of the role, or with several goals, is worth 0 too.

States are explored in breadth while the whole game may be small, because this finds the smallest strategy.
Otherwise states are expanded where a proof needs them. In both cases every reported result follows by
backward induction over the states found (planner/core/conditional/). If the induction is interrupted, the
results that were concluded from fewer states remain valid.

Source: Genesereth and Thielscher, section 11.3 (conditional plans).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Literal

from hornbook.kb.lower.budget import Budget
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner import _core
from hornbook.planner.gdl.game import State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.machines.machine import GameMachine
from hornbook.planner.strategies.refutation import Refutation, RefutationAnswer, RefutationNode
from hornbook.planner.strategies.strategy import JointReply, RoleStrategy, StrategyNode

SECONDS = 60.0
MEGABYTES = 4000
_UNBOUNDED = 1e8
"""The seconds of a search without a bound of time: about three years."""
_SLICE = 0.1
"""Seconds of work between two looks at the clock and two calls of the progress callback."""
_SMALL = 5_000_000
"""The maximal number of states of a search in breadth, which has at most a third of the time."""
_SETTLED_BY_THEN = 100_000
"""The number of states in breadth after which backward induction first tests for an answer.

The test is repeated each time the number of states has doubled.
"""
_TO_CONCLUDE = 0.1
"""The last part of the time, reserved for backward induction and for writing the strategy."""
_AFTER_INTERRUPT = 2.0
"""The maximum of that time in seconds if the search was interrupted."""
Verdict = Literal["found", "none", "open"]


@dataclass(frozen=True, slots=True)
class Solution:
    """The proved result.

    `found`: the strategy guarantees the requested value, or the greatest possible value. `none`: there is no
    such strategy. `open`: a limit was reached; the strategy, if there is one, guarantees the lower bound.
    """

    answer: Verdict
    bounds: tuple[int, int]
    """The value that the role can guarantee, and an upper bound of it."""
    strategy: RoleStrategy | None
    nodes: int
    """The number of states that were expanded."""
    refutation: Refutation | None = None
    """The strategy of the others that keeps the role at the upper bound.

    It is present only if it was requested and a greater value is conceivable.
    """


class Solving:
    """One problem: the value that a role can guarantee from a state.

    With `at_least`, only that value is to be decided. The method `run` may be interrupted; `solution` can be
    called all the same. A step of the budget is an expanded state, and its
    megabytes bound the states found.
    """

    def __init__(
        self, machine: GameMachine, role: str, start: State, at_least: int | None, budget: Budget
    ) -> None:
        self._machine, self._role = machine, machine.roles.index(role)
        self._at_least, self._budget = at_least, budget
        self._thinkable = machine.most(self._role)
        megabytes = MEGABYTES if budget.megabytes is None else budget.megabytes
        self._solver = _core.Solver(
            machine.core, self._role, machine.words(start), self._thinkable, megabytes * 2**20
        )
        left = _UNBOUNDED if budget.seconds_left is None else budget.seconds_left
        now = monotonic()
        self._end = now + left
        self._until = now + left * (1 - _TO_CONCLUDE)
        self.bounds = (0, self._thinkable)
        """The interval proved until now."""

    @property
    def nodes(self) -> int:
        """The number of states expanded until now."""
        return self._solver.expanded

    def run(self, progress: Callable[[Solving], None] = lambda _: None) -> None:
        """Work until there is an answer or a limit is reached. Call `progress` about ten times a second."""
        now = monotonic()
        self._solver.stop_after(self._until - now)
        self._in_breadth(now + (self._until - now) / 3, progress)
        while not self._answered() and not self._at_limit():
            aim = self._aim()
            while not self._at_limit() and not self._solver.prove(aim, self._slice(self._until), self._most):
                progress(self)
            self._settle()

    def interrupt(self) -> None:
        """Reduce the remaining time to the little that `solution` needs."""
        self._end = min(self._end, monotonic() + _AFTER_INTERRUPT)

    def solution(self, *, refuted: bool = False) -> Solution:
        """Return the proved result.

        With `refuted`, the result includes the strategy of the others that prevents a greater value. Ctrl-C
        ends the remaining work like the time limit.
        """
        self._solver.stop_after(self._end - monotonic())
        with suppress(KeyboardInterrupt):
            self._settle()
        lower, upper = self.bounds
        required = max(1, upper if self._at_least is None else self._at_least)
        answer: Verdict = "found" if lower >= required else "none" if upper < required else "open"
        least = required if answer == "found" else lower
        strategy = None
        if least > 0 and answer != "none":
            with suppress(KeyboardInterrupt):
                strategy = self._strategy(self._solver.strategy(least))
            if strategy is None:
                # The value is proved, but the strategy was not written in time.
                answer = "open"
        refutation = None
        if refuted and upper < self._thinkable:
            with suppress(KeyboardInterrupt):
                refutation = self._refutation(self._solver.refutation(upper), upper)
        return Solution(answer, self.bounds, strategy, self.nodes, refutation)

    @property
    def _most(self) -> int:
        return 2**62 if self._budget.steps is None else self._budget.steps

    def _slice(self, until: float) -> float:
        return max(0.0, min(_SLICE, until - monotonic()))

    def _at_limit(self) -> bool:
        return self._solver.full or monotonic() >= self._until or self.nodes >= self._most

    def _in_breadth(self, until: float, progress: Callable[[Solving], None]) -> None:
        settle_at = _SETTLED_BY_THEN
        most = min(self._most, _SMALL)
        while not self._solver.explore(self._slice(until), most):
            progress(self)
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
        """Return the goal value to prove or disprove next.

        It is the lowest open value seen, or else the lower bound plus 1.
        """
        lower, upper = self.bounds
        if self._at_least is not None:
            return self._at_least
        return next((worth for worth in self._solver.worths() if lower < worth <= upper), lower + 1)

    def _strategy(self, steps: list[_core.Step]) -> RoleStrategy | None:
        """Return the strategy in terms, or None if there are no steps or the time is over."""
        machine = self._machine
        nodes = []
        for step in steps:
            if monotonic() >= self._end:
                return None
            replies = tuple(
                JointReply(self._reply(reply), to) for reply, to in zip(step.replies, step.to, strict=True)
            )
            move = machine.move(self._role, step.move) if step.move >= 0 else None
            state = machine.state(self._solver.words(step.state))
            nodes.append(StrategyNode(state, step.value, step.rank, move, replies))
        return RoleStrategy(machine.roles, machine.roles[self._role], tuple(nodes)) if nodes else None

    def _refutation(self, found: list[_core.Refuted], most: int) -> Refutation | None:
        """Return the refutation in terms, or None if there are no nodes or the time is over."""
        machine = self._machine
        nodes = []
        for each in found:
            if monotonic() >= self._end:
                return None
            moves = [machine.move(self._role, move) for move in each.moves]
            replies = map(self._reply, each.replies)
            answers = tuple(RefutationAnswer(*answer) for answer in zip(moves, replies, each.to, strict=True))
            nodes.append(RefutationNode(machine.state(self._solver.words(each.state)), answers))
        return Refutation(machine.roles, machine.roles[self._role], most, tuple(nodes)) if nodes else None

    def _reply(self, moves: list[int]) -> tuple[Ground, ...]:
        """Return the moves of the others as terms."""
        others = [role for role in range(len(self._machine.roles)) if role != self._role]
        return tuple(self._machine.move(role, move) for role, move in zip(others, moves, strict=True))


def solve(
    machine: GameMachine,
    role: str,
    start: State,
    at_least: int | None = None,
    budget: Budget | None = None,
    progress: Callable[[Solving], None] = lambda _: None,
    *,
    refuted: bool = False,
) -> Solution:
    """Return the value that a role can guarantee from a state.

    With `at_least` (at least 1), only that value is decided. Ctrl-C ends the search like a limit. Raises
    ValueError, from the machine, for a state that the game never makes.
    """
    solving = Solving(machine, role, start, at_least, budget or Budget(seconds=SECONDS))
    try:
        solving.run(progress)
    except KeyboardInterrupt:
        solving.interrupt()
    return solving.solution(refuted=refuted)
