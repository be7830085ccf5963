"""Definitions of a rule base: invented predicates, with the clauses that define them.

A learned rule may have a condition on a predicate that its theory does not have. The rule base declares this
predicate and has all of its clauses. They define a new name and claim nothing about the theory, so they need
no certificate. The rules are proved from the theory extended by the definitions.

Invariants: every predicate is derived, and no predicate of the theory has its name. Every clause concludes
one of these predicates.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from hornbook.kb.ast.declarations import Clause, Predicate
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.matcher.program.dataclass import dataclass

_CACHED = 8
"""The number of extended theories that are kept."""


@dataclass(frozen=True, slots=True)
class Definitions:
    """Invented predicates and their clauses, each predicate before its clauses."""

    predicates: tuple[Predicate, ...] = ()
    clauses: tuple[Rule, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.predicates)

    @property
    def names(self) -> frozenset[str]:
        """The names of the predicates."""
        return frozenset(predicate.name for predicate in self.predicates)

    def is_clause(self, rule: Rule) -> bool:
        """Return whether a rule of a rule base is a clause of these predicates.

        A rule that concludes such a predicate after an action is none: it is learned, and has a certificate.
        """
        return rule.head.relation in self.names and rule.head.tense != "after"

    def without(self, names: Collection[str]) -> Definitions:
        """Return the definitions of the other predicates."""
        predicates = tuple(each for each in self.predicates if each.name not in names)
        return Definitions(predicates, tuple(c for c in self.clauses if c.head.relation not in names))

    def joined(self, others: Definitions) -> Definitions:
        """Return these definitions and those of other predicates."""
        return Definitions((*self.predicates, *others.predicates), (*self.clauses, *others.clauses))

    def extended(self, theory: Theory) -> Theory:
        """Return the theory with these predicates and clauses; a theory that has them is returned as it is.

        Other clauses of the predicates are replaced. The result for the same theory is the same object, so
        that caches of theories recognise it.
        """
        words = theory.vocabulary
        names = self.names
        if all(words.predicates.get(each.name) == each for each in self.predicates):
            present = {rule for rule in theory.rules if rule.head.relation in names}
            if present == set(self.clauses):
                return theory
        for known, definitions, found in _extended:
            if known is theory and definitions == self:
                return found
        more = {predicate.name: predicate for predicate in self.predicates}
        rules = (*(rule for rule in theory.rules if rule.head.relation not in names), *self.clauses)
        vocabulary = replace(words, predicates={**words.predicates, **more})
        found = replace(theory, vocabulary=vocabulary, rules=rules)
        _extended[:] = [*_extended, (theory, self, found)][-_CACHED:]
        return found

    def merged(self, other: Definitions) -> Definitions:
        """Return these definitions with those of other predicates."""
        more = [each for each in other.predicates if each.name not in self.names]
        names = {each.name for each in more}
        clauses = (each for each in other.clauses if each.head.relation in names)
        return Definitions((*self.predicates, *more), (*self.clauses, *clauses))

    def conflicts(self, other: Definitions) -> frozenset[str]:
        """Return the predicates that both define, with other columns or other clauses."""
        found = set()
        for one in self.predicates:
            for two in (each for each in other.predicates if each.name == one.name):
                clauses = [
                    {replace(c, label=None) for c in each.clauses if c.head.relation == one.name}
                    for each in (self, other)
                ]
                if replace(one, says=None) != replace(two, says=None) or clauses[0] != clauses[1]:
                    found.add(one.name)
        return frozenset(found)

    def removed(self, theory: Theory) -> Theory:
        """Return the theory without these predicates and their clauses."""
        words, names = theory.vocabulary, self.names
        if names.isdisjoint(words.predicates):
            return theory
        kept = {name: predicate for name, predicate in words.predicates.items() if name not in names}
        rules = tuple(rule for rule in theory.rules if rule.head.relation not in names)
        return replace(theory, vocabulary=replace(words, predicates=kept), rules=rules)


NO_DEFINITIONS = Definitions()

_extended: list[tuple[Theory, Definitions, Theory]] = []


def definitions_in(clauses: Iterable[Clause]) -> Definitions:
    """Return the definitions among the clauses of a file or text of rules."""
    listed = list(clauses)
    predicates = tuple(each for each in listed if isinstance(each, Predicate))
    declared = Definitions(predicates)
    return Definitions(
        predicates, tuple(each for each in listed if isinstance(each, Rule) and declared.is_clause(each))
    )
