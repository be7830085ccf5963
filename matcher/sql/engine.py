"""The DuckDB engine: facts are rows of its tables, and consequences are computed on demand, as SQL.

It has the same answers as the compiled engine. Tables may exceed the memory.

A predicate is *complete* if a table has all its facts, given and derived. The table of predicate N is `all_N`
if rules conclude it, and `given_N` otherwise.

Invariants:

- A table `given_N` has each given fact of predicate N once.
- `_complete` has the tables of those predicates that were queried since the last change of facts or rules,
  and of those on which they depend. Keys and counts hold in them, and no rule for them overflows. Other
  predicates are not evaluated.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING

from hornbook.matcher.program.changes import Columns, Group, changed_rules, group_of
from hornbook.matcher.program.coded import (
    Cell,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Derivation,
    Fact,
    Limits,
    PredicateId,
    Row,
    RuleBinding,
    RuleId,
    Var,
)
from hornbook.matcher.program.conjunction import Conjunction, check_rules
from hornbook.matcher.program.engine import Capabilities, Engine
from hornbook.matcher.program.errors import (
    ArithmeticOverflowError,
    FactLimitError,
    KeyConflictError,
    MalformedError,
    MarkError,
    MemoryLimitError,
    NoDerivationsError,
    OverfullSetError,
)
from hornbook.matcher.program.scope import predicates_read
from hornbook.matcher.program.stratify import strata
from hornbook.matcher.program.wellformed import (
    check_fact,
    check_predicates,
    check_query,
    predicate_of,
)
from hornbook.matcher.sql.database import Database
from hornbook.matcher.sql.evaluation import (
    StratumEvaluation,
    all_table,
    column_names,
    given_table,
    unknown_rows,
)
from hornbook.matcher.sql.translation import (
    MACROS,
    SqlConjunction,
    SqlTranslator,
    column,
    literal,
    select_distinct,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CELL_BYTES = 8
"""The bytes of a cell in an array."""
_ROW_BYTES, _OBJECT_BYTES = 64, 40
"""The bytes of a tuple without its cells, and those of a cell with its place there."""
_WAY_OUT = "DuckDB has no proofs: ask the compiled engine, which is taken where none is named"


class SqlEngine(Engine):
    """An engine that answers queries about more facts than fit in memory.

    It needs DuckDB and pyarrow (otherwise it raises ImportError). It stores no derivations and sets no marks.
    `limits` are the given and derived facts, the bytes of DuckDB's memory (beyond them it writes to disk),
    and the seconds of each call.
    """

    capabilities = Capabilities(
        columns=True, immediate=False, functions=False, derivations=False, marks=False
    )

    def __init__(self, predicates: Sequence[CodedPredicate] = (), *, limits: Limits = Limits()) -> None:  # noqa: B008 - frozen
        import pyarrow  # noqa: PLC0415 - an extra

        self._arrow = pyarrow
        self._limits = limits
        self._predicates: list[CodedPredicate] = []
        self._rules: dict[RuleId, CodedRule] = {}
        self._complete: dict[PredicateId, str] = {}
        self._counting: dict[PredicateId, list[PredicateId]] = {}
        """The predicates that count the members of each predicate's sets."""
        # The numbers of given facts, if they are limited, and of all facts of predicates that rules conclude.
        self._given_sizes: Mapping[PredicateId, int] = {}
        self._derived_sizes: dict[PredicateId, int] = {}
        self._database = Database(limits)
        with self._database.limited():
            self._database.all(MACROS)
        self.add_predicates(predicates)

    def add_predicates(self, predicates: Iterable[CodedPredicate]) -> None:
        """Add predicates; their numbers continue those of the existing ones. Raises MalformedError."""
        more = tuple(predicates)
        check_predicates([*self._predicates, *more])
        numbered = list(enumerate(more, len(self._predicates)))
        with self._database.limited(), self._database.transaction():
            for number, predicate in numbered:
                columns = ", ".join(f"{name} BIGINT NOT NULL" for name in column_names(predicate.arity))
                self._database.all(f"CREATE TABLE {given_table(number)} ({columns})")
        self._predicates.extend(more)
        for number, predicate in numbered:
            if predicate.counts is not None:
                self._counting.setdefault(predicate.counts, []).append(number)

    @property
    def rules(self) -> Mapping[RuleId, CodedRule]:
        """The rules by name."""
        return MappingProxyType(self._rules)

    def update(
        self,
        *,
        add: Iterable[Fact] = (),
        retract: Iterable[Fact] = (),
        add_rules: Iterable[CodedRule] = (),
        remove_rules: Iterable[RuleId] = (),
        add_columns: Mapping[PredicateId, Columns] | None = None,
    ) -> None:
        """Remove given facts and rules, then add others: all or none.

        Raises the errors of Engine.update if the input does not fit, or given facts violate a
        constraint. Consequences are computed when they are queried.
        """
        rules = self._changed_rules(tuple(remove_rules), tuple(add_rules))
        removed_columns, added_columns = self._by_columns(retract), self._by_columns(add)
        with self._database.limited(), self._database.transaction():
            for number, columns in removed_columns.items():
                self._delete(number, columns)
            for number, arrays in (*added_columns.items(), *(add_columns or {}).items()):
                self._insert(number, arrays)
            sizes = self._checked_given({*removed_columns, *added_columns, *(add_columns or {})})
        self._given_sizes = sizes
        self._rules = rules
        self._forget_consequences()

    def group(self, facts: Iterable[Fact]) -> Group:
        """Return facts to be added or retracted together. Raises MalformedError."""
        return group_of(facts, self._predicates)

    def exchange(self, retract: Iterable[Group], add: Iterable[Group]) -> None:
        """Retract and add groups, like `update`."""
        self.update(add=chain.from_iterable(add), retract=chain.from_iterable(retract))

    def facts(self, predicate: PredicateId) -> frozenset[Row]:
        """Return the facts of a predicate, given and derived. Raises the errors of `query`."""
        arity = predicate_of(predicate, self._predicates).arity
        with self._database.limited():
            self._complete_predicates([predicate])
            return frozenset(self._rows(f"FROM {self._table(predicate)}", arity))

    def given(self, predicate: PredicateId) -> frozenset[Row]:
        """Return the given facts of a predicate."""
        arity = predicate_of(predicate, self._predicates).arity
        with self._database.limited():
            return frozenset(self._rows(f"FROM {given_table(predicate)}", arity))

    def __contains__(self, fact: Fact) -> bool:
        check_fact(fact, self._predicates)
        with self._database.limited():
            self._complete_predicates([fact.predicate])
            return self._has(self._table(fact.predicate), fact.cells)

    def query(self, body: Sequence[CodedCondition], variables: Sequence[Var]) -> list[Row]:
        """Return the distinct values of the variables for which all conditions hold, sorted.

        Raises the errors of Engine.query, and BeyondEngineError, with the rule, for unsupported
        features.
        """
        with self._query_sql(body, variables) as sql:
            return self._rows(sql, len(variables))

    def query_columns(
        self, body: Sequence[CodedCondition], variables: Sequence[Var]
    ) -> tuple[NDArray[np.int64], ...]:
        """Return the answers of `query`, as an array for each variable."""
        with self._query_sql(body, variables) as sql:
            most = self._most_answers(_CELL_BYTES * len(variables))
            columns = self._database.arrays(_first(sql, most))
        arrays = tuple(columns[name] for name in column_names(len(variables)))
        self._check_answers(len(arrays[0]), most)
        return arrays[: len(variables)]

    @contextmanager
    def _query_sql(self, body: Sequence[CodedCondition], variables: Sequence[Var]) -> Iterator[str]:
        """Yield SQL for the sorted answers of a query, which is valid inside of the context."""
        width = check_query(body, variables, self._predicates)
        conjunction = Conjunction(body, variables)
        with self._database.limited():
            self._complete_predicates(_predicates_of(body))
            found = self._translated(conjunction, None)
            self._check_overflow(found, None, width)
            values = [found.values[each.index].sql for each in variables] or [literal(0)]
            names = column_names(len(variables))
            what = ", ".join(f"{value} AS {name}" for value, name in zip(values, names, strict=True))
            distinct = select_distinct(conjunction, frozenset(), variables)
            yield f"{distinct} {', '.join(names)} FROM ({found.select(what, found.holds)}) ORDER BY ALL"

    def derivation(self, fact: Fact, by: RuleId | None = None) -> Derivation | None:
        """Raise NoDerivationsError: none are stored."""
        raise NoDerivationsError("none", "one" if by is None else "all", _WAY_OUT)

    def derivations(self, fact: Fact, by: RuleId | None = None) -> tuple[Derivation, ...]:
        """Raise NoDerivationsError: none are stored."""
        raise NoDerivationsError("none", "all", _WAY_OUT)

    def derived_by(self, fact: Fact) -> tuple[RuleId, ...]:
        """Raise NoDerivationsError: none are stored."""
        raise NoDerivationsError("none", "all", _WAY_OUT)

    def bindings(self, fact: Fact) -> tuple[RuleBinding, ...]:
        """Raise NoDerivationsError: none are stored."""
        raise NoDerivationsError("none", "all", _WAY_OUT)

    def push(self) -> None:
        """Raise MarkError: there are no marks."""
        raise MarkError("the engine in DuckDB has no marks to come back to")

    def pop(self) -> None:
        """Raise MarkError: there are no marks."""
        raise MarkError("there is no mark")

    # Given facts

    def _by_columns(self, facts: Iterable[Fact]) -> dict[PredicateId, list[array[int]]]:
        """Return facts as columns; a predicate without columns gets a column of zeros."""
        found: dict[PredicateId, list[array[int]]] = {}
        for fact in facts:
            check_fact(fact, self._predicates)
            columns = found.setdefault(fact.predicate, [array("q") for _ in column_names(len(fact.cells))])
            for cells, cell in zip(columns, fact.cells or (0,), strict=True):
                cells.append(cell)
        return found

    def _insert(self, number: PredicateId, columns: Columns) -> None:
        """Add given facts that are not given yet."""
        with self._as_table(number, columns) as incoming:
            table, names = given_table(number), column_names(self._predicates[number].arity)
            self._database.all(f"INSERT INTO {table} {unknown_rows(incoming, table, names)}")

    def _delete(self, number: PredicateId, columns: Columns) -> None:
        """Remove given facts, if they are given."""
        names = ", ".join(column_names(self._predicates[number].arity))
        with self._as_table(number, columns) as outgoing:
            self._database.all(
                f"DELETE FROM {given_table(number)} WHERE ({names}) IN (SELECT ({names}) FROM {outgoing})"
            )

    @contextmanager
    def _as_table(self, number: PredicateId, columns: Columns) -> Iterator[str]:
        """Yield the name of a table that DuckDB reads from columns in memory. Raises MalformedError."""
        arrow = self._arrow
        arrays = [
            arrow.Array.from_buffers(arrow.int64(), len(cells), [None, arrow.py_buffer(cells)])
            if isinstance(cells, array)
            else arrow.array(cells, arrow.int64())
            for cells in columns
        ]
        names = column_names(predicate_of(number, self._predicates).arity)
        if len(arrays) != len(names) or len({len(each) for each in arrays}) != 1:
            raise MalformedError("columns need a predicate's width, one length, and 64-bit integers")
        self._database.connection.register("columns_at_hand", arrow.table(arrays, names=names))
        yield "columns_at_hand"
        # On failure the transaction is rolled back.
        self._database.connection.unregister("columns_at_hand")

    def _checked_given(self, changed: Iterable[PredicateId]) -> Mapping[PredicateId, int]:
        """Return the numbers of given facts after a change of some predicates, if facts are limited.

        Raises FactLimitError, KeyConflictError or OverfullSetError. Conclusions are checked when they are
        queried.
        """
        sizes = dict(self._given_sizes)
        if self._limits.facts is not None:
            for number in changed:
                ((sizes[number],),) = self._database.all(f"SELECT count(*) FROM {given_table(number)}")
            if sum(sizes.values()) > self._limits.facts:
                raise FactLimitError(self._limits.facts)
        for number in changed:
            self._check_constraints(number, given_table)
        return sizes

    # Consequences

    def _changed_rules(
        self, removed: Sequence[RuleId], added: Sequence[CodedRule]
    ) -> dict[RuleId, CodedRule]:
        """Return the rules after a change. Raises the errors of `update` about rules."""
        rules = changed_rules(self._rules, removed, added)
        check_rules(added, self._predicates)
        if removed or added:
            strata(rules.values())
        return rules

    def _complete_predicates(self, predicates: Iterable[PredicateId]) -> None:
        """Make predicates complete, and those that they depend on.

        Raises BeyondEngineError, and the errors of consequences.
        """
        rules: dict[PredicateId, list[CodedRule]] = {}
        for rule in self._rules.values():
            rules.setdefault(rule.head.predicate, []).append(rule)
        reached = self._reached(predicates, rules)
        before = set(self._complete)
        new = [number for number in reached if number not in before]
        try:
            for stratum in strata([rule for number in reached for rule in rules.get(number, ())]):
                concluded = {number: rules[number] for number in sorted(stratum - before) if number in rules}
                if concluded:
                    self._conclude(concluded)
            for number in new:
                self._complete.setdefault(number, given_table(number))
                self._check_constraints(number, self._table)
        except BaseException:
            self._forget_consequences(retained=before)
            raise

    def _reached(
        self, predicates: Iterable[PredicateId], rules: Mapping[PredicateId, Sequence[CodedRule]]
    ) -> list[PredicateId]:
        """Return predicates, their dependencies, and the predicates that count the members of their sets."""
        reached: dict[PredicateId, None] = {}
        todo = list(predicates)
        while todo:
            number = todo.pop()
            if number not in reached:
                reached[number] = None
                todo += [read for rule in rules.get(number, ()) for read in _predicates_of(rule.body)]
                todo += self._counting.get(number, ())
        return list(reached)

    def _conclude(self, rules: Mapping[PredicateId, Sequence[CodedRule]]) -> None:
        """Make the table `all_N` of each predicate of a stratum. `rules` conclude them.

        The other predicates that the rules read are complete. Raises ArithmeticOverflowError, FactLimitError.
        """
        own = [rule for each in rules.values() for rule in each]
        most = self._limits.facts
        if most is not None:
            sizes = {**self._given_sizes, **self._derived_sizes}
            most -= sum(size for number, size in sizes.items() if number not in rules)
        arities = {number: self._predicates[number].arity for number in rules}
        evaluation = StratumEvaluation(self._database, arities, own, self._table, most)
        evaluation.run()
        self._complete.update((number, all_table(number)) for number in rules)
        self._derived_sizes |= evaluation.sizes
        if evaluation.is_overfull:
            assert self._limits.facts is not None
            raise FactLimitError(self._limits.facts)
        for rule in own:
            self._check_overflow(evaluation.translated(rule), rule.id, rule.variables)

    def _translated(self, body: Conjunction, rule: RuleId) -> SqlConjunction:
        """Return a body in SQL. `rule` is its rule, or None for a query."""
        return SqlTranslator(self._table, rule).conjunction(body, {})

    def _check_overflow(self, found: SqlConjunction, rule: RuleId, width: int) -> None:
        """Raise ArithmeticOverflowError for an instance without a truth value.

        `width` is the number of variables.
        """
        if not found.truth.may_be_null:
            return
        values = [found.values[index].sql if index in found.values else "NULL" for index in range(width)]
        for row in self._database.all(f"{found.select(', '.join(values) or '1', found.is_unknown)} LIMIT 1"):
            raise ArithmeticOverflowError(rule, row if values else ())

    def _check_constraints(self, number: PredicateId, table: Callable[[PredicateId], str]) -> None:
        """Raise KeyConflictError or OverfullSetError if the facts violate a constraint of a predicate.

        `table` returns the table with the facts of a predicate.
        """
        predicate = self._predicates[number]
        if predicate.key is not None:
            names = column_names(predicate.arity)
            grouped = f" GROUP BY {', '.join(names[: predicate.key])}" if predicate.key else ""
            row = f"ROW({', '.join(names)})"
            found = self._database.all(
                f"SELECT min({row}), max({row}) FROM {table(number)}{grouped} HAVING count(*) > 1 LIMIT 1"
            )
            for one, other in found:
                raise KeyConflictError(Fact(number, tuple(one)), Fact(number, tuple(other)))
        counting = ((other, number) for other in self._counting.get(number, ()))
        for count, member in ((number, predicate.counts), *counting):
            if member is not None:
                self._check_count(count, member, table)

    def _check_count(
        self, count: PredicateId, member: PredicateId, table: Callable[[PredicateId], str]
    ) -> None:
        """Raise OverfullSetError if a set has more members than a fact of the predicate `count` states."""
        *key, size = column_names(self._predicates[count].arity)
        same = " AND ".join(f"m.{name} = n.{name}" for name in key) or "TRUE"
        names = ", ".join(f"n.{name}" for name in (*key, size))
        found = self._database.all(
            f"SELECT {names}, count(m.c0) FROM {table(count)} AS n LEFT JOIN {table(member)} AS m ON {same}"
            f" GROUP BY {names} HAVING count(m.c0) > n.{size} LIMIT 1"
        )
        for *cells, members in found:
            raise OverfullSetError(Fact(count, tuple(cells)), members)

    def _forget_consequences(self, retained: Iterable[PredicateId] = ()) -> None:
        """Drop the tables with concluded facts, except those of the predicates `retained`."""
        forgotten = [(number, self._complete.pop(number)) for number in self._complete.keys() - set(retained)]
        for number, _ in forgotten:
            self._derived_sizes.pop(number, None)
        derived = [table for number, table in forgotten if table != given_table(number)]
        if derived:
            self._database.clean_up(f"DROP TABLE {table}" for table in derived)

    def _table(self, number: PredicateId) -> str:
        """Return the table of a complete predicate. Before that, it is the table of its given facts."""
        return self._complete.get(number, given_table(number))

    # DuckDB

    def _rows(self, sql: str, width: int) -> list[Row]:
        """Return the rows of a query. Raises MemoryLimitError if they need too much memory."""
        most = self._most_answers(_ROW_BYTES + _OBJECT_BYTES * width)
        rows = self._database.all(_first(sql, most))
        self._check_answers(len(rows), most)
        return rows if width else [() for _ in rows]

    def _most_answers(self, size: int) -> int | None:
        """Return the number of answers, each of `size` bytes, that the limit of memory allows."""
        return None if self._limits.bytes is None else self._limits.bytes // max(size, 1)

    def _check_answers(self, number: int, most: int | None) -> None:
        """Raise MemoryLimitError for more than `most` answers."""
        if most is not None and number > most:
            assert self._limits.bytes is not None
            raise MemoryLimitError(self._limits.bytes)

    def _has(self, table: str, cells: Sequence[Cell]) -> bool:
        same = (
            " AND ".join(f"{column(place)} = {literal(cell)}" for place, cell in enumerate(cells)) or "TRUE"
        )
        return bool(self._database.all(f"SELECT 1 FROM {table} WHERE {same} LIMIT 1"))


def _first(sql: str, most: int | None) -> str:
    """Return a query for one more than `most` rows of a query, or for all."""
    return sql if most is None else f"{sql} LIMIT {most + 1}"


def _predicates_of(body: Sequence[CodedCondition]) -> list[PredicateId]:
    """Return the predicates that a body reads."""
    return [number for number, _ in predicates_read(body)]
