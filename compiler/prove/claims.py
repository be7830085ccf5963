"""The claims of a theory as proof obligations, as if each were a lemma.

A claim asserts something about a word that already has a meaning (compiler/trust/kinds.py). It should
therefore follow from the other clauses of the theory. All of these are needed: with fewer clauses there are
fewer cases, and a claim could seem to follow although it does not.
"""

from __future__ import annotations

from dataclasses import replace

from hornbook.compiler.rules.admission import RuleBase, RuleEntry, rule_base
from hornbook.compiler.trust.kinds import kinds
from hornbook.compiler.trust.lemma_proofs import forms
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory


def claims_of(theory: Theory) -> list[Rule]:
    """Return the claims that a theory assumes; lemmas are not claims."""
    assumed = theory.without_lemmas()
    return [rule for rule, kind in zip(assumed.rules, kinds(assumed), strict=True) if kind == "claim"]


def as_lemma(claim: Rule, theory: Theory) -> tuple[RuleBase, Theory]:
    """Return the proof obligations of a claim, and the theory of all other assumptions."""
    assumed = theory.without_lemmas()
    others = replace(assumed, rules=tuple(rule for rule in assumed.rules if rule is not claim))
    entries = [RuleEntry(form, None, None) for form in forms(claim, theory.vocabulary)]
    return rule_base(theory.name, entries), others
