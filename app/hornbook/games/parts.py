"""The part of a theory that proves a game: lessons of one game do not need the whole theory.

The part is the file that says what replies there are in the game, so that of a theory somebody edited it is the
edited part. Always true: what a part says, the theory says.
"""

from __future__ import annotations

from pathlib import Path

from hornbook.kb.ast.theory import Theory
from hornbook.kb.load.loader import load
from hornbook.theories.domain import Domain


def part_of(theory: Theory, game: str, domain: Domain) -> Theory:
    """The part of a theory that proofs of a game use, where the domain says that they use a part; else all of it."""
    replies = theory.replies_of(game)
    if not domain.proves_by_part or replies is None:
        return theory
    file = Path(replies.span.file).resolve()
    return load(file, adapters=theory.adapters) if file.is_file() else theory
