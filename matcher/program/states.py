"""Many states of one program: their facts as columns, and the results of their evaluation.

A column is bytes, or any buffer of 64-bit integers such as `array("q")` or a NumPy array. Rows of
several states have a first column with the number of the state, from 0, in ascending order, and a column for
each cell of the predicate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, NamedTuple

from hornbook.matcher.program.coded import Derivation, Fact, PredicateId
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.errors import EngineError

StateColumns = Sequence[Any]
"""The column of states, followed by the columns of cells."""


@dataclass(frozen=True, slots=True)
class StateBlock:
    """The facts of many states.

    A state may be described by its difference from a *parent*, an earlier state. Each state is then followed
    by its children and their descendants, as in a walk of the tree in depth-first order.

    Attributes:
        states: The number of states.
        given: The given facts of each state; of a state with a parent, those that the parent has not.
        removed: The given facts of the parent that a state has not.
        last: Given facts to be added after all consequences of the others. They change no result. If all
            rules need one of them, matching starts from it.
        parents: The parent of each state, or -1 for none; None if no state has a parent.
        common: Given facts of all states, as columns of cells. They are not loaded again if the next block
            has the same.
    """

    states: int
    given: Mapping[PredicateId, StateColumns]
    removed: Mapping[PredicateId, StateColumns] = field(default_factory=dict)
    last: Mapping[PredicateId, StateColumns] = field(default_factory=dict)
    parents: Any = None
    common: Mapping[PredicateId, Sequence[Any]] = field(default_factory=dict)


class StateTable(NamedTuple):
    """Rows of several states, as columns of 64-bit integers, in ascending order of states."""

    states: memoryview
    cells: tuple[memoryview, ...]


class StateConclusion(NamedTuple):
    """A fact that holds in a state, with all its derivations."""

    state: int
    fact: Fact
    derivations: tuple[Derivation, ...]


class LeadingConclusion(NamedTuple):
    """A fact that holds in a state, with the facts of one derivation; some of these are repeated."""

    state: int
    fact: Fact
    premises: Sequence[Fact]


@dataclass(frozen=True, slots=True)
class StateResults:
    """The results of an evaluation.

    Attributes:
        tables: The facts of each requested predicate, given and derived.
        answers: The answers to the query, with a column for each variable, sorted within each state.
        conclusions: The facts of the predicates that are to be explained.
        leading: The leading facts of predicates, in ascending order of states.
        errors: The error of each state whose evaluation failed. Such a state has no results.
    """

    tables: Mapping[PredicateId, StateTable]
    answers: StateTable
    conclusions: tuple[StateConclusion, ...]
    leading: tuple[LeadingConclusion, ...]
    errors: Mapping[int, EngineError]
