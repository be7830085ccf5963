"""Tests of aggregates by group: their expansion, and their answers compared with sets counted by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random

import pytest

from hornbook.kb.ast.notation import print_condition
from hornbook.kb.ast.terms import Rule, condition_variables
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.formatter import format_text
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse, parse_query
from oracles.pages.engines import engines_with


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ("?n = count ?b by ?p where in(?b, ?p)", "in(_, ?p), ?n = count ?b where in(?b, ?p)"),
        (
            "?n = sum ?w by ?p where (in(?b, ?p), weight(?b, ?w))",
            "in(?b_1, ?p), weight(?b_1, _), ?n = sum ?w where (in(?b, ?p), weight(?b, ?w))",
        ),
        # Other variables that the conditions share with the rule belong to the group too.
        (
            "kind(?k), ?n = max ?w by ?p where (in(?b, ?p), of(?b, ?k), weight(?b, ?w), ?w > 0)",
            (
                "kind(?k), in(?b_1, ?p), of(?b_1, ?k), weight(?b_1, ?w_2), ?w_2 > 0,"
                " ?n = max ?w where (in(?b, ?p), of(?b, ?k), weight(?b, ?w), ?w > 0)"
            ),
        ),
        # The result of an equation gets a variable of its own, because only an argument of a fact can be a
        # wildcard.
        (
            "?n = sum ?v by ?p where (in(?b, ?p), weight(?b, ?w), ?v = ?w * 2)",
            (
                "in(?b_1, ?p), weight(?b_1, ?w_2), ?v_3 = ?w_2 * 2,"
                " ?n = sum ?v where (in(?b, ?p), weight(?b, ?w), ?v = ?w * 2)"
            ),
        ),
        # Two aggregates share the variables outside of them, and no others.
        (
            (
                "?n = min ?w by ?p where (in(?b, ?p), weight(?b, ?w)),"
                " ?m = max ?w by ?p where (in(?b, ?p), weight(?b, ?w))"
            ),
            (
                "in(?b_1, ?p), weight(?b_1, _), ?n = min ?w where (in(?b, ?p), weight(?b, ?w)),"
                " in(?b_2, ?p), weight(?b_2, _), ?m = max ?w where (in(?b, ?p), weight(?b, ?w))"
            ),
        ),
        # Names that occur in the rule are not reused, and each wildcard gets a new name.
        (
            "q(?b_1), ?n = count ?b by ?p where (in(?b, ?p), weight(?b, _))",
            "q(?b_1), in(?b_2, ?p), weight(?b_2, _), ?n = count ?b where (in(?b, ?p), weight(?b, _))",
        ),
        # A variable of a calculation occurs, too.
        (
            "?n = sum ?w by ?p where (in(?b + 1, ?p), weight(?b, ?w))",
            (
                "?b_1_plus_1 = ?b_1 + 1, in(?b_1_plus_1, ?p), weight(?b_1, _),"
                " ?n = sum ?w where (?b_plus_1 = ?b + 1, in(?b_plus_1, ?p), weight(?b, ?w))"
            ),
        ),
        (
            "q(?b * 2), ?n = sum ?w by ?p where (in(?b, ?p), weight(?b, ?w))",
            (
                "?b_times_2 = ?b * 2, q(?b_times_2), in(?b, ?p), weight(?b, _),"
                " ?n = sum ?w where (in(?b, ?p), weight(?b, ?w))"
            ),
        ),
        (
            "q(?p), absent (?n = count ?b by ?p where in(?b, ?p), ?n > 2)",
            "q(?p), absent (in(_, ?p), ?n = count ?b where in(?b, ?p), ?n > 2)",
        ),
    ],
)
def test_a_group_is_read_as_conditions_that_generate_it(body, read):
    (rule,) = parse(f"h(?p, ?n) :- {body}.").clauses
    assert isinstance(rule, Rule)
    assert ", ".join(map(print_condition, rule.body)) == read
    wildcards = [v.name for c in rule.body for v in condition_variables(c) if v.is_wildcard]
    assert len(wildcards) == len(set(wildcards))
    query = parse_query(body)
    assert ", ".join(map(print_condition, query.conditions)) == read
    assert "by ?p where" in format_text(f"h(?p,?n):-{body}.", "t.horn")


def test_a_variable_of_a_calculation_in_the_conclusion_belongs_to_the_group():
    (rule,) = parse("h(?k + 1, ?n) :- ?n = sum ?w by ?p where of(?p, ?k, ?w).").clauses
    assert isinstance(rule, Rule)
    shown = ", ".join(map(print_condition, rule.body))
    assert shown == "of(?p, ?k, _), ?n = sum ?w where of(?p, ?k, ?w), ?k_plus_1 = ?k + 1"


THEORY = load_text("""
theory t.
sort box. sort place.
static in(box, place). static weight(box, int).
derived total(place, int). derived number(place, int). derived least(place, int).
derived double(place, int). derived most(place, int). derived span(place, int, int).
total(?p, ?n) :- ?n = sum ?w by ?p where (in(?b, ?p), weight(?b, ?w)).
number(?p, ?n) :- ?n = count ?b by ?p where in(?b, ?p).
least(?p, ?n) :- ?n = min ?w by ?p where (in(?b, ?p), weight(?b, ?w)).
double(?p, ?n) :- ?n = sum ?v by ?p where (in(?b, ?p), weight(?b, ?w), ?v = ?w * 2).
span(?p, ?n, ?m) :-
  ?n = min ?w by ?p where (in(?b, ?p), weight(?b, ?w)), ?m = max ?w by ?p where (in(?b, ?p), weight(?b, ?w)).
most(?p, ?n) :- ?n = max ?k by ?p where (in(?b, ?p), ?k = count ?w where weight(?b, ?w)).
""")


@pytest.mark.parametrize("engine", engines_with())
def test_each_group_that_has_answers_has_its_own(engine):
    random = Random(4)
    inside = {(f"b{random.randrange(30)}", f"p{random.randrange(6)}") for _ in range(60)}
    weights = {(f"b{random.randrange(30)}", random.randrange(9)) for _ in range(40)}
    base = KnowledgeBase(THEORY, engine=engine)
    base.add([GroundFact("in", row) for row in inside] + [GroundFact("weight", row) for row in weights])
    members: dict[str, set[str]] = defaultdict(set)
    for box, place in inside:
        members[place].add(box)
    weighed = {p: [w for b in boxes for c, w in weights if b == c] for p, boxes in members.items()}
    assert set(base.query("number(?p, ?n)")) == {(p, len(boxes)) for p, boxes in members.items()}
    assert set(base.query("total(?p, ?n)")) == {(p, sum(ws)) for p, ws in weighed.items() if ws}
    assert set(base.query("least(?p, ?n)")) == {(p, min(ws)) for p, ws in weighed.items() if ws}
    assert set(base.query("double(?p, ?n)")) == {(p, 2 * sum(ws)) for p, ws in weighed.items() if ws}
    assert set(base.query("span(?p, ?n, ?m)")) == {(p, min(ws), max(ws)) for p, ws in weighed.items() if ws}
    weights_of = Counter(box for box, _ in weights)
    assert set(base.query("most(?p, ?n)")) == {
        (p, max(map(weights_of.__getitem__, bs))) for p, bs in members.items()
    }
