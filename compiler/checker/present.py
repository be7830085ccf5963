"""What a theory has now of all that certificates name: its rules by name, and the fingerprint of each thing.

Made once for a theory, which never changes, however many certificates are compared with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hornbook.compiler.checker.certificate import (
    fingerprint_of_declaration,
    fingerprint_of_facts,
    fingerprint_of_replies,
    fingerprint_of_rule,
)
from hornbook.compiler.checker.steps import Source
from hornbook.kb.ast.once_per_theory import once_per_theory
from hornbook.kb.ast.theory import Theory


@dataclass(frozen=True, slots=True)
class Present:
    """`sources` has the rules of each name, of which there should be one; `fingerprints` are by kind and name, with a space
    between, as certificates have them: of several rules of one name that of the last.
    """

    sources: Mapping[str, tuple[Source, ...]]
    fingerprints: Mapping[str, str]


@once_per_theory
def present(theory: Theory) -> Present:
    sources: dict[str, tuple[Source, ...]] = {}
    for rule in theory.rules:
        sources[rule.name] = (*sources.get(rule.name, ()), Source.of(rule))
    words = theory.vocabulary
    fingerprints = {f"rule {rule.name}": fingerprint_of_rule(rule) for rule in theory.rules}
    for name, predicate in words.predicates.items():
        fingerprints[f"declaration {name}"] = fingerprint_of_declaration(predicate, words)
    for replies in reversed(theory.replies):  # the first clause on a game is the one that is read
        fingerprints[f"replies {replies.game.predicate}"] = fingerprint_of_replies(replies)
    fingerprints["facts static"] = fingerprint_of_facts(theory)
    return Present(sources, fingerprints)
