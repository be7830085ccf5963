"""Tests of the incremental state: parts are encoded once, and its facts are those of its position."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.compiler.match import position
from hornbook.compiler.match.position import IncrementalState
from hornbook.kb.ast.parts import cached_part, part_of_fact
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.parse.facts import FactError

THEORY = (
    "theory t. sort s. fluent f(s). fluent g(s). derived both(s). both(?x) :- f(?x), g(?x).\nf(always).\n"
)


def three(relation, number):
    return {(relation, "before"): [(f"{number}_{i}",) for i in range(3)]}


@pytest.mark.parametrize("marks", [0, 1, 3])
@pytest.mark.parametrize("most", [0, 5, 1_000])
def test_the_facts_are_those_of_the_position(tmp_path, monkeypatch, most, marks):
    monkeypatch.setattr(position, "MAX_CODED_FACTS", most)
    (tmp_path / "t.horn").write_text(THEORY, encoding="utf-8")
    base = KnowledgeBase(tmp_path / "t.horn")
    existing, random = IncrementalState(base, marks), Random(most)
    all_parts = [cached_part(three, relation, number) for relation in "fg" for number in range(8)]
    for _ in range(200):
        chosen = random.sample(all_parts, 6)
        existing.at_parts(chosen)
        expected = {fact for part in chosen for fact in part.facts()} | {
            GroundFact("f", ("always",), "before")
        }
        assert set(base.given()) == expected
        f, g = ({fact.values for fact in expected if fact.relation == name} for name in "fg")
        assert {fact.values for fact in base.facts("both")} == f & g


def test_with_marks_it_goes_back_to_where_it_came_from(tmp_path, monkeypatch):
    (tmp_path / "t.horn").write_text(THEORY, encoding="utf-8")
    existing = IncrementalState(KnowledgeBase(tmp_path / "t.horn"), 2)
    one, *others = (cached_part(three, "f", number) for number in range(9))
    existing.at_parts([one, others[0]])
    exchanged = []
    exchange = existing.base.engine.exchange_groups
    monkeypatch.setattr(
        existing.base.engine,
        "exchange_groups",
        lambda removed, come: exchanged.append((len(removed), len(come))) or exchange(removed, come),
    )
    for other in others[1:4]:
        existing.at_parts([one, others[0], other])
    existing.at_parts([one, others[0]])
    assert exchanged == [(0, 1)] * 3
    assert len(existing.base.given()) == 7


def test_a_part_that_does_not_fit_leaves_a_existing_with_marks_at_one_of_its_positions(tmp_path):
    (tmp_path / "t.horn").write_text(THEORY, encoding="utf-8")
    existing = IncrementalState(KnowledgeBase(tmp_path / "t.horn"), 2)
    existing.at_parts([part_of_fact(GroundFact("f", ("a",)))])
    with pytest.raises(FactError, match="is derived"):
        existing.at_parts([part_of_fact(GroundFact("both", ("b",)))])
    own = {fact.values[0] for part in existing.parts for fact in part.facts()}
    assert {fact.values[0] for fact in existing.base.given()} == {"always", *own}


def test_a_part_that_does_not_fit_changes_nothing(tmp_path):
    (tmp_path / "t.horn").write_text(THEORY, encoding="utf-8")
    existing = IncrementalState(KnowledgeBase(tmp_path / "t.horn"))
    existing.at_parts([part_of_fact(GroundFact("f", ("a",)))])
    before, b = existing.base.given(), part_of_fact(GroundFact("g", ("b",)))
    with pytest.raises(FactError, match="is derived"):
        existing.at_parts([b, part_of_fact(GroundFact("both", ("b",)))])
    assert existing.base.given() == before
    existing.at_parts([b])
    assert {str(fact.relation) for fact in existing.base.given()} == {"f", "g"}
