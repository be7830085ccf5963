"""The result of planning: a plan, and a proved bound of the cost."""

from __future__ import annotations

from typing import Literal

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.tasks.ground_task import Step

TaskStopped = Literal["seconds", "memory", "interrupted"]
"""The reason why a search ended before its result was proved: a limit, or an interrupt by the user."""
Verdict = Literal["optimal", "plan", "unsolvable", "unknown"]
"""`optimal`: a plan, and no plan is cheaper. `plan`: a plan, and a cheaper one may exist. `unsolvable`: it is
proved that no plan exists. `unknown`: none was found within the limits.
"""


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """A plan with its cost, and the seconds from the start until it was found."""

    steps: tuple[Step, ...]
    cost: int
    seconds: float


@dataclass(frozen=True, slots=True)
class TaskResult:
    """The plans that were found, each cheaper than the previous one, and what is proved."""

    plans: tuple[TaskPlan, ...]
    verdict: Verdict
    bound: int
    """No plan costs less."""
    stopped: TaskStopped | None
    """The reason why the search ended, if more could have been proved."""
    operators: int
    """The number of operators of the ground task; 0 if grounding did not end."""
    evaluated: int
    """The number of states whose heuristic value was computed."""
    grounding_seconds: float
    seconds: float

    @property
    def best(self) -> TaskPlan | None:
        """Return the cheapest plan found."""
        return self.plans[-1] if self.plans else None
