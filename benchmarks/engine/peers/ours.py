"""Hornbook's engines: the compiled one, without and with derivations, and the plain one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Literal

import hornbook
from benchmarks.engine import go_search
from benchmarks.engine.measure import (
    Outcome,
    Stopwatch,
    Task,
    UnsuitedError,
    checksum,
    checksum_of_columns,
    median,
    resident,
)
from benchmarks.engine.program_text import Clause, Condition, Program, read
from hornbook.matcher.program.coded import (
    CodedCondition,
    CodedPredicate,
    CodedRule,
    CodedTerm,
    Compare,
    Fact,
    Limits,
    Match,
    Var,
)

ENGINES: dict[str, tuple[str, Literal["none", "one"]]] = {
    "hornbook": ("compiled", "none"),
    "hornbook-one": ("compiled", "one"),
    "reference": ("plain", "none"),
}
"""Engine and recorded derivations, by the name of the peer."""


KEYS = {"colour": 1, "liberties": 1}
"""Keys: one colour and one number of liberties per point, as a theory declares it."""


def run(task: Task) -> Outcome:
    outcome = _measured(task)
    outcome.version = f"Hornbook {hornbook.__version__}"
    return outcome


def make_engine(peer: str, predicates: Sequence[CodedPredicate]) -> Any:
    """Return the engine of a peer. Raise UnsuitedError if it is not built."""
    which, derivations = ENGINES[peer]
    limits = Limits(facts=None)
    if which == "plain":
        from oracles.reference.engine import ReferenceEngine  # noqa: PLC0415 - a process imports what it measures

        return ReferenceEngine(predicates, derivations=derivations, limits=limits)
    try:
        from hornbook.matcher.compiled.engine import CompiledEngine  # noqa: PLC0415 - the same
    except ImportError as problem:
        raise UnsuitedError(f"the compiled engine is not built: {problem}") from problem
    return CompiledEngine(predicates, derivations=derivations, limits=limits)


def _measured(task: Task) -> Outcome:
    if task.workload == "search":
        return _search(task)
    program = read(task.program)
    predicates = [CodedPredicate(p.arity, KEYS.get(p.name)) for p in program.predicates]
    engine = make_engine(task.peer, predicates)
    if program.updates:
        return _many_rules(program, engine)
    return _saturate(program, engine)


def _rules(program: Program) -> Iterator[CodedRule]:
    for number, clause in enumerate(program.rules()):
        head = Match(_number(clause.head), tuple(map(_term, clause.head.terms)))
        yield CodedRule(number, head, tuple(map(_condition, clause.body)), _variables(clause))


def _variables(clause: Clause) -> int:
    return max(0, *(-term for condition in clause.body for term in condition.terms))


@cache  # rules share conditions, and need no copies of them
def _condition(condition: Condition) -> CodedCondition:
    if isinstance(condition.predicate, int):
        return Match(condition.predicate, tuple(map(_term, condition.terms)))
    left, right = map(_term, condition.terms)
    return Compare(condition.predicate, left, right)


def _number(condition: Condition) -> int:
    assert isinstance(condition.predicate, int)
    return condition.predicate


@cache
def _term(term: int) -> CodedTerm:
    return term if term >= 0 else Var(-1 - term)


def _facts(program: Program) -> list[Fact]:
    return [Fact(predicate, row) for predicate, rows in program.facts.items() for row in rows]


def _found(engine: Any, predicate: int) -> tuple[int, int]:
    """Return the number of facts of a predicate, and their checksum."""
    rows = _count(engine, predicate)
    if not rows:
        return 0, 0
    if hasattr(engine, "columns"):
        return rows, checksum_of_columns(engine.columns(predicate))
    return rows, checksum(engine.facts(predicate))


def _count(engine: Any, predicate: int) -> int:
    return engine.count(predicate) if hasattr(engine, "count") else len(engine.facts(predicate))


def _saturate(program: Program, engine: Any) -> Outcome:
    rules, facts = list(_rules(program)), _facts(program)
    (queried,) = program.queried
    watch = Stopwatch()
    engine.update(add=facts, add_rules=rules)
    _count(engine, queried)
    seconds = watch.seconds()
    tuples, total = _found(engine, queried)
    return Outcome({"total": seconds}, {"tuples": tuples, "checksum": total})


def _many_rules(program: Program, engine: Any) -> Outcome:
    facts = _facts(program)
    if hasattr(engine, "columns"):
        import_module("numpy")  # as for any caller that reads columns; it is not memory of the rules
    before = resident()
    rules = list(_rules(program))
    watch = Stopwatch()
    engine.update(add_rules=rules)
    adding = watch.seconds()
    number = len(rules)
    rules.clear()
    watch = Stopwatch()
    change = engine.update(add=facts)
    len(change.added)
    matching = watch.seconds()
    del change
    matched = [_found(engine, predicate) for predicate in program.queried]
    count, total = sum(n for n, _ in matched), sum(s for _, s in matched)
    times, after, changed, changed_total = [], [], 0, 0
    running = count
    for update in program.updates:
        old, new = Fact(*update.removed), Fact(*update.added)
        watch = Stopwatch()
        change = engine.update(retract=[old], add=[new])
        reported = [_reported(part, program.queried) for part in (change.removed, change.added)]
        times.append(watch.seconds())
        (removed, removed_total), (added, added_total) = map(_summed, reported)
        running += added - removed
        changed += added + removed
        changed_total += added_total + removed_total
        after.append(running)
        del change, reported
    result = {
        "matches": count,
        "checksum": total,
        "after": after,
        "changed": changed,
        "changed checksum": changed_total,
    }
    # Our rules are objects in memory, so they are already read.
    seconds = {
        "add": adding,
        "add once read": adding,
        "match": matching,
        "first update": times[0],
        "update": median(times[1:]),
    }
    return Outcome(seconds, result, resident() - before, notes={"rules": number})


def _reported(part: Any, queried: Sequence[int]) -> Any:
    """Return all changed matches, as columns if the engine provides them."""
    if hasattr(part, "columns"):
        return [part.columns(predicate) for predicate in queried]
    numbers = set(queried)
    return [fact.cells for fact in part if fact.predicate in numbers]


def _summed(reported: Any) -> tuple[int, int]:
    if reported and hasattr(reported[0][0], "dtype"):
        full = [columns for columns in reported if len(columns[0])]
        return sum(len(columns[0]) for columns in full), sum(map(checksum_of_columns, full))
    return len(reported), checksum(reported)


def _search(task: Task) -> Outcome:
    """Run cycles of push, play, saturate and pop for every legal move of each position, and collect the
    legal moves after it.
    """
    game = go_search.game(task.size, task.seed)
    engine = make_engine(task.peer, game.predicates)
    engine.update(add=game.theory_facts, add_rules=game.rules)
    seconds, cycles, legal, given = 0.0, 0, 0, list[Fact]()
    for position in game.positions:
        engine.update(retract=given, add=position.facts)
        given = position.facts
        assert len(engine.facts(game.legal)) == len(position.plays), "other moves are legal than are played"
        for play in position.plays:
            engine.push()
            engine.update(retract=play.removed, add=play.added)
            legal += len(engine.facts(game.legal))
            engine.pop()
        watch = Stopwatch()
        for play in position.plays:
            engine.push()
            engine.update(retract=play.removed, add=play.added)
            engine.pop()
        seconds += watch.seconds()
        cycles += len(position.plays)
    return Outcome(
        {"cycle": seconds / cycles},
        {"cycles": cycles, "legal": legal},
        notes={"changed facts": game.changed_facts},
    )
