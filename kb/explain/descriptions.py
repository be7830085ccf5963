"""Descriptions of conditions: the sentences that a theory declares for predicates (`says "…"`), with their
arguments.

A condition without a description is shown in the notation of the language. Descriptions affect neither
results nor proofs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import field

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.substitution import rename_condition
from hornbook.kb.ast.terms import (
    Absent,
    Atom,
    Condition,
    Constant,
    Term,
    Variable,
    condition_variables,
)
from hornbook.kb.format.printer import print_condition, print_term
from hornbook.matcher.program.dataclass import dataclass

_COLUMN = re.compile(r"\?(\d+)")


@dataclass(frozen=True, slots=True)
class Words:
    """The declared predicates, by their names. `shown` returns the text of a constant in a sentence."""

    predicates: Mapping[str, Predicate] = field(default_factory=dict)
    shown: Callable[[Constant], str] = print_term

    def of(self, condition: Condition) -> str | None:
        """Return the description of a condition, or None if there is none."""
        text = self._text(condition)
        if text is None:
            return None
        assert isinstance(condition, Atom)
        after = " after the action" if condition.tense == "after" else ""
        return _COLUMN.sub(lambda found: self._term(condition.terms[int(found[1]) - 1]), text) + after

    def say(self, condition: Condition) -> str:
        """Return the description of a condition, or its text in the language."""
        return self.of(condition) or print_condition(condition)

    def of_absence(self, absent: Absent) -> str:
        """Return the conditions that do not hold together, joined by "and". A variable that occurs once is
        "some".
        """
        numbers = Counter(variable.name for variable in condition_variables(absent))

        def name(old: str) -> str:
            return old if numbers[old] > 1 else f"_{old}"

        return " and ".join(self.say(rename_condition(each, name)) for each in absent.conditions)

    def spoken(self, condition: Condition) -> tuple[Term, ...]:
        """Return the terms of an atom in the order of its description, or in their own order without one."""
        if not isinstance(condition, Atom):
            return ()
        text = self._text(condition)
        if text is None:
            return condition.terms
        return tuple(condition.terms[int(found) - 1] for found in _COLUMN.findall(text))

    def _term(self, term: Term) -> str:
        if isinstance(term, Variable):
            return "some" if term.name.startswith("_") else print_term(term)
        return self.shown(term)

    def _text(self, condition: Condition) -> str | None:
        if not isinstance(condition, Atom):
            return None
        declared = self.predicates.get(condition.predicate)
        if declared is None or declared.says is None or declared.arity != len(condition.terms):
            return None
        return declared.says.text


NO_WORDS = Words()
"""No descriptions: everything is shown in the notation of the language."""
