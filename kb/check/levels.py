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
    GameStatement,
    Statement,
    Variable,
    condition_variables,
    listed_variables,
    member_atoms,
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
            places += condition_variables(condition)
        elif isinstance(condition, Comparison):
            comparisons.append(condition)
            places += condition_variables(condition)
        else:
            openers.append(condition)
            places += outer_variables(condition)
    direct = {place.name for place in places if not place.is_wildcard}
    listed = () if opener is None else listed_variables(opener)
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


def inner_conditions(opener: Opener) -> tuple[Condition, ...]:
    return () if isinstance(opener, CountIn) else opener.conditions


def outer_variables(opener: Opener) -> list[Variable]:
    """The variables of an opener that stand in the level around it: its result, keys and excluded terms."""
    listed = {variable.name for variable in listed_variables(opener)}
    result = [opener.result] if isinstance(opener, CountIn | Aggregate) else []
    keys = [term for term in _member_variables(opener) if term.name not in listed]
    excluded = opener.excluded if isinstance(opener, CountIn) else ()
    return [variable for node in (*result, *keys, *excluded) for variable in condition_variables(node)]


def inner_variables(opener: Opener) -> list[Variable]:
    """The variables of an opener that stand in the level which it opens: those listed, and the members'."""
    listed = listed_variables(opener)
    names = {variable.name for variable in listed}
    return [*listed, *(term for term in _member_variables(opener) if term.name in names)]


def _member_variables(opener: Opener) -> Iterator[Variable]:
    return (variable for atom in member_atoms(opener) for variable in condition_variables(atom))
