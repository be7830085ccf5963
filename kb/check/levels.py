"""Levels: a conjunction with what stands directly in it, and whose a variable is.

The outermost level is a rule's body with its head, or a query; every `all`, `count`, aggregate and `absent`
opens a level inside. A variable belongs to the outermost level in which it stands directly; what an opener
lists (`all ?x in …`) always belongs to the level that it opens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    All,
    Atom,
    Comparison,
    Condition,
    CountIn,
    Expression,
    GameStatement,
    Statement,
    Term,
    Variable,
    expression_variables,
)

Opener = All | CountIn | Aggregate | Absent


@dataclass(frozen=True, slots=True)
class Level:
    """One conjunction. Neither lists nor dictionaries in it are ever changed after it is made.

    `own`: every place where one of this level's variables stands, here or in levels inside; wildcards are in
    none. `hiding`: the variables that the opener lists although the enclosing levels have them too.
    """

    opener: Opener | None
    statements: list[Statement]
    comparisons: list[Comparison]
    inner: list[Level]
    own: dict[str, list[Variable]]
    hiding: tuple[Variable, ...]

    def all_inner(self) -> Iterator[Level]:
        """The levels inside, at any depth."""
        for level in self.inner:
            yield level
            yield from level.all_inner()


def outermost(conditions: Iterable[Condition], heads: Iterable[Statement] = ()) -> Level:
    """The level of a conjunction and of the statements that share its variables."""
    first = [term for head in heads for term in head.terms if isinstance(term, Variable)]
    level, escaped = _read(None, conditions, first, frozenset())
    assert not escaped, escaped
    return level


def _read(
    opener: Opener | None, conditions: Iterable[Condition], first: list[Variable], visible: frozenset[str]
) -> tuple[Level, list[Variable]]:
    """A level, and the variables in it that belong to levels outside."""
    statements: list[Statement] = []
    comparisons: list[Comparison] = []
    openers: list[Opener] = []
    places = list(first)
    for condition in conditions:
        if isinstance(condition, Atom | GameStatement):
            statements.append(condition)
            places += [term for term in condition.terms if isinstance(term, Variable)]
        elif isinstance(condition, Comparison):
            comparisons.append(condition)
            places += expression_variables(condition.left)
            places += expression_variables(condition.right)
        else:
            openers.append(condition)
            places += outer_variables(condition)
    direct = {place.name for place in places if not place.is_wildcard}
    listed = listed_variables(opener)
    own_names = (direct - visible) | {variable.name for variable in listed if not variable.is_wildcard}
    inner: list[Level] = []
    below = visible | direct
    for condition in openers:
        level, escaped = _read(condition, inner_conditions(condition), inner_variables(condition), below)
        inner.append(level)
        places += escaped
    own: dict[str, list[Variable]] = {}
    escaping: list[Variable] = []
    for place in places:
        if place.name in own_names:
            own.setdefault(place.name, []).append(place)
        elif not place.is_wildcard:
            escaping.append(place)
    hiding = tuple(variable for variable in listed if variable.name in visible)
    return Level(opener, statements, comparisons, inner, own, hiding), escaping


# What of an opener stands outside of the level that it opens, and what inside


def listed_variables(opener: Opener | None) -> tuple[Variable, ...]:
    """The variables between the opener's word and `in` or `where`."""
    return () if opener is None or isinstance(opener, Absent) else opener.variables


def inner_conditions(opener: Opener) -> tuple[Condition, ...]:
    return () if isinstance(opener, CountIn) else opener.conditions


def member_atoms(opener: Opener) -> tuple[Atom, ...]:
    """The atoms whose closed sets an opener reads."""
    match opener:
        case All():
            return (opener.member,)
        case CountIn():
            return opener.sets
        case _:
            return ()


def outer_variables(opener: Opener) -> list[Variable]:
    """The variables of an opener that stand in the level around it: its result, keys and excluded terms."""
    listed = {variable.name for variable in listed_variables(opener)}
    keys = [
        term for atom in member_atoms(opener) for term in _variables(atom.terms) if term.name not in listed
    ]
    match opener:
        case CountIn():
            return [*_result_variables(opener.result), *keys, *_variables(opener.excluded)]
        case Aggregate():
            return _result_variables(opener.result)
        case _:
            return keys


def inner_variables(opener: Opener) -> list[Variable]:
    """The variables of an opener that stand in the level which it opens: those listed, and the members'."""
    listed = listed_variables(opener)
    names = {variable.name for variable in listed}
    members = [term for atom in member_atoms(opener) for term in _variables(atom.terms) if term.name in names]
    return [*listed, *members]


def _variables(terms: Iterable[Term]) -> Iterator[Variable]:
    return (term for term in terms if isinstance(term, Variable))


def _result_variables(result: Expression) -> list[Variable]:
    return list(expression_variables(result))
