"""The sequential planner: for games that one role plays (Genesereth and Thielscher, General Game Playing, 11.2).

Layers of boards prove what they find: the first plan of a value is a shortest one, and where nothing is left to look at,
no plan has more. Beside them best-first searches look for a plan with the most that the rules let a state be worth, which is
optimal whatever was not looked at. They take turns, each twice as long as the last; turns are counted in states, so that the same
limit of states finds the same plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter

from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner import _core
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.machines.choice import limits_within
from hornbook.planner.machines.worths import greatest_worth
from hornbook.planner.sequential.clocks import compiled
from hornbook.planner.sequential.plan import UNLIMITED, Limits, Plan, Planned, Stopped
from hornbook.planner.sequential.setting import Setting, setting_of

FIRST_TURN = 2**17
"""States of the first turn of each search."""
FIRST_STATES = 256
"""States between two looks at the time, at first."""
PAUSE = 0.05
"""Seconds of search between two looks at the time, and between two calls of `progress`, about."""

Search = _core.LayeredSearch | _core.WidthSearch | _core.BeamSearch


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
    limits: Limits = UNLIMITED,
    progress: Callable[[Progress], None] = lambda _: None,
    begins: State | None = None,
    enough: int | None = None,
    setting: Setting | None = None,
) -> Planned:
    """The best plan from a game's first state, or from `begins`, as far as the limits allow; Ctrl-C ends the search as these do.

    A plan of the value `enough` is looked for no further. `setting` is what to search with; without it, it is made.
    Raises NoSequentialPlans, and ValueError where something is true in `begins` that the game never makes true.
    """
    if len(game.roles) != 1:
        raise NoSequentialPlans(
            f"{len(game.roles)} roles play this game: {', '.join(game.roles)}; a sequential plan is of a game of one"
        )
    begun = perf_counter()
    begins = game.initial if begins is None else begins
    try:
        setting = setting_of(game, begins, limits_within(limits.seconds)) if setting is None else setting
    except KeyboardInterrupt:
        return _nothing(greatest_worth(game.program, game.roles[0]), perf_counter() - begun)
    searching = _Searching(setting, begins, enough, limits, begun, progress)
    stopped = searching.run()
    return searching.planned(stopped)


def _nothing(most: int, seconds: float) -> Planned:
    """What is known where the search was interrupted before it began."""
    return Planned(None, most, False, "interrupted", 0, 0, 0, 1, seconds)


class _Searching:
    """Searches that take turns."""

    def __init__(
        self,
        setting: Setting,
        begins: State,
        enough: int | None,
        limits: Limits,
        begun: float,
        progress: Callable[[Progress], None],
    ) -> None:
        self.setting, self.limits, self.begun, self.progress = setting, limits, begun, progress
        self.wanted = setting.most if enough is None else min(enough, setting.most)
        core, words = setting.machine.core, setting.machine.words(begins)
        clock = compiled(setting.clock, setting.machine)
        half, quarter = limits.memory // 2, limits.memory // 4
        self.layers = _core.LayeredSearch(core, words, self.wanted, clock, half)
        self.others: tuple[Search, ...] = (
            _core.WidthSearch(core, words, self.wanted, clock, quarter),
            _core.BeamSearch(core, words, self.wanted, clock, quarter),
        )
        self.chunk = FIRST_STATES

    @property
    def all(self) -> tuple[Search, ...]:
        return self.layers, *self.others

    @property
    def states(self) -> int:
        return sum(search.states for search in self.all)

    @property
    def best(self) -> Search:
        """The search with the best plan; the layers' plan is a shortest one of its value."""
        return max(self.all, key=lambda search: search.best)

    def run(self) -> Stopped | None:
        """Searches to an end or a limit, and says which limit it was."""
        try:
            for search, states in self._turns():
                end = search.states + states
                while search.status == _core.Status.searching and search.states < end:
                    stopped = self._late()
                    if stopped is not None:
                        return stopped
                    self._step(search, end - search.states)
        except KeyboardInterrupt:
            return None if self._done() else "interrupted"
        return None if self._done() else "memory"

    def _turns(self) -> Iterator[tuple[Search, int]]:
        """Which search is next, and for how many states."""
        turn = FIRST_TURN
        while True:
            going = [search for search in self.all if search.status == _core.Status.searching]
            if not going:
                return
            for search in going:
                yield search, turn
                if self._done():
                    return
                if search is not self.layers and search.status == _core.Status.top:
                    # The value is proved. For as long again a shorter plan is looked for.
                    yield self.layers, self.states
                    return
            turn *= 2

    def _done(self) -> bool:
        return self.layers.status in (_core.Status.top, _core.Status.exhausted)

    def _late(self) -> Stopped | None:
        if self.limits.seconds is not None and perf_counter() - self.begun >= self.limits.seconds:
            return "seconds"
        if self.limits.states is not None and self.states >= self.limits.states:
            return "states"
        return None

    def _step(self, search: Search, most: int) -> None:
        if self.limits.states is not None:
            most = min(most, self.limits.states - self.states)
        start = perf_counter()
        search.run(min(self.chunk, most))
        took = perf_counter() - start
        if took < PAUSE / 2:
            self.chunk *= 2
        elif took > PAUSE:
            self.chunk = max(1, self.chunk // 2)
        best = self.best.best
        known = best if best >= 0 else None
        self.progress(Progress(self.states, self.layers.depth, known, self.setting.most))

    def planned(self, stopped: Stopped | None) -> Planned:
        best, machine = self.best, self.setting.machine
        found = None
        if best.best >= 0:
            found = Plan(tuple(machine.move(0, number) for number in best.plan()), best.best)
        most: int | None = self.setting.most
        if self.layers.status == _core.Status.exhausted:
            most = None if found is None else found.value
        optimal = most == (None if found is None else found.value)
        return Planned(
            plan=found,
            most=most,
            shortest=found is not None and best is self.layers,
            stopped=None if optimal or self._done() else stopped,
            states=self.states,
            boards=self.layers.boards,
            depth=self.layers.depth,
            phases=len(self.setting.clock.phases),
            seconds=perf_counter() - self.begun,
        )
