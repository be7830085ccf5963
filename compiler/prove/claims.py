"""The claims of a theory, to be proved as if each were a lemma.

A claim says of a word that has a meaning already what has to agree with it (compiler/trust/kinds.py), so it should follow from the
theory's other clauses. From all of them: with fewer there are fewer cases, and more seems to follow than does.
"""

from __future__ import annotations

from dataclasses import replace

from hornbook.compiler.rules.admission import Entry, RuleBase, rule_base
from hornbook.compiler.trust.kinds import kinds
from hornbook.compiler.trust.lemma_proofs import forms
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory


def claims_of(theory: Theory) -> list[Rule]:
    """The claims that a theory assumes; its lemmas are none."""
    assumed = theory.without_lemmas()
    return [rule for rule, kind in zip(assumed.rules, kinds(assumed), strict=True) if kind == "claim"]


def as_lemma(claim: Rule, theory: Theory) -> tuple[RuleBase, Theory]:
    """What is to be proved of a claim, and what from: all that the theory assumes besides."""
    assumed = theory.without_lemmas()
    others = replace(assumed, rules=tuple(rule for rule in assumed.rules if rule is not claim))
    said = [Entry(form, None, None) for form in forms(claim, theory.vocabulary)]
    return rule_base(theory.name, said), others
