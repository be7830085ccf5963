"""Tests of counter-models: wrong rules get a state that refutes them, and correct rules never do."""

from __future__ import annotations

import pytest

from hornbook.compiler.refute import countermodel
from hornbook.compiler.refute.countermodel import CounterModel, find
from hornbook.kb.ast.substitution import apply_to_condition
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base import fact_states
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.budget import Budget
from hornbook.kb.parse.syntax import Query
from oracles.proofs.learned_rules import rule_of, theory_of

SETS = theory_of(
    """
    sort point. sort block. sort colour = black | white | empty.
    static edge(point).
    fluent liberty(block, point). fluent liberties(block -> int) counts liberty.
    fluent colour(point -> colour).
    derived good(block). derived dark(block). derived many(block).
    good: good(?b) :- liberties(?b, _), all ?l in liberty(?b, ?l): edge(?l).
    dark: dark(?b) :- liberties(?b, _), all ?l in liberty(?b, ?l): (colour(?l, ?c), ?c != white).
    many: many(?b) :- liberties(?b, ?n), ?n * 2 > 5.
    """
)
MOVES = theory_of(
    """
    sort point. sort colour = black | white | empty.
    static near(point, point). static player(colour).
    fluent colour(point -> colour).
    action move(colour, point).
    derived free(point).
    game take(point).
    free: free(?p) :- colour(?p, empty), near(?p, ?q), colour(?q, empty).
    stays: after colour(?p, ?c) :- move(_, ?m), before colour(?p, ?c), ?p != ?m.
    take: take(?p) by move(?c, ?q) is GI :- player(?c), near(?p, ?q), free(?q), colour(?p, ?d), ?c != ?d, ?d != empty.
    threat: before take(?p) by move(?c, ?q) is GIII :- move(?c, ?q), after take(?p) by move(?c, _) is GI.
    """
)

THREAT = (
    "take(?p) by move(?c, ?q) is GIII :- player(?c), near(?p, ?r), near(?r, ?s), colour(?r, empty),"
    " colour(?s, empty), colour(?p, ?d), colour(?q, ?x), ?c != ?d, ?d != empty, ?p != ?q, ?r != ?q"
)

