"""Preference: which of several derivations of a fact is explained, namely that by the first of the rules.

A theory writer puts the rule that asks least first, and what he imports is of a wider world than his own; a rule
base has the rule that was learned first in front. So explanations do not depend on what an engine happened to
derive first.
"""

from __future__ import annotations

from collections.abc import Mapping

from hornbook.compiler.generalise.explanation import Explanation, explain
from hornbook.kb.ast.terms import Statement
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.proof import premise_facts
from hornbook.matcher.program.coded import Derivation, Fact, RuleId


class Preferring:
    """A knowledge base whose recorded derivation of a fact is that by the first of its rules."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        files = list(dict.fromkeys(rule.span.file for rule in base.theory.rules))
        self.own = {file: -place for place, file in enumerate(files)}

    def explanation(self, goal: Statement) -> Explanation:
        """Why a ground statement holds. Raises NotDerivedError where it does not."""
        base = self.base
        fact = base.fact_that_holds(goal)
        try:
            return explain(base, fact, self.derivation)
        except ValueError:
            # The first rules lead round in a circle.
            return explain(base, fact, self._in_rounds(fact).get)

    def derivation(self, fact: Fact) -> Derivation | None:
        rules = self.base.derived_by(fact)
        return self.base.derivation(fact, min(rules, key=self._place)) if rules else None

    def _place(self, by: RuleId) -> tuple[bool, int, int]:
        index, rule, moment = self.base.rule_of(by)
        # What holds after an action is regressed by what says how the action changes it.
        timeless = moment is not None
        learned = index >= len(self.base.theory.rules)
        # What a theory imports stands before its own rules, and is asked after them.
        place = 1 if learned else self.own[rule.span.file]
        return timeless, place, index

    def _in_rounds(self, goal: Fact) -> Mapping[Fact, Derivation]:
        """For each derived fact that a goal may rest on, the derivation by the first of the rules that give it soonest: from
        what is given in one round, from that in the next, and so on.
        """
        waiting = {fact: self.base.derivations(fact) for fact in self._reached(goal)}
        known = {fact for fact in waiting if self.base.derivation(fact) is None}
        chosen: dict[Fact, Derivation] = {}
        while goal not in known:
            now = {
                fact: min(ready, key=lambda derivation: self._place(derivation.rule))
                for fact, derivations in waiting.items()
                if fact not in known and (ready := [d for d in derivations if known.issuperset(_premises(d))])
            }
            assert now, "what holds is derived from what is given"
            known |= now.keys()
            chosen |= now
        return chosen

    def _reached(self, goal: Fact) -> dict[Fact, None]:
        """All facts that some derivation of a goal rests on."""
        reached, todo = {goal: None}, [goal]
        while todo:
            fact = todo.pop()
            if self.base.derivation(fact) is None:
                continue
            for derivation in self.base.derivations(fact):
                for below in _premises(derivation):
                    if below not in reached:
                        reached[below] = None
                        todo.append(below)
        return reached


def _premises(derivation: Derivation) -> list[Fact]:
    return [fact for premise in derivation.premises for fact in premise_facts(premise)]
