"""Tests of overtime pay against exact fractions."""

from __future__ import annotations

import random
from decimal import ROUND_HALF_UP, Decimal

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase

CENT = Decimal("0.01")


def cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP)


@pytest.mark.parametrize("seed", range(20))
def test_the_pay_of_several_kinds_of_work_is_that_of_the_weighted_average(seed):
    random_ = random.Random(seed)
    facts, straight, hours = [], Decimal(0), Decimal(0)
    for number in range(random_.randint(1, 4)):
        worked = Decimal(random_.randint(1, 2000)) / 100
        rate = Decimal(random_.randint(700, 4000)) / 100
        facts += [
            GroundFact("worked", ("a", 1, f"job{number}", worked)),
            GroundFact("hourly", ("a", f"job{number}", rate)),
        ]
        straight += cents(worked * rate)
        hours += worked
    if random_.random() < 0.5:
        bonus = Decimal(random_.randint(1, 20000)) / 100
        facts.append(GroundFact("paid", ("a", 1, "bonus", bonus)))
        straight += bonus
    regular = max(cents(straight / hours), Decimal("7.25"))
    more = max(hours - 40, Decimal(0))
    base = KnowledgeBase("overtime")
    base.add(facts)
    assert list(base.query("regular_rate(a, 1, ?r)")) == [(regular,)]
    assert list(base.query("pay(a, 1, ?p)")) == [(straight + cents(regular * Decimal("0.5") * more),)]
