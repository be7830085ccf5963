"""The player for games of one player: a search finds a path to the goal, and its first move is made.

The search is weighted A*, repeated with smaller weights as long as nodes are left, so that paths become
shorter. With a weight of 1 the path is a shortest one.
"""

from __future__ import annotations

import time

from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.paths import NativeOfOne
from hornbook.play.whole.played import PlayedGame
from hornbook.play.whole.thinking import SearchArguments, Thought

WEIGHTS = (5.0, 3.0, 2.0, 1.5, 1.0)
NODES = 1_000_000
"""The default number of nodes for a decision: about half a second in the 15-puzzle."""


class NoWayError(HornbookError):
    """No path to the goal was found within the number of nodes."""


@dataclass(frozen=True, slots=True)
class PathSolver:
    """A search for a path to the goal, with the heuristic of the game that is fastest to compute."""

    native: NativeOfOne

    def think(self, game: PlayedGame, budget: SearchArguments) -> Thought:
        """Return the shortest path found within the nodes of a budget, its only limit.

        Raises NoWayError.
        """
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
