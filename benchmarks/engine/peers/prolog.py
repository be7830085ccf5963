"""Peer SWI-Prolog: recursive predicates are tabled; updates evaluate all queries again.

Rules are read as text and asserted; the measure "add once read" is assertion only. Conditions keep their
order, except that the single recursive condition comes first, so that one table serves all calls. With two
recursive conditions, that order would join too much.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator

from benchmarks.engine.measure import Outcome, Task, UnsuitedError, why_it_ended
from benchmarks.engine.program_text import Clause, Condition, Program, Row, read

RERUNS = 5
"""Number of measured updates. Each evaluates all queries again."""
_OPERATORS = {"!=": "=\\=", "<=": "=<"}
_CHECKSUM = """
cells_value([], V, V).
cells_value([C|Cs], V0, V) :- V1 is (V0 * 1000003 + C) mod 1000000007, cells_value(Cs, V1, V).
row_value(Goal, V) :- Goal =.. [_|Cells], cells_value(Cells, 0, V).
total_of(Goals, Total) :-
    nb_setval(total, 0),
    forall((member(Goal, Goals), call(Goal)),
           (row_value(Goal, V), nb_getval(total, T), T1 is T + V, nb_setval(total, T1))),
    nb_getval(total, Total).
count_of(Goals, Count) :- aggregate_all(count, (member(Goal, Goals), call(Goal)), Count).
resident(Bytes) :-
    open('/proc/self/statm', read, S), read_string(S, _, Text), close(S),
    split_string(Text, " ", "", [_, Pages|_]), number_string(P, Pages), Bytes is P * 4096.
read_all(S, Ts) :- read_term(S, T, []), ( T == end_of_file -> Ts = [] ; Ts = [T|Rest], read_all(S, Rest) ).
terms_of(File, Terms) :- open(File, read, S), read_all(S, Terms), close(S).
assert_all([]).
assert_all([T|Ts]) :- assertz(T), assert_all(Ts).
"""


def run(task: Task) -> Outcome:
    if shutil.which("swipl") is None:
        raise UnsuitedError("there is no swipl")
    program = read(task.program)
    folder = task.program.parent
    rules, facts = folder / "rules.pl", folder / "facts.pl"
    rules.write_text("".join(f"{_rule(rule, program)}.\n" for rule in program.rules()), encoding="ascii")
    rows = ((program.predicates[p].name, row) for p, rows in program.facts.items() for row in rows)
    facts.write_text("".join(f"{_atom(name, row)}.\n" for name, row in rows), encoding="ascii")
    script = folder / "run.pl"
    tail = _many_rules(program) if program.updates else _recursive(program)
    script.write_text(_head(program) + _CHECKSUM + tail, encoding="ascii")
    command = [
        "swipl",
        "-q",
        "--stack-limit=8g",
        "--table-space=4g",
        "-g",
        "main",
        "-t",
        "halt",
        str(script),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        raise UnsuitedError(why_it_ended(done))
    found = json.loads(lines[-1])
    version = subprocess.run(["swipl", "--version"], capture_output=True, text=True, check=True).stdout
    return Outcome(found["seconds"], found["result"], found.get("bytes"), version.strip())


def _rule(rule: Clause, program: Program) -> str:
    recurring = [c for c in rule.body if c.predicate == rule.head.predicate]
    first = recurring if len(recurring) == 1 else []
    ordered = (*first, *_connected([c for c in rule.body if c not in first], first))
    return f"{_shown(rule.head, program)} :- {', '.join(_shown(c, program) for c in ordered)}"


def _connected(conditions: list[Condition], done: list[Condition]) -> Iterator[Condition]:
    """Yield the conditions in order, but each after one that shares a variable with it."""
    waiting, bound = list(conditions), {t for c in done for t in c.terms if t < 0}
    while waiting:
        ready = (c for c in waiting if not bound or bound & set(c.terms))
        chosen = next(ready, waiting[0])
        waiting.remove(chosen)
        bound |= {t for t in chosen.terms if t < 0}
        yield chosen


def _shown(condition: Condition, program: Program) -> str:
    terms = [str(t) if t >= 0 else f"V{-1 - t}" for t in condition.terms]
    if isinstance(condition.predicate, int):
        return f"{program.predicates[condition.predicate].name}({', '.join(terms)})"
    return f"{terms[0]} {_OPERATORS.get(condition.predicate, condition.predicate)} {terms[1]}"


def _atom(name: str, row: Row) -> str:
    return f"{name}({','.join(map(str, row))})"


def _head(program: Program) -> str:
    return "".join(f":- dynamic {p.name}/{p.arity}.\n" for p in program.predicates)


def _goals(program: Program) -> str:
    queried = [program.predicates[number] for number in program.queried]
    return "[" + ", ".join(f"{p.name}({', '.join('_' * p.arity)})" for p in queried) + "]"


def _recursive(program: Program) -> str:
    tables = "".join(
        f":- table {program.predicates[n].name}/{program.predicates[n].arity}.\n" for n in program.queried
    )
    return (
        tables
        + f"""
main :-
    terms_of('facts.pl', Facts), terms_of('rules.pl', Rules),
    Goals = {_goals(program)},
    statistics(cputime, T0),
    assert_all(Facts), assert_all(Rules),
    count_of(Goals, Count),
    statistics(cputime, T1), Seconds is T1 - T0,
    total_of(Goals, Total),
    format('{{"seconds": {{"total": ~6f}}, "result": {{"tuples": ~d, "checksum": ~d}}}}~n',
        [Seconds, Count, Total]).
"""
    )


def _many_rules(program: Program) -> str:
    updates = ", ".join(
        f"u({_atom(program.predicates[u.removed[0]].name, u.removed[1])}, "
        f"{_atom(program.predicates[u.added[0]].name, u.added[1])})"
        for u in program.updates[:RERUNS]
    )
    return f"""
update(Goals, u(Gone, Come), Seconds, Count) :-
    statistics(cputime, T0),
    retract(Gone), assertz(Come), count_of(Goals, Count),
    statistics(cputime, T1), Seconds is T1 - T0.
main :-
    terms_of('facts.pl', Facts), assert_all(Facts),
    Goals = {_goals(program)}, Updates = [{updates}],
    resident(B0),
    statistics(cputime, T0),
    terms_of('rules.pl', Rules),
    statistics(cputime, T1),
    assert_all(Rules),
    statistics(cputime, T2),
    count_of(Goals, Count),
    statistics(cputime, T3),
    Adding is T2 - T0, Asserting is T2 - T1, Matching is T3 - T2,
    total_of(Goals, Total),
    garbage_collect, trim_stacks,
    resident(B1), Bytes is B1 - B0,
    maplist(update(Goals), Updates, Times, After),
    msort(Times, Sorted), length(Sorted, Length), Middle is Length // 2, nth0(Middle, Sorted, Median),
    format('{{"seconds": {{"add": ~6f, "add once read": ~6f, "match": ~6f, "update": ~6f}}, ',
           [Adding, Asserting, Matching, Median]),
    format('"result": {{"matches": ~d, "checksum": ~d, "after": ~w}}, ', [Count, Total, After]),
    format('"bytes": ~d}}~n', [Bytes]).
"""
