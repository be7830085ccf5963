"""Tests of a knowledge base with its facts in DuckDB: equal answers, and a message for unsupported features."""

from __future__ import annotations

import sys

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load, load_text
from hornbook.kb.lower.engines import UnknownEngineError
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.sources.extras import MissingExtraError
from hornbook.kb.tables.tables import read_rows
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.errors import MarkError, NoDerivationsError

THEORY = """
theory shops.
sort shop. sort colour = red | green. sort cents = int.
static sale(shop, colour, cents).
static price(shop -> cents).
static next(shop, shop).
static nothing.
derived dear(shop).
derived total(shop, cents).
derived far(shop, shop).
derived near(shop, shop).
a_dear_shop: dear(?s) :- sale(?s, red, ?c), ?c > 5.
both: total(?s, ?n) :- sale(?s, _, ?c), price(?s, ?p), ?n = ?c + ?p.
one: far(?s, ?t) :- next(?s, ?t).
further: far(?s, ?t) :- far(?s, ?u), next(?u, ?t).
a_neighbour: near(?s, ?t) :- next(?s, ?t).
a_neighbour_too: near(?s, ?t) :- next(?t, ?s).
"""
ROWS = [("a", "red", 7), ("b", "green", 3), ("a", "red", 7), ("c", "red", 9), ("c", "green", 1)]
QUESTIONS = [
    "dear(?s)",
    "near(a, ?t)",
    "far(a, ?t)",
    "far(?s, c), absent far(?s, b)",
    "?n = count ?s where far(?s, _)",
    "total(?s, ?n)",
    "?n = count ?s where dear(?s)",
    "?n = sum ?c where sale(?, ?, ?c)",
    "sale(?s, green, _), absent dear(?s)",
    "sale(?s, _, ?c), ?m = max ?x where sale(?s, _, ?x), ?c < ?m",
    "dear(a)",
    "dear(b)",
    "nothing",
    "sale(?s, ?k, ?c), price(?s, ?p), ?c * 2 > ?p",
]


def bases(engine="duckdb"):
    made = [KnowledgeBase(load_text(THEORY), engine=name) for name in (None, engine)]
    for base in made:
        base.add(read_rows(ROWS, "sale", base.theory.vocabulary).facts)
        base.add_text("price(a, 10). price(c, 2). next(a, b). next(b, c). nothing.")
    return made


@pytest.mark.parametrize("question", [q.replace("?, ?,", "_, _,") for q in QUESTIONS])
def test_answers_are_the_same(question):
    compiled, duckdb = bases()
    assert duckdb.query(question) == compiled.query(question)


def test_facts_come_and_go():
    compiled, duckdb = bases()
    for base in (compiled, duckdb):
        base.retract([GroundFact("sale", ("a", "red", 7)), GroundFact("sale", ("z", "red", 7))])
        base.exchange([GroundFact("price", ("a", 10))], [GroundFact("price", ("a", 11))])
        base.engine.exchange_groups([base.engine.group({("next", None): [("a", "b")]})], [])
    assert duckdb.given() == compiled.given()
    for relation in ("dear", "near", "total", "far"):
        assert list(duckdb.facts(relation)) == list(compiled.facts(relation))
    assert duckdb.holds(GroundFact("dear", ("c",)))


def test_a_rule_with_a_function_of_words_is_refused_where_the_question_comes_to_it():
    theory = load_text(
        "theory t. sort w. static a(w). derived longer(w). derived b(w).\n"
        "r: longer(?y) :- a(?x), ?y = concat(?x, 'x').\nb(?x) :- a(?x)."
    )
    duckdb = KnowledgeBase(theory, engine="duckdb")
    duckdb.add_text("a(v).")
    with pytest.raises(KnowledgeBaseError) as caught:
        duckdb.query("longer(?y)")
    assert str(caught.value) == (
        "<text>:2:1: DuckDB cannot answer by `r`: it calls `concat`, which SQL has not;"
        " the compiled engine can: leave `--engine duckdb` out (from Python, `engine=`)"
    )
    assert duckdb.query("b(?x)").to_tuples() == [("v",)]


def test_a_query_that_failed_fails_again():
    _, duckdb = bases()
    duckdb.add([GroundFact("sale", ("a", "red", 2**63 - 1))])
    for _ in range(2):
        with pytest.raises(KnowledgeBaseError, match="the arithmetic of `both` leaves 64 bits"):
            duckdb.query("total(?s, ?n)")


