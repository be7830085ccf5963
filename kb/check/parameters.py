"""The sorts of the parameters of a query, derived from columns, calculations and comparisons."""

from __future__ import annotations

from hornbook.kb.ast.declarations import Sort
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.check.check_unit import empty_unit
from hornbook.kb.check.scopes import outermost
from hornbook.kb.check.units import NAMELESS
from hornbook.kb.check.uses import uses_of
from hornbook.kb.desugar.surface import MARK
from hornbook.kb.parse.syntax import Query


def parameter_sorts(query: Query, vocabulary: Vocabulary) -> dict[str, Sort]:
    """Return the sorts of the parameters of an open query, by name without the mark. Undetermined ones are
    omitted.
    """
    settled = uses_of(None, outermost(query.conditions), empty_unit(vocabulary)).sorts
    sorts: dict[str, Sort] = {}
    for (_, name), sort in settled.items():
        declared = vocabulary.sorts.get(sort)
        if declared is None and sort in NAMELESS:
            declared = Sort(sort, "integer", form=NAMELESS[sort])
        if name.startswith(MARK) and declared is not None:
            sorts.setdefault(name.removeprefix(MARK), declared)
    return sorts
