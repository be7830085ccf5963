"""Othello as a domain: the games of having more discs, of wiping out the opponent and of taking a corner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.theories.boards.fact_columns import BoardColumns, Shape
from hornbook.theories.domain import Domain, first_argument, game
from hornbook.theories.othello import adapter
from hornbook.theories.othello.problems.making import make
from hornbook.theories.othello.states import rules
from hornbook.theories.othello.states.position import (
    DISCS,
    EMPTY,
    PLAYERS,
    SIZES,
    OthelloPosition,
    Player,
    corners,
    name,
    other,
    place,
    start,
)
from hornbook.theories.othello.states.text import print_line
from hornbook.theories.othello.states.transcript import (
    is_transcript,
    parse_transcript,
    print_transcript,
)
from hornbook.theories.problems import GameProblem, ProblemRequest, ProofTask


class Othello(BoardColumns, Domain):
    """Domain of Othello, with the games of both sides.

    A pass is an action, possible only without another move.
    """

    adapter = adapter
    states = OthelloPosition
    kinds: ClassVar = {
        **dict.fromkeys(("board", "corner_square", "empty", "to_move"), ("word",)),
        **dict.fromkeys(("next", "line"), ("word", "word", "word")),
        **dict.fromkeys(("border", "disc"), ("word", "word")),
        **dict.fromkeys(("discs", "lead"), ("word", "integer")),
        "empties": ("integer",),
    }
    decisive = frozenset({"win", "wipe_out"})

    def shape(self, state: OthelloPosition) -> Shape:
        return (state.size,)

    def to_move(self, state: OthelloPosition) -> Player:
        return state.to_move

    def write(self, state: OthelloPosition) -> str:
        return print_line(state)

    def starts(self) -> Sequence[OthelloPosition]:
        return [start(size) for size in reversed(SIZES)]

    def games(self, state: OthelloPosition) -> Sequence[Atom]:
        found = []
        for player in PLAYERS:
            found += [game("win", player), game("wipe_out", player)]
            found += [game("corner", player, name(square, state.size)) for square in corners(state.size)]
        return found

    def outcome(self, state: OthelloPosition, game: Atom) -> bool | None:
        friend: Player = "black" if first_argument(game) == "black" else "white"
        if game.predicate == "corner":
            square = game.terms[1]
            assert isinstance(square, Constant)
            corner = place(str(square.value), state.size)
            if corner not in corners(state.size):
                return False  # the square is not a corner
            lies = state.cells[corner]
            return lies == DISCS[friend] if lies != EMPTY else False if rules.is_over(state) else None
        if not rules.is_over(state):
            return None
        if game.predicate == "wipe_out":
            return DISCS[other(friend)] not in state.cells
        return rules.difference(state, friend) > 0

    def lessons(self, path: Path, theory: Theory) -> list[ProofTask]:
        """Return the lessons.

        At the end it may be the friend's turn in a won game, which counts as one more move for the prover.
        """
        found = super().lessons(path, theory)
        return [replace(lesson, moves=lesson.moves + (lesson.game.predicate == "win")) for lesson in found]

    def make_problems(self, request: ProblemRequest) -> Iterator[GameProblem]:
        return make(self, request)

    def write_move(self, state: OthelloPosition, action: GroundFact) -> str:
        return adapter.written(action)

    def record(self, beginning: str, moves: Sequence[str], result: str) -> str:
        """Return a transcript if the game starts at the usual position and has moves."""
        if beginning != print_line(start()) or not moves:
            return super().record(beginning, moves, result)
        return f"{print_transcript(moves)}\n"

    def recorded(self, text: str, file: str) -> tuple[str, Sequence[str]]:
        if not is_transcript(text):
            return super().recorded(text, file)
        return print_line(start()), parse_transcript(text, file).moves

    def refused(self, text: str, move: str) -> str | None:
        state = self.position(text)
        square = place(move.lower(), state.size)
        if square is None:
            return None
        return "it flips nothing" if state.cells[square] == EMPTY else "a disc is there already"

    def grid(self, state: OthelloPosition) -> Iterable[Iterable[tuple[str, str]]]:
        size = state.size
        shown = {"X": "●", "O": "○", "-": ""}
        for row in range(size):
            squares = range(row * size, (row + 1) * size)
            yield [(name(square, size), shown[state.cells[square]]) for square in squares]


DOMAIN = Othello()
