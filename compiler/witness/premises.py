"""Known comparisons by number, found by their text and by their variables."""

from __future__ import annotations

from typing import Self

from hornbook.compiler.checker.proofs import swapped
from hornbook.kb.ast.terms import Comparison, Expression, expression_variables

NAMELESS = ""
"""The name under which premises without variables are found."""


class Premises:
    """A set of numbered comparisons."""

    def __init__(self) -> None:
        self._mentions: dict[str, dict[Comparison, None]] = {}
        self._premises: dict[Comparison, tuple[tuple[str, ...], int]] = {}

    def copy_into(self, target: Self) -> Self:
        target._premises = dict(self._premises)
        target._mentions = {name: dict(premises) for name, premises in self._mentions.items()}
        return target

    def __contains__(self, comparison: Comparison) -> bool:
        """Return whether a comparison is a premise."""
        return comparison in self._premises

    def number(self, comparison: Comparison) -> int | None:
        """Return the number of a premise, also for the comparison with exchanged sides.

        Return None if it is no premise.
        """
        found = self._premises.get(comparison) or self._premises.get(swapped(comparison))
        return None if found is None else found[1]

    def add(self, premise: Comparison, number: int = 0) -> None:
        sides = (premise.left, premise.right)
        names = tuple(dict.fromkeys(v.name for side in sides for v in expression_variables(side)))
        self._premises.setdefault(premise, (names, number))
        for name in names or (NAMELESS,):
            self._mentions.setdefault(name, {})[premise] = None

    def discard(self, premise: Comparison) -> int | None:
        """Remove a premise; return its number, or None if it was not present."""
        if premise not in self._premises:
            return None
        names, number = self._premises.pop(premise)
        for name in names or (NAMELESS,):
            self._mentions[name].pop(premise, None)
        return number

    def mentioning(self, name: str) -> list[Comparison]:
        """Return the premises with a variable."""
        return list(self._mentions.get(name, ()))

    def near(self, expression: Expression) -> list[Comparison]:
        """Return the premises that may contain an expression."""
        names = [v.name for v in expression_variables(expression)]
        return self.mentioning(names[0] if names else NAMELESS)
