"""Conjunctions of conditions: their instances, and what each instance rests on.

First all `Match` conditions hold together (a join), then the others are read. A condition is true, false or,
where its arithmetic leaves 64 bits, unknown (None); a conjunction is as true as its least true condition
(strong three-valued logic: Kleene 1952, section 64). A condition is read once its variables have values, and
an equation whose one side is a variable without a value gives it one. A variable to which no condition could
give a value, because of an overflow, leaves every condition that reads it unknown. So the order in which the
conditions stand makes no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple, cast

from hornbook.matcher.plain.joins import Cells, Join, Layout
from hornbook.matcher.plain.relations import Database, Relation, Row, project
from hornbook.matcher.program.arithmetic import aggregate, evaluate, is_cell
from hornbook.matcher.program.bounds import Bounds
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
    Predicate,
    Premise,
    RuleId,
    SetPremise,
    Var,
)
from hornbook.matcher.program.errors import UnsafeRuleError
from hornbook.matcher.program.operators import COMPARISONS
from hornbook.matcher.program.scope import bindable_variables, outer_variables, own_terms, terms, variables

NOTHING_NEW = Database(Relation)


class Instance(NamedTuple):
    """A way in which no condition is false; where it `overflowed`, some condition is unknown.

    `sets`: for the places in the conjunction of its true `AllOf` and `CountOf`, what they rest on.
    """

    cells: Cells
    sets: dict[int, Premise]
    overflowed: bool


@dataclass(frozen=True, slots=True)
class Residual:
    """A condition that is read after the join.

    `needs`: the places of its outer variables; one of them may lack a value if it is in `gives`.
    """

    place: int
    condition: CodedCondition
    needs: tuple[int, ...]
    gives: frozenset[int]
    inner: Conjunction | None

    def is_ready(self, cells: Sequence[Cell | None]) -> bool:
        lacking = {place for place in self.needs if cells[place] is None}
        return not lacking or (len(lacking) == 1 and lacking <= self.gives)


class Conjunction:
    """Conditions, planned for the variables that the layout knows on entry.

    `outside`: the variables that occur outside of the conjunction. `first`: the place of the `Match` that is
    matched against new facts only. Raises UnsafeRuleError where a variable that a condition needs is bound
    by none.
    """

    def __init__(
        self,
        conditions: Sequence[CodedCondition],
        layout: Layout,
        outside: AbstractSet[int],
        predicates: Sequence[Predicate],
        rule: RuleId,
        first: int | None = None,
    ) -> None:
        self._conditions = conditions
        self._layout = layout
        self._outside = outside
        self._predicates = predicates
        self._rule = rule
        self._join = Join(conditions, layout, predicates, first)
        joined_width = layout.width
        self._residuals = self._arrange()
        self._computed = (None,) * (layout.width - joined_width)

    # Planning.

    def project(self, parts: Sequence[CodedTerm]) -> Callable[[Sequence[Cell | None]], Row]:
        """The function that picks the cells of some terms out of an instance's cells."""
        for index in sorted(variables(parts) - self._layout.variables.keys()):
            raise UnsafeRuleError(self._rule, index)
        return project([self._layout.place(term) for term in parts])

    def _arrange(self) -> list[Residual]:
        """The conditions that the join leaves, each after those that give it its variables."""
        waiting = [place for place in range(len(self._conditions)) if place not in self._join.decided]
        at = self._layout.variables
        needs = {place: outer_variables(self._conditions[place], self._elsewhere(place)) for place in waiting}
        gives = {place: bindable_variables(self._conditions[place]) for place in waiting}
        ordered = []
        # Comparisons are cheap, and where one is false the others need not be read.
        waiting.sort(key=lambda place: not isinstance(self._conditions[place], Compare))
        while waiting:
            for place in waiting:
                lacking = needs[place] - at.keys()
                if not lacking or (len(lacking) == 1 and lacking <= gives[place]):
                    break
            else:
                lacking = needs[waiting[0]] - at.keys()
                raise UnsafeRuleError(self._rule, min(lacking - gives[waiting[0]] or lacking))
            waiting.remove(place)
            ordered.append(place)
            for index in lacking:
                self._layout.append(Var(index))
        return [
            Residual(
                place,
                self._conditions[place],
                tuple(at[index] for index in sorted(needs[place])),
                frozenset(at[index] for index in gives[place]),
                self._inner(self._conditions[place], self._elsewhere(place)),
            )
            for place in ordered
        ]

    def _elsewhere(self, place: int) -> frozenset[int]:
        """The variables that occur outside of one of the conditions."""
        others = (terms(other) for position, other in enumerate(self._conditions) if position != place)
        return frozenset(self._outside).union(*map(variables, others))

    def _inner(self, condition: CodedCondition, elsewhere: frozenset[int]) -> Conjunction | None:
        """The plan for the conditions inside a condition, which know all that is known outside."""
        if not isinstance(condition, AllOf | AggregateOf | AbsentOf):
            return None
        layout = self._layout.copy()
        if isinstance(condition, AllOf):
            taken = set(elsewhere | variables(condition.set.key))
            for member in condition.members:
                if member.index in taken:
                    raise UnsafeRuleError(self._rule, member.index)
                taken.add(member.index)
                layout.append(member)
        outside = elsewhere | variables(own_terms(condition))
        inner = Conjunction(condition.conditions, layout, outside, self._predicates, self._rule)
        if isinstance(condition, AggregateOf):
            inner.project(condition.variables)
        return inner

    # Reading.

    def solve(
        self, seed: Cells, facts: Database, bounds: Bounds, new: Database = NOTHING_NEW
    ) -> Iterator[Instance]:
        """Every instance whose cells begin with the seed, which holds what is known on entry."""
        for joined in self._join.run(seed, facts, new, bounds):
            if not self._residuals:
                yield Instance(joined, {}, overflowed=False)
            elif (instance := self._settle(joined, facts, bounds)) is not None:
                yield instance

    def premises(self, instance: Instance) -> tuple[Premise, ...]:
        """What the conditions rest on, in the order in which they stand."""
        found: list[Premise] = []
        for place, condition in enumerate(self._conditions):
            if isinstance(condition, Match):
                start = self._join.starts[place]
                cells = instance.cells[start : start + len(condition.terms)]
                found.append(Fact(condition.predicate, cast("Row", cells)))
            else:
                found.append(instance.sets.get(place))
        return tuple(found)

    def binding(self, cells: Cells, variables: int) -> Cells:
        """The cells of the variables 0, 1, …; None for local ones and for those that an overflow hid."""
        at = self._layout.variables
        return tuple([cells[at[index]] if index in at else None for index in range(variables)])

    def _settle(self, joined: Cells, facts: Database, bounds: Bounds) -> Instance | None:
        """Read the other conditions, each as soon as it is ready; None if one is false."""
        cells: list[Cell | None] = [*joined, *self._computed]
        sets: dict[int, Premise] = {}
        waiting, overflowed, progress = self._residuals, False, True
        while waiting and progress:
            left = []
            for residual in waiting:
                if not residual.is_ready(cells):
                    left.append(residual)
                    continue
                truth = self._read(residual, cells, sets, facts, bounds)
                if truth is False:
                    return None
                overflowed = overflowed or truth is None
            progress = len(left) < len(waiting)
            waiting = left
        assert overflowed or not waiting
        return Instance(tuple(cells), sets, overflowed)

    def _read(
        self,
        residual: Residual,
        cells: list[Cell | None],
        sets: dict[int, Premise],
        facts: Database,
        bounds: Bounds,
    ) -> bool | None:
        """The truth of one condition; it may give a variable its value, and notes the sets it rests on."""
        condition, inner = residual.condition, residual.inner
        if isinstance(condition, Compare):
            left, right = condition.left, condition.right
            if isinstance(right, Var) and cells[self._layout.place(right)] is None:
                left, right = right, left
            value = evaluate(right, cells, self._layout.variables)
            return self._compare(left, condition.operator, value, cells)
        if isinstance(condition, CountOf):
            premise, size = self._count_of(condition, cells, facts)
            sets[residual.place] = premise
            return size is not None and self._compare(condition.result, "=", size, cells)
        assert inner is not None
        seed = tuple(cells)
        match condition:
            case AllOf():
                truth, sets[residual.place] = self._all_of(condition, inner, seed, facts, bounds)
                return truth
            case AggregateOf():
                instances = list(inner.solve(seed, facts, bounds))
                if any(instance.overflowed for instance in instances):
                    return None
                rows = map(inner.project(condition.variables), (instance.cells for instance in instances))
                found = aggregate(condition.function, rows)
                value = found if found is not None and is_cell(found) else None
                return found is not None and self._compare(condition.result, "=", value, cells)
            case AbsentOf():
                best = inner.first(seed, facts, bounds)
                return best is None or (None if best.overflowed else False)
            case _:
                raise AssertionError(condition)

    def _compare(
        self, left: CodedExpression, operator: str, right: Cell | None, cells: list[Cell | None]
    ) -> bool | None:
        """Compare with a value (None: unknown). A variable without a value, if it is ready, takes this one."""
        if right is None:
            return None
        if isinstance(left, Var) and cells[self._layout.place(left)] is None:
            cells[self._layout.place(left)] = right
            return True
        value = evaluate(left, cells, self._layout.variables)
        return None if value is None else COMPARISONS[operator](value, right)

    def first(self, seed: Cells, facts: Database, bounds: Bounds) -> Instance | None:
        """An instance without overflow if there is one, else one with, else None."""
        overflowed = None
        for instance in self.solve(seed, facts, bounds):
            if not instance.overflowed:
                return instance
            overflowed = instance
        return overflowed

    def _closed(
        self, closed: ClosedSet, cells: Sequence[Cell | None], facts: Database
    ) -> tuple[Sequence[Row], Sequence[Row]]:
        """The facts that count a set, and those that are its members."""
        key = self.project(closed.key)(cells)
        columns = tuple(range(len(key)))
        counts, members = facts[closed.count].index(columns), facts[closed.member].index(columns)
        return counts.get(key, ()), members.get(key, ())

    def _all_of(
        self, condition: AllOf, inner: Conjunction, seed: Cells, facts: Database, bounds: Bounds
    ) -> tuple[bool | None, Premise]:
        closed = condition.set
        counts, members = self._closed(closed, seed, facts)
        proved: list[tuple[Fact, tuple[Premise, ...]]] = []
        possible = 0
        for row in sorted(members) if counts else ():
            best = inner.first(seed + row[len(closed.key) :], facts, bounds)
            possible += best is not None
            if best is not None and not best.overflowed:
                proved.append((Fact(closed.member, row), inner.premises(best)))
        for count in counts:
            if count[-1] <= len(proved):
                return True, SetPremise(Fact(closed.count, count), tuple(proved))
        return (None if any(count[-1] <= possible for count in counts) else False), None

    def _count_of(
        self, condition: CountOf, cells: Sequence[Cell | None], facts: Database
    ) -> tuple[Premise, Cell | None]:
        """The sets and the size of their union; None where one of the sets is not complete."""
        union: set[Cells] = set()
        premises = []
        for closed in condition.sets:
            counts, members = self._closed(closed, cells, facts)
            complete = next((count for count in counts if count[-1] == len(members)), None)
            if complete is None:
                return None, None
            union.update(row[len(closed.key) :] for row in members)
            proved = tuple((Fact(closed.member, row), ()) for row in sorted(members))
            premises.append(SetPremise(Fact(closed.count, complete), proved))
        union.difference_update((cells[self._layout.place(term)],) for term in condition.excluded)
        return tuple(premises), len(union)
