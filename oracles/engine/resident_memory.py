"""Memory use of a process after very many pushes, updates and pops of the compiled engine.

Each round makes the calls of a search, and sometimes other calls, and restores the initial state. So the
memory must not grow.
"""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    Apply,
    CodedPredicate,
    CodedRule,
    Compare,
    Fact,
    Limits,
    Match,
    Var,
)
from hornbook.matcher.program.errors import EngineError, MalformedError

X, Y, Z = Var(0), Var(1), Var(2)
EDGE, PATH, LONE, NUMBER, AGE = range(5)
PREDICATES = [
    CodedPredicate(2),
    CodedPredicate(2),
    CodedPredicate(1),
    CodedPredicate(2),
    CodedPredicate(2, key=1),
]
RULES = [
    CodedRule("step", Match(PATH, (X, Y)), (Match(EDGE, (X, Y)),), 2),
    CodedRule("go on", Match(PATH, (X, Z)), (Match(PATH, (X, Y)), Match(EDGE, (Y, Z))), 3),
    CodedRule("lone", Match(LONE, (X,)), (Match(EDGE, (X, Y)), AbsentOf((Match(PATH, (Z, X)),))), 3),
    CodedRule(
        "many",
        Match(NUMBER, (X, Z)),
        (Match(LONE, (X,)), AggregateOf(Z, "count", (Y,), (Match(PATH, (X, Y)),))),
        3,
    ),
]
MORE = CodedRule("more", Match(LONE, (X,)), (Match(AGE, (X, Y)), Compare(">", Apply("*", Y, Y), 9)), 2)


def edges(*pairs: tuple[int, int]) -> list[Fact]:
    return [Fact(EDGE, pair) for pair in pairs]


def resident() -> int:
    """Return the resident memory of the process in bytes."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def one_round(engine: CompiledEngine, number: int) -> None:
    end = 10 + number % 5
    engine.push()
    change = engine.update(add=edges((3, end), (end, 1)), retract=edges((1, 2)))
    engine.push()
    engine.update(add=edges((1, 2)), retract=edges((end, 1)))
    engine.pop()
    if number % 10 == 0:
        with contextlib.suppress(MalformedError):
            engine.update(add=[*edges((8, 9)), Fact(EDGE, (1,))])
        with contextlib.suppress(EngineError):
            engine.update(add=[*edges((9, 8)), Fact(AGE, (1, 2)), Fact(AGE, (1, 3))])
        engine.query([Match(PATH, (X, Y)), Match(LONE, (X,))], [Y])
        for row in engine.facts(PATH):
            engine.derivation(Fact(PATH, row))
        assert len(change.added) == len(list(change.added))
        engine.columns(PATH)
    engine.pop()
    if number % 100 == 0:
        engine.update(add_rules=[MORE], add_columns={AGE: (np.arange(4), np.arange(4))})
        engine.update(remove_rules=["more"], retract_columns={AGE: (np.arange(4), np.arange(4))})
        CompiledEngine(PREDICATES).update(add=edges((1, 2)), add_rules=RULES)


def measured(rounds: int, parts: int = 10, tell: Callable[[int], object] | None = None) -> list[int]:
    """Return the resident bytes after each of `parts` equal parts of the rounds."""
    engine = CompiledEngine(PREDICATES, derivations="all", limits=Limits(facts=1_000))
    engine.update(add=edges((1, 2), (2, 3), (3, 1), (3, 4), (4, 5)), add_rules=RULES)
    before = [engine.facts(number) for number in range(len(PREDICATES))]
    found = []
    for part in range(parts):
        for number in range(rounds * part // parts, rounds * (part + 1) // parts):
            one_round(engine, number)
            if tell and number % 1_000 == 0:
                tell(number)
        found.append(resident())
    assert [engine.facts(number) for number in range(len(PREDICATES))] == before
    return found


def growth(measures: list[int]) -> int:
    """Return the growth of memory after the first fifth, in which reusable buffers reach their sizes."""
    return max(measures[len(measures) // 5 :]) - measures[len(measures) // 5]
