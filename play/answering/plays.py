"""Kinds of play for the answering search: by turns, and with passes.

By turns, the player to move must move. With passes, either side may play first. By turns, every legal reply
is answered. A player without a legal reply has not lost for that reason, so a game is never won by leaving
none. With passes, the rule that wins after a pass determines the relevant replies. All other replies leave
the facts on which it depends unchanged, so it still answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Protocol

from hornbook.compiler.match.position import FirstConclusion
from hornbook.compiler.match.states import StateMatcher, StateQuery
from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.terms import WON, Atom, Constant, GameStatement
from hornbook.kb.ast.theory import GroundFact
from hornbook.play.answering.answering import AnsweredMove, MatchedWin, Reasons, RelevanceZone
from hornbook.theories.protocols.columns import ColumnWriter
from hornbook.theories.protocols.games import RuleQuery

FEW = 8
"""The maximum number of replies that are all tried even without a threat: a check leaves few."""


class TurnGame(Protocol):
    """The positions of a game whose players must move."""

    @property
    def focus_predicate(self) -> str: ...

    def parts(self, state: Any) -> Iterable[Part]: ...

    def moves(self, state: Any) -> Iterable[GroundFact]:
        """Return every legal move of the player to move, the most forcing first."""

    def after(self, state: Any, action: GroundFact) -> Any: ...

    def followed(self, state: Any, game: Atom, action: GroundFact) -> Atom | None:
        """Return the same game after a move that does not win it; None if it is lost."""

    def to_move(self, state: Any) -> str | int: ...

    def games(self, state: Any) -> Sequence[Atom]:
        """Return every game that can be evaluated in a state."""

    def friend(self, state: Any, game: Atom) -> str | int:
        """Return the player who tries to win a game."""


class ByTurns:
    """Play without passes; relevance zones are not computed.

    If a player has the turn again after his own move, this search does not count the move as a win. If all
    games of a side are evaluated, use `together`, which evaluates all of them for a state in one match.
    Otherwise, each state would be matched once for each game and replaced by others in between. For a single
    game, the other games cost a little.
    """

    def __init__(self, turns: TurnGame, *, together: bool = False) -> None:
        self._turns = turns
        self._together = together
        self.focus_predicate = turns.focus_predicate
        self._moves = lru_cache(maxsize=64)(lambda state: dict.fromkeys(turns.moves(state)))

    writer = None

    def compact(self, state: Any) -> Any:
        return state

    def conclusions(
        self, matcher: StateMatcher, positions: Sequence[tuple[Any, Atom]]
    ) -> list[Mapping[Atom, Reasons] | BaseException]:
        asked = [dict.fromkeys(self._queried_games(*each)) for each in positions]
        queries = [
            RuleQuery(list(self._turns.parts(state)), list(games))
            for (state, _), games in zip(positions, asked, strict=True)
        ]
        return [
            stated if isinstance(stated, BaseException) else _reasons(games, stated)
            for games, stated in zip(asked, matcher.successive_statements(queries), strict=True)
        ]

    def rule_query(self, state: Any, game: Atom) -> RuleQuery:
        return RuleQuery(list(self._turns.parts(state)), [game])

    def reasons(self, stated: Sequence[tuple[str, GameStatement]], game: Atom) -> Reasons:
        return _reasons([game], stated)[game]

    def _queried_games(self, state: Any, game: Atom) -> Iterator[Atom]:
        yield game
        if self._together:
            friend = self._turns.friend(state, game)
            yield from (
                each for each in self._turns.games(state) if self._turns.friend(state, each) == friend
            )

    def candidate_moves(self, state: Any, game: Atom) -> Iterable[GroundFact]:
        return self._moves(state)

    def needs_a_threat(self, state: Any) -> bool:
        return len(self._moves(state)) > FEW

    def replies(self, state: Any, game: Atom, answered: Sequence[AnsweredMove]) -> Iterable[GroundFact]:
        return self._moves(state)

    def after_move(self, state: Any, game: Atom, action: GroundFact | None) -> tuple[Any, Atom | None] | None:
        if action is None or action not in self._moves(state):
            return None
        followed = self._turns.followed(state, game, action)
        if followed is None:
            return None, None
        after = self._turns.after(state, action)
        return after, None if self._turns.to_move(after) == self._turns.to_move(state) else followed

    def dependency_zone(self, state: Any, game: Atom, steps: Iterable[AnsweredMove]) -> RelevanceZone:
        return frozenset()


def _reasons(games: Iterable[Atom], stated: Iterable[tuple[str, GameStatement]]) -> Mapping[Atom, Reasons]:
    """Return the reasons for the values of some games, chosen in an order that does not depend on that of
    learning.
    """
    found: dict[Atom, dict[Constant, MatchedWin]] = {game: {} for game in games}
    for rule, statement in sorted(stated, key=lambda each: (each[0], str(each[1].by))):
        about, value = found.get(replace(statement.game, tense=None)), statement.value
        if about is None or not isinstance(value, Constant):
            continue
        if value != WON or statement.by is not None:
            about.setdefault(value, MatchedWin(statement.by, rule))
    return found


class PassGame(ColumnWriter, Protocol):
    """The positions of a game with passes, in a compact form whose facts can be written as columns.

    A `RelevanceZone` is a zone of points on which conclusions depend.
    """

    @property
    def focus_predicate(self) -> str: ...

    def compact(self, state: Any) -> Any: ...

    def rule_query(self, state: Any, game: Atom) -> StateQuery: ...

    def after(self, state: Any, action: GroundFact) -> Any | None: ...

    def is_over(self, state: Any, game: Atom) -> bool: ...

    def attempts(self, state: Any, game: Atom) -> Iterable[GroundFact]: ...

    def replies(self, state: Any, game: Atom, ground: RelevanceZone) -> Iterable[GroundFact]: ...

    def ground(self, state: Any, premises: Iterable[GroundFact]) -> RelevanceZone: ...

    def proof_zone(self, state: Any, game: Atom, points: RelevanceZone) -> RelevanceZone: ...

    def ground_of_move(self, state: Any, action: GroundFact) -> RelevanceZone: ...


class WithPasses:
    """Play whose first reply is a pass.

    The relevance zone of its answer determines the other relevant replies.
    """

    def __init__(self, question: PassGame) -> None:
        self._question = question
        self.focus_predicate = question.focus_predicate

    @property
    def writer(self) -> ColumnWriter:
        return self._question

    def compact(self, state: Any) -> Any:
        return self._question.compact(state)

    def conclusions(
        self, matcher: StateMatcher, positions: Sequence[tuple[Any, Atom]]
    ) -> list[Mapping[Atom, Reasons] | BaseException]:
        found = matcher.first([self._question.rule_query(*each) for each in positions])
        return [
            first
            if isinstance(first, BaseException)
            else {game: {value: self._reason(state, game, each) for value, each in first.items()}}
            for (state, game), first in zip(positions, found, strict=True)
        ]

    def rule_query(self, state: Any, game: Atom) -> StateQuery:
        return self._question.rule_query(state, game)

    def reasons(self, stated: Sequence[tuple[str, GameStatement]], game: Atom) -> Reasons:
        found: dict[Constant, MatchedWin] = {}
        for rule, statement in stated:
            value = statement.value
            assert isinstance(value, Constant)
            if value != WON or statement.by is not None:
                found.setdefault(value, MatchedWin(statement.by, rule))
        return found

    def _reason(self, state: Any, game: Atom, conclusion: FirstConclusion) -> MatchedWin:
        by = conclusion.statement.by
        ground = self._question.ground(state, conclusion.premises)
        if by is not None:
            values = tuple(t.value for t in by.terms if isinstance(t, Constant))
            ground |= self._question.ground_of_move(state, GroundFact(by.predicate, values))
        return MatchedWin(by, conclusion.rule, ground, self._question.proof_zone(state, game, ground))

    def candidate_moves(self, state: Any, game: Atom) -> Iterable[GroundFact]:
        return self._question.attempts(state, game)

    def needs_a_threat(self, state: Any) -> bool:
        return True  # the pass, which is the first reply

    def replies(
        self, state: Any, game: Atom, answered: Sequence[AnsweredMove]
    ) -> Iterator[GroundFact | None]:
        yield None
        _, passed = answered[0]
        assert passed is not None
        yield from self._question.replies(state, game, passed.ground)

    def after_move(self, state: Any, game: Atom, action: GroundFact | None) -> tuple[Any, Atom | None] | None:
        after = state if action is None else self._question.after(state, action)
        return None if after is None else (after, None if self._question.is_over(after, game) else game)

    def dependency_zone(self, state: Any, game: Atom, steps: Iterable[AnsweredMove]) -> RelevanceZone:
        grounds = [won.firm for _, won in steps if won is not None]
        grounds += [self._question.ground_of_move(state, move) for move, _ in steps if move is not None]
        return self._question.proof_zone(state, game, frozenset().union(*grounds))
