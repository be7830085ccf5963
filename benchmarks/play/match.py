"""Games between two searches, in pairs: each search plays both sides of every opening.

The resources are counted over whole games: expansions, evaluations, and processor seconds. If only one move
is legal, no search is called.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from hornbook.play.native import Native, NativeState, Search, SearchResult
from hornbook.play.thinking.statistics import Statistics


@dataclass(frozen=True, slots=True)
class MatchPlayer:
    """A search, created for each game, with its budget for each move or for the whole game."""

    make: Callable[[], Search]
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    """The processor seconds for the whole game; a move's share depends on the expected number of further
    choices.
    """

    statistics: Statistics | None = None
    """The statistics that predict the number of further choices."""


@dataclass(slots=True)
class SpentResources:
    """The resources that a player used."""

    expansions: int = 0
    evaluations: int = 0
    seconds: float = 0.0

    def add(self, found: SearchResult) -> None:
        self.expansions += found["expansions"]
        self.evaluations += found["evaluations"]
        self.seconds += found["seconds"]

    @property
    def nodes(self) -> int:
        return self.expansions + self.evaluations


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The results of games for the first of two players."""

    pairs: tuple[tuple[float, float], ...]
    """For each opening: 1, 1/2 or 0 for the game as player 0, and as player 1."""

    spent: tuple[SpentResources, SpentResources]
    lead: int
    """The sum of its outcomes, in the game's own unit."""

    @property
    def games(self) -> int:
        return 2 * len(self.pairs)

    @property
    def won(self) -> int:
        return sum(result == 1 for pair in self.pairs for result in pair)

    @property
    def drawn(self) -> int:
        return sum(result == 0.5 for pair in self.pairs for result in pair)

    @property
    def share(self) -> float:
        """Return the share of the points, from 0 to 1."""
        return sum(map(sum, self.pairs)) / self.games

    @property
    def within(self) -> float:
        """Return half of the 95 % interval of the share.

        Openings are independent, but the two games of one may not be.
        """
        if len(self.pairs) < 2:
            return 0.5
        means = [sum(pair) / 2 for pair in self.pairs]
        variance = sum((mean - self.share) ** 2 for mean in means) / (len(means) - 1)
        return 1.96 * math.sqrt(variance / len(means))


def openings(native: Native, start: str, plies: int, seed: int) -> Iterator[NativeState]:
    """Yield positions after `plies` random moves in which the game goes on.

    They have no repetitions as long as possible.
    """
    random, seen = Random(seed), set()
    while True:
        for _ in range(1000):
            state = native.State(start)
            for _ in range(plies):
                if state.is_over:
                    break
                state = state.after(random.choice(state.moves()))
            if not state.is_over and str(state) not in seen:
                break
        seen.add(str(state))
        yield state


def play_match(one: MatchPlayer, other: MatchPlayer, starts: list[NativeState]) -> MatchScore:
    """Play two games from each start."""
    pairs, clocks, lead = [], (SpentResources(), SpentResources()), 0
    for start in starts:
        results = []
        for side in (0, 1):
            outcome = play_game(
                (one, other) if side == 0 else (other, one), start, clocks[side], clocks[1 - side]
            )
            outcome = outcome if side == 0 else -outcome
            lead += outcome
            results.append(1.0 if outcome > 0 else 0.5 if outcome == 0 else 0.0)
        pairs.append((results[0], results[1]))
    return MatchScore(tuple(pairs), clocks, lead)


def play_game(
    players: tuple[MatchPlayer, MatchPlayer],
    state: NativeState,
    first: SpentResources,
    second: SpentResources,
) -> int:
    """Return the outcome for player 0, and add the resources of both to their clocks."""
    searches = [player.make() for player in players]
    spent = (SpentResources(), SpentResources())
    while not state.is_over:
        moves = state.moves()
        move = moves[0]
        if len(moves) > 1:
            side = state.to_move
            found = _decide(players[side], searches[side], state, spent[side])
            spent[side].add(found)
            move = found["move"] or moves[0]
        state = state.after(move)
    for clock, of_game in zip((first, second), spent, strict=True):
        clock.expansions += of_game.expansions
        clock.evaluations += of_game.evaluations
        clock.seconds += of_game.seconds
    return state.outcome


def _decide(player: MatchPlayer, search: Search, state: NativeState, spent: SpentResources) -> SearchResult:
    if player.nodes is None and player.seconds is None:
        return search(state, depth=player.depth)
    assert player.statistics is not None
    return search(
        state,
        nodes=None if player.nodes is None else max(1, player.nodes - spent.nodes),
        seconds=None if player.seconds is None else max(1e-4, player.seconds - spent.seconds),
        share=1 / player.statistics.choices_left(state.conditions[0]),
        depth=player.depth,
    )
