"""Condensation: removal of redundant atoms from a body, namely those that a substitution maps to the others.

An unfolded definition often adds conditions that are in the rule already. As separate conditions they would
be matched in every possible way, and matches would multiply.

Invariants: a condensed rule has the same conclusions in the same states (Gottlob and Fermüller 1993).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hornbook.kb.ast.terms import Atom, Condition, Term, Variable, condition_variables


def condensed(conditions: Sequence[Condition], own: frozenset[str]) -> tuple[Condition, ...]:
    """Return the conditions without redundant ones; a substitution must not change the variables in `own`."""
    left = list(conditions)
    for group in _connected_atoms(conditions, own):
        others = [c for c in left if isinstance(c, Atom) and c not in group]
        if _maps_into(group, others, own, {}):
            left = [c for c in left if c not in group]
    return tuple(left)


def _connected_atoms(conditions: Sequence[Condition], own: frozenset[str]) -> list[list[Atom]]:
    """Return the connected groups of conditions that share variables not in `own`, if all of them are
    atoms.
    """
    groups: list[tuple[set[str], list[Condition]]] = []
    for condition in conditions:
        names = {v.name for v in condition_variables(condition) if v.name not in own}
        if names:
            joined = [group for group in groups if group[0] & names]
            groups = [group for group in groups if not group[0] & names]
            together = [c for _, group in joined for c in group]
            groups.append((names.union(*(group[0] for group in joined)), [*together, condition]))
    return [
        [c for c in group if isinstance(c, Atom)]
        for _, group in groups
        if all(isinstance(c, Atom) for c in group)
    ]


def _maps_into(
    atoms: Sequence[Atom], others: Sequence[Atom], own: frozenset[str], bound: Mapping[str, Term]
) -> bool:
    """Return whether a substitution maps each of the atoms to one of the others."""
    if not atoms:
        return True
    first, *rest = atoms
    for other in others:
        if (other.predicate, other.tense, len(other.terms)) == (
            first.predicate,
            first.tense,
            len(first.terms),
        ):
            extended = dict(bound)
            if all(
                extended.setdefault(mine.name, theirs) == theirs
                if isinstance(mine, Variable) and mine.name not in own
                else mine == theirs
                for mine, theirs in zip(first.terms, other.terms, strict=True)
            ) and _maps_into(rest, others, own, extended):
                return True
    return False
