"""Tests of the forger on a few theories: no accepted rule is false, although many of the forged rules are."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

import pytest

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.context import RejectedError
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.check.theory_checks import check_rules
from oracles.forger import run as forger_run
from oracles.forger.changed_sets import KIND
from oracles.forger.faults import FAULTS
from oracles.forger.run import ForgerBudget, ForgerTally, one
from oracles.forger.theories import SHAPES

pytestmark = pytest.mark.deep

SMALL = ForgerBudget(made_up=8, mutants=25, states=4)
PATIENT = ForgerBudget(made_up=8, mutants=25, states=40)
COMPLETE = ForgerBudget(made_up=8, mutants=25, states=8, complete=True)
VALUES = ForgerBudget(made_up=8, mutants=25, states=8, second=True, values=True)
SETS = ForgerBudget(examples=8, goals=40, made_up=0, mutants=40, states=40, lies=0.0, theory=9.0, sets=True)
LYING = ForgerBudget(made_up=8, mutants=25, states=4, lies=1.0)


def run(seeds: range, shape: int | None = None, budget: ForgerBudget = SMALL) -> ForgerTally:
    total = ForgerTally()
    for number in seeds:
        total.add(one(f"test.{shape}.{number}", budget, shape))
    return total


def test_no_forgery_is_accepted_on_theories_at_random():
    total = run(range(5))
    assert not total.findings, str(total.findings[0])
    assert sum(total.accepted.values()) > 40
    assert sum(total.tried.values()) > 120


@pytest.mark.parametrize("shape", SHAPES)
def test_no_forgery_is_accepted_on_theories_like_those_of_the_attacks(shape):
    total = run(range(2), shape)
    assert not total.findings, str(total.findings[0])


def test_no_forgery_is_accepted_on_theories_that_ask_for_absences_and_sums():
    total = ForgerTally()
    for number in range(20):
        total.add(one(f"test.complete.{number}", COMPLETE))
    assert not total.findings, str(total.findings[0])
    assert total.counts["rules accepted that ask for absences or sums"] > 30
    assert min(total.made_of[made] for made in ("absence of what is complete", "aggregate by group")) > 0


def test_no_forgery_is_accepted_on_theories_that_calculate_with_dates_amounts_and_words():
    total = ForgerTally()
    for number in range(24):
        total.add(one(f"test.values.{number}", VALUES))
    assert not total.findings, str(total.findings[0])
    made = [f"comparison with a calculation of {sort}" for sort in ("day", "euro", "thing")]
    assert min(total.made_of[each] for each in (*made, "calculated day", "calculated euro")) > 0
    assert total.tried["another calculation"] > 10
    assert sum(total.accepted.values()) > 150


def test_it_finds_a_checker_that_does_not_ask_what_a_function_gives():
    with ExitStack() as stack:
        FAULTS["what a function gives is not asked"](stack)
        assert any(
            one(f"test.values.{seed}", replace(VALUES, second=False)).wrong["a false rule, forged"]
            for seed in range(60)
        )


def test_no_forgery_is_accepted_about_sets_that_gain_a_member():
    total = run(range(12), budget=SETS)
    assert not total.findings, str(total.findings[0])
    assert total.accepted[KIND] > 5


def test_it_finds_a_checker_that_takes_a_gained_member_for_another_one():
    with ExitStack() as stack:
        FAULTS["a member that a set gains is another one"](stack)
        assert run(range(12), budget=SETS).wrong["a false rule, forged"]


@pytest.mark.parametrize(
    ("fault", "seeds"),
    [
        ("one absence proves another", (22, 42, 44)),
        ("one sum is another", (22, 42, 44)),
        ("all is known after actions too", (47, 50, 51)),
    ],
)
def test_it_finds_a_checker_that_takes_other_absences_and_sums(fault, seeds):
    total = ForgerTally()
    with ExitStack() as stack:
        FAULTS[fault](stack)
        for seed in seeds:
            total.add(
                one(f"test.complete.{seed}", ForgerBudget(made_up=8, mutants=25, states=40, complete=True))
            )
    assert total.wrong["a false rule, forged"]


def test_it_finds_what_a_checker_that_accepts_all_lets_pass(monkeypatch):
    def read_only(rule: Rule, _certificate: Certificate, theory: Theory, _lemmas: object) -> None:
        if any(d.severity == "error" for d in check_rules([rule], theory.vocabulary)):
            raise RejectedError

    monkeypatch.setattr(forger_run, "verify", read_only)
    total = run(range(2))
    assert total.wrong["a false rule, forged"] > 2


@pytest.mark.parametrize(
    ("fault", "shape", "first"),
    [
        ("two members are two things", 6, 0),
        ("two terms are two things", None, 0),
        ("what rests on one action is lent to another", 5, 0),
        ("every key holds everywhere", 2, 0),
        ("what is asked of each member of a set is asked outright", 9, 120),
    ],
)
def test_it_finds_one_mistake_in_the_checker(fault, shape, first):
    with ExitStack() as stack:
        FAULTS[fault](stack)
        assert any(
            run(range(n, n + 1), shape, PATIENT).wrong["a false rule, forged"]
            for n in range(first, first + 12)
        )


@pytest.mark.parametrize("shape", [None, 2, 6])
def test_no_witness_that_lies_is_believed(shape):
    total = ForgerTally()
    for number in range(3):
        total.add(one(f"lies.{shape}.{number}", LYING, shape))
    assert not total.findings, str(total.findings[0])
    assert total.counts["certificates of which a witness may lie"] > 50


def test_it_is_the_same_every_time():
    assert run(range(2)) == run(range(2))
