"""Tests of advice to a firm.

It gives exact intervals, is never wrong in the simulator, and does not depend on expected values.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from hornbook.compiler.advise.advice import Adviser, AmountAdvice
from hornbook.compiler.advise.conflicts import conflicts
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.verification import verify_all
from hornbook.inputs.knowledge_base import KnowledgeBase
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Rule
from hornbook.kb.format.printer import print_condition, print_rule
from hornbook.kb.integers.intervals import Intervals
from hornbook.theories.firm import adapter
from hornbook.theories.firm.states.company import Firm, Product
from oracles.firm.advice_run import run
from oracles.firm.rules_run import learned
from oracles.firm.years import EXAMPLES


@cache
def rules() -> tuple[Rule, ...]:
    theory = load("firm")
    assert theory.path is not None
    return tuple(entry.rule for entry in rulebase.read(theory.path.with_name("rules.horn"), theory))


def moment(name: str) -> Firm:
    return adapter.read((EXAMPLES / "moments" / f"{name}.csv").read_text("utf-8"), name)


def advice(firm: Firm) -> list[AmountAdvice]:
    base = KnowledgeBase("firm", derivations="none")
    base.add([*adapter.facts(firm)])
    return Adviser(base, rules(), "amount").advice()


def messages(firm: Firm) -> dict[str, tuple[tuple[int, int], ...]]:
    return {
        f"{print_condition(each.goal)} by {print_condition(each.open_decision)} {each.value}": each.amounts.parts
        for each in advice(firm)
        if each.value in ("GI", "GIII")
    }


@pytest.mark.deep
def test_the_rules_that_ship_are_those_that_the_examples_teach():
    theory = load("firm")
    assert {print_rule(rule) for rule in rules()} == {print_rule(rule) for rule in learned(theory)}
    assert theory.path is not None
    shipped = rulebase.read(theory.path.with_name("rules.horn"), theory)
    assert [verdict for verdict in verify_all(shipped, theory) if not verdict.follows] == []


@pytest.mark.deep
@pytest.mark.parametrize("seed", ["1", "2"])
def test_advice_on_random_firms_is_never_wrong(seed):
    theory = load("firm")
    tally = run(KnowledgeBase(theory, derivations="none"), rules(), seed, 12)
    assert tally.wrong == []
    assert tally.pieces.total() > 200
    assert tally.outside > tally.firms * 50


def test_butter_is_advised_from_what_is_needed_to_what_can_be_paid():
    firm = moment("butter_is_cheap")
    found = messages(firm)
    butter = firm.materials["butter"]
    assert butter.needed is not None
    assert found["supply(butter) by buy(butter, ?n) GI"] == (
        (butter.needed - butter.stock - sum(butter.arriving), 999_999_999_999),
    )
    ((first, last),) = found["solvent by buy(butter, ?n) GI"]
    assert (first, last) == (1, 20_187)


@pytest.mark.deep
def test_two_goals_that_no_amount_serves_are_a_conflict_over_facts():
    firm = moment("butter_is_cheap")
    butter = replace(firm.materials["butter"], needed=40_000)
    dear = replace(firm, materials={**firm.materials, "butter": butter})
    found = [c for c in conflicts(advice(dear), (), ()) if print_condition(c.decision) == "buy(butter, ?n)"]
    one = next(c for c in found if {c.one.goal.predicate, c.other.goal.predicate} == {"supply", "solvent"})
    assert not one.one.reached & one.other.reached
    assert {fact.predicate for fact in one.facts if hasattr(fact, "predicate")} >= {
        "needed",
        "spare_before_bill",
        "cost",
    }
    assert conflicts(advice(firm), (), ()) != found


def changed(firm: Firm, **changes: int | None) -> Firm:
    products: dict[str, Product] = {
        name: replace(product, **changes)  # type: ignore[arg-type]
        for name, product in firm.products.items()
    }
    return replace(firm, products=products)


def test_what_customers_are_going_to_ask_for_is_not_used_before_they_do():
    firm = moment("flour_is_there")
    assert messages(firm) == messages(changed(firm, asked=1)) == messages(changed(firm, asked=1_000_000))


def test_without_bounds_of_demand_nothing_is_counted_as_sold():
    firm = moment("flour_is_there")
    bounded, unknown, nothing = (
        messages(each) for each in (firm, changed(firm, low=None, high=None), changed(firm, low=0))
    )
    assert any(text.startswith("ship(bread) by produce") for text in bounded)
    assert not any(text.startswith("ship(bread) by produce") for text in unknown)
    # Advice about cash must hold even if there are no buyers.
    for goal in ("solvent", "on_target"):
        one, other = ({t: i for t, i in each.items() if t.startswith(goal)} for each in (unknown, nothing))
        assert one == other
    assert any(text.startswith("solvent by borrow") for text in unknown)


def test_advice_holds_for_the_highest_demand_and_not_for_the_expected_one():
    firm = moment("flour_is_there")
    bread = firm.products["bread"]
    assert bread.high is not None
    ((first, _),) = messages(firm)["ship(bread) by produce(bread, ?n) GI"]
    assert first == bread.high - bread.stock
    more = replace(firm, products={**firm.products, "bread": replace(bread, high=bread.high + 100)})
    ((later, _),) = messages(more)["ship(bread) by produce(bread, ?n) GI"]
    assert later == first + 100


def test_nobody_need_buy_above_the_ceiling_of_competitors():
    firm = moment("flour_is_dear")
    dearer = replace(
        firm, products={**firm.products, "bread": replace(firm.products["bread"], ceiling=9_000)}
    )
    goal = "solvent by set_price(bread, ?n) GI"
    # Above the competitors' price, the guaranteed sales are zero, so no price there covers the costs.
    assert 2_000 not in Intervals(messages(firm).get(goal, ()))
    assert 2_000 in Intervals(messages(dearer)[goal])
