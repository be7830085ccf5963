"""How a command line names a store: `FILE.sqlite`, or `FILE.sqlite#THEORY` for one of its theories.

What is a store is told by what a file holds; by its suffix, what is not there or holds something else.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hornbook.kb.sources.files import is_sqlite

SUFFIXES = (".sqlite", ".sqlite3", ".db")


@dataclass(frozen=True, slots=True)
class StoreName:
    """A store, and the name of the theory that is meant; without one, its only theory."""

    path: Path
    theory: str | None = None


def store_named(target: str | Path) -> StoreName | None:
    """The store that a THEORY, RULES or the place of rules names; None where that is something else."""
    place, _, theory = str(target).rpartition("#")
    if _is_store(Path(target)):
        return StoreName(Path(target))
    return StoreName(Path(place), theory) if place and theory and _is_store(Path(place)) else None


def place_of(target: str | Path) -> StoreName:
    """The same, where nothing but a store can be meant."""
    return store_named(target) or StoreName(Path(target))


def _is_store(path: Path) -> bool:
    return is_sqlite(path) or path.suffix in SUFFIXES
