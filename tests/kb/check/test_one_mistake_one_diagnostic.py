"""Tests that one mistake gives one diagnostic: its consequences are not reported too."""

from __future__ import annotations

import pytest

from oracles.pages.checking import diagnostics, found

WORDS = """\
sort point.
sort colour = black | white | empty.
static neighbour(point, point).
static player(colour).
fluent colour(point -> colour).
fluent liberty(point, point).
fluent liberties(point -> int) counts liberty.
action move(colour, point).
derived legal(colour, point).
derived good(point) operational.
meta best(point).
game take(point).
"""
LINE = WORDS.count("\n") + 1


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        # An unknown predicate binds its variables, and it makes nothing unreachable.
        ("good(?p) :- stone(?p).", ["HB010"]),
        ("good(?p) :- stone(?p), stone(?p), player(?c), stone(?c).", ["HB010"]),
        ("legal(?c, ?p) :- stone(?p, ?c), good(?p).\ngood(?p) :- unheard(?p).", ["HB010", "HB010"]),
        # A wrong number of arguments implies nothing about sorts and bindings.
        ("good(?p) :- neighbour(?p).", ["HB011"]),
        # An unsafe variable is not also reported as used once. Neither is the misspelled variable.
        ("good(?place) :- neighbour(?plce, _).", ["HB020"]),
        ("good(?p) :- neighbour(?p, _), ?p != ?q.", ["HB020"]),
        ("good(?p) :- neighbour(?p, _), ?n = ?m + 1, ?n > 3.", ["HB020"]),
        # If two names are similar to each other, one of them is reported.
        ("good(?p) :- neighbour(?p, ?stone), neighbour(?stoen, ?p).", ["HB021"]),
        # Arguments in the wrong order are one mistake.
        ("legal(?c, ?p) :- player(?c), colour(?c, ?p), neighbour(?p, _).", ["HB017"]),
        # A word in an order comparison is one mistake, for any number of compared words.
        ("good(?p) :- colour(?p, ?c), ?c < black.", ["HB019"]),
        # The conditions of an aggregate by group are checked twice but reported once.
        ("best(?p) :- ?n = max ?k by ?p where (liberties(?p, ?k), ?k > ?m), ?n > 1.", ["HB020"]),
        ("best(?p) :- ?n = max ?k by ?p where (liberties(?p, ?w), ?k = ?w * 2), ?n > ?m.", ["HB020"]),
        # A refused absence binds variables and closes no cycle, and its own variables are not counted.
        ("good(?p) :- absent colour(?p, black).", ["HB026"]),
        ("good(?p) :- colour(?p, _), absent neighbour(?p, ?q).", ["HB026"]),
        ("good(?p) :- colour(?p, _), absent good(?p).", ["HB026"]),
        ("good(?p) :- colour(?p, _), 2 < ?n, ?n = count ?q where colour(?q, _).", ["HB037"]),
        # A refused set binds the variables that it lists and computes.
        ("good(?p) :- liberties(?p, ?n), ?n = count ?q in neighbour(?p, ?q).", ["HB031"]),
        ("good(?p) :- colour(?p, _), all ?l in liberty(?p, ?k): good(?l).", ["HB032"]),
        ("good(?p) :- colour(?p, _), all ?l in libert(?p, ?l): colour(?l, empty).", ["HB010"]),
        ("fluent shades(point -> colour) counts liberty.\ngood(?p) :- shades(?p, black).", ["HB033"]),
        ("fluent ways(point -> colour) counts neighbour.\ngood(?p) :- all ?q in neighbour(?p, ?q): good(?q).", ["HB033"]),
        # A meta predicate in a theory rule closes no cycle.
        ("best(?p) :- colour(?p, _), absent good(?p).\ngood(?p) :- best(?p).", ["HB039"]),
        # A misplaced tense word does not require other tense words.
        ("good(?p) :- before neighbour(?p, _), colour(?p, black).", ["HB022"]),
        ("after colour(?p, ?c) :- after move(?c, ?p).", ["HB022"]),
        # A past fact concluded from the future: the missing tense word of the head is not reported too.
        ("good(?p) :- after colour(?p, empty).\nafter colour(?p, empty) :- move(_, ?p).", ["HB025"]),
        # A static predicate concluded from an action is not also reported as a timeless rule with an action.
        ("player(?c) :- move(?c, _).", ["HB038"]),
        ("move(?c, ?p) :- legal(?c, ?p), colour(?p, empty).\nlegal(?c, ?p) :- colour(?p, ?c).", ["HB029"]),
        # The dependencies of a game without a value, or of `is` on a non-game, are not reported.
        ("good(?p) :- take(?p).", ["HB035"]),
        ("good(?p) :- colour(?p) is black.", ["HB035"]),
        ("take(?p) by legal(?p) is GI :- colour(?p, _).", ["HB035"]),
        # A constant that is missing from its sort is one mistake, however often it is used.
        ("colour(a1, grey).\ncolour(b1, grey).\ngood(?p) :- colour(?p, ?c), ?c = grey.", ["HB014"]),
        # An undeclared sort is one mistake, and its columns accept any value.
        ("static price(point, money).\nstatic cost(point, money).\nprice(a1, 3).\ncost(a1, dear).", ["HB012"]),
        # A rule that depends on an underivable predicate is not reported. A cycle of underivable rules gives
        # one report.
        ("derived a(point).\nderived b(point).\nb(?p) :- a(?p).\ngood(?p) :- b(?p).", ["HB028"]),
        ("derived a(point).\nderived b(point).\na(?p) :- b(?p).\nb(?p) :- a(?p).\ngood(?p) :- a(?p).", ["HB028"]),
        # Two rules that negate each other form one cycle.
        ("meta b(point).\nbest(?p) :- colour(?p, _), absent b(?p).\nb(?p) :- colour(?p, _), absent best(?p).", ["HB030"]),
        # A missing example is one mistake for each expectation that names it, and has no further
        # consequences.
        ("expect nowhere: good(?p) gives a1.\ngood(?p) :- colour(?p, black).", ["HB041"]),
    ],
)  # fmt: skip
def test_one_mistake_gives_one_diagnostic(clauses, expected):
    assert [code for _, code in found(WORDS + clauses)] == expected


