"""SGF in and out, through sgfmill (the extra `go`).

A file states one position. Where its root sets up stones, that is the position, and moves below it are
somebody's answer to it: they are not read. A game (an empty board, or handicap stones, and moves) states the
position at the end of its main line, by telling how it came about; sgfmill's board
(`sgfmill.boards.Board.play`), which is no part of this project, re-enacts that past, captures and ko included.
Nothing here plays a move, and none beyond the file is ever considered.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NoReturn

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.sources.extras import installation
from hornbook.kb.text.counts import counted
from hornbook.theories.go.states.board import Board, BoardError, Colour, Player

_PLAYERS: dict[str, Player] = {"b": "black", "w": "white"}
_SIZES = "square boards from 2 to 26 can be read from SGF, all others from diagrams"
_SGF_COLOURS = {player: letter for letter, player in _PLAYERS.items()}


def parse_sgf(text: str, file: str = "<sgf>", *, node: int | None = None) -> Board:
    """The position of a file, or the one after node number `node` of its main line (0 is the root).

    Raises TheoryError (HB005) where the text is not SGF, its moves do not fit, or sgfmill is missing.
    """
    game = _game(text, file)
    if game.get_size() < 2:
        _fail(f"a board of size {game.get_size()} cannot be read", text, file, _SIZES)
    nodes = game.get_main_sequence()
    if node is not None and not 0 <= node < len(nodes):
        _fail(f"the main line has {counted(len(nodes), 'node')}, so there is no node {node}", text, file)
    record = _Record(game.get_size(), text, file)
    if node is None:
        node = 0 if _is_problem(nodes[0]) else len(nodes) - 1
    for step, at in enumerate(nodes[: node + 1]):
        record.follow(at, step)
    return record.board()


def _is_problem(root: Any) -> bool:
    """Whether the root sets up a position, and no mere handicap."""
    return bool(root.has_setup_stones()) and not root.has_property("HA")


class _Record:
    """The position of an SGF file, as far as it was read."""

    def __init__(self, side: int, text: str, file: str) -> None:
        self.text, self.file, self.side = text, file, side
        self.stones: Any = sgf_module("boards", text, file).Board(side)
        self.ko: tuple[int, int] | None = None
        self.to_play: Player | None = None

    def follow(self, node: Any, step: int) -> None:
        """Takes one node into account: its setup, then its move."""
        try:
            if node.has_setup_stones():
                self.ko = None
                if not self.stones.apply_setup(*node.get_setup_stones()):
                    self.fail(step, "its setup stones leave a block without a liberty")
            letter, place = node.get_move()
            if letter is not None:
                self.ko = None if place is None else self.stones.play(*place, letter)
                self.to_play = "white" if letter == "b" else "black"
            if node.has_property("PL"):
                player = _PLAYERS[node.get("PL")]
                # Whoever is said to play after a capture by the same player has been passed to.
                self.ko = self.ko if player == self.to_play else None
                self.to_play = player
        except TheoryError:
            raise
        except (ValueError, IndexError, KeyError) as problem:
            self.fail(step, str(problem) or "a stone stands on another or beyond the board")

    def fail(self, step: int, reason: str) -> NoReturn:
        _fail(f"node {step} of the main line does not fit: {reason}", self.text, self.file)

    def board(self) -> Board:
        colours: list[Colour] = ["empty"] * (self.side * self.side)
        for letter, (row, column) in self.stones.list_occupied_points():
            colours[row * self.side + column] = _PLAYERS[letter]
        ko = None if self.ko is None else self.ko[0] * self.side + self.ko[1]
        try:
            return Board(self.side, self.side, tuple(colours), ko, self.to_play)
        except BoardError as problem:
            _fail(str(problem), self.text, self.file)


def print_sgf(board: Board, *, comment: str = "", more: Callable[[Any], None] | None = None) -> str:
    """The position as an SGF file of one node: setup stones, and who plays; `more` may add to sgfmill's node.

    Raises BoardError for a board that is not square or too large for sgfmill, and where a ko forbids a point
    (SGF cannot say so without the moves that led there).
    """
    if board.rows != board.columns or not 2 <= board.rows <= 26:
        raise BoardError(
            f"a board of {counted(board.rows, 'row')} and {counted(board.columns, 'column')} cannot be written as SGF here"
        )
    if board.ko is not None:
        raise BoardError("SGF cannot state a ko without the capture before it: write a diagram instead")
    game = sgf_module("sgf", "", "<sgf>").Sgf_game(board.rows)
    places: dict[Colour, set[tuple[int, int]]] = {"black": set(), "white": set(), "empty": set()}
    for point in board.points():
        places[board.colours[point]].add(divmod(point, board.columns))
    root = game.get_root()
    root.set_setup_stones(places["black"], places["white"])
    if board.to_play is not None:
        root.set("PL", _SGF_COLOURS[board.to_play])
    if comment:
        root.set("C", comment)
    if more is not None:
        more(root)
    text: bytes = game.serialise()
    return text.decode("utf-8")


def print_game(board: Board, moves: Sequence[str], komi: str, result: str | None) -> str:
    """A game from a board on, of moves in turn, as SGF; a pass is `pass`, and a game that goes on has no result. Raises BoardError where SGF cannot have the board."""
    stones = any(colour != "empty" for colour in board.colours)

    def more(root: Any) -> None:
        root.set("KM", float(komi))
        if result is not None:
            root.set("RE", result)

    game = sgf_module("sgf", "", "<sgf>").Sgf_game.from_string(print_sgf(board, more=more))
    player: Player = board.to_play or "black"
    for move in moves:
        point = None if move == "pass" else divmod(board.point(move), board.columns)
        game.extend_main_sequence().set_move(_SGF_COLOURS[player], point)
        player = "white" if player == "black" else "black"
    if not stones:
        for name in ("AB", "AW", "AE"):
            with suppress(KeyError):
                game.get_root().unset(name)
    text: bytes = game.serialise()
    return text.decode("utf-8")


def parse_game(text: str, file: str = "<sgf>") -> tuple[Board, list[str], float]:
    """The board on which a game begins, the moves of its main line, a pass as `pass`, and its komi, 7.5 where none is said.

    Raises TheoryError (HB005) where the text is not SGF, or the moves are not made in turn.
    """
    game = _game(text, file)
    root, *nodes = game.get_main_sequence()
    record = _Record(game.get_size(), text, file)
    record.follow(root, 0)
    first = record.to_play or next(
        (_PLAYERS[letter] for letter, _ in (node.get_move() for node in nodes) if letter is not None), "black"
    )
    board = replace(record.board(), to_play=first)
    moves: list[str] = []
    for step, node in enumerate(nodes, 1):
        letter, place = node.get_move()
        if letter is None:
            continue
        if (_PLAYERS[letter] == first) == (len(moves) % 2 == 1):
            record.fail(step, f"it is not {_PLAYERS[letter]}'s turn")
        moves.append("pass" if place is None else board.name(place[0] * board.columns + place[1]))
    return board, moves, float(root.get("KM")) if root.has_property("KM") else 7.5


def _game(text: str, file: str) -> Any:
    reader = sgf_module("sgf", text, file)
    try:
        return reader.Sgf_game.from_string(text)
    except (ValueError, LookupError) as problem:
        reason = str(problem)
        if "SZ" in reason or "size" in reason:
            _fail(f"the board has no size that can be read ({reason})", text, file, _SIZES)
        _fail(f"this is not an SGF file: {reason}", text, file)


def sgf_module(module: str, text: str, file: str) -> Any:
    """A module of sgfmill, which is asked for only when there is SGF to read or write."""
    try:
        return importlib.import_module(f"sgfmill.{module}")
    except ModuleNotFoundError:
        _fail("reading and writing SGF needs sgfmill", text, file, installation("go"))


def _fail(message: str, text: str, file: str, hint: str = "") -> NoReturn:
    raise TheoryError([error("HB005", message, Span(file, 1, 1, 1, 1), hint)], {file: text})
