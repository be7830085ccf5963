"""Reader and writer of SGF, through sgfmill (the extra `go`).

A file represents one position, that of its first game. A problem is the position that its root sets up: moves
below it are an answer, and are not read. A game is the position at the end of its main line. A root is that
of a game if it has no stones, or if it has a handicap, a komi, a result or the name of a player.

The external board `sgfmill.boards.Board.play` replays the moves, including captures and ko. This module plays
no moves itself, and considers none beyond the file.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import Any, NoReturn

from hornbook.kb.sources.extras import installation
from hornbook.kb.text.counts import counted
from hornbook.kb.text.lines import with_plain_ends
from hornbook.theories.go.states.board import BoardError, Colour, GoBoard, Player
from hornbook.theories.go.states.sgf_text import SgfNode, SgfTree, trees
from hornbook.theories.places import SourcePlace

PLAYERS: dict[str, Player] = {"b": "black", "w": "white"}
SGF_COLOURS = {player: letter for letter, player in PLAYERS.items()}
LEAST_SIDE, MOST_SIDE = 2, 26
_SIZE = re.compile(r"\s*+0*+([0-9]{1,2})\s*+(?::\s*+0*+([0-9]{1,2})\s*+)?")
_SIZES = "square boards from 2 to 26 can be read from SGF, all others from diagrams"
_GAMES = {
    "2": "Othello",
    "3": "chess",
    "4": "gomoku or renju",
    "5": "nine men's morris",
    "6": "backgammon",
    "7": "Chinese chess",
    "8": "shogi",
    "9": "lines of action",
    "10": "ataxx",
    "11": "hex",
}
_OF_GAMES = ("HA", "KM", "RE", "PB", "PW")
"""Properties of a root that no problem has."""
_SETUP = ("AB", "AW", "AE")
_READ = ("SZ", *_SETUP, "B", "W", "TR", "GN", "C")
"""Properties of a node that sgfmill reads."""
NOWHERE = SourcePlace("<sgf>", "", 1)
"""Placeholder for the position of written text if sgfmill is missing."""


def parse_sgf(text: str, file: str = "<sgf>", *, node: int | None = None) -> GoBoard:
    """Return the position of a file, or the one after node number `node` of its main line (0 is the root).

    Raises TheoryError (HB005) if the text is not SGF, its moves are inconsistent, or sgfmill is missing.
    """
    record = SgfRecord.of(text, file)
    record.warn_of_handicap()
    number = len(record.nodes)
    if node is not None and not 0 <= node < number:
        record.tree.place.fail(f"the main line has {counted(number, 'node')}, so there is no node {node}")
    if node is None:
        node = 0 if record.is_problem else number - 1
    for step in range(node + 1):
        record.follow(step)
    return record.board()


class SgfRecord:
    """Main line of an SGF file, and its position after the nodes followed so far."""

    def __init__(self, tree: SgfTree, nodes: list[Any], side: int, stones: Any) -> None:
        self.tree, self.nodes, self.side, self.stones = tree, nodes, side, stones
        self.ko: tuple[int, int] | None = None
        self.to_play: Player | None = None

    @classmethod
    def of(cls, text: str, file: str) -> SgfRecord:
        """Return the first game of a text. Raise TheoryError (HB005)."""
        tree = next(trees(text, file), None)
        if tree is None:
            SourcePlace(file, with_plain_ends(text), 1).fail(
                "there is no game tree here", "SGF begins with `(;`"
            )
        return cls.of_tree(tree)

    @classmethod
    def of_tree(cls, tree: SgfTree) -> SgfRecord:
        """Return the game of a tree. Raise TheoryError (HB005)."""
        root = tree.nodes[0]
        _check_game(root)
        side = _side(root)
        sgf = sgf_module("sgf", tree.place)
        game = sgf.Sgf_game.from_string(_with_plain_size(tree, side))
        return cls(tree, game.get_main_sequence(), side, sgf_module("boards", tree.place).Board(side))

    @property
    def is_problem(self) -> bool:
        """Whether the root sets up a position without properties of a game."""
        root = self.tree.nodes[0].properties
        return self.sets_up(0) and not any(name in root for name in _OF_GAMES)

    def sets_up(self, step: int) -> bool:
        """Return whether a node sets up stones."""
        return any(name in self.tree.nodes[step].properties for name in _SETUP)

    def follow(self, step: int) -> None:
        """Execute one node: its setup, then its move. Raise TheoryError (HB005)."""
        node = self.nodes[step]
        try:
            if self.sets_up(step):
                self.ko = None
                self._check_setup(step)
                if not self.stones.apply_setup(*node.get_setup_stones()):
                    self.fail(step, "its setup stones leave a block without a liberty", *_SETUP)
            letter, place = self.move(step)
            if letter is not None:
                self._warn_of_ko(step, letter, place)
                self.ko = None if place is None else self.stones.play(*place, letter)
                self._warn_of_suicide(step, place)
                self.to_play = "white" if letter == "b" else "black"
            player = self.player(step)
            if player is not None:
                # If the next player has just captured, the opponent has passed.
                self.ko = self.ko if player == self.to_play else None
                self.to_play = player
        except (ValueError, IndexError) as problem:
            self.fail(
                step, str(problem) or "a stone stands on another or beyond the board", "B", "W", *_SETUP
            )

    def _warn_of_ko(self, step: int, letter: str, place: tuple[int, int] | None) -> None:
        """Give a warning if a move takes back in a ko at once."""
        if place is not None and place == self.ko and PLAYERS[letter] == self.to_play:
            self._warn_of_move(step, place, "it takes back in a ko at once")

    def _warn_of_suicide(self, step: int, place: tuple[int, int] | None) -> None:
        """Give a warning if the stone of the last move is gone."""
        if place is not None and self.stones.get(*place) is None:
            self._warn_of_move(step, place, "it is suicide")

    def _warn_of_move(self, step: int, place: tuple[int, int], why: str) -> None:
        node = self.tree.nodes[step]
        nothing: Colour = "empty"
        name = GoBoard(self.side, self.side, (nothing,) * self.side**2).name(place[0] * self.side + place[1])
        node.place_of("B", "W").warn(
            f"move {name} of node {step} breaks the rules that Hornbook knows: {why}"
        )

    def warn_of_handicap(self) -> None:
        """Give a warning if the root names a handicap, and no node sets it up or has its moves.

        By the standard, `HA` alone adds no stones to the board.
        """
        root = self.tree.nodes[0]
        written = (root.value("HA") or "").strip()
        if not re.fullmatch("[0-9]{1,3}", written) or (stones := int(written)) < 2:
            return
        moves = [name for node in self.tree.nodes for name in ("B", "W") if name in node.properties]
        if any(map(self.sets_up, range(len(self.nodes)))) or moves[:stones] == ["B"] * stones:
            return
        root.place_of("HA").warn(
            f"HA[{written}] places no stones by itself, and no AB or first moves of Black place them: "
            "the board has no handicap stones"
        )

    def _check_setup(self, step: int) -> None:
        """Raise TheoryError (HB005) at a property with a point off the board, or one that the node
        has already set up.
        """
        seen: set[tuple[int, int]] = set()
        for name in _SETUP:
            try:
                points = self.nodes[step].get(name) if self.nodes[step].has_property(name) else set()
            except ValueError:
                points = seen
            if seen & points or points is seen:
                self.fail(step, "a stone stands on another or beyond the board", name)
            seen |= points

    def move(self, step: int) -> tuple[str | None, tuple[int, int] | None]:
        """Return the colour and the point of a node's move; the point of a pass is None, and both are
        None without a move.

        Raises TheoryError (HB005).
        """
        there = [self.tree.nodes[step].properties.get(name) for name in ("B", "W")]
        moves = [each for each in there if each is not None]
        if len(moves) > 1 or any(len(each.values) > 1 for each in moves):
            self.fail(step, "it has more than one move", "W" if len(moves) > 1 else moves[0].name)
        try:
            found: tuple[str | None, tuple[int, int] | None] = self.nodes[step].get_move()
        except ValueError:
            self.fail(step, f"`{moves[0].values[0]}` is no point of the board", moves[0].name)
        return found

    def player(self, step: int) -> Player | None:
        """Return the player that gets the turn by a node, or None. Raise TheoryError (HB005)."""
        value = self.tree.nodes[step].value("PL")
        if value is None:
            return None
        player = PLAYERS.get(value.strip().lower()[:1])
        if player is None:
            self.fail(step, f"`{value}` is no player: write `PL[B]` or `PL[W]`", "PL")
        return player

    def fail(self, step: int, reason: str, *properties: str) -> NoReturn:
        """Raise TheoryError (HB005) at the first of these properties that the node has, or at the node."""
        message = f"node {step} of the main line does not fit: {reason}"
        self.tree.nodes[step].place_of(*properties).fail(message)

    def board(self) -> GoBoard:
        colours: list[Colour] = ["empty"] * (self.side * self.side)
        for letter, (row, column) in self.stones.list_occupied_points():
            colours[row * self.side + column] = PLAYERS[letter]
        ko = None if self.ko is None else self.ko[0] * self.side + self.ko[1]
        try:
            return GoBoard(self.side, self.side, tuple(colours), ko, self.to_play)
        except BoardError as problem:
            self.tree.place.fail(str(problem))


def _side(root: SgfNode) -> int:
    """Return the number of rows and columns.

    Raise TheoryError (HB005) if they differ, or are out of range.
    """
    size = root.value("SZ")
    found = _SIZE.fullmatch("19" if size is None else size)
    if found is None or found[2] not in (None, found[1]) or not LEAST_SIDE <= int(found[1]) <= MOST_SIDE:
        root.place_of("SZ").fail(f"a board of size `{size}` cannot be read", _SIZES)
    return int(found[1])


def _with_plain_size(tree: SgfTree, side: int) -> str:
    """Return the main line for sgfmill, which does not read `SZ[9:9]` for a board of 9 rows and columns."""
    size = tree.nodes[0].value("SZ")
    text = tree.text(_READ)
    return text if size is None else text.replace(f"SZ[{size}]", f"SZ[{side}]", 1)


def _check_game(root: SgfNode) -> None:
    """Raise TheoryError (HB005) if the root names another game than Go."""
    value = root.value("GM")
    if value is None or value.strip() in ("", "1"):
        return
    number = value.strip()
    what = (
        f"this is a game of {_GAMES[number]}"
        if number in _GAMES
        else f"`{value}` is the number of another game"
    )
    root.place_of("GM").fail(f"{what}, and not of Go", "records of Go have `GM[1]`, or no `GM`")


def print_sgf(board: GoBoard, *, comment: str = "", more: Callable[[Any], None] | None = None) -> str:
    """Return the position as an SGF file of one node: setup stones, and the player to move.

    The callback `more` may add to sgfmill's node. Raises BoardError for a board that is not square or too
    large for sgfmill, and if a ko forbids a point. SGF can express a ko only by the moves that led there.
    """
    if board.rows != board.columns or not 2 <= board.rows <= 26:
        raise BoardError(
            f"a board of {counted(board.rows, 'row')} and {counted(board.columns, 'column')}"
            " cannot be written as SGF here"
        )
    if board.ko is not None:
        raise BoardError("SGF cannot state a ko without the capture before it: write a diagram instead")
    game = sgf_module("sgf", NOWHERE).Sgf_game(board.rows)
    places: dict[Colour, set[tuple[int, int]]] = {"black": set(), "white": set(), "empty": set()}
    for point in board.points():
        places[board.colours[point]].add(divmod(point, board.columns))
    root = game.get_root()
    root.set_setup_stones(places["black"], places["white"])
    if board.to_play is not None:
        root.set("PL", SGF_COLOURS[board.to_play])
    if comment:
        root.set("C", comment)
    if more is not None:
        more(root)
    text: bytes = game.serialise()
    return text.decode("utf-8")


def sgf_module(module: str, place: SourcePlace) -> Any:
    """Return a module of sgfmill, imported only to read or write SGF."""
    try:
        return importlib.import_module(f"sgfmill.{module}")
    except ModuleNotFoundError:
        place.fail("reading and writing SGF needs sgfmill", installation("go"))
