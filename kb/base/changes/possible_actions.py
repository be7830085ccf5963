"""The actions to try in a state: all combinations of constants that fit the columns of an action.

The constants of a column are those of its sort in the facts of the state, and those of a closed sort.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import product
from math import prod

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import Constant, GameStatement, Tense, Term, Variable
from hornbook.kb.ast.theory import GroundFact, Vocabulary
from hornbook.kb.lower.coding import Coding
from hornbook.matcher.program.dataclass import dataclass

MOST_ACTIONS = 20_000
"""The maximum number of actions to try in one state."""

Constants = Mapping[str, AbstractSet[str | int]]
"""The constants of each sort."""


@dataclass(frozen=True, slots=True)
class ActionForm:
    """An action with terms for its columns: constants, or variables that stand for any value.

    Equal variables stand for equal values. Without terms, every column may have any value.
    """

    predicate: Predicate
    terms: tuple[Term, ...] = ()


def given_relations(coding: Coding) -> list[tuple[str, Tense | None]]:
    """Return the relations of a state before an action, with their moments."""
    templates = (relation.template for relation in coding.relations)
    return [
        (t.relation, t.tense) for t in templates if t.tense != "after" and not isinstance(t, GameStatement)
    ]


def constants_in(
    coding: Coding,
    vocabulary: Vocabulary,
    values: Callable[[str, Tense | None], Iterable[tuple[str | int, ...]]],
) -> dict[str, set[str | int]]:
    """Return the constants of each sort in a state. `values` gives the facts of a relation."""
    found: dict[str, set[str | int]] = {sort.name: set(sort.constants) for sort in vocabulary.sorts.values()}
    for relation, tense in given_relations(coding):
        sorts = coding.relations[coding.predicate_id(relation, tense)].sorts
        for row in values(relation, tense):
            for sort, value in zip(sorts, row, strict=True):
                found[sort].add(value)
    return found


def actions_among(forms: Sequence[ActionForm], constants: Constants) -> list[GroundFact] | None:
    """Return the actions of some forms with some constants, or None if there are more than MOST_ACTIONS."""
    columns = [(form, list(_columns(form, constants))) for form in forms]
    if sum(prod(map(len, values)) for _, values in columns) > MOST_ACTIONS:
        return None
    return [
        GroundFact(form.predicate.name, row)
        for form, values in columns
        for row in product(*values)
        if _fits(row, form.terms)
    ]


def _columns(form: ActionForm, constants: Constants) -> Iterator[list[str | int]]:
    """Yield the possible values of each column."""
    for place, column in enumerate(form.predicate.columns):
        term = form.terms[place] if form.terms else None
        if isinstance(term, Constant):
            yield [term.value]
        else:
            found = constants.get(column.name, ())
            yield sorted(found, key=lambda value: (isinstance(value, str), value))


def _fits(row: Sequence[str | int], terms: Sequence[Term]) -> bool:
    """Return whether equal variables have equal values."""
    values: dict[str, str | int] = {}
    return all(
        not isinstance(term, Variable) or values.setdefault(term.name, value) == value
        for term, value in zip(terms, row, strict=False)
    )
