"""Rows as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any


class _Echo:
    """A stream that gives back what is written into it."""

    def write(self, text: str) -> str:
        return text


def csv_lines(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The lines of a CSV with a header, each with the line feed that ends it."""
    # What a writer writes it also gives back.
    line: Any = csv.writer(_Echo(), lineterminator="\n").writerow
    yield line(header)
    yield from map(line, rows)
