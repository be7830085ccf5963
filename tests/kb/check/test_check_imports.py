"""Tests of imports: a file is checked together with its imports, and reports only its own mistakes."""

from __future__ import annotations

from oracles.pages.checking import diagnostics, found

BOARD = """\
theory board.
sort point.
static neighbour(point, point).
fluent stone(point).
action move(point).
derived legal(point).
meta good(point).
meta bad(point).
empty_neighbour: legal(?p) :- neighbour(?p, ?q), stone(?q).
bad(?p) :- stone(?p), absent good(?p).
"""


def test_names_of_imports_are_known():
    assert found(BOARD, "import board.\nlegal(?p) :- stone(?p), neighbour(?p, _).\n") == []


def test_mistakes_of_imports_are_not_reported_again():
    assert found(BOARD + "legal(?p) :- nothing(?p).\n", "import board.\n") == []


def test_names_of_imports_are_not_declared_again():
    text = "import board.\nsort point.\nfluent neighbour(point).\nsort other.\n"
    assert found(BOARD, text) == [(2, "HB015"), (3, "HB015")]


def test_labels_of_imports_are_taken():
    (diagnostic,) = diagnostics(BOARD, "import board.\nempty_neighbour: legal(?p) :- stone(?p).\n")
    assert diagnostic.code == "HB018"
    assert diagnostic.help == "the label is taken by the rule at 0.horn:9:1"


def test_a_circle_is_charged_to_the_rule_that_closes_it():
    assert found(BOARD, "import board.\nsort other.\ngood(?p) :- stone(?p), bad(?p).\n") == [(3, "HB030")]


def test_what_an_import_concludes_can_be_reached():
    assert found(BOARD, "import board.\nderived nice(point).\nnice(?p) :- legal(?p).\n") == []


def test_what_a_file_concludes_is_no_fact_for_examples_even_if_an_import_declares_it():
    text = "import board.\nstone(?p) :- neighbour(?p, ?p).\nexample e: stone(a1).\n"
    assert found(BOARD, text) == [(3, "HB041")]


def test_examples_of_imports_are_not_expected_of():
    board = BOARD + "example corner: stone(a1).\n"
    assert found(board, "import board.\nexpect corner: stone(a1).\n") == [(2, "HB041")]


def test_a_rule_that_feeds_itself_through_an_import_is_seen():
    board = "sort s.\nderived amount(s, int).\nderived more(s, int).\nmore(?x, ?n) :- amount(?x, ?n).\n"
    text = "import board.\namount(?x, ?n) :- more(?x, ?m), ?n = ?m + 1.\n"
    assert (2, "HB027") in found(board, text)


def test_a_rule_like_one_of_an_import_feeds_itself_too():
    board = "sort s.\nstatic one(s, int).\nderived amount(s, int).\namount(?x, ?n) :- one(?x, ?n).\namount(?x, ?n) :- amount(?x, ?m), one(?x, ?n).\n"
    text = "import board.\namount(?x, ?n) :- amount(?x, ?m), one(?x, _), ?n = ?m + 1.\n"
    assert (2, "HB027") in found(board, text)


def test_rules_of_an_outdated_theory_are_to_be_learned_again():
    said = "if the theory had it before, learn these rules again"
    (diagnostic,) = diagnostics(BOARD, "import board.\nlegal(?p) :- nothing(?p).\n")
    assert (diagnostic.code, said in (diagnostic.help or "")) == ("HB010", True)
    (diagnostic,) = diagnostics(BOARD + "legal(?p) :- nothing(?p).\n")
    assert (diagnostic.code, said in (diagnostic.help or "")) == ("HB010", False)
