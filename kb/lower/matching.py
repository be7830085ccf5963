"""Rules prepared for matching: an engine with these rules, and the meaning of its numbers.

Always true: the rule number i of the coding is `rules[i]`, and the theory's own facts are in the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.lower.coding import CodedRuleId, Coding
from hornbook.kb.lower.fact_coder import FactCoder
from hornbook.kb.lower.faults import KnowledgeBaseError, fault
from hornbook.kb.lower.guarded_engine import GuardedEngine
from hornbook.matcher.compiled.engine import Engine, Statistics
from hornbook.matcher.program.coded import Fact, Limits, PredicateId, RuleId
from hornbook.matcher.program.errors import EngineError


@dataclass(frozen=True, slots=True)
class Matching:
    """An engine with rules. Its facts change, everything else stays."""

    theory: Theory
    rules: tuple[Rule, ...]
    coding: Coding
    engine: Engine

    def coded(self, facts: Iterable[GroundFact]) -> frozenset[Fact]:
        """Facts as the engine knows them. Raises FactError where one does not fit its declaration."""
        return frozenset(map(FactCoder(self.coding).fact, facts))

    def update(self, add: Iterable[Fact] = (), retract: Iterable[Fact] = ()) -> None:
        """Raises KnowledgeBaseError where the facts contradict the theory; then nothing has changed."""
        try:
            self.engine.update(add=add, retract=retract)
        except EngineError as problem:
            raise self.fault(problem) from problem

    def fault(self, problem: EngineError) -> KnowledgeBaseError:
        return fault(problem, self.coding, lambda rule: self.rules[rule.index])

    def rule(self, number: RuleId) -> Rule:
        """The rule that a coded rule is a reading of."""
        assert isinstance(number, CodedRuleId)
        return self.rules[number.index]

    def changing(self) -> list[PredicateId]:
        """The predicates whose facts come and go: without an action all, with one those that are not static."""
        kinds = self.theory.vocabulary.predicates
        return [
            number
            for number, relation in enumerate(self.coding.relations)
            if len(self.coding.moments) == 1
            or kinds[relation.template.relation.partition(" ")[0]].kind != "static"
        ]


def matching(
    theory: Theory,
    rules: Sequence[Rule] | None = None,
    *,
    facts: Iterable[GroundFact] = (),
    statistics: Statistics | None = None,
    coding: Coding | None = None,
    limits: Limits | None = None,
    on_demand: bool = False,
) -> Matching:
    """The rules of a theory, or others in its words, ready to be matched against facts. What the theory declares `demanded` is
    concluded whole, or `on_demand` as a knowledge base does.

    The order of conditions is planned by `statistics` where there are some, and else by the facts given here.
    Raises FactError and KnowledgeBaseError as a knowledge base does.
    """
    coding = coding or Coding(theory.vocabulary)
    kept = theory.rules if rules is None else tuple(rules)
    limits = limits or Limits()
    if on_demand and coding.demanded:
        engine: Engine = GuardedEngine(
            coding.predicates,
            spared=coding.demanded,
            derivations="none",
            statistics=statistics,
            limits=limits,
        )
    else:
        engine = Engine(coding.predicates, derivations="none", statistics=statistics, limits=limits)
    ready = Matching(theory, kept, coding, engine)
    ready.update(add=[*map(coding.fact_of, theory.facts), *ready.coded(facts)])
    try:
        engine.update(add_rules=[coded for i, rule in enumerate(kept) for coded in coding.rule(i, rule)])
    except EngineError as problem:
        raise ready.fault(problem) from problem
    return ready
