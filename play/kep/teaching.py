"""Lines of play for lessons without a teacher: each side plays proved moves, or else preferred ones.

The quality of a line depends on the player that generates it. Everything learned from it is proved by the
theory, so a bad line costs time and teaches little, but nothing wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.kep.lessons import PlanLesson, value_of_line
from hornbook.play.kep.preferring import Preference
from hornbook.play.kep.proof import KepProof, RuleVerdicts
from hornbook.play.kep.proving import BestFirstProver
from hornbook.theories.protocols.planning import PlanningGame


@dataclass(frozen=True, slots=True)
class Teacher:
    """A generator of lines with at most `actions` actions.

    It visits at most `states` states before each action.
    """

    game: PlanningGame
    wins: RuleVerdicts
    holds: RuleVerdicts
    actions: int = 40
    states: int = 500

    def lesson(
        self, name: str, state: Any, player: str, expectation: int, opening: Sequence[GroundFact] = ()
    ) -> PlanLesson | None:
        """Return a line that ends with the expected value for a player, or None if none is found.

        The line begins with the actions in `opening`.
        """
        lesson, states = PlanLesson(name, state, ()), [state]
        proof: KepProof | None = None
        while value_of_line(self.game, lesson, player) < expectation:
            now, done = states[-1], len(lesson.actions)
            if done >= max(self.actions, len(opening)) or not self.game.actions(now):
                return None
            if done < len(opening):
                action = opening[done]
            elif self.game.to_move(now) == player:
                if proof is None and done == len(opening):
                    proof = self._proof(now, player)
                missing = expectation - value_of_line(self.game, lesson, player)
                action = self._winning(states, player, proof, missing) or self._preferred(now)
            else:
                action = self._preferred(now)
            lesson = PlanLesson(name, state, (*lesson.actions, action))
            states.append(self.game.after(now, action))
        return lesson

    def _proof(self, state: Any, player: str) -> KepProof | None:
        return BestFirstProver(self.game, player, self.wins, self.holds, {}, 10 * self.states).proof(state)

    def _winning(
        self, states: Sequence[Any], player: str, proof: KepProof | None, missing: int
    ) -> GroundFact | None:
        """Return an action for the player.

        The first choice is an action that earns the missing value, the second is the action of the proof.
        Otherwise it is the best by move order among the actions that lead to a new state with a conclusion of
        a win.
        """
        now, node = states[-1], None if proof is None else proof.nodes.get(states[-1])
        actions = self.game.actions(now)
        found = [action for action in actions if self.game.promise(now, action) >= missing]
        if not found and node is not None and node.action is not None:
            return node.action
        found = found or [
            action
            for action in actions
            if (then := self.game.after(now, action)) not in states
            and self.wins.says(then, player) is not None
        ]
        return max(found, key=lambda action: self.game.appeal(now, action), default=None)

    def _preferred(self, state: Any) -> GroundFact:
        preference = Preference(self.game, self.states)
        preference.look(state)
        return preference.action or self.game.actions(state)[0]
