"""Moves of a game in GDL or of a theory as texts without spaces: `mark(1,1)` for `(mark 1 1)`.

Records, protocols and lines of play separate moves by spaces. Different moves have different texts: a comma,
a parenthesis or a backslash within a word is preceded by a backslash, and spaces are written by _ESCAPES.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from hornbook.planner.gdl.ground import Ground

_ESCAPED = re.compile(r"[\\,()\s]")
_ESCAPES = {" ": "\\s", "\t": "\\t"}
"""The texts of spaces and tabs within a word."""
_PART = re.compile(r"[^\s(),]+")


def move_text(move: Ground) -> str:
    """Return a move as text."""
    if isinstance(move, str):
        return _escaped(move)
    return f"{move_text(move[0])}({','.join(map(move_text, move[1:]))})"


def _escaped(word: str) -> str:
    return _ESCAPED.sub(lambda found: _ESCAPES.get(found[0], f"\\{found[0]}"), word)


def typed_move(typed: str, legal: Iterable[str]) -> str | None:
    """Return the only legal move with the words that a person typed, or None.

    `mark 1 1`, `(mark 1 1)` and `mark(1, 1)` are the same. Case is ignored, as in KIF.
    """
    words = _PART.findall(typed.lower())
    found = [move for move in legal if _PART.findall(move.lower()) == words]
    return found[0] if len(found) == 1 else None
