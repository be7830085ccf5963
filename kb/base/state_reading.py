"""The facts of many states as columns of numbers, from texts in the language or from facts.

A compiled reader understands plain texts. All other texts are left to the parser, which has the messages.

Invariants: A state in columns has the facts that the parser finds in its text. They fit their declarations
and may be given, and at most one of them is an action.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hornbook.kb.ast.parts import Rows
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.fact_encoder import FactEncoder
from hornbook.kb.lower.coding import Coding
from hornbook.kb.lower.fact_coder import FactCoder
from hornbook.kb.parse import _reading
from hornbook.kb.parse.facts import FactError, why_never_given, why_stated_only
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.text.scanner import KEYWORDS
from hornbook.matcher.program.coded import Cell, PredicateId
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.states import StateBlock

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class StateFacts:
    """Coded facts of states, which are numbered from 0.

    Attributes:
        states: The number of states.
        columns: For each predicate the column of states, in ascending order, and the columns of cells.
        missing: The states without facts here, because they cannot be in columns.
    """

    states: int
    columns: Mapping[PredicateId, Sequence[Column]]
    missing: frozenset[int]

    @property
    def block(self) -> StateBlock:
        return StateBlock(self.states, self.columns)

    def with_facts(self, other: StateFacts) -> StateFacts:
        """Return the facts of both. A state has facts in one of them only."""
        numpy = extra_module("numpy", "data")
        columns = dict(self.columns)
        for number, more in other.columns.items():
            if number not in columns:
                columns[number] = more
                continue
            both = [numpy.concatenate(pair) for pair in zip(columns[number], more, strict=True)]
            order = numpy.argsort(both[0], kind="stable")
            columns[number] = [column[order] for column in both]
        return StateFacts(self.states, columns, self.missing & other.missing)

    def without(self, states: Iterable[int]) -> StateFacts:
        """Return the facts of the other states."""
        left_out = sorted(states)
        if not left_out:
            return self
        numpy = extra_module("numpy", "data")
        stays = numpy.ones(self.states, dtype=bool)
        stays[left_out] = False
        columns = {number: [column[stays[of[0]]] for column in of] for number, of in self.columns.items()}
        return StateFacts(self.states, columns, self.missing | frozenset(left_out))

    def states_with(self, numbers: Iterable[PredicateId]) -> set[int]:
        """Return the states with facts of some predicates."""
        return {state for n in numbers if n in self.columns for state in self.columns[n][0].tolist()}


class StateReader:
    """The reader of states for one coding. Only columns need NumPy (extra `data`)."""

    def __init__(self, theory: Theory, coding: Coding) -> None:
        self._coding = coding
        self._encoder = FactEncoder(theory, coding)
        self._words = FactCoder(coding).words
        predicates = theory.vocabulary.predicates
        readable = [
            (number, relation, predicates[relation.template.relation])
            for number, relation in enumerate(coding.relations)
            if relation.forms is None
            and why_never_given(relation.template, theory.vocabulary) is None
            and why_stated_only(predicates.get(relation.template.relation)) is None
        ]
        self._numbers = [number for number, _, _ in readable]
        self._reader = _reading.FactReader(
            [
                (p.name, "".join(kind[0] for kind in r.columns), p.has_tense, p.kind == "action")
                for _, r, p in readable
            ],
            list(KEYWORDS),
        )

    @cached_property
    def _numpy(self) -> Any:
        return extra_module("numpy", "data")

    def rows(self, texts: Sequence[object]) -> list[Rows | None]:
        """Return the facts of texts in the language, or None for texts that only the parser understands.

        They need not fit their declarations.
        """
        tables, words, unread = self._reader.read(tuple(texts))
        found: list[Rows | None] = [{} for _ in texts]
        for number, table in zip(self._numbers, tables, strict=True):
            owners, *columns = (memoryview(column).cast("q") for column in table)
            shape = self._coding.relations[number]
            key = shape.template.relation, shape.template.tense
            values = [
                column if kind == "integer" else map(words.__getitem__, column)
                for column, kind in zip(columns, shape.columns, strict=True)
            ]
            table_rows = zip(*values, strict=True) if values else ((),) * len(owners)
            for state, row in zip(owners, table_rows, strict=True):
                of_state = found[state]
                assert of_state is not None
                of_state.setdefault(key, []).append(row)
        for state in memoryview(unread).cast("q"):
            found[state] = None
        return found

    def read(self, texts: Sequence[object]) -> StateFacts:
        """Return the facts of texts in the language, except for texts that only the parser understands."""
        numpy = self._numpy
        tables, words, unread = self._reader.read(tuple(texts))
        are_missing = numpy.zeros(len(texts), dtype=bool)
        are_missing[numpy.frombuffer(unread, dtype=numpy.int64)] = True
        found = {}
        for number, table in zip(self._numbers, tables, strict=True):
            columns = [numpy.frombuffer(column, dtype=numpy.int64) for column in table]
            if not len(columns[0]):
                continue
            for place, known in enumerate(self._words[number], 1):
                if known is not None:
                    columns[place] = self._cells(columns[place], words, known)
                    are_missing[columns[0][columns[place] < 0]] = True
            found[number] = columns
        read = StateFacts(len(texts), found, frozenset())
        return read.without(numpy.flatnonzero(are_missing).tolist())

    def _cells(self, column: Column, words: Sequence[str | int], known: dict[str | int, Cell]) -> Column:
        """Return the cells of a column of words, or -1 for words that its sort does not have."""
        numpy = self._numpy
        are_used = numpy.zeros(len(words), dtype=bool)
        are_used[column] = True
        cells: Column = numpy.full(len(words), -1, dtype=numpy.int64)
        for place in numpy.flatnonzero(are_used).tolist():
            try:
                cells[place] = known[words[place]]
            except KeyError:
                continue
        return cells[column]

    def code(self, facts: Mapping[int, Iterable[GroundFact]], states: int) -> StateFacts:
        """Return the facts of some states, except for states with facts that do not fit."""
        rows: dict[PredicateId, list[tuple[int, ...]]] = {}
        missing = set(range(states)).difference(facts)
        for state in sorted(facts):
            try:
                coded = self._encoder.given(facts[state])
            except (FactError, TypeError):
                missing.add(state)
                continue
            if len({fact for fact in coded if fact.predicate in self._coding.actions}) > 1:
                missing.add(state)
                continue
            for number, cells in coded:
                rows.setdefault(number, []).append((state, *cells))
        numpy: Any = self._numpy
        columns = {
            number: list(numpy.ascontiguousarray(numpy.array(each, dtype=numpy.int64).T))
            for number, each in rows.items()
        }
        return StateFacts(states, columns, frozenset(missing))
