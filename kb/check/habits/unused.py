"""Unused predicates: declared in a file, but not used there.

Uses in other files are unknown here. So files that only declare predicates are skipped: files without rules,
and for actions, files without rules that mention an action.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.check.check_unit import CheckUnit, parts
from hornbook.kb.parse.vocabulary import kind_of
from hornbook.kb.sources.diagnostics import Diagnostic, warning

_GIVEN = ("static", "fluent")


def check_unused(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB054."""
    if not unit.rules:
        return
    mentioned = {atom.predicate for statement in unit.statements() for atom in parts(statement)}
    for predicate in unit.predicates:
        mentioned |= _named(predicate)
    acts = any(p.kind == "action" and p.name in mentioned for p in unit.vocabulary.predicates.values())
    skipped = _GIVEN if acts else (*_GIVEN, "action")
    for predicate in unit.predicates:
        if predicate.name not in mentioned and predicate.kind not in skipped and predicate.closes is None:
            message = f"`{predicate.name}` is {kind_of(predicate)} that nothing here uses"
            yield warning("HB054", message, predicate.span, _HELP[predicate.kind])


def _named(predicate: Predicate) -> set[str]:
    """Return the other predicates that a declaration names."""
    return {name.name for name in (predicate.counts, predicate.but, predicate.allows) if name is not None}


_RULE = "write a rule that concludes it, or delete the declaration"
_HELP = {
    "action": "write a rule that says what it changes, or delete the declaration",
    "derived": _RULE,
    "game": _RULE,
    "meta": _RULE,
}
