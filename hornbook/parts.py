"""By which part of a theory a game is proved, and by whose play: lessons of one game need not the whole theory.

The part is the file that says what replies there are in the game, so that of a theory somebody edited it is the
edited part. Always true: what a part says, the theory says.
"""

from __future__ import annotations

from pathlib import Path

from compiler.winning import Play
from hornbook.domains import domain_of
from kb.loader import load
from kb.theory import Theory
from theories.go import eyes, tactics

_PLAYS: dict[str, Play] = {"take": tactics, "save": eyes}
"""The play of Go, by the game that is to be won."""


def part_of(theory: Theory, game: str) -> Theory:
    """The part of a theory that proofs of a game use; the theory itself where it is one file."""
    replies = theory.replies_of(game)
    if replies is None or domain_of(theory) is not None:
        return theory
    file = Path(replies.span.file).resolve()
    return theory if theory.path is None or file == theory.path.resolve() else load(file)


def play_of(theory: Theory, game: str) -> Play | None:
    """Who plays a game; None where nobody does."""
    domain = domain_of(theory)
    return _PLAYS.get(game) if domain is None else domain.play
