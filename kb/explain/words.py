"""What conditions are called: the words that a theory declares beside a predicate (`says "…"`), filled in.

A condition without words is shown as it is written. Nothing rests on words, and no proof reads them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import Atom, Condition, Term, Variable
from hornbook.kb.format.printer import print_condition, print_term

_COLUMN = re.compile(r"\?(\d+)")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of the predicates that are declared, by their names."""

    predicates: Mapping[str, Predicate] = field(default_factory=dict)

    def of(self, condition: Condition) -> str | None:
        """What a condition says in words; None where none are declared for it."""
        text = self._text(condition)
        if text is None:
            return None
        assert isinstance(condition, Atom)
        after = " after the action" if condition.tense == "after" else ""
        return _COLUMN.sub(lambda found: _term(condition.terms[int(found[1]) - 1]), text) + after

    def say(self, condition: Condition) -> str:
        """What a condition says in words, or as it is written."""
        return self.of(condition) or print_condition(condition)

    def spoken(self, condition: Condition) -> tuple[Term, ...]:
        """The terms of an atom in the order in which its words name them; without words in their own."""
        if not isinstance(condition, Atom):
            return ()
        text = self._text(condition)
        if text is None:
            return condition.terms
        return tuple(condition.terms[int(found) - 1] for found in _COLUMN.findall(text))

    def _text(self, condition: Condition) -> str | None:
        if not isinstance(condition, Atom):
            return None
        declared = self.predicates.get(condition.predicate)
        if declared is None or declared.says is None or declared.arity != len(condition.terms):
            return None
        return declared.says.text


NO_WORDS = Words()
"""Everything as it is written."""


def _term(term: Term) -> str:
    return "some" if isinstance(term, Variable) else print_term(term)
