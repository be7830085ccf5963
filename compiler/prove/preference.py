"""Preference: of several derivations of a fact, the one by the first rule is explained.

Authors of theories put the rule with the fewest requirements first, and imported rules apply to wider domains
than their own. A rule base begins with the rules learned first. Explanations therefore do not depend on the
derivation order of an engine.
"""

from __future__ import annotations

from collections.abc import Mapping

from hornbook.compiler.generalise.explanation import Explanation, explain
from hornbook.kb.ast.terms import Statement
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.premises import premise_facts
from hornbook.matcher.program.coded import Derivation, Fact, RuleId


class Preferring:
    """A view of a knowledge base that explains each fact by the first of its rules."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.engine = base.engine
        files = list(dict.fromkeys(rule.span.file for rule in base.theory.rules))
        self.own = {file: -place for place, file in enumerate(files)}

    def explanation(self, goal: Statement) -> Explanation:
        """Return the explanation of a ground statement. Raise NotDerivedError if it does not hold."""
        fact = self.engine.true_fact(goal)
        try:
            return explain(self.engine, fact, self.derivation)
        except ValueError:
            # The first rules lead to a circular derivation.
            return explain(self.engine, fact, self._in_rounds(fact).get)

    def derivation(self, fact: Fact) -> Derivation | None:
        rules = self.engine.derived_by(fact)
        return self.engine.derivation(fact, min(rules, key=self._place)) if rules else None

    def _place(self, by: RuleId) -> tuple[bool, int, int]:
        index, rule, moment = self.engine.rule_of(by)
        # Facts after an action are regressed through the rules that describe its effects.
        timeless = moment is not None
        learned = index >= len(self.engine.theory.rules)
        # Imported rules precede the theory's own rules, and are considered after them.
        place = 1 if learned else self.own[rule.span.file]
        return timeless, place, index

    def _in_rounds(self, goal: Fact) -> Mapping[Fact, Derivation]:
        """Return the preferred derivation of each derived fact on which a goal may depend.

        It is the derivation by the first of the rules that derive the fact in the fewest rounds, starting
        from given facts.
        """
        waiting = {fact: self.engine.derivations(fact) for fact in self._reached(goal)}
        known = {fact for fact in waiting if self.engine.derivation(fact) is None}
        chosen: dict[Fact, Derivation] = {}
        while goal not in known:
            derivable = {
                fact: min(ready, key=lambda derivation: self._place(derivation.rule))
                for fact, derivations in waiting.items()
                if fact not in known and (ready := [d for d in derivations if known.issuperset(_premises(d))])
            }
            assert derivable, "what holds is derived from what is given"
            known |= derivable.keys()
            chosen |= derivable
        return chosen

    def _reached(self, goal: Fact) -> dict[Fact, None]:
        """Return all facts on which some derivation of a goal depends."""
        reached, todo = {goal: None}, [goal]
        while todo:
            fact = todo.pop()
            if self.engine.derivation(fact) is None:
                continue
            for derivation in self.engine.derivations(fact):
                for below in _premises(derivation):
                    if below not in reached:
                        reached[below] = None
                        todo.append(below)
        return reached


def _premises(derivation: Derivation) -> list[Fact]:
    return [fact for premise in derivation.premises for fact in premise_facts(premise)]
