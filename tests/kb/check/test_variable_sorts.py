"""Tests of the inferred sort of every variable of a rule."""

from __future__ import annotations

import pytest

from hornbook.kb.ast.terms import Rule
from hornbook.kb.check.clauses.sorts import variable_sorts
from hornbook.kb.parse.vocabulary import vocabulary
from oracles.pages.checking import parsed

DECLARATIONS = """\
sort point.
sort colour = black | white.
sort cents = int.
static neighbour(point, point).
static price(point -> cents).
fluent colour(point -> colour).
fluent liberty(point, point).
fluent liberties(point -> int) counts liberty.
action move(colour, point).
derived near(point, point).
meta best(point, int).
game take(point).
"""


@pytest.mark.parametrize(
    ("rule", "sorts"),
    [
        ("near(?p, ?q) :- neighbour(?p, ?q).", {"p": "point", "q": "point"}),
        ("near(?p, ?p) :- colour(?p, ?c), ?c != black.", {"p": "point", "c": "colour"}),
        # Equality and sums propagate a sort; a product is a plain integer.
        ("near(?p, ?p) :- price(?p, ?n), ?m = ?n, ?k = ?m + 1, ?j = ?k * ?m, ?c = ?d, colour(?p, ?d).",
         {"p": "point", "n": "cents", "m": "cents", "k": "cents", "j": "int", "c": "colour", "d": "colour"}),
        # The result does not depend on the order of propagation.
        ("near(?p, ?p) :- ?k = min(3, ?j), ?j = 1 - ?m, ?m = ?i, ?i = ?n, price(?p, ?n).",
         {"p": "point", "n": "cents", "m": "cents", "k": "cents", "j": "cents", "i": "cents"}),
        ("near(?p, ?p) :- price(?p, ?n), liberties(?p, ?n).", {"p": "point", "n": "cents"}),
        # Local variables have sorts too.
        ("near(?p, ?p) :- colour(?p, _), all ?l in liberty(?p, ?l): colour(?l, ?c).",
         {"p": "point", "l": "point", "c": "colour"}),
        ("near(?p, ?p) :- liberty(?p, ?q), ?n = count ?l in liberty(?p, ?l) but ?q.",
         {"p": "point", "q": "point", "n": "int", "l": "point"}),
        ("best(?p, ?n) :- colour(?p, ?c), ?n = sum ?w where (price(?q, ?w), absent colour(?q, ?c)).",
         {"p": "point", "c": "colour", "n": "cents", "w": "cents", "q": "point"}),
        ("take(?p) by move(?c, ?q) is ?v :- take(?p) is ?v, colour(?q, ?c).",
         {"p": "point", "c": "colour", "q": "point", "v": "value"}),
        # The column sorts of an unknown predicate are unknown.
        ("near(?p, ?p) :- colour(?p, _), unheard(?x).", {"p": "point"}),
    ],
)  # fmt: skip
def test_the_sorts_of_variables(rule, sorts):
    file = parsed(DECLARATIONS + rule)
    made = file.clauses[-1]
    assert isinstance(made, Rule)
    assert variable_sorts(made, vocabulary([file])) == sorts
