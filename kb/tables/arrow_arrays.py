"""Arrow arrays from columns of numbers and lists of words.

The constructor of pyarrow imports pandas, if it is installed. This takes longer than the evaluation of
thousands of states, so arrays are built from buffers here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hornbook.kb.sources.extras import extra_module

if TYPE_CHECKING:
    import pyarrow


def number_array(numbers: Any) -> pyarrow.Array:
    """Return the array of a NumPy array of 32-bit or 64-bit integers."""
    arrow, numpy = extra_module("pyarrow", "data"), extra_module("numpy", "data")
    kind = arrow.int32() if numbers.dtype == numpy.int32 else arrow.int64()
    buffer = arrow.py_buffer(numpy.ascontiguousarray(numbers))
    found: pyarrow.Array = arrow.Array.from_buffers(kind, len(numbers), [None, buffer])
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
