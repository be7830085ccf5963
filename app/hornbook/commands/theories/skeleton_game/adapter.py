from collections.abc import Iterator
from typing import NamedTuple

from hornbook.kb.ast.terms import Span
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.sources.diagnostics import TheoryError, error

OTHER = {"white": "black", "black": "white"}


class Board(NamedTuple):
    player: str
    rows: tuple[str, ...]

    def squares(self) -> dict[str, str]:
        """Return the piece on each square by the square's name, from the top row."""
        high = len(self.rows)
        return {f"{'abcdefgh'[x]}{high - y}": c for y, row in enumerate(self.rows) for x, c in enumerate(row)}


def read(text: str, file: str) -> Board:
    """Return a board such as `white bbb/.../www`: the player to move (`nobody` at the end), and the rows."""
    player, _, rows = text.strip().partition(" ")
    board = Board(player, tuple(rows.split("/")))
    if player not in (*OTHER, "nobody") or len({*map(len, board.rows)}) != 1 or set(rows) - set("wb./"):
        raise TheoryError([error("HB005", "this is no board", Span(file, 1, 1, 1, 2))], {file: text})
    return board._replace(player="nobody") if "b" in board.rows[-1] or "w" in board.rows[0] else board


def ways(side: str, square: str, squares: dict[str, str]) -> list[tuple[str, str]]:
    """Return the kind and the target of each pawn move from a square."""
    row = int(square[1]) + (1 if side == "white" else -1)
    kinds = (("ahead", 0), ("hits", -1), ("hits", 1))
    return [(kind, to) for kind, by in kinds if (to := f"{chr(ord(square[0]) + by)}{row}") in squares]


def facts(board: Board) -> Iterator[GroundFact]:
    squares = board.squares()
    for side in OTHER:
        yield GroundFact("men", (side, [*squares.values()].count(side[0])))
        yield from (GroundFact("pawn", (side, square)) for square, c in squares.items() if c == side[0])
        for square in squares:
            found = ways(side, square, squares)
            yield GroundFact("inner" if found else "last", (side, square))
            yield GroundFact("ways", (side, square, len(found)))
            yield from (GroundFact(name, (side, square, to)) for kind, to in found for name in (kind, "way"))
    yield from (GroundFact("empty", (square,)) for square, c in squares.items() if c == ".")
    yield from (GroundFact("to_move", (side,)) for side in OTHER if side == board.player)


def actions(board: Board) -> Iterator[GroundFact]:
    squares = board.squares()
    for square in (square for square, c in squares.items() if c == board.player[0]):
        for kind, to in ways(board.player, square, squares):
            if squares[to] == ("." if kind == "ahead" else OTHER[board.player][0]):
                yield GroundFact("move", (square, to))


def step(board: Board, move: GroundFact) -> Board:
    cells = board.squares() | {move.values[0]: ".", move.values[1]: board.player[0]}
    rows = zip(*[iter(cells.values())] * len(board.rows[0]), strict=True)
    return read(f"{OTHER[board.player]} {'/'.join(map(''.join, rows))}", "a board")
