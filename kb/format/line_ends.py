"""Words with line ends, which no text of the language can contain. Writing them raises an error."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from pathlib import Path

from hornbook.kb.ast.notation import print_condition, print_conditions
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_rule
from hornbook.kb.parse.syntax import parse
from hornbook.kb.text.writing import WritingError


def must_be_writable(facts: Iterable[GroundFact], rules: Iterable[Rule], path: Path) -> None:
    """Raise WritingError for the first fact or rule that a file in the language cannot contain."""
    for fact in facts:
        for column, value in enumerate(fact.values, 1):
            if isinstance(value, str) and ("\n" in value or "\r" in value):
                raise _refused(f"column {column} of a fact of `{fact.relation}`, {value!r},", path)
    for rule in rules:
        # A line end is printed as `⏎`. Whole rules take longer to print, because their lines are broken.
        shown = print_condition(rule.head) + print_conditions(rule.body)
        if "⏎" in shown and parse(print_rule(rule)).clauses != (rule,):
            raise _refused(f"a word of the rule `{rule.name}`", path)


def _refused(what: str, path: Path) -> WritingError:
    reason = f"{what} has a line end, which no text in the language can hold; keep it in a store or a table"
    return WritingError(errno.EILSEQ, reason, str(path))
