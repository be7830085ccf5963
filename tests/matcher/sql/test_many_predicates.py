"""Tests of theories with many predicates and rules in DuckDB, and of the number of facts in their tables."""

from __future__ import annotations

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.matcher.program.coded import CodedPredicate, Fact, Limits
from hornbook.matcher.program.errors import FactLimitError, KeyConflictError
from hornbook.matcher.sql import evaluation
from hornbook.matcher.sql.engine import SqlEngine

pytest.importorskip("duckdb")


def nested(number: int) -> str:
    """Return a theory with a default and a chain of exceptions, each to the one before."""
    classes = " ".join(f"static c{place}(person) complete." for place in range(1, number))
    rules = "\n".join(
        f"r{place} exception to r{place - 1}: rate(?p, {place}) :- c{place}(?p)."
        for place in range(1, number)
    )
    return f"""theory t. sort person. static person(person) complete. {classes}
    derived rate(person -> int).
    r0: rate(?p, 0) :- person(?p).
    {rules}"""


def test_many_nested_exceptions_give_what_the_compiled_engine_gives() -> None:
    theory = load_text(nested(evaluation._MOST_PARTS + 20))
    facts = [GroundFact("person", (name,)) for name in "abcd"]
    facts += [GroundFact(f"c{place}", ("a",)) for place in range(1, 120)]
    facts += [GroundFact("c1", (name,)) for name in "bc"] + [GroundFact("c2", ("c",))]
    bases = [KnowledgeBase(theory, engine=engine) for engine in ("compiled", "duckdb")]
    for base in bases:
        base.add(facts)
    compiled, duckdb = (set(base.query("rate(?p, ?n)")) for base in bases)
    assert compiled == duckdb == {("a", 119), ("b", 1), ("c", 2), ("d", 0)}


def test_many_rules_of_one_predicate_count_each_fact_once_for_the_limit() -> None:
    rules = "\n".join(f"p(?x) :- a{place}(?x)." for place in range(250))
    declared = " ".join(f"static a{place}(thing)." for place in range(250))
    theory = load_text(f"theory t. sort thing. {declared} derived p(thing). {rules}")
    facts = [GroundFact(f"a{place}", (f"t{place % 7}",)) for place in range(250)]
    base = KnowledgeBase(theory, engine="duckdb", limits=Limits(facts=257))
    base.add(facts)
    assert len(base.query("p(?x)").rows) == 7
    base = KnowledgeBase(theory, engine="duckdb", limits=Limits(facts=256))
    base.add(facts)
    with pytest.raises(KnowledgeBaseError):
        base.query("p(?x)")


def test_the_number_of_given_facts_is_that_of_the_accepted_changes() -> None:
    engine = SqlEngine([CodedPredicate(1), CodedPredicate(2, key=1)], limits=Limits(facts=3))
    engine.update(add=[Fact(0, (1,)), Fact(1, (1, 2))])
    with pytest.raises(KeyConflictError):
        engine.update(add=[Fact(0, (2,)), Fact(1, (1, 3))], retract=[Fact(0, (1,))])
    with pytest.raises(FactLimitError):
        engine.update(add=[Fact(0, (2,)), Fact(0, (3,))])
    engine.update(add=[Fact(0, (2,)), Fact(0, (2,))])
    engine.update(retract=[Fact(1, (1, 2))], add=[Fact(0, (3,))])
    assert engine.facts(0) == {(1,), (2,), (3,)}
    with pytest.raises(FactLimitError):
        engine.update(add=[Fact(1, (1, 2))])
