"""Queries that are asked again: they are parsed, checked and coded once, and always evaluated."""

from __future__ import annotations

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base import query_cache, theory_engine
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.lower.coding import Coding
from hornbook.kb.sources.diagnostics import TheoryError

CHILDREN = "parent(ada, ?child)"


@pytest.fixture
def counted(monkeypatch):
    """Return the numbers of parsed, checked and coded queries."""
    numbers = {"parsed": 0, "checked": 0, "coded": 0}

    def count(owner, name, kind):
        function = getattr(owner, name)

        def called(*arguments):
            numbers[kind] += 1
            return function(*arguments)

        monkeypatch.setattr(owner, name, called)

    count(query_cache, "parse_open_queries", "parsed")
    count(query_cache, "check_query", "checked")
    count(theory_engine, "check_query", "checked")
    count(Coding, "query", "coded")
    return numbers


def test_a_query_that_is_asked_again_is_only_evaluated(counted):
    base = KnowledgeBase("family")
    for _ in range(3):
        base.warnings(CHILDREN)
        base.query(CHILDREN)
    assert counted == {"parsed": 1, "checked": 1, "coded": 1}


def test_each_answer_is_that_of_the_current_facts():
    base = KnowledgeBase("family")
    before = base.query(CHILDREN).to_tuples()
    base.push()
    base.add([GroundFact("parent", ("ada", "zoe"))])
    assert base.query(CHILDREN).to_tuples() == [*before, ("zoe",)]
    base.pop()
    assert base.query(CHILDREN).to_tuples() == before


def test_the_values_of_parameters_are_checked_and_coded_each_time(counted):
    base = KnowledgeBase("family")
    text = "parent($of, ?child)"
    found = {of: base.query(text, parameters={"of": of}).to_tuples() for of in ("ada", "ben", "nobody")}
    assert found["ada"] == base.query(CHILDREN).to_tuples() != found["ben"]
    assert found["nobody"] == []
    assert counted == {"parsed": 2, "checked": 4, "coded": 4}
    with pytest.raises(TheoryError, match="has no value"):
        base.query(text)
    with pytest.raises(TypeError, match="truth value"):
        base.query(text, parameters={"of": True})
    with pytest.raises(TheoryError, match="no parameter"):
        base.query(CHILDREN, parameters={"of": "ada"})


@pytest.mark.parametrize("text", ["parent(ada, ?child", "mother(ada, ?child)", "ada = 1"])
def test_a_mistake_is_reported_each_time(text):
    base = KnowledgeBase("family")
    found = []
    for _ in range(2):
        with pytest.raises(TheoryError) as raised:
            base.query(text)
        found.append(raised.value.diagnostics)
    assert found[0] == found[1]


def test_long_texts_are_not_stored(counted):
    base = KnowledgeBase("family")
    text = CHILDREN + " " * query_cache.LONGEST
    assert base.query(text) == base.query(text) == base.query(CHILDREN)
    assert counted["parsed"] == 3


def test_old_queries_make_room(counted):
    base = KnowledgeBase("family")
    for number in range(query_cache.MOST):
        base.query(f"parent(ada, ?child{number})")
    base.query(CHILDREN)
    base.query("parent(ada, ?child1)")
    assert counted["parsed"] == query_cache.MOST + 1
    base.query("parent(ada, ?child0)")
    assert counted["parsed"] == query_cache.MOST + 2
