"""Answering by rules alone in games without passing: a chain of matches that tries every legal reply.

A level is one more move of the friend: after a move that is tried, either a rule says that the game is still won, or
every legal reply is answered again, a level less deep. There is no other search, and leaves are matches. Who is
without a reply and not beaten by that has not lost: a game is never won by leaving none.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from hornbook.compiler.match.position import Matcher, Parts
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.lower.budget import Budget

WON = Constant("GI")
SECOND_PLAYER_WIN = Constant("IG")
FEW = 8
"""So many replies are all tried, though nothing may be threatened: a check leaves few."""


class Turns(Protocol):
    """What a game's positions are, in which who is to move must move."""

    @property
    def focus_predicate(self) -> str: ...

    def parts(self, state: Any) -> Parts: ...

    def moves(self, state: Any) -> Iterable[GroundFact]:
        """Every legal move of who is to move, the most forcing first."""

    def after(self, state: Any, action: GroundFact) -> Any: ...

    def followed(self, state: Any, game: Atom, action: GroundFact) -> Atom | None:
        """The same game after a move that does not win it; None where it is lost."""


@dataclass(frozen=True, slots=True)
class WonByChain:
    """Why a game is won: the friend's first move (None where the opponent plays first), and the rule at the first leaf."""

    move: Atom | None
    rule: str


class Chain:
    """Asks rules about positions of one theory; `matched` counts the positions that were matched.

    Each is a step of the budget; whoever asks when it is spent gets a SpentError.
    """

    def __init__(
        self, theory: Theory, rules: Iterable[Rule], turns: Turns, budget: Budget | None = None
    ) -> None:
        self.turns = turns
        self.budget = budget or Budget()
        self.matcher = Matcher(theory, turns.focus_predicate, self.budget.limits)
        for rule in rules:
            self.matcher.add(rule)
        self.matched = 0
        self._known: dict[tuple[Hashable, Atom], frozenset[tuple[str, GameStatement]]] = {}
        self._tried: dict[tuple[Hashable, Atom, int, Constant], WonByChain | None] = {}
        self._refuting: dict[tuple[str, int], GroundFact] = {}

    def forget(self) -> None:
        """Forgets the positions so far, and counts from zero; the budget begins anew."""
        self._known.clear()
        self._tried.clear()
        self._refuting.clear()
        self.matched = 0
        self.budget.renew()

    def won(self, state: Any, game: Atom, levels: int = 0) -> WonByChain | None:
        """Why the friend wins, who is to move, with so many levels at most."""
        found = self.says(state, game, WON)
        for deep in range(1, levels + 1) if found is None else ():
            name = (state, game, deep, WON)
            if name not in self._tried:
                self._tried[name] = self._by_a_move(state, game, deep)
            found = self._tried[name]
            if found is not None:
                break
        return found

    def _by_a_move(self, state: Any, game: Atom, levels: int) -> WonByChain | None:
        for action in self.turns.moves(state):
            then = self.turns.followed(state, game, action)
            if then is None:
                continue
            still = self.second_player_win(self.turns.after(state, action), then, levels - 1)
            if still is not None:
                return WonByChain(Atom(action.relation, tuple(map(Constant, action.values))), still.rule)
        return None

    def second_player_win(self, state: Any, game: Atom, levels: int = 0) -> WonByChain | None:
        """Why the friend wins although the opponent is to move: a rule says so, or each legal reply is answered."""
        name = (state, game, levels, SECOND_PLAYER_WIN)
        if name not in self._tried:
            self._tried[name] = self.says(state, game, SECOND_PLAYER_WIN) or self._after_every_reply(
                state, game, levels
            )
        return self._tried[name]

    def _after_every_reply(self, state: Any, game: Atom, levels: int) -> WonByChain | None:
        replies = list(self.turns.moves(state))
        if len(replies) > FEW and levels == 0 and self.says(state, game, WON) is None:
            return None  # where nothing is threatened, one of many replies leaves it so: it is not sought
        refuting = self._refuting.get((game.predicate, levels))
        if refuting in replies:
            replies.remove(refuting)
            replies.insert(0, refuting)
        first: WonByChain | None = None
        for reply in replies:
            then = self.turns.followed(state, game, reply)
            below = None if then is None else self.won(self.turns.after(state, reply), then, levels)
            if below is None:
                self._refuting[game.predicate, levels] = reply
                return None
            first = first or below
        return None if first is None else WonByChain(None, first.rule)

    def says(self, state: Any, game: Atom, value: Constant) -> WonByChain | None:
        """What the first rule says that concludes a value of the game, in one match."""
        known = self._known.get((state, game))
        if known is None:
            self.budget.spend()
            self.matched += 1
            with self.budget.bounding():
                known = self.matcher.said(self.turns.parts(state), [game])
            self._known[state, game] = known
        found = [
            (rule, str(said.by), said.by)
            for rule, said in known
            if said.game.predicate == game.predicate
            and said.game.terms == game.terms
            and said.value == value
            and (value != WON or said.by is not None)
        ]
        if not found:
            return None
        rule, _, by = min(found, key=lambda each: each[:2])
        return WonByChain(by, rule)
