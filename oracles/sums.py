"""Results of a run in parts that can be added."""

from __future__ import annotations

from typing import Self


class Sums:
    """A dataclass of numbers, counters and lists that can add another of its class."""

    def add(self, other: Self) -> None:
        for name in self.__dataclass_fields__:  # type: ignore[attr-defined]
            setattr(self, name, getattr(self, name) + getattr(other, name))
