"""Rules that are proved reply by reply, on theories at random, are right; were less asked of a proof, some would be wrong."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from oracles.forger.faults import FAULTS
from oracles.forger.replies import Found, one


def found(numbers: range) -> Found:
    total = Found()
    for number in numbers:
        total.add(one(f"test.{number}"))
    return total


def test_no_rule_that_is_accepted_is_wrong():
    total = found(range(12))
    assert total.wrong == []
    assert total.accepted > 10
    assert total.told_apart
    assert total.right > 100


@pytest.mark.parametrize(
    ("fault", "number"), [("there always is a reply", 1), ("two members are two things", 15)]
)
def test_it_finds_a_checker_with_a_mistake(fault, number):
    assert not one(f"test.{number}").wrong
    with ExitStack() as stack:
        FAULTS[fault](stack)
        assert one(f"test.{number}").wrong
