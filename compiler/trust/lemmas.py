"""The proved lemmas of a theory, with the number of steps in their certificates and the clauses on which they
depend.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce

from hornbook.compiler.trust.footprint import Footprint, certificates_below, footprint
from hornbook.compiler.trust.lemma_proofs import forms, lemma_base
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ProvedLemma:
    """A lemma that a theory uses.

    `steps` has the number of steps in each of its certificates. `rests_on` includes dependencies through
    other lemmas.
    """

    rule: Rule
    steps: tuple[int, ...]
    rests_on: Footprint


def proved_lemmas(theory: Theory) -> dict[str, ProvedLemma]:
    """Return the lemmas that a theory uses, by name."""
    used = [rule for rule in theory.rules if rule.lemma]
    if not used:
        return {}
    base, assumed = lemma_base(theory), theory.without_lemmas()
    found = {}
    for rule in used:
        entries = [base.entries[form.name] for form in forms(rule, theory.vocabulary)]
        steps = tuple(len(e.certificate.all_steps) for e in entries if e.certificate is not None)
        found[rule.name] = ProvedLemma(rule, steps, footprint(certificates_below(entries, base), assumed))
    return found


def through_lemmas(found: Footprint, lemmas: Mapping[str, ProvedLemma]) -> Footprint:
    """Return a footprint with each lemma replaced by the footprint of its proof."""
    plain = replace(found, rules=found.rules - lemmas.keys())
    return reduce(Footprint.__or__, (lemmas[name].rests_on for name in found.rules & lemmas.keys()), plain)
