"""The slow reference as a machine: a Game whose terms are numbered when they first occur."""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.planner import _core
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.machines.machine import Words
from hornbook.planner.machines.worths import greatest_worth


class TwinMachine:
    """A GameMachine. A state's words are the ascending numbers of its terms."""

    def __init__(self, game: Game) -> None:
        self.roles = game.roles
        self._game = game
        self._terms = _TermNumbers()
        self._moves = tuple(_TermNumbers() for _ in game.roles)
        self._state: State = frozenset()
        self.core: _core.Machine = _core.ForeignMachine(self)

    # The interface for planners

    @property
    def role_count(self) -> int:
        return len(self.roles)

    def initial(self) -> list[int]:
        return self.words(self._game.initial)

    def look(self, state: Words) -> None:
        self._state = self.state(state)

    def terminal(self) -> bool:
        return self._game.terminal(self._state)

    def legal(self, role: int) -> list[int]:
        moves = self._game.legal(self._state)[self.roles[role]]
        return sorted(map(self._moves[role].number, moves))

    def goal(self, role: int) -> int:
        worths = self._game.goal(self._state)[self.roles[role]]
        return worths[0] if len(worths) == 1 else -1

    def next(self, joint: Sequence[int]) -> list[int]:
        moves = {role: self.move(place, joint[place]) for place, role in enumerate(self.roles)}
        return self.words(self._game.next(self._state, moves))

    def most(self, role: int) -> int:
        return greatest_worth(self._game.program, self.roles[role])

    # Terms

    def words(self, state: State) -> list[int]:
        return sorted(map(self._terms.number, state))

    def state(self, words: Words) -> State:
        return frozenset(map(self._terms.term, words))

    def number(self, role: int, move: Ground) -> int | None:
        return self._moves[role].number(move)

    def move(self, role: int, number: int) -> Ground:
        return self._moves[role].term(number)


class _TermNumbers:
    """Terms, numbered in the order of their first occurrence."""

    def __init__(self) -> None:
        self._terms: list[Ground] = []
        self._numbers: dict[Ground, int] = {}

    def number(self, term: Ground) -> int:
        number = self._numbers.setdefault(term, len(self._terms))
        if number == len(self._terms):
            self._terms.append(term)
        return number

    def term(self, number: int) -> Ground:
        return self._terms[number]
