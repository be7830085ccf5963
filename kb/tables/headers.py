"""The first row of a table without declared names, such as a CSV: the check that it is a header."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hornbook.kb.tables.table_columns import table_column
from hornbook.kb.tables.table_facts import TableError, TableShape, delimiter_hint
from hornbook.kb.tables.table_values import from_text, mixed_value


def check_header(names: Sequence[str], expected: Sequence[str] | None, shape: TableShape) -> None:
    """Raise TableError for a first row that may not be a header, so that no fact is lost."""
    if not names:
        raise TableError(shape.source, "the file is empty; its first row names the columns")
    if not shape.fits(names):
        raise TableError(shape.source, shape.wrong_width(len(names)) + delimiter_hint(tuple(names)))
    if not shape.sorts:
        return
    header = ", ".join(names)
    if expected is not None:
        if names != expected:
            raise TableError(shape.source, f"the first row is `{header}`, not `{', '.join(expected)}`")
        return
    should = "the first row should name the columns, but"
    predicate = shape.predicate.name
    way_out = f"add such a row, or, where this is one, say so by `{predicate}({header})=FILE`"
    way_out += (
        f", and where there is none, by `{predicate}()=FILE` (from Python, `columns=` and `header=False`)"
    )
    for name, sort in zip(names, shape.sorts, strict=True):
        has_names = sort.kind == "open" or (sort.kind == "mixed" and isinstance(mixed_value(name), str))
        if not has_names and table_column(sort, from_text, shape.format).problem(name) is None:
            raise TableError(shape.source, f"{should} `{name}` is a value of sort `{sort.name}`; {way_out}")
    sorts = dict.fromkeys(sort.name for sort in shape.sorts)
    known = {name.casefold() for name in (shape.predicate.name, *sorts)}
    if not any(known & _words(name) for name in names):
        examples = " or ".join(f"`{name}`" for name in sorts)
        raise TableError(shape.source, f"{should} nothing in `{header}` is called {examples}; {way_out}")


def _words(name: str) -> set[str]:
    """Return the words of a header cell: `From point` and `point_2` both contain `point`."""
    folded = name.casefold()
    return {folded, re.sub(r"\W+", "_", folded), *re.split(r"[\W\d_]+", folded)}
