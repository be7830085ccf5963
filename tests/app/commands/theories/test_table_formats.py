"""The option --table-format of every command that reads tables."""

from __future__ import annotations

import io

import pytest

THEORY = """theory payments.
sort day = date.
sort euro = decimal(2).
static paid(day, euro).
static owed(euro).
derived late(day).
late(?d) :- paid(?d, _), ?d > 2024-06-30.
"""
GERMAN = [f"--table-format={each}" for each in ("delimiter=;", "decimal=,", "thousands=.", "date=%d.%m.%Y")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.horn").write_text(THEORY, encoding="utf-8")
    (tmp_path / "paid.csv").write_text("day;euro\n31.12.2024;1.234,50\n", encoding="utf-8")
    (tmp_path / "owed.csv").write_text("euro\n3.50\n", encoding="utf-8")
    return tmp_path


def test_a_query_reads_tables_as_people_write_them(folder, run):
    code, out, err = run("query", "p.horn", "--facts=paid=paid.csv", *GERMAN, "paid(?d, ?e)", "--csv")
    assert (code, out) == (0, "d,e\n2024-12-31,1234.50\n"), err


def test_a_table_has_a_format_of_its_own(folder, run):
    own = [each.replace("=", "=paid.", 1) for each in GERMAN]
    tables = ["--facts=paid=paid.csv", "--facts=owed=owed.csv"]
    code, out, err = run("query", "p.horn", *tables, *own, "paid(?d, ?e), owed(?o)", "--csv")
    assert (code, out) == (0, "d,e,o\n2024-12-31,1234.50,3.50\n"), err
    code, _, err = run("query", "p.horn", *tables, *GERMAN, "paid(?d, ?e)")
    assert code == 1
    assert "owed.csv: 1 bad row of 1" in err
    code, out, err = run("query", "p.horn", *tables, *GERMAN, "--table-format=owed.decimal=.",
                         "--table-format=owed.thousands=", "owed(?o)", "--csv")  # fmt: skip
    assert (code, out) == (0, "o\n3.50\n"), err


def test_run_and_stores_and_the_prompt_read_them(folder, run, monkeypatch):
    code, _, err = run("theory", "run", "p.horn", "--facts=paid=paid.csv", *GERMAN, "--into=out")
    assert code == 0, err
    assert (folder / "out/late.csv").read_text(encoding="utf-8") == "day\n2024-12-31\n"
    assert run("store", "new", "p.sqlite", "p.horn")[0] == 0
    code, out, err = run("store", "add", "p.sqlite", "--facts=paid=paid.csv", *GERMAN)
    assert code == 0, err
    assert "1 new fact" in out
    monkeypatch.setattr("sys.stdin", io.StringIO(":load paid=paid.csv\n?- late(?d).\n"))
    _, out, err = run("repl", "p.horn", *GERMAN)
    assert "2024-12-31" in out, err


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ("decimal", "`decimal` is not NAME=VALUE"),
        ("point=,", "the names are delimiter, decimal, thousands, date, time"),
        ("pait.decimal=,", "no predicate is called `pait`; did you mean `paid`?"),
        ("decimal=x", "the decimal separator is `.` or `,`, and not `x`"),
    ],
)
def test_a_bad_format_is_refused(folder, run, setting, reason):
    code, _, err = run("query", "p.horn", "--facts=paid=paid.csv", f"--table-format={setting}", "late(?d)")
    assert code == 2
    assert reason in " ".join(err.replace("│", " ").split())


def test_a_format_is_set_once(folder, run):
    twice = ["--table-format=decimal=,", "--table-format=decimal=."]
    code, _, err = run("query", "p.horn", "--facts=paid=paid.csv", *twice, "late(?d)")
    assert code == 2
    assert "`decimal` is set twice" in err
