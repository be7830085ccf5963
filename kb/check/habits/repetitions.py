"""Repetitions: conditions that occur twice in the body of a rule, word for word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from hornbook.kb.ast.terms import Aggregate, Condition, Span
from hornbook.kb.check.alternatives import is_inside
from hornbook.kb.check.check_unit import CheckUnit, PreparedClause
from hornbook.kb.format.printer import print_condition
from hornbook.kb.sources.diagnostics import Diagnostic, Replacement, warning, write_instead

_HELP = "leave it out, or correct it if another variable or predicate was meant"


def check_repetitions(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB076. Conditions inside `all`, `absent` and aggregates are not compared."""
    for _, alternatives in groupby(unit.rules, _clause):
        bodies = [_conditions(prepared.body) for prepared in alternatives]
        repetitions = [_repetitions(body) for body in bodies]
        known: dict[Span, Span] = {later: first for found in repetitions for later, first in found.items()}
        for later, first in known.items():
            # Alternatives that have only one of the two places were expanded from `or`.
            if all(
                found.get(later) == first
                for body, found in zip(bodies, repetitions, strict=True)
                if first in body or later in body
            ):
                fixes = [fix for body in bodies if later in body for fix in _deletion(list(body), later)]
                yield warning("HB076", "this condition repeats an earlier one", later, _HELP, fixes[:1])


def _clause(prepared: PreparedClause) -> object:
    """Return a key that only the alternatives of a rule with `or` share."""
    rule = prepared.rule
    return rule.span if rule is not None and rule.alternative else id(prepared)


def _conditions(body: Sequence[Condition]) -> dict[Span, str]:
    """Return the text of each condition by its place.

    The generators of groups (kb/desugar/groups.py) are left out. Their places are inside aggregates.
    """
    groups = [condition.span for condition in body if isinstance(condition, Aggregate)]
    written = (c for c in body if isinstance(c, Aggregate) or not any(is_inside(c.span, g) for g in groups))
    return {condition.span: print_condition(condition) for condition in written}


def _repetitions(body: dict[Span, str]) -> dict[Span, Span]:
    """Return the place of each repeated condition, with the place of the first one."""
    first: dict[str, Span] = {}
    return {span: first[text] for span, text in body.items() if first.setdefault(text, span) != span}


def _deletion(places: Sequence[Span], later: Span) -> Iterator[Replacement]:
    """Yield the fix that deletes a condition and the comma before it, if both are on one line."""
    before = places[places.index(later) - 1]
    if before.end_line == later.line:
        yield write_instead(later._replace(line=before.end_line, column=before.end_column), "")
