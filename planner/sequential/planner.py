"""The sequential planner: for games that one role plays (Genesereth and Thielscher, General Game Playing, 11.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner import _core
from hornbook.planner.gdl.game import INTEGER, Game, State
from hornbook.planner.machines.machine import GameMachine
from hornbook.planner.sequential.clocks import Clock, clock_of, compiled
from hornbook.planner.sequential.plan import UNLIMITED, Limits, Plan, Planned, Stopped

FIRST_STATES = 256
"""States between two looks at the clock on the wall, at first."""
PAUSE = 0.05
"""Seconds of search between two of these looks, and between two calls of `progress`."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is. The value of an optimal plan is at least `best`, where a plan is found, and at most `most`."""

    states: int
    depth: int
    best: int | None
    most: int


class NoSequentialPlans(HornbookError, ValueError):
    """A game that several roles play: what one of them reaches rests on the others."""


def plan(
    game: Game,
    machine: GameMachine,
    limits: Limits = UNLIMITED,
    progress: Callable[[Progress], None] = lambda _: None,
    begins: State | None = None,
    clock: Clock | None = None,
) -> Planned:
    """The best plan from a game's first state, or from `begins`, as far as the limits allow; Ctrl-C ends the search as these do.

    `clock` is what the sheet is proved to show from there on; without it, the sheet is analysed. Raises NoSequentialPlans.
    """
    if len(game.roles) != 1:
        raise NoSequentialPlans(
            f"{len(game.roles)} roles play this game: {', '.join(game.roles)}; a sequential plan is of a game of one"
        )
    begun = perf_counter()
    begins = game.initial if begins is None else begins
    clock = clock_of(game, begins) if clock is None else clock
    most = greatest_worth(game)
    words = machine.words(begins)
    search = _core.LayeredSearch(machine.core, words, most, compiled(clock, machine), limits.memory)
    stopped = _run(search, limits, begun, lambda: progress(_progress(search, most)))
    found = None
    if search.best >= 0:
        found = Plan(tuple(machine.move(0, number) for number in search.plan()), search.best)
    exhausted = search.status == _core.Status.exhausted
    return Planned(
        plan=found,
        most=(None if found is None else found.value) if exhausted else most,
        # Layers ascend, so the first plan of a value has the least number of moves.
        shortest=found is not None,
        stopped=stopped,
        states=search.states,
        boards=search.boards,
        depth=search.depth,
        phases=len(clock.phases),
        seconds=perf_counter() - begun,
    )


def greatest_worth(game: Game) -> int:
    """A bound from the sheet: no state is worth more to anybody."""
    worths = {0}
    for rule in game.program.origins:
        if rule.head.relation[0].split(" ")[0] == "goal":
            worth = rule.head.columns[-1]
            # What a variable stands for is a word of the sheet.
            words = (worth,) if isinstance(worth, str) else game.program.words
            worths.update(int(word) for word in words if INTEGER.fullmatch(word))
    return max(worths)


def _progress(search: _core.LayeredSearch, most: int) -> Progress:
    return Progress(search.states, search.depth, search.best if search.best >= 0 else None, most)


def _run(
    search: _core.LayeredSearch, limits: Limits, begun: float, pause: Callable[[], None]
) -> Stopped | None:
    """Searches to an end or a limit, and says which limit it was."""
    chunk = FIRST_STATES
    try:
        while search.status == _core.Status.searching:
            start = perf_counter()
            if limits.seconds is not None and start - begun >= limits.seconds:
                return "seconds"
            if limits.states is not None and search.states >= limits.states:
                return "states"
            search.run(chunk if limits.states is None else min(chunk, limits.states - search.states))
            took = perf_counter() - start
            if took < PAUSE / 2:
                chunk *= 2
            elif took > PAUSE:
                chunk = max(1, chunk // 2)
            pause()
    except KeyboardInterrupt:
        if search.status == _core.Status.searching:
            return "interrupted"
    return "memory" if search.status == _core.Status.full else None
