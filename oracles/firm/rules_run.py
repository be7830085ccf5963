"""Rules learned from the moments of the two years, compared with the simulator on random firms.

All conclusions of each rule about a firm and some amounts are collected. The simulator executes each: the
decision must be allowed, and for every tried demand the goal must be reached (GI) or missed (PI).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from hornbook.compiler.learn.learning import learn_all, read_examples
from hornbook.compiler.rules.admission import RuleBase
from hornbook.kb.ast.substitution import apply_to_statement, at_moment, statement_at
from hornbook.kb.ast.terms import Constant, GameStatement, Rule, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.parse.facts import ground_fact
from hornbook.theories.firm import adapter
from hornbook.theories.firm.states.company import Firm
from hornbook.theories.firm.states.simulator import NotAllowedError, decide
from oracles.firm.random_firms import DECISIONS, random_decision, random_firm
from oracles.firm.theory_run import goal_holds
from oracles.sums import Sums


@dataclass
class FirmRulesTally(Sums):
    """The results of a run."""

    firms: int = 0
    answered: int = 0
    """Number of firms with a conclusion."""
    conclusions: Counter[str] = field(default_factory=Counter)
    """Number of conclusions by rule."""
    values: Counter[str] = field(default_factory=Counter)
    """Number of conclusions by game and value."""
    derived: int = 0
    """Number of values that the theory derives for the executed decisions."""
    concluded: int = 0
    """The number of these values that rules also conclude."""
    not_concluded: Counter[str] = field(default_factory=Counter)
    """The number of the others, by game, value and decision."""
    wrong: list[str] = field(default_factory=list)
    """The wrong conclusions, as text."""


def learned(theory: Theory) -> list[Rule]:
    """Return the rules learned from the theory's own examples."""
    base = RuleBase(theory.name)
    assert theory.path is not None
    for step in learn_all(read_examples(theory.path, theory), theory, base):
        base = step.base
    return [entry.rule for entry in base]


class FirmRuleMatcher:
    """Rules prepared for matching against the firm whose facts a knowledge base has."""

    def __init__(self, base: KnowledgeBase, rules: Sequence[Rule]) -> None:
        self.base = base
        self.coded = []
        for rule in rules:
            body = tuple(at_moment(c, "before", base.theory.vocabulary) for c in rule.body)
            self.coded.append((rule, base.engine.coding.query(body)))

    def conclusions(self) -> Iterator[tuple[Rule, GameStatement]]:
        """Yield each rule with each of its conclusions, without variables."""
        for rule, coded in self.coded:
            named = {term.name for term in rule.head.terms if isinstance(term, Variable)}
            chosen = [c for c in zip(coded.names, coded.variables, coded.kinds, strict=True) if c[0] in named]
            for row in raw_engine(self.base).query(coded.conditions, [variable for _, variable, _ in chosen]):
                cells = zip(row, chosen, strict=True)
                values = {c[0]: Constant(self.base.engine.coding.value(cell, c[2])) for cell, c in cells}
                head = apply_to_statement(rule.head, values)
                assert isinstance(head, GameStatement)
                yield rule, head


def run(base: KnowledgeBase, rules: Sequence[Rule], seed: str, firms: int) -> FirmRulesTally:
    """Compare the conclusions of rules with the simulator on `firms` random firms.

    `base` is the theory without facts, and is unchanged afterwards.
    """
    random, tally = Random(seed), FirmRulesTally()
    matched = FirmRuleMatcher(base, rules)
    for _ in range(firms):
        firm = random_firm(random)
        decision = random_decision(firm, random)
        amounts = {random_decision(firm, random).values[-1] for _ in range(len(DECISIONS))} | {
            decision.values[-1]
        }
        firm = replace(firm, amounts=tuple(int(amount) for amount in sorted(amounts, key=int)))
        base.push()
        base.add([*adapter.facts(firm)])
        before, heads = tally.conclusions.total(), set()
        for rule, head in matched.conclusions():
            heads.add(head)
            tally.conclusions[rule.name] += 1
            tally.values[_value(head)] += 1
            if not has_stated_effect(head, firm, random):
                tally.wrong.append(f"{head} by {rule.name} of {firm}")
        tally.firms += 1
        tally.answered += tally.conclusions.total() > before
        base.add([decision])
        for head in _derived(base, decision):
            tally.derived += 1
            tally.concluded += head in heads
            tally.not_concluded[f"{_value(head)} by {decision.relation}"] += head not in heads
        base.pop()
    return tally


def _derived(base: KnowledgeBase, decision: GroundFact) -> Iterator[GameStatement]:
    """Yield the theory's conclusions about the executed decision, in the form of rule heads."""
    for relation in base.relations():
        if isinstance(relation, GameStatement) and relation.by is not None and relation.tense == "before":
            for statement in base.engine.statements(relation.relation, "before"):
                timeless = statement_at(statement, None, base.theory.vocabulary)
                assert isinstance(timeless, GameStatement)
                assert timeless.by is not None
                if ground_fact(timeless.by).values == decision.values:
                    yield timeless


def _value(head: GameStatement) -> str:
    assert isinstance(head.value, Constant)
    return f"{head.game.predicate} {head.value.value}"


def has_stated_effect(head: GameStatement, firm: Firm, random: Random) -> bool:
    """Return whether the decision of a conclusion is possible and has the stated effect."""
    assert head.by is not None
    assert isinstance(head.value, Constant)
    arguments = [term.value for term in head.by.terms if isinstance(term, Constant)]
    try:
        then = decide(firm, head.by.predicate, *arguments)
    except NotAllowedError:
        return False
    names = [str(term.value) for term in head.game.terms if isinstance(term, Constant)]
    return goal_holds(head.game.predicate, names, str(head.value.value), then, random)
