"""Example domains and problems of PDDL, shipped for trying the commands and as templates."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "shipped"
NAMES = ("blocks", "blocks-tower", "doors", "doors-museum")
SUFFIX = ".pddl"


def pddl_called(path: Path) -> Path:
    """Return the path, or a shipped file if the path is its name and no such file exists."""
    name = str(path)
    return FOLDER / f"{name}{SUFFIX}" if name in NAMES and not path.exists() else path


def is_pddl(path: Path) -> bool:
    """Return whether a file is one of PDDL, by the ending of its name."""
    return path.suffix.lower() == SUFFIX
