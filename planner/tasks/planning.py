"""Planning: searches one after another, each for a cheaper plan than those before.

For a plan soon, a greedy search finds the first one. Then weighted A* with decreasing weights looks for
cheaper ones, each search from the start again (Richter, Thayer and Ruml, The Joy of Forgetting, ICAPS 2010).
The last search is A* with an admissible heuristic, which proves that no plan is cheaper. For an optimal plan,
this search is the only one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter

from hornbook.kb.lower.budget import Budget
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner import _core
from hornbook.planner.pddl.syntax import PlanningProblem
from hornbook.planner.tasks.ground_task import GroundTask
from hornbook.planner.tasks.task_grounding import TASK_BOUNDS, ground_task
from hornbook.planner.tasks.task_plan import TaskPlan, TaskResult, TaskStopped, Verdict

HEURISTICS = ("ff", "add", "max", "lmcut", "blind")
"""The names of the heuristics. See planner/core/heuristics/heuristic.hpp."""
ADMISSIBLE = ("lmcut", "max", "blind")
"""The heuristics that never exceed the cost of a cheapest plan, so that A* proves its plans."""
WEIGHTS = (5, 3, 2)
"""The weights of the searches between the greedy one and A*."""
TASK_MEGABYTES = 2048
"""The memory of a search, if a budget does not bound it."""
TASK_PAUSE = 0.05
"""The approximate number of seconds between two looks at the clock, and between two calls of `progress`."""

TaskSearch = _core.GreedySearch | _core.WeightedSearch


@dataclass(frozen=True, slots=True)
class TaskProgress:
    """The progress of planning: states evaluated, the cost of the best plan, and the proved lower bound."""

    evaluated: int
    best: int | None
    bound: int


@dataclass(frozen=True, slots=True)
class Method:
    """The way to plan.

    Args:
        heuristic: One of HEURISTICS; the default is `lmcut` for an optimal plan and else `ff`.
        optimal: Whether to search for a plan that is proved optimal. Needs one of ADMISSIBLE.
        first: Whether to end with the first plan.
    """

    heuristic: str | None = None
    optimal: bool = False
    first: bool = False

    @property
    def name(self) -> str:
        """Return the name of the heuristic."""
        return self.heuristic or ("lmcut" if self.optimal else "ff")


def plan_problem(
    both: PlanningProblem,
    budget: Budget | None = None,
    method: Method = Method(),  # noqa: B008 - frozen
    progress: Callable[[TaskProgress], None] = lambda _: None,
) -> TaskResult:
    """Return the best plan of a problem that is found within a budget, with a proved bound of the cost.

    The seconds of the budget include the grounding; its megabytes bound each search. Ctrl-C ends the search
    like a limit. Raises TaskTooLarge if the problem cannot be grounded, and ValueError if the method needs an
    admissible heuristic.
    """
    if method.optimal and method.name not in ADMISSIBLE:
        raise ValueError(f"the heuristic `{method.name}` proves no plan optimal")
    budget = budget or Budget()
    started = perf_counter()
    limits = TASK_BOUNDS if budget.seconds is None else replace(TASK_BOUNDS, seconds=budget.seconds_left)
    try:
        task = ground_task(both, limits)
    except KeyboardInterrupt:
        seconds = perf_counter() - started
        return TaskResult((), "unknown", 0, "interrupted", 0, 0, seconds, seconds)
    planning = _Planning(task, budget, method, started, progress)
    return planning.run()


class _Planning:
    """Searches on a ground task, with the plans found so far."""

    def __init__(
        self,
        task: GroundTask,
        budget: Budget,
        method: Method,
        started: float,
        progress: Callable[[TaskProgress], None],
    ) -> None:
        self.task, self.budget, self.method, self.started = task, budget, method, started
        self.progress = progress
        self.grounding_seconds = perf_counter() - started
        self.plans: list[TaskPlan] = []
        self.evaluated = 0
        self.bound = 0
        self.steps = 1

    def run(self) -> TaskResult:
        """Search until a result is proved or a limit is reached."""
        stopped: TaskStopped | None = None
        proved = False
        try:
            for search in self._searches():
                stopped = self._finish(search)
                proved = search.status == _core.Progress.exhausted
                if proved or stopped == "seconds" or (self.method.first and self.plans):
                    break
        except KeyboardInterrupt:
            stopped = "interrupted"
        return self._result(None if proved else stopped, proved=proved)

    def _searches(self) -> Iterator[TaskSearch]:
        core, name = self.task.core, self.method.name
        megabytes = TASK_MEGABYTES if self.budget.megabytes is None else self.budget.megabytes
        memory = megabytes * 2**20
        if not self.method.optimal:
            yield _core.GreedySearch(core, name, memory)
            for weight in WEIGHTS:
                yield _core.WeightedSearch(core, name, weight, self._best(), memory)
        last = name if name in ADMISSIBLE else "lmcut"
        yield _core.WeightedSearch(core, last, 1, self._best(), memory)

    def _best(self) -> int:
        """Return the cost of the best plan, or a greater cost than any plan has."""
        return self.plans[-1].cost if self.plans else _core.INFINITE_COST

    def _finish(self, search: TaskSearch) -> TaskStopped | None:
        """Run a search to its end, and return the limit that it reached.

        A search that is not the last one also ends when it has found a plan.
        """
        before = self.evaluated
        is_last = search.proves
        try:
            while search.status == _core.Progress.searching:
                if self.budget.seconds_left == 0:
                    return "seconds"
                started = perf_counter()
                search.run(self.steps)
                self._adapt(perf_counter() - started)
                self.evaluated = before + search.evaluated
                if self._has_found(search) and (self.method.first or not is_last):
                    break
        finally:
            self._has_found(search)
        return "memory" if search.status == _core.Progress.full else None

    def _adapt(self, took: float) -> None:
        """Choose the number of steps between two looks at the clock."""
        if took < TASK_PAUSE / 2:
            self.steps *= 2
        elif took > TASK_PAUSE:
            self.steps = max(1, self.steps // 2)

    def _has_found(self, search: TaskSearch) -> bool:
        """Keep a search's plan and its bound, and return whether the plan is cheaper than all before."""
        self.bound = max(self.bound, search.bound)
        is_better = search.best < self._best()
        if is_better:
            steps = tuple(map(self.task.step, search.plan()))
            self.plans.append(TaskPlan(steps, search.best, perf_counter() - self.started))
        self.progress(TaskProgress(self.evaluated, self.plans[-1].cost if self.plans else None, self.bound))
        return is_better

    def _result(self, stopped: TaskStopped | None, *, proved: bool) -> TaskResult:
        best = self.plans[-1] if self.plans else None
        verdict: Verdict
        if best is None:
            verdict = "unsolvable" if proved else "unknown"
        else:
            verdict = "optimal" if proved or best.cost == self.bound else "plan"
        return TaskResult(
            plans=tuple(self.plans),
            verdict=verdict,
            bound=best.cost if best is not None and verdict == "optimal" else self.bound,
            stopped=None if verdict in ("optimal", "unsolvable") else stopped,
            operators=self.task.core.operators,
            evaluated=self.evaluated,
            grounding_seconds=self.grounding_seconds,
            seconds=perf_counter() - self.started,
        )
