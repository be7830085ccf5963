"""The evaluation of a knowledge base in many states at once: the answers and derived facts as Arrow columns.

Invariants: The results for a state are those of the knowledge base with the facts of the state added. A state
whose evaluation fails has no results here. The knowledge base itself then gives its message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hornbook.kb.ast.ordering import value_order
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.state_reading import StateFacts, StateReader
from hornbook.kb.lower.coding import ColumnKind
from hornbook.kb.parse.syntax import Query
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.tables.arrow_arrays import number_array, word_array
from hornbook.kb.tables.table_values import mixed_text
from hornbook.matcher.program.coded import Limits, PredicateId
from hornbook.matcher.program.dataclass import dataclass

if TYPE_CHECKING:
    import pyarrow

    from hornbook.kb.base.state_reading import Column


@dataclass(frozen=True, slots=True)
class StateAnswers:
    """The answers to a query in many states.

    Attributes:
        answers: For each state a list of structures with a field for each variable, or for a query without
            variables whether it holds.
        missing: The states without answers here.
    """

    answers: pyarrow.Array
    missing: frozenset[int]


@dataclass(frozen=True, slots=True)
class StateRelations:
    """The facts of some predicates in many states.

    Attributes:
        tables: For each predicate a table with a column for the state, followed by the predicate's columns.
        missing: The states without facts here.
    """

    tables: Mapping[PredicateId, pyarrow.Table]
    missing: frozenset[int]


class StateEvaluator:
    """A knowledge base whose present rules and facts are evaluated in many states (extra `data`).

    Later changes of the knowledge base have no effect. By default, there are as many threads as processors.
    """

    def __init__(self, base: KnowledgeBase, limits: Limits, threads: int | None = None) -> None:
        self._arrow: Any = extra_module("pyarrow", "data")
        self._numpy: Any = extra_module("numpy", "data")
        self._coding = base.engine.coding
        self._engine = base.engine.state_engine(limits, threads)
        self._reader = StateReader(base.theory, self._coding)
        given = map(self._coding.fact, base.given())
        self._is_action_given = any(fact.predicate in self._coding.actions for fact in given)

    def read(self, texts: Sequence[object]) -> StateFacts:
        """Return the facts of texts in the language, except for texts that only the parser understands."""
        if self._engine is None:
            return StateFacts(len(texts), {}, frozenset(range(len(texts))))
        return self._allowed(self._reader.read(texts))

    def code(self, facts: Mapping[int, Iterable[GroundFact]], states: int) -> StateFacts:
        """Return the facts of some states, except for states with facts that do not fit."""
        if self._engine is None:
            return StateFacts(states, {}, frozenset(range(states)))
        return self._allowed(self._reader.code(facts, states))

    def _allowed(self, facts: StateFacts) -> StateFacts:
        """Return the facts without the states that have a second action."""
        return facts.without(facts.states_with(self._coding.actions) if self._is_action_given else ())

    def answers(
        self, facts: StateFacts, queries: Sequence[Query], most: int, kind: pyarrow.DataType
    ) -> StateAnswers:
        """Return the answers to any of some queries with the same variables.

        Args:
            facts: The facts of the states.
            queries: The queries, as from `parse_queries`.
            most: The most answers of a state. A state with more has no answers here.
            kind: The type of the answers about a state.
        """
        numpy = self._numpy
        if self._engine is None:
            return StateAnswers(self._arrow.nulls(facts.states, kind), facts.missing)
        first, *others = coded = [self._coding.query(query.conditions) for query in queries]
        missing = set(facts.missing)
        parts: list[list[Column]] = []
        for each in coded:
            found = self._engine.evaluate(facts.block, query=(each.conditions, each.variables))
            missing |= found.errors.keys()
            places = [each.names.index(name) for name in first.names]
            columns = (found.answers.states, *(found.answers.cells[place] for place in places))
            parts.append([numpy.frombuffer(column, dtype=numpy.int64) for column in columns])
        rows = [numpy.concatenate(columns) for columns in zip(*parts, strict=True)]
        shown = _SortedColumns(self._coding.word, rows, first.kinds, are_distinct=not others)
        sizes = numpy.bincount(shown.states, minlength=facts.states)
        missing |= set(numpy.flatnonzero(sizes > most).tolist())
        if not first.names:
            return StateAnswers(self._arrow.array(sizes > 0), frozenset(missing))
        offsets = numpy.concatenate(([0], numpy.cumsum(sizes))).astype(numpy.int32)
        fields = list(kind.value_type)
        words = [column.cast(field.type) for column, field in zip(shown.columns, fields, strict=True)]
        structures = self._arrow.StructArray.from_arrays(words, fields=fields)
        answers = self._arrow.ListArray.from_arrays(number_array(offsets), structures)
        return StateAnswers(answers.cast(kind), frozenset(missing))

    def relations(self, facts: StateFacts, requested: Mapping[PredicateId, Sequence[str]]) -> StateRelations:
        """Return all facts of some predicates, sorted by state and then by values.

        Args:
            facts: The facts of the states.
            requested: For each predicate the names of its table's columns, of which the first is the state's.
        """
        if self._engine is None:
            return StateRelations({}, facts.missing)
        found = self._engine.evaluate(facts.block, list(requested))
        is_here = self._numpy.ones(facts.states, dtype=bool)
        is_here[sorted(facts.missing)] = False
        tables = {}
        for number, names in requested.items():
            table = found.tables[number]
            columns = (table.states, *table.cells)
            rows = [self._numpy.frombuffer(column, dtype=self._numpy.int64) for column in columns]
            if facts.missing:
                rows = [column[is_here[rows[0]]] for column in rows]
            shown = _SortedColumns(self._coding.word, rows, self._coding.relations[number].columns)
            arrays = [number_array(shown.states), *shown.columns]
            tables[number] = self._arrow.table(arrays, names=list(names))
        return StateRelations(tables, facts.missing | found.errors.keys())


class _SortedColumns:
    """Rows of states, sorted by state and then by values, as Arrow arrays. Words are dictionaries.

    Attributes:
        states: The state of each row.
        columns: The values of each row.
    """

    def __init__(
        self,
        word: Callable[[int], str | int],
        rows: Sequence[Column],
        kinds: Sequence[ColumnKind],
        *,
        are_distinct: bool = True,
    ) -> None:
        numpy: Any = extra_module("numpy", "data")
        arrow: Any = extra_module("pyarrow", "data")
        keys = [rows[0]]
        dictionaries: list[pyarrow.Array | None] = []
        for cells, kind in zip(rows[1:], kinds, strict=True):
            if kind == "integer":
                keys.append(cells)
                dictionaries.append(None)
                continue
            are_used = numpy.zeros(int(cells.max(initial=-1)) + 1, dtype=bool)
            are_used[cells] = True
            used = sorted(
                ((word(cell), cell) for cell in numpy.flatnonzero(are_used).tolist()),
                key=lambda each: value_order(each[0]),
            )
            ranks = numpy.zeros(len(are_used), dtype=numpy.int32)
            ranks[[cell for _, cell in used]] = numpy.arange(len(used), dtype=numpy.int32)
            text = mixed_text if kind == "mixed" else str
            keys.append(ranks[cells])
            dictionaries.append(word_array([text(value) for value, _ in used]))
        order = numpy.lexsort(keys[::-1])
        keys = [key[order] for key in keys]
        if not are_distinct and len(order):
            is_new = numpy.zeros(len(order), dtype=bool)
            is_new[0] = True
            for key in keys:
                is_new[1:] |= key[1:] != key[:-1]
            keys = [key[is_new] for key in keys]
        self.states: Column = keys[0]
        self.columns: list[pyarrow.Array] = [
            number_array(key)
            if words is None
            else arrow.DictionaryArray.from_arrays(number_array(key), words)
            for key, words in zip(keys[1:], dictionaries, strict=True)
        ]
