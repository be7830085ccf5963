"""Arrow arrays from columns of numbers and lists of words.

The constructor of pyarrow imports pandas, if it is installed. This takes longer than the evaluation of
thousands of states, so arrays are built from buffers here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hornbook.kb.sources.extras import extra_module
from hornbook.kb.text.literals.forms import form_of_kind

if TYPE_CHECKING:
    import pyarrow


def number_array(numbers: Any) -> pyarrow.Array:
    """Return the array of a NumPy array of 32-bit or 64-bit integers."""
    arrow, numpy = extra_module("pyarrow", "data"), extra_module("numpy", "data")
    kind = arrow.int32() if numbers.dtype == numpy.int32 else arrow.int64()
    buffer = arrow.py_buffer(numpy.ascontiguousarray(numbers))
    found: pyarrow.Array = arrow.Array.from_buffers(kind, len(numbers), [None, buffer])
    return found


def column_type(kind: str) -> pyarrow.DataType:
    """Return the Arrow type of a column: `integer`, `word`, `mixed`, or the form of a sort."""
    arrow = extra_module("pyarrow", "data")
    found: pyarrow.DataType
    if kind == "integer":
        found = arrow.int64()
    elif kind == "date":
        found = arrow.date32()
    elif kind == "time":
        found = arrow.timestamp("s")
    elif kind.startswith(("decimal", "percent")):
        # 64 bits have 19 digits.
        found = arrow.decimal128(max(19, _digits(kind)), _digits(kind))
    else:
        found = arrow.string()
    return found


def kind_of_column(type_: pyarrow.DataType) -> str:
    """Return the kind of a column of a type that `column_type` returns. Words may be a dictionary."""
    types = extra_module("pyarrow", "data").types
    if types.is_decimal(type_):
        return f"decimal({type_.scale})"
    if types.is_integer(type_):
        return "integer"
    return "date" if types.is_date(type_) else "time" if types.is_timestamp(type_) else "word"


def _digits(kind: str) -> int:
    return form_of_kind(kind).digits


def formed_array(numbers: Any, kind: str) -> pyarrow.Array:
    """Return the array of a NumPy array of 64-bit integers as dates, times or decimal numbers.

    Raises CellError for a date that does not fit into 32 bits.
    """
    arrow, numpy = extra_module("pyarrow", "data"), extra_module("numpy", "data")
    found: pyarrow.Array
    if kind == "date":
        short = numbers.astype(numpy.int32)
        if (short != numbers).any():
            from hornbook.kb.tables.csv_lines import CellError  # noqa: PLC0415 - slow to import

            raise CellError("a date does not fit into 32 bits, as Arrow needs it")
        found = arrow.Array.from_buffers(arrow.date32(), len(short), [None, arrow.py_buffer(short)])
        return found
    numbers = numpy.ascontiguousarray(numbers, dtype=numpy.int64)
    if kind != "time":
        # 128 bits are two words, and the second one has the sign.
        numbers = numpy.stack([numbers, numbers >> 63], axis=1)
    buffer = arrow.py_buffer(numpy.ascontiguousarray(numbers))
    found = arrow.Array.from_buffers(column_type(kind), len(numbers), [None, buffer])
    return found


def word_array(words: Sequence[str]) -> pyarrow.Array:
    """Return the array of some words."""
    arrow, numpy = extra_module("pyarrow", "data"), extra_module("numpy", "data")
    encoded = [word.encode() for word in words]
    offsets = numpy.zeros(len(encoded) + 1, dtype=numpy.int32)
    numpy.cumsum([len(word) for word in encoded], out=offsets[1:])
    buffers = [None, arrow.py_buffer(offsets), arrow.py_buffer(b"".join(encoded))]
    found: pyarrow.Array = arrow.Array.from_buffers(arrow.string(), len(encoded), buffers)
    return found
