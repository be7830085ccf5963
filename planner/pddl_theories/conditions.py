"""Conditions of rules as literals of PDDL, and the conditions under which effects miss an atom.

The fluents of a theory change by rules without negation, so the rules state under which conditions an atom is
not deleted: for each effect that deletes atoms of the predicate, an argument differs or a condition fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.pddl.syntax import EQUALITY, PddlEffect, PddlLiteral, TypedName, is_variable

MOST_ALTERNATIVES = 12
"""The maximal number of alternatives of one action; beyond it, absences are used."""


@dataclass(frozen=True, slots=True)
class NoneOf:
    """The condition that no values of the variables that occur only here satisfy all of the literals.

    `typed` are these variables with their types.
    """

    literals: tuple[PddlLiteral, ...]
    typed: tuple[TypedName, ...]


Condition = PddlLiteral | NoneOf
Conjunction = tuple[Condition, ...]


def negated(literal: PddlLiteral) -> PddlLiteral:
    return replace(literal, positive=not literal.positive)


def equal(left: str, right: str, *, positive: bool = True) -> PddlLiteral:
    return PddlLiteral(EQUALITY, (left, right), positive)


def substituted(literal: PddlLiteral, terms: dict[str, str]) -> PddlLiteral:
    return replace(literal, terms=tuple(terms.get(term, term) for term in literal.terms))


def simplified(conditions: Iterable[Condition]) -> Conjunction | None:
    """Return the conditions without repetitions and without those that always hold, or None if they never
    hold together.
    """
    found: dict[Condition, None] = {}
    for each in conditions:
        if isinstance(each, PddlLiteral):
            truth = _constant_truth(each)
            if truth is False or negated(each) in found:
                return None
            if truth is True:
                continue
        found.setdefault(each)
    return tuple(found)


def _constant_truth(literal: PddlLiteral) -> bool | None:
    """Return whether an equality always holds (True) or never (False)."""
    if literal.predicate != EQUALITY:
        return None
    left, right = literal.terms
    if left == right:
        return literal.positive
    if not is_variable(left) and not is_variable(right):
        return not literal.positive
    return None


def misses(
    effects: Sequence[PddlEffect],
    terms: Sequence[str],
    known: PddlLiteral | None,
    is_of: Callable[[str, tuple[str, ...]], bool],
) -> list[Conjunction]:
    """Return alternatives. One of them holds if and only if no effect is about the atom with these terms.

    The effects have one predicate and one polarity. The variables of `forall` do not occur in the terms.
    `known` is a literal that holds, if there is one. `is_of` returns whether a term has some types.
    """
    hits = [_hit(effect, terms, known, is_of) for effect in effects]
    possible = [hit for hit in hits if hit is not None]
    ways = [list(_failures(literals, typed)) for literals, typed in possible]
    if prod(map(len, ways)) > MOST_ALTERNATIVES:
        ways = [[NoneOf(literals, typed)] for literals, typed in possible]
    found = (simplified(chosen) for chosen in product(*ways))
    return _without_subsumed([each for each in found if each is not None])


def _without_subsumed(alternatives: list[Conjunction]) -> list[Conjunction]:
    """Return the alternatives without those that have all conditions of another one, and more."""
    unique = {frozenset(each): each for each in reversed(alternatives)}
    return [each for key, each in reversed(unique.items()) if not any(other < key for other in unique)]


Hit = tuple[tuple[PddlLiteral, ...], tuple[TypedName, ...]]


def _hit(
    effect: PddlEffect,
    terms: Sequence[str],
    known: PddlLiteral | None,
    is_of: Callable[[str, tuple[str, ...]], bool],
) -> Hit | None:
    """Return the conditions under which an effect is about the atom, with their other variables; or None if
    it never is.
    """
    own = {each.name: each for each in effect.parameters}
    values: dict[str, str] = {}
    literals: list[PddlLiteral] = []
    for argument, term in zip(effect.literal.terms, terms, strict=True):
        if argument in own and argument not in values:
            values[argument] = term
            if not is_of(term, own[argument].types):
                literals.append(type_test(own[argument].types, term))
        else:
            literals.append(equal(term, values.get(argument, argument)))
    literals += (substituted(each, values) for each in effect.conditions)
    literals = [each for each in literals if each != known]
    simple = simplified(literals)
    if simple is None or (known is not None and negated(known) in simple):
        return None
    rest = tuple(each for name, each in own.items() if name not in values)
    return tuple(each for each in simple if isinstance(each, PddlLiteral)), rest


def _failures(literals: Sequence[PddlLiteral], typed: Sequence[TypedName]) -> Iterator[Condition]:
    """Yield conditions. One of them holds if and only if the literals do not hold together."""
    names = {each.name for each in typed}
    together = tuple(each for each in literals if names.intersection(each.terms))
    yield from (negated(each) for each in literals if not names.intersection(each.terms))
    if typed:
        yield NoneOf(together, tuple(typed))


TYPE = "type of "
"""The beginning of the predicate of a type test, which no predicate of PDDL has."""


def type_test(types: tuple[str, ...], term: str) -> PddlLiteral:
    """Return the literal that a thing is of one of the types."""
    return PddlLiteral(TYPE + " ".join(types), (term,))


def tested_types(literal: PddlLiteral) -> tuple[str, ...] | None:
    """Return the types of a type test, or None for another literal."""
    if not literal.predicate.startswith(TYPE):
        return None
    return tuple(literal.predicate.removeprefix(TYPE).split(" "))
