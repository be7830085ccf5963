"""Tests of `demanded` predicates: the answers of a knowledge base that concludes them only on demand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from hornbook.kb.ast.terms import GameStatement
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.format.formatter import format_text
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.engines import VARIABLE
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.lower.matching import prepared_rules
from hornbook.kb.parse.syntax import Query, parse
from hornbook.matcher.program.coded import Fact
from oracles.proofs.random_theories import DERIVED, random_action, random_state, random_theory

ROADS = (Path(__file__).parent / "data" / "demanded_words_roads.horn").read_text(encoding="utf-8")
ROAD = [GroundFact("road", (f"t{number}", f"t{number + 1}")) for number in range(10)]


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    """Use the compiled engine, because the plain engine concludes demanded facts too."""
    monkeypatch.delenv(VARIABLE, raising=False)


def with_demands(theory: Theory, names: set[str]) -> Theory:
    words = theory.vocabulary.predicates
    predicates = {name: replace(each, demanded=name in names) for name, each in words.items()}
    return replace(theory, vocabulary=replace(theory.vocabulary, predicates=predicates))


def here(base: KnowledgeBase, relation: str, tense: str | None = None) -> set[tuple[str | int, ...]]:
    """Return the facts that are concluded without a query."""
    number = base.engine.coding.predicate_id(relation, tense)
    return {
        base.engine.coding.ground(Fact(number, row)).values for row in raw_engine(base).inside.facts(number)
    }


def roads(*facts: GroundFact) -> KnowledgeBase:
    base = KnowledgeBase(load_text(ROADS))
    base.add([*ROAD, *facts])
    return base


# The keyword


def test_it_is_read_and_written_among_the_others():
    declared = 'derived way(town, town) operational demanded says "from ?1 to ?2".'
    assert declared in format_text(ROADS)
    assert format_text(format_text(ROADS)) == format_text(ROADS)
    scattered = ROADS.replace(" demanded says", "\n  demanded % who asks?\n says")
    assert parse(format_text(scattered)).clauses == parse(ROADS).clauses
    assert load_text(ROADS).vocabulary.predicates["way"].demanded
    assert not load_text(ROADS).vocabulary.predicates["near"].demanded


def test_it_names_what_it_likes_elsewhere():
    base = KnowledgeBase(
        load_text(
            "theory demanded. sort demanded. static asked(demanded). derived demanded(demanded) demanded.\n"
            "demanded: demanded(?x) :- asked(?x). asked(demanded)."
        )
    )
    assert base.query("demanded(?demanded)").to_tuples() == [("demanded",)]


# Conclusions


def test_states_and_moments_demand_what_their_rules_ask_for():
    base = roads(GroundFact("at", ("t7",)), GroundFact("closed", ("t9",)))
    assert here(base, "near", "before") == {("t8",), ("t10",)}
    assert {one for one, _ in here(base, "way", "before")} == {"t7", "t8", "t9"}
    assert not here(base, "way", "after")
    base.exchange([GroundFact("at", ("t7",))], [GroundFact("at", ("t5",)), GroundFact("go", ("t9",))])
    assert base.query("after at(?x)").to_tuples() == [("t9",)]
    assert not base.query("after near(t9)")
    assert base.query("after near(?x)").to_tuples() == [("t10",)]
    assert {one for one, _ in here(base, "way", "after")} == {"t9"}


def test_rules_that_come_demand_too():
    base = roads()
    assert not here(base, "way", "before")
    base.add_text("ends: near(?b) :- way(t8, ?b).")
    assert len(here(base, "way", "before")) == 3
    assert base.query("near(?x)").to_tuples() == [("t10",), ("t9",)]


def test_a_rule_that_does_not_fit_changes_nothing():
    base = roads(GroundFact("at", ("t7",)))
    before = list(base.facts())
    with pytest.raises(KnowledgeBaseError, match="leaves 64 bits"):
        base.add_text(f"big: near(?b) :- way(t8, ?b), ?n = {2**62} * 4, ?n > 0.")
    assert list(base.facts()) == before
    base.add_text("ends: near(?b) :- way(t0, ?b).")
    assert base.holds(GroundFact("near", ("t1",)))


def test_all_facts_are_all_that_follow():
    base, whole = roads(), KnowledgeBase(with_demands(load_text(ROADS), set()))
    whole.add(ROAD)
    assert len(list(base.facts("way", "before"))) == 55
    assert list(base.facts()) == list(whole.facts())
    assert base.engine.snapshot() == whole.engine.snapshot()
    assert base.engine.firings() == whole.engine.firings()
    assert not here(base, "way", "before")


def test_many_words_are_queried_for_at_once():
    """With one query for each, the derived predicates of a chess position took 17 seconds instead of 0.3."""
    many = "".join(f"derived d{n}(town) demanded. r{n}: d{n}(?x) :- road(?x, _).\n" for n in range(60))
    base = KnowledgeBase(load_text(ROADS + many))
    base.add(ROAD)
    next_to = raw_engine(base)._query_engine()
    saturated = []
    saturate = next_to._saturate
    next_to._saturate = lambda *given: saturated.append(given) or saturate(*given)
    assert len(base.engine.snapshot()) == len(base.engine.coding.relations)
    assert len(saturated) == 1


def test_what_nobody_asks_for_is_not_looked_at():
    base = roads()
    base.add_text("wrong: length(?a, ?b, 2) :- road(?a, ?b), closed(?a). closed(t3).")
    assert base.query("length(t0, t1, ?n)").to_tuples() == [(1,)]
    for ask in (
        lambda: base.query("length(t3, t4, ?n)"),
        lambda: base.why("length(t3, t4, ?n)"),
        lambda: list(base.facts()),
        base.engine.snapshot,
    ):
        with pytest.raises(KnowledgeBaseError, match="two values for one key"):
            ask()


def test_an_raw_engine_matching_concludes_it_whole_or_on_demand():
    theory = load_text(ROADS)
    whole, lazy = (prepared_rules(theory, facts=ROAD, on_demand=on_demand) for on_demand in (False, True))
    number = whole.coding.predicate_id("way", "before")
    assert (whole.engine.statistics()[number].rows, lazy.engine.statistics()[number].rows) == (55, 0)


# Random theories


@pytest.mark.deep
def test_states_in_a_row_have_the_same_answers_and_proofs(times):
    seen, left_out, proofs = 0, 0, 0
    for seed in range(25 * times):
        random = Random(seed)
        theory = random_theory(random, complete=seed % 2 == 0)
        names = set(random.sample([*DERIVED], random.randint(1, len(DERIVED))))
        stored = random.choice(["none", "one", "all"])
        bases = [KnowledgeBase(each, derivations=stored) for each in (theory, with_demands(theory, names))]
        before: list[GroundFact] = []
        for _ in range(3):
            state = random_state(random)
            facts = [*state, random_action(random)] if random.random() < 0.8 else state
            done = [taken(base, before, facts) for base in bases]
            # A contradiction among facts that no query needs is not found.
            if done[0] != done[1]:
                assert done[0] is not None
                break
            if done[0] is not None:
                continue
            before = facts
            whole, lazy = bases
            for number, relation in enumerate(lazy.engine.coding.relations):
                there, expected = (
                    raw_engine(lazy).inside.facts(number),
                    raw_engine(whole).facts(number),
                )
                assert there <= expected, (seed, relation)
                left_out += len(expected) - len(there)
            assert lazy.engine.snapshot() == whole.engine.snapshot(), seed
            seen += 1
            for name in sorted(names):
                template = next(each for each in lazy.relations() if each.relation == name)
                assert not isinstance(template, GameStatement)
                query = Query((template,), template.span)
                assert lazy.engine.query(query) == whole.engine.query(query)
                for output in whole.engine.statements(name, template.tense)[:1] if stored != "none" else ():
                    assert lazy.holds(output)
                    given = lazy.why(print_condition(output)).given_facts
                    assert {lazy.engine.coding.ground(lazy.engine.encode(each)) for each in given} <= {
                        *lazy.given()
                    }
                    proofs += 1
    assert seen > 20
    assert left_out > 300
    assert proofs > 30


def taken(base: KnowledgeBase, before: list[GroundFact], after: list[GroundFact]) -> str | None:
    try:
        base.exchange(before, after)
    except KnowledgeBaseError as problem:
        return str(problem)
    return None
