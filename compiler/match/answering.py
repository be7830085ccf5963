"""Answering by rules alone: one match of a position says what rules conclude; a chain of matches looks further.

In a chain, a level is one more move of the friend: after a move that is tried, either a rule says that the game is
still won, or each reply that can matter is answered by a match again, a level less deep. Which moves and replies
there are, the play says (compiler/match/plays.py). There is no other search, and leaves are matches.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hornbook.compiler.match.position import Matcher
from hornbook.kb.ast.terms import Atom, Constant, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.lower.budget import Budget
from hornbook.kb.sources.collector import collector_paused

WON = Constant("GI")
SECOND_PLAYER_WIN = Constant("IG")

Ground = frozenset[int]
"""What conclusions rest on, in places of a position."""


@dataclass(frozen=True, slots=True)
class Won:
    """Why a game is won: the friend's first move (None where the opponent plays first), the rule at the first leaf.

    A reply off `ground` changes nothing of the reasons here and now; one off `firm` nothing of them, and nothing that
    further moves would make of it. Where nobody may pass, nothing is known of either.
    """

    move: Atom | None
    rule: str
    ground: Ground = frozenset()
    firm: Ground = frozenset()


@dataclass(frozen=True, slots=True)
class Chain:
    """How a game is won by matches: by `move`, and by what follows each reply that can matter, of which None is a pass. Where there are
    none, `rule` says it: that this move wins, or that no reply helps against it. Else it is the one of the first leaf.
    """

    move: Atom
    rule: str
    replies: tuple[tuple[Atom | None, Chain], ...] = ()


Step = tuple[GroundFact | None, Won | None]
"""A move, None for a pass, and why the game is won after it; None where the move is illegal."""


class Play(Protocol):
    """How a game goes on, as the search asks for it."""

    @property
    def focus_predicate(self) -> str: ...

    def said(self, matcher: Matcher, state: Any, game: Atom) -> Mapping[Atom, Mapping[Constant, Won]]:
        """What rules conclude of a game, and perhaps of others that it is asked with, in one match: the reason that counts, for
        each value.
        """

    def tries(self, state: Any, game: Atom) -> Iterable[GroundFact]:
        """The friend's moves, the most promising first."""

    def needs_a_threat(self, state: Any) -> bool:
        """Whether one of the replies is expected to leave all as it is, so that nothing but a threat answers it."""

    def replies(self, state: Any, game: Atom, answered: Sequence[Step]) -> Iterable[GroundFact | None]:
        """The opponent's moves that can matter, after those that are answered so far; None is a pass."""

    def then(self, state: Any, game: Atom, action: GroundFact | None) -> tuple[Any, Atom | None] | None:
        """The state after a move and the game there, which is None where it is lost or over; None if it is illegal."""

    def rests_on(self, state: Any, game: Atom, steps: Iterable[Step]) -> Ground:
        """What it rests on that a game is won because it is so after these moves."""


