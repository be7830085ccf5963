"""The machine of a domain without a native step: the domain plays the moves.

It is some thousand times slower than a native step. It knows only who wins: a win has the goal 100, a loss
0, a draw and a state that is not decided 50. For the latter, a domain may have an `evaluation`, in
thousandths of a win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.planner import _core
from hornbook.play.machines.machine_state import GREATEST
from hornbook.play.machines.text_machine import Legal, Words
from hornbook.theories.protocols.missing_member import MissingMemberError

if TYPE_CHECKING:
    from hornbook.theories.domain import Domain

NO_MOVE = 0
"""The number of the only move of the role that is not to move."""


class DomainGame:
    """The rules of a domain for a ForeignMachine. A state is the number of a state met before."""

    role_count = 2

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        first = domain.starts()[0]
        friends = (domain.friend(first, game) for game in domain.games(first) if self._is_decisive(game))
        self._names = tuple(dict.fromkeys([domain.to_move(first), *friends]))
        self.states: list[Any] = []
        self._numbers: dict[Any, int] = {}
        self.moves: list[str] = [""]
        self._move_numbers: dict[str, int] = {"": NO_MOVE}
        self._after: dict[int, Mapping[int, Any]] = {}
        self._now = 0

    def initial(self) -> list[int]:
        return [self.number(self.domain.starts()[0])]

    def look(self, state: Sequence[int]) -> None:
        (self._now,) = state

    def terminal(self) -> bool:
        return not self._next_states(self._now)

    def legal(self, role: int) -> list[int]:
        found = sorted(self._next_states(self._now))
        return found if role == self.mover(self._now) or not found else [NO_MOVE]

    def goal(self, role: int) -> int:
        won = [winner for winner, has_won in self._outcomes(self._now) if has_won]
        return GREATEST // 2 if not won else GREATEST if won[0] == role else 0

    def next(self, joint: Sequence[int]) -> list[int]:
        return [self.number(self._next_states(self._now)[joint[self.mover(self._now)]])]

    def number(self, state: Any) -> int:
        """Return the number of a state."""
        number = self._numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
        return number

    def mover(self, number: int) -> int:
        """Return the role to move in a state."""
        mover = self.domain.to_move(self.states[number])
        return self._names.index(mover) if mover in self._names else 0

    def _is_decisive(self, game: Any) -> bool:
        return game.predicate in self.domain.decisive

    def _outcomes(self, number: int) -> list[tuple[int, bool | None]]:
        """Return the outcome of each decisive game, with the number of its friend."""
        domain, state = self.domain, self.states[number]
        games = [game for game in domain.games(state) if self._is_decisive(game)]
        return [
            (self._names.index(domain.friend(state, game)), domain.outcome(state, game)) for game in games
        ]

    def _next_states(self, number: int) -> Mapping[int, Any]:
        """Return the state after each legal move: none if a decisive game is won."""
        if number not in self._after:
            found: dict[int, Any] = {}
            if not any(won for _, won in self._outcomes(number)):
                for text, state in self.domain.turns(self.states[number]):
                    if state is not None:
                        found[self._move_number(text)] = state
            self._after[number] = found
        return self._after[number]

    def _move_number(self, text: str) -> int:
        number = self._move_numbers.setdefault(text, len(self.moves))
        if number == len(self.moves):
            self.moves.append(text)
        return number


class DomainMachine:
    """A TextMachine of a domain that names decisive games. The player who begins is role 0."""

    point = GREATEST
    has_estimates = True
    players = (0, 1)

    def __init__(self, domain: Domain) -> None:
        self._game = DomainGame(domain)
        self.core = _core.ForeignMachine(self._game)

    def words(self, text: str) -> Words:
        try:
            return [self._game.number(self._game.domain.position(text))]
        except TheoryError as problem:
            raise ValueError(problem.diagnostics[0].message) from None

    def text(self, words: Words) -> str:
        return self._game.domain.write_line(self._game.states[words[0]])

    def move_text(self, role: int, move: int) -> str:
        return self._game.moves[move]

    def mover(self, words: Words, legal: Legal) -> int:
        return self._game.mover(words[0])

    def estimate(self, words: Words, role: int) -> int | None:
        try:
            value = self._game.domain.evaluation(self._game.states[words[0]])
        except MissingMemberError:
            return None
        return value if role == self._game.mover(words[0]) else -value
