"""Values for the variables of an assumed fact, such that all comparisons with them hold.

An integer is the nearest one to the value of the present fact with the same key, or to 0; the ends of the
possible intervals are tried next. A word is one that occurs in facts of its sort.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Protocol

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.substitution import apply_to_condition
from hornbook.kb.ast.theory import Theory
from hornbook.kb.integers.intervals import Intervals
from hornbook.kb.integers.univariate import UnsolvedError, solutions
from hornbook.kb.lower.coding import Coding
from hornbook.kb.parse.syntax import Query
from hornbook.kb.tables.answers import Answers

MAX_VALUES = 3
"""The maximum number of values to try for one variable."""
MAX_WORDS = 50
"""The maximum number of known values of a column to choose from."""
_EVERYTHING = Intervals(((t.MIN_INTEGER, t.MAX_INTEGER),))


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
    near = 0 if present is None else _integer(present.arguments[column])
    domain = _EVERYTHING
    try:
        for each in comparisons:
            domain &= solutions(each, domain)
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
    finite = [end for end in ends if end == near or end not in (t.MIN_INTEGER, t.MAX_INTEGER)]
    yield from sorted(finite, key=lambda value: (abs(value - near), value))


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
