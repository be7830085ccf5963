"""What a player of ours does: a search decides, and where there are learned rules, it knows what they prove of the state at hand.

What rules prove of a state rests on a part of it, and stays proved in whatever comes of the state as long as that part is as it was. So
rules are asked once, at the root, and the search looks up what they said wherever it gets (`Guided`). What they say is never
taken for a value; it says how a leaf is looked at, and which moves are tried first, or not at all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from hornbook.play.native import Guided, Native, Report, Search, State, Stop
from hornbook.play.whole.played import Played


@dataclass(frozen=True, slots=True)
class Proved:
    """A conclusion of rules about a state: as guided searches of the game read it, and as people do, with its first move, if it has one."""

    text: str
    said: str
    move: str | None = None


Advice = Callable[[State], Sequence[Proved]]
"""What rules prove of a state; no rules prove nothing."""


@dataclass(frozen=True, slots=True)
class Guide:
    """A search that knows conclusions, and who draws them."""

    search: Guided
    advice: Advice


class Budget(TypedDict, total=False):
    """The limits of a decision: seconds of the processor, nodes, a depth in moves, and what stops it.

    `only` lists the first moves to consider. The search calls `report` after each depth, with the number of best lines in `lines`.
    """

    seconds: float
    nodes: int
    depth: int
    stop: Stop
    only: Sequence[str]
    lines: int
    report: Report


@dataclass(frozen=True, slots=True)
class Thought:
    """A decision: the move, its value for who is to move as the game's evaluations are, and what it took."""

    move: str
    value: int
    depth: int
    nodes: int
    seconds: float
    line: tuple[str, ...]
    rules: tuple[str, ...] = ()
    """What rules said for the move."""


LEAST = 0.001
"""Seconds that a search is given at least."""


@dataclass(frozen=True, slots=True)
class Player:
    """A search of a game, with the tables that it keeps, and where rules guide it, these."""

    native: Native
    search: Search
    guide: Guide | None = None

    @property
    def gives_lines(self) -> bool:
        """Whether the search gives several lines and has a table of a size that can be chosen."""
        return bool(getattr(self.search, "gives_lines", False))

    def think(self, game: Played, budget: Budget) -> Thought:
        """Decides about a game that is not over, within a budget; what rules take is taken from it."""
        began = time.process_time()
        proved = () if self.guide is None else self.guide.advice(game.state)
        if self.guide is not None:
            self.guide.search.know(game.state, [each.text for each in proved])
        seconds = budget.get("seconds")
        left = None if seconds is None else max(LEAST, seconds - (time.process_time() - began))
        found = self._not_again(
            game, self._searched(game, budget, left), budget.get("only") or game.state.moves()
        )
        said = tuple(each.said for each in proved if each.move == found.move)
        return replace(found, seconds=time.process_time() - began, rules=said)

    def _searched(self, game: Played, budget: Budget, seconds: float | None) -> Thought:
        given = Budget(**budget)
        if seconds is not None:
            given["seconds"] = seconds
        found = self.search(game.state, **given)
        if found["move"] is None:  # nothing was decided in so little
            found = self.search(game.state, depth=1, only=budget.get("only", ()))
        move = found["move"]
        assert move is not None
        nodes = found["expansions"] + found["evaluations"]
        return Thought(move, found["value"], found["depth"], nodes, found["seconds"], tuple(found["line"]))

    def _at(self, state: State, seconds: float, depth: int) -> int:
        if state.is_over or depth < 1:
            return state.evaluation
        found = self.search(state, seconds=seconds, depth=depth)
        return found["value"] if found["depth"] else self.search(state, depth=1)["value"]

    def _not_again(self, game: Played, found: Thought, considered: Sequence[str]) -> Thought:
        """The decision of a side that stands better: it does not repeat a state if another move keeps it better."""
        if found.value <= 0 or not game.repeats(found.move):
            return found
        others = [move for move in considered if not game.repeats(move)]
        seconds = max(LEAST, found.seconds / max(1, len(others)))
        values = {
            move: -self._at(game.state.after(move), seconds, max(1, found.depth - 1)) for move in others
        }
        best = max(values, key=values.__getitem__, default=None)
        if best is None or values[best] <= 0:
            return found
        return Thought(best, values[best], found.depth, found.nodes, found.seconds, (best,))
