"""Checkers as a domain: the games of blocking the opponent, of getting a king and of taking pieces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.boards.fact_columns import BoardColumns
from hornbook.theories.checkers import adapter
from hornbook.theories.checkers.problems.making import make
from hornbook.theories.checkers.states import pdn, rules
from hornbook.theories.checkers.states.position import (
    KINGS,
    PLAYERS,
    CheckersPosition,
    Player,
    other,
    place,
    start,
)
from hornbook.theories.checkers.states.text import has_moves, parse_fen, print_line
from hornbook.theories.domain import Domain, first_argument, game
from hornbook.theories.problems import GameProblem, ProblemRequest

DRAWN = {"b": "⛂", "w": "⛀", "B": "⛃", "W": "⛁", "-": ""}


class Checkers(BoardColumns, Domain):
    """Domain of checkers, with the games of both sides.

    A jump over one piece is an action, and the player goes on jumping while possible.
    """

    adapter = adapter
    states = CheckersPosition
    kinds: ClassVar = {
        **dict.fromkeys(("empty", "going", "to_move"), ("word",)),
        **dict.fromkeys(("border", "holds"), ("word", "word")),
        **dict.fromkeys(("next", "piece"), ("word", "word", "word")),
        "becomes": ("word", "word", "word", "word"),
        "number": ("integer",),
        "pieces": ("word", "integer"),
    }
    decisive = frozenset({"win"})

    def to_move(self, state: CheckersPosition) -> Player:
        return state.to_move

    def write(self, state: CheckersPosition) -> str:
        return print_line(state)

    def starts(self) -> Sequence[CheckersPosition]:
        return [start()]

    def turns(self, state: CheckersPosition) -> Iterator[tuple[str, CheckersPosition]]:
        """Yield the moves of a turn. A capture of several pieces is one move."""
        walks = set(rules.steps(state))
        for squares, after in rules.turns(state):
            yield ("-" if squares in walks else "x").join(str(at + 1) for at in squares), after

    def games(self, state: CheckersPosition) -> Sequence[Atom]:
        found = []
        for player in PLAYERS:
            found.append(game("win", player))
            if KINGS[player] not in state.cells:
                found.append(game("crown", player))
            left = len(rules.pieces_of(state, other(player)))
            found += [game("reduce", player, left - less) for less in (1, 2) if left >= less]
        return found

    def outcome(self, state: CheckersPosition, game: Atom) -> bool | None:
        friend: Player = "black" if first_argument(game) == "black" else "white"
        over = rules.is_over(state)
        match game:
            case Atom(predicate="reduce", terms=(_, Constant(value=int(number)))):
                if len(rules.pieces_of(state, other(friend))) <= number:
                    return True
            case Atom(predicate="crown"):
                if KINGS[friend] in state.cells:
                    return True
            case _:
                return state.to_move != friend if over else None
        return False if over else None

    def make_problems(self, request: ProblemRequest) -> Iterator[GameProblem]:
        return make(self, request)

    def write_move(self, state: CheckersPosition, action: GroundFact) -> str:
        at, to = adapter.squares(action)
        return f"{at + 1}{'-' if action.relation == 'step' else 'x'}{to + 1}"

    def grid(self, state: CheckersPosition) -> Iterable[Iterable[tuple[str, str]]]:
        for row in range(8):
            places = ((place(row, column) if (row + column) % 2 else None) for column in range(8))
            yield [("", "") if at is None else (adapter.name(at), DRAWN[state.cells[at]]) for at in places]

    def shown(self, text: str) -> str:
        """Return the board with the numbers of its squares, which moves use."""
        state = self.position(text)
        lines = [f"to move: {state.to_move}"]
        for row in range(8):
            places = [place(row, column) if (row + column) % 2 else None for column in range(8)]
            men = " ".join(" " if at is None else DRAWN[state.cells[at]] or "." for at in places)
            numbers = " ".join(("" if at is None else str(at + 1)).rjust(2) for at in places)
            lines.append(f"  {men}     {numbers}".rstrip())
        return "\n".join(lines)

    def typed(self, text: str, move: str) -> str | None:
        """Return the full notation of a capture that leaves out squares on its way, if it is unambiguous."""
        found = _named(self.position(text), move)
        return found[0] if len(found) == 1 else None

    def refused(self, text: str, move: str) -> str | None:
        state = self.position(text)
        found = _named(state, move)
        if len(found) > 1:
            return f"it could be {', '.join(found)}"
        if len(_squares(move)) > 1 and rules.jumps(state):
            return "who can capture has to, as far as the piece can go on"
        return None

    def record(self, beginning: str, moves: Sequence[str], result: str) -> str:
        """Return a game in PDN."""
        position, squares = self.position(beginning), [_squares(move) for move in moves]
        positions = [position]
        for move in squares:
            positions.append(next(after for turn, after in rules.turns(positions[-1]) if turn == move))
        game = pdn.PdnGame(tuple(squares), tuple(positions), (), result)
        return pdn.print_game(game, None if position == start() else beginning.strip())

    def recorded(self, text: str, file: str) -> tuple[str, Sequence[str]]:
        if not has_moves(text):
            return print_line(adapter.read(text, file)), []
        game = pdn.parse_game(text, file, parse_fen)
        moves = []
        for position, squares in zip(game.positions, game.moves, strict=False):
            moves.append(next(move for move, _ in self.turns(position) if _squares(move) == squares))
        return print_line(game.positions[0]), moves


def _squares(move: str) -> tuple[int, ...]:
    """Return the places of the squares in a text, or an empty tuple if the text is not a move."""
    words = re.split(r"[-x:\s]++", move.strip())
    return tuple(int(word) - 1 for word in words) if all(word.isdecimal() for word in words) else ()


def _named(state: CheckersPosition, move: str) -> list[str]:
    """Return the moves of a turn from the first to the last named square via the others."""
    named = _squares(move)
    if len(named) < 2:
        return []
    found = []
    for written, _ in DOMAIN.turns(state):
        turn = _squares(written)
        path = iter(turn)
        if (turn[0], turn[-1]) == (named[0], named[-1]) and all(at in path for at in named):
            found.append(written)
    return found


DOMAIN = Checkers()
