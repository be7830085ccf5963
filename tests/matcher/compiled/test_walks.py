"""Random walks of the compiled and the plain engine: both have the same state after every step.

Each test counts the situations that its walks reach, and asserts that they suffice. The long run is
benchmarks/fuzz/walks.py.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from oracles.engine.side_by_side import EngineDifference
from oracles.walks.random_walks import FAMILIES, wander
from oracles.walks.walk_events import Tally
from oracles.walks.walk_reports import report

PROGRAMS = {"recursive": 80, "walled": 140}
"""The number of programs of each family; the default is 100."""

pytestmark = pytest.mark.deep
OFTEN: Mapping[str, int] = {
    "steps": 1_200,
    "refused": 60,
    "refused: MalformedError": 12,
    "refused: MarkError": 8,
    "refused: UnsafeRuleError": 8,
    "a query with answers": 60,
    "derivations asked for": 200,
    "a pop that changes something": 16,
    "a pop that changes something, under another mark": 8,
    "a fact of a recursive predicate is removed": 40,
    "a derived fact is given too": 6,
    "a given fact is retracted and stays, since it is derived": 4,
}
MET: Mapping[str, Mapping[str, int]] = {
    "plain": {"a circle of facts is removed": 8, "refused: KeyConflictError": 1},
    "everything": {
        "refused: OverfullSetError": 1,
        "a fact of a recursive predicate is derived another way": 8,
    },
    "calls": {"a fact of a recursive predicate is derived another way": 8},
    "huge": {"refused: ArithmeticOverflowError": 16},
    "walled": {"refused: OverfullSetError": 24},
    "limits": {"refused: FactLimitError": 8, "refused: MemoryLimitError": 8},
    "recursive": {
        "a circle of facts is removed": 40,
        "a fact of a recursive predicate is removed": 1_200,
        "a fact of a recursive predicate is derived another way": 120,
        "a derived fact stays, since it is given": 8,
        "a derived predicate becomes recursive": 8,
        "a predicate is recursive no more": 8,
        "AllOf in a recursion begins": 6,
        "AllOf in a recursion ends": 6,
        "CountOf in a recursion begins": 20,
        "CountOf in a recursion ends": 20,
        "an absence of derived facts begins": 12,
        "an absence of derived facts ends": 12,
        "an aggregate over derived facts begins": 40,
        "an aggregate over derived facts ends": 40,
        "refused: FactLimitError": 1,
        "refused: MemoryLimitError": 1,
        "refused: NotStratifiedError": 1,
    },
}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_engines_know_the_same_after_every_step(family, times):
    programs = PROGRAMS.get(family, 100)
    tally = Tally()
    for seed in range(programs * times):
        try:
            wander(seed, family, tally)
        except EngineDifference as difference:
            pytest.fail(f"{family} {seed}: {report(difference)}", pytrace=False)
    print("\n".join(f"{number:7} {event}" for event, number in sorted(tally.items())))
    too_rare = {
        event: tally[event] for event, least in {**OFTEN, **MET[family]}.items() if tally[event] < least
    }
    assert not too_rare
