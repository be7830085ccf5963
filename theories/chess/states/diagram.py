"""Diagrams: positions as people type them, read and printed.

    to move: white
    castling: KQkq
    en passant: e6
        a b c d e f g h
      8 r n b q k b n r
      …
      1 R N B Q K B N R

A rank has a letter for each square, as in FEN, and a point where it is empty. Spaces, numbers of ranks, letters of
files, comments after `%` and the headings may be left out; what is there must be right. White is to move where
nothing else is said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.text.lines import lines_of
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.position import NAMES, Position

_HEADING = re.compile(r"\s*+(?P<key>[a-z][a-z ]*+)\s*+:\s*+(?P<value>\S*+)\s*+", re.IGNORECASE)
_RANK = re.compile(r"\s*+(?P<left>\d++(?=\s))?+(?P<cells>\D*+)(?P<right>(?<=\s)\d++)?+\s*+")
_MEN = "a rank has letters KQRBNP for White and kqrbnp for Black, and a point for an empty square"
_HEADINGS = "a diagram may say `to move: black`, `castling: KQkq` and `en passant: e6`"


@dataclass(slots=True)
class _Reader:
    """What was read of a diagram so far."""

    text: str
    file: str
    ranks: list[str] = field(default_factory=list)
    headings: dict[str, tuple[str, int, int]] = field(default_factory=dict)

    def fail(self, message: str, line: int, column: int = 1, width: int = 1, hint: str = "") -> NoReturn:
        span = Span(self.file, line, column, line, column + width)
        raise TheoryError([error("HB005", message, span, hint)], {self.file: self.text})

    def read(self) -> Position:
        for number, written in enumerate(lines_of(self.text), 1):
            line = written.split("%", 1)[0].rstrip()
            heading = _HEADING.fullmatch(line)
            if heading is not None:
                self.heading(heading, number)
            elif line.strip() and "".join(line.lower().split()) != "abcdefgh":
                self.rank(line, number)
        last = max(1, len(lines_of(self.text)))
        if len(self.ranks) != 8:
            self.fail(f"{len(self.ranks)} ranks; a board has 8", last, hint=_MEN)
        men = "/".join(re.sub(r"\.+", lambda empty: str(len(empty[0])), rank) for rank in self.ranks)
        player = self.headings.get("to move", ("white", 0, 0))[0][0]
        rights = self.headings.get("castling", ("-", 0, 0))[0]
        passed = self.headings.get("en passant", ("-", 0, 0))[0]
        try:
            return parse_fen(f"{men} {player} {rights} {passed}", self.file)
        except TheoryError as problem:
            named = f"{player} {rights} {passed}"
            self.fail(f"{problem.diagnostics[0].message} (to move, castling and en passant: {named})", last)

    def heading(self, heading: re.Match[str], line: int) -> None:
        key, value = heading["key"].rstrip().lower(), heading["value"]
        if key not in ("to move", "castling", "en passant"):
            self.fail(
                f"unknown heading `{heading['key'].rstrip()}`",
                line,
                heading.start("key") + 1,
                len(key),
                _HEADINGS,
            )
        if key == "to move" and value not in ("white", "black"):
            self.fail(
                f"`{value}` is not a player", line, heading.start("value") + 1, len(value) or 1, _HEADINGS
            )
        self.headings[key] = (value, line, heading.start("value") + 1)

    def rank(self, line: str, number: int) -> None:
        match = _RANK.fullmatch(line)
        if match is None:
            self.fail("this is not a rank of a board", number, 1, len(line), _MEN)
        wanted = 8 - len(self.ranks)
        for group in ("left", "right"):
            if match[group] is not None and match[group].lstrip("0") != str(wanted):
                start, width = match.start(group) + 1, len(match[group])
                self.fail(f"rank {wanted} is numbered {match[group]}", number, start, width)
        cells = ""
        for place, character in enumerate(match["cells"], match.start("cells") + 1):
            if character.isspace():
                continue
            if character not in "KQRBNPkqrbnp.":
                self.fail(f"unexpected character `{character}`", number, place, 1, _MEN)
            cells += character
        if len(cells) != 8:
            self.fail(f"a rank of {len(cells)} squares; each has 8", number, 1, len(line), _MEN)
        self.ranks.append(cells)


def parse_diagram(text: str, file: str = "<diagram>") -> Position:
    """The position that a diagram shows. Raises TheoryError (HB005) at the place where it is wrong."""
    return _Reader(text, file).read()


def print_diagram(position: Position) -> str:
    """The position as a diagram, with headings for what is known and with coordinates."""
    lines = [f"to move: {position.to_move}"]
    if position.rights:
        lines.append(f"castling: {position.rights}")
    if position.passed is not None:
        lines.append(f"en passant: {NAMES[position.passed]}")
    lines.append("  a b c d e f g h")
    for rank in range(7, -1, -1):
        lines.append(f"{rank + 1} {' '.join(position.men[8 * rank : 8 * rank + 8])}")
    return "\n".join(lines) + "\n"
