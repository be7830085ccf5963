"""Part of a theory that proves a game: problems of one game do not need the whole theory.

The part is the file with the `replies` clause of the game. If a user edited the theory, it is the edited
part. Invariants: The theory implies everything that a part states.
"""

from __future__ import annotations

from pathlib import Path

from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import Theory
from hornbook.theories.domain import Domain


def part_of(theory: Theory, game: str, domain: Domain) -> Theory:
    """Return the part of a theory that proofs of a game use if the domain allows it, else the theory."""
    replies = theory.replies_of(game)
    if not domain.proves_by_part or replies is None:
        return theory
    file = Path(replies.span.file).resolve()
    return load(file, adapters=theory.adapters) if file.is_file() else theory
