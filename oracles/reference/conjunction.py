"""Conjunctions of conditions: their instances, and the premises of each instance.

A condition is true, false or, if its arithmetic leaves 64 bits, unknown (None). The truth of a conjunction is
that of its least true condition (strong three-valued logic). If an overflow prevents every condition
from binding a variable, all conditions that read the variable are unknown. So the order of the conditions
makes no difference.

Source: Kleene 1952, section 64.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    Cell,
    ClosedSet,
    CodedExpression,
    CodedTerm,
    Compare,
    CountOf,
    Fact,
    Match,
    PredicateId,
    Premise,
    Row,
    SetPremise,
    Var,
)
from hornbook.matcher.program.conjunction import Conjunction
from hornbook.matcher.program.operators import COMPARISONS, is_cell
from oracles.reference.arithmetic import NothingGivenError, aggregate, evaluate
from oracles.reference.bounds import CallBounds
from oracles.reference.relations import Database

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


class ReferenceConjunction(Conjunction):
    """A conjunction that can be evaluated: `matches` first, from left to right, then `reads`."""

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
