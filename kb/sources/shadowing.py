"""Names of new files that are already the names of theories.

An import searches the folder of the importing file before the theories that are shipped. So a new file with
the name of a theory would replace that theory for every other file in its folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.sources.files import shown
from hornbook.kb.sources.locate import SUFFIX, known_theories
from hornbook.kb.text.spans import Span

PROTECTED = (SUFFIX, ".py", ".proofs.jsonl")
"""The endings of files that only theories, code and proofs may have."""


def must_not_shadow(path: Path, used: Iterable[str] = ()) -> None:
    """Raise TheoryError if a file to be written would replace one of the `used` files or be read in the place
    of a theory.
    """
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
    """Return whether a name, or the target of a link with this name, has the ending of a theory, code or
    proofs.
    """
    names = [str(path)]
    with suppress(OSError, ValueError):  # an invalid file name
        names.append(os.path.realpath(path))
    return any(name.casefold().endswith(PROTECTED) for name in names)


def must_be_no_theory(path: Path) -> None:
    """Raise TheoryError if the name of an output that is not a theory, code or proofs has the
    ending of one.
    """
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
