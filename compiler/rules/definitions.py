"""Definitions of a rule base: invented predicates, with the clauses that define them.

A learned rule may have a condition on a predicate that its theory does not have. The rule base declares this
predicate and has all of its clauses. They define a new name and claim nothing about the theory, so they need
no certificate. The rules are proved from the theory extended by the definitions.

Invariants: every predicate is derived, and no predicate of the theory has its name. Every clause concludes
one of these predicates.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from hornbook.kb.ast.declarations import Clause, Predicate
from hornbook.kb.ast.once_per_theory import once_per_theory
from hornbook.kb.ast.substitution import apply_to_condition
from hornbook.kb.ast.terms import (
    Atom,
    Comparison,
    Condition,
    Rule,
    Term,
    Variable,
    condition_variables,
    statements,
)
from hornbook.kb.ast.theory import Theory
from hornbook.matcher.program.dataclass import dataclass

_CACHED = 8
"""The number of extended theories that are kept."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """A rule with its invented predicates replaced by their definitions.

    `uses` has each use of a clause: its name, and the terms of the rule for the variables of the clause.
    Inner uses precede outer ones.
    """

    rule: Rule
    uses: tuple[tuple[str, Mapping[str, Term]], ...] = ()


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

    @property
    def parts(self) -> dict[str, Rule]:
        """The clause of each predicate that names a part of a rule.

        It can replace a condition on the predicate. It is the only clause, mentions no moment, and has plain
        conditions only. Its arguments are different variables.
        """
        found: dict[str, list[Rule]] = {}
        for clause in self.clauses:
            found.setdefault(clause.head.relation, []).append(clause)
        return {
            name: clauses[0] for name, clauses in found.items() if len(clauses) == 1 and _is_part(clauses[0])
        }

    def expanded(self, rule: Rule) -> Expansion:
        """Return a rule that mentions no moment with all of its parts written out."""
        parts = self.parts
        if not any(s.relation in parts for s in statements(rule.body, nested=False)):
            return Expansion(rule)
        taken = {v.name for c in (rule.head, *rule.body) for v in condition_variables(c)}
        uses: list[tuple[str, Mapping[str, Term]]] = []

        def written_out(conditions: Iterable[Condition]) -> list[Condition]:
            found: list[Condition] = []
            for condition in conditions:
                clause = parts.get(condition.predicate) if isinstance(condition, Atom) else None
                if clause is None or not isinstance(condition, Atom):
                    found.append(condition)
                    continue
                terms = {
                    v.name: term
                    for v, term in zip(clause.head.terms, condition.terms, strict=True)
                    if isinstance(v, Variable)
                }
                for variable in (v for c in clause.body for v in condition_variables(c)):
                    if variable.name not in terms:
                        terms[variable.name] = Variable(_free_name(variable.name, taken))
                found += written_out(apply_to_condition(each, terms) for each in clause.body)
                uses.append((clause.name, terms))
            return found

        body = tuple(dict.fromkeys(written_out(rule.body)))
        return Expansion(replace(rule, body=body), tuple(uses))

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
        invented = tuple(dict.fromkeys((*theory.invented, *more)))
        found = replace(theory, vocabulary=vocabulary, rules=rules, invented=invented)
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
        invented = tuple(name for name in theory.invented if name not in names)
        return replace(theory, vocabulary=replace(words, predicates=kept), rules=rules, invented=invented)


def _is_part(clause: Rule) -> bool:
    terms = clause.head.terms
    return (
        all(isinstance(condition, (Atom, Comparison)) for condition in clause.body)
        and all(isinstance(term, Variable) for term in terms)
        and len(set(terms)) == len(terms)
        and not any(s.tense for s in (clause.head, *statements(clause.body)))
    )


def _free_name(name: str, taken: set[str]) -> str:
    """Return a name of a variable that is not taken, and take it."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    taken.add(found)
    return found


@once_per_theory
def _invented(theory: Theory) -> Definitions:
    """Return the definitions of the invented predicates of a theory."""
    names = frozenset(theory.invented)
    predicates = tuple(theory.vocabulary.predicates[name] for name in theory.invented)
    return Definitions(predicates, tuple(rule for rule in theory.rules if rule.head.relation in names))


def written_out(rule: Rule, theory: Theory) -> Rule:
    """Return a rule with all of its parts written out; the theory has the definitions of their predicates.

    Matchers use this form: it has the variables, and so the bindings, of the rule as it was learned.
    """
    return _invented(theory).expanded(rule).rule if theory.invented else rule


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
