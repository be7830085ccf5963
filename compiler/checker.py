"""The certificate checker: does a learned rule follow from its theory?

Every step of a certificate must be an instance of a rule whose conditions are established (compiler/context.py
says by what), and the last conclusion must be the learned rule's own. A lemma has a smaller rank than what
rests on it, so no proof goes round in a circle; and whatever a certificate names must still be what it was.

This file and the two that it stands on (context, entailment) trust nothing that the learner says, share
nothing with it and use no engine. The checker says yes, or where the proof breaks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compiler.certificate import (
    Certificate,
    Step,
    fingerprint_of_declaration,
    fingerprint_of_facts,
    fingerprint_of_rule,
)
from compiler.context import Context, RejectedError, is_some
from kb.printer import print_condition
from kb.substitution import apply_to_condition, apply_to_statement, rename_rule
from kb.terms import GameStatement, Rule, Variable, statements
from kb.theory import Theory


@dataclass(frozen=True, slots=True)
class Lemma:
    """A learned rule that is certified itself, with the rank of its certificate."""

    rule: Rule
    rank: int


def verify(
    rule: Rule, certificate: Certificate, theory: Theory, lemmas: Mapping[str, Lemma] | None = None
) -> None:
    """Replays a certificate. Returns when the rule follows from the theory; raises RejectedError otherwise."""
    lemmas = lemmas or {}
    if certificate.of != fingerprint_of_rule(rule):
        raise RejectedError("the rule was edited since it was certified")
    _check_fingerprints(certificate, theory, lemmas)
    context = Context(theory)
    context.assume(rule)
    # A timeless rule without an action is read at any one moment, so its proof may not speak of two.
    one_moment = _is_timeless(rule) and not (isinstance(rule.head, GameStatement) and rule.head.by)
    for number, step in enumerate(certificate.steps, 1):
        source = _source(step, certificate, theory, lemmas)
        _replay(number, step, source, context, one_moment=one_moment)
    context.refuse_contradiction()
    moment = rule.head.tense or "before"
    if not context.established(rule.head, moment):
        raise RejectedError(f"no step concludes the rule's own conclusion `{print_condition(rule.head)}`")


def _check_fingerprints(certificate: Certificate, theory: Theory, lemmas: Mapping[str, Lemma]) -> None:
    rules = {rule.name: rule for rule in theory.rules}
    for name, made in certificate.fingerprints:
        kind, _, what = name.partition(" ")
        present = None
        if kind == "rule" and what in rules:
            present = fingerprint_of_rule(rules[what])
        elif kind == "lemma" and what in lemmas:
            present = fingerprint_of_rule(lemmas[what].rule)
        elif kind == "declaration" and what in theory.vocabulary.predicates:
            present = fingerprint_of_declaration(theory.vocabulary.predicates[what])
        elif kind == "facts":
            present = fingerprint_of_facts(theory)
        if present is None:
            raise RejectedError(f"the {kind} `{what}` that the certificate rests on is no longer there")
        if present != made:
            raise RejectedError(f"the {kind} `{what}` was changed since the rule was certified")


def _source(step: Step, certificate: Certificate, theory: Theory, lemmas: Mapping[str, Lemma]) -> Rule:
    named = {name for name, _ in certificate.fingerprints}
    if f"rule {step.rule}" in named:
        rules = [rule for rule in theory.rules if rule.name == step.rule]
        if len(rules) != 1:
            raise RejectedError(
                f"{len(rules)} rules of the theory are called `{step.rule}`: give each a label"
            )
        return rules[0]
    if f"lemma {step.rule}" in named:
        lemma = lemmas[step.rule]
        if lemma.rank >= certificate.rank:
            raise RejectedError(
                f"the lemma `{step.rule}` has rank {lemma.rank}, not below {certificate.rank}: lemmas must not lean on each other"
            )
        return lemma.rule
    raise RejectedError(f"the certificate uses `{step.rule}` without its fingerprint")


def _is_timeless(rule: Rule) -> bool:
    return not any(s.tense for s in (rule.head, *statements(rule.body)))


def _replay(number: int, step: Step, source: Rule, context: Context, *, one_moment: bool) -> None:
    if not _is_timeless(source):
        if step.moment is not None:
            raise RejectedError(f"step {number}: `{step.rule}` says its own moments")
        if one_moment:
            raise RejectedError(f"step {number}: `{step.rule}` is of one moment, and the learned rule of any")
    # The source's variables get names that no learned rule can have, so nothing is ever captured.
    own = rename_rule(source, lambda name: f"{name}@")
    substitution = {f"{name}@": term for name, term in step.substitution}
    for condition in own.body:
        instance = apply_to_condition(condition, substitution)
        if not is_some(context.solve([instance], {}, step.moment)):
            raise RejectedError(f"step {number}, rule `{step.rule}`: {context.reason(instance, step.moment)}")
    head = apply_to_statement(own.head, substitution)
    if any(isinstance(term, Variable) and term.name.endswith("@") for term in head.terms):
        raise RejectedError(f"step {number}: the substitution leaves variables of `{step.rule}` open")
    context.establish(head, step.moment)
    context.refuse_contradiction()
