"""Tests of queries and added rules that are checked against a loaded theory."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.kb.ast.terms import Atom, Constant, Rule, Variable
from hornbook.kb.check.check_unit import answer_variables, unit_of_query
from hornbook.kb.check.queries import OF_QUERIES, check_query
from hornbook.kb.check.theory_checks import OF_RULES, OTHERS, check_rules
from hornbook.kb.load.loader import load
from hornbook.kb.parse.syntax import Query, parse_query
from hornbook.kb.parse.vocabulary import vocabulary
from oracles.pages.checking import parsed

BOARD = parsed("""\
sort point.
sort colour = black | white | empty.
sort cents = int.
static neighbour(point, point).
fluent colour(point -> colour).
fluent liberty(point, point).
fluent liberties(point -> int) counts liberty.
fluent price(point -> cents).
action move(colour, point).
derived legal(colour, point).
meta best(point).
game take(point).
legal(?c, ?p) :- colour(?p, ?c).
""")
WORDS = vocabulary([BOARD])


@pytest.mark.parametrize(
    "query",
    [
        "?- legal(black, ?p), colour(?p, empty).",
        "legal(black, a1)",
        "absent legal(black, a1)",
        "colour(?p, empty), absent (neighbour(?p, ?q), colour(?q, black))",
        "?n = count ?p where colour(?p, black)",
        "?n = sum ?w where price(?p, ?w), ?n > 3",
        "after colour(?p, ?c), colour(?p, ?d), ?c != ?d",
        "best(?p)",
        "move(?c, ?p), after colour(?p, ?c)",
        "take(?p) by move(?c, ?q) is ?v",
        "liberties(?p, ?n), all ?l in liberty(?p, ?l): colour(?l, empty)",
        "colour(?p, black), colour(?p, white)",
    ],
)
def test_queries_that_are_right(query):
    assert check_query(parse_query(query), WORDS) == []


@pytest.mark.parametrize(
    ("query", "codes"),
    [
        ("legl(?c, ?p)", ["HB010"]),
        ("legal(?c)", ["HB011"]),
        ("legal(green, ?p)", ["HB014"]),
        ("legal(?c, ?p), neighbour(?c, ?p)", ["HB017"]),
        ("legal(?c, ?p), ?n > 3", ["HB020"]),
        ("absent legal(?c, ?p), ?c != ?d", ["HB020", "HB020"]),
        ("before neighbour(a1, ?p)", ["HB022"]),
        ("all ?q in neighbour(a1, ?q): colour(?q, black)", ["HB031"]),
        ("?n = sum ?p where colour(?p, black)", ["HB019"]),
        ("take(?p)", ["HB035"]),
        ("take(?p) is WON", ["HB036"]),
        ("liberties(?p, ?n), ?n = two", ["HB013"]),
    ],
)
def test_queries_that_are_wrong(query, codes):
    assert [diagnostic.code for diagnostic in check_query(parse_query(query), WORDS)] == codes


def test_a_query_speaks_of_after_only_where_something_can_happen():
    static = vocabulary([parsed("sort point.\nfluent stone(point).\n")])
    assert [d.code for d in check_query(parse_query("after stone(?p)"), static)] == ["HB022"]


@pytest.mark.parametrize(
    ("query", "variables"),
    [
        ("legal(?c, ?p), colour(?p, _)", ("c", "p")),
        ("legal(black, a1)", ()),
        ("absent legal(?c, ?p)", ()),
        ("?n = count ?p where (colour(?p, ?c), legal(?c, ?q)), legal(?c, _)", ("n", "c")),
        ("all ?l in liberty(?b, ?l): colour(?l, ?c), liberties(?b, ?n)", ("b", "n")),
    ],
)
def test_the_variables_of_an_answer(query, variables):
    assert answer_variables(parse_query(query).conditions) == variables


def added(text: str, others: str = "") -> list[str]:
    rules = [clause for clause in parsed(text).clauses if isinstance(clause, Rule)]
    there = [clause for clause in parsed(others).clauses if isinstance(clause, Rule)]
    return [diagnostic.code for diagnostic in check_rules(rules, WORDS, there)]


def test_facts_and_rules_that_come_later_are_checked():
    assert added("colour(a1, black).\nmove(black, a1).\nlegal(?c, ?p) :- colour(?p, ?c).\n") == []
    assert added("colour(a1, blck).\nlegal(?c, ?p) :- colour(?p, ?d).\nlegal(black, ?p).\n") == [
        "HB014",
        "HB020",
        "HB021",
        "HB040",
    ]


def test_rules_that_come_later_may_wait_for_others():
    assert added("take(?p) is GP :- take(?p) by move(_, ?p) is GI.\n") == []


def test_rules_that_come_later_meet_those_that_state():
    there = "one: best(?p) :- colour(?p, _), absent legal(black, ?p).\n"
    assert added("one: legal(?c, ?p) :- colour(?p, ?c).\n", there) == ["HB018"]
    closing = "best(?p) :- colour(?p, _), absent best(?p).\n"
    assert added(closing, there) == ["HB030"]


@pytest.mark.parametrize("name", ["x@", "x^", "#1.x", "x~2", "(a)", "", "any x", "_x", "1"])
def test_a_variable_that_no_text_can_write_is_refused(name):
    """The reader of a proof could give the name a special meaning."""
    rule = Rule(Atom("p", (Variable(name),)), (Atom("p", (Variable(name),)),), "made")
    found = check_rules([rule], vocabulary([parsed("sort thing. derived p(thing).")]))
    assert "HB003" in {d.code for d in found}


def test_a_constant_that_no_text_can_write_is_refused():
    class Other(str):
        __slots__ = ()

    rule = Rule(Atom("p", (Constant(Other("any x")),)), (), None)
    found = check_rules([rule], vocabulary([parsed("sort thing. static p(thing).")]))
    assert [d.code for d in found] == ["HB003"]


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
