"""Matching of learned rules in states that are sets of facts, for any theory.

A rule answers in a state if its conditions hold there. They are evaluated together with the whole theory, or
with only the definitions of their conditions (`only_rules.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hornbook.compiler.match.only_rules import learned_rules_theory
from hornbook.compiler.match.position import Conclusion
from hornbook.compiler.match.states import StateQuery, in_parts
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, at_moment, statement_at
from hornbook.kb.ast.terms import (
    Atom,
    Condition,
    Constant,
    GameStatement,
    Rule,
    Statement,
    Variable,
    condition_variables,
    statements,
)
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.fact_states import EvaluatedState, FactStates
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.theories.protocols.games import RuleQuery


@dataclass(frozen=True, slots=True)
class _RuleAtMoment:
    """A rule for its conclusions at a moment."""

    rule: str
    head: Statement
    body: tuple[Condition, ...]


class FactMatcher:
    """Learned rules that are matched in states that are sets of facts.

    Args:
        theory: The theory of the rules.
        rules: The learned rules; plans are ignored.
        limits: The limits of each state.
        only_rules: Whether the rules are evaluated with the definitions of their conditions alone.
    """

    def __init__(
        self, theory: Theory, rules: Sequence[Rule], limits: Limits | None = None, *, only_rules: bool = False
    ) -> None:
        matched = tuple([rule for rule in rules if isinstance(rule.head, (Atom, GameStatement))])
        whole = replace(theory, rules=(*theory.rules, *matched))
        evaluated = learned_rules_theory(theory, matched) if only_rules else whole
        self._rules = [each for rule in matched for each in _at_moments(rule, theory)]
        self._states = FactStates(evaluated, (), [each.body for each in self._rules], limits or Limits())

    def conclusions(self, queries: Sequence[StateQuery]) -> list[list[Conclusion] | BaseException]:
        """Return for each state the conclusions of each rule, in the order of the rules.

        Several matches may have one conclusion. Then the first is returned, by the values of its variables.
        The conclusions are about the games of the query, or about everything if it has none. An error of a
        state takes the place of its conclusions.
        """
        known = list(map(in_parts, queries))
        states = [[fact for part in query.parts for fact in part.facts()] for query in known]
        return [
            found if isinstance(found, (KnowledgeBaseError, FactError)) else list(self._about(query, found))
            for query, found in zip(known, self._states.evaluate(states), strict=True)
        ]

    def _about(self, query: RuleQuery, state: EvaluatedState) -> Iterator[Conclusion]:
        games = {(game.predicate, game.terms) for game in query.games}
        for number, each in enumerate(self._rules):
            answers, seen = state.answers(number), set()
            places = [
                answers.variables.index(term.name) for term in each.head.terms if isinstance(term, Variable)
            ]
            for row in answers.rows:
                values = tuple([row[place] for place in places])
                if values in seen:
                    continue
                seen.add(values)
                bindings = dict(zip(answers.variables, map(Constant, row), strict=True))
                conclusion = apply_to_statement(each.head, bindings)
                assert isinstance(conclusion, (Atom, GameStatement))
                if not games or _game_of(conclusion) in games:
                    yield Conclusion(each.rule, conclusion, bindings, None)


def _game_of(statement: Statement) -> tuple[object, ...] | None:
    return (statement.game.predicate, statement.game.terms) if isinstance(statement, GameStatement) else None


def _at_moments(rule: Rule, theory: Theory) -> Iterator[_RuleAtMoment]:
    """Yield a rule for each moment of its conclusions."""
    plain = {v.name: Variable(v.name) for c in (rule.head, *rule.body) for v in condition_variables(c)}
    head = apply_to_statement(rule.head, plain)  # the variables of calculations get values, too
    body = tuple([apply_to_condition(condition, plain) for condition in rule.body])
    yield _RuleAtMoment(rule.name, head, body)
    vocabulary = theory.vocabulary
    mentioned = [head, *statements(body)]
    is_timeless = all(each.tense is None for each in mentioned)
    has_actions = any(each.kind == "action" for each in vocabulary.predicates.values())
    later = statement_at(head, "after", vocabulary)
    if is_timeless and has_actions and not rule.of_given and later != head:
        yield _RuleAtMoment(rule.name, later, tuple(at_moment(each, "after", vocabulary) for each in body))
