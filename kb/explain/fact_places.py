"""Sources of given facts: rows of tables, lines of texts, or a state or store."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, Any

from hornbook.kb.ast.fact_columns import FactColumns
from hornbook.kb.ast.terms import NOWHERE, Constant, Statement
from hornbook.kb.ast.theory import GroundFact, Vocabulary
from hornbook.kb.load.adapters import Adapter
from hornbook.kb.parse.facts import formed_facts
from hornbook.kb.text.escaping import on_one_line
from hornbook.matcher.program.dataclass import dataclass

if TYPE_CHECKING:  # slow to import
    from hornbook.kb.explain.proof_steps import Step

Values = tuple[str | int, ...]
_Key = tuple[str, Values]


@dataclass(frozen=True, slots=True)
class FactsFromPlace:
    """Facts from one place, such as a state. `row` returns the row of a fact there if it is known."""

    place: str
    facts: Sequence[GroundFact]
    row: Callable[[GroundFact], int | None] = lambda _: None


@dataclass(frozen=True, slots=True)
class FactsInStore:
    """A store as the source of all facts without other sources. It may know the original table of
    some facts.
    """

    store: str
    places: Callable[[Collection[_Key]], Mapping[_Key, str]]


Stated = Sequence[GroundFact] | Sequence[Statement] | FactsFromPlace
"""Facts with information about their source."""
FactSource = Stated | FactsInStore
"""A source of facts: `TableFacts.facts`, the statements of a text, a place with its facts, or a store.

Facts of other types have no known place.
"""


def facts_of_state(
    place: str, adapter: Adapter | ModuleType, state: Any, vocabulary: Vocabulary
) -> FactsFromPlace:
    """Return the facts of a state, with their rows if the adapter provides them."""
    given = tuple(adapter.facts(state))
    facts = formed_facts(given, vocabulary)
    row = getattr(adapter, "row", None)
    if row is None:
        return FactsFromPlace(place, facts)
    # The adapter knows its facts as it has given them.
    of_adapter = {} if facts == given else dict(zip(facts, given, strict=True))
    return FactsFromPlace(place, facts, lambda fact: row(state, of_adapter.get(fact, fact)))


def located(steps: Sequence[Step], sources: Iterable[FactSource]) -> tuple[Step, ...]:
    """Return the steps, with a place for each given fact that some source contains. Known places are kept.

    The first source with the fact is used.
    """
    expected: dict[str, dict[Values, list[int]]] = {}
    for number, step in enumerate(steps):
        if step.rule is None and step.place is None and step.conclusion.tense != "after":
            values = expected.setdefault(step.conclusion.relation, {})
            values.setdefault(_values(step.conclusion), []).append(number)
    found = list(steps)
    for source in sources:
        if not any(expected.values()):
            break
        for (relation, cells), place in _found(source, expected):
            for number in expected[relation].pop(cells, ()):
                found[number] = replace(steps[number], place=on_one_line(place))
    return tuple(found)


def _values(statement: Statement) -> Values:
    return tuple(term.value for term in statement.terms if isinstance(term, Constant))


def _found(source: FactSource, expected: Mapping[str, Mapping[Values, object]]) -> Iterator[tuple[_Key, str]]:
    """Yield the expected facts that a source contains, in its order, each with its place."""
    if isinstance(source, FactColumns):
        if source.rows is not None and source.tense != "after":
            values = expected.get(source.relation, {})
            for place, cells in _rows(source, values):
                yield (source.relation, cells), source.rows.row(place)
    elif isinstance(source, FactsInStore):
        keys = [(relation, cells) for relation in expected for cells in expected[relation]]
        known = source.places(keys)
        yield from ((key, known.get(key, source.store)) for key in keys)
    elif not isinstance(source, FactsFromPlace):
        for each in source:
            if not isinstance(each, GroundFact) and each.relation in expected and each.tense != "after":
                cells = _values(each)
                if cells in expected[each.relation] and each.span is not NOWHERE:
                    yield (each.relation, cells), each.span.place
    else:
        for fact in source.facts:
            if fact.relation in expected and fact.values in expected[fact.relation]:
                row = source.row(fact)
                yield (
                    (fact.relation, fact.values),
                    source.place if row is None else f"{source.place}:{row}",
                )


def _rows(table: FactColumns, values: Mapping[Values, object]) -> Iterator[tuple[int, Values]]:
    """Yield the places of facts with these values in a table, in its order, each value once."""
    known: list[Mapping[Any, int] | None] = [
        None if column.words is None else {word: cell for cell, word in enumerate(column.words)}
        for column in table.columns
    ]
    coded: dict[tuple[Any, ...], Values] = {}
    for each in values:
        cells: list[Any] = [
            value if cell is None else cell.get(value) for value, cell in zip(each, known, strict=True)
        ]
        if None not in cells:
            coded[tuple(cells)] = each
    if not table.columns:
        yield from ((0, each) for each in [*values] if table.size)
        return
    for place, row in enumerate(zip(*(column.cells for column in table.columns), strict=True)):
        if not coded:
            return
        if row in coded:
            yield place, coded.pop(row)
