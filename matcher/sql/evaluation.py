"""The evaluation of one stratum by semi-naive iteration, with tables that DuckDB writes to disk.

Each round derives the facts that need a new fact of the round before. The table `all_N` has the facts of
predicate N so far, and `new_N_R` those of round R. A fact is new if `all_N` lacks it.

Source: Bancilhon and Ramakrishnan 1986.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from hornbook.matcher.program.coded import CodedRule, CodedTerm, Match, PredicateId, Var
from hornbook.matcher.program.conjunction import Conjunction
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.scope import predicates_read
from hornbook.matcher.sql.database import Database
from hornbook.matcher.sql.translation import SqlConjunction, SqlTranslator, column, literal

Tables = Callable[[PredicateId], str]
"""The table of a predicate's facts."""
_MOST_PARTS = 100
"""The number of rules in one statement. The time of DuckDB grows faster than the number of its parts."""


@dataclass(frozen=True, slots=True)
class _RecursiveRule:
    """A rule that reads predicates of its own stratum.

    Attributes:
        rule: The rule.
        body: Its body.
        matches: The predicates of its matches that belong to the stratum, by position among its matches.
        others: The predicates of the stratum that other conditions read. The rule is evaluated anew after
            each change of these.
    """

    rule: CodedRule
    body: Conjunction
    matches: Mapping[int, PredicateId]
    others: AbstractSet[PredicateId]

    @staticmethod
    def of(rule: CodedRule, stratum: AbstractSet[PredicateId]) -> _RecursiveRule | None:
        body = Conjunction.of_rule(rule)
        matches = {
            place: match.predicate for place, match in enumerate(body.matches) if match.predicate in stratum
        }
        residual = [each for each in rule.body if not isinstance(each, Match)]
        others = {number for number, _ in predicates_read(residual)} & stratum
        return _RecursiveRule(rule, body, matches, others) if matches or others else None

    def changed_tables(self, new: Mapping[PredicateId, str]) -> Iterator[Mapping[int, str]]:
        """Yield the tables of matches for each query that finds the instances with new facts.

        `new` are the tables of new facts. Those of the first round are the tables of all facts.
        """
        if self.others & new.keys():
            yield {}
            return
        for place, number in self.matches.items():
            if number in new:
                yield {place: new[number]}
                if new[number] == all_table(number):
                    return