WRONG = [
    (SETS, "good(?b) :- liberties(?b, 2), liberty(?b, ?x), liberty(?b, ?y), edge(?x), edge(?y)."),
    (SETS, "good(?b) :- liberties(?b, 2), liberty(?b, ?x), edge(?x)."),
    (SETS, "good(?b) :- liberties(?b, ?n), liberty(?b, ?x), edge(?x)."),
    (SETS, "good(?b) :- liberties(?b, ?n), ?n < 2, liberty(?b, ?x)."),
    (SETS, "good(?b) :- liberties(?b, 1), liberty(?b, ?x), liberty(?c, ?y), edge(?y)."),
    (SETS, "dark(?b) :- liberties(?b, ?n), all ?l in liberty(?b, ?l): colour(?l, ?c)."),
    (SETS, "dark(?b) :- liberties(?b, ?n), all ?l in liberty(?b, ?l): (colour(?l, ?c), ?c != black)."),
    (SETS, "dark(?b) :- liberties(?b, ?n), liberties(?d, ?m), all ?l in liberty(?d, ?l): colour(?l, black)."),
    (SETS, "many(?b) :- liberties(?b, ?n), ?n > 1."),
    (SETS, "many(?b) :- liberties(?b, ?n), ?n != 2."),
    (MOVES, "free(?p) :- colour(?p, empty), near(?p, ?q), colour(?q, ?c)."),
    (MOVES, "free(?p) :- colour(?p, empty), near(?q, ?p), colour(?q, empty)."),
    (MOVES, "after colour(?p, ?c) :- move(?d, ?m), before colour(?p, ?c)."),
    (
        MOVES,
        "take(?p) by move(?c, ?q) is GI :- player(?c), near(?p, ?q), free(?q), colour(?p, ?d), ?d != empty.",
    ),
    (
        MOVES,
        f"{THREAT}.",
    ),
]
RIGHT = [
    (SETS, "good(?b) :- liberties(?b, 2), liberty(?b, ?x), liberty(?b, ?y), edge(?x), edge(?y), ?x != ?y."),
    (SETS, "good(?b) :- liberties(?b, 0)."),
    (SETS, "good(?b) :- liberties(?b, 1), liberty(?b, ?x), edge(?x)."),
    (SETS, "good(?b) :- liberties(?b, ?n), all ?l in liberty(?b, ?l): (edge(?l), colour(?l, ?c))."),
    (SETS, "dark(?b) :- liberties(?b, ?n), all ?l in liberty(?b, ?l): colour(?l, black)."),
    (SETS, "dark(?b) :- liberties(?b, ?n), all ?l in liberty(?b, ?l): (colour(?l, ?c), ?c != white, ?c != black)."),
    (SETS, "dark(?b) :- liberties(?b, ?n), liberty(?b, ?k), all ?l in liberty(?b, ?l): (colour(?l, ?c), colour(?k, ?c), ?c != white)."),
    (SETS, "many(?b) :- liberties(?b, ?n), ?n > 2."),
    (SETS, "many(?b) :- liberties(?b, ?n), ?n > 2, ?n < 100."),
    (MOVES, "free(?p) :- colour(?p, empty), near(?p, ?p)."),
    (MOVES, "after colour(?p, ?c) :- move(?d, ?m), before colour(?p, ?c), ?p != ?m."),
    (
        MOVES,
        f"{THREAT}, ?s != ?q.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("theory", "text"), WRONG)
def test_a_wrong_rule_gets_a_state_that_refutes_it(theory, text):
    rule = rule_of(text)
    found = find(rule, theory)
    assert found is not None
    _refutes(found, rule, theory)


def _refutes(found: CounterModel, rule: Rule, theory: Theory) -> None:
    """Assert that the facts are a valid state that refutes the rule."""
    base = KnowledgeBase(theory)
    base.add(found.facts, assume={fact.relation for fact in found.facts})
    conditions = tuple(apply_to_condition(condition, found.assignment) for condition in rule.body)
    assert base.engine.query(Query(conditions, rule.span))
    assert not base.holds(found.missing)


@pytest.mark.parametrize(("theory", "text"), RIGHT)
def test_a_rule_that_follows_never_gets_one(theory, text):
    assert find(rule_of(text), theory, tries=600) is None


def test_a_counter_model_is_shown_as_a_state():
    found = find(rule_of("good(?b) :- liberties(?b, 1), liberty(?c, ?x), edge(?x)."), SETS)
    assert str(found) == (
        "with ?b = thing_b, ?c = thing_c, ?x = thing_x\n"
        "in the state\n"
        "  liberties(thing_b, 1)\n"
        "  liberty(thing_c, thing_x)\n"
        "  edge(thing_x)\n"
        "`good(thing_b)` does not follow"
    )
    moved = str(find(rule_of("after free(?p) :- after colour(?p, empty)."), MOVES))
    assert "  after colour(thing_p, empty)\n`after free(thing_p)` does not follow" in moved


def test_what_rests_on_a_lemma_is_queried_with_it():
    """The theory has one action only, so a lemma supplies the effects of another."""
    lemma = rule_of(
        "lower: take(?p) by move(?c, ?q) is GI :- player(?c), near(?p, ?q), free(?q), colour(?p, ?d), ?c != ?d."
    )
    rule = rule_of(
        "take(?p) by move(?c, ?q) is GI :- player(?c), near(?p, ?q), free(?q), colour(?p, empty), ?c != empty."
    )
    assert find(rule, MOVES) is not None
    assert find(rule, MOVES, lemmas=[lemma], tries=300) is None


def test_a_closed_condition_is_not_taken_as_true_where_it_is_not():
    """An earlier search ignored the comparisons.

    Correct rules then got counter-models that do not satisfy their conditions.
    """
    theory = theory_of(
        """
        sort point. sort block. fluent liberty(block, point). fluent liberties(block -> int) counts liberty.
        fluent size(point -> int). derived big(block).
        big: big(?b) :- liberties(?b, _), all ?l in liberty(?b, ?l): (size(?l, ?n), ?n > 2).
        """
    )
    right = "big(?b) :- liberties(?b, ?k), liberty(?b, ?x), size(?x, ?m), all ?l in liberty(?b, ?l): (size(?l, ?n), ?n > {})."
    assert find(rule_of(right.format("2")), theory, tries=500) is None
    assert find(rule_of(right.format("3")), theory, tries=500) is None
    found = find(rule_of(right.format("1")), theory)
    assert found is not None
    _refutes(found, rule_of(right.format("1")), theory)


def test_a_wildcard_stands_for_a_thing_of_its_sort():
    """An earlier search took the wildcard for a number, so it could build no state and refuted nothing."""
    rule = rule_of("good(?b) :- liberties(?b, _), liberty(_, ?x), edge(?x).")
    found = find(rule, SETS)
    assert found is not None
    _refutes(found, rule, SETS)
    assert find(rule_of("after colour(?p, ?c) :- move(_, _), before colour(?p, ?c)."), MOVES) is not None


def test_numbers_that_only_the_theory_mentions_are_tried():
    theory = theory_of("fluent q(int). derived p(int). far: p(?x) :- q(?x), ?x > 10, ?x != 500.")
    for text in ("p(?x) :- q(?x).", "p(?x) :- q(?x), ?x > 9.", "p(?x) :- q(?x), ?x > 10."):
        found = find(rule_of(text), theory)
        assert found is not None
        _refutes(found, rule_of(text), theory)


def test_a_search_that_no_comparison_lets_through_ends(monkeypatch):
    looked = 0

    def never(*_: object) -> bool:
        nonlocal looked
        looked += 1
        assert looked <= 2_000
        return False

    monkeypatch.setattr(countermodel, "holds", never)
    monkeypatch.setattr(countermodel, "MOST_ROWS", 1_000)
    many = ", ".join(f"liberties(?b, ?n{number})" for number in range(8))
    assert find(rule_of(f"many(?b) :- {many}, ?n0 > ?n1."), SETS) is None
    assert looked == 1_000


def test_a_search_ends_where_its_budget_is_spent():
    rule = rule_of("good(?b) :- liberties(?b, 1).")
    assert find(rule, SETS) is not None
    assert find(rule, SETS, budget=Budget(steps=0)) is None


def test_nothing_is_reported_of_what_may_rest_on_replies():
    theory = load_text(
        "theory heaps. sort side = me | you. fluent left(int). action take(side, int). game last(side). static other(side, side)."
        " other(me, you). other(you, me)."
        " replies last(?p): take(?o, 1), other(?p, ?o)."
        " after left(?m) :- take(_, ?k), before left(?n), ?m = ?n - ?k."
        " last(?p) is GI :- left(1), other(?p, _)."
        " before last(?p) by take(?p, ?k) is GI :- take(?p, ?k), after last(?p) is IG."
    )
    assert find(rule_of("last(?p) is IG :- left(2), other(?p, ?o)."), theory) is None
    assert (
        find(
            rule_of("before last(?p) by take(?p, 1) is GI :- take(?p, 1), before left(3), other(?p, ?o)."),
            theory,
        )
        is None
    )
    assert find(rule_of("after left(1) :- take(?p, ?k), before left(3)."), theory) is not None


@pytest.mark.parametrize("place", range(0, len(WRONG + RIGHT), 3))
def test_states_evaluated_together_give_the_first_counter_model_of_single_states(place, monkeypatch):
    monkeypatch.delenv("HORNBOOK_ENGINE", raising=False)
    theory, text = (WRONG + RIGHT)[place]
    found = []
    for few in (fact_states.FEW, 10_000):
        monkeypatch.setattr(fact_states, "FEW", few)
        found.append(find(rule_of(text), theory, tries=150))
    assert found[0] == found[1]
    assert (found[0] is None) == (place >= len(WRONG))


ROOMS = theory_of(
    """
    sort room.
    static heated(room). static sunny(room).
    derived warm(room). derived pleasant(room). derived usable(room).
    by_fire: warm(?r) :- heated(?r).
    by_the_sun: warm(?r) :- sunny(?r).
    pleasant: pleasant(?r) :- warm(?r).
    usable_by_fire: usable(?r) :- heated(?r).
    usable_in_the_sun: usable(?r) :- sunny(?r).
    """
)


def test_a_counter_model_names_the_facts_that_no_state_has():
    """The claim is right: a room is warm by fire or by the sun, and usable in both cases."""
    model = find(rule_of("usable(?r) :- pleasant(?r)."), ROOMS)
    assert model is not None
    assert [(fact.relation, fact.values) for fact in model.supposed] == [("pleasant", ("thing_r",))]
    assert "but the state supposes `pleasant(thing_r)`" in str(model)


def test_a_counter_model_without_supposed_facts_is_preferred():
    model = find(rule_of("heated(?r) :- pleasant(?r)."), ROOMS)
    assert model is not None
    assert model.supposed == ()
    assert {fact.relation for fact in model.facts} == {"sunny"}
    assert str(model).endswith("`heated(thing_r)` does not follow")
    base = KnowledgeBase(ROOMS)
    base.add(model.facts)
    assert [*base.facts("pleasant")]
