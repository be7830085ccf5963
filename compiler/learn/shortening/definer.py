"""The invented predicates for the parts of rules; equal parts of several rules share one predicate."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from hornbook.compiler.learn.shortening.parts import RulePart
from hornbook.compiler.rules.definitions import Definitions
from hornbook.compiler.witness.queries import sorts_of
from hornbook.kb.ast.declarations import Predicate, SortName
from hornbook.kb.ast.evaluation_order import in_order
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement
from hornbook.kb.ast.terms import (
    Atom,
    Condition,
    Constant,
    Rule,
    Term,
    Variable,
    leaves,
    predicate_of,
    statements,
)
from hornbook.kb.ast.theory import Vocabulary
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class NamedPart:
    """A part of a rule with its predicate.

    Attributes:
        condition: The condition of the rule that replaces the part.
        clause: The clause of the predicate.
        terms: The variables of the rule for those of the clause.
        parts: The parts inside it.
    """

    condition: Atom
    clause: Rule
    terms: Mapping[str, Term]
    parts: tuple[NamedPart, ...] = ()


class PartDefiner:
    """The invented predicates of one rule base, whose names and labels are free."""

    def __init__(self, words: Vocabulary, taken: Iterable[str], labels: Iterable[str]) -> None:
        self._words = words
        self._taken = {*words.predicates, *taken}
        self._labels = set(labels)
        self._predicates: dict[str, Predicate] = {}
        self._clauses: dict[str, Rule] = {}
        self._alike: dict[tuple[object, ...], list[Rule]] = {}

    def add(self, predicate: Predicate, clause: Rule) -> None:
        """Record a predicate of a rule base with its only clause."""
        self._predicates[predicate.name] = predicate
        self._clauses[predicate.name] = clause
        self._alike.setdefault(_form(clause.body), []).append(clause)
        self._taken.add(predicate.name)
        self._labels.add(clause.name)

    def definitions(self, used: Iterable[str]) -> Definitions:
        """Return the definitions of some predicates and of those that they depend on."""
        needed, todo = set[str](), [name for name in used if name in self._clauses]
        while todo:
            needed |= {*todo}
            below = {s.relation for name in todo for s in statements(self._clauses[name].body)}
            todo = [name for name in below if name in self._clauses and name not in needed]
        names = [name for name in self._predicates if name in needed]
        return Definitions(
            tuple(self._predicates[name] for name in names), tuple(self._clauses[name] for name in names)
        )

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._predicates)

    @property
    def clauses(self) -> tuple[Rule, ...]:
        return tuple(self._clauses.values())

    @property
    def words(self) -> Vocabulary:
        """The vocabulary with the invented predicates."""
        return replace(self._words, predicates={**self._words.predicates, **self._predicates})

    def named(self, rule: Rule, part: RulePart) -> tuple[Rule, tuple[NamedPart, ...], Mapping[str, Variable]]:
        """Return a rule with its parts replaced by conditions on their predicates, these parts, and the new
        wildcards of the rule.
        """
        sorts = sorts_of(rule, self._words)
        parts = tuple(self._named(rule, each, sorts) for each in part.parts)
        body = self._body(rule, part, parts)
        wildcards = _numbered_wildcards((rule.head, *body))
        return _with_wildcards(replace(rule, body=body), wildcards), parts, wildcards

    def _named(self, rule: Rule, part: RulePart, sorts: Mapping[str, str]) -> NamedPart:
        inner = tuple(self._named(rule, each, sorts) for each in part.parts)
        body = self._body(rule, part, inner)
        for clause in self._alike.get(_form(body), ()):
            terms = _renaming(clause, body, part.arguments)
            if terms is not None:
                condition = Atom(
                    predicate_of(clause.head), tuple(terms[v.name] for v in _variables(clause.head.terms))
                )
                return NamedPart(condition, clause, terms, inner)
        name = self._free_name(re.sub(r"\W", "_", part.name))
        predicate = Predicate(
            "derived", name, tuple(SortName(sorts[each]) for each in part.arguments), operational=True
        )
        arguments = tuple(map(Variable, part.arguments))
        label = next(
            each
            for each in (f"{name}_{n}" for n in range(1, 2 + len(self._labels)))
            if each not in self._labels
        )
        wildcards = _numbered_wildcards(body)
        clause = _with_wildcards(Rule(Atom(name, arguments), body, label), wildcards)
        self.add(predicate, clause)
        own: dict[str, Term] = {
            wildcards.get(v.name, v).name: v for c in (clause.head, *body) for v in _variables(leaves(c))
        }
        return NamedPart(Atom(name, arguments), clause, own, inner)

    def _body(self, rule: Rule, part: RulePart, parts: Sequence[NamedPart]) -> tuple[Condition, ...]:
        """Return the conditions of a part, each inner part at the place of its first condition."""
        placed: list[tuple[int, Condition]] = [(place, rule.body[place]) for place in part.conditions]
        placed += [
            (min(each.all_conditions()), named.condition)
            for each, named in zip(part.parts, parts, strict=True)
        ]
        ordered = [condition for _, condition in sorted(placed, key=lambda each: each[0])]
        return tuple(in_order(ordered))

    def _free_name(self, name: str) -> str:
        found, number = name, 2
        while found in self._taken:
            found, number = f"{name}_{number}", number + 1
        return found


def _numbered_wildcards(conditions: Iterable[Condition]) -> dict[str, Variable]:
    """Return the wildcards of a clause with their numbers in its text, from which they are read again."""
    found = dict.fromkeys(v.name for c in conditions for v in _variables(leaves(c)) if v.is_wildcard)
    return {name: Variable(f"_{number}") for number, name in enumerate(found, 1)}


def _with_wildcards(rule: Rule, wildcards: Mapping[str, Variable]) -> Rule:
    body = tuple(apply_to_condition(each, wildcards) for each in rule.body)
    return replace(rule, head=apply_to_statement(rule.head, wildcards), body=body)


def _form(body: Sequence[Condition]) -> tuple[object, ...]:
    """Return what the bodies of clauses that differ in their variables only have in common."""
    return tuple(sorted(str(_shape(condition)) for condition in body))


def _shape(condition: Condition) -> Condition:
    return apply_to_condition(condition, {v.name: Variable("_") for v in _variables(leaves(condition))})


def _renaming(clause: Rule, body: Sequence[Condition], arguments: Sequence[str]) -> dict[str, Term] | None:
    """Return the variables for those of a clause with which it has this body and at least these arguments."""
    columns = [v.name for v in _variables(clause.head.terms)]
    if len(columns) < len(arguments) or len(clause.body) != len(body):
        return None

    def search(
        rest: Sequence[Condition], waiting: tuple[Condition, ...], known: dict[str, str]
    ) -> dict[str, str] | None:
        if not rest:
            return known
        for each in dict.fromkeys(waiting):
            extended = _extended(rest[0], each, known)
            if extended is None:
                continue
            others = list(waiting)
            others.remove(each)
            found = search(rest[1:], tuple(others), extended)
            if found is not None:
                return found
        return None

    found = search(clause.body, tuple(body), {})
    if found is None or not {found[name] for name in columns} >= set(arguments):
        return None
    return {name: Variable(other) for name, other in found.items()}


def _extended(one: Condition, other: Condition, known: dict[str, str]) -> dict[str, str] | None:
    """Return a one-to-one renaming of variables that extends a known one and maps a condition to another."""
    if str(_shape(one)) != str(_shape(other)):
        return None
    found, back = dict(known), {name: each for each, name in known.items()}
    for mine, theirs in zip(leaves(one), leaves(other), strict=True):
        if isinstance(mine, Constant) or isinstance(theirs, Constant):
            if mine != theirs:
                return None
        elif (
            found.setdefault(mine.name, theirs.name) != theirs.name
            or back.setdefault(theirs.name, mine.name) != mine.name
        ):
            return None
    return found


def _variables(terms: Iterable[Term]) -> Iterator[Variable]:
    return (term for term in terms if isinstance(term, Variable))
