"""Tests of the report about a run of the theory of Go."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.go.theory import report
from benchmarks.study import share
from oracles.go.transition_run import RELATIONS, Cost, TransitionTally


@pytest.mark.parametrize(
    ("found", "of", "shown"),
    [(7, 7, "100%"), (0, 0, "100%"), (19, 20, "95.00%"), (999_999, 1_000_000, "99.99%")],
)
def test_a_share_is_whole_only_where_nothing_is_missing(found, of, shown):
    assert share(found, of) == shown


def test_what_is_missing_is_reported_by_relation_and_by_kind_of_action():
    tally = TransitionTally(
        positions=2,
        true=Counter(dict.fromkeys(RELATIONS, 10)),
        kinds=Counter({"pass": 1, "joins 2, takes 0": 3}),
    )
    tally.missing = Counter({("stones", "joins 2, takes 0"): 4, ("ko", "pass"): 0})
    tally.false.append("colour(a1, black) after …")
    tally.cost = {9: Cost(positions=2, actions=4, before=0.01, after=0.02)}
    lines = report(tally).splitlines()
    assert "false: 1" in lines
    assert "colours, blocks and liberties derived: 92.00%" in lines
    rows = [line.split() for line in lines]
    assert ["stones", "10", "60.00%"] in rows
    assert ["ko", "10", "100%"] in rows
    assert ["joins", "2,", "takes", "0", "3", "4"] in rows
    assert ["9", "2", "5.0", "5.00"] in rows
    assert [line for line in lines if line.startswith("not derived")] == [
        "not derived: stones, joins 2, takes 0: 4"
    ]
