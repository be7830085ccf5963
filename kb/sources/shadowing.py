"""Names of new files that are already the names of theories.

An import looks in the folder of the file that imports before it looks among the theories that ship. So a new file with
the name of a theory is read in the place of that theory by every other file in its folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.sources.files import shown
from hornbook.kb.sources.locate import SUFFIX, known_theories

PROTECTED = (SUFFIX, ".py", ".proofs.jsonl")
"""Endings of files that no output but a theory may have."""


def must_not_shadow(path: Path, used: Iterable[str] = ()) -> None:
    """Raise TheoryError if a file to be written would replace one of the `used` files or be read in the place of a theory."""
    files = [Path(name) for name in used]
    for file in files:
        if _are_one(path, file):
            raise _refused(path, f"`{shown(path)}` is a source of the theory and would be replaced")
    if path.suffix == SUFFIX and path.stem in {
        *known_theories(),
        *(file.stem for file in files if file.suffix in (SUFFIX, "")),
    }:
        raise _refused(
            path, f"files in this folder that import `{path.stem}` would read this file instead of the theory"
        )


def is_protected(path: Path) -> bool:
    """Whether a name, or the file that a link of this name leads to, has the ending of a theory, code or proofs."""
    names = [str(path)]
    with suppress(OSError, ValueError):  # a name that no file can have
        names.append(os.path.realpath(path))
    return any(name.casefold().endswith(PROTECTED) for name in names)


def must_be_no_theory(path: Path) -> None:
    """Raise TheoryError if a file to be written is not a theory, code or proofs, but has the ending of one."""
    if is_protected(path):
        raise _refused(
            path,
            f"{', '.join(PROTECTED)} are endings of theories, code and proofs, and what is written is none",
            path.stem,
        )


def _are_one(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


def _refused(path: Path, message: str, another: str | None = None) -> TheoryError:
    span = Span(str(path), 1, 1, 1, 1)
    name = another or f"{path.stem}_new{path.suffix}"
    return TheoryError([error("HB016", message, span, f"choose another name, such as `{name}`")], {})
