"""`--set`: values of a query's parameters from the command line, and the same from Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hornbook import KnowledgeBase, TheoryError

ACCESS = """theory access.
sort person.
sort thing.
sort rank = low | high.
static member(person, thing).
static level(person, int).
static rank(person, rank).
derived may(person, thing).
members_may: may(?p, ?t) :- member(?p, ?t).
member(ann, door). member('Bob', gate). member('7', yard). member('x'', ?t), member(ann, ?t', safe).
level(ann, 3). level('7', 7). rank(ann, high).
"""


@pytest.fixture(autouse=True)
def files(folder):
    Path("access.horn").write_text(ACCESS)


def answers(run, query, *settings):
    code, out, err = run("query", "access.horn", query, *(f"--set={each}" for each in settings), "--json")
    assert (code, err) == (0, ""), err
    return json.loads(out)


@pytest.mark.parametrize(
    ("user", "things"),
    [
        ("ann", ["door"]),
        ("Bob", ["gate"]),
        ("7", ["yard"]),
        ("x', ?t), member(ann, ?t", ["safe"]),
        ("?p", []),
        ("_", []),
        ("$user", []),
        ("'ann'", []),
        ("a=b", []),
        ("", []),
    ],
)
def test_a_value_is_a_word_and_nothing_is_read_in_it(run, user, things):
    assert answers(run, "may($user, ?t)", f"user={user}") == [{"t": thing} for thing in things]
    base = KnowledgeBase("access.horn")
    found = base.query("may($user, ?t)", parameters={"user": user})
    assert [row["t"] for row in found.to_dicts()] == things


def test_a_value_is_an_integer_where_an_integer_stands(run):
    assert answers(run, "level(?p, $n)", "n=7") == [{"p": "7"}]
    assert answers(run, "level($who, ?n), ?n + $more > 9, ?n >= $least", "who=7", "more=3", "least=-1") == [
        {"n": 7}
    ]
    assert answers(run, "$n = count ?p where level(?p, _)", "n=2") == [{}]
    assert answers(run, "level(?p, ?n), absent level(?p, $n)", "n=7") == [{"p": "ann", "n": 3}]


def test_a_value_that_its_column_does_not_take_is_refused(run):
    for query, setting, code, message in (
        ("level(?p, $n)", "n=three", "HB013", "`three` is a word, but argument 2 of `level` is an integer"),
        ("level(?p, $n)", "n=1_0", "HB013", "`1_0` is a word"),
        ("level(?p, ?n), ?n > $n", "n=many", "HB019", "`many` is a word, and only numbers, dates and times are ordered"),
        ("level(?p, $n)", "n=" + "9" * 30, "HB006", "the value of `$n` does not fit into 64 bits"),
        ("rank(?p, $rank)", "rank=hihg", "HB014", "did you mean `high`?"),
    ):  # fmt: skip
        exit_code, out, err = run("query", "access.horn", query, "--set", setting)
        assert (exit_code, out) == (1, "")
        assert f"error[{code}]" in err
        assert message in err
        assert query in err


def test_an_integer_from_python_is_no_word(run):
    base = KnowledgeBase("access.horn")
    assert base.query("level($who, ?n)", parameters={"who": "7"}).to_tuples() == [(7,)]
    with pytest.raises(TheoryError, match="HB013"):
        base.query("level($who, ?n)", parameters={"who": 7})
    with pytest.raises(TheoryError, match="HB013"):
        base.query("level(?who, $n)", parameters={"n": "7"})


@pytest.mark.parametrize("command", ["query", "why", "why-not"])
def test_a_parameter_needs_a_value_and_a_value_a_parameter(run, command):
    code, out, err = run(command, "access.horn", "may($user, door)")
    assert (code, out) == (1, "")
    assert "error[HB052]: the parameter `$user` has no value" in err
    code, out, err = run(command, "access.horn", "may(ann, door)", "--set", "user=ann")
    assert (code, out) == (1, "")
    assert "error[HB052]: the query has no parameter `$user`" in err


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["user"], "`user` has no value"),
        (["$user=ann"], "`$user=ann` has no value"),
        (["=ann"], "`=ann` has no value"),
        (["user=ann", "user=ann"], "`user` is set twice"),
    ],
)
def test_what_is_no_setting_is_a_mistake_of_the_command_line(run, settings, message):
    code, out, err = run("query", "access.horn", "may($user, door)", *(f"--set={each}" for each in settings))
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())


def test_why_and_why_not_take_parameters(run):
    queried = ("access.horn", "may($user, $thing)", "--set", "user=ann", "--set")
    code, out, _ = run("why", *queried, "thing=door")
    assert (code, out.splitlines()[0]) == (0, "may(ann, door)  [members_may, access.horn:9]")
    code, out, _ = run("why-not", *queried, "thing=gate")
    assert (code, out.splitlines()[0]) == (0, "may(ann, gate): no rule gave it")
    base = KnowledgeBase("access.horn")
    values = {"user": "Bob", "thing": "gate"}
    assert base.why("may($user, $thing)", parameters=values).rules[0].name == "members_may"
    assert "no rule" in base.why_not("may($user, $thing)", parameters={**values, "thing": "door"}).to_text()


def test_a_value_with_a_capital_is_nothing_odd(run):
    code, out, err = run("query", "access.horn", "may($user, gate)", "--set", "user=Bob")
    assert (code, out, err) == (0, "yes\n", "")


def test_every_state_of_a_table_is_queried_with_the_values(run, folder):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    Path("now.horn").write_text("theory now.\nsort person.\nfluent here(person).\nfluent age(person, int).\n")
    parquet.write_table(arrow.table({"state": ["here(ann).", "age(ann, 7)."]}), "states.parquet")
    shared = ("query", "now.horn", "--states", "states.parquet", "--workers", "1")
    assert run(*shared, "here($who)", "--set", "who=ann", "--into", "here.parquet")[0] == 0
    assert parquet.read_table("here.parquet")["answers"].to_pylist() == [True, False]
    assert run(*shared, "age(?who, $years)", "--set", "years=7", "--into", "age.parquet")[0] == 0
    assert parquet.read_table("age.parquet")["answers"].to_pylist() == [[], [{"who": "ann"}]]


def test_a_table_of_answers_and_pydatalog_take_parameters(run):
    pytest.importorskip("pyarrow")
    base = KnowledgeBase("access.horn")
    found = base.query_table("level(?p, $n)", parameters={"n": 7})
    assert found.to_pylist() == [{"p": "7"}]
    pytest.importorskip("pyDatalog")
    values = {"user": "x', ?t), member(ann, ?t"}
    assert base.query("may($user, ?t)", parameters=values, engine="pydatalog").to_tuples() == [("safe",)]


def test_a_value_is_a_date_or_a_decimal_number_in_such_a_column(run):
    sorts = "sort day = date. sort euro = decimal(2). static paid(person, day, euro)."
    Path("access.horn").write_text(f"{ACCESS}{sorts} paid(ann, 2024-02-29, 12.50).")
    assert answers(run, "paid($p, $d, $e)", "p=ann", "d=2024-02-29", "e=12.5") == [{}]
    assert answers(run, "paid(_, ?d, ?e), ?d >= $d", "d=2024-02-29") == [{"d": "2024-02-29", "e": "12.50"}]
    code, _, err = run("query", "access.horn", "paid(_, $d, _)", "--set=d=2023-02-29")
    assert code == 2
    assert "`2023-02-29` is not a date" in err
