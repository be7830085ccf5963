"""Answers by rules alone: one match of a position gives the conclusions of the rules; chains of matches look
further.

In a chain, a level is one more move of the friend. After a move that is tried, either a rule states that the
game is still won, or each relevant reply is answered by a match, one level less deep. The `AnsweringPlay`
object generates the moves and replies (play/answering/plays.py). There is no other search, and all leaves are
matches.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import islice
from typing import Any, Protocol, TypeVar

from hornbook.compiler.match.position import RuleMatcher, SharedRules
from hornbook.compiler.match.states import StateMatcher, StateQuery
from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, WON, Atom, Constant, GameStatement, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.lower.budget import Budget
from hornbook.matcher.program.dataclass import dataclass
from hornbook.theories.protocols.columns import ColumnWriter

RelevanceZone = frozenset[int]
"""A relevance zone: the points of a position on which conclusions depend."""


@dataclass(frozen=True, slots=True)
class MatchedWin:
    """The reason for a win: the friend's first move (None if the opponent plays first) and the rule at the
    first leaf.

    Attributes:
        ground: The relevance zone. A reply outside of it leaves the present reasons valid.
        firm: The proof zone. A reply outside of it also leaves the effects of further moves on the reasons
            unchanged.

    Both zones are empty and without meaning if passes are not allowed.
    """

    move: Atom | None
    rule: str
    ground: RelevanceZone = frozenset()
    firm: RelevanceZone = frozenset()


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of matches that wins a game: a move, and the continuation for each relevant reply; None is a
    pass.

    Without replies, `rule` states that the move wins or that no reply refutes it. Otherwise it is the rule of
    the first leaf.
    """

    move: Atom
    rule: str
    replies: tuple[tuple[Atom | None, Chain], ...] = ()


Reasons = Mapping[Constant, MatchedWin]
"""The decisive reason for each value of a game."""
AnsweredMove = tuple[GroundFact | None, MatchedWin | None]
"""A move, or None for a pass, and the reason for the win after it.

The reason is None if the move is illegal.
"""


Move = GroundFact | None
"""A move, or None for a pass."""
Outcome = tuple[Any, Atom | None] | None
"""The state and the game after a move; the game is None if it is lost or over. None for illegal moves."""
Tried = TypeVar("Tried", bound=Move)
Found = TypeVar("Found")
Position = tuple[Any, Atom]
"""A compact state, and a game in it."""
Conclusions = Mapping[Atom, Reasons] | BaseException
"""The conclusions of rules about the games of a position that are matched together, or its error."""
Search = Generator[Position, Conclusions, Found]
"""A search that yields each position whose conclusions it needs."""
MOST_AHEAD = 8
"""The maximum number of moves after which positions are matched together."""


class AnsweringPlay(Protocol):
    """The moves of a game, as the search needs them."""

    @property
    def focus_predicate(self) -> str: ...

    @property
    def writer(self) -> ColumnWriter | None:
        """The writer of compact states as columns."""

    def compact(self, state: Any) -> Any:
        """Return a state of the domain in the form that the other methods take."""

    def conclusions(
        self, matcher: StateMatcher, positions: Sequence[tuple[Any, Atom]]
    ) -> Sequence[Mapping[Atom, Reasons] | BaseException]:
        """Return for each state and game the conclusions of rules about the game in one match, or its error.

        Conclusions about other games, matched together with it, may be included.
        """

    def rule_query(self, state: Any, game: Atom) -> StateQuery:
        """Return the query to the rules about one game."""

    def reasons(self, stated: Sequence[tuple[str, GameStatement]], game: Atom) -> Reasons:
        """Return the decisive reason for each value of a game, without zones.

        `stated` are the rules that answer, with their statements, in the order of learning.
        """

    def candidate_moves(self, state: Any, game: Atom) -> Iterable[GroundFact]:
        """Return the friend's moves, the most promising first."""

    def needs_a_threat(self, state: Any) -> bool:
        """Return whether some reply changes nothing, or is expected to, so that only a threat answers it."""

    def replies(
        self, state: Any, game: Atom, answered: Sequence[AnsweredMove]
    ) -> Iterable[GroundFact | None]:
        """Yield the opponent's relevant moves after those answered so far; None is a pass."""

    def after_move(self, state: Any, game: Atom, action: GroundFact | None) -> tuple[Any, Atom | None] | None:
        """Return the state and the game after a move; the game is None if it is lost or over.

        Return None for illegal moves.
        """

    def dependency_zone(self, state: Any, game: Atom, steps: Iterable[AnsweredMove]) -> RelevanceZone:
        """Return the zone on which a win depends, if it follows from the wins after these moves."""


