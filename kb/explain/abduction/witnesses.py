"""Values for the variables of an assumed fact, such that all comparisons with them hold.

An integer is the nearest one to the value of the present fact with the same key, or to 0, or for a date or
time to one that is given in the same column. The ends of the possible intervals are tried next. Functions of
dates and decimal numbers are solved by their definitions. A word is one that occurs in facts of its sort.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Any, Protocol

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.substitution import apply_to_condition
from hornbook.kb.ast.theory import Theory
from hornbook.kb.integers.intervals import Intervals
from hornbook.kb.integers.univariate import UnsolvedError, solutions
from hornbook.kb.lower.coding import Coding
from hornbook.kb.lower.definitions import definition
from hornbook.kb.parse.syntax import Query
from hornbook.kb.tables.answers import Answers
from hornbook.kb.text.literals.functions import DEFINITIONS
from hornbook.kb.text.literals.values import DateValue, TimeValue

MAX_VALUES = 3
"""The maximum number of values to try for one variable."""
MAX_WORDS = 50
"""The maximum number of known values of a column to choose from."""
_DISTANCES = (2**9, 2**16, t.MAX_INTEGER)
"""The distances from the present value within which values are searched for, one after the other."""
_MAX_PIECES = 2_000
"""The maximum number of pieces of an interval for one comparison."""


class ValuedBase(Protocol):
    """The attributes and methods of an engine that the choice of values needs."""

    @property
    def theory(self) -> Theory: ...

    @property
    def coding(self) -> Coding: ...

    def query(self, query: Query) -> Answers: ...

    def words(self, sort: str, most: int) -> list[str]: ...


def holds(base: ValuedBase, condition: t.Condition) -> bool:
    """Return whether a condition without outer variables holds."""
    return bool(base.query(Query((condition,), condition.span)))


def assignments(
    base: ValuedBase, atoms: Sequence[t.Atom], comparisons: Sequence[t.Comparison]
) -> Iterator[dict[str, t.Term]]:
    """Yield substitutions for the variables of atoms for which the comparisons of these variables hold."""
    place = next(
        (
            (atom, column)
            for atom in atoms
            for column, term in enumerate(atom.arguments)
            if isinstance(term, t.Variable)
        ),
        None,
    )
    if place is None:
        if all(t.condition_variables(each) or holds(base, each) for each in comparisons):
            yield {}
        return
    atom, column = place
    variable = atom.arguments[column]
    assert isinstance(variable, t.Variable)
    own = [c for c in comparisons if {v.name for v in t.condition_variables(c)} == {variable.name}]
    for value in islice(_values(base, atom, column, own), MAX_VALUES):
        found: dict[str, t.Term] = {variable.name: value}
        if all(holds(base, apply_to_condition(each, found)) for each in own):
            rest = [apply_to_condition(each, found) for each in comparisons if each not in own]
            for more in assignments(base, [apply_to_condition(each, found) for each in atoms], rest):
                yield {**found, **more}


def with_calculations(
    comparisons: Sequence[t.Comparison], known: AbstractSet[str]
) -> tuple[t.Comparison, ...]:
    """Return comparisons in which the variables that some of them calculate are replaced by the calculations.

    `known` are the names of the other variables.
    """
    for each in comparisons:
        calculated = _calculated(each, known)
        if calculated is not None:
            others = [apply_to_condition(other, calculated) for other in comparisons if other is not each]
            return with_calculations(others, known)
    return tuple(comparisons)


def _calculated(comparison: t.Comparison, known: AbstractSet[str]) -> dict[str, Any] | None:
    """Return the variable that an equation calculates with its expression, or None."""
    if comparison.operator == "=":
        for one, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
            if isinstance(one, t.Variable) and one.name not in known and one not in t.leaves(other):
                return {one.name: other}
    return None


def present_values(base: ValuedBase, atom: t.Atom) -> t.Atom | None:
    """Return the fact with the same ground key as an atom of a predicate with a key, or None."""
    key = base.theory.vocabulary.predicates[atom.predicate].key
    if key is None or not all(isinstance(term, t.Constant) for term in atom.arguments[:key]):
        return None
    opened = atom.with_terms(
        (*atom.arguments[:key], *(t.Variable(f"value{i}") for i in range(key, len(atom.arguments))))
    )
    rows = base.query(Query((opened,), atom.span)).rows
    return None if not rows else atom.with_terms((*atom.arguments[:key], *map(t.Constant, rows[0])))


def _values(
    base: ValuedBase, atom: t.Atom, column: int, comparisons: Sequence[t.Comparison]
) -> Iterator[t.Constant]:
    """Yield values for a column of an atom, the best ones first."""
    coding = base.coding
    relation = coding.relations[coding.predicate_id(atom.relation, atom.tense)]
    sort = base.theory.vocabulary.sorts[relation.sorts[column]]
    if relation.columns[column] == "integer":
        form = None if relation.forms is None else relation.forms[column]
        found = dict.fromkeys(_integers(base, atom, column, comparisons))
        yield from (t.Constant(value if form is None else form(value)) for value in found)
        return
    known = sort.constants or (*base.words(sort.name, MAX_WORDS), f"some_{sort.name}")
    for value in known:
        constant = t.Constant(value)
        bound = {_name(atom, column): constant}
        if all(holds(base, apply_to_condition(each, bound)) for each in comparisons):
            yield constant


def _name(atom: t.Atom, column: int) -> str:
    variable = atom.arguments[column]
    assert isinstance(variable, t.Variable)
    return variable.name


def _integers(
    base: ValuedBase, atom: t.Atom, column: int, comparisons: Sequence[t.Comparison]
) -> Iterator[int]:
    present = present_values(base, atom)
    near = _near(base, atom, column) if present is None else _integer(present.arguments[column])
    try:
        domain = _nearest(near, comparisons)
    except UnsolvedError:
        written = [
            each.value
            for each in (*(c for x in comparisons for c in t.leaves(x)),)
            if isinstance(each, t.Constant)
        ]
        guesses = [value + more for value in map(int, filter(_is_integer, written)) for more in (0, -1, 1)]
        yield from sorted(
            (*_known(base, atom, column), *guesses), key=lambda value: (abs(value - near), value)
        )
        return
    if not comparisons and present is None:
        yield from _known(base, atom, column)
    ends = [end for low, high in domain for end in (min(max(near, low), high), low, high)]
    borders = {end for distance in _DISTANCES for end in _within(near, distance)}
    finite = [end for end in ends if end == near or end not in borders]
    yield from sorted(finite, key=lambda value: (abs(value - near), value))


def _near(base: ValuedBase, atom: t.Atom, column: int) -> int:
    """Return the number near which a value is chosen that replaces no other: 0, or a present date or time."""
    coding = base.coding
    forms = coding.relations[coding.predicate_id(atom.relation, atom.tense)].forms
    if forms is None or forms[column] not in (DateValue, TimeValue):
        return 0
    return next(iter(_known(base, atom, column)), 0)


def _within(near: int, distance: int) -> tuple[int, int]:
    """Return the least and the greatest integer within a distance."""
    return max(near - distance, t.MIN_INTEGER), min(near + distance, t.MAX_INTEGER)


def _nearest(near: int, comparisons: Sequence[t.Comparison]) -> Intervals:
    """Return the solutions of comparisons within the first of the distances where there are some.

    Raises:
        UnsolvedError: A comparison cannot be solved.
    """
    solvable = [
        t.Comparison(each.operator, _defined(each.left), _defined(each.right)) for each in comparisons
    ]
    found = Intervals()
    for distance in _DISTANCES:
        found = Intervals((_within(near, distance),))
        for each in solvable:
            found &= solutions(each, found, _MAX_PIECES)
        if found:
            break
    return found


def _defined(expression: t.Expression) -> t.Expression:
    """Return an expression with the definitions of its functions."""
    if not isinstance(expression, t.Operation):
        return expression
    inner = t.Operation(expression.operator, tuple(map(_defined, expression.operands)), expression.span)
    return definition(inner) if expression.operator in DEFINITIONS else inner


def _is_integer(value: str | int) -> bool:
    return isinstance(value, int)


def _integer(term: t.Term) -> int:
    assert isinstance(term, t.Constant)
    assert isinstance(term.value, int)
    return int(term.value)


def _known(base: ValuedBase, atom: t.Atom, column: int) -> list[int]:
    """Return the first values of a column of integers in the facts of a predicate."""
    opened = atom.with_terms(tuple(t.Variable(f"value{i}") for i in range(len(atom.arguments))))
    rows = base.query(Query((opened,), atom.span)).rows
    return list(dict.fromkeys(int(row[column]) for row in rows[:MAX_WORDS]))
