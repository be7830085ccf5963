"""Relations declared complete, checked against the given facts."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.tables.tables import TableError, read_csv, read_rows
from oracles.pages.engines import engines_with

THEORY = """theory clubs.
sort person. sort club.
static person(person).
static member(person, club) complete.
static enrolled(club, person) complete.
static size(club -> int) counts enrolled.
fluent away(person) complete.
static known(person) complete.
derived idle(person).
who_is_there_is_known: known(?p) :- enrolled(_, ?p).
in_no_club: idle(?p) :- person(?p), absent member(?p, _), absent away(?p).
"""
NOTHING = "warning: nothing is given of "


@pytest.fixture(autouse=True)
def given(folder: Path) -> None:
    Path("clubs.horn").write_text(THEORY)
    Path("person.csv").write_text("person\nann\nbob\n")
    Path("member.csv").write_text("person,club\nann,chess\n")
    Path("enrolled.csv").write_text("club,person\nchess,ann\n")
    Path("nobody.csv").write_text("person\n")


def tables(*specs: str) -> list[str]:
    return [word for spec in specs for word in ("--facts", spec)]


ALL = tables("person=person.csv", "member=member.csv", "enrolled=enrolled.csv", "away=nobody.csv")


@pytest.mark.parametrize("engine", [[], ["--engine", "duckdb"]])
def test_a_forgotten_table_of_a_complete_relation_is_reported_with_its_declaration(run, engine):
    code, out, err = run(
        "query", "clubs.horn", "idle(?p)", *engine, *tables("person=person.csv", "enrolled=enrolled.csv")
    )
    assert (code, out) == (0, "?p\nann\nbob\n")
    assert err.splitlines()[-1] == (
        f"{NOTHING}`member` (clubs.horn:4), `away` (clubs.horn:7), which are declared complete, so all of each is absent;"
        " if there is none, give a table without rows: `--facts member=FILE`"
    )


def test_nothing_is_reported_where_each_has_a_table_even_without_rows_or_a_text_or_a_rule(run):
    code, out, err = run("query", "clubs.horn", "idle(?p)", *ALL)
    assert (code, out) == (0, "?p\nbob\n")
    assert NOTHING not in err
    Path("more.horn").write_text("away(cy). member(ann, chess).\n")
    *_, err = run(
        "query",
        "clubs.horn",
        "idle(?p)",
        *tables("person=person.csv", "enrolled=enrolled.csv"),
        "--add",
        "more.horn",
    )
    assert NOTHING not in err


def test_nothing_is_reported_without_tables(run):
    Path("more.horn").write_text("person(ann).\n")
    assert run("query", "clubs.horn", "idle(?p)", "--add", "more.horn") == (0, "?p\nann\n", "")


def test_two_tables_have_everything_together(run):
    Path("others.csv").write_text("person,club\nbob,go\n")
    code, out, err = run("query", "clubs.horn", "idle(?p)", *ALL, "--facts", "member=others.csv")
    assert (code, out) == (1, "no answer\n") or not out.startswith("?p\n")
    assert NOTHING not in err


def test_no_row_is_left_out_of_a_table_that_has_everything(run):
    Path("member.csv").write_text("person,club\nann\nbob,go\n")
    Path("person.csv").write_text("person\nann\nbob\n,\n")
    code, out, err = run("query", "clubs.horn", "idle(?p)", *ALL, "--skip-bad")
    assert (code, out) == (1, "")
    assert (
        "1 bad row of 2, so none was loaded (none may be left out, since `member` is declared complete)"
        in err
    )
    assert "skipped: person=person.csv: row 4" in err


@pytest.mark.parametrize("skip_bad", [False, True])
def test_from_python_no_row_is_left_out_any(skip_bad):
    Path("member.csv").write_text("person,club\nann\n")
    vocabulary = load_text(THEORY, "clubs.horn").vocabulary
    with pytest.raises(TableError, match="none may be left out, since `member` is declared complete"):
        read_csv("member.csv", "member", vocabulary, skip_bad=skip_bad)
    with pytest.raises(TableError, match="none may be left out"):
        read_rows([("ann", 3)], "member", vocabulary, skip_bad=skip_bad)


@pytest.mark.parametrize("engine", [[], ["--engine", "duckdb"]])
@pytest.mark.parametrize("there", [0, 1])
def test_a_count_that_says_more_than_a_complete_set_has_is_refused(run, engine, there):
    Path("size.csv").write_text("club,int\nchess,2\n")
    Path("enrolled.csv").write_text("club,person\nchess,ann\n" if there else "club,person\ngo,ann\n")
    code, out, err = run("query", "clubs.horn", "idle(?p)", *engine, *ALL, "--facts", "size=size.csv")
    assert (code, out) == (1, "")
    assert err.splitlines()[-1] == (
        "error: `size(chess, 2)` says that there are 2 of `enrolled`, which is declared complete, but"
        f" {there} {'is' if there else 'are'} given"
    )


def test_a_count_that_is_right_is_taken(run):
    Path("size.csv").write_text("club,int\nchess,1\n")
    assert run("query", "clubs.horn", "idle(?p)", *ALL, "--facts", "size=size.csv")[:2] == (0, "?p\nbob\n")


@pytest.mark.parametrize("engine", engines_with("derivations"))
def test_what_is_added_or_retracted_after_conclusions_were_drawn_changes_them(engine):
    base = KnowledgeBase(load_text(THEORY, "clubs.horn"), engine=engine)
    base.add_text("person(ann). person(bob).")
    assert base.query("idle(?p)").to_tuples() == [("ann",), ("bob",)]
    more = base.read_clauses("member(ann, chess). away(bob).").facts
    base.add(more)
    assert base.query("idle(?p)").to_tuples() == []
    base.retract(more[:1])
    assert base.query("idle(?p)").to_tuples() == [("ann",)]
    base.retract(more[1:])
    assert base.query("idle(?p)").to_tuples() == [("ann",), ("bob",)]
    assert [ground_fact(fact).relation for fact in base.why("idle(ann)").given_facts] == ["person"]
