"""What who is to move wins by a chain of matches, of all that a state has, and how it is won, move by move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from hornbook.api.ways import Ways
from hornbook.compiler.match.answering import Answerer, Chain
from hornbook.compiler.match.gaining import Gaining
from hornbook.compiler.match.gains import EVERYTHING, GAIN, Gains
from hornbook.compiler.match.plays import ByTurns, WithPasses
from hornbook.inputs.domains import NoPictureError, the_domain
from hornbook.kb.ast.terms import Atom, Constant, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget


class Chains:
    """Learned rules, ready to be asked about one state after the other, each of which has the whole budget.

    Where nobody may pass, and a domain counts what a side has and has a theory that says what moves gain, they are asked how much is
    gained; else which games are won. Where nobody may pass, a state on the way is asked about all games of a side in one match.
    """

    def __init__(
        self, theory: Theory, rules: Sequence[Rule], gains: Gains | None = None, budget: Budget | None = None
    ) -> None:
        """Raises NoPictureError if no domain says what is asked."""
        self._domain = the_domain(theory, "what is asked about its states", NoPictureError)
        passing = self._domain.passing
        self._gaining = None if gains is None or passing is not None else Gaining(self._domain, gains, budget)
        play = ByTurns(self._domain, together=True) if passing is None else WithPasses(passing)
        self._answerer = Answerer(theory, rules, play, budget)

    @property
    def matched(self) -> int:
        """How many states were matched for the last one that was asked about."""
        return self._answerer.matched if self._gaining is None else self._gaining.matched

    def won(self, state: Any, levels: int, goal: Atom | None = None) -> list[tuple[Atom, Chain]]:
        """What who is to move wins with so many levels, and how, move by move. Where nothing is shown to gain, `goal` is what plans are
        for, if it is told, of the move that loses nothing. Raises SpentError.
        """
        if self._gaining is not None and self._domain.balance(state, self._domain.to_move(state)) is not None:
            return list(self._gained(self._gaining, state, levels, goal))
        self._answerer.forget()
        found = ((game, self._answerer.chain(state, game, levels)) for game in self._domain.own_games(state))
        return [(game, chain) for game, chain in found if chain is not None]

    @cached_property
    def _ways(self) -> Ways:
        return Ways(self._domain)

    def _gained(
        self, gaining: Gaining, state: Any, levels: int, goal: Atom | None
    ) -> Iterator[tuple[Atom, Chain]]:
        gaining.forget()
        ways = (lambda: self._ways.order(state, goal)) if self._domain.ways else dict[Atom, int]
        for by, amount in gaining.won(state, levels, ways).items():
            player = self._domain.to_move(state)
            everything = (g for g in self._domain.own_games(state) if g.predicate in self._domain.decisive)
            game = (
                next(everything) if amount == EVERYTHING else Atom(GAIN, (Constant(player), Constant(amount)))
            )
            yield game, gaining.chain(state, by, amount, levels)


def line_of(chain: Chain) -> list[str]:
    """The moves of both sides where a game lasts longest."""
    lines = ([_shown(reply), *line_of(below)] for reply, below in chain.replies)
    return [_shown(chain.move), *max(lines, key=len, default=[])]


def lines_of(chain: Chain) -> Iterator[str]:
    """All that is played: a move with the rule that says that it wins, or with the replies to it, further in, and what answers them."""
    yield _shown(chain.move) if chain.replies else f"{_shown(chain.move)}  [{chain.rule}]"
    answered: dict[Chain, list[str]] = {}
    for reply, below in chain.replies:
        answered.setdefault(below, []).append(_shown(reply))
    for below, replies in answered.items():
        yield f"  {', '.join(replies)}"
        yield from (f"    {line}" for line in lines_of(below))


def _shown(action: Atom | None) -> str:
    return "pass" if action is None else print_condition(action)
