"""Relaxed rules: the atoms that could ever be true if absences of changing relations always held.

A relation changes if it depends on `true` or `does`. In the relaxation, everything initial or next is true,
every legal move is made, and absences are tested only for relations that never change. So the relaxation
contains every atom that is concluded in a reachable state. If an instance of a rule applies in such a state,
its positive conditions are among these atoms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hornbook.matcher.program.coded import (
    AbsentOf,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Match,
    PredicateId,
    Var,
)
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.scope import own_terms
from hornbook.planner.gdl.coding import CodedGame


@dataclass(frozen=True, slots=True)
class RelaxedRule:
    """A rule for a relation that changes.

    `tests` are the conditions that do not change; `origin` is the number of the flat rule.

    Invariants: Every variable of `head`, `negative` and `tests` is bound by a match among `positive` and
    `tests`, or by an equation.
    """

    head: Match
    positive: tuple[Match, ...]
    negative: tuple[Match, ...]
    tests: tuple[CodedCondition, ...]
    variables: int
    origin: int


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The relaxed rules of a program.

    The `predicates` are those of the program, followed by new ones for absences of several conditions. The
    field `static` has the rules of relations that do not change. The set `changing` has the relations that
    do.
    """

    predicates: tuple[CodedPredicate, ...]
    static: tuple[CodedRule, ...]
    rules: tuple[RelaxedRule, ...]
    changing: frozenset[PredicateId]


def relax(program: CodedGame) -> Relaxation:
    """Return the relaxed rules of a program.

    They omit the rules from `next` to `true` and from `legal` to `does`.
    """
    changing = _changing(program)
    relaxer = _Relaxer(program, changing)
    for rule in program.rules:
        if rule.head.predicate in changing:
            assert isinstance(rule.id, int)
            relaxer.add(rule.head, rule.body, rule.id)
    static = tuple(rule for rule in program.rules if rule.head.predicate not in changing)
    return Relaxation(tuple(relaxer.predicates), static, tuple(relaxer.rules), frozenset(relaxer.changing))


def _changing(program: CodedGame) -> set[PredicateId]:
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
    """Return the variables of conditions, ordered by their first occurrences."""
    found: dict[Var, None] = {}
    for condition in conditions:
        found.update(dict.fromkeys(term for term in own_terms(condition) if isinstance(term, Var)))
        if isinstance(condition, AbsentOf):
            found.update(variables_of(condition.conditions))
    return found


class _Relaxer:
    """The conversion of rules, with new relations for their absences."""

    def __init__(self, program: CodedGame, changing: set[PredicateId]) -> None:
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
                negative.append(self.as_absence(condition.conditions, others, origin))
        highest = max((variable.index for variable in variables_of([head, *body])), default=-1)
        relaxed = RelaxedRule(head, tuple(positive), tuple(negative), tuple(tests), highest + 1, origin)
        self.rules.append(relaxed)

    def as_absence(
        self, conditions: Sequence[CodedCondition], others: Sequence[CodedCondition], origin: int
    ) -> Match:
        """Return one condition that is equivalent to a conjunction, to be used as an absence.

        `others` are the remaining conditions of the rule.
        """
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
        self.predicates.append(CodedPredicate(len(shared)))
        self.changing.add(head.predicate)
        self.add(head, [*context, *conditions], origin)
        return head
