"""Tests of malformed programs: they are refused with a named error before any other work."""

from __future__ import annotations

import pytest

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    Apply,
    CodedPredicate,
    CodedRule,
    Compare,
    Fact,
    Match,
    Var,
)
from hornbook.matcher.program.errors import MalformedError
from hornbook.matcher.program.wellformed import check_fact, check_predicates, check_rule

X = Var(0)
PREDICATES = [CodedPredicate(2), CodedPredicate(1)]


@pytest.mark.parametrize(
    "predicates",
    [
        [CodedPredicate(-1)],
        [CodedPredicate(1, key=2)],
        [CodedPredicate(1, key=-1)],
        [CodedPredicate(2, key=1, counts=5)],
        [CodedPredicate(2, key=None, counts=1), CodedPredicate(2)],
        [CodedPredicate(2, key=2, counts=1), CodedPredicate(2)],
        [CodedPredicate(2, key=1, counts=1), CodedPredicate(1)],
    ],
)
def test_predicates_that_make_no_sense(engine_class, predicates):
    with pytest.raises(MalformedError):
        check_predicates(predicates)
    engine = engine_class(PREDICATES)
    with pytest.raises(MalformedError):
        engine.add_predicates(predicates)
    with pytest.raises(MalformedError):
        engine.facts(len(PREDICATES))


def test_a_count_may_be_declared_before_its_set():
    check_predicates([CodedPredicate(2, key=1, counts=1), CodedPredicate(2)])
    check_predicates([CodedPredicate(3), CodedPredicate(2, key=1, counts=0)])


@pytest.mark.parametrize(
    "fact",
    [Fact(0, (1,)), Fact(0, (1, 2, 3)), Fact(2, ()), Fact(-1, (1,)), Fact(1, (2**63,)), Fact(1, (-(2**63) - 1,)),
     Fact(1, ("black",)), Fact(1, (1.5,))],
)  # fmt: skip
def test_facts_that_do_not_fit(fact):
    with pytest.raises(MalformedError):
        check_fact(fact, PREDICATES)


def test_facts_that_fit():
    for cells in ((0, 0), (2**63 - 1, -(2**63))):
        check_fact(Fact(0, cells), PREDICATES)


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (Match(0, (X,)), ()),
        (Match(7, (X,)), ()),
        (Match(1, (Var(3),)), (Match(1, (Var(3),)),)),
        (Match(1, (Var(-1),)), (Match(1, (Var(-1),)),)),
        (Match(1, (2**63,)), ()),
        (Match(1, (1,)), (Match(0, (1,)),)),
        (Match(1, (1,)), (Compare("<", Apply("+", 2**63, 1), 5),)),
        (Match(1, (1,)), (AbsentOf((Match(0, (1,)),)),)),
        (Match(1, (1,)), (AbsentOf((AbsentOf((Match(9, (1,)),)),)),)),
        (Match(1, (1,)), (AggregateOf(X, "sum", (), (Match(1, (1,)),)),)),
        (Match(1, (1,)), (AggregateOf(X, "min", (X, X), (Match(1, (1,)),)),)),
    ],
)
def test_rules_that_do_not_fit(head, body):
    with pytest.raises(MalformedError):
        check_rule(CodedRule("r", head, body, 3), PREDICATES)


def test_a_rule_that_fits():
    check_rule(
        CodedRule("r", Match(1, (X,)), (Match(0, (X, Var(1))), AbsentOf((Match(1, (Var(1),)),))), 2),
        PREDICATES,
    )
