"""Relaxed rules: what could ever be true, if absences of what changes never stood in the way.

A relation changes if it rests on `true` or `does`. In the relaxation what held first or comes next is true, what is legal is
done, and of absences only those of relations that never change are asked. So it concludes every atom that is concluded in
a state that can be reached, and an instance of a rule that matters in such a state has positive conditions among these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hornbook.matcher.program.coded import (
    AbsentOf,
    CodedCondition,
    Match,
    Predicate,
    PredicateId,
    Rule,
    Var,
)
from hornbook.matcher.program.scope import own_terms
from hornbook.planner.gdl.coding import Program


@dataclass(frozen=True, slots=True)
class RelaxedRule:
    """A rule for a relation that changes. `tests` are conditions that do not change; `origin` is the number of the flat rule.

    Every variable of `head`, `negative` and `tests` is bound by a match among `positive` and `tests`, or by an equation.
    """

    head: Match
    positive: tuple[Match, ...]
    negative: tuple[Match, ...]
    tests: tuple[CodedCondition, ...]
    variables: int
    origin: int


@dataclass(frozen=True, slots=True)
class Relaxation:
    """`predicates` are those of the program and more, for what absences of several conditions deny.

    `static` are the rules of relations that do not change. `changing` has those that do.
    """

    predicates: tuple[Predicate, ...]
    static: tuple[Rule, ...]
    rules: tuple[RelaxedRule, ...]
    changing: frozenset[PredicateId]


def relax(program: Program) -> Relaxation:
    """The relaxed rules of a program, without those that carry what is next and legal over to what is true and done."""
    changing = _changing(program)
    relaxer = _Relaxer(program, changing)
    for rule in program.rules:
        if rule.head.predicate in changing:
            assert isinstance(rule.id, int)
            relaxer.add(rule.head, rule.body, rule.id)
    static = tuple(rule for rule in program.rules if rule.head.predicate not in changing)
    return Relaxation(tuple(relaxer.predicates), static, tuple(relaxer.rules), frozenset(relaxer.changing))


def _changing(program: Program) -> set[PredicateId]:
    found = {number for (name, _), number in program.numbers.items() if name in ("true", "does")}
    before = -1
    while before != (before := len(found)):
        found |= {
            rule.head.predicate for rule in program.rules if not found.isdisjoint(_predicates(rule.body))
        }
    return found


def _predicates(conditions: Iterable[CodedCondition]) -> Iterator[PredicateId]:
    for condition in conditions:
        if isinstance(condition, Match):
            yield condition.predicate
        elif isinstance(condition, AbsentOf):
            yield from _predicates(condition.conditions)


def variables_of(conditions: Iterable[CodedCondition]) -> dict[Var, None]:
    """The variables of conditions, in the order of their first places."""
    found: dict[Var, None] = {}
    for condition in conditions:
        found.update(dict.fromkeys(term for term in own_terms(condition) if isinstance(term, Var)))
        if isinstance(condition, AbsentOf):
            found.update(variables_of(condition.conditions))
    return found


class _Relaxer:
    """Takes rules apart, and makes relations for what their absences deny."""

    def __init__(self, program: Program, changing: set[PredicateId]) -> None:
        self.predicates = list(program.predicates)
        self.changing = set(changing)
        self.rules: list[RelaxedRule] = []

    def add(self, head: Match, body: Sequence[CodedCondition], origin: int) -> None:
        positive: list[Match] = []
        negative: list[Match] = []
        tests: list[CodedCondition] = []
        for place, condition in enumerate(body):
            if self.changing.isdisjoint(_predicates([condition])):
                tests.append(condition)
            elif isinstance(condition, Match):
                positive.append(condition)
            else:
                assert isinstance(condition, AbsentOf)
                others = (head, *body[:place], *body[place + 1 :])
                negative.append(self.denied(condition.conditions, others, origin))
        highest = max((variable.index for variable in variables_of([head, *body])), default=-1)
        relaxed = RelaxedRule(head, tuple(positive), tuple(negative), tuple(tests), highest + 1, origin)
        self.rules.append(relaxed)

    def denied(
        self, conditions: Sequence[CodedCondition], others: Sequence[CodedCondition], origin: int
    ) -> Match:
        """The one condition that is absent where these do not hold together; `others` stand beside them."""
        around = variables_of(others)
        shared = tuple(variable for variable in variables_of(conditions) if variable in around)
        first = conditions[0]
        if len(conditions) == 1 and isinstance(first, Match) and len(shared) == len(variables_of(conditions)):
            return first
        bound = variables_of(condition for condition in conditions if isinstance(condition, Match))
        context: list[CodedCondition] = []
        if not all(variable in bound for variable in shared):
            context = [condition for condition in others[1:] if isinstance(condition, Match)]
        head = Match(len(self.predicates), shared)
        self.predicates.append(Predicate(len(shared)))
        self.changing.add(head.predicate)
        self.add(head, [*context, *conditions], origin)
        return head
