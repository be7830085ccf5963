"""The code beside a theory: its adapter and its domain, and whether they may be run.

To load a theory runs nothing of its folder. An adapter is code of whoever wrote the theory, and is imported where a state is
to be read, and not before; where the theory was loaded with `adapters=False`, or the environment says
`HORNBOOK_NO_ADAPTERS=1`, never.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources import files
from hornbook.kb.sources.locate import adapter, adapters_are_run, beside


def adapter_of(theory: Theory) -> ModuleType | None:
    """The adapter beside a theory's own file; None without one, or where none is run."""
    return adapter(theory.path) if theory.adapters and theory.path is not None else None


def reader_of(theory: Theory) -> ModuleType | None:
    """The adapter that reads a theory's states, its own or that of the nearest theory that it imports; None without one,
    or where none is run.
    """
    return _nearest(theory, "adapter")


def text_of(reader: ModuleType, path: Path) -> str:
    """The text of a file with a state or a game. An adapter with `decode(data, name)` knows its encodings; otherwise it is UTF-8.

    Raises TheoryError (HB004, HB005).
    """
    text: str = getattr(reader, "decode", files.decode)(files.read_bytes(path, str(path)), str(path))
    return text


def state_of_file(reader: ModuleType, path: Path) -> Any:
    """The state of a file. An adapter with `read_file(path)` may read files that are no text. Raises TheoryError."""
    read_file = getattr(reader, "read_file", None)
    state = None if read_file is None else read_file(path)
    return reader.read(text_of(reader, path), str(path)) if state is None else state


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
