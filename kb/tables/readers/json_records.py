"""The rows of JSON and JSON Lines: one for each record, or for each element of lists in it.

The name of a column is the path of keys to its value, joined by dots: `address.city`. A key with a dot is in
quotes: `"address.city"`. A list on the path gives a row for each of its elements. The other cells of these
rows are the same. Two lists of a row must be on one path, since all pairs of their elements would mean
nothing.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn

from hornbook.kb.ast.plain_values import described
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.tables.database_files import JSON_LINES_SUFFIXES
from hornbook.kb.tables.table_facts import RowBatch, TableError
from hornbook.kb.tables.table_values import RefusedCell
from hornbook.matcher.program.dataclass import dataclass

_BATCH = 1_000
_Path = tuple[str, ...]
"""The keys on the way to a value."""
_PLAIN_KEY = re.compile(r'[^".,\s](?:[^.,]*[^.,\s])?')
"""A key that is written without quotes, on a command line, too."""
_KEY = re.compile(r'"(?:[^"]|"")*"|[^".][^.]*')
_NAME = re.compile(rf"(?:{_KEY.pattern})(?:\.(?:{_KEY.pattern}))*")


class JsonRows:
    """The rows of a file with records. `are_named` says whether the caller named the columns.

    Otherwise a record may have no other keys.
    """

    def __init__(self, path: Path, columns: Sequence[str], *, are_named: bool) -> None:
        self._path = path
        self._columns = tuple(self._path_of(name) for name in columns)
        self._are_named = are_named
        self._key_tree = _key_tree(self._columns)
        self._names = tuple(path[0] for path in self._columns)
        self._is_flat = all(len(path) == 1 for path in self._columns)
        self._unseen = set(self._columns)
        self._keys: dict[str, None] = {}

    def _path_of(self, name: str) -> _Path:
        if _NAME.fullmatch(name) is None:
            raise TableError(
                str(self._path), f'`{name}` is no path of keys, such as `address.city` or `"a.b".city`'
            )
        return tuple(
            key[1:-1].replace('""', '"') if key.startswith('"') else key for key in _KEY.findall(name)
        )

    def batches(self) -> Iterator[RowBatch]:
        """Yield the rows with the numbers of their records. A line of JSON Lines is a record.

        Raises TableError for what is not JSON, and if no record has one of the named columns.
        """
        numbered = records(self._path)
        some = False
        while batch := list(islice(numbered, _BATCH)):
            some = True
            numbers: list[int] = []
            cells: list[tuple[Any, ...]] = []
            for number, record in batch:
                try:
                    found = self._rows(number, record)
                except RecursionError:
                    reason = f"row {number}: values are nested too deeply"
                    raise TableError(str(self._path), reason) from None
                numbers += [number] * len(found)
                cells += found
            yield RowBatch(numbers, cells)
        if some and self._are_named and self._unseen:
            name = min(self._unseen, key=self._columns.index)
            shown = _written(name)
            hint = did_you_mean(shown, self._keys) or f"the first one has {', '.join(self._keys)}"
            raise TableError(str(self._path), f"no record has `{shown}`; {hint}")

    def _rows(self, number: int, record: Any) -> list[tuple[Any, ...]]:
        record = object_of(record, number, str(self._path))
        if not self._are_named:
            other = next((key for key in record if key not in self._names), None)
            if other is not None:
                keys = ", ".join(_written((key,)) for key in record)
                raise TableError(
                    str(self._path),
                    f"row {number} has the key `{other}`, and the columns are {', '.join(self._names)};"
                    f" name the columns, such as `PREDICATE({keys})=FILE`",
                )
        elif self._unseen:
            self._unseen.difference_update(_seen(record, self._key_tree))
            self._keys = self._keys or dict.fromkeys(map(_written, _paths(record)))
        if self._is_flat:
            cells = tuple(map(record.get, self._names))
            if not any(type(cell) in (dict, list) for cell in cells):
                return [cells]
        found = _expanded(record, self._key_tree)
        return [tuple(map(row.get, self._columns)) for row in found]


@dataclass(frozen=True, slots=True)
class _KeyTree:
    """The columns at a value: the column of the value itself, and those of the values below its keys."""

    column: _Path | None = None
    below: dict[str, _KeyTree] = field(default_factory=dict)

    def columns(self) -> Iterator[_Path]:
        if self.column is not None:
            yield self.column
        for each in self.below.values():
            yield from each.columns()


def _key_tree(columns: Sequence[_Path], before: _Path = ()) -> _KeyTree:
    """Return the tree of the columns whose paths begin with some keys."""
    below: dict[str, list[_Path]] = {}
    for column in columns:
        if column != before:
            below.setdefault(column[len(before)], []).append(column)
    return _KeyTree(
        before if before in columns else None,
        {key: _key_tree(each, (*before, key)) for key, each in below.items()},
    )


def _written(path: _Path) -> str:
    """Return the name of a column."""
    return ".".join(
        key if _PLAIN_KEY.fullmatch(key) else f'"{key.replace(chr(34), chr(34) * 2)}"' for key in path
    )


_Row = dict[_Path, Any]


def _expanded(value: Any, tree: _KeyTree) -> list[_Row]:
    """Return the rows of a value, each with the cells of its columns."""
    if type(value) is list:
        return [row for element in value for row in _expanded(element, tree)]
    if type(value) is not dict:
        row = {} if tree.column is None else {tree.column: value}
        if value is not None and tree.below:
            refused = RefusedCell(f"{_shown(value)} is not an object with such a key")
            row.update(
                dict.fromkeys((name for each in tree.below.values() for name in each.columns()), refused)
            )
        return [row]
    rows: list[_Row] = [{}]
    if tree.column is not None:
        keys = ", ".join(_written((*tree.column, key)) for key in value)
        rows = [{tree.column: RefusedCell(f"the value is an object; its columns are {keys or 'none'}")}]
    expanded: str | None = None
    for key, each in tree.below.items():
        found = _expanded(value.get(key), each)
        if _has_list(value.get(key), each):
            if expanded is not None:
                reason = f"the value is in a list beside the list at `{expanded}`; read it as another table"
                found = [dict.fromkeys(each.columns(), RefusedCell(reason))]
            else:
                expanded = key
        rows = [{**row, **more} for row in rows for more in found]
    return rows


def _has_list(value: Any, tree: _KeyTree) -> bool:
    """Return whether a list is on the path of a column."""
    if type(value) is list:
        return True
    return type(value) is dict and any(_has_list(value.get(key), each) for key, each in tree.below.items())


def _seen(value: Any, tree: _KeyTree) -> Iterator[_Path]:
    """Yield the columns with a value. The elements of an empty list may have any keys."""
    if value is None or value == []:
        yield from tree.columns()
    elif type(value) is list:
        for element in value:
            yield from _seen(element, tree)
    else:
        if tree.column is not None:
            yield tree.column
        if type(value) is dict:
            for key, each in tree.below.items():
                if key in value:
                    yield from _seen(value[key], each)


def _paths(value: Any, before: _Path = ()) -> Iterator[_Path]:
    """Yield the paths of all values that are no objects."""
    if type(value) is list:
        for element in value:
            yield from _paths(element, before)
    elif type(value) is dict:
        for key, each in value.items():
            yield from _paths(each, (*before, key))
    else:
        yield before


def _shown(value: Any) -> str:
    return "a list" if type(value) is list else "an object" if type(value) is dict else described(value)


# Files


def object_of(record: Any, number: int, source: str) -> dict[str, Any]:
    """Return a record. Raises TableError if it is no object."""
    if type(record) is not dict:
        raise TableError(
            source, f"row {number} is {_shown(record)}, and not an object with the columns as keys"
        )
    return record


def read_json_text(text: str) -> Any:
    """Return the value of a text. Numbers with a fraction are decimal numbers. Raises ValueError."""
    return _DECODER.decode(text)


def records(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield the numbered records of a file. Raises TableError."""
    number = 0
    try:
        with path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
            if path.suffix.lower() not in JSON_LINES_SUFFIXES:
                found = _DECODER.decode(file.read())
                yield from enumerate(found if type(found) is list else [found], 1)
                return
            for number, line in enumerate(file, 1):
                if not line.isspace():
                    yield number, _DECODER.decode(line)
    except OSError as problem:
        raise TableError(str(path), f"cannot be read: {problem.strerror}") from None
    except RecursionError:
        raise TableError(str(path), f"{_place(number)}values are nested too deeply") from None
    except ValueError as problem:
        reason = str(problem)
        if number and isinstance(problem, json.JSONDecodeError):
            reason = f"{problem.msg}: column {problem.colno}"
        raise TableError(str(path), f"{_place(number)}this is not JSON: {reason}") from None


def _place(number: int) -> str:
    return f"row {number}: " if number else ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"an object has the key `{twice}` twice")
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number of JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=Decimal, parse_constant=_no_number)
