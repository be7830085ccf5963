"""What a player of ours does in a game of one player: a search looks for a way to the end, and the first move of it is made.

The search is weighted A*, which is run again with a smaller weight as long as nodes are left, so that ways get shorter; with a weight of 1 no
way is shorter.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.paths import NativeOfOne
from hornbook.play.whole.played import Played
from hornbook.play.whole.thinking import Budget, Thought

WEIGHTS = (5.0, 3.0, 2.0, 1.5, 1.0)
NODES = 1_000_000
"""So many a decision may take in all, where nothing else is said: half a second or so in the 15-puzzle."""


class NoWayError(HornbookError):
    """No way to the end was found with so many nodes."""


@dataclass(frozen=True, slots=True)
class Solver:
    """A search for a way to the end, by the bound of the game that is quickest to tell."""

    native: NativeOfOne

    def think(self, game: Played, budget: Budget) -> Thought:
        """The shortest way that is found within the nodes of a budget; nothing else of it limits the search. Raises NoWayError."""
        began = time.process_time()
        state, left = self.native.State(str(game.state)), budget.get("nodes", NODES)
        way: list[str] = []
        spent = 0
        for weight in WEIGHTS:
            found = state.weighted_a_star(self.native.BOUNDS[0], weight, left - spent)
            spent += found["nodes"]
            if found["is_found"] and (not way or len(found["moves"]) < len(way)):
                way = found["moves"]
            if spent >= left:
                break
        if not way:
            raise NoWayError(f"no way to the end was found with {left:,} nodes")
        seconds = time.process_time() - began
        return Thought(way[0], -len(way), len(way), spent, seconds, tuple(way))
