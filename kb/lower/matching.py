"""Rules prepared for matching: an engine with these rules, and the meaning of its numbers.

Invariants: Rule number i of the coding is `rules[i]`. The facts of the theory are in the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.lower.coding import CodedRuleId, Coding
from hornbook.kb.lower.errors import KnowledgeBaseError, described_error
from hornbook.kb.lower.fact_coder import FactCoder
from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.demand.engine import DemandEngine
from hornbook.matcher.program.coded import Fact, Limits, PredicateId, RuleId
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.engine import Statistics
from hornbook.matcher.program.errors import EngineError


@dataclass(frozen=True, slots=True)
class PreparedRules:
    """An engine with rules. Only its facts change."""

    theory: Theory
    rules: tuple[Rule, ...]
    coding: Coding
    engine: CompiledEngine | DemandEngine

    def coded(self, facts: Iterable[GroundFact]) -> frozenset[Fact]:
        """Return the facts in coded form. Raises FactError if one does not fit its declaration."""
        return frozenset(map(FactCoder(self.coding).fact, facts))

    def update(self, add: Iterable[Fact] = (), retract: Iterable[Fact] = ()) -> None:
        """Change the facts. Raises KnowledgeBaseError if they contradict the theory; then nothing changes."""
        try:
            self.engine.update(add=add, retract=retract)
        except EngineError as problem:
            raise self.fault(problem) from problem

    def fault(self, problem: EngineError) -> KnowledgeBaseError:
        return described_error(problem, self.coding, lambda rule: self.rules[rule.index])

    def rule(self, number: RuleId) -> Rule:
        """Return the rule of a coded rule."""
        assert isinstance(number, CodedRuleId)
        return self.rules[number.index]

    def changing(self) -> list[PredicateId]:
        """Return the predicates whose facts come and go: all without actions, otherwise those that are not
        static.
        """
        kinds = self.theory.vocabulary.predicates
        return [
            number
            for number, relation in enumerate(self.coding.relations)
            if len(self.coding.moments) == 1
            or kinds[relation.template.relation.partition(" ")[0]].kind != "static"
        ]


def prepared_rules(
    theory: Theory,
    rules: Sequence[Rule] | None = None,
    *,
    facts: Iterable[GroundFact] = (),
    statistics: Statistics | None = None,
    coding: Coding | None = None,
    limits: Limits | None = None,
    on_demand: bool = False,
) -> PreparedRules:
    """Return an engine with the rules of a theory, or with other rules over its vocabulary.

    Predicates that are declared `demanded` are derived completely, unless `on_demand` is set. The order of
    conditions is planned with `statistics` if given, or else with the given facts. Raises FactError and
    KnowledgeBaseError as a knowledge base does.
    """
    coding = coding or Coding(theory.vocabulary)
    used = theory.rules if rules is None else tuple(rules)
    limits = limits or Limits()
    if on_demand and coding.demanded:
        engine: CompiledEngine | DemandEngine = DemandEngine(
            coding.predicates,
            eager=True,
            spared=coding.demanded,
            derivations="none",
            statistics=statistics,
            limits=limits,
        )
    else:
        engine = CompiledEngine(coding.predicates, derivations="none", statistics=statistics, limits=limits)
    ready = PreparedRules(theory, used, coding, engine)
    ready.update(add=[*map(coding.fact_of, theory.facts), *ready.coded(facts)])
    try:
        engine.update(add_rules=[coded for i, rule in enumerate(used) for coded in coding.rule(i, rule)])
    except EngineError as problem:
        raise ready.fault(problem) from problem
    return ready
