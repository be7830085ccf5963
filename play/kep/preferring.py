"""The preferred action if nothing was proved: alpha-beta with heuristic values and iterative deepening.

No proof depends on it. Visited states are stored with their best action, and actions that caused cut-offs
elsewhere are tried earlier. A repeated state in a line has value 0 for both sides. A state that is lost or
won by the rules of the game outweighs every heuristic value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import field
from math import inf
from typing import Any

from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.program.dataclass import dataclass
from hornbook.theories.protocols.planning import PlanningGame

OVER = 10**6
"""The value of a win, minus the number of plies until then."""
DEEPEST = 60
"""The maximal search depth, in plies."""
CUT_OFF_BONUS, MOST_CUT_OFF_BONUS = 5, 250
"""The move-order bonus of an action for each of its cut-offs, and the maximal bonus."""


@dataclass(frozen=True, slots=True)
class _TableEntry:
    """Bounds on the value of a state at a search depth, `least` and `most`, and the best action found."""

    depth: int
    least: float
    most: float
    action: GroundFact


class _NodeLimitError(Exception):
    """The limit on visited states is reached."""


@dataclass(slots=True)
class Preference:
    """The search for the preferred action of the player to move, except those `excluded`.

    The field `action` is the best one of the last completed depth. The field `nodes` counts the states that
    actions led to.
    """

    game: PlanningGame
    most_nodes: int
    excluded: Collection[GroundFact] = ()
    action: GroundFact | None = None
    nodes: int = 0
    known: dict[Any, _TableEntry] = field(default_factory=dict)
    cuts: Counter[tuple[str, GroundFact]] = field(default_factory=Counter)

    def look(self, root: Any) -> None:
        """Set `action` by deeper and deeper searches, until the node limit or a certain outcome."""
        actions = [each for each in self.game.actions(root) if each not in self.excluded]
        if len(actions) < 2:
            self.action = next(iter(actions), None)
            return
        try:
            for depth in range(1, DEEPEST + 1):
                value = self._value(root, depth, -inf, inf, [root])
                self.action = self.known[root].action
                if abs(value) > OVER / 2:
                    break
        except _NodeLimitError:
            pass

    def _value(self, state: Any, depth: int, alpha: float, beta: float, line: list[Any]) -> float:
        """Return the value of a state for the player to move.

        The value is exact between `alpha` and `beta`. Outside of them it is a bound. The states from the root
        on are `line`.
        """
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
                raise _NodeLimitError
            self.nodes += 1
            then = self.game.after(state, action)
            value = 0 if then in line else -self._value(then, depth - 1, -beta, -alpha, [*line, then])
            if value > best:
                best, favourite = value, action
            alpha = max(alpha, best)
            if alpha >= beta:
                self.cuts[self.game.to_move(state), action] += CUT_OFF_BONUS
                break
        self.known[state] = _TableEntry(
            depth, best if best > low else -inf, best if best < beta else inf, favourite
        )
        return best

    def _ordered(self, state: Any, known: _TableEntry | None, ply: int) -> list[GroundFact]:
        """Return the actions, with the best one of a smaller depth first, then by move order."""
        player, first = self.game.to_move(state), None if known is None else known.action

        def key(action: GroundFact) -> tuple[bool, int]:
            cuts = min(self.cuts[player, action], MOST_CUT_OFF_BONUS)
            return action != first, -self.game.appeal(state, action) - cuts

        actions = [each for each in self.game.actions(state) if ply or each not in self.excluded]
        return sorted(actions, key=key)
