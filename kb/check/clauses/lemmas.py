"""Lemmas: clauses of a theory that are marked as consequences of the others."""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.check.check_unit import CheckUnit
from hornbook.kb.sources.diagnostics import Diagnostic, error


def check_lemmas(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB072."""
    for rule in (*unit.facts, *(prepared.rule for prepared in unit.rules)):
        if rule is None or not rule.lemma:
            continue
        if unit.is_state:
            message = "only a theory has lemmas, and this is added to one"
            yield error("HB072", message, rule.span, "delete `lemma`, or write the clause into the theory")
        elif rule.label is None:
            message = "a lemma needs a label, which identifies its proof"
            yield error("HB072", message, rule.span, "write `lemma NAME:`")
        elif not rule.body:
            message = "a lemma has conditions: without any, it has no proof"
            yield error(
                "HB072", message, rule.span, "delete `lemma`, or add the conditions under which it holds"
            )
