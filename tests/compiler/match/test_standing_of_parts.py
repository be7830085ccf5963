"""A standing exchanges parts that it coded once: its facts are always those of its position, however little it keeps."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random

import pytest

from hornbook.compiler.match import position
from hornbook.compiler.match.position import Standing
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.parse.facts import FactError

THEORY = (
    "theory t. sort s. fluent f(s). fluent g(s). derived both(s). both(?x) :- f(?x), g(?x).\nf(always).\n"
)


@pytest.mark.parametrize("kept", [0, 5, 1_000])
def test_the_facts_are_those_of_the_position(tmp_path, monkeypatch, kept):
    monkeypatch.setattr(position, "KEPT", kept)
    (tmp_path / "t.horn").write_text(THEORY, encoding="utf-8")
    base = KnowledgeBase(tmp_path / "t.horn")
    standing, random = Standing(base), Random(kept)
    named: dict[Hashable, tuple[GroundFact, ...]] = {
        (relation, number): tuple(GroundFact(relation, (f"{number}_{i}",), "before") for i in range(3))
        for relation in "fg"
        for number in range(8)
    }
    for _ in range(200):
        chosen = random.sample(sorted(named), 6)
        standing.at_parts({name: named[name] for name in chosen})
        expected = {f for name in chosen for f in named[name]} | {GroundFact("f", ("always",), "before")}
        assert set(base.given()) == expected
        f, g = ({fact.values for fact in expected if fact.relation == name} for name in "fg")
        assert {fact.values for fact in base.facts("both")} == f & g


def test_a_part_that_does_not_fit_changes_nothing(tmp_path):
    (tmp_path / "t.horn").write_text(THEORY, encoding="utf-8")
    standing = Standing(KnowledgeBase(tmp_path / "t.horn"))
    standing.at_parts({1: (GroundFact("f", ("a",)),)})
    before = standing.base.given()
    with pytest.raises(FactError, match="is derived"):
        standing.at_parts({2: (GroundFact("g", ("b",)),), 3: (GroundFact("both", ("b",)),)})
    assert standing.base.given() == before
    standing.at_parts({2: (GroundFact("g", ("b",)),)})
    assert {str(fact.relation) for fact in standing.base.given()} == {"f", "g"}
