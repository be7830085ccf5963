"""Reader of PGN: the initial position and the main line of the first game of a text.

Tags, comments in braces or after `;`, lines that begin with `%`, variations in parentheses, numbers of moves
and judgements (`$1`, `!?`, `±`) are skipped. A null move (`--`, `Z0`) gives the turn to the other side.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from typing import NoReturn

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.text.dataclass import dataclass
from hornbook.kb.text.lines import with_plain_ends
from hornbook.theories.chess.states.attacked import in_check
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.notation import NotationError, parse_move
from hornbook.theories.chess.states.position import OTHER, ChessPosition
from hornbook.theories.chess.states.rules import ChessMove, play
from hornbook.theories.places import SourcePlace

BEGINNING = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@dataclass(frozen=True, slots=True)
class PgnGame:
    """Initial position of a game, its moves (None for a null move), and its final position."""

    beginning: ChessPosition
    moves: tuple[ChessMove | None, ...]
    end: ChessPosition


_FIRST = re.compile(
    r"""
    (?: \s | [%;].*(?:\n|\Z) )*+
    (?: \[ | \{ | (?:--|Z0|z0|@@@@)(?!\S) | 1\s*+\. | (?:1\s++)?[KQRBN]?[a-h][1-8](?!\S*/)
    | (?:1-0|0-1|1/2-1/2|\*)\s*+\Z )
    """,
    re.VERBOSE,
)
_TOKEN = re.compile(
    r"""
    (?P<skipped> \s++ | ^%[^\n]*+ | ;[^\n]*+ | \{[^}]*+\} | \$\d++ | \d++\s*+(?:\.++|…) | \.{2,} | … )
    | (?P<tag> \[\s*+(?P<name>\w[\w+\#=:.-]*+)\s++"(?P<value>(?:[^"\\\n]|\\.)*+)"\s*+\] )
    | (?P<open> \( ) | (?P<close> \) )
    | (?P<result> (?:1/2-1/2|1/2|½-½|1-0|0-1|\*)(?![^\s;{()\[]) )
    | (?P<null> (?:--|Z0|z0|@@@@|0000|null)(?![A-Za-z0-9]) )
    | (?P<comment> (?:e\.\s?p\.|ep|ch|dbl\.?\s?ch|mate|N|TN|D|RR)(?=[\s{;()$!?±+.]|$) )
    | (?P<number> \d++(?![\w/-]) )
    | (?P<move> [\w♔-♟](?:[\w♔-♟=:/×-]|\([QRBNqrbn]\)|\.(?=\s?p\.))*+[+\#†‡]*+ )
    | (?P<glyph> (?:[!?+=\-/.,~^<>|'\#]|[^\w\s\x00-\x7f])++ )
    """,
    re.MULTILINE | re.VERBOSE,
)
_LINE_END = re.compile(r"\n")
_APART = re.compile(r"\n[^\S\n]*+\n|[{;]")
"""An empty line or a comment, which no block of tags has."""
_REMARK = re.compile(r"(?:e\.\s?p\.?|(?<=\d)(?:ep|ch|mate))$")
"""Remarks that old books write after a move: taken in passing, check, mate."""
_VARIANTS = ("standard", "chess", "normal", "from position", "fide")


def is_pgn(text: str) -> bool:
    """Return whether a text begins like PGN."""
    return _FIRST.match(text.lstrip("\ufeff")) is not None


def parse_pgn(text: str, file: str = "<pgn>") -> PgnGame:
    """Return the first game of a text. Raise TheoryError (HB005) at an error."""
    return _PgnReader(with_plain_ends(text.removeprefix("\ufeff")), file).game()


def pgn_starts(text: str, file: str = "<pgn>") -> list[int]:
    """Return the offset of each game of a text. Raise TheoryError (HB005) if it is malformed."""
    return list(_PgnReader(text, file).starts())


class _PgnReader:
    """Parser of the first game of a text, with the part read so far."""

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.lines = [0, *(found.end() for found in _LINE_END.finditer(text))]
        self.beginning = self.position = parse_fen(BEGINNING)
        self.moves: list[ChessMove | None] = []
        self.open: list[int] = []
        self.tags: set[str] = set()
        self.last_tag = 0

    def game(self) -> PgnGame:
        has_anything = False
        for found in self._tokens():
            has_anything = True
            if found["tag"] and not self.open:
                if self.moves or self._begins_next_game(found):
                    break
                self._tag(found)
            elif found["open"]:
                self.open.append(found.start())
            elif found["close"]:
                if not self.open:
                    self.place(found).fail("`)` closes nothing", "variations stand in parentheses")
                self.open.pop()
            elif found["result"] and not self.open:
                break
            elif found["null"] and not self.open:
                self._null_move(found)
            elif found["move"] and not self.open:
                self._move(found)
        else:
            if self.open:
                self.at(self.open[-1]).fail("`(` is not closed", "variations stand in parentheses")
        if not has_anything:
            self.at(0).fail("there is no game here", "moves are written as in `1. e4 e5 2. Nf3`")
        return PgnGame(self.beginning, tuple(self.moves), self.position)

    def starts(self) -> Iterator[int]:
        """Return the offset of each game; no move is played."""
        depth, is_in_game, has_moves = 0, False, False
        for found in self._tokens():
            if found["open"] or found["close"]:
                depth = max(0, depth + (1 if found["open"] else -1))
            elif depth or not (found["tag"] or found["result"] or found["move"] or found["null"]):
                continue
            else:
                is_next = found["tag"] and (has_moves or self._begins_next_game(found))
                if is_next or not is_in_game:
                    yield found.start()
                    self.tags, is_in_game, has_moves = set(), True, False
                if found["tag"]:
                    self.tags.add(found["name"].lower())
                    self.last_tag = found.end()
                elif found["result"]:
                    self.tags, is_in_game = set(), False
                else:
                    has_moves = True

    def _tokens(self) -> Iterator[re.Match[str]]:
        at = 0
        while at < len(self.text):
            found = _TOKEN.match(self.text, at)
            if found is None:
                self._refuse(at)
            if not found["skipped"]:
                yield found
            at = found.end()

    def _refuse(self, at: int) -> NoReturn:
        if self.text[at] == "{":
            self.at(at).fail("this comment does not end", "a comment ends with `}`")
        if self.text[at] == "[":
            self.at(at).fail("this is no tag", 'a tag is written `[White "Tal"]`')
        self.at(at).fail(f"unexpected character `{self.text[at]}`", "comments stand in braces")

    def _begins_next_game(self, found: re.Match[str]) -> bool:
        """Whether a tag begins another game: `Event` is the first tag, and other tags stand once in a block
        of lines.
        """
        name = found["name"].lower()
        is_apart = _APART.search(self.text, self.last_tag, found.start()) is not None
        return (name == "event" and bool(self.tags) and is_apart) or (
            name in self.tags and (name == "event" or is_apart)
        )

    def _tag(self, found: re.Match[str]) -> None:
        self.tags.add(found["name"].lower())
        self.last_tag = found.end()
        name, value = found["name"].lower(), re.sub(r"\\(.)", r"\1", found["value"])
        place = self.at(found.start("value"), len(found["value"]))
        if name == "fen":
            try:
                self.beginning = self.position = parse_fen(value, self.file)
            except TheoryError as problem:
                (diagnostic,) = problem.diagnostics
                column = diagnostic.span.column - 1
                self.at(found.start("value") + column).fail(diagnostic.message, diagnostic.help)
        elif name == "variant" and value.strip().lower() not in _VARIANTS:
            place.fail(
                f"this is a game of {value}, and not of chess", "records of chess have no tag `Variant`"
            )

    def _null_move(self, found: re.Match[str]) -> None:
        position = self.position
        if in_check(position):
            self.place(found).fail(f"{position.to_move} stands in check and cannot give up the turn")
        self.moves.append(None)
        self.position = passed(position)

    def _move(self, found: re.Match[str]) -> None:
        written = found["move"]
        try:
            move = parse_move(self.position, _REMARK.sub("", written))
        except NotationError as problem:
            self.place(found).fail(str(problem), "moves are written as in `1. e4 e5 2. Nf3`")
        self.moves.append(move)
        self.position = play(self.position, move)

    def place(self, found: re.Match[str]) -> SourcePlace:
        return self.at(found.start(), len(found[0]))

    def at(self, offset: int, length: int = 1) -> SourcePlace:
        line = bisect_right(self.lines, offset)
        return SourcePlace(self.file, self.text, line, offset - self.lines[line - 1] + 1, length)


def passed(position: ChessPosition) -> ChessPosition:
    """Return the position after a null move of a side that is not in check."""
    return replace(
        position,
        to_move=OTHER[position.to_move],
        passed=None,
        quiet_plies=position.quiet_plies + 1,
        number=position.number + (position.to_move == "black"),
    )
