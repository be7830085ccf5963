"""Which action to prefer where nothing was proved: alpha-beta by outlooks, deeper and deeper. Nothing that is announced as proved rests on it.

States that were looked at are remembered, with the action that was best there; actions that cut off elsewhere are tried sooner. A state that comes
again in a line is worth nothing to either. A state that is lost or won by the rules of the game is worth more than any outlook.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from math import inf
from typing import Any

from hornbook.kb.ast.theory import GroundFact
from hornbook.planner.kep.game import Game

OVER = 10**6
"""What it is worth to have won, less the plies until then."""
DEEPEST = 60
CUT, MOST_CUTS = 5, 250
"""By how much an action appeals more for each time that it cut off, and at most."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A value to a depth lies between two bounds."""

    depth: int
    least: float
    most: float
    action: GroundFact


class _SpentError(Exception):
    """As many states were looked at as may be."""


@dataclass(slots=True)
class Preference:
    """Looks for the action that who is to move prefers, but none of those that are `barred`. `action` is the best of the last depth that was done.

    `nodes` counts states that actions led to.
    """

    game: Game
    most_nodes: int
    barred: Collection[GroundFact] = ()
    action: GroundFact | None = None
    nodes: int = 0
    known: dict[Any, _Known] = field(default_factory=dict)
    cuts: Counter[tuple[str, GroundFact]] = field(default_factory=Counter)

    def look(self, root: Any) -> None:
        """Goes deeper until all states that may be looked at are spent."""
        actions = [each for each in self.game.actions(root) if each not in self.barred]
        if len(actions) < 2:
            self.action = next(iter(actions), None)
            return
        try:
            for depth in range(1, DEEPEST + 1):
                value = self._value(root, depth, -inf, inf, [root])
                self.action = self.known[root].action
                if abs(value) > OVER / 2:
                    break
        except _SpentError:
            pass

    def _value(self, state: Any, depth: int, alpha: float, beta: float, line: list[Any]) -> float:
        """What a state is worth to who is to move, within the bounds; outside of them, a bound of it."""
        ply = len(line) - 1
        if depth == 0:
            return self.game.outlook(state, self.game.to_move(state))
        known = self.known.get(state)
        if known is not None and ply and known.depth >= depth:
            if known.least >= beta or known.least == known.most:
                return known.least
            if known.most <= alpha:
                return known.most
        actions = self._ordered(state, known, ply)
        if not actions:
            return ply - OVER if self.game.beaten(state) else 0
        low, best, favourite = alpha, -inf, actions[0]
        for action in actions:
            if self.nodes >= self.most_nodes:
                raise _SpentError
            self.nodes += 1
            then = self.game.after(state, action)
            value = 0 if then in line else -self._value(then, depth - 1, -beta, -alpha, [*line, then])
            if value > best:
                best, favourite = value, action
            alpha = max(alpha, best)
            if alpha >= beta:
                self.cuts[self.game.to_move(state), action] += CUT
                break
        self.known[state] = _Known(
            depth, best if best > low else -inf, best if best < beta else inf, favourite
        )
        return best

    def _ordered(self, state: Any, known: _Known | None, ply: int) -> list[GroundFact]:
        """The action that was best to a lesser depth first, then those that appeal most."""
        player, first = self.game.to_move(state), None if known is None else known.action

        def key(action: GroundFact) -> tuple[bool, int]:
            cuts = min(self.cuts[player, action], MOST_CUTS)
            return action != first, -self.game.appeal(state, action) - cuts

        actions = [each for each in self.game.actions(state) if ply or each not in self.barred]
        return sorted(actions, key=key)
