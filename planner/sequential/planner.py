"""The sequential planner: for games with one role.

A search by layers of boards proves its results: the first plan of a value is a shortest one, and if no board
is left, no plan has more. In parallel, best-first searches look for a plan with the greatest value that the
rules allow; such a plan is optimal even if states remain unvisited. The searches take turns, each twice as
long as the previous one. Turns are counted in states, so that the same limit of states finds the same plan.

Source: Genesereth and Thielscher, General Game Playing, 11.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

from hornbook.kb.lower.budget import Budget
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner import _core
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.machines.choice import limits_within
from hornbook.planner.machines.worths import greatest_worth
from hornbook.planner.sequential.clocks import compiled_clock
from hornbook.planner.sequential.plan import Planned, SequentialPlan, Stopped
from hornbook.planner.sequential.setting import SequentialSetting, setting_of

MEGABYTES = 2048
"""The memory for stored states, if a budget does not bound it."""
FIRST_TURN = 2**17
"""The number of states in the first turn of each search."""
FIRST_STATES = 256
"""The initial number of states between two looks at the clock."""
PAUSE = 0.05
"""The approximate number of seconds between two looks at the clock, and between two calls of `progress`."""

Search = _core.LayeredSearch | _core.WidthSearch | _core.BeamSearch


@dataclass(frozen=True, slots=True)
class SequentialProgress:
    """The progress of a search.

    The value of an optimal plan is at least `best`, if a plan is found, and at most `most`.
    """

    states: int
    depth: int
    best: int | None
    most: int


class NoSequentialPlans(HornbookError, ValueError):
    """A game with several roles, so the result for one role depends on the others."""


def plan(
    game: Game,
    budget: Budget | None = None,
    progress: Callable[[SequentialProgress], None] = lambda _: None,
    begins: State | None = None,
    enough: int | None = None,
    setting: SequentialSetting | None = None,
) -> Planned:
    """Return the best plan from a game's first state, or from `begins`, within a budget.

    A step of the budget is a state, and its megabytes bound the stored states alone. Ctrl-C ends the search
    like a limit. The search also ends with a plan of the value `enough`. `setting` has
    the machine and clock; by default it is made here.

    Raises NoSequentialPlans, and ValueError if `begins` contains a term that the game never makes true.
    """
    if len(game.roles) != 1:
        raise NoSequentialPlans(
            f"{len(game.roles)} roles play this game: {', '.join(game.roles)}; "
            "a sequential plan is of a game of one"
        )
    started = perf_counter()
    budget = budget or Budget()
    begins = game.initial if begins is None else begins
    try:
        setting = setting_of(game, begins, limits_within(budget.seconds)) if setting is None else setting
    except KeyboardInterrupt:
        return _interrupted_result(greatest_worth(game.program, game.roles[0]), perf_counter() - started)
    searching = _Searching(setting, begins, enough, budget, started, progress)
    stopped = searching.run()
    return searching.planned(stopped)


def _interrupted_result(most: int, seconds: float) -> Planned:
    """Return the result of a search that was interrupted before it began."""
    return Planned(None, most, False, "interrupted", 0, 0, 0, 1, seconds)


class _Searching:
    """Searches that take turns."""

    def __init__(
        self,
        setting: SequentialSetting,
        begins: State,
        enough: int | None,
        budget: Budget,
        started: float,
        progress: Callable[[SequentialProgress], None],
    ) -> None:
        self.setting, self.budget, self.started, self.progress = setting, budget, started, progress
        self.wanted = setting.most if enough is None else min(enough, setting.most)
        core, words = setting.machine.core, setting.machine.words(begins)
        clock = compiled_clock(setting.clock, setting.machine)
        memory = (MEGABYTES if budget.megabytes is None else budget.megabytes) * 2**20
        half, quarter = memory // 2, memory // 4
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
        """Return the search with the best plan; a plan from the layers is a shortest one of its value."""
        return max(self.all, key=lambda search: search.best)

    def run(self) -> Stopped | None:
        """Search until the end or a limit, and return the limit."""
        try:
            for search, states in self._turns():
                end = search.states + states
                while search.status == _core.Status.searching and search.states < end:
                    stopped = self._limit_reached()
                    if stopped is not None:
                        return stopped
                    self._step(search, end - search.states)
        except KeyboardInterrupt:
            return None if self._done() else "interrupted"
        return None if self._done() else "memory"

    def _turns(self) -> Iterator[tuple[Search, int]]:
        """Yield the next search and its number of states."""
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
                    # The value is proved. Search for a shorter plan for the same number of states again.
                    yield self.layers, self.states
                    return
            turn *= 2

    def _done(self) -> bool:
        return self.layers.status in (_core.Status.top, _core.Status.exhausted)

    def _limit_reached(self) -> Stopped | None:
        if self.budget.seconds_left == 0:
            return "seconds"
        if self.budget.steps is not None and self.states >= self.budget.steps:
            return "states"
        return None

    def _step(self, search: Search, most: int) -> None:
        if self.budget.steps is not None:
            most = min(most, self.budget.steps - self.states)
        start = perf_counter()
        search.run(min(self.chunk, most))
        took = perf_counter() - start
        if took < PAUSE / 2:
            self.chunk *= 2
        elif took > PAUSE:
            self.chunk = max(1, self.chunk // 2)
        best = self.best.best
        known = best if best >= 0 else None
        self.progress(SequentialProgress(self.states, self.layers.depth, known, self.setting.most))

    def planned(self, stopped: Stopped | None) -> Planned:
        best, machine = self.best, self.setting.machine
        found = None
        if best.best >= 0:
            found = SequentialPlan(tuple(machine.move(0, number) for number in best.plan()), best.best)
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
            seconds=perf_counter() - self.started,
        )
