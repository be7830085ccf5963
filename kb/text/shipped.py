"""How texts call the files that ship with Hornbook: by their place in the package, wherever that is installed."""

from __future__ import annotations

import os
from pathlib import Path

_THEORIES = str(Path(__file__).resolve().parents[2] / "theories") + os.sep


def file_named(file: str) -> str:
    """`hornbook/theories/classical/family.horn` for the file of a theory that ships; others are called as they are."""
    if not file.startswith(_THEORIES):
        return file
    return f"hornbook/theories/{file.removeprefix(_THEORIES).replace(os.sep, '/')}"
