"""Hand-written learned rules and certificates, for the tests of the learner and the checker."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from hornbook.compiler.checker.certificate import (
    Certificate,
    ProofStep,
    fingerprint_of_rule,
    relied_on,
)
from hornbook.compiler.checker.checker import Lemma, verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.generalise.certification import fingerprints
from hornbook.compiler.witness.search import completed
from hornbook.kb.ast.terms import Constant, Rule, Tense, Term, Variable
from hornbook.kb.ast.theory import Theory
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse


def theory_of(text: str) -> Theory:
    return load_text(f"theory made.\n{text}")


def rule_of(text: str) -> Rule:
    """Return one rule; its default label is `learned`."""
    parsed = parse(text if ":" in text.split("(", maxsplit=1)[0] else f"learned: {text}", "learned.horn")
    assert not parsed.diagnostics, parsed.diagnostics
    (rule,) = parsed.clauses
    assert isinstance(rule, Rule)
    return rule


def step(rule: str, moment: Tense | None = "before", **terms: str | int) -> ProofStep:
    """Return a step; terms that begin with `?` are variables. `_1` and so on are the rule's wildcards."""
    return ProofStep(rule, moment, tuple((name, _term(value)) for name, value in terms.items()))


def _term(value: str | int) -> Term:
    return Variable(value[1:]) if isinstance(value, str) and value.startswith("?") else Constant(value)


def certificate_of(
    rule: Rule,
    steps: Sequence[ProofStep],
    theory: Theory,
    lemmas: Mapping[str, Lemma] | None = None,
    *,
    rank: int = 1,
) -> Certificate:
    """Return the certificate that names everything that the steps use, whether or not they prove the rule."""
    lemmas = lemmas or {}
    names = {s.rule for s in steps}
    rules = [r for r in theory.rules if r.name in names]
    lemma_rules = [lemma.rule for name, lemma in lemmas.items() if name in names]
    declared = relied_on([rule, *rules, *lemma_rules], theory.vocabulary)
    sources = {each.name: each for each in (*rules, *lemma_rules)}
    steps_only = Certificate(rank, fingerprint_of_rule(rule), tuple(steps), ())
    made, proved = completed(rule, steps_only, theory, sources)
    prints = fingerprints(theory, rules, lemma_rules, declared, proved=proved)
    return replace(made, fingerprints=prints)


def rejection(
    rule: Rule | str,
    steps: Iterable[ProofStep],
    theory: Theory,
    lemmas: Mapping[str, Lemma] | None = None,
    *,
    rank: int = 1,
) -> str:
    """Return why the checker rejects a rule with these steps; empty if it accepts it."""
    known = rule_of(rule) if isinstance(rule, str) else rule
    try:
        verify(known, certificate_of(known, tuple(steps), theory, lemmas, rank=rank), theory, lemmas)
    except RejectedError as problem:
        return str(problem)
    return ""
