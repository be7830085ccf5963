"""Abalone as a domain: the games of pushing off one marble, and the sixth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.abalone import adapter
from hornbook.theories.abalone.problems.making import make
from hornbook.theories.abalone.states import rules
from hornbook.theories.abalone.states.position import (
    LENGTHS,
    NAMES,
    PLAYERS,
    AbalonePosition,
    Player,
    other,
    start,
)
from hornbook.theories.abalone.states.text import print_line
from hornbook.theories.boards.fact_columns import BoardColumns
from hornbook.theories.domain import Domain, first_argument, game
from hornbook.theories.problems import GameProblem, ProblemRequest

_SHOWN = {"X": "●", "O": "○", "-": "·"}


class Abalone(BoardColumns, Domain):
    """Domain of Abalone, with the games of both sides."""

    adapter = adapter
    states = AbalonePosition
    kinds: ClassVar = {
        **dict.fromkeys(("empty", "to_move"), ("word",)),
        **dict.fromkeys(("border", "marble"), ("word", "word")),
        "next": ("word", "word", "word"),
        "marbles": ("word", "integer"),
    }
    decisive = frozenset({"win"})

    def to_move(self, state: AbalonePosition) -> Player:
        return state.to_move

    def write(self, state: AbalonePosition) -> str:
        return print_line(state)

    def starts(self) -> Sequence[AbalonePosition]:
        return [start()]

    def games(self, state: AbalonePosition) -> Sequence[Atom]:
        return [game("win", player) for player in PLAYERS]

    def outcome(self, state: AbalonePosition, game: Atom) -> bool | None:
        winner = rules.winner(state)
        return None if winner is None else winner == first_argument(game)

    def make_problems(self, request: ProblemRequest) -> Iterator[GameProblem]:
        return make(self, request)

    def write_move(self, state: AbalonePosition, action: GroundFact) -> str:
        move = adapter.move_of(action)
        assert move is not None
        return adapter.written(state, move)

    def evaluation(self, state: AbalonePosition) -> int:
        return rules.lost(state, other(state.to_move)) - rules.lost(state, state.to_move)

    def shown(self, text: str) -> str:
        """Return the board with the names of its cells, which moves use."""
        state = self.position(text)
        cells = iter(zip(NAMES, state.cells, strict=True))
        lines = [f"to move: {state.to_move}"]
        for length in LENGTHS:
            row = [next(cells) for _ in range(length)]
            gap = 9 - length
            marbles = " ".join(_SHOWN[cell] or "." for _, cell in row)
            names = "  ".join(name for name, _ in row)
            lines.append(f"  {' ' * gap}{marbles}{' ' * (gap + 4 + 2 * gap)}{names}")
        return "\n".join(lines)

    def grid(self, state: AbalonePosition) -> Iterable[Iterable[tuple[str, str]]]:
        """Return rows of nine places. Shorter rows are padded with places that have no name."""
        cells = iter(zip(NAMES, state.cells, strict=True))
        for length in LENGTHS:
            gap = (9 - length) // 2
            row = [(name, _SHOWN[cell]) for name, cell in (next(cells) for _ in range(length))]
            yield [("", "")] * gap + row + [("", "")] * (9 - length - gap)


DOMAIN = Abalone()
