"""Sliding tiles as a domain: one player, who solves the puzzle or brings a tile to its square."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

from hornbook.kb.ast.terms import WON, Atom, Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories import search
from hornbook.theories.boards import grid as pictures
from hornbook.theories.boards.fact_columns import BoardColumns, Shape
from hornbook.theories.domain import ConclusionsOf, Domain, FocusSet, game
from hornbook.theories.tiles import adapter
from hornbook.theories.tiles.states import rules
from hornbook.theories.tiles.states.position import BLANK, TilesPosition, goal, name
from hornbook.theories.tiles.states.text import print_line, rows_of

PLAYER = "player"
LONGEST = 60
"""Maximal number of random slides of a game."""
_STARTS = (((8, 0, 6), (5, 4, 7), (2, 3, 1)), ((14, 13, 15, 7), (11, 12, 9, 5), (6, 0, 2, 1), (4, 8, 10, 3)))
"""Initial positions: one of the two 3 × 3 positions that need 31 slides, the maximum, and the first of Korf's
hundred, which needs 57.
"""


class Tiles(BoardColumns, Domain):
    """Domain of sliding tiles: the player slides a tile each turn, and the reply is the action `wait`."""

    adapter = adapter
    states = TilesPosition
    kinds: ClassVar = {
        "beside": ("word", "word"),
        "far": ("integer", "word", "integer"),
        "place": ("integer", "word"),
        "blank": ("word",),
        "distance": ("integer",),
    }

    def shape(self, state: TilesPosition) -> Shape:
        return state.rows, state.columns

    def to_move(self, state: TilesPosition) -> str:
        return PLAYER

    def write(self, state: TilesPosition) -> str:
        return print_line(state)

    def starts(self) -> Sequence[TilesPosition]:
        return [TilesPosition(len(rows), len(rows[0]), sum(rows, ())) for rows in _STARTS]

    def random_game(self, random: Random) -> list[TilesPosition]:
        """Return the states of random slides backwards from the end.

        Positions near the end are thus included, and every position can be solved.
        """
        start = random.choice(self.starts())
        states = [goal(start.rows, start.columns)]
        for _ in range(random.randint(1, LONGEST)):
            before = rules.slid(states[-1], random.choice(rules.movable_tiles(states[-1])))
            states = [before] if rules.is_solved(before) else [*states, before]
        return states[::-1]

    def games(self, state: TilesPosition) -> Sequence[Atom]:
        return [game("solved", PLAYER), *(game("home", PLAYER, tile) for tile in range(1, len(state.tiles)))]

    def outcome(self, state: TilesPosition, game: Atom) -> bool | None:
        if game.predicate == "solved":
            return True if rules.is_solved(state) else None
        tile = game.terms[1]
        assert isinstance(tile, Constant)
        if tile.value not in range(1, len(state.tiles)):
            return False  # the tile does not exist
        return True if state.tiles[int(tile.value)] == tile.value else None

    def replies(self, state: TilesPosition, game: Atom, about: FocusSet) -> Iterable[GroundFact]:
        return (GroundFact("wait", (PLAYER,)),)

    def judge(
        self, state: TilesPosition, conclusion: GameStatement, moves: int, asking: ConclusionsOf
    ) -> bool | None:
        """Return whether a conclusion is true.

        Waiting changes nothing, so a game won after it is a won game.
        """
        return search.is_true(self, state, replace(conclusion, value=WON), moves)

    def drawn(self, states: Sequence[str]) -> str | None:
        """Return None: moving in circles only loses time."""
        return None

    def record(self, beginning: str, moves: Sequence[str], result: str) -> str:
        """Return the record without a result."""
        return f"{beginning}\n{' '.join(moves)}\n"

    def shown(self, text: str) -> str:
        return pictures.text(self.grid(self.position(text)))

    def write_move(self, state: TilesPosition, action: GroundFact) -> str:
        return str(action.values[0])

    def evaluation(self, state: Any) -> int:
        return -rules.distance(state)

    def grid(self, state: TilesPosition) -> Iterable[Iterable[tuple[str, str]]]:
        for row, tiles in enumerate(rows_of(state)):
            squares = range(row * state.columns, (row + 1) * state.columns)
            shown = ("" if tile == BLANK else str(tile) for tile in tiles)
            yield list(zip((name(square, state.columns) for square in squares), shown, strict=True))


DOMAIN = Tiles()
