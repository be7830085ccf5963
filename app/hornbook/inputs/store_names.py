"""Names of stores on a command line: `FILE.sqlite`, or `FILE.sqlite#THEORY` for one of its theories.

An SQLite file is recognised by its content. Any other path, existing or not, is a store if its suffix says
so.
"""

from __future__ import annotations

from pathlib import Path

from hornbook.kb.sources.files import is_sqlite
from hornbook.matcher.program.dataclass import dataclass

SUFFIXES = (".sqlite", ".sqlite3", ".db")


@dataclass(frozen=True, slots=True)
class StoreName:
    """A store and the name of a theory in it; None means its only theory."""

    path: Path
    theory: str | None = None


def store_named(target: str | Path) -> StoreName | None:
    """Return the store that an argument names, or None if it names something else."""
    place, _, theory = str(target).rpartition("#")
    if _is_store(Path(target)):
        return StoreName(Path(target))
    return StoreName(Path(place), theory) if place and theory and _is_store(Path(place)) else None


def place_of(target: str | Path) -> StoreName:
    """Return the store that an argument names, if the argument can only be a store."""
    return store_named(target) or StoreName(Path(target))


def _is_store(path: Path) -> bool:
    return is_sqlite(path) or path.suffix in SUFFIXES
