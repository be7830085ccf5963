"""The checks of queries, and what all checks have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.check.check_cache import Check
from hornbook.kb.check.check_unit import CheckUnit, unit_of_query
from hornbook.kb.check.clauses.capitals import check_capitals
from hornbook.kb.check.clauses.games import check_games
from hornbook.kb.check.clauses.names import check_names
from hornbook.kb.check.clauses.safety import check_safety
from hornbook.kb.check.clauses.sets import check_sets
from hornbook.kb.check.clauses.sorts import check_sorts
from hornbook.kb.check.clauses.tenses import check_tenses
from hornbook.kb.parse.syntax import Query
from hornbook.kb.sources.diagnostics import Diagnostic, in_order

OF_QUERIES = (
    check_sorts,
    check_safety,
    check_names,
    check_games,
    check_tenses,
    check_sets,
    check_capitals,
)
"""The checks of single clauses that concern conditions. All others concern rules, facts and declarations."""


def check_query(query: Query, words: Vocabulary) -> list[Diagnostic]:
    """Return the diagnostics of a query. Absence, aggregates and variables that are used once are allowed."""
    return each_once(by_family(unit_of_query(query, words), OF_QUERIES))


def by_family(unit: CheckUnit, families: Iterable[Check]) -> Iterator[Diagnostic]:
    for family in families:
        yield from family(unit)


_OF_A_NAME = ("HB014", "HB036")
"""A constant that is missing in its sort is reported once, not at every use."""


def each_once(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    named: set[str] = set()
    for diagnostic in in_order(diagnostics):
        if diagnostic.code in _OF_A_NAME:
            if diagnostic.message in named:
                continue
            named.add(diagnostic.message)
        found.append(diagnostic)
    return found