class StratumEvaluation:
    """The facts of the predicates of a stratum, given and derived.

    `rules` are those that conclude them, and `arities` the numbers of columns. The other predicates that the
    rules read are complete in the tables of `table_of`. More than `most` facts are not all derived.
    """

    def __init__(
        self,
        database: Database,
        arities: Mapping[PredicateId, int],
        rules: Sequence[CodedRule],
        table_of: Tables,
        most: int | None,
    ) -> None:
        self._database = database
        self._arities = arities
        self._table_of = table_of
        self._most = most
        self.sizes = dict.fromkeys(arities, 0)
        """The numbers of facts so far."""
        self._temporary: set[str] = set()
        self._recursive: dict[PredicateId, list[_RecursiveRule]] = {}
        self._others: dict[PredicateId, list[CodedRule]] = {}
        for rule in rules:
            if recursive := _RecursiveRule.of(rule, arities.keys()):
                self._recursive.setdefault(rule.head.predicate, []).append(recursive)
            else:
                self._others.setdefault(rule.head.predicate, []).append(rule)

    def translated(self, rule: CodedRule) -> SqlConjunction:
        """Return the body of a rule in SQL, which reads all facts so far."""
        return SqlTranslator(self._table, rule.id).conjunction(Conjunction.of_rule(rule), {})

    def run(self) -> None:
        """Make the table `all_N` of each predicate. They are incomplete if there are more facts than `most`.

        Raises BeyondEngineError, LimitError or KeyboardInterrupt. Then there are no tables.
        """
        try:
            self._first_round()
            new = {number: all_table(number) for number in self._arities}
            number = 0
            while new and self._recursive and not self.is_overfull:
                number += 1
                new = self._next_round(number, new)
            self._drop(self._temporary)
        except BaseException:
            tables = (*map(all_table, self._arities), *self._temporary)
            self._database.clean_up(f"DROP TABLE IF EXISTS {table}" for table in tables)
            raise

    @property
    def is_overfull(self) -> bool:
        """Whether there are more facts than `most`."""
        return self._most is not None and sum(self.sizes.values()) > self._most

    @property
    def _limit(self) -> str:
        """The SQL that limits the number of new facts, one more than allowed."""
        return "" if self._most is None else f" LIMIT {max(self._most - sum(self.sizes.values()), 0) + 1}"

    def _table(self, number: PredicateId) -> str:
        return all_table(number) if number in self._arities else self._table_of(number)

    def _first_round(self) -> None:
        """Make the tables of given facts, and of conclusions that need no fact of the stratum."""
        for number in self._arities:
            parts = [f"FROM {given_table(number)}"]
            for rule in self._others.get(number, ()):
                found = self.translated(rule)
                parts.append(found.select(_head_values(rule.head.terms, found), found.holds))
            query = f"FROM ({' UNION '.join(parts[:_MOST_PARTS])}){self._limit}"
            self.sizes[number] = self._made(f"CREATE TABLE {all_table(number)} AS {query}")
            for first in range(_MOST_PARTS, len(parts), _MOST_PARTS):
                rows = self._unknown_rows(number, parts[first : first + _MOST_PARTS])
                self.sizes[number] += self._made(f"INSERT INTO {all_table(number)} {rows}")

    def _next_round(self, number: int, new: Mapping[PredicateId, str]) -> dict[PredicateId, str]:
        """Add the facts that need a fact of the tables `new`, and return the tables of the added ones."""
        found = {}
        for head, rules in self._recursive.items():
            selects = [select for rule in rules for select in self._selects(rule, new)]
            if selects:
                table = f"temp.new_{head}_{number}"
                self._temporary.add(table)
                rows = self._unknown_rows(head, selects)
                if size := self._made(f"CREATE TEMP TABLE {table} AS {rows}"):
                    found[head] = table
                    self.sizes[head] += size
        for head, table in found.items():
            self._database.all(f"INSERT INTO {all_table(head)} FROM {table}")
        self._drop(self._temporary - set(found.values()))
        return found

    def _drop(self, tables: AbstractSet[str]) -> None:
        for table in sorted(tables):
            self._database.all(f"DROP TABLE {table}")
            self._temporary.remove(table)

    def _selects(self, rule: _RecursiveRule, new: Mapping[PredicateId, str]) -> Iterator[str]:
        """Yield queries for the heads of all instances of a rule with a new fact."""
        for tables in rule.changed_tables(new):
            found = SqlTranslator(self._table, rule.rule.id).conjunction(rule.body, {}, tables)
            yield found.select(_head_values(rule.rule.head.terms, found), found.holds)

    def _unknown_rows(self, head: PredicateId, selects: Sequence[str]) -> str:
        """Return a query for the rows of queries that are no known facts, as many as the limit allows."""
        names = column_names(self._arities[head])
        rows = f"({' UNION ALL '.join(selects)}) AS r({', '.join(names)})"
        return f"{unknown_rows(rows, all_table(head), names)}{self._limit}"

    def _made(self, statement: str) -> int:
        """Run a statement that makes a table, and return the number of its rows."""
        ((size,),) = self._database.all(statement)
        return int(size)


def unknown_rows(rows: str, table: str, names: Sequence[str]) -> str:
    """Return a query for the distinct rows of a source in SQL that a table with the same columns lacks."""
    # DuckDB may build the hash table of this join from either side, but that of NOT EXISTS only from `table`.
    return f"FROM (SELECT DISTINCT * FROM {rows}) AS found ANTI JOIN {table} USING ({', '.join(names)})"


def given_table(number: PredicateId) -> str:
    """Return the table of a predicate's given facts."""
    return f"given_{number}"


def all_table(number: PredicateId) -> str:
    """Return the table of the facts of a predicate that rules conclude."""
    return f"all_{number}"


def column_names(arity: int) -> list[str]:
    """Return the names of the columns of a predicate's table; a table has at least one."""
    return [column(place) for place in range(max(arity, 1))]


def _head_values(terms: Sequence[CodedTerm], found: SqlConjunction) -> str:
    """Return SQL for the values of a rule's head; zero for a predicate without columns."""
    values = [found.values[term.index].sql if isinstance(term, Var) else literal(term) for term in terms]
    return ", ".join(values) or literal(0)
