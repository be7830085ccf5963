"""Conjunctions of conditions: the order of evaluation, and whether the conditions bind all variables.

First all `Match` conditions hold together; then the others are evaluated. A condition is evaluated once its
variables have values. An equation with an unbound variable as one side binds it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Self

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    CodedTerm,
    Compare,
    Match,
    RuleId,
    Var,
)
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.errors import UnsafeRuleError
from hornbook.matcher.program.scope import bindable_variables, outer_variables, variables
from hornbook.matcher.program.wellformed import check_rule


@dataclass(frozen=True, slots=True)
class PendingCondition:
    """The position of a condition that is no `Match`, its outer variables, and those that it can bind.

    It can be evaluated if none of its variables is unbound, or only one that it binds.
    """

    place: int
    needs: frozenset[int]
    gives: frozenset[int]

    def is_ready(self, known: AbstractSet[int]) -> bool:
        lacking = self.needs - known
        return not lacking or (len(lacking) == 1 and lacking <= self.gives)


class Conjunction:
    """Conditions, and the terms in `outputs` to be bound by them: a rule's head or a query's variables.

    `matches` are evaluated first, then `reads` in their order; `inner` has the conjunctions inside
    conditions, by position. Variables in `known` are bound on entry; those in `outside` occur outside of the
    conjunction.

    Raises UnsafeRuleError if no condition binds a variable that is wanted, or that a condition needs.
    """

    def __init__(
        self,
        conditions: Sequence[CodedCondition],
        outputs: Sequence[CodedTerm] = (),
        known: AbstractSet[int] = frozenset(),
        outside: AbstractSet[int] = frozenset(),
        rule: RuleId = None,
    ) -> None:
        self.conditions, self._rule = conditions, rule
        self.matches = [each for each in conditions if isinstance(each, Match)]
        self._known = known | variables(self.matches)
        occurs = Counter(index for each in conditions for index in variables(each))
        occurs.update(outside | variables(outputs))
        elsewhere = [frozenset(v for v in variables(each) if occurs[v] > 1) for each in conditions]
        """For each condition, its variables that also occur outside of it."""
        self.reads = self._in_order(elsewhere)
        for index in sorted(variables(outputs) - self._known):
            raise UnsafeRuleError(rule, index)
        self.inner = {
            place: self._inside(condition, elsewhere[place])
            for place, condition in enumerate(conditions)
            if isinstance(condition, AllOf | AggregateOf | AbsentOf)
        }

    def _in_order(self, elsewhere: Sequence[frozenset[int]]) -> list[PendingCondition]:
        """Return the conditions that are no matches, each after those that bind its variables."""
        waiting = [
            PendingCondition(
                place, outer_variables(condition, elsewhere[place]), bindable_variables(condition)
            )
            for place, condition in enumerate(self.conditions)
            if not isinstance(condition, Match)
        ]
        # Comparisons are cheap; if one is false, the others need no evaluation.
        waiting.sort(key=lambda read: not isinstance(self.conditions[read.place], Compare))
        ordered = []
        while ready := next((read for read in waiting if read.is_ready(self._known)), None):
            waiting.remove(ready)
            ordered.append(ready)
            self._known |= ready.needs
        for read in waiting:
            lacking = read.needs - self._known
            raise UnsafeRuleError(self._rule, min(lacking - read.gives or lacking))
        return ordered

    def _inside(self, condition: AllOf | AggregateOf | AbsentOf, elsewhere: frozenset[int]) -> Self:
        """Return the conditions inside a condition, with all outer bindings known."""
        known = self._known
        outputs: tuple[Var, ...] = ()
        if isinstance(condition, AllOf):
            key, members = variables(condition.set), [member.index for member in condition.members]
            for number, member in enumerate(members):
                if member in elsewhere | key or member in members[:number]:
                    raise UnsafeRuleError(self._rule, member)
            known, elsewhere = known | set(members), elsewhere | key | set(members)
        elif isinstance(condition, AggregateOf):
            elsewhere, outputs = elsewhere | variables(condition.result), condition.variables
        return type(self)(condition.conditions, outputs, known, elsewhere, self._rule)

    @classmethod
    def of_rule(cls, rule: CodedRule) -> Self:
        """Return the body of a rule. Raises UnsafeRuleError."""
        return cls(rule.body, rule.head.terms, rule=rule.id)


def check_rules(rules: Iterable[CodedRule], predicates: Sequence[CodedPredicate]) -> None:
    """Check that rules fit the predicates, and that their bodies bind all variables.

    Raises MalformedError and UnsafeRuleError.
    """
    for rule in rules:
        check_rule(rule, predicates)
        Conjunction.of_rule(rule)
