"""Tests of short stays against sets of days."""

from __future__ import annotations

import datetime
import random

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase

Stay = tuple[datetime.date, datetime.date]
DAY = datetime.timedelta(1)


def stays_of(random_: random.Random) -> list[Stay]:
    """Return stays in their order; some begin on the day on which another ends."""
    found = []
    day = datetime.date(2023, 1, 1) + random_.randint(0, 60) * DAY
    for _ in range(random_.randint(1, 8)):
        last = day + random_.choice((0, 0, 1, 5, 20, 45, 88)) * DAY
        found.append((day, last))
        day = last + random_.choice((0, 1, 3, 30, 90)) * DAY
        if day == found[-1][0]:  # several stays on one day cannot be told apart
            day += DAY
    return found


def days_of(stays: list[Stay]) -> set[datetime.date]:
    return {first + n * DAY for first, last in stays for n in range((last - first).days + 1)}


def spent(days: set[datetime.date], day: datetime.date) -> int:
    return sum(day - 179 * DAY <= each <= day for each in days)


def longest(days: set[datetime.date], day: datetime.date) -> int:
    """Return for how many days somebody may stay who is present from a day on."""
    present = {each for each in days if each < day}
    for length in range(90):
        present.add(day + length * DAY)
        if spent(present, day + length * DAY) > 90:
            return length
    return 90


@pytest.mark.parametrize("seed", range(25))
def test_days_and_remaining_stays_are_those_of_a_set_of_days(seed):
    random_ = random.Random(seed)
    stays = stays_of(random_)
    days = days_of(stays)
    asked = [stays[0][0] + random_.randint(0, 500) * DAY for _ in range(4)]
    base = KnowledgeBase("schengen")
    base.add(GroundFact("stay", ("a", f"s{n}", *stay)) for n, stay in enumerate(stays))
    base.add(GroundFact("asked", ("a", day)) for day in set(asked))
    assert not base.query("overlap(?t, ?r, ?s)")
    for day in asked:
        written = day.isoformat()
        number = spent(days, day)
        assert list(base.query(f"spent(a, {written}, ?n)")) == [(number,)]
        assert list(base.query(f"overstay(a, {written}, ?n)")) == ([(number - 90,)] if number > 90 else [])
        assert list(base.query(f"may_stay(a, {written}, ?n)")) == [(longest(days, day),)]
