"""PGN, written: lines of play with variations, and whole games, as other programs read them.

A game begins in any position. Of the moves that may follow the first is the main line, and each other one a variation, in
parentheses. A null move is written `--`. Nothing here is recursive, so that variations may lie in each other as deep as they like.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from hornbook.theories.chess.play.question import move_of
from hornbook.theories.chess.states.fen import print_fen
from hornbook.theories.chess.states.notation import parse_uci, print_san
from hornbook.theories.chess.states.pgn import BEGINNING, passed
from hornbook.theories.chess.states.position import Position
from hornbook.theories.chess.states.rules import play

if TYPE_CHECKING:  # what only reads a position loads no planner
    from hornbook.planner.kep.lines import Turn

WIDTH = 79
NULL = "--"
"""A null move, after which the other side is to move."""


def print_pgn(root: Turn, tags: Mapping[str, str]) -> str:
    """One game; of the root only the position is written, and its comments. Tags are written beside those that each game must have."""
    known = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
    fen = {"Result": "*", "SetUp": "1", "FEN": print_fen(root.state)}
    head = [f'[{name} "{_escaped(said)}"]' for name, said in {**known, **tags, **fen}.items()]
    text = " ".join([*map(_comment, root.said), *_tokens(root), "*"])
    return "\n".join([*head, "", *wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False), ""])


def print_game(start: Position, moves: Sequence[str], result: str) -> str:
    """A game of legal moves in UCI, and null moves, from some position; that is written where it is not the beginning."""
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
        if move == NULL:
            written.append(NULL)
            position = passed(position)
            continue
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
    move = NULL if turn.action is None else print_san(position, move_of(turn.action))
    return [number, move, *map(_comment, turn.said)]


def _comment(said: str) -> str:
    return f"{{{said.replace('{', '(').replace('}', ')')}}}"


def _escaped(said: str) -> str:
    return said.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
