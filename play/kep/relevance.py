"""The relevance of applicable plans.

A plan is relevant if its goal has a value. It is also relevant if it makes true the only condition that a
plan with a value of the same player lacks, or if it ends a fact that one of the opponent needs. Links between
rules determine which of them can do so at all. The state determines which of them do.

Source: Tadepalli 1989, section 3.3 (relevance of o-plans).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from hornbook.compiler.match.plans import PlanInstance, PlanMatcher
from hornbook.compiler.rules.links import counters, helps
from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.terms import Atom, Constant, PlanStatement, Rule
from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.kep.goals import WHO, Actor, LearnedGoal


@dataclass(slots=True)
class RelevantPlans:
    """A matcher of plans that omits irrelevant ones; `goals` are those without a value, by name."""

    matcher: PlanMatcher
    goals: Mapping[str, LearnedGoal]
    actor: Actor
    linked: dict[tuple[str, bool], frozenset[str]] = field(default_factory=dict)
    """For the name of a goal, and whether plans for it counter or help, the rules that they may counter or
    help.
    """

    def plans(self, state: Iterable[GroundFact | Part]) -> Sequence[PlanInstance]:
        """Return the relevant plans that apply in a state, in the order of the matcher."""
        found = self.matcher.plans(state)
        promising = [each for each in found if each.goal.predicate not in self.goals]
        if len(promising) == len(found):
            return found
        rests = [(self._player(each.action), each) for each in promising]
        matters: dict[Atom, bool] = {}
        for each in found:
            if each.goal.predicate in self.goals and each.goal not in matters:
                matters[each.goal] = self._matters(each.goal, rests)
        return [each for each in found if matters.get(each.goal, True)]

    def premises(self, plan: PlanInstance) -> tuple[GroundFact, ...]:
        """Return the facts that a plan needs in the last matched state."""
        return self.matcher.premises(plan)

    def _matters(self, goal: Atom, promising: Sequence[tuple[str, PlanInstance]]) -> bool:
        learned = self.goals[goal.predicate]
        fact, who = learned.fact(goal), goal.terms[0]
        assert isinstance(who, Constant)
        among = self._linked(learned)
        if learned.ends:
            return any(
                player != who.value and plan.rule in among and fact in self.matcher.premises(plan)
                for player, plan in promising
            )
        return any(self._player(statement.by) == who.value for statement in self.matcher.lacking(fact, among))

    def _linked(self, goal: LearnedGoal) -> frozenset[str]:
        """Return the rules for goals with a value that plans for a goal may help or counter."""
        key = (goal.name, goal.ends)
        if key not in self.linked:
            theory, link = self.matcher.theory, counters if goal.ends else helps
            own = [rule for rule in self.matcher.rules if _game(rule) == goal.name]
            self.linked[key] = frozenset(
                rule.name
                for rule in self.matcher.rules
                if _game(rule) not in self.goals and link(theory, rule, own)
            )
        return self.linked[key]

    def _player(self, action: Atom) -> str:
        """Return the player of an action."""
        terms = (str(term.value) for term in action.terms if isinstance(term, Constant))
        answers = self.matcher.base.query(self.actor.condition.format(*terms))
        return str(answers.rows[0][answers.variables.index(WHO)])


def _game(rule: Rule) -> str:
    assert isinstance(rule.head, PlanStatement)
    return rule.head.game.predicate
