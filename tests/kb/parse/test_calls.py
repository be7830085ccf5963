"""Tests of function calls in calculations: parsing, printing and refusals."""

from __future__ import annotations

import pytest

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.notation import print_condition
from hornbook.kb.parse.syntax import parse, parse_query


def only(text):
    (condition,) = parse_query(text).conditions
    return condition


X = t.Variable("x")
ONE = t.Constant(1)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("min(?x, 1) = 1", t.Comparison("=", t.Operation("min", (X, ONE)), ONE)),
        ("min(?x, 1) + 1 < ?x", t.Comparison("<", t.Operation("+", (t.Operation("min", (X, ONE)), ONE)), X)),
        ("1 < max(?x + 1, ?x)", t.Comparison("<", ONE, t.Operation("max", (t.Operation("+", (X, ONE)), X)))),
        ("p(min, max)", t.Atom("p", (t.Constant("min"), t.Constant("max")))),
        ("absent (p(?x))", t.Absent((t.Atom("p", (X,)),))),
        ("absent (?x + 1) * 1 = 1", t.Absent((t.Comparison("=", t.Operation("*", (t.Operation("+", (X, ONE)), ONE)), ONE),))),
    ],
)  # fmt: skip
def test_a_name_with_operands_is_a_condition_or_a_call_by_what_follows(text, condition):
    assert only(text) == condition
    assert only(print_condition(condition)) == condition


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("h :- ?x = mxa(?x, 1).", "HB058", "there is no function `mxa`"),
        ("h :- p(?x) < 3.", "HB058", "there is no function `p`"),
        ("h :- ?x = min(?x).", "HB058", "`min` has 2 operands, not 1"),
        ("h :- ?x = min(?x, a).", "HB058", "`min` takes an integer here, and this is a word"),
        ("h :- ?x = min(?x, 'a b').", "HB058", "`min` takes an integer here, and this is a word"),
        ("h :- p(not(?x)).", "HB058", "there is no function `not`"),
        ("h :- not(p(?x)).", "HB001", "`not` is no word of the language"),
        ("born(anna, 2024-1-31).", "HB001", "integers with `-` between them are no word"),
        ("born(anna, 2023-02-29).", "HB006", "`2023-02-29` is not a date: day is out of range for month"),
    ],
)
def test_what_a_call_gets_wrong_is_reported(text, code, message):
    (diagnostic,) = parse(text).diagnostics
    assert (diagnostic.code, diagnostic.message) == (code, message)


MODES = ("half_up", "half_even", "up", "down", "floor", "ceiling")


@pytest.mark.parametrize(
    ("text", "help_", "fixes"),
    [
        ("born(anna, 31.12.2024).", "a date is written `2024-12-31`", ["2024-12-31"]),
        ("born(anna, 31.13.2024).", "a decimal number has one point, such as 12.50", []),
        (
            "h :- ?x = divide(?y, ?z, 2).",
            f"write the mode of rounding: {', '.join(f'`divide_{mode}`' for mode in MODES)}",
            [],
        ),
    ],
)
def test_the_help_says_how_a_value_is_written(text, help_, fixes):
    (diagnostic,) = parse(text).diagnostics
    assert (diagnostic.help, [fix.text for fix in diagnostic.fixes]) == (help_, fixes)
