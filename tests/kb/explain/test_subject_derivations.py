"""Tests that a proof about one subject cites the rows of this subject, among hundreds."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from hornbook.kb.ast.terms import Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text

DUES = (Path(__file__).parent / "data" / "subject_dues.horn").read_text(encoding="utf-8")
MEMBERS = [f"m{number}" for number in range(300)]


def facts() -> list[GroundFact]:
    random = Random(0)
    rows = [
        fact
        for member in MEMBERS
        for fact in (
            GroundFact("row", (member, random.randrange(4))),
            GroundFact("uses", (member, f"t{random.randrange(60)}")),
            GroundFact("friend", (member, random.choice(MEMBERS))),
        )
    ]
    return [*rows, *(GroundFact("price", (f"t{number}", number % 3)) for number in range(60))]


@pytest.fixture(scope="module", params=["compiled", "demand"])
def dues(request):
    base = KnowledgeBase(load_text(DUES, "dues.horn"), engine=request.param)
    base.add(facts())
    return base


def cited(base: KnowledgeBase, goal: str) -> set[object]:
    """Return the members in the given facts of a proof."""
    return {
        term.value
        for fact in base.why(goal).given_facts
        for term in fact.terms
        if isinstance(term, Constant) and str(term.value).startswith("m")
    }


@pytest.mark.parametrize("predicate", ["fee", "near"])
def test_the_shared_fact_follows_from_the_row_of_the_subject(dues, predicate):
    for member in MEMBERS:
        assert cited(dues, f"{predicate}({member}, ?n)") == {member}


def test_it_does_so_through_facts_without_the_subject(dues):
    """The tariff between the member and the shared price is chosen by looking ahead."""
    prices = dict(dues.query("uses(?m, ?t), price(?t, ?p)").to_pandas()[["m", "p"]].itertuples(index=False))
    for member in MEMBERS:
        for price in range(3):
            others = cited(dues, f"total({member}, {price})") - {member}
            assert len(others) == (prices[member] != price)


def test_a_question_without_a_subject_has_the_recorded_proof(dues):
    goal = dues.engine.true_fact("limit(2)")
    [premise] = dues.engine.derivation(goal).premises
    assert dues.why("limit(2)").given_facts == (dues.engine.coding.statement(premise),)
