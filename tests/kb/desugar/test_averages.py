"""Averages: compared with exact fractions, on all engines, and their mistakes."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from random import Random

import pytest

from hornbook import GroundFact, KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.sources.diagnostics import TheoryError
from oracles.pages.engines import engines_with

TEXT = """theory averages.
sort person. sort course.
sort euro = decimal(2).
sort rate = percent(1).
static paid(person, course, euro).
static marked(person, course, int).
static taxed(course, rate).
static known(person).
static of_each(person, euro).
derived of_all(euro).
derived of_marks(person, int).
derived of_dear(person, euro).
derived of_rates(rate).
derived fine(person, euro).
of_each: of_each(?p, ?a) :- ?a = average_half_even(?x, 2, 2) by ?p where paid(?p, _, ?x).
of_all: of_all(?a) :- ?a = average_half_up(?x, 2, 2) where paid(_, _, ?x).
of_marks: of_marks(?p, ?a) :- known(?p), ?a = average_floor(?n, 0, 0) where marked(?p, _, ?n).
of_dear: of_dear(?p, ?a) :-
  ?a = average_ceiling(?x, 2, 2) by ?p where (paid(?p, ?c, ?x), ?x > 0.00, taxed(?c, ?r), ?r > 10.0 percent).
of_rates: of_rates(?a) :- ?a = average_half_up(?r, 1, 1) where taxed(_, ?r).
two: fine(?p, ?d) :-
  ?a = average_half_up(?x, 2, 2) by ?p where paid(?p, _, ?x),
  ?b = average_half_up(?x, 2, 2) where paid(_, _, ?x), ?d = ?a - ?b.
"""


def facts(seed: int) -> list[GroundFact]:
    random = Random(seed)
    people, courses = ("ada", "eve", "kim"), ("a", "b", "c", "d")
    found = {GroundFact("known", (person,)) for person in (*people, "nobody")}
    for _ in range(12):
        who, what = random.choice(people), random.choice(courses)
        found.add(GroundFact("paid", (who, what, Decimal(random.randint(-200, 300)).scaleb(-2))))
        found.add(GroundFact("marked", (who, what, random.randint(-4, 9))))
    found |= {GroundFact("taxed", (course, Decimal(random.randint(0, 400)).scaleb(-1))) for course in courses}
    return sorted(found, key=str)


def average(values: list, exponent: str, mode: str) -> Decimal:
    """Return the rounded average. The quotient has 28 digits, and a tie has few."""
    return (sum(map(Decimal, values)) / len(values)).quantize(Decimal(exponent), mode)


@pytest.mark.parametrize("engine", engines_with())
@pytest.mark.parametrize("seed", range(3))
def test_averages_are_exact_and_rounded_once(engine, seed):
    base = KnowledgeBase(load_text(TEXT), engine=engine)
    given = facts(seed)
    base.add(given)
    paid = [fact.values for fact in given if fact.relation == "paid"]
    marked = [fact.values for fact in given if fact.relation == "marked"]
    rates = {fact.values[0]: fact.values[1] for fact in given if fact.relation == "taxed"}
    people = {person for person, *_ in paid}
    means = {p: [x for q, _, x in paid if q == p] for p in people}
    assert dict(base.query("of_each(?p, ?a)").to_tuples()) == {
        p: average(values, "0.01", ROUND_HALF_EVEN) for p, values in means.items()
    }
    everything = average([x for *_, x in paid], "0.01", ROUND_HALF_UP)
    assert base.query("of_all(?a)").to_tuples() == [(everything,)]
    assert dict(base.query("of_marks(?p, ?a)").to_tuples()) == {
        p: average([n for q, _, n in marked if q == p], "1", ROUND_FLOOR) for p in {q for q, *_ in marked}
    }
    dear = {p: [x for q, c, x in paid if q == p and x > 0 and rates[c] > 10] for p in people}
    assert dict(base.query("of_dear(?p, ?a)").to_tuples()) == {
        p: average(values, "0.01", ROUND_CEILING) for p, values in dear.items() if values
    }
    assert base.query("of_rates(?a)").to_tuples() == [(average(list(rates.values()), "0.1", ROUND_HALF_UP),)]
    assert dict(base.query("fine(?p, ?d)").to_tuples()) == {
        p: average(values, "0.01", ROUND_HALF_UP) - everything for p, values in means.items()
    }


@pytest.mark.parametrize("engine", engines_with())
def test_there_is_no_average_of_nothing(engine):
    base = KnowledgeBase(load_text(TEXT), engine=engine)
    base.add([GroundFact("known", ("ada",))])
    for query in ("of_all(?a)", "of_marks(?p, ?a)", "of_each(?p, ?a)"):
        assert base.query(query).to_tuples() == []


def test_equal_numbers_of_different_answers_count_each():
    base = KnowledgeBase(load_text(TEXT))
    base.add(
        GroundFact("paid", (p, "a", Decimal(x))) for p, x in (("a", "1.00"), ("b", "1.00"), ("c", "4.00"))
    )
    assert base.query("of_all(?a)").to_tuples() == [(Decimal("2.00"),)]
    assert base.query("?a = average_up(?x, 2, 0) where paid(_, _, ?x)").to_tuples() == [(2,)]
    assert base.query("?a = average_up(?x, 2, 4) where paid(_, a, ?x)").to_tuples() == [(Decimal("2.0000"),)]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("?a = average_half_up(?x, 1, 2) where paid(_, _, ?x)", "write `2`"),
        ("?a = average_half_up(?x, ?x, 2) where paid(_, _, ?x)", "write a number of digits"),
        ("?a = average_half_up(?p, 0, 2) where paid(?p, _, _)", "`?p` is a `person`"),
        ("?a = average_half_up(?x) where paid(_, _, ?x)", "takes a variable and two numbers of digits"),
        ("?a = average_half(?x, 2, 2) where paid(_, _, ?x)", "there is no aggregate `average_half`"),
        ("?a = mean(?x, 2, 2) where paid(_, _, ?x)", "there is no aggregate `mean`"),
        ("?a = average_half_up(?x, 2, 2)", "ends in `where`"),
        ("?a = average_half_up(?x, 2, 2) by ?q where paid(?p, _, ?x)", "`?q` occurs in none of the conditions"),
    ],
)  # fmt: skip
def test_mistakes_are_reported(query, message):
    with pytest.raises(TheoryError) as problem:
        KnowledgeBase(load_text(TEXT)).query(query)
    assert message in str(problem.value)


def test_an_average_has_no_place_in_a_frame():
    text = "theory t. sort s. fluent f(s -> int). action go(s, int). frame f(_, _): go(_, ?a), ?a = average_up(?n, 0, 0) where f(_, ?n)."
    with pytest.raises(TheoryError, match="an average cannot stand here"):
        load_text(text)
