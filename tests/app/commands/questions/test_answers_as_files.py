"""`--csv`, `--into` and `--limit` of `query`: the same answers, as a file or limited to the first ones."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from hornbook import KnowledgeBase
from hornbook.theories import firm

SHOP = """theory shop.
sort thing.
static price(thing, int).
static other(thing, int).
price(tea, 3). price('a "b", c', -1). price('ö''s', 7). price('1', 2).
"""


@pytest.fixture(autouse=True)
def files(folder):
    Path("shop.horn").write_text(SHOP, encoding="utf-8")


QUERIED = ("query", "shop.horn", "price(?thing, ?n)")


def test_csv_has_a_header_and_every_answer(run):
    code, out, err = run(*QUERIED, "--csv")
    assert (code, err) == (0, "")
    head, *rows = csv.reader(io.StringIO(out))
    assert head == ["thing", "n"]
    answers = KnowledgeBase("shop.horn").query(QUERIED[2])
    assert rows == [[str(cell) for cell in row] for row in answers]
    assert run("query", "shop.horn", "price(?thing, 100)", "--csv")[:2] == (0, "thing\n")


def test_what_is_written_as_csv_is_read_again_as_facts(run):
    code, out, err = run(*QUERIED, "--into", "prices.csv")
    assert (code, out, err) == (0, "4 answers in prices.csv\n", "")
    code, out, _ = run("query", "shop.horn", "other(?thing, ?n)", "--facts", "other=prices.csv", "--json")
    assert (code, json.loads(out)) == (0, KnowledgeBase("shop.horn").query(QUERIED[2]).to_dicts())


def test_parquet_has_the_types_of_the_columns_even_without_answers(run):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert run(*QUERIED, "--into", "prices.parquet", "--json")[:2] == (
        0, '{"answers": 4, "written": "prices.parquet"}\n',
    )  # fmt: skip
    assert (
        parquet.read_table("prices.parquet").to_pylist()
        == KnowledgeBase("shop.horn").query(QUERIED[2]).to_dicts()
    )
    assert run(*QUERIED, "--into", "duck.parquet", "--engine", "duckdb", "--limit", "3")[2] == (
        "the first 3 of 4 answers\n"
    )
    whole, first = map(parquet.read_table, ("prices.parquet", "duck.parquet"))
    assert first == whole[:3]
    code, _, err = run(*QUERIED, "--into", "few.parquet", "--engine", "duckdb", "--max-answers", "3")
    assert (code, "more than 3 answers" in err) == (2, True)
    assert run("query", "shop.horn", "price(?thing, ?n), ?n > 99", "--into", "none.parquet")[0] == 0
    schema = parquet.read_schema("none.parquet")
    assert [str(kind) for kind in schema.types] == ["string", "int64"]


@pytest.mark.parametrize("form", [[], ["--csv"], ["--json"], ["--into", "some.csv"]])
def test_a_limit_shows_the_first_answers_and_says_how_many_there_are(run, form):
    whole = run(*QUERIED, *form)[1] if not form[1:] else ""
    code, out, err = run(*QUERIED, "--limit", "2", *form)
    assert (code, err) == (0, "the first 2 of 4 answers\n")
    if form == ["--json"]:
        assert json.loads(out) == json.loads(whole)[:2]
    elif form[1:]:
        assert len(Path("some.csv").read_text(encoding="utf-8").splitlines()) == 3
    else:
        assert [line.split() for line in out.splitlines()] == [
            line.split() for line in whole.splitlines()[:3]
        ]
    assert run(*QUERIED, "--limit", "4", *form)[2] == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--csv", "--json"], "it cannot be combined with --json"),
        (["--csv", "--into", "a.csv"], "it cannot be combined with --into"),
        (["--into", "a.txt"], "`a.txt` ends in none of .csv and .parquet"),
        (
            ["--facts", "other=mine.csv", "--into", "mine.csv"],
            "`mine.csv` is an input, and would be replaced (--facts)",
        ),
        (
            ["--facts", "tables", "--into", "tables/other.csv"],
            "the answers would replace facts that are read",
        ),
        (["--csv", "--states", "s.parquet"], "it applies to one state"),
        (["--limit", "1", "--states", "s.parquet"], "it applies to one state"),
        (["--limit", "0"], "greater than or equal to 1"),
    ],
)
def test_what_does_not_go_together_is_refused_and_nothing_is_written(run, options, message):
    Path("mine.csv").write_text("thing,n\ntea,1\n")
    Path("tables").mkdir()
    Path("tables/other.csv").write_text("thing,n\ntea,1\n")
    code, out, err = run(*QUERIED, *options)
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())
    assert sorted(path.name for path in Path().iterdir()) == ["mine.csv", "shop.horn", "tables"]
    assert Path("mine.csv").read_text() == Path("tables/other.csv").read_text() == "thing,n\ntea,1\n"


@pytest.mark.parametrize("form", [["--csv"], ["--into", "a.csv"]])
def test_yes_and_no_are_no_table(run, form):
    code, out, err = run("query", "shop.horn", "price(tea, 3)", *form)
    assert (code, out) == (2, "")
    assert "a query without variables has no columns; it is answered yes or no" in " ".join(err.split())
    assert not Path("a.csv").exists()


@pytest.fixture
def positions(taught):
    """Return the arguments of `solve` for a Go problem and rules that answer it."""
    return ("go", "--rules", str(taught / "learned.horn"), "--problems", str(taught / "p.jsonl"))


def test_solve_shows_its_answers_in_the_same_ways(run, positions):
    code, out, _ = run("problems", "solve", *positions)
    assert code == 0
    answers = [json.loads(line) for line in out.splitlines()]
    code, out, _ = run("problems", "solve", *positions, "--csv")
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["id"], row["value"], row["rule"]) for row in rows] == [
        (each["id"], each["value"], each["rule"] or "") for each in answers
    ]
    code, out, err = run("problems", "solve", *positions, "--limit", "2", "--into", "a.csv")
    assert (code, out) == (0, "2 answers in a.csv\n")
    assert "the first 2 of 6 problems" in err
    assert len(Path("a.csv").read_text().splitlines()) == 3
    assert run("problems", "solve", *positions, "--into", positions[-1])[0] == 2
    parquet = pytest.importorskip("pyarrow.parquet")
    assert run("problems", "solve", *positions, "--into", "a.parquet")[0] == 0
    table = parquet.read_table("a.parquet").to_pylist()
    assert [each["rule"] for each in table] == [each["rule"] for each in answers]


def test_match_shows_its_answers_in_the_same_ways(run, taught):
    Path("corner.txt").write_text("to play: black\n. . . . .\n. # . . .\n# O # . .\n. . . . .\n. . . . .\n")
    queried = ("rules", "match", "go", "corner.txt", "--rules", str(taught / "learned.horn"))
    code, out, err = run(*queried, "--json")
    assert code == 0, err
    answers = json.loads(out)
    code, out, _ = run(*queried, "--csv")
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["rule"], row["game"], row["value"], row["move"]) for row in rows] == [
        (each["rule"], each["game"], each["value"], each["move"] or "") for each in answers
    ]
    assert [json.loads(row["bindings"]) for row in rows] == [each["bindings"] for each in answers]
    assert run(*queried, "--into", "a.csv")[:2] == (
        0,
        f"{len(answers)} answer{'s' * (len(answers) != 1)} in a.csv\n",
    )
    assert list(csv.DictReader(Path("a.csv").read_text().splitlines())) == rows
    for wrong, message in {
        ("--csv", "--why"): "it is text, and no table",
        ("--into", "answers.txt"): "ends in none of .csv and .parquet",
        ("--csv", "--json"): "it cannot be combined with --json",
    }.items():
        code, out, err = run(*queried, *wrong)
        assert (code, out) == (2, "")
        assert message in " ".join(err.split())


def test_advice_is_a_table_too(run):
    parquet = pytest.importorskip("pyarrow.parquet")
    state = Path(firm.__file__).parent / "examples" / "moments" / "butter_is_cheap.csv"
    queried = ("firm", "advise", "firm", "--state", str(state))
    message = json.loads(run(*queried, "--json")[1])
    expected = [
        (level["level"], goal["goal"], piece["decision"], piece["value"], part["from"], part["to"])
        for level in message["levels"]
        for goal in level["goals"]
        for piece in goal["advice"]
        for part in piece["amounts"]
    ]
    code, out, err = run(*queried, "--limit", "3", "--csv")
    assert (code, err) == (0, f"the first 3 of {len(expected)} answers\n")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["goal"], row["from"], row["to"]) for row in rows] == [
        (goal, str(low), "" if high is None else str(high)) for _, goal, _, _, low, high in expected[:3]
    ]
    assert run(*queried, "--into", "advice.parquet")[:2] == (
        0,
        f"{len(expected)} answers in advice.parquet\n",
    )
    table = parquet.read_table("advice.parquet")
    assert [str(kind) for kind in table.schema.types].count("int64") == 2
    keys = ("level", "goal", "decision", "value", "from", "to")
    assert [tuple(row[key] for key in keys) for row in table.to_pylist()] == expected
    assert run(*queried, "--limit", "3")[0] == run(*queried, "--csv", "--why")[0] == 2


def test_a_folder_that_is_not_there_is_reported_before_the_work(run):
    code, out, err = run(*QUERIED, "--into", "none/a.csv")
    assert (code, out) == (1, "")
    assert "there is no such folder" in err
