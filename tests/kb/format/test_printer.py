from __future__ import annotations

import pytest
from hypothesis import given, settings

from hornbook.kb.ast.declarations import Sort
from hornbook.kb.ast.terms import Constant, Operation, Rule, Variable
from hornbook.kb.format.printer import print_clause, print_conditions, print_expression, print_word
from hornbook.kb.parse.syntax import parse, parse_query
from oracles.language.term_strategies import clauses, queries, words


@settings(max_examples=100)
@given(clauses())
def test_what_is_printed_and_parsed_again_is_equal(clause):
    text = print_clause(clause)
    parsed = parse(text)
    assert parsed.diagnostics == ()
    assert parsed.clauses == (clause,), text


@pytest.mark.deep
@given(queries())
def test_a_query_survives_printing(conditions):
    assert parse_query(print_conditions(conditions)).conditions == conditions


@given(words())
def test_a_word_survives_printing_wherever_a_constant_may_state(word):
    text = f"p({print_word(word)}) :- ?x = {print_expression(Constant(word))}, {print_expression(Constant(word))} != ?x."
    (rule,) = parse(text).clauses
    assert isinstance(rule, Rule)
    assert rule.head.terms == (Constant(word),)
    assert rule.body[0].right == rule.body[1].left == Constant(word)


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("black", "black"),
        ("straße", "straße"),
        ("is", "is"),
        ("New York", "'New York'"),
        ("it's", "'it''s'"),
        ("", "''"),
        ("_", "'_'"),
        ("19x19", "'19x19'"),
        ("?x", "'?x'"),
        ("x²", "x²"),
        ("²x", "'²x'"),
        ("two\nlines", "'two⏎lines'"),
    ],
)
def test_words_are_quoted_where_they_need_it(word, text):
    assert print_word(word) == text


def op(operator, left, right):
    return Operation(operator, (left, right))


X, Y, Z = Variable("x"), Variable("y"), Variable("z")


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (op("-", op("-", X, Y), Z), "?x - ?y - ?z"),
        (op("-", X, op("-", Y, Z)), "?x - (?y - ?z)"),
        (op("*", op("+", X, Y), Z), "(?x + ?y) * ?z"),
        (op("+", op("*", X, Y), Z), "?x * ?y + ?z"),
        (op("*", X, op("//", Y, Z)), "?x * (?y // ?z)"),
        (op("+", X, Constant(-1)), "?x + -1"),
        (op("min", op("+", X, Y), Constant(3)), "min(?x + ?y, 3)"),
        (op("*", op("max", X, Y), Z), "max(?x, ?y) * ?z"),
        (Constant("count"), "'count'"),
        (Constant("counts"), "counts"),
        (Variable("_7"), "_"),
    ],
)
def test_parentheses_state_where_they_are_needed(expression, text):
    assert print_expression(expression) == text


def test_a_short_rule_stands_on_one_line_under_its_label():
    text = "grandparents:\n  grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c)."
    (rule,) = parse(text).clauses
    assert print_clause(rule) == text


def test_the_conditions_of_a_long_rule_state_under_its_conclusion():
    text = """\
the_last_liberty:
  take(?b) by move(?c, ?p) is GI :-
    colour(?b, ?d), colour(?p, empty), opponent(?c, ?d), liberties(?b, 1), liberty(?b, ?p),
    all ?q in neighbour(?p, ?q): (colour(?q, ?c), liberties(?q, ?n), ?n > 1), legal(?c, ?p)."""
    (rule,) = parse(text).clauses
    assert print_clause(rule) == text


def test_a_condition_longer_than_a_line_is_broken_in_its_longest_parenthesis():
    inner = ", ".join(f"neighbour(?point, ?other_point_{i})" for i in range(4))
    (rule,) = parse(f"rain :- all ?x in liberty(?block, ?x): ({inner}).").clauses
    assert print_clause(rule) == (
        "rain :-\n"
        "  all ?x in liberty(?block, ?x):\n"
        "    (neighbour(?point, ?other_point_0), neighbour(?point, ?other_point_1),\n"
        "      neighbour(?point, ?other_point_2), neighbour(?point, ?other_point_3))."
    )


def test_the_only_constant_int_is_not_taken_for_the_sort_of_integers():
    sort = Sort("kind", "enumerated", ("int",))
    assert print_clause(sort) == "sort kind = 'int'."
    assert parse("sort kind = 'int'.").clauses == (sort,)
    assert parse("sort kind = int.").clauses == (Sort("kind", "integer"),)
