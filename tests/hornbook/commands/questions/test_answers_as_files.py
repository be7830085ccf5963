"""--csv, --into and --limit of query: the same answers, as a file or the first of them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from hornbook import KnowledgeBase

SHOP = """theory shop.
sort thing.
static price(thing, int).
static other(thing, int).
price(tea, 3). price('a "b", c', -1). price('ö''s', 7). price('1', 2).
"""


@pytest.fixture(autouse=True)
def files(folder):
    Path("shop.horn").write_text(SHOP, encoding="utf-8")


ASKED = ("query", "shop.horn", "price(?thing, ?n)")


def test_csv_has_a_header_and_every_answer(run):
    code, out, err = run(*ASKED, "--csv")
    assert (code, err) == (0, "")
    head, *rows = csv.reader(io.StringIO(out))
    assert head == ["thing", "n"]
    answers = KnowledgeBase("shop.horn").query(ASKED[2])
    assert rows == [[str(cell) for cell in row] for row in answers]
    assert run("query", "shop.horn", "price(?thing, 100)", "--csv")[:2] == (0, "thing\n")


def test_what_is_written_as_csv_is_read_again_as_facts(run):
    code, out, err = run(*ASKED, "--into", "prices.csv")
    assert (code, out, err) == (0, "4 answers in prices.csv\n", "")
    code, out, _ = run("query", "shop.horn", "other(?thing, ?n)", "--facts", "other=prices.csv", "--json")
    assert (code, json.loads(out)) == (0, KnowledgeBase("shop.horn").query(ASKED[2]).dicts())


def test_parquet_has_the_types_of_the_columns_even_without_answers(run):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert run(*ASKED, "--into", "prices.parquet", "--json")[:2] == (
        0, '{"answers": 4, "written": "prices.parquet"}\n',
    )  # fmt: skip
    assert (
        parquet.read_table("prices.parquet").to_pylist() == KnowledgeBase("shop.horn").query(ASKED[2]).dicts()
    )
    assert run("query", "shop.horn", "price(?thing, ?n), ?n > 99", "--into", "none.parquet")[0] == 0
    schema = parquet.read_schema("none.parquet")
    assert [str(kind) for kind in schema.types] == ["string", "int64"]


@pytest.mark.parametrize("form", [[], ["--csv"], ["--json"], ["--into", "some.csv"]])
def test_a_limit_shows_the_first_answers_and_says_how_many_there_are(run, form):
    whole = run(*ASKED, *form)[1] if not form[1:] else ""
    code, out, err = run(*ASKED, "--limit", "2", *form)
    assert (code, err) == (0, "the first 2 of 4 answers\n")
    if form == ["--json"]:
        assert json.loads(out) == json.loads(whole)[:2]
    elif form[1:]:
        assert len(Path("some.csv").read_text(encoding="utf-8").splitlines()) == 3
    else:
        assert [line.split() for line in out.splitlines()] == [
            line.split() for line in whole.splitlines()[:3]
        ]
    assert run(*ASKED, "--limit", "4", *form)[2] == ""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--csv", "--json"], "it does not go together with --json"),
        (["--csv", "--into", "a.csv"], "it does not go together with --into"),
        (["--into", "a.txt"], "`a.txt` ends in none of .csv and .parquet"),
        (
            ["--facts", "other=mine.csv", "--into", "mine.csv"],
            "the answers would replace facts that are read",
        ),
        (
            ["--facts", "tables", "--into", "tables/other.csv"],
            "the answers would replace facts that are read",
        ),
        (["--csv", "--states", "s.parquet"], "it is for one state"),
        (["--limit", "1", "--states", "s.parquet"], "it is for one state"),
        (["--limit", "0"], "greater than or equal to 1"),
    ],
)
def test_what_does_not_go_together_is_refused_and_nothing_is_written(run, options, said):
    Path("mine.csv").write_text("thing,n\ntea,1\n")
    Path("tables").mkdir()
    Path("tables/other.csv").write_text("thing,n\ntea,1\n")
    code, out, err = run(*ASKED, *options)
    assert (code, out) == (2, "")
    assert said in " ".join(err.split())
    assert sorted(path.name for path in Path().iterdir()) == ["mine.csv", "shop.horn", "tables"]
    assert Path("mine.csv").read_text() == Path("tables/other.csv").read_text() == "thing,n\ntea,1\n"


@pytest.mark.parametrize("form", [["--csv"], ["--into", "a.csv"]])
def test_yes_and_no_are_no_table(run, form):
    code, out, err = run("query", "shop.horn", "price(tea, 3)", *form)
    assert (code, out) == (2, "")
    assert "a query without variables has no columns; it is answered yes or no" in " ".join(err.split())
    assert not Path("a.csv").exists()


def test_a_folder_that_is_not_there_is_said_before_the_work(run):
    code, out, err = run(*ASKED, "--into", "none/a.csv")
    assert (code, out) == (1, "")
    assert "there is no such folder" in err
