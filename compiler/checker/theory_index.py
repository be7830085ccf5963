"""An index of a theory for the comparison with certificates: its rules by name and all fingerprints.

It is built once for each theory, because theories are immutable.
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
from hornbook.compiler.checker.steps import AppliedRule
from hornbook.kb.ast.once_per_theory import once_per_theory
from hornbook.kb.ast.theory import Theory


@dataclass(frozen=True, slots=True)
class TheoryIndex:
    """A theory index.

    `sources` has the rules of each name; there should be one. The keys of `fingerprints` are a kind and a
    name, separated by a space, as in certificates. If several rules have the same name, the fingerprint is
    that of the last one.
    """

    sources: Mapping[str, tuple[AppliedRule, ...]]
    fingerprints: Mapping[str, str]


@once_per_theory
def theory_index(theory: Theory) -> TheoryIndex:
    sources: dict[str, tuple[AppliedRule, ...]] = {}
    for rule in theory.rules:
        sources[rule.name] = (*sources.get(rule.name, ()), AppliedRule.of(rule))
    words = theory.vocabulary
    fingerprints = {f"rule {rule.name}": fingerprint_of_rule(rule) for rule in theory.rules}
    for name, predicate in words.predicates.items():
        fingerprints[f"declaration {name}"] = fingerprint_of_declaration(predicate, words)
    for replies in reversed(theory.replies):  # the first clause about a game counts
        fingerprints[f"replies {replies.game.predicate}"] = fingerprint_of_replies(replies)
    fingerprints["facts static"] = fingerprint_of_facts(theory)
    return TheoryIndex(sources, fingerprints)
