"""Random theories with complete relations: the engines agree with clingo, and certain facts stay certain."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from random import Random

import pytest

from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.check.program.completeness import meta_predicates
from hornbook.kb.lower.coding import Coding
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.matcher.program.coded import CodedRule
from hornbook.matcher.program.errors import EngineError
from oracles.engine import clingo_programs
from oracles.pages.engines import ENGINES
from oracles.proofs.random_theories import (
    COMPLETE,
    FLUENT,
    STATIC,
    random_action,
    random_state,
    random_theory,
)

BY_COLOUR = "?n = sum ?m by ?c where (kind(?x, ?c), rank(?x, ?m))"
QUERIES = (
    BY_COLOUR,
    "kind(?x, _), absent before on(?x)",
    "before holds(?x, ?y), absent (before holds(?y, ?z), absent before on(?z))",
    "kind(?x, ?c), absent (kind(?y, ?c), ?y != ?x)",
    "?n = max ?m where (rank(?x, ?m), before on(?x))",
    "before one(?x), ?n = count ?y by ?x where before holds(?x, ?y)",
    "before two(?x, ?y), absent (kind(?x, ?c), kind(?y, ?c))",
    "tint(?x, ?c), ?n = count ?y, ?d by ?c where (kind(?y, ?c), tint(?y, ?d))",
)
Facts = Collection[GroundFact]


def state(random: Random) -> list[GroundFact]:
    return [*random_state(random), random_action(random)]


def known(theory: Theory, facts: Facts, engine: str) -> KnowledgeBase | None:
    """Return a knowledge base with these facts, or None if they break a promise or exceed 64 bits."""
    base = KnowledgeBase(theory, engine=engine)
    try:
        base.add(facts)
        base.engine.evaluate()
    except KnowledgeBaseError:
        return None
    return base


def concluded(base: KnowledgeBase, without: Collection[str] = ()) -> set[str]:
    return {
        f"{each.tense} {statement}"
        for each in base.relations()
        if each.relation not in without
        for statement in base.engine.statements(each.relation, each.tense)
    }


@pytest.mark.deep
def test_both_engines_conclude_and_answer_the_same(times):
    tally: Counter[str] = Counter()
    for number in range(60 * times):
        random = Random(f"complete.{number}")
        theory, facts = random_theory(random, complete=True), state(random)
        plain, compiled = known(theory, facts, "plain"), known(theory, facts, "compiled")
        assert (plain is None) == (compiled is None), number
        if plain is None or compiled is None:
            tally["refused"] += 1
            continue
        assert concluded(plain) == concluded(compiled), number
        for query in QUERIES:
            answers = set(plain.query(query).to_tuples())
            assert answers == set(compiled.query(query).to_tuples()), (number, query)
            tally[query] += len(answers)
        groups: dict[str | int, int] = defaultdict(int)
        rank = dict(fact.values for fact in facts if fact.relation == "rank")
        for fact in facts:
            if fact.relation == "kind":
                groups[fact.values[1]] += rank[fact.values[0]]  # type: ignore[operator]
        assert set(compiled.query(BY_COLOUR).to_tuples()) == set(groups.items())
    assert tally["refused"] < 20 * times
    assert all(tally[query] for query in QUERIES), tally


def is_message(rule: CodedRule) -> bool:
    """Return whether clingo accepts a rule."""
    try:
        clingo_programs.saturate([], [rule])
    except (AssertionError, RuntimeError):
        return False
    return True


@pytest.mark.deep
def test_the_facts_are_those_of_clingo(times):
    tally: Counter[str] = Counter()
    for number in range(30 * times):
        random = Random(f"complete clingo.{number}")
        theory = random_theory(random, complete=True)
        coding = Coding(theory.vocabulary)
        rules = [r for i, each in enumerate(theory.rules) for r in coding.rule(i, each) if is_message(r)]
        given = [coding.fact(fact) for fact in state(random)]
        expected = clingo_programs.saturate(given, rules)
        assert expected is not None, "a stratified program has one stable model"
        for engine_class in ENGINES.values():
            engine = engine_class(coding.predicates)
            try:
                engine.update(add=given, add_rules=rules)
            except EngineError:
                tally["refused"] += 1
                continue
            for predicate in range(len(coding.predicates)):
                assert engine.facts(predicate) == expected.get(predicate, set()), (number, predicate)
        tally["rules"] += len(rules)
    assert tally["rules"] > 400 * times
    assert tally["refused"] < 20 * times


@pytest.mark.deep
def test_what_is_concluded_stays_true_as_more_becomes_known_of_what_is_not_complete(times):
    """Conclusions stay true as incomplete relations become known.

    Conclusions from meta predicates are excluded. This is the meaning of a completely known relation.
    """
    more_known = 0
    for number in range(60 * times):
        random = Random(f"complete more.{number}")
        theory, facts = random_theory(random, complete=True), state(random)
        declared = theory.vocabulary.predicates
        open_to_more = {name for name in (*STATIC, *FLUENT) if name not in COMPLETE}
        assert all(declared[name].complete for name in COMPLETE)
        some = [f for f in facts if f.relation not in open_to_more or random.random() < 0.7]
        less, more = known(theory, some, "compiled"), known(theory, facts, "compiled")
        if less is None or more is None:
            continue
        meta = meta_predicates(theory)
        assert concluded(less, meta) <= concluded(more, meta), number
        more_known += concluded(less, meta) != concluded(more, meta)
    assert more_known > 30 * times
