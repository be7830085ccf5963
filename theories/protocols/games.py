"""Games that the players of a state want to win, and the queries to the rules about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.terms import Atom, Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.text.dataclass import dataclass
from hornbook.theories import search
from hornbook.theories.protocols.missing_member import missing
from hornbook.theories.protocols.states import States

ConclusionsOf = Callable[[Any, Atom], Iterable[GameStatement]]
"""Function that returns the conclusions of learned rules about a game in a state."""


def game(name: str, *things: str | int) -> Atom:
    """Return a game, such as `last(ann)`, which one side wants to reach and the other to prevent."""
    return Atom(name, tuple(map(Constant, things)))


def first_argument(game: Atom) -> str | int:
    """Return the first argument of a game."""
    term = game.terms[0]
    assert isinstance(term, Constant)
    return term.value


@dataclass(frozen=True, slots=True)
class RuleQuery:
    """Query to the rules: the facts of a state in parts, and the games to decide."""

    parts: Sequence[Part]
    games: Sequence[Atom]


class Games(States, Protocol):
    """Games of a state. Each has a friend, who wants to win it."""

    decisive: frozenset[str] = frozenset()
    """Games whose winner has won as a whole, by at least one unit of the outcome."""
    lasting: frozenset[str] = frozenset()
    """Games whose conclusions have no depth, because the win may take as long as play lasts."""

    def games(self, state: Any) -> Sequence[Atom]:
        """Return all games that can be queried in a state."""
        missing(self, Games.games)

    def own_games(self, state: Any) -> Sequence[Atom]:
        """Return the games that the player to move may win. Chains of matches look further in these games."""
        mover = self.to_move(state)
        return [game for game in self.games(state) if self.friend(state, game) == mover]

    def friend(self, state: Any, game: Atom) -> str | int:
        """Return the friend of a game, by default its first argument: ann in `last(ann)`."""
        return first_argument(game)

    def outcome(self, state: Any, game: Atom) -> bool | None:
        """Return True if the friend has won a game, False if it is lost, None while play goes on."""
        missing(self, Games.outcome)

    def followed(self, state: Any, game: Atom, action: GroundFact) -> Atom | None:
        """Return the game after an action that does not end it, or None if the action loses the game."""
        return game

    def questions(self, state: Any, theory: Theory) -> Iterator[RuleQuery]:
        """Yield all queries to the rules about a state. A game may need several queries."""
        yield RuleQuery(self.parts(state), self.games(state))

    def question(self, state: Any, game: Atom) -> RuleQuery:
        """Return the query for one game of a state."""
        return RuleQuery(self.parts(state), [game])

    def guiding(self, state: Any, theory: Theory) -> Iterator[RuleQuery]:
        """Yield the queries to the rules for a search: of all queries those whose conclusions it may use."""
        yield from self.questions(state, theory)

    def evaluation(self, state: Any) -> int:
        """Return the static evaluation of a state for the player to move; higher is better."""
        missing(self, Games.evaluation)

    def balance(self, state: Any, player: str | int) -> int | None:
        """Return the lead of a player over the others in the unit of `gains`, or None if the domain does not
        count it.
        """
        return None

    def judge(self, state: Any, conclusion: GameStatement, moves: int, asking: ConclusionsOf) -> bool | None:
        """Return whether a conclusion is true within `moves` moves of the friend, or None if that is too hard
        to decide.

        The default is an exhaustive search, which shares no code with the theory. `asking` queries the rules
        themselves.
        """
        return search.is_true(self, state, conclusion, moves)
