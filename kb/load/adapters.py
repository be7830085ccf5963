"""The code beside a theory: its adapter and its domain, and whether they may be run.

To load a theory runs nothing of its folder. An adapter is code of whoever wrote the theory, and is imported where a state is
to be read, and not before; where the theory was loaded with `adapters=False`, or the environment says
`HORNBOOK_NO_ADAPTERS=1`, never.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.locate import adapter, adapters_are_run, beside


def adapter_of(theory: Theory) -> ModuleType | None:
    """The adapter beside a theory's own file; None without one, or where none is run."""
    return adapter(theory.path) if theory.adapters and theory.path is not None else None


def reader_of(theory: Theory) -> ModuleType | None:
    """The adapter that reads a theory's states, its own or that of the nearest theory that it imports; None without one,
    or where none is run.
    """
    return _nearest(theory, "adapter")


def domain_module_of(theory: Theory) -> ModuleType | None:
    """The module `domain.py` of a theory, found as its adapter is."""
    return _nearest(theory, "domain")


def _nearest(theory: Theory, name: str) -> ModuleType | None:
    if theory.path is None or not theory.adapters:
        return None
    places = (theory.path, *map(Path, reversed([*theory.sources])))
    return next((found for place in places if (found := beside(place, name)) is not None), None)


def why_none(theory: Theory) -> str:
    """What to add to a message that a theory has no adapter: nothing, or that none is run."""
    return "" if theory.adapters and adapters_are_run() else " that may be run (`--no-adapters`)"
