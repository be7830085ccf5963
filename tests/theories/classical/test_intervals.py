"""The relations of intervals, compared with their definitions on points, as instances for dates and times."""

from __future__ import annotations

import datetime
import re
from itertools import product
from pathlib import Path
from random import Random

import pytest

from hornbook import GroundFact, KnowledgeBase
from hornbook.kb.load.loader import load_text

FOLDER = Path(__file__).parents[3] / "theories" / "classical"
TEXT = """theory hotel.
import date_intervals as stays with interval = stay, day = day, runs = booked, asked = holiday.
import time_intervals as talks with interval = talk, moment = moment, runs = held.
sort stay.
sort day = date.
sort moment = time.
static booked(stay -> day, day).
static holiday(day).
fluent room(stay -> int).
action move(stay, int).
derived clash(stay, stay).
clash: clash(?i, ?j) :- room(?i, ?r), room(?j, ?r), stays_shares(?i, ?j), ?i != ?j.
after room(?i, ?r) :- move(?i, ?r).
"""
DAY = datetime.date(2024, 2, 26)
HOUR = datetime.datetime(2024, 2, 29, 22)  # noqa: DTZ001


NAMES = (
    "precedes", "preceded_by", "meets", "met_by", "overlaps", "overlapped_by", "starts", "started_by", "during",
    "includes", "finishes", "finished_by", "equals",
)  # fmt: skip


def relation_of(a, b, c, d):
    """Return the relation of the interval from `a` to `b` to that from `c` to `d`."""
    if b < c or d < a:
        return "precedes" if b < c else "preceded_by"
    if b == c or d == a:
        return "meets" if b == c else "met_by"
    if a == c:
        return "equals" if b == d else "starts" if b < d else "started_by"
    if b == d:
        return "finishes" if c < a else "finished_by"
    if c < a and b < d:
        return "during"
    if a < c and d < b:
        return "includes"
    return "overlaps" if a < c else "overlapped_by"


@pytest.fixture(scope="module")
def base():
    random = Random(3)
    found = KnowledgeBase(load_text(TEXT))
    for number in range(30):
        one, two = random.randint(0, 6), random.randint(0, 6)
        first, last = (DAY + datetime.timedelta(days=n) for n in (one, two))
        begin, end = (HOUR + datetime.timedelta(hours=n) for n in (one, two))
        found.add([GroundFact("booked", (f"i{number}", first, last))])
        found.add([GroundFact("held", (f"i{number}", begin, end))])
    found.add(GroundFact("holiday", (DAY + datetime.timedelta(days=n),)) for n in (0, 3))
    return found


@pytest.mark.parametrize(("instance", "relation"), [("stays", "booked"), ("talks", "held")])
def test_one_relation_holds_between_two_proper_intervals(base, instance, relation):
    every = {name: (a, b) for name, a, b in base.query(f"{relation}(?i, ?a, ?b)").to_tuples()}
    proper = {name: ends for name, ends in every.items() if ends[0] < ends[1]}
    assert 5 < len(proper) < len(every)
    improper = base.query(f"{instance}_improper(?i)").to_tuples()
    assert {name for (name,) in improper} == every.keys() - proper.keys()
    pairs = list(product(proper, proper))
    for name in NAMES:
        found = base.query(f"{instance}_{name}(?i, ?j)").to_tuples()
        assert set(found) == {(i, j) for i, j in pairs if relation_of(*proper[i], *proper[j]) == name}
        assert found
    one = pairs[5]
    assert base.query(f"{instance}_{relation_of(*proper[one[0]], *proper[one[1]])}({', '.join(one)})")


@pytest.mark.parametrize(("instance", "relation"), [("stays", "booked"), ("talks", "held")])
def test_what_intervals_have_in_common(base, instance, relation):
    unit = datetime.timedelta(days=1) if instance == "stays" else datetime.timedelta(seconds=1)
    length = "days" if instance == "stays" else "seconds"
    proper = {n: (a, b) for n, a, b in base.query(f"{relation}(?i, ?a, ?b)").to_tuples() if a < b}
    assert dict(base.query(f"{instance}_{length}(?i, ?n)").to_tuples()) == {
        name: (b - a) // unit for name, (a, b) in proper.items()
    }
    common, gaps = {}, {}
    for i, j in product(proper, proper):
        (a, b), (c, d) = proper[i], proper[j]
        if max(a, c) < min(b, d):
            common[i, j] = (min(b, d) - max(a, c)) // unit
        if b < c:
            gaps[i, j] = (c - b) // unit
    found = base.query(f"{instance}_common(?i, ?j, ?n)").to_tuples()
    assert {(i, j): n for i, j, n in found} == common
    assert set(base.query(f"{instance}_shares(?i, ?j)").to_tuples()) == common.keys()
    found = base.query(f"{instance}_gap(?i, ?j, ?n)").to_tuples()
    assert {(i, j): n for i, j, n in found} == gaps


def test_an_interval_covers_its_days_and_not_its_end(base):
    stays = {n: (a, b) for n, a, b in base.query("booked(?i, ?a, ?b)").to_tuples()}
    days = [day for (day,) in base.query("holiday(?d)").to_tuples()]
    assert set(base.query("stays_covers(?i, ?d)").to_tuples()) == {
        (name, day) for name, (a, b) in stays.items() for day in days if a <= day < b
    }


def test_rules_about_what_changes_may_use_them(base):
    one = next((i, j) for i, j in base.query("stays_shares(?i, ?j)").to_tuples() if i != j)
    base.add([GroundFact("room", (name, 7)) for name in one])
    assert set(base.query("clash(?i, ?j)").to_tuples()) == {one, one[::-1]}


def test_both_theories_say_the_same():
    dates, times = ((FOLDER / f"{name}_intervals.horn").read_text("utf-8") for name in ("date", "time"))
    rules = dates.partition("theory date_intervals")[2]
    changed = {"day": "moment", "days": "seconds", "dates": "times", "date": "time"}
    for word, other in changed.items():
        rules = re.sub(rf"\b{word}\b", other, rules)

    assert rules.split() == times.partition("theory time_intervals")[2].split()
