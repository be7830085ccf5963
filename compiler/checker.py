"""The certificate checker: does a learned rule follow from its theory?

Every step of a certificate must be an instance of a rule whose conditions are established (compiler/context.py
says by what), and the learned rule's own conclusion must be among what the steps conclude. A lemma has a
smaller rank than what rests on it, so no proof goes round in a circle; and whatever a certificate rests on must
be named in it and still be what it was.

This file and those that it stands on (context, established, congruence, entailment) trust nothing that the
learner says, share nothing with it and use no engine. The checker says yes, or where the proof breaks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from compiler.certificate import (
    Certificate,
    Step,
    fingerprint_of_declaration,
    fingerprint_of_facts,
    fingerprint_of_rule,
    relied_on,
)
from compiler.context import Context, shared_variables
from compiler.established import RejectedError
from kb.check import check_rules
from kb.printer import print_condition
from kb.substitution import apply_to_condition, apply_to_statement, rename_rule
from kb.terms import GameStatement, Rule, Variable, condition_variables, statements
from kb.theory import Theory


@dataclass(frozen=True, slots=True)
class Lemma:
    """A learned rule that is certified itself, with the rank of its certificate."""

    rule: Rule
    rank: int


def verify(
    rule: Rule, certificate: Certificate, theory: Theory, lemmas: Mapping[str, Lemma] | None = None
) -> None:
    """Replays a certificate. Returns when the rule follows from the theory; raises RejectedError otherwise.

    The lemmas must have been verified themselves, in order of rank.
    """
    lemmas = lemmas or {}
    if certificate.of != fingerprint_of_rule(rule):
        raise RejectedError("the rule was edited since it was certified")
    wrong = [d for d in check_rules([rule], theory.vocabulary) if d.severity == "error"]
    if wrong:
        raise RejectedError(f"it is not a rule of the theory's language: {wrong[0].message}")
    wildcards = Counter(v.name for v in _variables(rule) if v.is_wildcard)
    if any(count > 1 for count in wildcards.values()):
        raise RejectedError(
            "it is not a rule of the theory's language: a wildcard is one thing in two places"
        )
    _check_fingerprints(certificate, theory, lemmas)
    sources = _sources(certificate, theory, lemmas)
    named = {name for name, _ in certificate.fingerprints}
    for predicate in relied_on([rule, *sources.values()], theory.vocabulary):
        if f"declaration {predicate.name}" not in named:
            raise RejectedError(
                f"the certificate does not name the declaration `{predicate.name}`, on which it rests"
            )
    replay(rule, certificate.steps, theory, sources).refuse_empty_ranges()


def replay(rule: Rule, steps: Sequence[Step], theory: Theory, sources: Mapping[str, Rule]) -> Context:
    """What is established once the steps are replayed; raises RejectedError where the rule does not follow.

    `sources` are the rules that the steps apply, by name. A rule that can never apply may pass, but for one
    that makes one thing of two: `verify` refuses it.
    """
    try:
        return _replay_all(rule, steps, theory, sources)
    except RecursionError:
        raise RejectedError("its conditions are nested too deeply to be checked") from None


def _replay_all(rule: Rule, steps: Sequence[Step], theory: Theory, sources: Mapping[str, Rule]) -> Context:
    used = [sources[name] for name in dict.fromkeys(step.rule for step in steps)]
    context = Context.of(rule, theory, _relations([rule, *used]))
    context.refuse_contradiction()
    # A timeless rule without an action is read at any one moment, so its proof may not speak of two.
    one_moment = is_timeless(rule) and not (isinstance(rule.head, GameStatement) and rule.head.by)
    for number, step in enumerate(steps, 1):
        _replay(number, step, sources[step.rule], context, one_moment=one_moment)
    if not context.established(rule.head, rule.head.tense or "before"):
        raise RejectedError(f"no step concludes the rule's own conclusion `{print_condition(rule.head)}`")
    return context


def _variables(rule: Rule) -> Iterator[Variable]:
    """The variables of a rule, as often as they stand in it."""
    for condition in (rule.head, *rule.body):
        yield from condition_variables(condition)


def _relations(rules: Iterable[Rule]) -> set[str]:
    return {s.relation for rule in rules for s in (rule.head, *statements(rule.body))}


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
            present = fingerprint_of_declaration(theory.vocabulary.predicates[what], theory.vocabulary)
        elif kind == "facts":
            present = fingerprint_of_facts(theory)
        if present is None:
            raise RejectedError(f"the {kind} `{what}` that the certificate rests on is no longer there")
        if present != made:
            raise RejectedError(f"the {kind} `{what}` was changed since the rule was certified")
    if "facts static" not in {name for name, _ in certificate.fingerprints}:
        raise RejectedError("the certificate does not name the theory's static facts, on which it rests")


def _sources(certificate: Certificate, theory: Theory, lemmas: Mapping[str, Lemma]) -> dict[str, Rule]:
    """The rules and lemmas that the steps apply, by name."""
    named = {name for name, _ in certificate.fingerprints}
    found: dict[str, Rule] = {}
    for name in dict.fromkeys(step.rule for step in certificate.steps):
        if f"rule {name}" in named:
            rules = [rule for rule in theory.rules if rule.name == name]
            if len(rules) != 1:
                raise RejectedError(
                    f"{len(rules)} rules of the theory are called `{name}`: give each a label"
                )
            found[name] = rules[0]
        elif f"lemma {name}" in named:
            lemma = lemmas[name]
            if lemma.rank >= certificate.rank:
                raise RejectedError(
                    f"the lemma `{name}` has rank {lemma.rank}, not below {certificate.rank}: lemmas must not"
                    " lean on each other"
                )
            found[name] = lemma.rule
        else:
            raise RejectedError(f"the certificate uses `{name}` without its fingerprint")
    return found


def is_timeless(rule: Rule) -> bool:
    return not any(s.tense for s in (rule.head, *statements(rule.body)))


def _replay(number: int, step: Step, source: Rule, context: Context, *, one_moment: bool) -> None:
    where = f"step {number}, rule `{step.rule}`"
    if not is_timeless(source):
        if step.moment is not None:
            raise RejectedError(f"{where}: it says its own moments")
        if one_moment:
            raise RejectedError(
                f"{where}: it speaks of moments, and the learned rule holds at any one moment"
            )
    given = dict(step.substitution)
    missing = sorted(shared_variables(source) - given.keys())
    if missing:
        # Left open, it could stand for one thing in one condition and for another in the next.
        raise RejectedError(f"{where}: the step does not say what `?{missing[0]}` stands for")
    for term in given.values():
        if isinstance(term, Variable) and term.name not in context.fixed:
            raise RejectedError(f"{where}: `?{term.name}` is no variable of the learned rule")
    # The source's variables get names that no learned rule can have, so nothing is ever captured.
    own = rename_rule(source, lambda name: f"{name}@")
    substitution = {f"{name}@": term for name, term in step.substitution}
    for condition in own.body:
        instance = apply_to_condition(condition, substitution)
        if not context.holds([instance], {}, step.moment):
            raise RejectedError(f"{where}: {context.reason(instance, step.moment)}")
        context.asked.append((instance, step.moment))
    context.establish(apply_to_statement(own.head, substitution), step.moment)
    context.refuse_contradiction()
