"""The sorts of a theory for the types of a domain.

A sort has no subsorts, so a sort is a whole hierarchy of types, and a static of one column says which of its
things are of a type. Hierarchies are joined if a column may have things of several of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from hornbook.planner.pddl.syntax import EQUALITY, OBJECT, PddlAction, PddlDomain, PddlLiteral
from hornbook.planner.translation.names import UniqueNames

Types = tuple[str, ...]
BUILT_IN = ("int", "value", "word", "date", "time", "decimal", "percent", "truth")
"""Names of sorts and of forms of values that a theory does not declare, and the sort of `yes` and `no`."""


class TypeSorts:
    """The sort of each type. The names of sorts are unique."""

    def __init__(self, domain: PddlDomain) -> None:
        self._domain = domain
        self._joined: dict[str, str] = {}
        """A disjoint-set forest of the types without a supertype other than `object`."""
        for each in domain.constants:
            self._join(each.types)
        for signature in (*domain.predicates.values(), *domain.functions.values()):
            for parameter in signature.parameters:
                self._join(parameter.types)
        for action in domain.actions:
            self._join_in(action)
        names = UniqueNames(BUILT_IN)
        roots = dict.fromkeys(self._root(name) for name in (*self._roots((OBJECT,)), OBJECT))
        self._names = {root: names.fresh(self._members(root)) for root in roots}

    def of(self, types: Types) -> str:
        """Return the sort of things that are of one of the types."""
        return self._names[self._root(next(iter(self._roots(types))))]

    def _join_in(self, action: PddlAction) -> None:
        types = {each.name: each.types for each in (*self._domain.constants, *action.parameters)}
        for each in action.parameters:
            self._join(each.types)
        self._join_equal(action.precondition, types)
        for effect in action.effects:
            for each in effect.parameters:
                self._join(each.types)
            inner = types | {each.name: each.types for each in effect.parameters}
            self._join_equal(effect.conditions, inner)

    def _join_equal(self, literals: Iterable[PddlLiteral], types: dict[str, Types]) -> None:
        for literal in literals:
            if literal.predicate == EQUALITY:
                self._join(tuple(kind for term in literal.terms for kind in types[term]))

    def _join(self, types: Types) -> None:
        first, *others = self._roots(types)
        for other in others:
            self._joined[self._root(other)] = self._root(first)

    def _roots(self, types: Types) -> list[str]:
        """Return the highest types of all hierarchies that contain one of these types."""
        if OBJECT in types:
            declared = [name for name, above in self._domain.types.items() if set(above) == {OBJECT}]
            return [OBJECT, *declared]
        above = {name for kind in types for name in self._domain.supertypes(kind)}
        return sorted(name for name in above - {OBJECT} if OBJECT in self._domain.types[name])

    def _root(self, name: str) -> str:
        while name in self._joined and self._joined[name] != name:
            name = self._joined[name]
        return name

    def _members(self, root: str) -> str:
        """Return a name for the sort of a joined hierarchy."""
        members = [name for name in self._roots((OBJECT,)) if self._root(name) == root]
        if OBJECT in members and len(members) > 1:
            return OBJECT
        return "_or_".join(members) if len(members) <= 3 else OBJECT
