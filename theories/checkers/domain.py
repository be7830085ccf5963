"""Checkers as the commands know it: to leave the opponent without a move, to get a king, to take pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.checkers import adapter
from hornbook.theories.checkers.problems.making import make
from hornbook.theories.checkers.states import rules
from hornbook.theories.checkers.states.position import KINGS, PLAYERS, Player, Position, other, place, start
from hornbook.theories.checkers.states.text import print_line
from hornbook.theories.domain import Domain, game, thing
from hornbook.theories.problems import Problem, Wanted

DRAWN = {"b": "⛂", "w": "⛀", "B": "⛃", "W": "⛁", "-": ""}


class Checkers(Domain):
    """Games of either side. A jump over one piece is an action; who has jumped goes on as long as he can."""

    adapter = adapter
    states = Position
    decisive = frozenset({"win"})

    def to_move(self, state: Position) -> Player:
        return state.to_move

    def write(self, state: Position) -> str:
        return print_line(state)

    def starts(self) -> Sequence[Position]:
        return [start()]

    def turns(self, state: Position) -> Iterator[tuple[str, Position]]:
        """A capture of several pieces is one."""
        walks = set(rules.steps(state))
        for squares, after in rules.turns(state):
            yield ("-" if squares in walks else "x").join(str(at + 1) for at in squares), after

    def games(self, state: Position) -> Sequence[Atom]:
        found = []
        for player in PLAYERS:
            found.append(game("win", player))
            if KINGS[player] not in state.cells:
                found.append(game("crown", player))
            left = len(rules.held(state, other(player)))
            found += [game("reduce", player, left - less) for less in (1, 2) if left >= less]
        return found

    def outcome(self, state: Position, game: Atom) -> bool | None:
        friend: Player = "black" if thing(game) == "black" else "white"
        over = rules.is_over(state)
        match game:
            case Atom(predicate="reduce", terms=(_, Constant(value=int(number)))):
                if len(rules.held(state, other(friend))) <= number:
                    return True
            case Atom(predicate="crown"):
                if KINGS[friend] in state.cells:
                    return True
            case _:
                return state.to_move != friend if over else None
        return False if over else None

    def shipped(self) -> Path:
        return Path(__file__).parent / "problems" / "learn.jsonl"

    def make_problems(self, wanted: Wanted) -> Iterator[Problem]:
        return make(self, wanted)

    def write_move(self, state: Position, action: GroundFact) -> str:
        at, to = adapter.squares(action)
        return f"{at + 1}{'-' if action.relation == 'step' else 'x'}{to + 1}"

    def grid(self, state: Position) -> Iterable[Iterable[tuple[str, str]]]:
        for row in range(8):
            places = ((place(row, column) if (row + column) % 2 else None) for column in range(8))
            yield [("", "") if at is None else (adapter.name(at), DRAWN[state.cells[at]]) for at in places]


DOMAIN = Checkers()
