"""Footprints: the parts of a theory on which the proofs of learned rules depend.

Each certificate names its rules and declarations to the checker. If it proves a key or count, all rules that
conclude the relation belong to the proof too. Dependencies through other learned rules are included.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.rules.admission import RuleBase, RuleEntry
from hornbook.compiler.witness.queries import concluding_unnamed
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import Rule, statements
from hornbook.kb.ast.theory import Theory, counts_of
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Footprint:
    """The names of a theory's rules, of the games of its replies, and of its relations declared
    `observed`.
    """

    rules: frozenset[str] = frozenset()
    replies: frozenset[str] = frozenset()
    observed: frozenset[str] = frozenset()

    def __or__(self, other: Footprint) -> Footprint:
        return Footprint(
            self.rules | other.rules, self.replies | other.replies, self.observed | other.observed
        )


def footprint(certificates: Iterable[Certificate], theory: Theory) -> Footprint:
    """Return what certificates depend on directly."""
    return reduce(Footprint.__or__, (_of(each, theory) for each in certificates), Footprint())


def certificates_below(entries: Iterable[RuleEntry], base: RuleBase) -> list[Certificate]:
    """Return the certificates of rules, and of all rules on which these depend."""
    found: dict[str, Certificate] = {}
    todo = list(entries)
    while todo:
        entry = todo.pop()
        if entry.certificate is not None and entry.rule.name not in found:
            found[entry.rule.name] = entry.certificate
            todo += [base.entries[name] for name in entry.certificate.lemmas if name in base.entries]
    return list(found.values())


def _of(certificate: Certificate, theory: Theory) -> Footprint:
    named: dict[str, set[str]] = {}
    for name, _ in certificate.fingerprints:
        kind, _, subject = name.partition(" ")
        named.setdefault(kind, set()).add(subject)
    words = theory.vocabulary.predicates
    observed = {name for name in named.get("declaration", ()) if name in words and words[name].observed}
    concluding = {rule.name for rule in concluding_unnamed(certificate, theory)}
    return Footprint(
        frozenset(named.get("rule", set()) | concluding),
        frozenset(named.get("replies", ())),
        frozenset(observed),
    )


def matched(rules: Iterable[Rule], theory: Theory) -> frozenset[str]:
    """Return the names of the theory's rules that derive the conditions of rules, directly or indirectly.

    The answers of the rules depend on them, but the proofs need not.
    """
    counters = counts_of(theory.vocabulary)
    concluding: dict[str, list[Rule]] = {}
    for rule in theory.rules:
        if rule.head.tense != "after":
            concluding.setdefault(rule.head.relation, []).append(rule)
    found: dict[str, None] = {}
    todo = _read_relations(rules, counters)
    seen = set(todo)
    while todo:
        below = concluding.get(todo.pop(), [])
        found |= dict.fromkeys(rule.name for rule in below)
        new = set(_read_relations(below, counters)) - seen
        seen |= new
        todo += new
    return frozenset(found)


def _read_relations(rules: Iterable[Rule], counters: Mapping[str, Predicate]) -> list[str]:
    """Return the relations that rules read before an action, with those that count their sets."""
    names = {s.relation for rule in rules for s in statements(rule.body) if s.tense != "after"}
    return sorted(names | {counters[name].name for name in names if name in counters})
