"""Learning from states until the learned rules find what their theory concludes about the goals.

A state with uncovered conclusions is an example. In each round, the most promising states are tried. The one
whose rules add the most conclusions for the conditions that they try is kept: a greedy choice as for covering
sets (Chvátal 1979).

Invariants: The choice depends on no measured time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hornbook.compiler.learn.covering.goals import Goal
from hornbook.compiler.learn.covering.groups import UncoveredGroups, UncoveredState
from hornbook.compiler.learn.covering.measure import (
    CoverageMeasure,
    LearnedKnowledge,
    RuleCoverage,
    StatesToCover,
)
from hornbook.compiler.learn.learning import Example, learn_all
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hornbook.compiler.learn.covering.state_conclusions import Mask

TESTED = 10
"""The number of conclusions with which a rule is judged; rules that agree on fewer may differ elsewhere."""
LearningStep = Callable[[LearnedKnowledge, Sequence[Example], Limits], LearnedKnowledge]
"""A function that learns from further examples, within the limits of each."""


def rules_step(proofs: int = 1) -> LearningStep:
    """Return the step that learns a rule from each example, after trying a number of proofs for each goal."""

    def step(known: LearnedKnowledge, examples: Sequence[Example], limits: Limits) -> LearnedKnowledge:
        base, notes = known.base, list[str]()
        for each in learn_all(examples, known.given, base, max_proofs=proofs, limits=limits):
            base, outcome, name = each.base, each.outcome, each.task.name
            notes += [f"{name}: {outcome.fault}"] if outcome.fault else []
            notes += [f"{name}: {print_condition(one.goal)}: {one.reason}" for one in outcome.refused]
            notes += [f"{name}: {gap}" for gap in outcome.gaps]
            notes += [f"{name}: {one}" for one in each.left_out]
        return LearnedKnowledge(known.given, base, tuple(notes))

    return step


@dataclass(frozen=True, slots=True)
class CoverageStep:
    """The coverage after learning from an example.

    Attributes:
        example: The example.
        state: The number of its state in the table, or None if it is another example.
        before: The number of conclusions covered before.
        covered: The number of conclusions covered after.
        admitted: The names of the new rules.
        tried: The number of conditions that matching all rules tries in a state, on average.
        notes: The reasons why the example gave no rule for a goal.
    """

    example: Example
    state: int | None
    before: int
    covered: int
    admitted: tuple[str, ...]
    tried: float
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """What was learned from an example: the conclusions that are covered then, and the conditions tried."""

    example: Example
    of: UncoveredState | None
    knowledge: LearnedKnowledge
    covered: Mask
    tried: float


class CoverageLearner:
    """Learning from examples and from states of a table, with the coverage that is reached.

    Args:
        given: The theory.
        known: The rules learned before.
        states: The states.
        goals: The goals, as from `coverage_goals`.
        step: The way to learn from examples.
        budget: The bounds. Its seconds bound the whole run, and its other bounds each example and each state.

    Raises:
        WrongConclusionError: Learned rules conclude something that the theory does not conclude.
        KnowledgeBaseError: A knowledge base refuses the rules.
    """

    def __init__(
        self,
        given: Theory,
        known: LearnedKnowledge,
        states: StatesToCover,
        goals: Sequence[Goal],
        step: LearningStep,
        budget: Budget,
    ) -> None:
        self._states, self._step, self._budget = states, step, budget
        limits = replace(budget.limits, seconds=None)
        self._measure = CoverageMeasure(given, states, goals, limits)
        conclusions, is_counted = self._measure.conclusions, ~self._measure.direct
        self._groups = UncoveredGroups(given, states, goals, conclusions, is_counted, limits)
        self.knowledge = known
        self._covered = self._measure.covered(known)
        self._tried = self._measure.tried(known)

    @property
    def errors(self) -> Mapping[int, str]:
        """The errors of states, which are left out."""
        return self._measure.errors

    @property
    def covered(self) -> int:
        """The number of covered conclusions."""
        return int(self._covered.sum())

    @property
    def direct(self) -> int:
        """The number of conclusions that are not counted, as in `CoverageMeasure.direct`."""
        return int(self._measure.direct.sum())

    @property
    def total(self) -> int:
        """The number of conclusions that are counted."""
        return len(self._measure.conclusions) - self.direct

    def worth(self) -> list[RuleCoverage]:
        """Return the benefit and the cost of each rule."""
        return self._measure.worth(self.knowledge)

    def useless(self) -> list[str]:
        """Return the rules whose conclusions others find, if they find enough to be judged."""
        return self._measure.useless(self.knowledge, TESTED)

    def learn_from_examples(self, examples: Iterable[Example]) -> Iterator[CoverageStep]:
        """Learn from given examples, and yield the coverage after each, until the time is spent."""
        for example in examples:
            if self._is_spent():
                return
            yield self._kept(self._candidate(example, None))

    def learn(self) -> Iterator[CoverageStep]:
        """Learn from states, and yield the coverage after each, until nothing improves or the time is
        spent.
        """
        while chosen := self._groups.chosen(self._covered, lambda: not self._is_spent()):
            best: tuple[float, _Candidate] | None = None
            for one in chosen:
                if self._is_spent():
                    break
                facts, goals = (
                    self._states.facts(one.state),
                    tuple(each.statement for each in one.conclusions),
                )
                example = Example(f"state_{one.state}", self._states.file, facts, goals)
                found = self._candidate(example, one)
                gain = int(found.covered.sum()) - self.covered
                if gain <= 0:
                    self._groups.used(one, found.covered)
                    continue
                worth = gain / max(found.tried - self._tried, 1.0)
                if best is None or worth > best[0]:
                    best = worth, found
            if best is not None:
                yield self._kept(best[1])
            elif self._is_spent():
                return

    def _candidate(self, example: Example, of: UncoveredState | None) -> _Candidate:
        limits = replace(self._budget.limits, seconds=self._budget.seconds_left)
        found = self._step(self.knowledge, [example], limits)
        return _Candidate(example, of, found, self._measure.covered(found), self._measure.tried(found))

    def _kept(self, found: _Candidate) -> CoverageStep:
        before, known = self.covered, self.knowledge.base.entries
        self.knowledge, self._covered, self._tried = found.knowledge, found.covered, found.tried
        state = None
        if found.of is not None:
            state = found.of.state
            self._groups.used(found.of, found.covered)
        admitted = tuple(name for name in found.knowledge.base.entries if name not in known)
        notes = found.knowledge.notes
        return CoverageStep(found.example, state, before, self.covered, admitted, found.tried, notes)

    def _is_spent(self) -> bool:
        left = self._budget.seconds_left
        return left is not None and left <= 0
