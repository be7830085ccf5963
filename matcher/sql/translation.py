"""Conjunctions as SQL. Every cell is a BIGINT; NULL represents arithmetic without a value.

SQL's three truth values are those of the conditions: a comparison with NULL is NULL, and the truth of a
conjunction is that of its least true condition. So an instance of a rule holds if the conjunction is TRUE,
and overflows if it is NULL. A variable is the expression that binds it: a column of a joined table, or
arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import count
from types import MappingProxyType

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    Apply,
    Call,
    ClosedSet,
    CodedExpression,
    CodedTerm,
    Compare,
    CountOf,
    Match,
    PredicateId,
    RuleId,
    Var,
)
from hornbook.matcher.program.conjunction import Conjunction, PendingCondition
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.errors import BeyondEngineError
from hornbook.matcher.program.scope import variables

MACROS = """
CREATE MACRO checked(r) AS TRY_CAST(r AS BIGINT);
CREATE MACRO plus(a, b) AS checked(a::HUGEINT + b::HUGEINT);
CREATE MACRO minus(a, b) AS checked(a::HUGEINT - b::HUGEINT);
CREATE MACRO times(a, b) AS checked(a::HUGEINT * b::HUGEINT);
CREATE MACRO over(a, b) AS CASE WHEN b = 0 THEN NULL ELSE
    checked((sign(b)::HUGEINT * a::HUGEINT + abs(b::HUGEINT) * 9223372036854775808::HUGEINT)
        // abs(b::HUGEINT) - 9223372036854775808::HUGEINT) END;
CREATE MACRO modulo(a, b) AS CASE WHEN b = 0 THEN NULL ELSE
    checked((a::HUGEINT % b::HUGEINT + b::HUGEINT) % b::HUGEINT) END;
CREATE MACRO bits_and(a, b) AS a::BIGINT & b::BIGINT;
CREATE MACRO bits_or(a, b) AS a::BIGINT | b::BIGINT;
CREATE MACRO bits_xor(a, b) AS xor(a::BIGINT, b::BIGINT);
CREATE MACRO shifted_left(a, b) AS CASE WHEN b BETWEEN 0 AND 63 THEN
    checked(a::HUGEINT * (1::HUGEINT << greatest(least(b, 63), 0)::HUGEINT)) END;
CREATE MACRO shifted_right(a, b) AS CASE WHEN b BETWEEN 0 AND 63 THEN
    a::BIGINT >> greatest(least(b, 63), 0)::BIGINT END;
CREATE MACRO lesser(a, b) AS CASE WHEN a <= b THEN a WHEN b < a THEN b END;
CREATE MACRO greater(a, b) AS CASE WHEN a >= b THEN a WHEN b > a THEN b END;
CREATE MACRO lesser_once(a, b) AS
    list_transform([{'a': a, 'b': b}],
        lambda t: CASE WHEN t.a <= t.b THEN t.a WHEN t.b < t.a THEN t.b END)[1];
CREATE MACRO greater_once(a, b) AS
    list_transform([{'a': a, 'b': b}],
        lambda t: CASE WHEN t.a >= t.b THEN t.a WHEN t.b > t.a THEN t.b END)[1];
"""
"""Arithmetic: the result, or NULL if it leaves 64 bits, does not exist, or has an operand without a value.

A macro copies its parameters, so nested calculations need macros that contain their dividend, or both
operands of `min` and `max`, only once.
"""
_FUNCTIONS = {
    "+": "plus", "-": "minus", "*": "times", "//": "over", "mod": "modulo", "min": "lesser", "max": "greater",
    "bit_and": "bits_and", "bit_or": "bits_or", "bit_xor": "bits_xor", "shift_left": "shifted_left",
    "shift_right": "shifted_right",
}  # fmt: skip
_PLAIN_TEXT = 100
"""The most characters of both operands that `min` and `max` copy."""
_LONG_TEXT = 400
"""The number of characters from which on an expression is calculated in a source of its own."""
_MOST_RESULTS = 10
"""The maximal number of such sources in a rule. The time of DuckDB's planner grows exponentially with it."""


@dataclass(frozen=True, slots=True)
class Value:
    """An SQL expression; `may_be_null` tells whether it may be NULL."""

    sql: str
    may_be_null: bool = False


@dataclass(frozen=True, slots=True)
class SqlConjunction:
    """A conjunction in SQL.

    Attributes:
        values: The value of each bound variable.
        sources: The tables that it reads, each with its own alias.
        joins: The equalities of their columns.
        truth: The truth of the other conditions for the joined rows.
    """

    values: Mapping[int, Value]
    sources: Sequence[str]
    joins: Sequence[str]
    truth: Value

    def select(self, what: str, truth: str) -> str:
        """Return a query of the columns `what` of the joined rows for which the SQL `truth` is TRUE."""
        tables = f" FROM {', '.join(self.sources)}" if self.sources else ""
        return f"SELECT {what}{tables} WHERE {' AND '.join([*self.joins, f'({truth})'])}"

    @property
    def holds(self) -> str:
        """The condition for `select` that an instance holds."""
        return self.truth.sql

    @property
    def is_unknown(self) -> str:
        """The condition for `select` that an instance has no truth value."""
        return f"({self.truth.sql}) IS NULL"


def column(place: int) -> str:
    """Return the name of the column at an index of a predicate's table.

    The table has one column even if the predicate has none.
    """
    return f"c{place}"


def select_distinct(body: Conjunction, known: AbstractSet[int], chosen: Sequence[Var]) -> str:
    """Return the SQL that selects the distinct values of variables, from the joined rows of a conjunction.

    Rows are distinct anyway if the chosen and the known variables determine the fact of each match.
    """
    is_distinct = variables(body.matches) <= known | variables(tuple(chosen))
    return "SELECT" if is_distinct else "SELECT DISTINCT"


def literal(cell: int) -> str:
    """Return a cell as SQL."""
    return f"'{cell}'::BIGINT"


class SqlTranslator:
    """A translator for the body of a rule, or of a query if `rule` is None.

    `table_of` returns the table of a predicate's facts.
    """

    def __init__(self, table_of: Callable[[PredicateId], str], rule: RuleId) -> None:
        self._table_of = table_of
        self._rule = rule
        self._numbers = count()
        self._sources: list[str] = []
        self._results: dict[str, str] = {}
        self._number_of_results = 0

    def conjunction(
        self, body: Conjunction, known: Mapping[int, Value], tables: Mapping[int, str] = MappingProxyType({})
    ) -> SqlConjunction:
        """Return a conjunction in SQL, with some variables already bound. Raises BeyondEngineError.

        `tables` are those of some matches, by position among the matches of the body.
        """
        values, joins, truths = dict(known), [], []
        around = self._sources, self._results
        sources = self._sources = []
        self._results = {}
        for number, match in enumerate(body.matches):
            name, source = self._source(tables.get(number) or self._table_of(match.predicate))
            sources.append(source)
            for place, term in enumerate(match.terms):
                if isinstance(term, Var) and term.index not in values:
                    values[term.index] = Value(f"{name}.{column(place)}")
                else:
                    joins.append(f"{name}.{column(place)} = {self.expression(term, values).sql}")
        for read in body.reads:
            truths.append(self._truth(body, read, values))
        conditions = [truth.sql for truth in truths if truth.sql != "TRUE"]
        truth = Value(" AND ".join(conditions) or "TRUE", any(truth.may_be_null for truth in truths))
        self._sources, self._results = around
        return SqlConjunction(values, sources, joins, truth)

    def expression(self, expression: CodedExpression, values: Mapping[int, Value]) -> Value:
        """Return an expression in SQL, whose variables are bound. Raises BeyondEngineError."""
        if isinstance(expression, Var):
            return values[expression.index]
        if isinstance(expression, Call):
            raise BeyondEngineError(self._rule, f"it calls `{expression.function.name}`, which SQL has not")
        if not isinstance(expression, Apply):
            return Value(literal(expression))
        left, right = self.expression(expression.left, values), self.expression(expression.right, values)
        is_chosen = expression.operator in ("min", "max")
        are_plain = len(left.sql) + len(right.sql) <= _PLAIN_TEXT
        once = "_once" if is_chosen and not are_plain else ""
        sql = f"{_FUNCTIONS[expression.operator]}{once}({left.sql}, {right.sql})"
        return Value(self._short(sql), left.may_be_null or right.may_be_null or not is_chosen)

    def _short(self, sql: str) -> str:
        """Return a long expression as a column of a source of its own, so that it is calculated once."""
        if len(sql) <= _LONG_TEXT:
            return sql
        if sql not in self._results:
            self._number_of_results += 1
            if self._number_of_results > _MOST_RESULTS:
                raise BeyondEngineError(self._rule, "its arithmetic is too long as SQL")
            name = f"t{next(self._numbers)}"
            self._sources.append(f"(SELECT {sql} AS v) AS {name}")
            self._results[sql] = f"{name}.v"
        return self._results[sql]

    def _source(self, table: str) -> tuple[str, str]:
        """Return a new alias for a table, and the table with it."""
        name = f"t{next(self._numbers)}"
        return name, f"{table} AS {name}"

    def _truth(self, body: Conjunction, read: PendingCondition, values: dict[int, Value]) -> Value:
        """Return the truth of a condition. If it binds a variable, its value is added to `values`."""
        for index in read.gives & values.keys():
            if values[index].may_be_null and read.needs <= values.keys():
                reason = "two conditions give one variable a value, and the arithmetic of one may have none"
                raise BeyondEngineError(self._rule, reason)
        condition = body.conditions[read.place]
        lacking = [values[index].sql for index in read.needs & values.keys() if values[index].may_be_null]
        match condition:
            case Compare("=", left, right) if read.needs - values.keys():
                other = right if isinstance(left, Var) and left.index not in values else left
                (given,) = read.needs - values.keys()
                value = values[given] = self.expression(other, values)
                return Value(f"({value.sql} = {value.sql})", True) if value.may_be_null else Value("TRUE")
            case Compare(operator, left, right):
                one, two = self.expression(left, values), self.expression(right, values)
                return Value(f"({one.sql} {operator} {two.sql})", one.may_be_null or two.may_be_null)
            case AbsentOf():
                found = self._absent(self.conjunction(body.inner[read.place], values))
            case AllOf():
                found = self._all(condition, body.inner[read.place], values)
            case CountOf():
                found = self._count(condition, values)
            case AggregateOf():
                found = self._aggregate(condition, body.inner[read.place], values)
            case Match():
                raise AssertionError(condition)
        if not lacking:
            return found
        unknown = " OR ".join(f"({sql}) IS NULL" for sql in lacking)
        return Value(f"(CASE WHEN {unknown} THEN NULL ELSE {found.sql} END)", True)

    def _absent(self, inner: SqlConjunction) -> Value:
        """Return whether no instance of a conjunction holds; NULL if none does but some are unknown."""
        some = f"EXISTS ({inner.select('1', inner.holds)})"
        if not inner.truth.may_be_null:
            return Value(f"NOT {some}")
        unknown = f"EXISTS ({inner.select('1', inner.is_unknown)})"
        return Value(f"(CASE WHEN {some} THEN FALSE WHEN {unknown} THEN NULL ELSE TRUE END)", True)

    def _all(self, condition: AllOf, body: Conjunction, values: Mapping[int, Value]) -> Value:
        """Return whether enough members satisfy the conditions: at least as many as the count of the set."""
        closed = condition.set
        member, source = self._source(self._table_of(closed.member))
        places = range(len(closed.key), len(closed.key) + len(condition.members))
        seeds = {
            variable.index: Value(f"{member}.{column(place)}")
            for variable, place in zip(condition.members, places, strict=True)
        }
        inner = self.conjunction(body, {**values, **seeds})

        def enough_members(truth: str) -> str:
            some = f"EXISTS ({inner.select('1', truth)})"
            members = (
                f"SELECT count(*) FROM {source} WHERE {self._has_key(member, closed.key, values)} AND {some}"
            )
            return self._counted(closed, "<=", members, values)

        proved = enough_members(inner.holds)
        if not inner.truth.may_be_null:
            return Value(proved)
        possible = enough_members(f"({inner.holds}) IS NOT FALSE")
        return Value(f"(CASE WHEN {proved} THEN TRUE WHEN {possible} THEN NULL ELSE FALSE END)", True)

    def _count(self, condition: CountOf, values: dict[int, Value]) -> Value:
        """Return whether all members of the sets are known, and their number equals the result."""
        complete, members = [], []
        for closed in condition.sets:
            name, source = self._source(self._table_of(closed.member))
            where = f"FROM {source} WHERE {self._has_key(name, closed.key, values)}"
            complete.append(self._counted(closed, "=", f"SELECT count(*) {where}", values))
            places = range(len(closed.key), len(closed.key) + condition.width)
            members.append(f"SELECT {', '.join(f'{name}.{column(place)}' for place in places)} {where}")
        names = ", ".join(map(column, range(condition.width)))
        excluded = [f"u.c0 != {self.expression(term, values).sql}" for term in condition.excluded]
        union = f"({' UNION '.join(members)}) AS u({names})"
        number = Value(f"(SELECT count(*) FROM {union} WHERE {' AND '.join(['TRUE', *excluded])})")
        return self._equated(complete, condition.result, number, values)

    def _aggregate(self, condition: AggregateOf, body: Conjunction, values: dict[int, Value]) -> Value:
        """Return whether an aggregate of the answers has a value that equals the result."""
        inner = self.conjunction(body, values)
        chosen = [inner.values[variable.index].sql for variable in condition.variables]
        unknown = f"EXISTS ({inner.select('1', inner.is_unknown)})" if inner.truth.may_be_null else None
        # Use a separate table, because an aggregate of outer columns alone would belong to the outer query.
        what = ", ".join(f"{sql} AS v{place}" for place, sql in enumerate(chosen)) or "1 AS v0"
        rows = f"({inner.select(what, inner.holds)})"
        match condition.function:
            case "count":
                distinct = select_distinct(body, values.keys(), condition.variables)
                sql = f"(SELECT count(*) FROM ({distinct} * FROM {rows}))"
            case "sum":
                sql = f"(SELECT checked(coalesce(sum(v0), 0)) FROM {rows})"
            case function:
                sql = f"(SELECT {function}(v0) FROM {rows})"
        exists = [f"({sql}) IS NOT NULL"] if condition.function in ("min", "max") else []
        number = Value(sql, condition.function == "sum")
        if unknown is None:
            return self._equated(exists, condition.result, number, values)
        number = Value(f"(CASE WHEN {unknown} THEN NULL ELSE {sql} END)", True)
        found = self._equated(exists, condition.result, number, values)
        return Value(f"(CASE WHEN {unknown} THEN NULL ELSE {found.sql} END)", True)

    def _equated(
        self, others: Iterable[str], result: CodedExpression, number: Value, values: dict[int, Value]
    ) -> Value:
        """Return whether the conditions `others` hold and a result equals a number.

        An unbound variable as the result is bound to the number.
        """
        if isinstance(result, Var) and result.index not in values:
            values[result.index] = number = Value(self._short(number.sql), number.may_be_null)
        value = self.expression(result, values)
        conditions = " AND ".join([*others, f"{value.sql} = {number.sql}"])
        return Value(f"({conditions})", value.may_be_null or number.may_be_null)

    def _has_key(self, name: str, key: Sequence[CodedTerm], values: Mapping[int, Value]) -> str:
        """Return the condition that the first columns of the table with this alias equal a key."""
        same = [
            f"{name}.{column(place)} = {self.expression(term, values).sql}" for place, term in enumerate(key)
        ]
        return " AND ".join(same) or "TRUE"

    def _counted(self, closed: ClosedSet, operator: str, members: str, values: Mapping[int, Value]) -> str:
        """Return whether the count of a set is known and compares by `operator` with a number of members.

        `members` is a query for this number.
        """
        name, source = self._source(self._table_of(closed.count))
        where = f"{self._has_key(name, closed.key, values)} AND {name}.{column(len(closed.key))} {operator}"
        return f"EXISTS (SELECT 1 FROM {source} WHERE {where} ({members}))"
