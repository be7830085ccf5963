"""Chess diagrams as text, read and printed.

    to move: white
    castling: KQkq
    en passant: e6
        a b c d e f g h
      8 r n b q k b n r
      …
      1 R N B Q K B N R

A rank has a letter for each man, as in FEN, and a point for an empty square. Spaces, numbers of ranks,
letters of files, comments after `%` and the headings are optional, but must be correct if present. By
default White is to move.
"""

from __future__ import annotations

import re

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.text.counts import counted
from hornbook.theories.boards.diagram import DiagramLayout, printed, read
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.position import NAMES, ChessPosition

_LAYOUT = DiagramLayout(
    "rank",
    "KQRBNPkqrbnp.",
    ("to move", "castling", "en passant"),
    "a rank has letters KQRBNP for White and kqrbnp for Black, and a point for an empty square",
    "a diagram may say `to move: black`, `castling: KQkq` and `en passant: e6`",
)


def parse_diagram(text: str, file: str = "<diagram>") -> ChessPosition:
    """Return the position of a diagram. Raise TheoryError (HB005) at the position of an error."""
    shown = read(text, file, _LAYOUT)
    player, ranks = shown.player("to move") or "white", shown.rows
    for rank in ranks:
        if len(rank.cells) != 8:
            rank.place.fail(f"a rank of {counted(len(rank.cells), 'square')}; each has 8", _LAYOUT.about_rows)
    if len(ranks) != 8:
        shown.last.fail(f"{counted(len(ranks), 'rank')}; a board has 8", _LAYOUT.about_rows)
    shown.check_coordinates("abcdefgh")
    men = "/".join(re.sub(r"\.+", lambda empty: str(len(empty[0])), rank.cells) for rank in ranks)
    rights, passed = (shown.headings.get(key, ("-", shown.whole))[0] for key in ("castling", "en passant"))
    named = f"{player[0]} {rights} {passed}"
    try:
        return parse_fen(f"{men} {named}", file)
    except TheoryError as problem:
        shown.last.fail(f"{problem.diagnostics[0].message} (to move, castling and en passant: {named})")


def print_diagram(position: ChessPosition) -> str:
    """Return the position as a diagram, with coordinates and with headings for the known values."""
    headings = [f"to move: {position.to_move}"]
    headings += [f"castling: {position.rights}"] if position.rights else []
    headings += [] if position.passed is None else [f"en passant: {NAMES[position.passed]}"]
    return printed(headings, [position.men[8 * rank : 8 * rank + 8] for rank in range(7, -1, -1)], "abcdefgh")
