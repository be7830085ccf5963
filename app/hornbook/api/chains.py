"""Games that the player to move wins by a chain of matches, with the moves of each chain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from hornbook.api.ways import PlanMoves
from hornbook.inputs.domains import NoPictureError, the_domain
from hornbook.kb.ast.terms import Atom, Constant, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget
from hornbook.play.answering.answering import Answerer, Chain
from hornbook.play.answering.gain_search import GainSearch
from hornbook.play.answering.gains import EVERYTHING, GAIN, Gains
from hornbook.play.answering.plays import ByTurns, WithPasses
from hornbook.theories.protocols.optional import Planned


class Chains:
    """Learned rules that are queried about one state after another; each state has the whole budget.

    The query is for the amount gained if players may not pass, the domain counts the material of a side, and
    it has a theory of gains. Otherwise the query is for the games that are won. If players may not pass, a
    state on the way is queried about all games of a side in one match.
    """

    def __init__(
        self, theory: Theory, rules: Sequence[Rule], gains: Gains | None = None, budget: Budget | None = None
    ) -> None:
        """Prepare the rules. Raises NoPictureError if no domain says which games to query."""
        self._domain = the_domain(theory, "what is asked about its states", NoPictureError)
        passing = self._domain.passing
        self._gaining = (
            None if gains is None or passing is not None else GainSearch(self._domain, gains, budget)
        )
        play = ByTurns(self._domain, together=True) if passing is None else WithPasses(passing)
        self._answerer = Answerer(theory, rules, play, budget)

    @property
    def matched(self) -> int:
        """The number of states that were matched for the last query."""
        return self._answerer.matched if self._gaining is None else self._gaining.matched

    def won(self, state: Any, levels: int, goal: Atom | None = None) -> list[tuple[Atom, Chain]]:
        """Return the games that the player to move wins within `levels` levels, each with its chain.

        If no gain can be shown, the moves of plans for `goal` (by default for all goals) are tried in turn.
        The first that loses nothing is returned.

        Raises:
            SpentError: If the budget is spent.
        """
        if self._gaining is not None and self._domain.balance(state, self._domain.to_move(state)) is not None:
            return list(self._gained(self._gaining, state, levels, goal))
        self._answerer.forget()
        found = ((game, self._answerer.chain(state, game, levels)) for game in self._domain.own_games(state))
        return [(game, chain) for game, chain in found if chain is not None]

    @cached_property
    def _ways(self) -> PlanMoves | None:
        return PlanMoves(self._domain) if isinstance(self._domain, Planned) else None

    def _gained(
        self, gaining: GainSearch, state: Any, levels: int, goal: Atom | None
    ) -> Iterator[tuple[Atom, Chain]]:
        gaining.forget()

        def ways() -> Mapping[Atom, int]:
            return {} if self._ways is None else self._ways.order(state, goal)

        for by, amount in gaining.won(state, levels, ways).items():
            player = self._domain.to_move(state)
            everything = (g for g in self._domain.own_games(state) if g.predicate in self._domain.decisive)
            game = (
                next(everything) if amount == EVERYTHING else Atom(GAIN, (Constant(player), Constant(amount)))
            )
            yield game, gaining.chain(state, by, amount, levels)


def line_of(chain: Chain) -> list[str]:
    """Return the moves of both sides on the longest line of a chain."""
    lines = ([_shown(reply), *line_of(below)] for reply, below in chain.replies)
    return [_shown(chain.move), *max(lines, key=len, default=[])]


def lines_of(chain: Chain) -> Iterator[str]:
    """Yield all lines of a chain.

    A final move is followed by the rule that proves the win. Any other move is followed by the replies to it
    and the answers to them, indented.
    """
    yield _shown(chain.move) if chain.replies else f"{_shown(chain.move)}  [{chain.rule}]"
    answered: dict[Chain, list[str]] = {}
    for reply, below in chain.replies:
        answered.setdefault(below, []).append(_shown(reply))
    for below, replies in answered.items():
        yield f"  {', '.join(replies)}"
        yield from (f"    {line}" for line in lines_of(below))


def _shown(action: Atom | None) -> str:
    return "pass" if action is None else print_condition(action)
