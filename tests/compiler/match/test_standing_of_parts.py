"""A standing exchanges parts that it coded once: its facts are always those of its position, however little it keeps."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.compiler.match import position
from hornbook.compiler.match.position import Standing
from hornbook.kb.ast.parts import alone, kept
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
    standing, random = Standing(base, marks), Random(most)
    all_parts = [kept(three, relation, number) for relation in "fg" for number in range(8)]
    for _ in range(200):
        chosen = random.sample(all_parts, 6)
        standing.at_parts(chosen)
        expected = {fact for part in chosen for fact in part.facts()} | {
            GroundFact("f", ("always",), "before")
        }
        assert set(base.given()) == expected
        f, g = ({fact.values for fact in expected if fact.relation == name} for name in "fg")
        assert {fact.values for fact in base.facts("both")} == f & g


def test_with_marks_it_goes_back_to_where_it_came_from(tmp_path, monkeypatch):
    (tmp_path / "t.horn").write_text(THEORY, encoding="utf-8")
    standing = Standing(KnowledgeBase(tmp_path / "t.horn"), 2)
    one, *others = (kept(three, "f", number) for number in range(9))
    standing.at_parts([one, others[0]])
    exchanged = []
    exchange = standing.base.exchange_groups
    monkeypatch.setattr(
        standing.base,
        "exchange_groups",
        lambda gone, come: exchanged.append((len(gone), len(come))) or exchange(gone, come),
    )
    for other in others[1:4]:
        standing.at_parts([one, others[0], other])
    standing.at_parts([one, others[0]])
    assert exchanged == [(0, 1)] * 3
    assert len(standing.base.given()) == 7


def test_a_part_that_does_not_fit_leaves_a_standing_with_marks_at_one_of_its_positions(tmp_path):
    (tmp_path / "t.horn").write_text(THEORY, encoding="utf-8")
    standing = Standing(KnowledgeBase(tmp_path / "t.horn"), 2)
    standing.at_parts([kept(alone, GroundFact("f", ("a",)))])
    with pytest.raises(FactError, match="is derived"):
        standing.at_parts([kept(alone, GroundFact("both", ("b",)))])
    own = {fact.values[0] for part in standing.parts for fact in part.facts()}
    assert {fact.values[0] for fact in standing.base.given()} == {"always", *own}


def test_a_part_that_does_not_fit_changes_nothing(tmp_path):
    (tmp_path / "t.horn").write_text(THEORY, encoding="utf-8")
    standing = Standing(KnowledgeBase(tmp_path / "t.horn"))
    standing.at_parts([kept(alone, GroundFact("f", ("a",)))])
    before, b = standing.base.given(), kept(alone, GroundFact("g", ("b",)))
    with pytest.raises(FactError, match="is derived"):
        standing.at_parts([b, kept(alone, GroundFact("both", ("b",)))])
    assert standing.base.given() == before
    standing.at_parts([b])
    assert {str(fact.relation) for fact in standing.base.given()} == {"f", "g"}