def test_what_contradicts_the_theory_changes_nothing():
    compiled, duckdb = bases()
    output = []
    for base in (compiled, duckdb):
        before = base.given()
        with pytest.raises(KnowledgeBaseError) as caught:
            base.add([GroundFact("price", ("b", 1)), GroundFact("price", ("a", 9))])
        output.append(str(caught.value))
        with pytest.raises(FactError):
            base.add([GroundFact("price", ("b", "x"))])
        assert base.given() == before
    assert output[0] == output[1]


def test_an_overflow_is_reported_when_it_is_queried_for():
    _, duckdb = bases()
    duckdb.add([GroundFact("sale", ("a", "red", 2**63 - 1))])
    assert duckdb.query("dear(a)")
    with pytest.raises(KnowledgeBaseError, match="the arithmetic of `both` leaves 64 bits"):
        duckdb.query("total(?s, ?n)")
    with pytest.raises(KnowledgeBaseError, match="the arithmetic of the query leaves 64 bits"):
        duckdb.query("?n = sum ?c where sale(_, _, ?c)")
    assert duckdb.query("sale(a, red, ?c), ?c < 0, ?n = ?c + ?c").to_tuples() == []


def test_there_are_no_proofs_and_no_marks():
    _, duckdb = bases()
    with pytest.raises(NoDerivationsError, match="DuckDB has no proofs: ask the compiled engine"):
        duckdb.why("dear(a)")
    with pytest.raises(MarkError):
        duckdb.push()


def test_limits_hold():
    theory = load_text(THEORY)
    facts = read_rows([(f"s{n}", "red", n) for n in range(3000)], "sale", theory.vocabulary).facts
    base = KnowledgeBase(theory, engine="duckdb", limits=Limits(facts=100))
    with pytest.raises(KnowledgeBaseError, match="more than 100 facts"):
        base.add(facts)
    assert base.given() == []
    base = KnowledgeBase(theory, engine="duckdb", limits=Limits(seconds=0.2))
    base.add(facts)
    long = ", ".join(f"sale(?s{n}, red, ?c{n})" for n in range(4))
    with pytest.raises(KnowledgeBaseError, match=r"more than 0\.2 seconds"):
        base.query(f"{long}, ?c0 + ?c1 * ?c2 - ?c3 = 1234567")
    assert base.query("sale(s7, red, ?c)").to_tuples() == [(7,)]


@pytest.mark.parametrize("most", [0, 1_000_000, 4_000_000])
def test_a_bound_of_memory_that_the_facts_do_not_fit_into_changes_nothing(most):
    theory, made = load_text(THEORY), []
    facts = read_rows([(f"s{n}", "red", n) for n in range(100_000)], "sale", theory.vocabulary).facts

    def add() -> None:
        made.append(KnowledgeBase(theory, engine="duckdb", limits=Limits(bytes=most)))
        made[0].add(facts)

    with pytest.raises(KnowledgeBaseError, match=f"more than {most:,} bytes"):
        add()
    assert [base.given() for base in made] in ([], [[]])


def test_answers_that_need_more_memory_than_allowed_are_refused():
    base = KnowledgeBase(load_text(THEORY), engine="duckdb", limits=Limits(facts=None, bytes=100_000_000))
    base.add(read_rows([("a", "red", n) for n in range(1100)], "sale", base.theory.vocabulary).facts)
    for ask in (base.query, base.query_table):
        for number in (2, 3):
            body = ", ".join(f"sale(_, _, ?c{n})" for n in range(number))
            if ask == base.query_table and number == 2:
                assert ask(body).num_rows == 1100**2
                continue
            with pytest.raises(KnowledgeBaseError, match="more than 100,000,000 bytes"):
                ask(body)


def test_an_engine_that_there_is_not_and_one_that_is_not_installed(monkeypatch):
    with pytest.raises(UnknownEngineError, match="engine is `fast`"):
        KnowledgeBase("family", engine="fast")
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(MissingExtraError, match=r"hornbook\[data\]"):
        KnowledgeBase("family", engine="duckdb")


@pytest.mark.deep
@pytest.mark.parametrize("name", ["family", "firm", "chess", "go", "cup", "stack"])
def test_what_theories_that_ship_conclude_is_the_same(name):
    theory = load(name)
    compiled, duckdb = KnowledgeBase(theory), KnowledgeBase(theory, engine="duckdb")
    answered, refused = 0, []
    for statement in compiled.relations():
        try:
            found = list(duckdb.facts(statement.relation, statement.tense))
        except KnowledgeBaseError as problem:
            refused.append(str(problem))
            continue
        assert found == list(compiled.facts(statement.relation, statement.tense))
        answered += 1
    assert answered
    assert all("cannot answer" in each for each in refused)
