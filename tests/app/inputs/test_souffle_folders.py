"""Folders of facts for a Soufflé program.

They are read unchanged, and other files in them are reported with a fix.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

ROADS = """theory roads.
sort node.
static edge(node, node).
static length(node, node, int).
static closed(node).
static toll.
static other.
derived path(node, node).
derived paid.
path(?a, ?b) :- edge(?a, ?b).
path(?a, ?c) :- edge(?a, ?b), path(?b, ?c).
paid :- toll, path(_, _).
"""


@pytest.fixture(autouse=True)
def files(folder):
    Path("roads.horn").write_text(ROADS)
    Path("facts").mkdir()
    Path("facts/edge.facts").write_text("riga\tnew york\nnew york\toslo\n")
    Path("facts/length.facts").write_text('riga\tnew york\t6750\n"new\tyork"\t-3')
    Path("facts/closed.facts").write_text("")
    Path("facts/toll.facts").write_text("()\n")


def queried(run, question, *facts):
    return run(
        "query", "roads.horn", question, *(each for spec in facts for each in ("--facts", spec)), "--csv"
    )


def test_a_folder_is_read_as_it_is(run):
    assert queried(run, "path(riga, ?b)", "facts")[:2] == (0, "b\nnew york\noslo\n")
    _, out, _ = queried(run, "length(?a, ?b, ?n)", "facts")
    # Quotes have no meaning there.
    assert list(csv.reader(out.splitlines()))[1:] == [['"new', 'york"', "-3"], ["riga", "new york", "6750"]]
    assert queried(run, "closed(?a)", "facts")[:2] == (0, "a\n")


@pytest.mark.parametrize("engine", ["compiled", "plain", "duckdb"])
def test_a_relation_without_columns_is_a_line_with_parentheses(run, monkeypatch, engine):
    with monkeypatch.context() as patched:
        patched.setenv("HORNBOOK_ENGINE", "plain" if engine == "plain" else "compiled")
        way = ("--engine", "duckdb") if engine == "duckdb" else ()
        question = ("query", "roads.horn", "toll, edge(riga, _)", "--facts", "facts", *way)
        assert run(*question)[:2] == (0, "yes\n")
        Path("facts/toll.facts").write_text("()\n()\n")
        assert run(*question)[:2] == (0, "yes\n")
        Path("facts/toll.facts").write_text("")
        assert run(*question)[:2] == (0, "no\n")
        Path("facts/toll.facts").write_text("(x)\n")
        assert "row 1: 1 column, where `toll()` has 0" in run(*question)[2]
    Path("facts/toll.facts").write_text("()\n")
    assert run("why", "roads.horn", "toll", "--facts", "facts")[1] == "toll  [facts/toll.facts:1]\n"


def test_what_run_writes_of_a_relation_without_columns_is_read_too(run):
    for into, spec in {"out": "other=out/paid.csv", "out.sqlite": "other=out.sqlite::paid"}.items():
        assert run("theory", "run", "roads.horn", "--facts", "facts", "--into", into)[0] == 0
        assert run("query", "roads.horn", "other", "--facts", spec)[:2] == (0, "yes\n")
    Path("empty.csv").write_text("holds\n")
    assert run("query", "roads.horn", "other", "--facts", "other=empty.csv")[:2] == (0, "no\n")


def test_what_souffle_writes_is_reported_with_a_way_out(run):
    Path("path.csv").write_text("riga\toslo\n")
    for spec in ("edge=path.csv", "edge()=path.csv"):
        code, _, err = queried(run, "edge(?a, ?b)", spec)
        assert code == 1
        assert "its cells are parted by tabs: call the file .tsv, or .facts" in err
    Path("path.csv").rename("path.facts")
    assert queried(run, "edge(?a, ?b)", "edge=path.facts")[:2] == (0, "a,b\nriga,oslo\n")
    Path("path.facts").rename("path.tsv")
    assert queried(run, "edge(?a, ?b)", "edge()=path.tsv")[:2] == (0, "a,b\nriga,oslo\n")
    Path("facts/edge.facts").write_text("riga oslo\nriga,oslo\n")
    _, _, err = queried(run, "edge(?a, ?b)", "facts")
    assert err.count("the cells of a .facts file are parted by tabs") == 2
    Path("semicolons.csv").write_text("node;node\nriga;oslo\n")
    assert "parted by semicolons" in queried(run, "edge(?a, ?b)", "edge=semicolons.csv")[2]


def test_a_file_of_no_predicate_is_refused_with_a_way_out(run):
    Path("facts/unknown.facts").write_text("x\n")
    code, _, err = queried(run, "edge(?a, ?b)", "facts")
    assert code == 1
    assert "no predicate is called `unknown`" in err
    assert "`PREDICATE=FILE` names one alone" in err
    assert queried(run, "edge(?a, ?b)", "edge=facts/edge.facts")[0] == 0
