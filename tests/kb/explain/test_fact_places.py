"""Tests of the table row that a proof names for a given fact, against a plain search through the rows."""

from __future__ import annotations

import csv
from datetime import date
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook import GroundFact, KnowledgeBase, read_theory
from hornbook.kb.explain.fact_places import FactsFromPlace, FactsInStore, facts_of_state
from hornbook.kb.load.loader import load_text
from hornbook.kb.tables.tables import read_csv, read_rows

ACCESS = """theory access.
sort person.
sort thing.
static member(person, thing).
static level(person, int).
static open.
fluent at(person -> thing).
derived may(person, thing, int).
members_may: may(?p, ?t, ?n) :- member(?p, ?t), level(?p, ?n), open.
here: may(?p, ?t, 0) :- at(?p, ?t).
"""


@pytest.fixture
def theory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("access.horn").write_text(ACCESS)
    return read_theory("access.horn")


def places(proof):
    return {step.says: step.origin for step in proof.steps if step.rule is None}


def test_a_proof_says_file_and_row(theory):
    Path("member.csv").write_text("person,thing\nann,gate\n\nann,door\nbob,door\nann,door\n")
    Path("level.csv").write_text("person,level\nbob,1\nann,2\n")
    base = KnowledgeBase(theory)
    tables = [read_csv(f"{name}.csv", name, theory.vocabulary).facts for name in ("member", "level")]
    for table in tables:
        base.add(table)
    base.add_text("open.")
    proof = base.why("may(ann, door, ?n)").with_sources(tables)
    assert places(proof) == {
        "member(ann, door)": "member.csv:4",
        "level(ann, 2)": "level.csv:3",
        "open": "given",
    }
    assert "  member(ann, door)  [member.csv:4]" in proof.to_text()
    assert "member.csv:4" in proof.to_html()
    assert [step["place"] for step in proof.to_dict()["steps"]] == ["member.csv:4", "level.csv:3", None, None]


def test_fluents_are_read_before_the_action_and_rows_of_any_table_count_from_1(theory):
    table = read_rows([("bob", "hall"), ("ann", "yard")], "at", theory.vocabulary, name="places").facts
    base = KnowledgeBase(theory)
    base.add(table)
    assert places(base.why("may(ann, yard, 0)").with_sources([table])) == {"at(ann, yard)": "places:2"}


def test_rows_that_were_left_out_count(theory):
    Path("level.csv").write_text("person,level\nann,x\nbob,1\ncleo,y\ncleo,3\n")
    table = read_csv("level.csv", "level", theory.vocabulary, skip_bad=True).facts
    base = KnowledgeBase(theory)
    base.add(table)
    for who, row in (("bob", 3), ("cleo", 5)):
        (place,) = places(base.why(f"level({who}, ?n)").with_sources([table])).values()
        assert place == f"level.csv:{row}"


def test_texts_tell_lines_and_a_place_all_its_facts(theory):
    base = KnowledgeBase(theory)
    clauses = base.read_clauses("member(ann, door).\n\nlevel(ann, 2).", "typed.horn")
    base.add(clauses.facts)
    base.add([GroundFact("open", ())])
    proof = base.why("may(ann, door, ?n)")
    assert set(places(proof).values()) == {"given"}
    assert places(proof.with_sources([clauses.statements])) == {
        "member(ann, door)": "typed.horn:1",
        "level(ann, 2)": "typed.horn:3",
        "open": "given",
    }
    states = FactsFromPlace("state", [GroundFact("open", ()), GroundFact("level", ("ann", 1))])
    stored = FactsInStore(
        "kb.sqlite", lambda queried: {each: "m.csv:7" for each in queried if each[0] == "member"}
    )
    assert places(proof.with_sources([states, stored])) == {
        "member(ann, door)": "m.csv:7",
        "level(ann, 2)": "kb.sqlite",
        "open": "state",
    }
    named = FactsFromPlace("state", states.facts, {states.facts[0]: 4}.get)
    assert places(proof.with_sources([named]))["open"] == "state:4"
    again = proof.with_sources([states]).with_sources([stored])
    assert places(again)["open"] == "state"


ROWS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["ann", "bob", "cleo"]), st.sampled_from(["1", "2", "x"])),
        st.just(()),
    ),
    max_size=40,
)


@given(ROWS)
def test_the_row_is_the_first_that_says_so(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("rows")
    (folder / "access.horn").write_text(ACCESS)
    theory = read_theory(folder / "access.horn")
    file = folder / "level.csv"
    with file.open("w", newline="") as stream:
        csv.writer(stream).writerows([("person", "level"), *rows])
    table = read_csv(file, "level", theory.vocabulary, skip_bad=True).facts
    base = KnowledgeBase(theory)
    base.add(table)
    for who, level in {row for row in rows if row and row[1] != "x"}:
        proof = base.why(f"level({who}, {level})").with_sources([[], table])
        assert places(proof) == {f"level({who}, {level})": f"{file}:{rows.index((who, level)) + 2}"}


@pytest.mark.parametrize(
    "values",
    [("2024-02-29", "1.50"), (date(2024, 2, 29), Decimal("1.5"))],
    ids=["texts", "objects of the standard library"],
)
def test_the_row_of_a_date_of_an_adapter_is_found(values):
    theory = load_text(
        "theory rent. sort flat. sort day = date. sort euro = decimal(2). static paid(flat, day, euro). derived due(flat).\n"
        "due: due(?f) :- paid(?f, ?d, ?e), ?e < 2.00."
    )
    facts = [GroundFact("paid", ("attic", *values)), GroundFact("paid", ("cellar", "2024-03-01", "5.00"))]
    adapter = SimpleNamespace(facts=lambda _: iter(facts), row=lambda _, fact: facts.index(fact) + 2)
    base, read = KnowledgeBase(theory), facts_of_state("flats.csv", adapter, None, theory.vocabulary)
    base.add(read.facts)
    proof = base.why("due(attic)").with_sources([read])
    assert places(proof) == {"paid(attic, 2024-02-29, 1.50)": "flats.csv:2"}
