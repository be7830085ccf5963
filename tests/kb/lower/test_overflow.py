"""Tests of messages about calculations without a value.

They name the rule, the place, the operation and its operands.
"""

from __future__ import annotations

import re

import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from oracles.pages.engines import engines_with

ENGINES = engines_with()
BASE = """theory sums.
static pair(int, int).
derived result(int).
"""


def message_of(engine: str, rule: str, facts: str, query: str = "result(?r)") -> str:
    with pytest.raises(KnowledgeBaseError) as caught:
        KnowledgeBase(load_text(f"{BASE}{facts}\nx: {rule}\n"), engine=engine).query(query)
    return str(caught.value)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("rule", "facts", "expected"),
    [
        (
            "result(?a * ?b) :- pair(?a, ?b).",
            "pair(4611686018427387904, 2).",
            "leaves 64 bits: `?a * ?b` is 9223372036854775808, where `?a` is 4611686018427387904 and `?b` is 2",
        ),
        (
            "result(?r) :- pair(?a, ?b), ?r = 1 + ?a // ?b.",
            "pair(7, 0).",
            "divides by zero: `?a // ?b` has no value, where `?a` is 7 and `?b` is 0",
        ),
        (
            "result(?r) :- pair(?a, ?b), ?r = ?a mod (?b - 3).",
            "pair(7, 3).",
            "divides by zero: `?a mod (?b - 3)` has no value, where `?a` is 7 and `?b - 3` is 0",
        ),
        (
            "result(?r) :- pair(?a, ?b), ?r = ?a // ?b.",
            "pair(-9223372036854775808, -1).",
            "leaves 64 bits: `?a // ?b` is 9223372036854775808, where `?a` is -9223372036854775808 and `?b` is -1",
        ),
        (
            "result(?b) :- pair(?a, ?b), ?c = ?a + 1, ?c * ?c > 0.",
            "pair(4294967296, 5).",
            "leaves 64 bits: `?c * ?c` is 18446744082299486209, where `?c` is 4294967297",
        ),
        (
            "result(?b) :- pair(?a, ?b), abs(?a) > 0.",
            "pair(-9223372036854775808, 5).",
            "leaves 64 bits: `abs(?a)` is 9223372036854775808, where `?a` is -9223372036854775808",
        ),
        (
            "result(?b) :- pair(?a, ?b), shift_left(?a, ?b) > 0.",
            "pair(1, 64).",
            (
                "shifts by less than 0 or more than 63 bits: `shift_left(?a, ?b)` has no value,"
                " where `?a` is 1 and `?b` is 64"
            ),
        ),
    ],
)
def test_the_message_names_the_operation_and_its_operands(engine, rule, facts, expected):
    message = message_of(engine, rule, facts)
    operation = expected.split("`")[1]
    column = f"x: {rule}".index(operation) + 1
    assert message.endswith(f":5:{column}: the arithmetic of `x` {expected}")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_query_names_the_operation_and_its_operands(engine):
    message = message_of(engine, "result(1) :- pair(_, _).", "pair(3, 0).", "pair(?a, ?b), ?r = ?a // ?b")
    expected = (
        "the arithmetic of the query divides by zero: `?a // ?b` has no value, where `?a` is 3 and `?b` is 0"
    )
    assert message == expected


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("?r = sum ?a where pair(?a, _)", "in `?r = sum ?a where pair(?a, _)`"),
        ("pair(?r, _), absent (pair(?a, ?b), ?a * 3 < ?b)", "in `absent (pair(?a, ?b), ?a * 3 < ?b)`"),
    ],
)
def test_a_calculation_in_a_nested_condition_is_named_with_the_condition(engine, condition, expected):
    rule = f"result(?r) :- {condition}."
    facts = "pair(9223372036854775807, 1). pair(9223372036854775806, 1)."
    message = message_of(engine, rule.replace("result(?r)", "result(?r)"), facts)
    assert re.search(
        r"the arithmetic of `x` leaves 64 bits or divides by zero, " + re.escape(expected), message
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_a_nested_calculation_of_outer_variables_is_named(engine):
    message = message_of(
        engine,
        "result(?a) :- pair(?a, ?b), absent (pair(?c, _), ?c < ?a * ?b).",
        "pair(9223372036854775807, 2).",
    )
    assert "`?a * ?b` is 18446744073709551614, where `?a` is 9223372036854775807 and `?b` is 2" in message
