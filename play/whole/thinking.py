"""What a player of ours does: a search decides, and where there are learned rules, what they prove is weighed beside it.

Rules close leaves. Of a conclusion that holds whatever the other side does, such as that a block of stones is lost, the state is looked
at as it will be when that has come true; where it takes the first move, who is to move has that as one more way to go on. So what
rules say of a state is never taken for its value: a search finds the value, of states in which the rules' conclusions have come true.
At the root they name moves; only these and the search's own are compared.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypedDict

from hornbook.play.native import Native, Search, State, Stop
from hornbook.play.whole.played import Played


@dataclass(frozen=True, slots=True)
class Closed:
    """A conclusion of rules about a state.

    `player` is whose it is, `move` his first move for it, None where the other side may move first. `said` says it, with the rule.
    """

    player: int
    move: str | None
    said: str
    come_true: Callable[[str], str | None]
    """The state with this come true, after which the other side is to move if it took a first move; None where nothing is left of it."""


Advice = Callable[[State], Sequence[Closed]]
"""What rules prove of a state; no rules prove nothing."""


class Budget(TypedDict, total=False):
    """What a decision may spend: seconds of the processor, nodes, a depth in moves; and what stops it."""

    seconds: float
    nodes: int
    depth: int
    stop: Stop


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
SHARE = 0.5
"""The part of the time that the search of the whole state has, where rules say something; the rest is for what they say."""
MOST = 5
"""So many moves are compared at most, the search's and those of rules."""


@dataclass(frozen=True, slots=True)
class Player:
    """A search of a game, with the tables that it keeps, and rules."""

    native: Native
    search: Search
    advice: Advice | None = None

    def think(self, game: Played, budget: Budget) -> Thought:
        """Decides about a game that is not over, within a budget; what rules take is taken from it."""
        began = time.process_time()
        closed = () if self.advice is None else self.advice(game.state)
        said = self._moves(game, closed)
        seconds = budget.get("seconds")
        left = None if seconds is None else max(LEAST, seconds - (time.process_time() - began))
        first = self._searched(game, budget, left if left is None or not said else SHARE * left)
        if not said:
            found = first
        else:
            end = began + seconds if seconds is not None else time.process_time() + len(said) * first.seconds
            found = self._weighed(game, first, said, end)
        return self._not_again(game, found)

    def _moves(self, game: Played, closed: Sequence[Closed]) -> dict[str, tuple[str, ...]]:
        """The moves that rules name, with what they say for each: own ones, then those that the other side would make."""
        legal = set(game.state.moves())
        said: dict[str, tuple[str, ...]] = {}
        for each in closed:
            if each.player == game.mover and each.move in legal:
                said[each.move] = (*said.get(each.move, ()), each.said)
        for each in closed:
            if each.player != game.mover and each.move in legal:
                said.setdefault(each.move, ())
        return dict(list(said.items())[: MOST - 1])

    def _searched(self, game: Played, budget: Budget, seconds: float | None) -> Thought:
        given = Budget(**budget)
        if seconds is not None:
            given["seconds"] = seconds
        found = self.search(game.state, **given)
        if found["move"] is None:  # nothing was decided in so little
            found = self.search(game.state, depth=1)
        move = found["move"]
        assert move is not None
        nodes = found["expansions"] + found["evaluations"]
        return Thought(move, found["value"], found["depth"], nodes, found["seconds"], tuple(found["line"]))

    def _weighed(self, game: Played, first: Thought, said: dict[str, tuple[str, ...]], end: float) -> Thought:
        """The best of the search's move and those of rules, each looked at with what rules prove after it, until a time of the processor."""
        waiting = [first.move, *(move for move in said if move != first.move)]
        values: dict[str, int] = {}
        began = time.process_time()
        while waiting and (not values or time.process_time() < end):
            now = time.process_time()
            until = now + max(LEAST, end - now) / len(waiting)
            move = waiting.pop(0)
            values[move] = self._value(game.state.after(move), until, first.depth - 1)
        best = max(values, key=values.__getitem__)
        took = first.seconds + time.process_time() - began
        line = first.line if best == first.move else (best,)
        return Thought(best, values[best], first.depth, first.nodes, took, line, said.get(best, ()))

    def _value(self, state: State, until: float, depth: int) -> int:
        """What a state is worth for who has just moved, with what rules prove of it; moves are compared at one depth."""
        if state.is_over:
            return -state.evaluation
        assert self.advice is not None
        mover, closed, text = state.to_move, self.advice(state), str(state)
        for each in closed:
            if each.player != mover and each.move is None:
                text = each.come_true(text) or text
        # Who has taken what rules say has moved.
        ways = {each.come_true(text) for each in closed if each.player == mover} - {None}
        part = max(LEAST, (until - time.process_time()) / (1 + len(ways)))
        plain = self._at(self.native.State(text), part, depth)
        taken = [-self._at(self.native.State(way), part, depth - 1) for way in sorted(filter(None, ways))]
        return -max([plain, *taken])

    def _at(self, state: State, seconds: float, depth: int) -> int:
        if state.is_over or depth < 1:
            return state.evaluation
        found = self.search(state, seconds=seconds, depth=depth)
        return found["value"] if found["depth"] else self.search(state, depth=1)["value"]

    def _not_again(self, game: Played, found: Thought) -> Thought:
        """Who stands better does not go round in a circle, if another move keeps him better."""
        if found.value <= 0 or not game.repeats(found.move):
            return found
        others = [move for move in game.state.moves() if not game.repeats(move)]
        seconds = max(LEAST, found.seconds / max(1, len(others)))
        values = {
            move: -self._at(game.state.after(move), seconds, max(1, found.depth - 1)) for move in others
        }
        best = max(values, key=values.__getitem__, default=None)
        if best is None or values[best] <= 0:
            return found
        return Thought(best, values[best], found.depth, found.nodes, found.seconds, (best,))
