"""Lines of play for lessons, where nobody gives them: each side plays what it proves, or else prefers.

A line is as good as its player. What is learned from it is proved by the theory all the same, so that a bad line costs
time and teaches little, and nothing wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.kb.ast.theory import GroundFact
from hornbook.planner.kep.game import Game
from hornbook.planner.kep.lessons import Lesson, earned
from hornbook.planner.kep.preferring import Preference
from hornbook.planner.kep.proof import Proof, Saying
from hornbook.planner.kep.proving import Prover


@dataclass(frozen=True, slots=True)
class Teacher:
    """Plays lines of so many actions at most, and looks at so many states before each."""

    game: Game
    wins: Saying
    holds: Saying
    actions: int = 40
    states: int = 500

    def lesson(
        self, name: str, state: Any, player: str, expectation: int, begun: Sequence[GroundFact] = ()
    ) -> Lesson | None:
        """A line that earns a player what he expects, and no action more; None where it is not found. It begins with what is given."""
        lesson, states = Lesson(name, state, ()), [state]
        proof: Proof | None = None
        while earned(self.game, lesson, player) < expectation:
            now, done = states[-1], len(lesson.actions)
            if done >= max(self.actions, len(begun)) or not self.game.actions(now):
                return None
            if done < len(begun):
                action = begun[done]
            elif self.game.to_move(now) == player:
                if proof is None and done == len(begun):
                    proof = self._proof(now, player)
                wanted = expectation - earned(self.game, lesson, player)
                action = self._winning(states, player, proof, wanted) or self._preferred(now)
            else:
                action = self._preferred(now)
            lesson = Lesson(name, state, (*lesson.actions, action))
            states.append(self.game.after(now, action))
        return lesson

    def _proof(self, state: Any, player: str) -> Proof | None:
        return Prover(self.game, player, self.wins, self.holds, {}, 10 * self.states).proof(state)

    def _winning(
        self, states: Sequence[Any], player: str, proof: Proof | None, wanted: int
    ) -> GroundFact | None:
        """The player's action that earns what is wanted still; or by a proof; or else the most appealing one after which rules say
        that he wins, in a state that is new.
        """
        now, node = states[-1], None if proof is None else proof.nodes.get(states[-1])
        actions = self.game.actions(now)
        found = [action for action in actions if self.game.promise(now, action) >= wanted]
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
