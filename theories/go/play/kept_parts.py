"""Parts of positions that are kept for use again: as many as have so many facts together, those last used."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from hornbook.kb.ast.theory import GroundFact

Name = TypeVar("Name", bound=Hashable)


class KeptParts(Generic[Name]):
    """Makes parts by name, and keeps those last used while they have no more than so many facts together.

    Several threads may ask for parts.
    """

    def __init__(self, make: Callable[[Name], tuple[GroundFact, ...]], facts: int) -> None:
        self._make = make
        self._most = facts
        self._kept: dict[Name, tuple[GroundFact, ...]] = {}
        self._facts = 0
        self._lock = Lock()

    def part(self, name: Name) -> tuple[GroundFact, ...]:
        """The facts of a name: the same tuple as before while it is kept."""
        with self._lock:
            part = self._kept.pop(name, None)
            if part is None:
                part = self._make(name)
                self._facts += len(part)
            self._kept[name] = part
            while self._facts > self._most and len(self._kept) > 1:
                self._facts -= len(self._kept.pop(next(iter(self._kept))))
            return part
