"""Contradictions in rules with `or`, which is expanded before the checks.

`(a or b), (c or d)` gives an alternative for each pair. A pair may contradict itself in a rule that is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from hornbook.kb.ast.terms import Span
from hornbook.kb.check.check_unit import PreparedClause
from hornbook.kb.sources.diagnostics import Diagnostic

_OF_CONDITIONS = ("HB043", "HB066")
"""The codes for a condition that contradicts other conditions of its rule."""


def without_combinations(
    diagnostics: Sequence[Diagnostic], rules: Iterable[PreparedClause]
) -> list[Diagnostic]:
    """Return the diagnostics without those on a condition that only some of its alternatives contradict."""
    counts = Counter((d.code, d.span) for d in diagnostics if d.code in _OF_CONDITIONS)
    if not counts:
        return list(diagnostics)
    bodies = [each.body for each in rules if each.rule is not None and each.rule.alternative]

    def alternatives(span: Span) -> int:
        return sum(any(is_inside(span, condition.span) for condition in body) for body in bodies)

    combined = {key for key, count in counts.items() if count < alternatives(key[1])}
    return [d for d in diagnostics if (d.code, d.span) not in combined]


def is_inside(span: Span, other: Span) -> bool:
    """Return whether a span of a file is a part of another one of the same file."""
    starts = (other.line, other.column) <= (span.line, span.column)
    return starts and (span.end_line, span.end_column) <= (other.end_line, other.end_column)
