"""Peer DuckDB: recursive common table expressions, one query per rule; updates query everything again."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb

from benchmarks.engine.measure import (
    Outcome,
    Stopwatch,
    Task,
    UnsuitedError,
    checksum_in_sql,
    median,
    resident,
)
from benchmarks.engine.program_text import Clause, Program, Row, read

RERUNS = 3

CLOSURE = """
path(c0, c1) AS (
    SELECT c0, c1 FROM edge
    UNION
    SELECT p.c0, e.c1 FROM path p JOIN edge e ON e.c0 = p.c1)
"""
SAME_GENERATION = """
same(c0, c1) AS (
    SELECT a.c1, b.c1 FROM parent a JOIN parent b ON b.c0 = a.c0
    UNION
    SELECT a.c1, b.c1 FROM same s JOIN parent a ON a.c0 = s.c0 JOIN parent b ON b.c0 = s.c1)
"""
# Two of the rules join the new facts with all facts so far, which are `recurring`.
POINTS_TO = """
points(c0, c1) USING KEY (c0, c1) AS (
    SELECT c0, c1 FROM address
    UNION (
    SELECT s.c0, p.c1 FROM points p JOIN assign s ON s.c1 = p.c0
    UNION ALL
    SELECT l.c0, q.c1 FROM points p JOIN load l ON l.c1 = p.c0 JOIN recurring.points q ON q.c0 = p.c1
    UNION ALL
    SELECT l.c0, q.c1 FROM points q JOIN recurring.points p ON p.c1 = q.c0 JOIN load l ON l.c1 = p.c0
    UNION ALL
    SELECT p.c1, q.c1 FROM points p JOIN store s ON s.c0 = p.c0 JOIN recurring.points q ON q.c0 = s.c1
    UNION ALL
    SELECT p.c1, q.c1 FROM points q JOIN store s ON s.c1 = q.c0 JOIN recurring.points p ON p.c0 = s.c0))
"""
EXPRESSIONS = {
    "closure-chain": CLOSURE,
    "closure-random": CLOSURE,
    "same-generation": SAME_GENERATION,
    "points-to": POINTS_TO,
}


def run(task: Task) -> Outcome:
    program = read(task.program)
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    outcome = _many_rules(program, connection) if program.updates else _saturate(task, program, connection)
    outcome.version = f"DuckDB {duckdb.__version__}"
    return outcome


def _tables(program: Program, connection: duckdb.DuckDBPyConnection) -> None:
    for number, predicate in enumerate(program.predicates):
        if number not in program.queried:
            columns = ", ".join(f"c{i} BIGINT" for i in range(predicate.arity))
            connection.execute(f"CREATE TABLE {predicate.name} ({columns})")
            _insert(connection, predicate.name, program.facts.get(number, []))


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: list[Row]) -> None:
    for first in range(0, len(rows), 1000):
        values = ", ".join(f"({', '.join(map(str, row))})" for row in rows[first : first + 1000])
        connection.execute(f"INSERT INTO {table} VALUES {values}")


def _saturate(task: Task, program: Program, connection: duckdb.DuckDBPyConnection) -> Outcome:
    if task.workload not in EXPRESSIONS:
        raise UnsuitedError(f"no recursive expression is written for {task.workload}")
    _tables(program, connection)
    (queried,) = program.queried
    name = program.predicates[queried].name
    columns = [f"c{i}" for i in range(program.predicates[queried].arity)]
    query = f"WITH RECURSIVE {EXPRESSIONS[task.workload]} SELECT count(*), {{}} FROM {name}"
    watch = Stopwatch()
    connection.execute(query.format("NULL")).fetchone()
    seconds = watch.seconds()
    found = connection.execute(query.format(checksum_in_sql(columns))).fetchone()
    assert found is not None
    return Outcome({"total": seconds}, {"tuples": found[0], "checksum": int(found[1])})


def _select(rule: Clause, program: Program) -> str:
    """Return a query for the matches of a rule, with the columns of its head."""
    places: dict[int, str] = {}
    tables, wheres = [], []
    for number, condition in enumerate(rule.body):
        if not isinstance(condition.predicate, int):
            left, right = (str(t) if t >= 0 else places[t] for t in condition.terms)
            wheres.append(f"{left} {condition.predicate} {right}")
            continue
        tables.append(f"{program.predicates[condition.predicate].name} t{number}")
        for column, term in enumerate(condition.terms):
            place = f"t{number}.c{column}"
            if term >= 0:
                wheres.append(f"{place} = {term}")
            elif term in places:
                wheres.append(f"{place} = {places[term]}")
            else:
                places[term] = place
    head = ", ".join(str(t) if t >= 0 else places[t] for t in rule.head.terms)
    return f"SELECT {head} FROM {', '.join(tables)} WHERE {' AND '.join(wheres)}"


def _prepared(program: Program) -> Iterator[str]:
    for number, rule in enumerate(program.rules()):
        assert isinstance(rule.head.predicate, int)
        table = program.predicates[rule.head.predicate].name
        yield f"PREPARE r{number} AS INSERT INTO {table} {_select(rule, program)}"


def _many_rules(program: Program, connection: duckdb.DuckDBPyConnection) -> Outcome:
    _tables(program, connection)
    before = resident()
    queried = [program.predicates[number] for number in program.queried]
    for predicate in queried:
        columns = ", ".join(f"c{i} BIGINT" for i in range(predicate.arity))
        connection.execute(f"CREATE TABLE {predicate.name} ({columns})")
    statements = list(_prepared(program))
    number = len(statements)
    watch = Stopwatch()
    for statement in statements:
        connection.execute(statement)
    adding = watch.seconds()
    watch = Stopwatch()
    _ask(connection, number)
    matching = watch.seconds()
    matches = total = 0
    for predicate in queried:
        names = [f"c{i}" for i in range(predicate.arity)]
        counted = f"SELECT count(*), coalesce({checksum_in_sql(names)}, 0) FROM {predicate.name}"
        found = connection.execute(counted).fetchone()
        assert found is not None
        matches, total = matches + found[0], total + int(found[1])
    used = resident() - before
    times, after = [], []
    for update in program.updates[:RERUNS]:
        for predicate in queried:
            connection.execute(f"DELETE FROM {predicate.name}")
        (point, _), (_, colour) = update.removed[1], update.added[1]
        table = program.predicates[update.added[0]].name
        watch = Stopwatch()
        connection.execute(f"UPDATE {table} SET c1 = {colour} WHERE c0 = {point}")
        _ask(connection, number)
        times.append(watch.seconds())
        after.append(
            sum(connection.execute(f"SELECT count(*) FROM {p.name}").fetchall()[0][0] for p in queried)
        )
    result = {"matches": matches, "checksum": total, "after": after}
    return Outcome({"add": adding, "match": matching, "update": median(times)}, result, used)


def _ask(connection: duckdb.DuckDBPyConnection, rules: int) -> None:
    connection.execute("BEGIN")
    for number in range(rules):
        connection.execute(f"EXECUTE r{number}")
    connection.execute("COMMIT")