class Answerer:
    """An evaluator of positions of one theory by rules; `matched` counts the positions matched.

    Each match is charged to the budget; a query after it is exhausted raises SpentError. Only the reasons for
    wins are stored for a position.
    """

    def __init__(
        self,
        theory: Theory,
        rules: Iterable[Rule],
        play: AnsweringPlay,
        budget: Budget | None = None,
        shared: SharedRules | None = None,
        threads: int | None = None,
    ) -> None:
        self.play = play
        self.budget = budget or Budget()
        limits = self.budget.limits
        self.states = StateMatcher(theory, play.focus_predicate, rules, limits, shared, play.writer, threads)
        self.matched = 0
        self._known: dict[tuple[Hashable, Atom], Reasons] = {}
        self._is_alone = True
        """Whether positions are matched ahead, because no other searches match theirs at the same time."""
        self._ahead: dict[tuple[Hashable, Atom], Conclusions] = {}
        """The conclusions, or errors, of positions that were matched ahead and are not needed yet."""
        self._tried: dict[tuple[Hashable, Atom, int, Constant], MatchedWin | None] = {}
        self._refuting: dict[tuple[str, int], GroundFact] = {}
        """The reply that was a refutation last; it is tried first wherever it is legal."""

    @property
    def matcher(self) -> RuleMatcher:
        """The matcher of single positions."""
        return self.states.single

    def forget(self) -> None:
        """Clear all positions, reset the count to zero and renew the budget."""
        self._known, self._ahead, self._tried, self._refuting = {}, {}, {}, {}
        self.matched = 0
        self.budget.renew()

    def beside(self) -> Answerer:
        """Return an answerer with the same rules and a budget of its own, which knows no position.

        Its searches are run together with others.
        """
        found = copy(self)
        found.budget = copy(self.budget)
        found._is_alone = False  # noqa: SLF001 - an object of this class
        found.forget()
        return found

    @property
    def can_run_together(self) -> bool:
        """Whether positions of several searches are matched faster together."""
        return self.play.writer is not None and self.states.has_block

    def run(self, search: Search[Found]) -> Found:
        """Return the result of a search. Its positions are matched when it needs them."""
        try:
            position = next(search)
            while True:
                self._match_ahead([position])
                position = search.send(self._ahead.pop(position))
        except StopIteration as done:
            found: Found = done.value
            return found

    def won(self, state: Any, game: Atom, levels: int = 0) -> MatchedWin | None:
        """Return the reason why the friend wins if he plays first, with at most `levels` levels.

        Return None if none is found.
        """
        return self.run(self.search_won(state, game, levels))

    def search_won(self, state: Any, game: Atom, levels: int = 0) -> Search[MatchedWin | None]:
        """Search for what `won` returns."""
        return self._won(self.play.compact(state), game, levels)

    def _won(self, state: Any, game: Atom, levels: int) -> Search[MatchedWin | None]:
        found = yield from self._says(state, game, WON)
        for depth in range(1, levels + 1) if found is None else ():
            name = (state, game, depth, WON)
            if name not in self._tried:
                self._tried[name] = yield from self._by_a_move(state, game, depth)
            found = self._tried[name]
            if found is not None:
                break
        return found

    def _by_a_move(self, state: Any, game: Atom, levels: int) -> Search[MatchedWin | None]:
        """Return the first move after which the game is still won, as a reason."""
        for action, outcome in self._outcomes(state, game, self.play.candidate_moves(state, game)):
            if outcome is None or outcome[1] is None:
                continue
            second = yield from self._second_player_win(outcome[0], outcome[1], levels - 1)
            if second is not None:
                return self._derived_reason(state, game, _atom(action), [(action, second)])
        return None

    def _outcomes(self, state: Any, game: Atom, moves: Iterable[Tried]) -> Iterator[tuple[Tried, Outcome]]:
        """Yield some moves with the states and games after them.

        If positions are matched as columns, and this search runs alone, those after the next moves are
        matched together. Their number grows, because a move that decides is often among the first.
        """
        rest, number = iter(moves), 1
        while some := list(islice(rest, number)):
            found = [(move, self.play.after_move(state, game, move)) for move in some]
            if self._is_alone and self.can_run_together:
                after = [outcome for _, outcome in found if outcome is not None]
                self._match_ahead((each, followed) for each, followed in after if followed is not None)
                number = min(2 * number, MOST_AHEAD)
            yield from found

    def chain(self, state: Any, game: Atom, levels: int = 0) -> Chain | None:
        """Return the friend's winning chain of moves if he plays first, as found by `won`, without further
        matches.
        """
        return self.run(self._chain(self.play.compact(state), game, levels))

    def _chain(self, state: Any, game: Atom, levels: int) -> Search[Chain | None]:
        won = yield from self._won(state, game, levels)
        if won is None:
            return None
        assert won.move is not None
        if (yield from self._says(state, game, WON)) is not None:
            return Chain(won.move, won.rule)
        depth = next(
            depth for depth in range(1, levels + 1) if self._tried[state, game, depth, WON] is not None
        )
        outcome = self.play.after_move(state, game, _action(won.move))
        assert outcome is not None
        assert outcome[1] is not None
        replies = yield from self._after_each_reply(outcome[0], outcome[1], depth - 1)
        return Chain(won.move, won.rule, tuple(replies))

    def _after_each_reply(
        self, state: Any, game: Atom, levels: int
    ) -> Search[list[tuple[Atom | None, Chain]]]:
        """Return each reply and the chain that answers it; nothing if a rule covers all replies."""
        found: list[tuple[Atom | None, Chain]] = []
        if (yield from self._says(state, game, SECOND_PLAYER_WIN)) is not None:
            return found
        answered: list[AnsweredMove] = []
        for reply in self.play.replies(state, game, answered):
            outcome = self.play.after_move(state, game, reply)
            yield from self._answers(reply, outcome, levels, answered)
            if outcome is None or outcome[1] is None:
                continue
            below = yield from self._chain(outcome[0], outcome[1], levels)
            if below is not None:  # an illegal reply needs no answer
                found.append((None if reply is None else _atom(reply), below))
        return found

    def second_player_win(self, state: Any, game: Atom, levels: int = 0) -> MatchedWin | None:
        """Return the reason why the friend wins although the opponent plays first.

        Either a rule states it, or each relevant reply is answered, with at most `levels` levels.
        """
        return self.run(self.search_second_player_win(state, game, levels))

    def search_second_player_win(self, state: Any, game: Atom, levels: int = 0) -> Search[MatchedWin | None]:
        """Search for what `second_player_win` returns."""
        return self._second_player_win(self.play.compact(state), game, levels)

    def _second_player_win(self, state: Any, game: Atom, levels: int) -> Search[MatchedWin | None]:
        name = (state, game, levels, SECOND_PLAYER_WIN)
        if name not in self._tried:
            found = yield from self._says(state, game, SECOND_PLAYER_WIN)
            if found is None:
                found = yield from self._after_every_reply(state, game, levels)
            self._tried[name] = found
        return self._tried[name]

    def _after_every_reply(self, state: Any, game: Atom, levels: int) -> Search[MatchedWin | None]:
        if levels == 0 and self.play.needs_a_threat(state):
            threat = yield from self._says(state, game, WON)
            if threat is None:
                return None
        answered: list[AnsweredMove] = []
        refuting = self._refuting.get((game.predicate, levels))
        if refuting is not None:
            outcome = self.play.after_move(state, game, refuting)
            if not (yield from self._answers(refuting, outcome, levels, [])):
                return None
        for reply, outcome in self._outcomes(state, game, self.play.replies(state, game, answered)):
            if not (yield from self._answers(reply, outcome, levels, answered)):
                if reply is not None:
                    self._refuting[game.predicate, levels] = reply
                return None
        return self._derived_reason(state, game, None, answered) if answered else None

    def _answers(
        self, reply: Move, outcome: Outcome, levels: int, answered: list[AnsweredMove]
    ) -> Search[bool]:
        """Return whether the friend wins after a reply or the reply is illegal.

        Append the result to `answered`.
        """
        below = None
        if outcome is not None and outcome[1] is not None:
            below = yield from self._won(outcome[0], outcome[1], levels)
        answered.append((reply, below))
        return outcome is None or below is not None

    def _derived_reason(
        self, state: Any, game: Atom, move: Atom | None, steps: Sequence[AnsweredMove]
    ) -> MatchedWin:
        """Return the reason for a win that follows from these moves."""
        ground = self.play.dependency_zone(state, game, steps)
        rule = next(won.rule for _, won in steps if won is not None)
        return MatchedWin(move, rule, ground, ground)

    def says(self, state: Any, game: Atom, value: Constant) -> MatchedWin | None:
        """Return the reason why a game has a value, by one match."""
        return self.run(self.search_says(state, game, value))

    def search_says(self, state: Any, game: Atom, value: Constant) -> Search[MatchedWin | None]:
        """Search for what `says` returns."""
        return self._says(self.play.compact(state), game, value)

    def _says(self, state: Any, game: Atom, value: Constant) -> Search[MatchedWin | None]:
        position = state, game
        known = self._known.get(position)
        if known is None:
            self.budget.spend()
            self.matched += 1
            found = yield position
            if isinstance(found, BaseException):
                with self.budget.bounding():
                    raise found
            for each, reasons in found.items():
                self._known[state, each] = reasons
            known = self._known[position]
        return known.get(value)

    def _match_ahead(self, positions: Iterable[tuple[Any, Atom]]) -> None:
        """Match positions together that are not matched yet."""
        new = [each for each in positions if each not in self._known and each not in self._ahead]
        if new:
            self._ahead.update(zip(new, self.play.conclusions(self.states, new), strict=True))


def _atom(action: GroundFact) -> Atom:
    return Atom(action.relation, tuple(map(Constant, action.values)))


def _action(move: Atom) -> GroundFact:
    return GroundFact(move.predicate, tuple(term.value for term in move.terms if isinstance(term, Constant)))
