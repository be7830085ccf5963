"""Sources of given facts in proofs.

A source is a line of the theory or of `--add`, a row, a state, a store, or a line at the prompt.
"""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

SHOP = """theory shop.
sort person.
sort thing.
static level(person, int).
static member(person).
fluent sold(thing).
derived may(person, int).
meta barred(person).
level(zed, 3).
members_may: may(?p, ?n) :- level(?p, ?n), member(?p).
nothing_for_them: barred(?p) :- member(?p), absent level(?p, _).
"""
ADAPTER = """from hornbook import GroundFact
EMITS = {"member"}
EXAMPLES = ()
def read(text, name):
    return text.split()
def facts(state):
    return [GroundFact("member", (each,)) for each in state]
"""


@pytest.fixture
def shop(folder):
    (folder / "shop.horn").write_text(SHOP)
    (folder / "more.horn").write_text("member(ann).\n\nmember(zed). % two lines below\nmember(cleo).\n")
    (folder / "level.csv").write_text("person,level\nbob,1\nann,2\n")
    return folder


def given(proof: str) -> dict[str, str]:
    """Return the given facts in a text, with their sources."""
    lines = re.findall(r"^ +(.*?)  \[([^],]*)\]", proof, re.MULTILINE)
    return {fact: place for fact, place in lines if place not in ("holds", "above, #1")}


def test_the_theory_a_text_and_a_table_are_named_with_line_and_row(run, shop):
    added = ("--add", "more.horn", "--facts", "level=level.csv")
    _, out, _ = run("why", "shop.horn", "may(zed, 3)", *added)
    assert given(out) == {"level(zed, 3)": "shop.horn:9", "member(zed)": "more.horn:3"}
    _, out, _ = run("why", "shop.horn", "may(ann, 2)", *added)
    assert given(out) == {"level(ann, 2)": "level.csv:3", "member(ann)": "more.horn:1"}
    for shape in ("dot", "mermaid", "svg"):
        _, out, _ = run(
            "why", "shop.horn", "may(ann, 2)", *added, "--format", shape, "--html", f"{shape}.html"
        )
        assert "level.csv:3" in out
        assert "more.horn:1" in out
        assert "level.csv:3" in (shop / f"{shape}.html").read_text()
    _, out, _ = run("why", "shop.horn", "may(ann, 2)", *added, "--json")
    assert [step["place"] for step in json.loads(out)["steps"]] == ["level.csv:3", "more.horn:1", None]


def test_a_text_that_is_imported_has_its_own_lines(run, shop):
    (shop / "town.horn").write_text("theory town.\nimport shop.\nmember(zed).\n")
    _, out, _ = run("why", "town.horn", "may(zed, 3)")
    assert {fact: place.rpartition("/")[2] for fact, place in given(out).items()} == {
        "level(zed, 3)": "shop.horn:9",
        "member(zed)": "town.horn:3",
    }


def test_the_first_source_that_has_a_fact_is_named(run, shop):
    (shop / "level.csv").write_text("person,level\nzed,3\nann,2\nann,2\n")
    (shop / "more.horn").write_text("level(ann, 2). member(ann). member(zed).\nmember(ann).\n")
    sources = ("--add", "more.horn", "--facts", "level=level.csv")
    assert given(run("why", "shop.horn", "may(zed, 3)", *sources)[1])["level(zed, 3)"] == "shop.horn:9"
    assert given(run("why", "shop.horn", "may(ann, 2)", *sources)[1]) == {
        "level(ann, 2)": "level.csv:3",
        "member(ann)": "more.horn:1",
    }


def test_why_not_says_where_the_facts_state_for_which_an_absence_fails(run, shop):
    (shop / "m.csv").write_text("bob\n")
    tables = ("--facts", "level=level.csv", "--facts", "member()=m.csv")
    _, out, _ = run("why-not", "shop.horn", "barred(bob)", *tables)
    assert "because: level(bob, 1)  [level.csv:2]" in out
    (attempt,) = json.loads(run("why-not", "shop.horn", "barred(bob)", *tables, "--json")[1])["attempts"]
    (present,) = attempt["present"]
    assert present["proof"]["steps"][0]["place"] == "level.csv:2"


def test_a_state_is_named_as_a_whole(run, shop):
    (shop / "adapter.py").write_text(ADAPTER)
    (shop / "all.txt").write_text("ann zed")
    _, out, _ = run("why", "shop.horn", "may(zed, 3)", "--state", "all.txt")
    assert given(out) == {"level(zed, 3)": "shop.horn:9", "member(zed)": "all.txt"}


def test_what_a_store_keeps_comes_from_the_store_and_what_is_added_does_not(run, shop):
    assert run("store", "new", "s.sqlite", "shop.horn")[0] == 0
    assert run("store", "add", "s.sqlite", "--add", "more.horn")[0] == 0
    _, out, _ = run("why", "s.sqlite", "may(ann, 2)", "--facts", "level=level.csv")
    assert given(out) == {"level(ann, 2)": "level.csv:3", "member(ann)": "s.sqlite"}


def test_the_prompt_counts_the_lines_that_were_typed(run, shop, monkeypatch):
    typed = [
        "member(",
        "  ann).",
        "",
        ":load level=level.csv",
        "level(cleo, 4).",
        ":undo",
        "member(cleo). level(cleo, 5).",
        "nonsense(.",
        "twice: may(?p, 9) :- member(?p).",
        "why may(ann, 2)",
        "why may(cleo, 5)",
        "why may(ann, 9)",
        "retract member(ann).",
        "member(ann).",
        "why may(ann, 2)",
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(typed) + "\n"))
    _, out, _ = run("repl", "shop.horn")
    proofs = re.findall(r"^may\(.*?(?=\n\S|\Z)", out, re.MULTILINE | re.DOTALL)
    assert list(map(given, proofs)) == [
        {"level(ann, 2)": "level.csv:3", "member(ann)": "<typed>:1"},
        {"level(cleo, 5)": "<typed>:7", "member(cleo)": "<typed>:7"},
        {"member(ann)": "<typed>:1"},
        {"level(ann, 2)": "level.csv:3", "member(ann)": "<typed>:14"},
    ]
    assert "[twice, <typed>:9]" in out


def test_a_learned_rule_is_explained_with_the_lines_of_its_example(run, shop):
    (shop / "level.csv").unlink()
    (shop / "people").mkdir()
    (shop / "people" / "level.csv").write_text("person,level\nbob,1\nann,2\n")
    (shop / "shop.horn").write_text(
        SHOP
        + 'example first from "people": member(ann).\nexpect first: served(ann).\n'
        + "derived served(person).\nwho_may_is_served: served(?p) :- may(?p, _).\n"
    )
    assert run("learn", "shop.horn", "--into", "rules.horn")[0] == 0
    name = re.search(r"^(\w+):", (shop / "rules.horn").read_text(), re.MULTILINE).group(1)
    queried = ("explain-rule", "rules.horn", name, "--theory", "shop.horn")
    code, out, _ = run(*queried)
    assert code == 0
    places = given(out[out.index("may(ann, 2)  [") :])
    assert {fact: Path(place).name for fact, place in places.items()} == {
        "level(ann, 2)": "level.csv:3",
        "member(ann)": "shop.horn:12",
    }
    # The example's file may be deleted after it was read.
    (shop / "people" / "level.csv").unlink()
    assert "level(ann, 2)  [given]" in run(*queried)[1]
