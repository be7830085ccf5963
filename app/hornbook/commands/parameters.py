"""The declarations of arguments and options, independent of what reads the command line.

A command line without mistakes is read by `plain_lines.py`. For all others, and for `--help`, the
declarations are turned into those of typer (`application.py`), which is slow to import.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Parameter(NamedTuple):
    """An argument, or an option with its names, and the settings that typer defines for it."""

    names: tuple[str, ...]
    """Empty for an argument."""
    settings: Mapping[str, Any]

    @property
    def long(self) -> str:
        """The long name of an option."""
        return next(name for name in self.names if name.startswith("--"))


def parameter_of(annotation: Any) -> Parameter | None:
    """Return the declaration in the type of a command's parameter, if there is one."""
    declared = (each for each in getattr(annotation, "__metadata__", ()) if isinstance(each, Parameter))
    return next(declared, None)
