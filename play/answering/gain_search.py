"""Lower bounds for the gains of moves, by levels: after every reply the friend has that much more, or
continues to gain.

A level is one more move of the friend. After a move that is tried, every legal reply is answered. The bound
is the balance after the reply plus a proved gain: by one match, or by a search one level less deep. The
friend may stop after a reply, so the balance alone is a bound. Leaves are matches, and there is no other
search.

Moves with few legal replies are tried first. Moves with many replies are matched before their replies are
generated. A move is skipped if the friend would gain too little after a pass of the other side. The others
are ordered by this gain, and the replies by the opponent's gain.

If nothing is proved to gain, moves that lose nothing are tried in a given order: for example, the order of
plans that would win if the other side passed. The source of the order is not trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.lower.budget import Budget
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.answering.answering import Chain
from hornbook.play.answering.gains import EVERYTHING, GAIN, Gain, Gains
from hornbook.play.answering.plays import FEW

STOPS = "what is left on the board"
"""The end of a chain after a reply with a sufficient balance."""


class CountedGame(Protocol):
    """A game by turns with a countable balance for each side."""

    def parts(self, state: Any) -> Iterable[Part]: ...

    def actions(self, state: Any) -> Iterable[GroundFact]: ...

    def after(self, state: Any, action: GroundFact) -> Any: ...

    def to_move(self, state: Any) -> str | int: ...

    def balance(self, state: Any, player: str | int) -> int | None:
        """Return the balance of a player minus that of the others, in the unit of gains."""

    def friend(self, state: Any, game: Atom) -> str | int: ...


@dataclass(frozen=True, slots=True)
class TriedMove:
    """A move, the state after it, and the replies."""

    by: Atom
    state: Any
    replies: Sequence[GroundFact]

    @property
    def leaves_few(self) -> bool:
        return len(self.replies) <= FEW


class GainSearch:
    """A search for the gains of moves in one game.

    `matched` counts the states matched since the last reset.
    """

    def __init__(self, game: CountedGame, gains: Gains, budget: Budget | None = None) -> None:
        self.budget = budget or Budget()
        self.matched = 0
        self._game = game
        self._gains = gains
        self._matched_gains: dict[Any, dict[str | int, Sequence[Gain]]] = {}
        self._rules: dict[Any, str] = {}
        """The learned rule on which the greatest gain of the player to move depends, for each state."""
        self._tried: dict[Any, list[TriedMove]] = {}
        self._refuting: GroundFact | None = None
        """The reply that was a refutation last; it is tried first wherever it is legal."""

    def forget(self) -> None:
        """Clear all states, reset the count to zero and renew the budget."""
        self._matched_gains.clear()
        self._rules.clear()
        self._tried.clear()
        self._refuting = None
        self.matched = 0
        self.budget.renew()

    def won(
        self, state: Any, levels: int, order: Callable[[], Mapping[Atom, int]] = dict[Atom, int]
    ) -> dict[Atom, int]:
        """Return moves of the player to move that gain more by `levels` levels than any move by a match, with
        lower bounds.

        The move with the greatest proved gain is last; it may tie in gain and leave fewer replies. If nothing
        is proved to gain, the result has one move that loses nothing. It is the first move by the function
        `order`, which is called only then; equal moves are ordered by the number of replies. Raise SpentError
        if the budget is exhausted.
        """
        found: dict[Atom, int] = {}
        matched = {gain.by: gain.amount for gain in reversed(self.says(state, self._game.to_move(state)))}
        most = max(matched.values(), default=0)
        if most == EVERYTHING:
            return found
        tries = self._tries(state)
        fewest = min((len(each.replies) for each in tries if matched.get(each.by) == most), default=None)
        for each in self._in_order(state):
            forces_more = fewest is None or len(each.replies) < fewest
            amount = self._bound(state, each, levels, max(most if forces_more else most + 1, 1))
            if amount is not None:
                most, fewest = amount, len(each.replies)
                if amount > matched.get(each.by, 0):
                    found[each.by] = amount
            if most == EVERYTHING:
                break
        if not found and not matched:
            places = order()
            last = max(places.values(), default=0) + 1
            for each in sorted(tries, key=lambda each: (places.get(each.by, last), len(each.replies))):
                amount = self._bound(state, each, levels, 0)
                if amount is not None:
                    found[each.by] = amount
                    break
        return found

    def chain(self, state: Any, by: Atom, amount: int, levels: int) -> Chain:
        """Return the chain of a move that gains the amount, if `won` found it with `levels` levels.

        Only matches already made by `won` are used, and matches of single states.
        """
        replies = []
        each = next(each for each in self._tries(state) if each.by == by)
        for reply in each.replies:
            after = self._game.after(each.state, reply)
            left = self._left(state, after)
            if left < amount:
                least = EVERYTHING if amount == EVERYTHING else amount - left
                replies.append((_atom(reply), self._continuation(after, least, levels - 1)))
        rule = next((_first(below) for _, below in replies), STOPS)
        return Chain(by, rule, tuple(replies))

    def _continuation(self, state: Any, least: int, levels: int) -> Chain:
        """Return a chain that gains at least `least` for the player to move."""
        first = next(iter(self.says(state, self._game.to_move(state))), None)
        if first is not None and first.amount >= least:
            return Chain(first.by, self._rules[state])
        by, amount = next(each for each in self.won(state, levels).items() if each[1] >= least)
        return self.chain(state, by, amount, levels)

    def says(self, state: Any, player: str | int) -> Sequence[Gain]:
        """Return the gains of a player's moves by one match, greatest first, one for each move."""
        if state not in self._matched_gains:
            self.budget.spend()
            self.matched += 1
            by_player: dict[str | int, dict[Atom, Gain]] = {}
            with self.budget.bounding():
                for gain in self._gains.at(self._game.parts(state)):
                    gainer = self._player_of(state, gain.game)
                    if gainer not in by_player and gainer == self._game.to_move(state):
                        self._rules[state] = self._gains.rule(gain)
                    by_player.setdefault(gainer, {}).setdefault(gain.by, gain)
            self._matched_gains[state] = {gainer: list(gains.values()) for gainer, gains in by_player.items()}
        return self._matched_gains[state].get(player, ())

    def _player_of(self, state: Any, game: Atom) -> str | int:
        first = game.terms[0]
        assert isinstance(first, Constant)
        return first.value if game.predicate == GAIN else self._game.friend(state, game)

    def _tries(self, state: Any) -> list[TriedMove]:
        """Return the moves of the player to move that leave a reply, those with the fewest replies first."""
        if state not in self._tried:
            self._tried[state] = sorted(self._each_try(state), key=lambda each: len(each.replies))
        return self._tried[state]

    def _each_try(self, state: Any) -> Iterator[TriedMove]:
        player = self._game.to_move(state)
        for action in self._game.actions(state):
            after = self._game.after(state, action)
            replies = list(self._game.actions(after))
            if replies and self._game.to_move(after) != player:
                yield TriedMove(_atom(action), after, replies)

    def _in_order(self, state: Any) -> Iterator[TriedMove]:
        """Yield moves with few replies, then the others by estimated gain, which are matched only if the
        first do not win.
        """
        tries = self._tries(state)
        yield from (each for each in tries if each.leaves_few)
        yield from sorted(
            (each for each in tries if not each.leaves_few),
            key=lambda each: -self._estimated_gain(state, each),
        )

    def _estimated_gain(self, state: Any, tried: TriedMove) -> int:
        """Return the gain of the player to move after a move and a second one, if the other side passed in
        between.
        """
        player = self._game.to_move(state)
        return self._left(state, tried.state, player) + self._most(tried.state, player)

    def _bound(self, state: Any, tried: TriedMove, levels: int, least: int) -> int | None:
        """Return a lower bound for a move's gain by `levels` levels.

        Return None if it is not found to be at least `least`.
        """
        estimate = None if tried.leaves_few else self._estimated_gain(state, tried)
        if estimate is not None and estimate < least:
            return None
        player, bound = self._game.to_move(state), EVERYTHING
        for reply, after in self._answers(state, tried, player):
            left = self._left(state, after)
            if estimate is None or left < estimate or levels > 1:
                more = self._greatest(after, levels - 1, least - left)
                left = EVERYTHING if more == EVERYTHING else left + more
            if left < least:
                self._refuting = reply
                return None
            bound = min(bound, left)
        return bound

    def _answers(self, state: Any, tried: TriedMove, player: str | int) -> Sequence[tuple[GroundFact, Any]]:
        """Return the replies to a move, the most likely refutations first."""
        opponent_gains = () if tried.leaves_few else self.says(tried.state, self._game.to_move(tried.state))
        gains = {gain.by: gain.amount for gain in opponent_gains}

        def order(reply: tuple[GroundFact, Any]) -> tuple[int, bool, int]:
            action, after = reply
            return -gains.get(_atom(action), 0), action != self._refuting, self._left(state, after, player)

        return sorted(((each, self._game.after(tried.state, each)) for each in tried.replies), key=order)

    def _greatest(self, state: Any, levels: int, least: int) -> int:
        """Return the greatest proved gain of a move, at least 0 because the player may stop.

        The search ends when the gain reaches `least`.
        """
        most = self._most(state, self._game.to_move(state))
        for each in self._in_order(state) if levels > 0 and most < least else ():
            most = max(most, self._bound(state, each, levels, most + 1) or 0)
            if most >= least:
                break
        return most

    def _most(self, state: Any, player: str | int) -> int:
        return max((gain.amount for gain in self.says(state, player)[:1]), default=0)

    def _left(self, state: Any, after: Any, player: str | int | None = None) -> int:
        """Return how much more a player, by default the player to move, has after some moves."""
        counted_player = self._game.to_move(state) if player is None else player
        balance, before = self._game.balance(after, counted_player), self._game.balance(state, counted_player)
        assert balance is not None
        assert before is not None
        return balance - before


def _first(chain: Chain) -> str:
    """Return the rule of the first leaf."""
    return chain.rule if not chain.replies else _first(chain.replies[0][1])


def _atom(action: GroundFact) -> Atom:
    return Atom(action.relation, tuple(map(Constant, action.values)))
