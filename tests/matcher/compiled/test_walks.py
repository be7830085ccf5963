"""The compiled engine beside the plain one on random walks: the same after every step.

Each test counts what its walks have met, and asserts that it was enough. The long run is
benchmarks/fuzz/walks.py.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from oracles.engine.side_by_side import Difference
from oracles.walks.random_walks import FAMILIES, wander
from oracles.walks.walk_events import Tally
from oracles.walks.walk_reports import report

PROGRAMS = {"recursive": 200, "walled": 350}
"""Programs of a family; 250 where nothing else is said."""
OFTEN: Mapping[str, int] = {
    "steps": 3_000,
    "refused": 150,
    "refused: MalformedError": 30,
    "refused: MarkError": 20,
    "refused: UnsafeRuleError": 20,
    "a query with answers": 150,
    "derivations asked for": 500,
    "a pop that changes something": 60,
    "a pop that changes something, under another mark": 20,
    "a fact of a recursive predicate is removed": 100,
    "a derived fact is given too": 15,
    "a given fact is retracted and stays, since it is derived": 10,
}
MET: Mapping[str, Mapping[str, int]] = {
    "plain": {"a circle of facts is removed": 20, "refused: KeyConflictError": 1},
    "everything": {
        "refused: OverfullSetError": 2,
        "a fact of a recursive predicate is derived another way": 20,
    },
    "calls": {"a fact of a recursive predicate is derived another way": 20},
    "huge": {"refused: ArithmeticOverflowError": 40},
    "walled": {"refused: OverfullSetError": 60},
    "limits": {"refused: FactLimitError": 20, "refused: MemoryLimitError": 20},
    "recursive": {
        "a circle of facts is removed": 100,
        "a fact of a recursive predicate is removed": 3_000,
        "a fact of a recursive predicate is derived another way": 300,
        "a derived fact stays, since it is given": 20,
        "a derived predicate becomes recursive": 20,
        "a predicate is recursive no more": 20,
        "AllOf in a recursion begins": 15,
        "AllOf in a recursion ends": 15,
        "CountOf in a recursion begins": 50,
        "CountOf in a recursion ends": 50,
        "an absence of derived facts begins": 30,
        "an absence of derived facts ends": 30,
        "an aggregate over derived facts begins": 100,
        "an aggregate over derived facts ends": 100,
        "refused: FactLimitError": 2,
        "refused: MemoryLimitError": 2,
        "refused: NotStratifiedError": 1,
    },
}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_engines_know_the_same_after_every_step(family, times):
    programs = PROGRAMS.get(family, 250)
    tally = Tally()
    for seed in range(programs * times):
        try:
            wander(seed, family, tally)
        except Difference as difference:
            pytest.fail(f"{family} {seed}: {report(difference)}", pytrace=False)
    print("\n".join(f"{number:7} {event}" for event, number in sorted(tally.items())))
    too_rare = {
        event: tally[event] for event, least in {**OFTEN, **MET[family]}.items() if tally[event] < least
    }
    assert not too_rare
