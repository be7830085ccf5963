"""Tests of the checks of queries: no other check finds anything in a query."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.kb.check.check_unit import unit_of_query
from hornbook.kb.check.queries import OF_QUERIES
from hornbook.kb.check.theory_checks import OF_RULES, OTHERS
from hornbook.kb.load.loader import load
from hornbook.kb.parse.syntax import Query

THEORIES = ("family", "go", "chess", "firm", "values")


def test_the_checks_of_queries_are_among_those_of_rules():
    assert {*OF_QUERIES} < {*OF_RULES, *OTHERS}


@pytest.mark.parametrize("words", THEORIES)
def test_no_other_check_finds_anything_in_a_query(words):
    """The queries are bodies of rules of all theories, so that most are wrong for the vocabulary of one."""
    random, vocabulary = Random(words), load(words).vocabulary
    others = [check for check in (*OF_RULES, *OTHERS) if check not in OF_QUERIES]
    rules = [rule for name in THEORIES for rule in load(name).rules if rule.body]
    wrong = 0
    for rule in random.sample(rules, 150):
        unit = unit_of_query(Query(rule.body, rule.span), vocabulary)
        assert [found for check in others for found in check(unit)] == []
        wrong += any(True for check in OF_QUERIES for _ in check(unit))
    assert wrong > 20
