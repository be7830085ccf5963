"""Derived facts with dates, times and decimal numbers as files and databases, and back."""

from __future__ import annotations

from decimal import Decimal

import pyarrow.parquet
import pytest

from hornbook import KnowledgeBase, read_theory
from hornbook.kb.tables.tables import load_table

LOANS = """theory loans.
sort person.
sort book.
sort day = date.
sort moment = time.
sort euro = decimal(2).
fluent since(book -> day).
fluent seen(person, moment).
fluent owed(person -> euro).
fluent due(book, day).
fluent later(person, moment).
fluent total(euro).
due(?b, ?d) :- since(?b, ?s), ?d = add_months(?s, 1).
later(?p, ?t + 1) :- seen(?p, ?t).
total(?x) :- owed(_, ?y), ?x = ?y + 0.25.
"""
FACTS = "since(b1, 2024-01-31). owed(ada, -0.30). seen(ada, 2024-02-29T23:59:59)."


@pytest.mark.parametrize("place", ["out.csv", "out.parquet", "out.sqlite", "out.duckdb"])
def test_derived_facts_are_written_and_read_back(tmp_path, run, place):
    folder, _, kind = (tmp_path / place).as_posix().rpartition(".")
    (tmp_path / "loans.horn").write_text(LOANS, encoding="utf-8")
    (tmp_path / "facts.horn").write_text(FACTS, encoding="utf-8")
    is_folder = kind in ("csv", "parquet")
    out = [f"--into={folder}", f"--format={kind}"] if is_folder else [f"--into={tmp_path / place}"]
    code, _, err = run(
        "theory", "run", str(tmp_path / "loans.horn"), f"--add={tmp_path / 'facts.horn'}", *out
    )
    assert code == 0, err
    base = KnowledgeBase(read_theory(tmp_path / "loans.horn"))
    for relation in ("due", "later", "total"):
        source = f"{folder}/{relation}.{kind}" if is_folder else str(tmp_path / place)
        base.add(load_table(f"{relation}={source}", base.theory.vocabulary).facts)
    assert base.query("due(?b, ?d), later(?p, ?t), total(?x)").to_csv() == (
        "b,d,p,t,x\nb1,2024-02-29,ada,2024-03-01T00:00:00,-0.05\n"
    )


def test_a_query_about_states_has_the_answers_about_each(tmp_path, run):
    (tmp_path / "loans.horn").write_text(LOANS, encoding="utf-8")
    states = [FACTS, "owed(eve, 1.5).", *(f"owed(p{place}, {place}.50)." for place in range(30))]
    lines = ["state", *(f'"{state}"' for state in states)]
    (tmp_path / "states.csv").write_text("\n".join(lines), encoding="utf-8")
    out = tmp_path / "answers.parquet"
    code, _, err = run(
        "query",
        str(tmp_path / "loans.horn"),
        "total(?x)",
        f"--states={tmp_path / 'states.csv'}",
        f"--into={out}",
        "--skip-bad",
    )
    assert code == 0, err
    rows = pyarrow.parquet.read_table(out).to_pylist()
    assert "`1.5` stands where" in rows[1]["error"]
    expected = [Decimal("-0.05"), None, *(Decimal(place) + Decimal("0.75") for place in range(30))]
    assert [row["answers"] and row["answers"][0]["x"] for row in rows] == expected
