"""Redundancy: rules from a predicate to itself that conclude nothing beyond its definition.

For example, a block with at least three liberties has at least two. This rule adds nothing to a definition of
"at least n", and a matcher can replace the predicate by its definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from hornbook.compiler.checker.certificate import ProofStep
from hornbook.compiler.checker.checker import RejectedError
from hornbook.compiler.witness.queries import Arithmetic
from hornbook.compiler.witness.search import replay
from hornbook.kb.ast.substitution import apply_to_condition, rename_rule
from hornbook.kb.ast.terms import (
    All,
    Atom,
    Comparison,
    Condition,
    Constant,
    CountIn,
    Rule,
    Term,
    Variable,
    condition_variables,
    outer_variables,
)
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.parse.syntax import Query


def is_redundant(rule: Rule, definition: Rule, theory: Theory) -> bool:
    """Return whether a rule from a predicate to itself concludes only what the predicate's definition
    concludes.

    The result holds for states without static facts besides those of the theory. It is False if neither the
    checker nor arithmetic proves it.
    """
    recursive = [c for c in rule.body if isinstance(c, Atom) and c.predicate == rule.head.relation]
    columns = [term.name for term in definition.head.terms if isinstance(term, Variable)]
    if len(recursive) != 1 or len(set(columns)) != len(definition.head.terms):
        return False
    stronger = dict(zip(columns, recursive[0].terms, strict=True))
    weaker = dict(zip(columns, rule.head.terms, strict=True))
    others = [c for c in rule.body if c is not recursive[0]]
    return _follows_by_replay(rule, others, definition, (stronger, weaker), theory) or _follows_by_numbers(
        others, definition, (stronger, weaker), theory
    )


_Uses = tuple[Mapping[str, Term], Mapping[str, Term]]
"""The terms for the variables of the definition's head: in the condition of the rule, and in its conclusion.
"""
_MARK = "~w"
"""The suffix of the definition's variables. No variable of the rule has it."""


def _follows_by_replay(
    rule: Rule, others: Sequence[Condition], definition: Rule, uses: _Uses, theory: Theory
) -> bool:
    """Return whether the checker proves that one application of the definition gives the rule's
    conclusion.
    """
    stronger, weaker = uses
    own = rename_rule(definition, lambda name: f"{name}{_MARK}")
    body = [
        apply_to_condition(c, {f"{name}{_MARK}": term for name, term in stronger.items()}) for c in own.body
    ]
    names = {v.name for v in outer_variables((definition.head, *definition.body))}
    terms: dict[str, Term] = {name: Variable(f"{name}{_MARK}") for name in names}
    terms |= weaker
    step = ProofStep(definition.name, "before", tuple(sorted(terms.items())))
    try:
        replay(replace(rule, body=(*body, *others)), [step], theory, {definition.name: definition})
    except RejectedError:
        return False
    return True


def _follows_by_numbers(others: Sequence[Condition], definition: Rule, uses: _Uses, theory: Theory) -> bool:
    """Return whether the conclusion follows, for each number that the theory states, by arithmetic on closed
    sets.

    Sizes of sets are not negative, and a subset is not larger than its set. The conditions of the definition
    that mention a changed variable must be facts of the theory and closed conditions. Each solution of the
    rule's other conditions by these facts is tried.
    """
    stronger, weaker = uses
    changed = {name for name in stronger if stronger[name] != weaker[name]}
    stated = {(s.predicate, s.terms) for s in theory.facts if isinstance(s, Atom)}
    statics = {s.predicate for s in theory.facts if isinstance(s, Atom) and _never_changes(s, theory)}
    of_changed = [c for c in definition.body if changed & {v.name for v in condition_variables(c)}]
    given = [c for c in of_changed if isinstance(c, Atom)]
    closed = [c for c in of_changed if isinstance(c, All)]
    joint = [*others, *(apply_to_condition(c, stronger) for c in given)]
    if len(given) + len(closed) != len(of_changed) or any(
        changed & {v.name for v in (*c.variables, *condition_variables(c.member))} for c in closed
    ):
        return False
    if not all(
        isinstance(c, Comparison) or (isinstance(c, Atom) and c.predicate in statics)
        for c in (*joint, *given)
    ):
        return False
    names = {v.name for c in joint for v in condition_variables(c)}
    if not {t.name for n in changed for t in (stronger[n], weaker[n]) if isinstance(t, Variable)} <= names:
        return False
    base = KnowledgeBase(replace(theory, rules=()), derivations="none")
    answers = base.engine.query(Query(tuple(joint), definition.span))
    for row in answers.rows:
        values = dict(zip(answers.variables, map(Constant, row), strict=True))
        before, after = (_at(use, changed, values) for use in (stronger, weaker))
        if any((c.predicate, apply_to_condition(c, after).terms) not in stated for c in given):
            return False
        if not all(_entailed(c.conditions, before, after, theory) for c in closed):
            return False
    return True


def _at(use: Mapping[str, Term], changed: Iterable[str], values: Mapping[str, Constant]) -> dict[str, Term]:
    """Return the values of the variables that change, from the values of the rule's variables."""
    terms = {name: use[name] for name in changed}
    return {name: values[t.name] if isinstance(t, Variable) else t for name, t in terms.items()}


def _entailed(
    conditions: Sequence[Condition], before: Mapping[str, Term], after: Mapping[str, Term], theory: Theory
) -> bool:
    """Return whether the comparisons on a member hold for the numbers `after` whenever they hold for
    `before`.
    """
    known = Arithmetic(_sizes(conditions, theory))
    for condition in conditions:
        if isinstance(condition, Comparison):
            known.add(_comparison(condition, before))
        elif {v.name for v in condition_variables(condition)} & before.keys():
            return False
    return all(known.entails(_comparison(c, after)) for c in conditions if isinstance(c, Comparison))


def _comparison(condition: Comparison, values: Mapping[str, Term]) -> Comparison:
    applied = apply_to_condition(condition, values)
    assert isinstance(applied, Comparison)
    return applied


def _sizes(conditions: Sequence[Condition], theory: Theory) -> Iterator[Comparison]:
    """Yield bounds for the sizes of sets in a member's conditions: not negative, and at most the size of a
    superset.
    """
    superset_sizes: dict[tuple[str, tuple[Term, ...]], Term] = {}
    for condition in conditions:
        if isinstance(condition, Atom):
            counted = theory.vocabulary.predicates[condition.predicate].counts
            if counted is not None:
                yield Comparison(">=", condition.terms[-1], Constant(0))
                if theory.vocabulary.predicates[condition.predicate].closes is not None:
                    superset_sizes[counted.name, condition.terms[:-1]] = condition.terms[-1]
    for condition in conditions:
        if isinstance(condition, CountIn):
            yield Comparison(">=", condition.result, Constant(0))
            (first, *more) = condition.sets
            size = superset_sizes.get(
                (first.predicate, first.terms[: len(first.terms) - len(condition.variables)])
            )
            if size is not None and not more:
                yield Comparison("<=", condition.result, size)


def _never_changes(statement: Atom, theory: Theory) -> bool:
    """Return whether the facts of a statement's predicate are exactly those of the theory and the state."""
    concluded = any(rule.head.relation == statement.predicate for rule in theory.rules)
    return theory.vocabulary.predicates[statement.predicate].kind == "static" and not concluded
