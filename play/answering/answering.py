"""Answers by rules alone: one match of a position gives the conclusions of the rules; chains of matches look
further.

In a chain, a level is one more move of the friend. After a move that is tried, either a rule states that the
game is still won, or each relevant reply is answered by a match, one level less deep. The `AnsweringPlay`
object generates the moves and replies (play/answering/plays.py). There is no other search, and all leaves are
matches.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from hornbook.compiler.match.position import RuleMatcher, SharedRules
from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, WON, Atom, Constant, GameStatement, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.lower.budget import Budget
from hornbook.kb.sources.collector import collector_paused
from hornbook.matcher.program.dataclass import dataclass
from hornbook.theories.protocols.games import RuleQuery

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


AnsweredMove = tuple[GroundFact | None, MatchedWin | None]
"""A move, or None for a pass, and the reason for the win after it.

The reason is None if the move is illegal.
"""


class AnsweringPlay(Protocol):
    """The moves of a game, as the search needs them."""

    @property
    def focus_predicate(self) -> str: ...

    def conclusions(
        self, matcher: RuleMatcher, state: Any, game: Atom
    ) -> Mapping[Atom, Mapping[Constant, MatchedWin]]:
        """Return the conclusions of rules about a game in one match: the decisive reason for each value.

        Conclusions about other games, matched together with it, may be included.
        """

    def rule_query(self, state: Any, game: Atom) -> RuleQuery:
        """Return the query to the rules about one game."""

    def reasons(
        self, stated: Sequence[tuple[str, GameStatement]], game: Atom
    ) -> Mapping[Constant, MatchedWin]:
        """Return the decisive reason for each value of a game, without zones.

        `stated` are the rules that answer, with their statements, in the order of learning.
        """

    def candidate_moves(self, state: Any, game: Atom) -> Iterable[GroundFact]:
        """Return the friend's moves, the most promising first."""

    def needs_a_threat(self, state: Any) -> bool:
        """Return whether some reply is expected to change nothing, so that only a threat answers it."""

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
    ) -> None:
        self.play = play
        self.budget = budget or Budget()
        self.matcher = RuleMatcher(theory, play.focus_predicate, self.budget.limits, shared)
        if not self.matcher.has_rules:
            with collector_paused():
                for rule in rules:
                    self.matcher.add(rule)
        self.matched = 0
        self._known: dict[tuple[Hashable, Atom], Mapping[Constant, MatchedWin]] = {}
        self._tried: dict[tuple[Hashable, Atom, int, Constant], MatchedWin | None] = {}
        self._refuting: dict[tuple[str, int], GroundFact] = {}
        """The reply that was a refutation last; it is tried first wherever it is legal."""

    def forget(self) -> None:
        """Clear all positions, reset the count to zero and renew the budget."""
        self._known.clear()
        self._tried.clear()
        self._refuting.clear()
        self.matched = 0
        self.budget.renew()

    def won(self, state: Any, game: Atom, levels: int = 0) -> MatchedWin | None:
        """Return the reason why the friend wins if he plays first, with at most `levels` levels.

        Return None if none is found.
        """
        found = self.says(state, game, WON)
        for depth in range(1, levels + 1) if found is None else ():
            name = (state, game, depth, WON)
            if name not in self._tried:
                self._tried[name] = self._by_a_move(state, game, depth)
            found = self._tried[name]
            if found is not None:
                break
        return found

    def _by_a_move(self, state: Any, game: Atom, levels: int) -> MatchedWin | None:
        """Return the first move after which the game is still won, as a reason."""
        for action in self.play.candidate_moves(state, game):
            outcome = self.play.after_move(state, game, action)
            if outcome is None or outcome[1] is None:
                continue
            second = self.second_player_win(outcome[0], outcome[1], levels - 1)
            if second is not None:
                return self._derived_reason(state, game, _atom(action), [(action, second)])
        return None

    def chain(self, state: Any, game: Atom, levels: int = 0) -> Chain | None:
        """Return the friend's winning chain of moves if he plays first, as found by `won`, without further
        matches.
        """
        won = self.won(state, game, levels)
        if won is None:
            return None
        assert won.move is not None
        if self.says(state, game, WON) is not None:
            return Chain(won.move, won.rule)
        depth = next(
            depth for depth in range(1, levels + 1) if self._tried[state, game, depth, WON] is not None
        )
        outcome = self.play.after_move(state, game, _action(won.move))
        assert outcome is not None
        assert outcome[1] is not None
        return Chain(won.move, won.rule, tuple(self._after_each_reply(outcome[0], outcome[1], depth - 1)))

    def _after_each_reply(self, state: Any, game: Atom, levels: int) -> Iterator[tuple[Atom | None, Chain]]:
        """Yield each reply and the chain that answers it; nothing if a rule covers all replies."""
        if self.says(state, game, SECOND_PLAYER_WIN) is not None:
            return
        answered: list[AnsweredMove] = []
        for reply in self.play.replies(state, game, answered):
            self._answers(state, game, reply, levels, answered)
            outcome = self.play.after_move(state, game, reply)
            below = (
                None if outcome is None or outcome[1] is None else self.chain(outcome[0], outcome[1], levels)
            )
            if below is not None:  # an illegal reply needs no answer
                yield None if reply is None else _atom(reply), below

    def second_player_win(self, state: Any, game: Atom, levels: int = 0) -> MatchedWin | None:
        """Return the reason why the friend wins although the opponent plays first.

        Either a rule states it, or each relevant reply is answered, with at most `levels` levels.
        """
        name = (state, game, levels, SECOND_PLAYER_WIN)
        if name not in self._tried:
            by_rule = self.says(state, game, SECOND_PLAYER_WIN)
            self._tried[name] = self._after_every_reply(state, game, levels) if by_rule is None else by_rule
        return self._tried[name]

    def _after_every_reply(self, state: Any, game: Atom, levels: int) -> MatchedWin | None:
        if levels == 0 and self.play.needs_a_threat(state) and self.says(state, game, WON) is None:
            return None
        refuting = self._refuting.get((game.predicate, levels))
        if refuting is not None and not self._answers(state, game, refuting, levels):
            return None
        answered: list[AnsweredMove] = []
        for reply in self.play.replies(state, game, answered):
            if not self._answers(state, game, reply, levels, answered):
                if reply is not None:
                    self._refuting[game.predicate, levels] = reply
                return None
        return self._derived_reason(state, game, None, answered) if answered else None

    def _answers(
        self,
        state: Any,
        game: Atom,
        reply: GroundFact | None,
        levels: int,
        answered: list[AnsweredMove] | None = None,
    ) -> bool:
        """Return whether the friend wins after a reply or the reply is illegal.

        Append the result to `answered`.
        """
        outcome = self.play.after_move(state, game, reply)
        below = None if outcome is None or outcome[1] is None else self.won(outcome[0], outcome[1], levels)
        if answered is not None:
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
        known = self._known.get((state, game))
        if known is None:
            self.budget.spend()
            self.matched += 1
            with self.budget.bounding():
                for each, reasons in self.play.conclusions(self.matcher, state, game).items():
                    self._known[state, each] = reasons
            known = self._known[state, game]
        return known.get(value)


def _atom(action: GroundFact) -> Atom:
    return Atom(action.relation, tuple(map(Constant, action.values)))


def _action(move: Atom) -> GroundFact:
    return GroundFact(move.predicate, tuple(term.value for term in move.terms if isinstance(term, Constant)))
