"""Condensation: leaves out the redundant atoms of a body, those that a substitution maps into the others.

What a definition brings along besides its arguments often stands already in the rule that asks for it; as a condition
of its own it would be matched in every way there is, and rules with several such would multiply.

Always true: a condensed rule concludes what it concluded before, from the same states (Gottlob and Fermüller 1993).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hornbook.kb.ast.terms import Atom, Condition, Term, Variable, condition_variables


def condensed(conditions: Sequence[Condition], own: frozenset[str]) -> tuple[Condition, ...]:
    """The conditions without the redundant ones; a substitution may change no variable that is the rule's `own`."""
    left = list(conditions)
    for asked in _asked_together(conditions, own):
        others = [c for c in left if isinstance(c, Atom) and c not in asked]
        if _maps_into(asked, others, own, {}):
            left = [c for c in left if c not in asked]
    return tuple(left)


def _asked_together(conditions: Sequence[Condition], own: frozenset[str]) -> list[list[Atom]]:
    """The conditions that share variables which are not the rule's own, where all that do are atoms."""
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
    asked: Sequence[Atom], others: Sequence[Atom], own: frozenset[str], bound: Mapping[str, Term]
) -> bool:
    """Whether there are values for what is asked that make each condition one of the others."""
    if not asked:
        return True
    first, *rest = asked
    for other in others:
        if (other.predicate, other.tense, len(other.terms)) == (
            first.predicate,
            first.tense,
            len(first.terms),
        ):
            now = dict(bound)
            if all(
                now.setdefault(mine.name, theirs) == theirs
                if isinstance(mine, Variable) and mine.name not in own
                else mine == theirs
                for mine, theirs in zip(first.terms, other.terms, strict=True)
            ) and _maps_into(rest, others, own, now):
                return True
    return False
