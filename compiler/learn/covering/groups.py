"""Groups of conclusions that rules do not cover, by the theory's rules in their explanations.

Only as many states are explained as are needed to choose the next examples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
"""The number of groups from which a conclusion is chosen at once."""
EXPLAINED = 200
"""The maximum number of states whose conclusions are explained at once."""
FAILURES = 3
"""The number of conclusions of a group that teach nothing before the group is given up."""


@dataclass(frozen=True, slots=True)
class UncoveredConclusion:
    """A conclusion of the theory about a state, by its number, with the names of the rules that explain
    it.
    """

    number: int
    state: int
    statement: Statement
    labels: frozenset[str]


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

    def chosen(self, covered: Mask, may_explain: Callable[[], bool]) -> list[UncoveredConclusion]:
        """Return a conclusion from each of the most frequent groups, in the state with the fewest facts.

        There are none if every group is given up, or if no more states may be explained.
        """
        groups = self._groups(covered)
        if len(groups) < ALTERNATIVES and may_explain() and self._explain_more(covered):
            groups = self._groups(covered)
        while not groups and may_explain() and self._explain_more(covered):
            groups = self._groups(covered)
        most_frequent = sorted(groups.items(), key=lambda each: (-len(each[1]), sorted(each[0])))
        return [min(found, key=self._size) for _, found in most_frequent[:ALTERNATIVES]]

    def used(self, one: UncoveredConclusion, *, is_learned: bool) -> None:
        """Do not choose a conclusion again. If it taught nothing, its group is given up after some
        failures.
        """
        self._used.add(one.number)
        if not is_learned:
            self._failures[one.labels] = self._failures.get(one.labels, 0) + 1

    def _size(self, one: UncoveredConclusion) -> tuple[int, int, int]:
        return len(self._states.facts(one.state)), one.state, one.number

    def _groups(self, covered: Mask) -> dict[frozenset[str], list[UncoveredConclusion]]:
        groups: dict[frozenset[str], list[UncoveredConclusion]] = {}
        for found in self._explained.values():
            for one in found:
                is_open = not covered[one.number] and one.number not in self._used
                if is_open and self._failures.get(one.labels, 0) < FAILURES:
                    groups.setdefault(one.labels, []).append(one)
        return groups

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
                        found.append(UncoveredConclusion(number, state, statement, labels))
        except (KnowledgeBaseError, FactError):
            return []
        finally:
            base.pop()
        return sorted(found, key=lambda each: print_condition(each.statement))

    @cached_property
    def _base(self) -> KnowledgeBase:
        return KnowledgeBase(self._theory, derivations="one", limits=self._limits)

    def _number(self, goal: Goal, state: int, values: Sequence[str | int]) -> int:
        shown = [
            mixed_text(value) if kind == "mixed" else python_value(value)
            for value, kind in zip(values, goal.relation.columns, strict=True)
        ]
        return self._conclusions.number(goal.name, state, shown)
