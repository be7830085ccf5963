"""By which part of a theory a game is proved, and by whose play: lessons of one game need not the whole theory.

The part is the file that says what replies there are in the game, so that of a theory somebody edited it is the
edited part. Always true: what a part says, the theory says.
"""

from __future__ import annotations

from pathlib import Path

from hornbook.compiler.prove.winning import Play
from hornbook.games.domains import domain_of
from hornbook.kb.ast.theory import Theory
from hornbook.kb.load.loader import load
from hornbook.theories.go import eyes, tactics

WHOLE = "go"
"""The theory of which proofs use parts: without the rest of it, each takes a tenth of the time."""
_PLAYS: dict[str, Play] = {"take": tactics, "save": eyes}
"""The play of Go, by the game that is to be won."""


def part_of(theory: Theory, game: str) -> Theory:
    """The part of Go that proofs of a game use, as this theory has it; any other theory is one part."""
    replies = theory.replies_of(game)
    if theory.name != WHOLE or replies is None or domain_of(theory) is not None:
        return theory
    file = Path(replies.span.file).resolve()
    return load(file, adapters=theory.adapters) if file.is_file() else theory


def play_of(theory: Theory, game: str) -> Play | None:
    """Who plays a game; None where nobody does."""
    domain = domain_of(theory)
    return _PLAYS.get(game) if domain is None else domain.play
