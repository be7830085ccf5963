"""Tests of calculations among arguments: in every kind of statement they mean variables with equations."""

from __future__ import annotations

import pytest

from hornbook.kb.ast.terms import Rule, condition_variables
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.formatter import format_text
from hornbook.kb.format.printer import print_clause
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse, parse_query
from oracles.reader.language import clauses as read_again

PAIRS = [
    ("h(?x + 1) :- p(?x).", "h(?x_plus_1) :- p(?x), ?x_plus_1 = ?x + 1."),
    ("h :- p(?x), q(?x - ?y, ?y).", "h :- p(?x), ?x_minus_y = ?x - ?y, q(?x_minus_y, ?y)."),
    ("h(?a * 2) :- p(?a), q(?a * 2).", "h(?a_times_2) :- p(?a), ?a_times_2 = ?a * 2, q(?a_times_2)."),
    ("h :- p(?x), q(?x + 1), r(?x + 1).", "h :- p(?x), ?x_plus_1 = ?x + 1, q(?x_plus_1), r(?x_plus_1)."),
    ("h :- p(?x, ?x_plus_1), q(?x + 1).", "h :- p(?x, ?x_plus_1), ?x_plus_1_2 = ?x + 1, q(?x_plus_1_2)."),
    ("h :- p(2 * 3, -4 + 1, abs(-5) mod 3, 9 // -2).", "h :- p(6, -3, 2, -5)."),
    ("p(2 * 3).", "p(6)."),
    ("h :- p(?x), q((?x + 1 + 2) mod 3).", "h :- p(?x), ?x_plus_1_plus_2_mod_3 = (?x + 1 + 2) mod 3, q(?x_plus_1_plus_2_mod_3)."),
    ("h :- p(?x), q(3 - ?x).", "h :- p(?x), ?is_3_minus_x = 3 - ?x, q(?is_3_minus_x)."),
    ("h :- p(?x), q(max(?x, 1)).", "h :- p(?x), ?max_x_1 = max(?x, 1), q(?max_x_1)."),
    ("h :- p(?x), absent q(?x + 1).", "h :- p(?x), absent (?x_plus_1 = ?x + 1, q(?x_plus_1))."),
    ("h :- s(?k), all ?m in t(?k + 1, ?m): (r(?m - 1), q).", "h :- s(?k), ?k_plus_1 = ?k + 1, all ?m in t(?k_plus_1, ?m): (?m_minus_1 = ?m - 1, r(?m_minus_1), q)."),
    ("h :- s(?k), ?n = count ?m in (t(?k + 1, ?m) or u(?m)).", "h :- s(?k), ?k_plus_1 = ?k + 1, ?n = count ?m in (t(?k_plus_1, ?m) or u(?m))."),
    ("h(?n) :- ?n = sum ?m where (p(?m), q(?m + 1)).", "h(?n) :- ?n = sum ?m where (p(?m), ?m_plus_1 = ?m + 1, q(?m_plus_1))."),
    ("h :- p(?x), before g(?x + 1) by m(?x, ?x - 1) is ?v.", "h :- p(?x), ?x_plus_1 = ?x + 1, ?x_minus_1 = ?x - 1, before g(?x_plus_1) by m(?x, ?x_minus_1) is ?v."),
    ("after h(?x + 1) :- m(?x).", "after h(?x_plus_1) :- m(?x), ?x_plus_1 = ?x + 1."),
    ("frame f(?x): m(?x), p(?x + 1).", "frame f(?x): m(?x), ?x_plus_1 = ?x + 1, p(?x_plus_1)."),
    ("replies g(?x): m(?x + 1), p(?x).", "replies g(?x): m(?x_plus_1), p(?x), ?x_plus_1 = ?x + 1."),
    ("example e: p(1 + 1).", "example e: p(2)."),
    ("expect e: p(?x), q(?x + 1).", "expect e: p(?x), ?x_plus_1 = ?x + 1, q(?x_plus_1)."),
    ("h :- p(?h, ?r), q(round_up(?h * ?r, 4, 2)).", "h :- p(?h, ?r), ?round_up_h_times_r_4_2 = round_up(?h * ?r, 4, 2), q(?round_up_h_times_r_4_2)."),
    ("h :- p(?h, ?r), q(round_half_up(?h * ?r, 4, 2)).", "h :- p(?h, ?r), ?round_half_up = round_half_up(?h * ?r, 4, 2), q(?round_half_up)."),
    ("h :- p(?x), q(?x + divide_half_up(?x, 30, 2)).", "h :- p(?x), ?x_plus_divide_half_up = ?x + divide_half_up(?x, 30, 2), q(?x_plus_divide_half_up)."),
    ("h :- p(?x), q(round_down(?x, 9, 20), round_down(?x, 10, 20)).", "h :- p(?x), ?round_down_x_9_20 = round_down(?x, 9, 20), ?round_down_x_10_20 = round_down(?x, 10, 20), q(?round_down_x_9_20, ?round_down_x_10_20)."),
    ("h :- p(?amount), q(round_half_up(?amount, 11, 10), round_half_up(?amount, 12, 10)).", "h :- p(?amount), ?round_half_up = round_half_up(?amount, 11, 10), ?round_half_up_2 = round_half_up(?amount, 12, 10), q(?round_half_up, ?round_half_up_2)."),
    (f"h :- p(?{'long' * 10}), q(?{'long' * 10} + 1).", f"h :- p(?{'long' * 10}), ?calculated = ?{'long' * 10} + 1, q(?calculated)."),
]  # fmt: skip


