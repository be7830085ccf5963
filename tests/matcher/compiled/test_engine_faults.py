"""Tests of the random walks: a walk finds a faulty engine, and the printed example is short."""

from __future__ import annotations

import pytest

from oracles.engine.faults import FAULTS, FaultlessEngine
from oracles.engine.side_by_side import EngineDifference, replay
from oracles.walks.random_walks import FAMILIES, wander
from oracles.walks.walk_events import Tally
from oracles.walks.walk_reports import minimal
from oracles.walks.walk_steps import EngineWalk, Update

pytestmark = pytest.mark.deep


def first_difference(compiled: type, seeds: int) -> EngineDifference | None:
    for seed in range(seeds):
        for family in FAMILIES:
            try:
                wander(seed, family, Tally(), compiled)
            except EngineDifference as difference:
                return difference
    return None


def size(walk: EngineWalk) -> int:
    """Return the number of facts and rules in the updates."""
    updates = [step for step in walk.steps if isinstance(step, Update)]
    return sum(
        len(each.add) + len(each.retract) + len(each.add_rules) + len(each.remove_rules) for each in updates
    )


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_mistake_is_found_and_shown_by_a_short_walk(fault):
    difference = first_difference(fault, seeds=40)
    assert difference is not None
    assert difference.walk is not None
    walk = minimal(difference.walk, difference.kind, fault)
    with pytest.raises(EngineDifference) as caught:
        replay(walk, fault)
    assert caught.value.kind == difference.kind
    assert len(walk.steps) <= 6
    assert size(walk) <= 12


def test_no_mistake_is_found_where_there_is_none():
    assert first_difference(FaultlessEngine, seeds=20) is None


def test_a_walk_is_printed_as_a_program_that_walks_it():
    difference = first_difference(FAULTS[0], seeds=40)
    assert difference is not None
    assert difference.walk is not None
    program = str(difference.walk).removesuffix("replay(walk)\n")
    names: dict[str, object] = {}
    exec(compile(program, "walk", "exec"), names)
    assert names["walk"] == difference.walk


def test_a_walk_is_made_by_its_seed_only():
    tallies = [Tally(), Tally()]
    for tally in tallies:
        for seed in range(5):
            wander(seed, "recursive", tally, FaultlessEngine)
    assert tallies[0] == tallies[1]
