"""Writer of PGN: lines of play with variations, and whole games.

A game begins in any position. The first of the moves that may follow is the main line, and the others are
variations in parentheses. A null move is written `--`. The writer is not recursive, so that variations can be
nested to any depth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

from hornbook.theories.chess.play.question import move_of
from hornbook.theories.chess.states.fen import print_fen
from hornbook.theories.chess.states.notation import parse_uci, print_san
from hornbook.theories.chess.states.pgn import BEGINNING, passed
from hornbook.theories.chess.states.position import ChessPosition
from hornbook.theories.chess.states.rules import play
from hornbook.theories.protocols.planning import Turn

WIDTH = 79
NULL = "--"
"""Null move, which gives the turn to the other side."""


def print_pgn(root: Turn, tags: Mapping[str, str]) -> str:
    """Return one game with additional tags. Only the position and the comments of the root are written."""
    known = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
    fen = {"Result": "*", "SetUp": "1", "FEN": print_fen(root.state)}
    head = [f'[{name} "{_escaped(value)}"]' for name, value in {**known, **tags, **fen}.items()]
    text = " ".join([*map(_comment, root.notes), *_tokens(root), "*"])
    return "\n".join([*head, "", *wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False), ""])


def print_game(start: ChessPosition, moves: Sequence[str], result: str) -> str:
    """Return a game of legal moves in UCI and null moves; its first position is written unless
    it is the usual one.
    """
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
    tags = [f'[{name} "{value}"]' for name, value in head.items()]
    return "\n".join(
        [
            *tags,
            "",
            *wrap(" ".join([*written, result]), WIDTH, break_long_words=False, break_on_hyphens=False),
            "",
        ]
    )


Waiting = tuple[ChessPosition, int, Sequence["Turn"]]
"""Position, its ply, and its continuations."""


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
    """Return the tokens with each parenthesis attached to its contents."""
    found: list[str] = []
    for each in tokens:
        if each == ")" or (found and found[-1] == "("):
            found[-1] += each
        else:
            found.append(each)
    return found


def _moved(position: ChessPosition, ply: int, turn: Turn) -> list[str]:
    """Return the move's number (also for Black's moves), the move, and its comments."""
    number = f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'}"
    move = NULL if turn.action is None else print_san(position, move_of(turn.action))
    return [number, move, *map(_comment, turn.notes)]


def _comment(text: str) -> str:
    return f"{{{text.replace('{', '(').replace('}', ')')}}}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
