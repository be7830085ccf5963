"""Scopes: a conjunction, its direct conditions, and the variables that belong to it.

The outermost scope is the body of a rule with its head, or a query. Every `all`, `count`, aggregate and
`absent` opens an inner scope. A variable belongs to the outermost scope that contains it directly. Listed
variables (`all ?x in …`) always belong to the scope that the condition opens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbook.kb.ast import terms as t
from hornbook.matcher.program.dataclass import dataclass

Opener = t.All | t.CountIn | t.Aggregate | t.Absent


@dataclass(frozen=True, slots=True)
class VariableScope:
    """One conjunction. Its lists and dictionaries are never changed after construction.

    - `own`: The occurrences of each variable of this scope, also in inner scopes. Wildcards are not included.
    - `hiding`: The listed variables that enclosing scopes have too.
    """

    opener: Opener | None
    statements: list[t.Statement]
    comparisons: list[t.Comparison]
    inner: list[VariableScope]
    own: dict[str, list[t.Variable]]
    hiding: tuple[t.Variable, ...]

    def all_inner(self) -> Iterator[VariableScope]:
        """Yield the inner scopes at any depth."""
        for scope in self.inner:
            yield scope
            yield from scope.all_inner()


def outermost(conditions: Iterable[t.Condition], heads: Iterable[t.Statement] = ()) -> VariableScope:
    """Return the scope of a conjunction and of the statements that share its variables."""
    first = [term for head in heads for term in head.terms if isinstance(term, t.Variable)]
    scope, escaped = _read(None, conditions, first, frozenset())
    assert not escaped, escaped
    return scope


def _read(
    opener: Opener | None, conditions: Iterable[t.Condition], first: list[t.Variable], visible: frozenset[str]
) -> tuple[VariableScope, list[t.Variable]]:
    """Return a scope, and the variables in it that belong to outer scopes."""
    statements: list[t.Statement] = []
    comparisons: list[t.Comparison] = []
    openers: list[Opener] = []
    places = list(first)
    for condition in conditions:
        if isinstance(condition, t.Statement):
            statements.append(condition)
            places += t.condition_variables(condition)
        elif isinstance(condition, t.Comparison):
            comparisons.append(condition)
            places += t.condition_variables(condition)
        else:
            openers.append(condition)
            places += outer_variables(condition)
    direct = {place.name for place in places if not place.is_wildcard}
    listed = () if opener is None else t.listed_variables(opener)
    own_names = (direct - visible) | {variable.name for variable in listed if not variable.is_wildcard}
    inner: list[VariableScope] = []
    below = visible | direct
    for condition in openers:
        scope, escaped = _read(condition, inner_conditions(condition), inner_variables(condition), below)
        inner.append(scope)
        places += escaped
    own: dict[str, list[t.Variable]] = {}
    escaping: list[t.Variable] = []
    for place in places:
        if place.name in own_names:
            own.setdefault(place.name, []).append(place)
        elif not place.is_wildcard:
            escaping.append(place)
    hiding = tuple(variable for variable in listed if variable.name in visible)
    return VariableScope(opener, statements, comparisons, inner, own, hiding), escaping


# The parts of an opener outside and inside of its scope


def inner_conditions(opener: Opener) -> tuple[t.Condition, ...]:
    return () if isinstance(opener, t.CountIn) else opener.conditions


def outer_variables(opener: Opener) -> list[t.Variable]:
    """Return the variables of an opener in the enclosing scope: its result, keys and excluded terms."""
    listed = {variable.name for variable in t.listed_variables(opener)}
    result = [opener.result] if isinstance(opener, t.CountIn | t.Aggregate) else []
    keys = [term for term in _member_variables(opener) if term.name not in listed]
    excluded = opener.excluded if isinstance(opener, t.CountIn) else ()
    return [variable for node in (*result, *keys, *excluded) for variable in t.condition_variables(node)]


def inner_variables(opener: Opener) -> list[t.Variable]:
    """Return the variables of an opener in its own scope: the listed ones, and those of the members."""
    listed = t.listed_variables(opener)
    names = {variable.name for variable in listed}
    return [*listed, *(term for term in _member_variables(opener) if term.name in names)]


def _member_variables(opener: Opener) -> Iterator[t.Variable]:
    return (variable for atom in t.member_atoms(opener) for variable in t.condition_variables(atom))
