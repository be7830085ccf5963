"""Testing a c-plan against a c-plan of the opponent.

Both plans are played in one tree. The player to move makes each move that the plan proposes, and a null move
if it proposes none. There are no other moves and no new plans. A line ends if both plans propose nothing in
succession, or if a player who cannot pass has no plan. Within a test, irrelevant lines are cut off
(alpha-beta).

Source: Tadepalli 1989, Table 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hornbook.compiler.match.plans import PlanInstance
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.kep.cplans import CPlan, plan_after, steps
from hornbook.play.kep.tree import Place, PlanningTree

INFINITE = 10**9
Key = tuple[Place, CPlan, CPlan, int]


@dataclass(slots=True)
class CPlanTest:
    """One test. Values are for the planning player. `applicable` returns the plans that apply in a state."""

    __test__ = False  # pytest collects classes with this name

    tree: PlanningTree
    applicable: Callable[[Any], Sequence[PlanInstance]]

    def run(self, mine: CPlan, other: CPlan) -> int:
        """Play the player's plan against the opponent's, and return the value of the explored part."""
        place = (self.tree.root, 0)
        plans = (mine, other) if self.tree.sign(self.tree.root) == 1 else (other, mine)
        return self._value((place, *plans, 0), -INFINITE, INFINITE, {})

    def _value(self, key: Key, alpha: int, beta: int, exact: dict[Key, int]) -> int:
        """Return the value for the planning player.

        The first plan of the key belongs to the player to move.
        """
        if key in exact:
            return exact[key]
        place, plan, waiting, nulls = key
        state = place[0]
        sign, low, high = self.tree.sign(state), alpha, beta
        best: int | None = None
        for action, rest in self._moves(state, plan):
            found = self.tree.extend(place, action)
            if found is None:
                continue
            earned, to = found
            mine, theirs = rest, waiting
            if action is not None:
                game = self.tree.game
                mine = plan_after(game, state, rest, action)
                theirs = plan_after(game, state, waiting, action)
            elif nulls:
                continue
            below = (to, theirs, mine, 0 if action is not None else 1)
            value = earned + self._value(below, alpha - earned, beta - earned, exact)
            if best is None or sign * value > sign * best:
                best = value
            alpha, beta = (max(alpha, best), beta) if sign == 1 else (alpha, min(beta, best))
            if alpha >= beta:
                break
        if best is None:
            best = 0
        if low < best < high:
            exact[key] = best
        return best

    def _moves(self, state: Any, plan: CPlan) -> list[tuple[Any, CPlan]]:
        """Return the legal moves that the plan proposes, or a null move if there are none."""
        instances = self.applicable(state) if plan else ()
        legal = set(self.tree.game.actions(state)) if instances else set()
        found = dict.fromkeys((action, rest) for action, rest in steps(plan, instances) if action in legal)
        return list(found) or [(None, plan)]