@pytest.mark.parametrize(("worth", "expected"), [("", True), (" worth 3", False)])
def test_what_comes_after_a_pass_is_reported_by_plans_for_games_of_some_worth(worth, expected):
    clauses = f"action put(point).\ngame own(point){worth}.\nbefore own(?p) by put(?p) is GI :- put(?p), after own(?p) is IG."
    assert ("HB028" in {code for _, code in found(WORDS + clauses)}) is expected


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        # A declaration, rule or example that cannot be parsed still counts as present.
        ("fluent stone(point -> colour.\nstone(a1, black).\ngood(?p) :- stone(?p, black).", ["HB001"]),
        ("flent stone(point).\ngood(?p) :- stone(?p).", ["HB001"]),
        ("sort piece = king | quen |.\nstatic worth(piece, int).\nworth(king, 100).", ["HB001"]),
        ("derived far(point).\nfar(?p) :- neighbour(?p _).\ngood(?p) :- far(?p).", ["HB001"]),
        ("example corner: colour(a1 empty).\nexpect corner: colour(a1, empty).", ["HB001"]),
        ("fluent stones(point -> int) counts stone.\nfluent stone(point, point)", ["HB002"]),
        # A related mistake in another clause is still reported.
        ("good(?p) :- neighbour(?p _).\nderived far(point).\nlegal(_, ?p) :- far(?p).", ["HB001", "HB020", "HB028"]),
    ],
)  # fmt: skip
def test_a_syntax_error_is_the_one_mistake_of_its_clause(clauses, expected):
    assert [code for _, code in found(WORDS + clauses)] == expected


def test_an_unknown_predicate_is_reported_where_it_first_stands_with_how_often():
    text = (
        WORDS + "good(?p) :- far(?p), colour(?p, empty).\ngood(?p) :- colour(?p, black), far(?p).\nfar(a1).\n"
    )
    (diagnostic,) = diagnostics(text)
    assert (diagnostic.span.line, diagnostic.span.column) == (LINE, 13)
    assert diagnostic.message == "unknown predicate `far`, here and in 2 more places"


def test_several_mistakes_in_one_rule_are_all_reported():
    text = WORDS + "good(?p) :- neighbr(?p), colour(?p, grey), neighbour(?p), ?q > 1, liberties(?p, ?once).\n"
    assert [code for _, code in found(text)] == ["HB010", "HB014", "HB011", "HB020", "HB021"]


def test_what_is_reported_to_have_no_value_is_used_once_and_meant():
    text = "theory t.\nsort name.\nstatic named(name).\nstatic odd(name).\nodd(?w) :- named(?w), absent (?n = int(?w)).\n"
    assert found(text) == []
    assert [
        code for _, code in found(text.replace("named(?w), absent (", "named(?w), absent (named(?m), "))
    ] == ["HB021"]
