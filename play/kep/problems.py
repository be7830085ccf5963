"""Learning plans from problems: positions with a line of play, given or generated.

A line is explained if planning does not reach its worth. Only proved plans are learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Any, ClassVar, Literal

from hornbook.compiler.learn.driver import RuleAdmission
from hornbook.compiler.rules.admission import RuleEntry
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.kep.lessons import PlanLearner, learn_from_lesson
from hornbook.play.kep.proof import RuleVerdicts
from hornbook.play.kep.teaching import Teacher
from hornbook.play.kep.watched import Watched

Came = Literal["planned", "learned", "nothing", "no_line", "stopped"]
"""The outcome of a problem.

`planned`: planning already reaches the worth of the line. `learned`: something was learned. `nothing`:
nothing was learned. `no_line`: there was no line. `stopped`: a limit was exceeded.
"""


@dataclass(frozen=True, slots=True)
class PlanProblem:
    """A position of a file; the line to explain begins with the actions in `opening`."""

    name: str
    file: str
    state: Any
    opening: Sequence[GroundFact]


@dataclass(frozen=True, slots=True)
class PlanProblemOutcome:
    """The outcome of a problem, and a note if there was no line or a limit was exceeded."""

    came: Came
    note: str = ""
    entries: ClassVar[tuple[RuleEntry, ...]] = ()
    """None, since the plans of one line depend on each other."""


@dataclass(slots=True)
class PlanProblemStrategy:
    """Learning plans from problems, each with the whole budget.

    Attributes:
        learner: The knowledge so far: plans and goals.
        expectation: The value that a line must earn.
        complexity: The largest number of actions in a plan.
        most_nodes: The limit on the states of the planner's tree.
    """

    learner: PlanLearner
    wins: RuleVerdicts
    holds: RuleVerdicts
    expectation: int
    complexity: int
    most_nodes: int
    budget: Budget

    def learn_from(self, task: PlanProblem, rules: RuleAdmission) -> PlanProblemOutcome:
        """Explain the line of a problem, if planning does not reach its worth."""
        self.budget.renew()
        setting = replace(self.learner.setting, source=task.file)
        self.learner = before = replace(self.learner, setting=setting, base=rules.base)
        watched = Watched(setting.game, inf, lambda _: self.budget.spend())
        player = watched.to_move(task.state)
        try:
            with self.budget.bounding():
                teacher = Teacher(watched, self.wins, self.holds)
                lesson = teacher.lesson(task.name, task.state, player, self.expectation, task.opening)
                if lesson is None:
                    missing = f"no line is found that earns {player} {self.expectation}"
                    return PlanProblemOutcome("no_line", f"{task.name}: {missing}; the problem may give one")
                studying = replace(before, setting=replace(setting, game=watched))
                found = learn_from_lesson(studying, lesson, player, self.complexity, self.most_nodes)
        except SpentError as spent:
            note = f"{task.name}: stopped: {spent}; --seconds and --memory allow more"
            return PlanProblemOutcome("stopped", note)
        if found == studying:
            return PlanProblemOutcome("planned")
        self.learner = replace(found, setting=setting)
        rules.replace_base(found.base)
        is_new = (len(found.base), len(found.goals)) != (len(before.base), len(before.goals))
        return PlanProblemOutcome("learned" if is_new else "nothing")
