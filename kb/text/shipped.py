"""The names of shipped files in texts: their paths in the package, wherever it is installed."""

from __future__ import annotations

import os
from pathlib import Path

_THEORIES = str(Path(__file__).resolve().parents[2] / "theories") + os.sep


def file_named(file: str) -> str:
    """Return `hornbook/theories/classical/family.horn` for a file of a shipped theory, and other names
    unchanged.
    """
    if not file.startswith(_THEORIES):
        return file
    return f"hornbook/theories/{file.removeprefix(_THEORIES).replace(os.sep, '/')}"
