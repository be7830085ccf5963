"""The lemmas that a theory uses: those whose stored proofs the checker accepts.

The verdict is cached for the theory and its proofs, so loading a theory need not import and run the checker
again.
"""

from __future__ import annotations

from dataclasses import replace

from hornbook.compiler.rules.verdict_cache import program
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.ast.theory_digest import theory_digest
from hornbook.kb.sources.cache import key, recall, remember


def proved(theory: Theory) -> dict[str, Rule]:
    """Return the proved lemmas of a theory that uses none yet, by name, each with the states of its
    validity.
    """
    if not theory.proofs:
        return {}
    place = key("lemmas", program(), theory_digest(theory), theory.proofs)
    known = recall(place)
    if known is not None:
        return {
            rule.name: replace(rule, of_given=of_given, alone=frozenset(inverted))
            for rule in theory.lemmas
            for of_given, inverted in ([known[rule.name]] if rule.name in known else ())
        }
    from hornbook.compiler.trust.lemma_proofs import accepted, lemma_base  # noqa: PLC0415 - slow to import

    base = lemma_base(theory)
    found = accepted(base, theory)
    if not any(entry.refused for entry in base):
        remember({place: {name: [rule.of_given, sorted(rule.alone)] for name, rule in found.items()}})
    return found