class Answerer:
    """Asks rules about positions of one theory; `matched` counts the positions that were matched.

    Each position that is matched is a step of the budget; whoever asks when it is spent gets a SpentError. Of a position
    no more is kept than why it is won.
    """

    def __init__(
        self, theory: Theory, rules: Iterable[Rule], play: Play, budget: Budget | None = None
    ) -> None:
        self.play = play
        self.budget = budget or Budget()
        self.matcher = Matcher(theory, play.focus_predicate, self.budget.limits)
        with collector_paused():
            for rule in rules:
                self.matcher.add(rule)
        self.matched = 0
        self._known: dict[tuple[Hashable, Atom], Mapping[Constant, Won]] = {}
        self._tried: dict[tuple[Hashable, Atom, int, Constant], Won | None] = {}
        self._refuting: dict[tuple[str, int], GroundFact] = {}
        """The reply that had no answer last: it is tried before others, wherever it is one."""

    def forget(self) -> None:
        """Forgets the positions so far, and counts from zero; the budget begins anew."""
        self._known.clear()
        self._tried.clear()
        self._refuting.clear()
        self.matched = 0
        self.budget.renew()

    def won(self, state: Any, game: Atom, levels: int = 0) -> Won | None:
        """Why the friend wins who plays first, with so many levels at most."""
        found = self.says(state, game, WON)
        for deep in range(1, levels + 1) if found is None else ():
            name = (state, game, deep, WON)
            if name not in self._tried:
                self._tried[name] = self._by_a_move(state, game, deep)
            found = self._tried[name]
            if found is not None:
                break
        return found

    def _by_a_move(self, state: Any, game: Atom, levels: int) -> Won | None:
        """The first move after which the game is still won."""
        for action in self.play.tries(state, game):
            then = self.play.then(state, game, action)
            if then is None or then[1] is None:
                continue
            second = self.second_player_win(then[0], then[1], levels - 1)
            if second is not None:
                return self._because(state, game, _atom(action), [(action, second)])
        return None

    def chain(self, state: Any, game: Atom, levels: int = 0) -> Chain | None:
        """How the friend wins who plays first, move by move, where `won` says that he does; nothing more is matched for it."""
        won = self.won(state, game, levels)
        if won is None:
            return None
        assert won.move is not None
        if self.says(state, game, WON) is not None:
            return Chain(won.move, won.rule)
        deep = next(deep for deep in range(1, levels + 1) if self._tried[state, game, deep, WON] is not None)
        then = self.play.then(state, game, _action(won.move))
        assert then is not None
        assert then[1] is not None
        return Chain(won.move, won.rule, tuple(self._after_each_reply(then[0], then[1], deep - 1)))

    def _after_each_reply(self, state: Any, game: Atom, levels: int) -> Iterator[tuple[Atom | None, Chain]]:
        """What `second_player_win` rests on: each reply and what wins after it; nothing where a rule says it of all."""
        if self.says(state, game, SECOND_PLAYER_WIN) is not None:
            return
        answered: list[Step] = []
        for reply in self.play.replies(state, game, answered):
            self._answers(state, game, reply, levels, answered)
            then = self.play.then(state, game, reply)
            below = None if then is None or then[1] is None else self.chain(then[0], then[1], levels)
            if below is not None:  # an illegal reply needs no answer
                yield None if reply is None else _atom(reply), below

    def second_player_win(self, state: Any, game: Atom, levels: int = 0) -> Won | None:
        """Why the friend wins although the opponent plays first: a rule says so, or each reply that can matter is
        answered, with so many levels at most.
        """
        name = (state, game, levels, SECOND_PLAYER_WIN)
        if name not in self._tried:
            said = self.says(state, game, SECOND_PLAYER_WIN)
            self._tried[name] = self._after_every_reply(state, game, levels) if said is None else said
        return self._tried[name]

    def _after_every_reply(self, state: Any, game: Atom, levels: int) -> Won | None:
        if levels == 0 and self.play.needs_a_threat(state) and self.says(state, game, WON) is None:
            return None
        refuting = self._refuting.get((game.predicate, levels))
        if refuting is not None and not self._answers(state, game, refuting, levels):
            return None
        answered: list[Step] = []
        for reply in self.play.replies(state, game, answered):
            if not self._answers(state, game, reply, levels, answered):
                if reply is not None:
                    self._refuting[game.predicate, levels] = reply
                return None
        return self._because(state, game, None, answered) if answered else None

    def _answers(
        self,
        state: Any,
        game: Atom,
        reply: GroundFact | None,
        levels: int,
        answered: list[Step] | None = None,
    ) -> bool:
        """Whether the friend wins after a reply, or it is none; then it is noted among those that are `answered`."""
        then = self.play.then(state, game, reply)
        below = None if then is None or then[1] is None else self.won(then[0], then[1], levels)
        if answered is not None:
            answered.append((reply, below))
        return then is None or below is not None

    def _because(self, state: Any, game: Atom, move: Atom | None, steps: Sequence[Step]) -> Won:
        """The reason that a game is won after these moves."""
        ground = self.play.rests_on(state, game, steps)
        rule = next(won.rule for _, won in steps if won is not None)
        return Won(move, rule, ground, ground)

    def says(self, state: Any, game: Atom, value: Constant) -> Won | None:
        """Why a game has a value, in one match."""
        known = self._known.get((state, game))
        if known is None:
            self.budget.spend()
            self.matched += 1
            with self.budget.bounding():
                for each, said in self.play.said(self.matcher, state, game).items():
                    self._known[state, each] = said
            known = self._known[state, game]
        return known.get(value)


def _atom(action: GroundFact) -> Atom:
    return Atom(action.relation, tuple(map(Constant, action.values)))


def _action(move: Atom) -> GroundFact:
    return GroundFact(move.predicate, tuple(term.value for term in move.terms if isinstance(term, Constant)))
