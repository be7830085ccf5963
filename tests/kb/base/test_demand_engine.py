"""Tests of a knowledge base on demand.

Answers and proofs are unchanged, and the engine evaluates only what a query needs.
"""

from __future__ import annotations

from random import Random

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.examples import example_facts
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.loader import load, load_text
from hornbook.kb.lower.engines import VARIABLE
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.matcher.demand import engine as demand_engine
from hornbook.matcher.demand.engine import DemandEngine
from hornbook.matcher.program.coded import Fact, Match, Var
from oracles.reference.engine import ReferenceEngine

ROADS = """
theory roads.
sort place.
static road(place, place).
static length(place, place -> int).
derived reachable(place, place).
derived shortest(place -> int).
derived twice(place, int).
one: reachable(?a, ?b) :- road(?a, ?b).
further: reachable(?a, ?c) :- road(?a, ?b), reachable(?b, ?c).
its_length: shortest(?a, ?n) :- length(?a, _, ?n).
doubled: twice(?a, ?m) :- shortest(?a, ?n), ?m = ?n * 2.
"""


def bases(theory, *texts):
    made = [KnowledgeBase(theory, engine=name) for name in (None, "demand")]
    for base in made:
        for text in texts:
            base.add_text(text)
    return made


def test_the_environment_may_name_the_plain_engine_instead(monkeypatch):
    theory = load_text(ROADS)
    monkeypatch.delenv(VARIABLE, raising=False)
    assert type(raw_engine(KnowledgeBase(theory, engine="demand"))) is DemandEngine
    monkeypatch.setenv(VARIABLE, "plain")
    assert type(raw_engine(KnowledgeBase(theory, engine="demand"))) is ReferenceEngine


def test_rules_and_facts_may_come_between_questions():
    whole, lazy = bases(load_text(ROADS), "road(a, b). road(b, c). road(c, a). road(d, a).")
    for base in (whole, lazy):
        base.query("reachable(b, ?x)")
        base.add_text("road(c, e).")
    for question in (
        "reachable(b, ?x)",
        "reachable(?x, e)",
        "reachable(?x, ?y)",
        "?n = count ?x where reachable(d, ?x)",
    ):
        assert lazy.query(question) == whole.query(question)
    assert list(lazy.facts()) == list(whole.facts())
    assert lazy.why("reachable(d, e)").to_text() == whole.why("reachable(d, e)").to_text()
    assert lazy.why("reachable(d, _)").to_text() == whole.why("reachable(d, _)").to_text()
    assert lazy.why_not("reachable(e, a)").to_text() == whole.why_not("reachable(e, a)").to_text()


def test_conclusions_that_nobody_asks_for_are_not_looked_at(monkeypatch):
    monkeypatch.setattr(demand_engine, "FACTS_A_CONDITION", 0)
    base = KnowledgeBase(load_text(ROADS), engine="demand")
    base.add_text(
        "road(a, b). length(a, b, 3). length(a, c, 4). length(d, c, 5). length(e, c, 4611686018427387904)."
    )
    assert base.query("reachable(a, ?x)").to_tuples() == [("b",)]
    assert base.query("twice(d, ?m)").to_tuples() == [(10,)]
    for question, message in [
        ("shortest(a, ?n)", "two values for one key"),
        ("twice(e, ?m)", "`doubled` leaves 64 bits"),
    ]:
        with pytest.raises(KnowledgeBaseError, match=message):
            base.query(question)
    assert base.query("reachable(a, ?x)").to_tuples() == [("b",)]


def test_given_facts_are_stored_against_their_keys_at_once():
    base = KnowledgeBase(load_text(ROADS), engine="demand")
    with pytest.raises(KnowledgeBaseError, match="two values for one key"):
        base.add([GroundFact("length", ("a", "b", 3)), GroundFact("length", ("a", "b", 4))])
    assert not base.query("length(a, b, ?n)")


def test_what_is_supposed_under_a_mark_is_taken_back():
    base = KnowledgeBase(load_text(ROADS), engine="demand")
    base.add_text("road(a, b).")
    base.push()
    base.add_text("road(b, c).")
    assert base.query("reachable(a, ?x)").to_tuples() == [("b",), ("c",)]
    base.pop()
    assert base.query("reachable(a, ?x)").to_tuples() == [("b",)]


def test_what_the_first_mark_concludes_is_refused_in_the_words_of_the_theory():
    text = "theory two. sort s. static p(s). derived q(s -> int). p(a). one: q(?x, 1) :- p(?x). two: q(?x, 2) :- p(?x)."
    base = KnowledgeBase(load_text(text), engine="demand")
    with pytest.raises(KnowledgeBaseError, match=r"two values for one key: `q\(a, 1\)`"):
        base.push()


@pytest.mark.deep_cases("chess")
@pytest.mark.parametrize("name", ["family", "cup", "stack", "suicide", "values", "firm", "go", "chess"])
def test_answers_and_proofs_of_theories_that_ship_are_those_of_everything(monkeypatch, name):
    """The queries cover some derived relations.

    Each takes one fact of a relation and binds some of its columns.
    """
    theory, random = load(name), Random(1)
    facts = list(example_facts(theory, theory.examples[-1])) if theory.examples else []
    whole = KnowledgeBase(theory)
    whole.add(facts)
    concluded = sorted({rule.head.predicate for rule in raw_engine(whole).rules.values()})
    random.shuffle(concluded)
    monkeypatch.setattr(demand_engine, "FACTS_A_CONDITION", 0)
    lazy = KnowledgeBase(theory, engine="demand")
    lazy.add(facts)
    for number in concluded[:8]:
        rows = sorted(raw_engine(whole).facts(number)) or [
            (0,) * whole.engine.coding.predicates[number].arity
        ]
        terms = tuple(
            cell if random.random() < 0.6 else Var(place) for place, cell in enumerate(random.choice(rows))
        )
        variables = [term for term in terms if isinstance(term, Var)]
        queried = [Match(number, terms)]
        assert raw_engine(lazy).query(queried, variables) == raw_engine(whole).query(queried, variables), (
            terms
        )
    true = [number for number in concluded if raw_engine(whole).facts(number)]
    for number in true[:4]:
        fact = print_condition(
            whole.engine.coding.statement(
                Fact(number, random.choice(sorted(raw_engine(whole).facts(number))))
            )
        )
        lazy = KnowledgeBase(theory, engine="demand")
        lazy.add(facts)
        assert lazy.why(fact).to_text() == whole.why(fact).to_text()
