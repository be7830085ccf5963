"""Joins: all facts that match the `Match` conditions of a conjunction together.

What a join has found so far is one flat tuple, its cells: what was known on entry, then the facts matched,
end to end. A constant or variable is known by its place in the cells, fixed when the join is planned. The
order of matching follows from the program alone: next comes the condition with the fewest answers to
expect. Comparisons without arithmetic take part as soon as both sides are known; they cannot overflow, so
when they are read never changes what a rule means.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.matcher.plain.relations import Database, Row, project
from hornbook.matcher.program.bounds import Bounds
from hornbook.matcher.program.coded import (
    Apply,
    Cell,
    CodedCondition,
    CodedTerm,
    Compare,
    Match,
    Predicate,
    PredicateId,
    Var,
)
from hornbook.matcher.program.operators import COMPARISONS
from hornbook.matcher.program.scope import is_plain

Cells = tuple[Cell | None, ...]
"""An instance in the making; None stands only where an overflow left a variable without a value."""


class Layout:
    """Where constants and variables stand in the cells; two variables that are equal share a place."""

    def __init__(self, constants: Sequence[Cell]) -> None:
        self.constants = {constant: place for place, constant in enumerate(constants)}
        self.variables: dict[int, int] = {}
        self.width = len(constants)

    def copy(self) -> Layout:
        layout = Layout(tuple(self.constants))
        layout.variables, layout.width = dict(self.variables), self.width
        return layout

    def knows(self, term: CodedTerm) -> bool:
        return not isinstance(term, Var) or term.index in self.variables

    def place(self, term: CodedTerm) -> int:
        return self.variables[term.index] if isinstance(term, Var) else self.constants[term]

    def append(self, variable: Var) -> None:
        """Give a variable the next place."""
        self.variables[variable.index] = self.width
        self.width += 1


@dataclass(frozen=True, slots=True)
class Test:
    """Whether two of the cells compare in this way."""

    compare: Callable[[Any, Any], bool]
    left: int
    right: int

    def holds(self, cells: Cells) -> bool:
        return self.compare(cells[self.left], cells[self.right])


@dataclass(frozen=True, slots=True)
class Read:
    """Append each fact of a predicate whose `columns` hold the cells that `key` picks, if the tests hold."""

    predicate: PredicateId
    columns: tuple[int, ...]
    key: Callable[[Cells], tuple[Any, ...]]
    tests: list[Test]

    def extend(self, cells: Cells, rows: Mapping[Row, Sequence[Row]]) -> Iterator[Cells]:
        return passing(self.tests, map(cells.__add__, rows.get(self.key(cells), ())))


def passing(tests: Sequence[Test], found: Iterator[Cells]) -> Iterator[Cells]:
    """Those for which all tests hold."""
    return (cells for cells in found if all(test.holds(cells) for test in tests)) if tests else found


class Join:
    """The plan for one conjunction; `layout` is extended by the variables that it binds.

    `first`: the place in the conjunction of the condition that is matched first, against new facts only.
    """

    def __init__(
        self,
        conditions: Sequence[CodedCondition],
        layout: Layout,
        predicates: Sequence[Predicate],
        first: int | None = None,
    ) -> None:
        self.decided: set[int] = set()
        """The places in the conjunction of the conditions that the join decides."""
        self.starts: dict[int, int] = {}
        """For the place of each Match condition in the conjunction, where its fact begins in the cells."""
        self._layout = layout
        self._reads: list[Read] = []
        self._tests: list[Test] = []
        """What can be tested before anything is read."""
        self._first = first
        self._plan(conditions, predicates)

    def _plan(self, conditions: Sequence[CodedCondition], predicates: Sequence[Predicate]) -> None:
        matches = {place: each for place, each in enumerate(conditions) if isinstance(each, Match)}
        plain = {place: each for place, each in enumerate(conditions) if is_plain(each)}
        self._compare(plain)
        while matches:
            if self._first is not None and self._first in matches:
                place = self._first
            else:
                place = max(matches, key=lambda each: self._promise(matches[each], predicates))
            self.decided.add(place)
            self._read(place, matches.pop(place))
            self._compare(plain)

    def _promise(self, match: Match, predicates: Sequence[Predicate]) -> tuple[bool, int, int, int]:
        """The greater, the fewer facts are to be expected for what is known."""
        known = [self._layout.knows(term) for term in match.terms]
        key = predicates[match.predicate].key
        variables = sum(isinstance(term, Var) and self._layout.knows(term) for term in match.terms)
        constants = sum(known) - variables
        return all(known[:key]), variables, constants, -len(known)

    def _read(self, place: int, match: Match) -> None:
        layout, start = self._layout, self._layout.width
        self.starts[place] = start
        columns = tuple(column for column, term in enumerate(match.terms) if layout.knows(term))
        key = project([layout.place(match.terms[column]) for column in columns])
        self._reads.append(Read(match.predicate, columns, key, tests := []))
        layout.width += len(match.terms)
        for column, term in enumerate(match.terms):
            if column in columns:
                continue
            assert isinstance(term, Var)
            first = layout.variables.setdefault(term.index, start + column)
            if first != start + column:
                tests.append(Test(operator.eq, first, start + column))

    def _compare(self, plain: dict[int, Compare]) -> None:
        """Take up the comparisons that are known by now; an equation may make others known."""
        layout = self._layout
        found = True
        while found:
            found = False
            for place, compare in tuple(plain.items()):
                left, right = compare.left, compare.right
                assert not isinstance(left, Apply)
                assert not isinstance(right, Apply)
                if layout.knows(left) and layout.knows(right):
                    test = Test(COMPARISONS[compare.operator], layout.place(left), layout.place(right))
                    (self._reads[-1].tests if self._reads else self._tests).append(test)
                elif compare.operator == "=" and isinstance(left, Var) and layout.knows(right):
                    layout.variables[left.index] = layout.place(right)
                elif compare.operator == "=" and isinstance(right, Var) and layout.knows(left):
                    layout.variables[right.index] = layout.place(left)
                else:
                    continue
                found = True
                self.decided.add(place)
                del plain[place]

    def run(self, seed: Cells, facts: Database, new: Database, bounds: Bounds) -> Iterator[Cells]:
        """All ways to match; `new` are the facts that the first condition is matched against, if there is one."""
        databases = [facts if place or self._first is None else new for place in range(len(self._reads))]
        rows = [
            database[read.predicate].index(read.columns)
            for database, read in zip(databases, self._reads, strict=True)
        ]
        # No recursion, so that a body may be as long as it likes.
        levels = [passing(self._tests, iter((seed,)))]
        while levels:
            for cells in levels[-1]:
                bounds.check_time()
                depth = len(levels) - 1
                if depth < len(rows):
                    levels.append(self._reads[depth].extend(cells, rows[depth]))
                    break
                yield cells
            else:
                levels.pop()
