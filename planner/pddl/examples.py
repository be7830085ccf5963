"""Example domains and problems of PDDL, shipped for trying the commands and as templates, and the recognition
of PDDL.
"""

from __future__ import annotations

import re
from pathlib import Path

from hornbook.kb.sources.files import read_text, shown

FOLDER = Path(__file__).parent / "shipped"
NAMES = ("blocks", "blocks-tower", "doors", "doors-museum")
SUFFIX = ".pddl"
_DEFINITION = re.compile(r"(?:\s|;.*+)*+\(\s*+define\b", re.IGNORECASE)


def pddl_called(path: Path) -> Path:
    """Return the path, or a shipped file if the path is its name and no such file exists."""
    name = str(path)
    return FOLDER / f"{name}{SUFFIX}" if name in NAMES and not path.exists() else path


def is_pddl(path: Path) -> bool:
    """Return whether a file is one of PDDL, by its name or its text. Raises TheoryError for an unreadable
    file with another ending.
    """
    if path.suffix == SUFFIX:
        return True
    return path.is_file() and _DEFINITION.match(read_text(path, shown(path))) is not None
