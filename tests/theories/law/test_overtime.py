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


@pytest.mark.parametrize("seed", range(10))
def test_a_bonus_raises_the_rate_of_a_salary_for_a_number_of_hours(seed):
    random_ = random.Random(seed)
    covered = Decimal(random_.randint(3000, 4000)) / 100
    worked = Decimal(random_.randint(4001, 8000)) / 100
    salary = Decimal(random_.randint(40_000, 200_000)) / 100
    bonuses = [Decimal(random_.randint(1, 20_000)) / 100 for _ in range(random_.randint(0, 2))]
    base = KnowledgeBase("overtime")
    base.add(
        [
            GroundFact("salary", ("a", "weekly", salary)),
            GroundFact("covers", ("a", covered)),
            GroundFact("worked", ("a", 1, "work", worked)),
            *(GroundFact("paid", ("a", 1, f"bonus{n}", bonus)) for n, bonus in enumerate(bonuses)),
        ]
    )
    rate = cents(salary / covered)
    regular = rate + cents(sum(bonuses, Decimal(0)) / worked)
    straight = salary + cents((worked - covered) * rate) + sum(bonuses)
    assert list(base.query("regular_rate(a, 1, ?r)")) == [(regular,)]
    assert list(base.query("pay(a, 1, ?p)")) == [
        (straight + cents(regular * Decimal("0.5") * (worked - 40)),)
    ]


@pytest.mark.parametrize("cent", [-1, 0, 1])
@pytest.mark.parametrize("hours", ["41.00", "47.13", "60.00"])
def test_a_salary_for_all_hours_must_reach_the_minimum_wage_without_a_bonus(hours, cent):
    least = Decimal("7.25") * Decimal(hours)
    salary = cents(least) + cent * CENT
    base = KnowledgeBase("overtime")
    base.add(
        [
            GroundFact("salary", ("a", "weekly", salary)),
            GroundFact("fluctuating", ("a",)),
            GroundFact("worked", ("a", 1, "work", Decimal(hours))),
            GroundFact("paid", ("a", 1, "bonus", Decimal("500.00"))),
        ]
    )
    assert bool(base.query("not_permitted(a)")) == (salary < least)
    assert bool(base.query("pay(a, 1, ?p)")) == (salary >= least)
