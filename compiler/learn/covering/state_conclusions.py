"""The conclusions of a theory about many states, with numbers by which others are compared with them.

Invariants: Two conclusions have the same number only if they are about the same state and have equal values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hornbook.kb.sources.extras import extra_module

if TYPE_CHECKING:
    import numpy as np
    import pyarrow
    from numpy.typing import NDArray

    Column = NDArray[np.int64]
    Mask = NDArray[np.bool_]


class StateConclusions:
    """The conclusions of a theory about many states, numbered from 0 (extra `data`).

    Args:
        tables: For each relation a table of distinct rows: a column for the state, and the values of a
            conclusion.
    """

    def __init__(self, tables: Mapping[str, pyarrow.Table]) -> None:
        numpy: Any = extra_module("numpy", "data")
        self._relations: dict[str, tuple[int, _NumberedRows]] = {}
        first, states = 0, []
        for name, table in tables.items():
            self._relations[name] = first, _NumberedRows(table)
            states.append(table.column(0).to_numpy())
            first += table.num_rows
        self.states: Column = numpy.concatenate(states) if states else numpy.zeros(0, dtype=numpy.int64)
        """The state of each conclusion."""

    def __len__(self) -> int:
        return len(self.states)

    def numbers(self, relation: str, table: pyarrow.Table) -> Column:
        """Return the number of each row of a table of conclusions, or -1 for rows that are not among them."""
        first, rows = self._relations[relation]
        found = rows.numbers(table)
        found[found >= 0] += first
        return found

    def number(self, relation: str, state: int, values: Sequence[object]) -> int:
        """Return the number of a conclusion, or -1 if it is not among them."""
        first, rows = self._relations[relation]
        found = rows.number(state, values)
        return found if found < 0 else found + first

    def none(self) -> Mask:
        """Return a mask of no conclusion."""
        numpy: Any = extra_module("numpy", "data")
        found: Mask = numpy.zeros(len(self), dtype=bool)
        return found


class _NumberedRows:
    """The rows of a table, which are found column by column: a number stands for the values until a
    column.
    """

    def __init__(self, table: pyarrow.Table) -> None:
        numpy: Any = extra_module("numpy", "data")
        self._codes: list[dict[object, int]] = []
        self._keys: list[Column] = []
        """The sorted keys after each column: the number until the column before, and the code of the
        value.
        """
        states, *columns = table.columns
        keys, numbers = numpy.unique(states.to_numpy(), return_inverse=True)
        self._keys.append(keys)
        for column in columns:
            codes, values = _coded(column)
            self._codes.append({value: code for code, value in enumerate(values)})
            keys, numbers = numpy.unique(numbers * max(1, len(values)) + codes, return_inverse=True)
            self._keys.append(keys)
        self._places: Column = numpy.empty(len(keys), dtype=numpy.int64)
        self._places[numbers] = numpy.arange(table.num_rows)

    def numbers(self, table: pyarrow.Table) -> Column:
        numpy: Any = extra_module("numpy", "data")
        states, *columns = table.columns
        found, are_known = self._look_up(0, states.to_numpy())
        for place, (column, known) in enumerate(zip(columns, self._codes, strict=True), 1):
            codes, values = _coded(column)
            own = numpy.array([known.get(value, -1) for value in values] or [-1], dtype=numpy.int64)[codes]
            found, are_there = self._look_up(place, found * max(1, len(known)) + own)
            are_known &= are_there & (own >= 0)
        if not len(self._places):
            return numpy.full(table.num_rows, -1, dtype=numpy.int64)  # type: ignore[no-any-return]
        return numpy.where(are_known, self._places[found], -1)  # type: ignore[no-any-return]

    def _look_up(self, place: int, keys: Column) -> tuple[Column, Mask]:
        """Return the numbers of some keys after a column, and which of them exist."""
        numpy: Any = extra_module("numpy", "data")
        known = self._keys[place]
        if not len(known):
            return numpy.zeros(len(keys), dtype=numpy.int64), numpy.zeros(len(keys), dtype=bool)
        numbers = numpy.minimum(numpy.searchsorted(known, keys), len(known) - 1)
        return numbers, known[numbers] == keys

    def number(self, state: int, values: Sequence[object]) -> int:
        found, keys = state, self._keys[0]
        for place, value in enumerate((None, *values)):
            if place:
                code = self._codes[place - 1].get(value, -1)
                if code < 0:
                    return -1
                found = found * len(self._codes[place - 1]) + code
            keys = self._keys[place]
            number = int(keys.searchsorted(found))
            if number == len(keys) or keys[number] != found:
                return -1
            found = number
        return int(self._places[found])


def _coded(column: pyarrow.ChunkedArray) -> tuple[Column, list[object]]:
    """Return the code of each value of a column, and the value of each code."""
    arrow: Any = extra_module("pyarrow", "data")
    numpy: Any = extra_module("numpy", "data")
    if not len(column):
        return numpy.zeros(0, dtype=numpy.int64), []
    whole = column if arrow.types.is_dictionary(column.type) else column.dictionary_encode()
    whole = whole.unify_dictionaries().combine_chunks()
    return whole.indices.to_numpy().astype(numpy.int64), whole.dictionary.to_pylist()
