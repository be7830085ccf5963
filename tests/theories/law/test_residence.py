"""Tests of the exclusion of gain against a calculation with sets of days."""

from __future__ import annotations

import datetime
import random
from decimal import Decimal

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase

Period = tuple[datetime.date, datetime.date]
DAY = datetime.timedelta(1)


def periods_of(random_: random.Random) -> list[Period]:
    """Return periods in their order, between 2010 and 2020, that do not overlap."""
    ends = sorted(random_.sample(range(3650), 2 * random_.randint(1, 3)))
    days = [datetime.date(2010, 1, 1) + end * DAY for end in ends]
    return list(zip(days[::2], days[1::2], strict=True))


def full_months(first: datetime.date, last: datetime.date) -> int:
    """Return how many months after a day another day comes, at most."""
    months = 0
    while True:
        year, month = divmod(12 * first.year + first.month + months, 12)
        following = datetime.date(year + (month == 11), 1 if month == 11 else month + 2, 1)
        day = min(datetime.date(year, month + 1, 1) + (first.day - 1) * DAY, following - DAY)
        if day > last:
            return months
        months += 1


def is_met(periods: list[Period], sale: datetime.date) -> bool:
    """Return whether periods have two of the five years before a sale."""
    begin = sale.replace(year=sale.year - 5, day=min(sale.day, 28))
    parts = [(max(a, begin), min(b, sale)) for a, b in periods]
    parts = [(a, b) for a, b in parts if a < b]
    return sum((b - a).days for a, b in parts) >= 730 or sum(full_months(a, b) for a, b in parts) >= 24


@pytest.mark.parametrize("seed", range(30))
def test_what_is_excluded_depends_on_two_of_five_years_of_ownership_and_use(seed):
    random_ = random.Random(seed)
    owned, used = periods_of(random_), periods_of(random_)
    sale = datetime.date(random_.randint(2016, 2020), random_.randint(1, 12), random_.randint(1, 28))
    gain, depreciation = (
        Decimal(random_.randint(1, 60_000_000)) / 100,
        Decimal(random_.randint(0, 5_000_000)) / 100,
    )
    is_joint = random_.random() < 0.5
    facts = [GroundFact("sold", ("a", "home", sale, gain))]
    facts += [GroundFact("owned", ("a", "home", *period)) for period in owned]
    facts += [GroundFact("used", ("a", "home", *period)) for period in used]
    facts += [GroundFact("depreciated", ("a", "home", datetime.date(2012, 1, 1), depreciation))]
    facts += [GroundFact("joint_return", ("a",))] if is_joint else []
    base = KnowledgeBase("residence")
    base.add(facts)
    qualifies = is_met(owned, sale) and is_met(used, sale)
    assert bool(base.query("qualifies(a, home)")) == qualifies
    most = Decimal(500_000 if is_joint else 250_000)
    excluded = min(max(gain - depreciation, Decimal(0)), most) if qualifies else Decimal(0)
    assert list(base.query("excluded(a, home, ?x)")) == [(excluded,)]
    assert list(base.query("recognised(a, home, ?x)")) == [(gain - excluded,)]
