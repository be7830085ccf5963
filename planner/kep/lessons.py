"""Learning plans by failure: where planning does not come to what a teacher's line earns, the goals of that line are explained.

Each goal that a side reaches on the line gives o-plans of that side. Their moves are those that the goal goes along with; all
other moves, of either side, count as null moves (Tadepalli 1989, section 4; which lines he explained the paper leaves
open). What is learned is proved by the theory, and kept only where no plan that is known says as much. Plans that were
learned are never wrong about what they say, so failures add plans, and change none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hornbook.compiler.learn.plans import Line, learn_line
from hornbook.compiler.match.plans import PlanMatcher
from hornbook.compiler.prove.second_player_win import WON
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.provenance import Provenance
from hornbook.kb.ast.terms import Atom, Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition
from hornbook.planner.kep.game import Game
from hornbook.planner.kep.planning import Planner
from hornbook.planner.kep.tree import Tree


@dataclass(frozen=True, slots=True)
class Lesson:
    """A state, and a teacher's moves from there, of both sides in turn, all of them legal."""

    name: str
    state: Any
    actions: tuple[GroundFact, ...]


@dataclass(frozen=True, slots=True)
class School:
    """What is needed to learn: a game, the theory that says how its goals are reached, and the given facts of its states."""

    game: Game
    theory: Theory
    facts: Callable[[Any], Sequence[GroundFact]]

    def plans(self, base: RuleBase) -> PlanMatcher:
        """The plans that were learned, for the planner."""
        return PlanMatcher(self.theory, [entry.rule for entry in base])

    def states(self, lesson: Lesson) -> list[Any]:
        """The state before each move of the lesson."""
        found = [lesson.state]
        for action in lesson.actions[:-1]:
            found.append(self.game.after(found[-1], action))
        return found

    def earned(self, lesson: Lesson, player: str) -> int:
        """What the line promises to a player, less what it promises to the opponent."""
        states = zip(self.states(lesson), lesson.actions, strict=True)
        return sum(
            self.game.promise(state, action) * (1 if self.game.to_move(state) == player else -1)
            for state, action in states
        )

    def lines(self, lesson: Lesson) -> Iterator[Line]:
        """What a plan can be learned from: each goal that is reached, with the moves that it goes along with."""
        states = self.states(lesson)
        for place, (state, action) in enumerate(zip(states, lesson.actions, strict=True)):
            if self.game.promise(state, action):
                for goal in self._reached(state, action):
                    yield self._line(states[: place + 1], lesson.actions[: place + 1], goal)

    def _reached(self, state: Any, action: GroundFact) -> list[Atom]:
        """The goals that an action reaches, by the theory."""
        base = KnowledgeBase(self.theory, derivations="none")
        base.add([*self.facts(state), action])
        by = Atom(action.relation, tuple(map(Constant, action.values)))
        known = self.theory.vocabulary.predicates
        return [
            goal
            for goal in self.game.goals(state)
            if goal.predicate in known and base.holds(GameStatement(replace(goal, tense="before"), by, WON))
        ]

    def _line(self, states: Sequence[Any], actions: Sequence[GroundFact], goal: Atom) -> Line:
        """The moves that a goal goes along with, back from the one that reaches it."""
        kept, now = [(goal, states[-1], actions[-1])], goal
        for state, action in zip(states[-2::-1], actions[-2::-1], strict=True):
            before = [
                each for each in self.game.goals(state) if self.game.followed(state, each, action) == now
            ]
            if not before:
                break
            if before[0] != now and self.game.friend(state, before[0]) == self.game.to_move(state):
                kept.insert(0, (before[0], state, action))
            now = before[0]
        states_kept = tuple(self.facts(state) for _, state, _ in kept)
        return Line(kept[0][0], states_kept, tuple(action for *_, action in kept))


def studied(
    school: School, lesson: Lesson, base: RuleBase, player: str, complexity: int, most_nodes: int
) -> RuleBase:
    """The plans that a player knows after a lesson: those of before where his planning comes to what the line earns him."""
    expected = school.earned(lesson, player)
    tree = Tree(school.game, player, lesson.state)
    planned = Planner(school.game, school.plans(base), tree, most_nodes).run(expected, complexity)
    if planned and tree.value() == expected:
        return base
    for line in school.lines(lesson):
        origin = Provenance(lesson.name, "", print_condition(line.game), ())
        base, _ = learn_line(school.theory, line, base, origin)
    return base
