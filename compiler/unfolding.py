"""Unfolding: a learned rule with what its operational predicates stand for, as a matcher reads it.

A learned rule may ask for an operational predicate as it is. To be asked of a state of which only the primitive
facts are given, each such condition is replaced by the body of the one timeless rule that defines it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compiler.unify import Unifier
from kb.evaluation_order import in_order
from kb.substitution import apply_to_condition, apply_to_statement, rename_rule
from kb.terms import All, Atom, Condition, Rule, Term, Variable, condition_variables
from kb.theory import Theory, Vocabulary


class UnfoldingError(ValueError):
    """An operational predicate that has no one definition."""


def unfolded(rule: Rule, theory: Theory) -> Rule:
    """The rule with definitions in place of operational predicates.

    Raises UnfoldingError where one of them is not defined by exactly one timeless rule.
    """
    body, bound = _of_one_key(_Unfolding(theory).conditions(rule.body), theory.vocabulary)
    head = apply_to_statement(rule.head, bound)
    return replace(rule, head=head, body=tuple(in_order(tuple(dict.fromkeys(body)))))


class _Unfolding:
    """The definitions of one theory, each use with variables of its own."""

    def __init__(self, theory: Theory) -> None:
        self.vocabulary = theory.vocabulary
        self.stated = {(s.predicate, s.terms) for s in theory.facts if isinstance(s, Atom)}
        self.rules = [r for r in theory.rules if isinstance(r.head, Atom) and r.head.tense is None]
        self.fresh = 0

    def conditions(self, conditions: Sequence[Condition]) -> tuple[Condition, ...]:
        return tuple(part for condition in conditions for part in self._condition(condition))

    def _condition(self, condition: Condition) -> tuple[Condition, ...]:
        if isinstance(condition, All):
            return (replace(condition, conditions=self.conditions(condition.conditions)),)
        if isinstance(condition, Atom) and self.vocabulary.predicates[condition.predicate].operational:
            return self._definition(condition)
        return (condition,)

    def _definition(self, condition: Atom) -> tuple[Condition, ...]:
        rules = [rule for rule in self.rules if _defines(rule, condition.predicate)]
        if len(rules) != 1:
            raise UnfoldingError(
                f"`{condition.predicate}` is defined by {len(rules)} timeless rules, not by one"
            )
        self.fresh += 1
        own = rename_rule(rules[0], lambda name, suffix=self.fresh: f"{name}~u{suffix}")  # type: ignore[misc]
        unifier = Unifier()
        if not unifier.unify_statements(own.head, condition):
            raise UnfoldingError(f"the rule `{rules[0].name}` never concludes such a `{condition.predicate}`")
        bound = {v.name: unifier.walk(v) for c in (own.head, *own.body) for v in condition_variables(c)}
        body = (apply_to_condition(c, bound) for c in own.body)
        # What the theory itself states need not be asked for.
        return self.conditions(
            [c for c in body if not (isinstance(c, Atom) and (c.predicate, c.terms) in self.stated)]
        )


def _defines(rule: Rule, predicate: str) -> bool:
    """Whether a rule says what a predicate stands for, and not what follows from the predicate itself."""
    said = (c.predicate for c in rule.body if isinstance(c, Atom))
    return rule.head.relation == predicate and predicate not in said


def _of_one_key(
    conditions: Sequence[Condition], vocabulary: Vocabulary
) -> tuple[tuple[Condition, ...], dict[str, Term]]:
    """The conditions with one value for each key, and what that put in place of variables."""
    unifier = Unifier()
    size = -1
    while size != len(unifier.bindings):
        size = len(unifier.bindings)
        values: dict[tuple[object, ...], tuple[Term, ...]] = {}
        for condition in conditions:
            if (
                isinstance(condition, Atom)
                and (key := vocabulary.predicates[condition.predicate].key) is not None
            ):
                terms = tuple(unifier.walk(t) for t in condition.terms)
                known = values.setdefault((condition.predicate, terms[:key]), terms[key:])
                for one, other in zip(terms[key:], known, strict=True):
                    unifier.unify(one, other)
    bound = {name: unifier.walk(Variable(name)) for name in unifier.bindings}
    return tuple(apply_to_condition(c, bound) for c in conditions), bound