@pytest.mark.parametrize(("written", "meant"), PAIRS)
def test_a_calculation_is_a_variable_and_an_equation(written, meant):
    (clause,), (plain,) = parse(written).clauses, parse(meant).clauses
    assert clause == plain
    assert parse(print_clause(clause)).clauses == (plain,)


@pytest.mark.parametrize(("written", "meant"), PAIRS)
def test_the_second_reader_reads_the_same(written, meant):
    assert read_again(written) == read_again(meant)


@pytest.mark.parametrize("written", [written for written, _ in PAIRS])
def test_the_formatter_keeps_what_was_written(written):
    output = format_text(written, "f.horn")
    assert "".join(output.split()) == "".join(written.split())


def test_a_variable_that_was_made_knows_what_is_written():
    (rule,) = parse("h(?x + 1) :- p(?x).").clauses
    assert isinstance(rule, Rule)
    assert rule.head.terms[0].written == "?x + 1"
    assert [v.written for v in condition_variables(rule.body[0])] == ["?x"]
    assert rule.head.terms[0].span.column == 3


TEXT = """
sort person.
static age(person -> int).
derived next(person, int).
age(ann, 2 * 3 + 1). age(bob, 8). age(cid, 5 - 9).
followed: next(?p, ?n + 1) :- age(?p, ?n), age(_, ?n + 1).
"""


def base():
    return KnowledgeBase(load_text(TEXT))


@pytest.mark.parametrize(
    ("query", "variables", "rows"),
    [
        ("next(?p, ?n)", ("p", "n"), [("ann", 8)]),
        ("age(?p, ?n), age(?q, ?n + 1)", ("p", "n", "q"), [("ann", 7, "bob")]),
        ("age(?p, ?n), absent age(_, ?n + 1)", ("p", "n"), [("bob", 8), ("cid", -4)]),
        ("?s = sum ?n where (age(_, ?n), age(_, ?n + 1))", ("s",), [(7,)]),
    ],
)
def test_the_variable_is_no_answer(query, variables, rows):
    answers = base().query(query)
    assert (answers.variables, sorted(answers.rows)) == (variables, rows)


def test_a_query_with_calculated_arguments_is_answered_yes_or_no():
    assert str(base().query("age(ann, 3 + 4)")) == "yes"
    assert str(base().query("age(ann, $n + 4)", parameters={"n": 3})) == "yes"
    assert str(base().query("age(ann, $n + 4)", parameters={"n": 4})) == "no"


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("p(1 // 0).", "HB006", "`1 // 0` has no value within 64 bits"),
        ("p(9223372036854775807 + 1).", "HB006", "`9223372036854775807 + 1` has no value within 64 bits"),
        ("p(shift_left(1, 64)).", "HB006", "`shift_left(1, 64)` has no value within 64 bits"),
        ("example e: p(?x + 1).", "HB040", "a fact of an example has no calculation with a variable or a word"),
        ("frame f(?x + 1): m(?x).", "HB001", "the fluent of a frame has no calculation"),
        ("replies g: m(?x) unless q(?x + 1).", "HB001", "what follows `unless` has no calculation"),
        ("p(anna + 1).", "HB001", "the word `anna` in a calculation"),
        (f"p({'1+' * 101}1).", "HB004", "nested more than 100 deep"),
    ],
)  # fmt: skip
def test_what_cannot_be_calculated_is_refused(text, code, message):
    (diagnostic,) = parse(text).diagnostics
    assert (diagnostic.code, diagnostic.message) == (code, message)


def test_a_query_has_calculations_too():
    assert (
        parse_query("p(?x), q(?x + 1)").conditions
        == parse_query("p(?x), ?x_plus_1 = ?x + 1, q(?x_plus_1)").conditions
    )
