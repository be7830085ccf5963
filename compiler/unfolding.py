"""Unfolding: a learned rule with what its operational predicates stand for, as a matcher reads it.

A learned rule may ask for an operational predicate as it is. To be asked of a state of which only the primitive
facts are given, each such condition is replaced by the body of the one timeless rule that defines it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compiler.echoes import without_echoes
from compiler.unify import Unifier
from kb.evaluation_order import in_order
from kb.substitution import apply_to_condition, apply_to_statement, rename_rule
from kb.terms import All, Atom, Condition, Rule, Term, Variable, condition_variables, statements
from kb.theory import Theory, Vocabulary
from matcher.hornbook_error import HornbookError


class UnfoldingError(HornbookError, ValueError):
    """An operational predicate that has no one definition."""


def definitions(rule: Rule, theory: Theory) -> tuple[Rule, ...]:
    """The timeless rules by which a matcher derives what an unfolded rule asks for, with all that they rest on."""
    rules = [r for r in theory.rules if isinstance(r.head, Atom) and r.head.tense is None]
    wanted = {s.relation for s in statements(rule.body)}
    found: dict[str, Rule] = {}
    while wanted:
        new = [each for each in rules if each.head.relation in wanted and each.name not in found]
        found |= {each.name: each for each in new}
        wanted = {s.relation for each in new for s in statements(each.body)}
    return tuple(each for each in rules if each.name in found)


def unfolded(rule: Rule, theory: Theory) -> Rule:
    """The rule with definitions in place of operational predicates, but for those that no one body can stand for: they
    have several definitions, or rest on what is derived in its turn, and a matcher derives them.
    """
    body, bound = _of_one_key(_Unfolding(theory).conditions(rule.body), theory.vocabulary)
    head = apply_to_statement(rule.head, bound)
    own = frozenset(v.name for c in (rule.head, *rule.body) for v in condition_variables(c))
    plain = without_echoes(tuple(dict.fromkeys(body)), own)
    return replace(rule, head=head, body=tuple(in_order(plain)))


class _Unfolding:
    """The definitions of one theory, each use with variables of its own."""

    def __init__(self, theory: Theory) -> None:
        self.vocabulary = theory.vocabulary
        self.stated = {(s.predicate, s.terms) for s in theory.facts if isinstance(s, Atom)}
        self.rules = [r for r in theory.rules if isinstance(r.head, Atom) and r.head.tense is None]
        self.fresh = 0
        self._replaced: dict[str, Rule | None] = {}

    def conditions(self, conditions: Sequence[Condition]) -> tuple[Condition, ...]:
        return tuple(part for condition in conditions for part in self._condition(condition))

    def _condition(self, condition: Condition) -> tuple[Condition, ...]:
        if isinstance(condition, All):
            return (replace(condition, conditions=self.conditions(condition.conditions)),)
        if isinstance(condition, Atom) and self.vocabulary.predicates[condition.predicate].operational:
            defined = self._definition(condition.predicate)
            return (condition,) if defined is None else self._body(condition, defined)
        return (condition,)

    def _definition(self, predicate: str) -> Rule | None:
        """The one rule whose body can be put in place of a predicate, if there is one."""
        if predicate not in self._replaced:
            rules = [rule for rule in self.rules if _defines(rule, predicate, self.vocabulary)]
            if not rules:
                raise UnfoldingError(f"no timeless rule defines `{predicate}`")
            self._replaced[predicate] = None  # what rests on itself is not replaced
            derived = {rule.head.relation for rule in self.rules}
            asked = derived & {s.relation for s in statements(rules[0].body)}
            plain = len(rules) == 1 and all(
                self.vocabulary.predicates[name].operational and self._definition(name) is not None
                for name in asked
            )
            self._replaced[predicate] = rules[0] if plain else None
        return self._replaced[predicate]

    def _body(self, condition: Atom, defined: Rule) -> tuple[Condition, ...]:
        """What stands for a condition, by the rule that defines it."""
        self.fresh += 1
        own = rename_rule(defined, lambda name, suffix=self.fresh: f"{name}~u{suffix}")  # type: ignore[misc]
        unifier = Unifier()
        if not unifier.unify_statements(own.head, condition):
            raise UnfoldingError(f"the rule `{defined.name}` never concludes such a `{condition.predicate}`")
        bound = {v.name: unifier.walk(v) for c in (own.head, *own.body) for v in condition_variables(c)}
        body = (apply_to_condition(c, bound) for c in own.body)
        # What the theory itself states need not be asked for.
        return self.conditions(
            [c for c in body if not (isinstance(c, Atom) and (c.predicate, c.terms) in self.stated)]
        )


def _defines(rule: Rule, predicate: str, vocabulary: Vocabulary) -> bool:
    """Whether a rule says what a predicate stands for, and not only what is weaker of it by what never changes."""
    said = [c.predicate for c in rule.body if isinstance(c, Atom)]
    weakens = predicate in said and not any(
        vocabulary.predicates[name].has_tense for name in said if name != predicate
    )
    return rule.head.relation == predicate and not weakens


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
