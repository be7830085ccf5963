"""The player for games of two players: a search decides, guided by the conclusions of learned rules.

A conclusion about a state depends on a part of it, and stays valid in later states as long as that part is
unchanged. So rules are queried once, at the root, and the search looks up their conclusions in its states
(`Guided`). Conclusions never replace values. They determine how leaves are evaluated, and which moves are
tried first, or not at all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypedDict

from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.native import Guided, Native, NativeState, Report, Search, SearchStop
from hornbook.play.whole.played import PlayedGame


@dataclass(frozen=True, slots=True)
class ProvedConclusion:
    """A conclusion of rules about a state.

    The field `text` is its form for `Guided.know`, `description` is its form for people, and `move` is its
    first move, if any.
    """

    text: str
    description: str
    move: str | None = None


Advice = Callable[[NativeState], Sequence[ProvedConclusion]]
"""A function from a state to the conclusions of rules."""


@dataclass(frozen=True, slots=True)
class Guide:
    """A search that uses conclusions, and the function that derives them."""

    search: Guided
    advice: Advice


class SearchArguments(TypedDict, total=False):
    """The arguments of a `Search` that players set, which omit what is not limited; see `Search.__call__`."""

    seconds: float
    nodes: int
    depth: int
    stop: SearchStop
    only: Sequence[str]
    lines: int
    report: Report


@dataclass(frozen=True, slots=True)
class Thought:
    """A decision: the move, its value for the player to move as an evaluation, and the resources used."""

    move: str
    value: int
    depth: int
    nodes: int
    seconds: float
    line: tuple[str, ...]
    rules: tuple[str, ...] = ()
    """The conclusions of rules that favour the move."""


LEAST = 0.001
"""The minimal seconds for a search."""


@dataclass(frozen=True, slots=True)
class SearchPlayer:
    """A search of a game with its tables, and optionally rules that guide it."""

    native: Native
    search: Search
    guide: Guide | None = None

    @property
    def gives_lines(self) -> bool:
        """Return whether the search gives several lines and has a table of selectable size."""
        return bool(getattr(self.search, "gives_lines", False))

    def think(self, game: PlayedGame, budget: SearchArguments) -> Thought:
        """Decide in a game that is not over, within a budget; it includes the time of the rules."""
        began = time.process_time()
        proved = () if self.guide is None else self.guide.advice(game.state)
        if self.guide is not None:
            self.guide.search.know(game.state, [each.text for each in proved])
        seconds = budget.get("seconds")
        left = None if seconds is None else max(LEAST, seconds - (time.process_time() - began))
        found = self._without_repetition(
            game, self._searched(game, budget, left), budget.get("only") or game.state.moves()
        )
        favouring = tuple(each.description for each in proved if each.move == found.move)
        return replace(found, seconds=time.process_time() - began, rules=favouring)

    def _searched(self, game: PlayedGame, budget: SearchArguments, seconds: float | None) -> Thought:
        given = SearchArguments(**budget)
        if seconds is not None:
            given["seconds"] = seconds
        found = self.search(game.state, **given)
        if found["move"] is None:  # the budget was too small for a decision
            found = self.search(game.state, depth=1, only=budget.get("only", ()))
        move = found["move"]
        assert move is not None
        nodes = found["expansions"] + found["evaluations"]
        return Thought(move, found["value"], found["depth"], nodes, found["seconds"], tuple(found["line"]))

    def _value_at(self, state: NativeState, seconds: float, depth: int) -> int:
        if state.is_over or depth < 1:
            return state.evaluation
        found = self.search(state, seconds=seconds, depth=depth)
        return found["value"] if found["depth"] else self.search(state, depth=1)["value"]

    def _without_repetition(self, game: PlayedGame, found: Thought, considered: Sequence[str]) -> Thought:
        """Return the decision, or another one that avoids a repetition if it keeps an advantage."""
        if found.value <= 0 or not game.repeats(found.move):
            return found
        others = [move for move in considered if not game.repeats(move)]
        seconds = max(LEAST, found.seconds / max(1, len(others)))
        values = {
            move: -self._value_at(game.state.after(move), seconds, max(1, found.depth - 1)) for move in others
        }
        best = max(values, key=values.__getitem__, default=None)
        if best is None or values[best] <= 0:
            return found
        return Thought(best, values[best], found.depth, found.nodes, found.seconds, (best,))
