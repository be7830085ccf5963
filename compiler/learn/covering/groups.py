"""Groups of conclusions that rules do not cover, by the theory's rules in their explanations.

A state teaches the more, the more uncovered conclusions belong to the groups of its own conclusions. Only as
many states are explained as are needed to choose the next examples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from hornbook.compiler.generalise.explanation import explain
from hornbook.compiler.learn.covering.measure import StatesToCover
from hornbook.compiler.learn.covering.state_conclusions import StateConclusions
from hornbook.kb.ast.terms import Statement
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.tables.table_values import mixed_text
from hornbook.kb.text.literals.values import python_value
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass

if TYPE_CHECKING:
    from hornbook.compiler.learn.covering.goals import Goal
    from hornbook.compiler.learn.covering.state_conclusions import Mask

ALTERNATIVES = 3
"""The number of states that are chosen at once."""
EXPLAINED = 200
"""The maximum number of states whose conclusions are explained at once."""
FAILURES = 3
"""The number of conclusions of a group that teach nothing before the group is given up."""


@dataclass(frozen=True, slots=True)
class UncoveredConclusion:
    """A conclusion of the theory about a state, by its number.

    `labels` has the names of the rules in its explanation, and `size` is the number of facts there.
    """

    number: int
    statement: Statement
    labels: frozenset[str]
    size: int


@dataclass(frozen=True, slots=True)
class UncoveredState:
    """A state with an uncovered conclusion from each of some groups."""

    state: int
    conclusions: tuple[UncoveredConclusion, ...]


class UncoveredGroups:
    """The groups of uncovered conclusions in the states that are explained so far.

    Args:
        theory: The theory.
        states: The states.
        goals: The goals.
        conclusions: The conclusions of the theory.
        is_counted: The conclusions that are to be covered.
        limits: The limits of each explained state.
    """

    def __init__(
        self,
        theory: Theory,
        states: StatesToCover,
        goals: Sequence[Goal],
        conclusions: StateConclusions,
        is_counted: Mask,
        limits: Limits,
    ) -> None:
        self._theory, self._states, self._goals, self._limits = theory, states, goals, limits
        self._conclusions, self._is_counted = conclusions, is_counted
        self._explained: dict[int, list[UncoveredConclusion]] = {}
        self._used: set[int] = set()
        self._failures: dict[frozenset[str], int] = {}

    def chosen(self, covered: Mask, may_explain: Callable[[], bool]) -> list[UncoveredState]:
        """Return the states of different groups with the most uncovered conclusions, among them those with
        the fewest facts.

        There are none if every group is given up, or if no more states may be explained.
        """
        found = self._open(covered)
        while len(found) < ALTERNATIVES and may_explain() and self._explain_more(covered):
            found = self._open(covered)
        frequency = Counter(one.labels for each in found.values() for one in each)
        states = [UncoveredState(state, _of_each_group(each)) for state, each in found.items()]

        def place(each: UncoveredState) -> tuple[int, int, int]:
            total = sum(frequency[one.labels] for one in each.conclusions)
            return -total, len(self._states.facts(each.state)), each.state

        different: dict[frozenset[frozenset[str]], UncoveredState] = {}
        for each in sorted(states, key=place):
            different.setdefault(frozenset(one.labels for one in each.conclusions), each)
        return list(different.values())[:ALTERNATIVES]

    def used(self, of: UncoveredState, covered: Mask) -> None:
        """Do not choose the conclusions of a state again.

        If one taught nothing, its group is given up after some such failures.
        """
        for one in of.conclusions:
            self._used.add(one.number)
            if not covered[one.number]:
                self._failures[one.labels] = self._failures.get(one.labels, 0) + 1

    def _open(self, covered: Mask) -> dict[int, list[UncoveredConclusion]]:
        """Return the uncovered conclusions of the explained states that are not used or given up."""
        found: dict[int, list[UncoveredConclusion]] = {}
        for state, conclusions in self._explained.items():
            for one in conclusions:
                is_open = not covered[one.number] and one.number not in self._used
                if is_open and self._failures.get(one.labels, 0) < FAILURES:
                    found.setdefault(state, []).append(one)
        return found

    def _explain_more(self, covered: Mask) -> bool:
        """Explain the conclusions of further uncovered states. Return whether there are any."""
        uncovered = set(self._conclusions.states[~covered & self._is_counted].tolist())
        waiting = sorted(uncovered - self._explained.keys())
        for state in waiting[:: max(1, len(waiting) // EXPLAINED)][:EXPLAINED]:
            self._explained[state] = self._explain(state)
        return bool(waiting)

    def _explain(self, state: int) -> list[UncoveredConclusion]:
        """Return the conclusions about a state that are counted."""
        base, found = self._base, []
        base.push()
        try:
            base.add(self._states.facts(state))
            for goal in self._goals:
                for fact in base.engine.facts(*goal.moment):
                    number = self._number(goal, state, base.engine.coding.ground(fact).values)
                    if number >= 0 and self._is_counted[number]:
                        nodes = explain(base.engine, fact).nodes
                        labels = frozenset(node.rule.name for node in nodes if node.rule is not None)
                        statement = base.engine.coding.statement(fact)
                        found.append(UncoveredConclusion(number, statement, labels, len(nodes)))
        except (KnowledgeBaseError, FactError):
            return []
        finally:
            base.pop()
        return sorted(found, key=lambda each: (each.size, print_condition(each.statement)))

    @cached_property
    def _base(self) -> KnowledgeBase:
        return KnowledgeBase(self._theory, derivations="one", limits=self._limits)

    def _number(self, goal: Goal, state: int, values: Sequence[str | int]) -> int:
        shown = [
            mixed_text(value) if kind == "mixed" else python_value(value)
            for value, kind in zip(values, goal.relation.columns, strict=True)
        ]
        return self._conclusions.number(goal.name, state, shown)


def _of_each_group(conclusions: Iterable[UncoveredConclusion]) -> tuple[UncoveredConclusion, ...]:
    """Return the first conclusion of each group."""
    found: dict[frozenset[str], UncoveredConclusion] = {}
    for one in conclusions:
        found.setdefault(one.labels, one)
    return tuple(found.values())
