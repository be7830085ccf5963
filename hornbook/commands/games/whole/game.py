"""Whole games as the commands open them: the domain of a theory, its native step, a search, and learned rules that guide it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hornbook.inputs.native_games import NativeGame, native_game
from hornbook.inputs.opening_store import with_rules
from hornbook.inputs.states import State as Position
from hornbook.play.native import Native, State
from hornbook.play.whole.thinking import Advice, Budget, Closed, Player

if TYPE_CHECKING:
    from hornbook.api.learned_rules import LearnedRules
    from hornbook.theories.domain import Domain

SEARCH = "deepening"
SEARCHES = ("deepening", "ordered-alpha-beta", "alpha-beta", "best-first")
FIXED = ("ordered-alpha-beta", "alpha-beta")
Seconds = Annotated[
    float,
    typer.Option("--seconds", metavar="S", help="So many seconds of the processor for a move.", min=0.001),
]
Nodes = Annotated[
    int | None, typer.Option("--nodes", metavar="N", help="So many nodes for a move at most.", min=1)
]
Depth = Annotated[
    int | None, typer.Option("--depth", metavar="N", help="So many moves ahead at most.", min=1)
]
SearchName = Annotated[
    str, typer.Option("--algorithm", metavar="NAME", help=f"How it thinks: {', '.join(SEARCHES)}.")
]


@dataclass(frozen=True, slots=True)
class WholeGame:
    """A game of two players that can be played."""

    played: NativeGame
    rules: LearnedRules | None
    advice: Advice | None
    """What the rules prove, for all players of the game: it is asked best by one after another, as it remembers."""

    @property
    def name(self) -> str:
        return self.played.theory.name

    @property
    def domain(self) -> Domain:
        return self.played.domain

    @property
    def native(self) -> Native:
        return self.played.native

    def player(self, search: str = SEARCH) -> Player:
        """A new player, with tables of its own. Raises BadParameter for a search that there is not."""
        if search not in SEARCHES:
            raise typer.BadParameter(
                f"`{search}` is no search; there are {', '.join(SEARCHES)}", param_hint="--algorithm"
            )
        return Player(self.native, self.native.search(search, {}), self.advice)


class _Advice:
    """What learned rules prove of a state, as far as searches have something of it."""

    def __init__(self, played: NativeGame, rules: LearnedRules) -> None:
        self.theory, self.domain = played.theory, played.domain
        self.matcher = rules.matcher()

    def __call__(self, state: State) -> Sequence[Closed]:
        text = str(state)
        self.matcher.set(Position(self.theory, "state", self.domain.position(text), self.domain.adapter))
        found: dict[tuple[int, str | None, str], Closed] = {}
        for answer in self.matcher.answers():
            said = answer.said.statement
            closes = self.domain.closes(text, said)
            if closes is None:
                continue

            player, move = closes
            come_true = partial(self.domain.come_true, said=said)
            found.setdefault((player, move, answer.game), Closed(player, move, str(answer), come_true))
        return tuple(found.values())


def budget_of(search: str, seconds: float | None, nodes: int | None, depth: int | None) -> Budget:
    """What a move may take; of what is not given there is no limit. Raises BadParameter for a search that cannot do without a depth."""
    if search in FIXED and depth is None:
        raise typer.BadParameter(f"`{search}` searches to a depth: say which", param_hint="--depth")
    given = Budget()
    if seconds is not None:
        given["seconds"] = seconds
    if nodes is not None:
        given["nodes"] = nodes
    if depth is not None:
        given["depth"] = depth
    return given


def whole_game(theory: str, rules: Path | None = None) -> WholeGame:
    """The game of a theory, guided by rules of a file where they are given. Raises as `native_game` does."""
    played = native_game(theory)
    learned = None
    if rules is not None:
        from hornbook.api.learned_rules import LearnedRules  # noqa: PLC0415 - slow to import

        opened = with_rules(theory, rules)
        learned = LearnedRules(opened.theory, opened.base, asked=opened.asked)
    advice = None if learned is None or not learned.certified else _Advice(played, learned)
    return WholeGame(played, learned, advice)
