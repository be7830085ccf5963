"""Where given facts stand: the rows of the tables that they were read from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hornbook.kb.ast.fact_columns import FactColumns
from hornbook.kb.ast.terms import Constant, Statement
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.explain.proof_steps import Step

Values = tuple[str | int, ...]


def located(steps: Sequence[Step], tables: Iterable[Sequence[GroundFact]]) -> tuple[Step, ...]:
    """The steps, of which each given fact that a table has says in which row; the first one counts."""
    wanted: dict[str, dict[Values, list[int]]] = {}
    for number, step in enumerate(steps):
        if step.rule is None and step.conclusion.tense != "after":
            values = wanted.setdefault(step.conclusion.relation, {})
            values.setdefault(_values(step.conclusion), []).append(number)
    found = list(steps)
    for table in tables:
        if not isinstance(table, FactColumns) or table.rows is None or table.tense == "after":
            continue
        values = wanted.get(table.relation, {})
        for place, cells in _places(table, values):
            for number in values.pop(cells, ()):
                found[number] = replace(steps[number], place=f"{table.rows.table}:{table.rows.number(place)}")
    return tuple(found)


def _values(statement: Statement) -> Values:
    return tuple(term.value for term in statement.terms if isinstance(term, Constant))


def _places(table: FactColumns, values: Mapping[Values, object]) -> Iterator[tuple[int, Values]]:
    """The places of facts with these values in a table, each value once, in its order."""
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
        yield from ((0, each) for each in values if table.size)
        return
    for place, row in enumerate(zip(*(column.cells for column in table.columns), strict=True)):
        if not coded:
            return
        if row in coded:
            yield place, coded.pop(row)
