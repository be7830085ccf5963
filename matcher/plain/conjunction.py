"""Conjunctions of conditions: their instances, and the premises of each instance.

First all `Match` conditions hold together, evaluated from left to right; then the others are evaluated. A
condition is true, false or, if its arithmetic leaves 64 bits, unknown (None). The truth of a conjunction is
that of its least true condition (strong three-valued logic). A condition is evaluated once its variables have
values. An equation with an unbound variable as one side binds it. If an overflow prevents every condition
from binding a variable, all conditions that read the variable are unknown. So the order of the conditions
makes no difference.

Source: Kleene 1952, section 64.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from hornbook.matcher.plain.relations import Database
from hornbook.matcher.program.arithmetic import NothingGivenError, aggregate, evaluate, is_cell
from hornbook.matcher.program.bounds import CallBounds
from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    Cell,
    ClosedSet,
    CodedCondition,
    CodedExpression,
    CodedTerm,
    Compare,
    CountOf,
    Fact,
    Match,
    PredicateId,
    Premise,
    Row,
    RuleId,
    SetPremise,
    Var,
)
from hornbook.matcher.program.errors import UnsafeRuleError
from hornbook.matcher.program.operators import COMPARISONS
from hornbook.matcher.program.scope import bindable_variables, outer_variables, variables

Cells = Sequence[Cell | None]
"""The values of the variables 0, 1, …; None if a variable has no value, or is local to a condition."""


def row_of(terms: Iterable[CodedTerm], cells: Cells) -> Row:
    """Return the cells of terms that all have a value."""
    return tuple([cells[term.index] if isinstance(term, Var) else term for term in terms])  # type: ignore[misc]


def extend(match: Match, cells: Cells, facts: Database) -> Iterator[list[Cell | None]]:
    """Yield the bindings for which there is a fact; facts that are added meanwhile are included."""
    values = [cells[term.index] if isinstance(term, Var) else term for term in match.terms]
    columns = tuple([column for column, value in enumerate(values) if value is not None])
    key = tuple([value for value in values if value is not None])
    for row in facts[match.predicate].index(columns).get(key, ()):
        found = list(cells)
        for term, cell in zip(match.terms, row, strict=True):
            if isinstance(term, Var):
                found[term.index] = cell
        if row_of(match.terms, found) == row:  # a variable may occur twice
            yield found


def equate(expression: CodedExpression, value: Cell | None, cells: list[Cell | None]) -> bool | None:
    """Return whether an expression has this value (None: unknown); an unbound variable is bound to it."""
    if isinstance(expression, Var) and cells[expression.index] is None:
        cells[expression.index] = value
    found = evaluate(expression, cells)
    return None if found is None or value is None else found == value


def compare(condition: Compare, cells: list[Cell | None]) -> bool | None:
    """Return the truth of a comparison; an equation may bind a variable."""
    left, right = evaluate(condition.left, cells), evaluate(condition.right, cells)
    if left is not None and right is not None:
        return COMPARISONS[condition.operator](left, right)
    if condition.operator != "=":
        return None
    return equate(condition.left, right, cells) if left is None else equate(condition.right, left, cells)


def beginning(predicate: PredicateId, key: Sequence[CodedTerm], cells: Cells, facts: Database) -> list[Row]:
    """Return the facts that begin with a key, sorted."""
    columns = tuple(range(len(key)))
    return sorted(facts[predicate].index(columns).get(row_of(key, cells), ()))


def complete(closed: ClosedSet, cells: Cells, facts: Database) -> SetPremise | None:
    """Return a closed set with all its members, or None if there are fewer than its count."""
    members = beginning(closed.member, closed.key, cells, facts)
    for count in beginning(closed.count, closed.key, cells, facts):
        if count[-1] == len(members):
            proved = tuple((Fact(closed.member, row), ()) for row in members)
            return SetPremise(Fact(closed.count, count), proved)
    return None


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

    def _inside(self, condition: AllOf | AggregateOf | AbsentOf, elsewhere: frozenset[int]) -> Conjunction:
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
        return Conjunction(condition.conditions, outputs, known, elsewhere, self._rule)

    def solve(
        self, seed: Cells, facts: Database, bounds: CallBounds
    ) -> Iterator[tuple[list[Cell | None], bool | None]]:
        """Yield every binding without false conditions, and whether all are true (None: some unknown).

        The cells extend the seed, which contains the bindings on entry.
        """
        levels = [iter([list(seed)])]  # an explicit stack: a body may have any length
        while levels:
            for cells in levels[-1]:
                bounds.check_time()
                if len(levels) <= len(self.matches):
                    levels.append(extend(self.matches[len(levels) - 1], cells, facts))
                    break
                if (truth := self._settle(cells, facts, bounds)) is not False:
                    yield cells, truth
            else:
                levels.pop()

    def best(self, seed: Cells, facts: Database, bounds: CallBounds) -> tuple[list[Cell | None], bool | None]:
        """Return a binding with all conditions true, else one with unknown conditions, else False."""
        best: tuple[list[Cell | None], bool | None] = [], False
        for best in self.solve(seed, facts, bounds):
            if best[1]:
                break
        return best

    def _settle(self, cells: list[Cell | None], facts: Database, bounds: CallBounds) -> bool | None:
        """Return the truth of the other conditions together, each evaluated as soon as possible."""
        truth: bool | None = True
        waiting, progress = self.reads, True
        while waiting and progress:
            left = []
            for read in waiting:
                if not read.is_ready({index for index in read.needs if cells[index] is not None}):
                    left.append(read)
                    continue
                found = self._truth(read.place, cells, facts, bounds)
                if found is False:
                    return False
                truth = truth and found
            waiting, progress = left, len(left) < len(waiting)
        return None if waiting else truth

    def _truth(
        self, place: int, cells: list[Cell | None], facts: Database, bounds: CallBounds
    ) -> bool | None:
        """Return the truth of a condition that can be evaluated; it may bind a variable."""
        try:
            return self._truth_of_values(place, cells, facts, bounds)
        except NothingGivenError:
            return False

    def _truth_of_values(
        self, place: int, cells: list[Cell | None], facts: Database, bounds: CallBounds
    ) -> bool | None:
        """Return the truth as above. Raises NothingGivenError if a function has no value."""
        match self.conditions[place]:
            case Compare() as condition:
                return compare(condition, cells)
            case AllOf(closed) as condition:
                counts = [count[-1] for count in beginning(closed.count, closed.key, cells, facts)]
                found = list(self._members(place, condition, cells, facts, bounds)) if counts else []
                proved = sum(truth is True for _, _, truth in found)
                if any(count <= proved for count in counts):
                    return True
                return None if any(count <= len(found) for count in counts) else False
            case CountOf(result, sets, _, excluded):
                union: set[Row] = set()
                for closed in sets:
                    if complete(closed, cells, facts) is None:
                        return False
                    rows = beginning(closed.member, closed.key, cells, facts)
                    union.update(row[len(closed.key) :] for row in rows)
                return equate(result, len(union - {row_of([term], cells) for term in excluded}), cells)
            case AggregateOf(result, function, chosen):
                answers = list(self.inner[place].solve(cells, facts, bounds))
                if not all(truth for _, truth in answers):
                    return None
                number = aggregate(function, [row_of(chosen, answer) for answer, _ in answers])
                return number is not None and equate(result, number if is_cell(number) else None, cells)
            case AbsentOf():
                truth = self.inner[place].best(cells, facts, bounds)[1]
                return None if truth is None else not truth
            case condition:
                raise AssertionError(condition)

    def _members(
        self, place: int, condition: AllOf, cells: Cells, facts: Database, bounds: CallBounds
    ) -> Iterator[tuple[Fact, list[Cell | None], bool | None]]:
        """Yield the members for which the conditions inside are not false, with the best binding for each."""
        closed = condition.set
        for row in beginning(closed.member, closed.key, cells, facts):
            seed = list(cells)
            for member, cell in zip(condition.members, row[len(closed.key) :], strict=True):
                seed[member.index] = cell
            found, truth = self.inner[place].best(seed, facts, bounds)
            if truth is not False:
                yield Fact(closed.member, row), found, truth

    def premises(self, cells: Cells, facts: Database, bounds: CallBounds) -> tuple[Premise, ...]:
        """Return the premises of a binding with all conditions true, in the order of the conditions."""
        return tuple(self._premise(place, cells, facts, bounds) for place in range(len(self.conditions)))

    def _premise(self, place: int, cells: Cells, facts: Database, bounds: CallBounds) -> Premise:
        match self.conditions[place]:
            case Match(predicate, terms):
                return Fact(predicate, row_of(terms, cells))
            case AllOf(closed) as condition:
                members = tuple(
                    (member, self.inner[place].premises(found, facts, bounds))
                    for member, found, truth in self._members(place, condition, cells, facts, bounds)
                    if truth
                )
                counts = beginning(closed.count, closed.key, cells, facts)
                count = next(count for count in counts if count[-1] <= len(members))
                return SetPremise(Fact(closed.count, count), members)
            case CountOf(_, sets):
                return tuple(filter(None, (complete(closed, cells, facts) for closed in sets)))
            case _:
                return None
