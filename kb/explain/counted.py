"""The facts under the aggregates of a proof. Engines do not record them, so they are queried."""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.kb.ast.substitution import apply_to_condition, at_moment
from hornbook.kb.ast.terms import Aggregate, Rule
from hornbook.kb.lower.coding import CodedRuleId, Coding
from hornbook.matcher.program.coded import CodedCondition, Derivation, Fact, Match, Var
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.engine import Engine

MOST = 1000
"""The maximum number of answers of one aggregate that are followed in a proof."""


@dataclass(frozen=True, slots=True)
class AggregateFacts:
    """The facts of the first answers of an aggregate, each once, and the number of facts in the other
    answers.
    """

    facts: tuple[Fact, ...] = ()
    more: int = 0


NOTHING = AggregateFacts()


def facts_under_aggregates(
    derivation: Derivation, rule: Rule, coding: Coding, engine: Engine
) -> dict[int, AggregateFacts]:
    """Return the facts under the aggregates of a rule in a derivation, by their places in its body."""
    found: dict[int, AggregateFacts] = {}
    for place, condition in enumerate(rule.body):
        if isinstance(condition, Aggregate):
            assert isinstance(derivation.rule, CodedRuleId)
            met = apply_to_condition(condition, coding.substitution(derivation.rule, derivation.binding))
            read = [at_moment(c, derivation.rule.moment, coding.vocabulary) for c in met.conditions]
            found[place] = _facts(coding.query(read).conditions, engine)
    return found


def _facts(conditions: Sequence[CodedCondition], engine: Engine) -> AggregateFacts:
    matches = [condition for condition in conditions if isinstance(condition, Match)]
    variables = list(dict.fromkeys(v for match in matches for v in match.terms if isinstance(v, Var)))
    rows = engine.query(conditions, variables)
    facts: dict[Fact, None] = {}
    first = 0
    for number, row in enumerate(rows):
        cells = dict(zip(variables, row, strict=True))
        for match in matches:
            terms = (cells[term] if isinstance(term, Var) else term for term in match.terms)
            facts.setdefault(Fact(match.predicate, tuple(terms)))
        if number < MOST:
            first = len(facts)
    return AggregateFacts(tuple(facts)[:first], len(facts) - first)
