"""Weakening: the removal of conditions that another condition implies by one rule of the theory.

For example, a block with at least three liberties has at least two. If a timeless rule of the theory states
this between two statements of the same operational predicate, the weaker condition becomes a step of the
proof.
"""

from __future__ import annotations

from dataclasses import replace

from hornbook.compiler.checker.certificate import ProofStep
from hornbook.compiler.generalise.equations import is_settled
from hornbook.compiler.generalise.unify import Unifier
from hornbook.kb.ast.substitution import apply_to_condition, rename_rule
from hornbook.kb.ast.terms import Atom, Comparison, Rule, Term, outer_variables
from hornbook.kb.ast.theory import Theory

_MARK = "~w"
"""The suffix of the variables of a rule of the theory. No variable of the proved rule has it."""


def without_weaker(rule: Rule, theory: Theory) -> tuple[Rule, tuple[ProofStep, ...]]:
    """Return the rule without conditions that another condition implies, and the steps that derive them.

    The steps are in the order in which a proof must apply them.
    """
    weakenings = _weakenings(theory)
    stated = {(s.predicate, s.terms) for s in theory.facts if isinstance(s, Atom)}
    remaining = list(rule.body)
    steps: list[ProofStep] = []
    for condition in rule.body:
        if isinstance(condition, Atom) and condition.predicate in weakenings:
            others = [
                c
                for c in remaining
                if c != condition and isinstance(c, Atom) and c.predicate == condition.predicate
            ]
            found = [
                step
                for other in others
                if (step := _step(weakenings[condition.predicate], condition, other, stated)) is not None
            ]
            if found:
                remaining.remove(condition)
                # A stronger condition may be removed later in favour of a still stronger one; that step must
                # come first.
                steps.insert(0, found[0])
    return replace(rule, body=tuple(remaining)), tuple(steps)


def _weakenings(theory: Theory) -> dict[str, Rule]:
    """Return for each operational predicate the last timeless rule from it to itself, if there is one.

    The variables of the rules are marked.
    """
    found = {}
    for rule in theory.rules:
        head = rule.head
        if (
            isinstance(head, Atom)
            and head.tense is None
            and theory.vocabulary.predicates[head.predicate].operational
        ) and any(isinstance(c, Atom) and c.predicate == head.predicate for c in rule.body):
            found[head.predicate] = rule
    return {name: rename_rule(rule, lambda name: f"{name}{_MARK}") for name, rule in found.items()}


def _step(
    own: Rule, weaker: Atom, stronger: Atom, stated: set[tuple[str, tuple[Term, ...]]]
) -> ProofStep | None:
    """Return the rule application that derives `weaker` from `stronger`; None if there is none.

    `stated` has the predicates and terms of the facts of the theory, which the other conditions of the rule
    may need.
    """
    unifier = Unifier()
    premise = next(c for c in own.body if isinstance(c, Atom) and c.predicate == weaker.predicate)
    if not (unifier.unify_statements(own.head, weaker) and unifier.unify_statements(premise, stronger)):
        return None
    if any(not name.endswith(_MARK) for name in unifier.bindings):
        return None  # it would hold only for some values of the conditions' own variables
    bound = {v.name: unifier.walk(v) for v in outer_variables((own.head, *own.body))}
    for condition in own.body:
        instance = apply_to_condition(condition, bound)
        if condition is premise:
            continue
        known = isinstance(instance, Atom) and (instance.predicate, instance.terms) in stated
        if not known and not (isinstance(instance, Comparison) and is_settled(instance)):
            return None
    terms = ((name.removesuffix(_MARK), term) for name, term in sorted(bound.items()))
    return ProofStep(own.name, "before", tuple(terms))


__all__ = ["without_weaker"]
