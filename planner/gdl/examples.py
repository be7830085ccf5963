"""Example sheets, shipped for play and as templates."""

from __future__ import annotations

from pathlib import Path

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import TheoryError, did_you_mean, error
from hornbook.kb.sources.files import why_no_file

FOLDER = Path(__file__).parent / "sheets"
NAMES = ("lights", "nim", "noughts_and_crosses")


SUFFIXES = (".kif", ".gdl")
"""The suffixes of sheets."""


def is_sheet(name: str) -> bool:
    """Return whether an argument of a command names a sheet: one that ships, or a file by its suffix."""
    path = Path(name)
    return path.suffix.lower() in SUFFIXES or (name in NAMES and not path.exists())


def sheet_called(path: Path) -> Path:
    """Return the path, or a shipped sheet if the path is its name and no such file exists.

    Raises TheoryError (HB005) for a word that is neither and may be a misspelt name.
    """
    name = str(path)
    if name in NAMES and not path.exists():
        return FOLDER / f"{name}.kif"
    hint = did_you_mean(name, NAMES)
    if hint and why_no_file(path) == "there is no such file":
        message = f"there is no file `{name}`, and no game that ships is called so"
        raise TheoryError([error("HB005", message, Span(name, 1, 1, 1, 1), hint)], {})
    return path
