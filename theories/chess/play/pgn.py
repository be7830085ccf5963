"""PGN: lines of play with variations, written as other programs read them; and the main line of a game, read.

A game begins in any position. Of the moves that may follow the first is the main line, and each other one a variation, in
parentheses. A null move is written `--`. Nothing here is recursive, so that variations may lie in each other as deep as they like.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from hornbook.kb.text.lines import lines_of
from hornbook.theories.chess.play.question import move_of
from hornbook.theories.chess.states.fen import parse_fen, print_fen
from hornbook.theories.chess.states.notation import NotationError, parse_move, parse_uci, print_san
from hornbook.theories.chess.states.position import Position
from hornbook.theories.chess.states.rules import Move, play
from hornbook.theories.places import Place

if TYPE_CHECKING:  # what only reads a position loads no planner
    from hornbook.planner.kep.lines import Turn

WIDTH = 79
BEGINNING = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def print_pgn(root: Turn, tags: Mapping[str, str]) -> str:
    """One game; of the root only the position is written, and its comments. Tags are written beside those that each game must have."""
    known = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
    fen = {"Result": "*", "SetUp": "1", "FEN": print_fen(root.state)}
    head = [f'[{name} "{_escaped(said)}"]' for name, said in {**known, **tags, **fen}.items()]
    text = " ".join([*map(_comment, root.said), *_tokens(root), "*"])
    return "\n".join([*head, "", *wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False), ""])


def print_game(start: Position, moves: Sequence[str], result: str) -> str:
    """A game of legal moves in UCI from some position; that is written where it is not the beginning."""
    head = {
        "Event": "?",
        "Site": "?",
        "Date": "????.??.??",
        "Round": "?",
        "White": "?",
        "Black": "?",
        "Result": result,
    }
    if print_fen(start) != BEGINNING:
        head |= {"SetUp": "1", "FEN": print_fen(start)}
    written: list[str] = []
    position = start
    for ply, move in enumerate(moves):
        if position.to_move == "white":
            written.append(f"{position.number}.")
        elif ply == 0:
            written.append(f"{position.number}...")
        found = parse_uci(position, move)
        written.append(print_san(position, found))
        position = play(position, found)
    tags = [f'[{name} "{said}"]' for name, said in head.items()]
    return "\n".join(
        [
            *tags,
            "",
            *wrap(" ".join([*written, result]), WIDTH, break_long_words=False, break_on_hyphens=False),
            "",
        ]
    )


_TAG = re.compile(r'\s*+\[\s*+(?P<name>\w++)\s++"(?P<said>(?:[^"\\]|\\.)*+)"\s*+\]\s*+')
_UNREAD = re.compile(r"^[ \t]*+\[[^\n]*+$|;[^\n]*+|\{[^}]*+\}", re.MULTILINE)
"""Comments; and tags, in which there are none."""
_TOKEN = re.compile(
    r"\s++|\$\d++|\d++\.++|(?P<open>\()|(?P<close>\))|(?P<result>1/2-1/2|1-0|0-1|\*)|(?P<move>[^\s(){}$.]++)"
)


def parse_game(text: str, file: str = "<pgn>") -> tuple[Position, list[Move]]:
    """Where the first game of a text begins, and the moves of its main line. Raises TheoryError (HB005) at what is wrong."""
    position = start = parse_fen(BEGINNING)
    moves: list[Move] = []
    opened = 0
    for number, line in enumerate(lines_of(_UNREAD.sub(_blank, text)), 1):
        tag = None if opened or moves else _TAG.fullmatch(line)
        if tag is not None:
            if tag["name"] == "FEN":
                position = start = parse_fen(tag["said"], file)
            continue
        for found in _TOKEN.finditer(line):
            opened = max(0, opened + bool(found["open"]) - bool(found["close"]))
            if opened:
                continue
            if found["result"]:
                return start, moves
            if found["move"]:
                try:
                    moves.append(parse_move(position, found["move"]))
                except NotationError as problem:
                    Place(file, text, number, found.start() + 1, len(found[0])).fail(
                        str(problem), "moves are written as in `1. e4 e5 2. Nf3`"
                    )
                position = play(position, moves[-1])
    return start, moves


def _blank(found: re.Match[str]) -> str:
    """Spaces in place of a comment, so that what follows stands where it stood."""
    return found[0] if found[0].lstrip()[0] == "[" else re.sub(r"[^\n]", " ", found[0])


Waiting = tuple[Position, int, Sequence["Turn"]]
"""A position, its ply, and what may follow it."""


def _tokens(root: Turn) -> list[str]:
    start = root.state
    ply = 2 * (start.number - 1) + (start.to_move == "black")
    written: list[str] = []
    waiting: list[str | Waiting] = [(start, ply, root.after)]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            written.append(one)
            continue
        position, ply, turns = one
        if not turns:
            continue
        first, *others = turns
        written += _moved(position, ply, first)
        waiting.append((first.state, ply + 1, first.after))
        for other in reversed(others):
            waiting += [")", (position, ply, [other]), "("]
    return _joined(written)


def _joined(tokens: Sequence[str]) -> list[str]:
    """The tokens, with each parenthesis at what it encloses."""
    found: list[str] = []
    for each in tokens:
        if each == ")" or (found and found[-1] == "("):
            found[-1] += each
        else:
            found.append(each)
    return found


def _moved(position: Position, ply: int, turn: Turn) -> list[str]:
    """The number of a move, which Black's have too, the move, and what is said of it."""
    number = f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'}"
    move = "--" if turn.action is None else print_san(position, move_of(turn.action))
    return [number, move, *map(_comment, turn.said)]


def _comment(said: str) -> str:
    return f"{{{said.replace('{', '(').replace('}', ')')}}}"


def _escaped(said: str) -> str:
    return said.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
