"""`match_table`: tables of pandas, Polars, Arrow, Dask and Ray. Each result has the type of its input."""

from __future__ import annotations

import json
import signal

import duckdb
import pandas
import polars
import pyarrow
import pytest

from hornbook import HornbookError, Limits, NoAdapterError, read_rules, read_theory
from hornbook.api.learned_rules import LearnedRules
from hornbook.spread import frames
from hornbook.theories.go.problems import read_problems
from hornbook.theories.go.states.board import GoBoard
from hornbook.theories.go.states.diagram import print_diagram


@pytest.fixture(scope="module")
def known(taught):
    """Return rules of Go, texts of positions, and the answers of the rules for each position."""
    rules = read_rules(taught / "learned.horn", "go")
    boards = [problem.board for problem in read_problems(taught / "p.jsonl")]
    output = [
        [
            {**one.to_dict(), "bindings": json.dumps(dict(one.bindings), ensure_ascii=False)}
            for one in rules.match(board)
        ]
        for board in boards
    ]
    return rules, list(map(print_diagram, boards)), output


def test_pandas(known):
    rules, texts, output = known
    frame = pandas.DataFrame({"state": texts}, index=range(10, 10 + len(texts)))
    found = rules.match_table(frame)
    assert isinstance(found, pandas.DataFrame)
    assert list(found.answers) == output
    assert found.drop(columns="answers").equals(frame)
    assert list(frame.columns) == ["state"]


@pytest.mark.filterwarnings("error")
def test_columns_that_nobody_reads_may_be_of_any_kind(known):
    rules, texts, output = known
    anything = [object() for _ in texts]
    frame = pandas.DataFrame({"state": texts, 3: anything})
    found = rules.match_table(frame)
    assert list(found.answers) == output
    assert list(found[3]) == anything


def test_polars(known):
    rules, texts, output = known
    found = rules.match_table(polars.DataFrame({"state": texts}))
    assert isinstance(found, polars.DataFrame)
    assert found["answers"].to_list() == output


@pytest.mark.parametrize(
    "kind", [pyarrow.Table.from_batches, lambda batches: batches[0], lambda b: pyarrow.RecordBatchReader.from_batches(b[0].schema, b)]
)  # fmt: skip
def test_arrow(known, kind):
    rules, texts, output = known
    table = kind([pyarrow.record_batch({"state": texts})])
    found = rules.match_table(table)
    assert type(found) is type(table)
    assert pyarrow.table(found)["answers"].to_pylist() == output


def test_whatever_streams_arrow_is_answered_as_an_arrow_table(known):
    rules, texts, output = known
    with duckdb.connect(":memory:") as connection:
        found = rules.match_table(connection.sql("select unnest($texts) as state", params={"texts": texts}))
    assert isinstance(found, pyarrow.Table)
    assert found["answers"].to_pylist() == output


@pytest.mark.deep
def test_dask_stays_lazy(known):
    import dask.dataframe

    rules, texts, output = known
    frame = dask.dataframe.from_pandas(pandas.DataFrame({"state": [*texts, None]}), npartitions=3)
    found = rules.match_table(frame, skip_bad=True)
    assert isinstance(found, dask.dataframe.DataFrame)
    assert list(found.columns) == ["state", "answers", "error"]
    done = found.compute(scheduler="synchronous")
    assert list(done.answers) == [*output, None]
    assert list(done.error) == [None] * len(texts) + ["column `state`: it is NULL"]
    with pytest.raises(HornbookError, match="1 bad row of 2"):
        rules.match_table(frame).compute(scheduler="synchronous")


@pytest.mark.deep
@pytest.mark.filterwarnings("ignore:.*:DeprecationWarning:ray.data")
def test_ray_stays_lazy(known):
    import ray

    rules, texts, output = known
    before = signal.getsignal(signal.SIGTERM)  # Ray installs its own handler
    ray.init("local", num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="error")
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        table = ray.data.from_arrow(pyarrow.table({"state": texts}))
        found = rules.match_table(table)
        assert isinstance(found, ray.data.Dataset)
        assert [row["answers"] for row in found.take_all()] == output
    finally:
        ray.shutdown()
        signal.signal(signal.SIGTERM, before)


@pytest.mark.deep
def test_several_processes_answer_the_same_in_the_same_order(known, monkeypatch):
    rules, texts, output = known
    monkeypatch.setattr(frames, "_PART", 2)
    many = pyarrow.table({"state": texts * 3})
    assert rules.match_table(many, workers=2)["answers"].to_pylist() == output * 3


def test_rows_that_cannot_be_queried_about(known):
    rules, texts, output = known
    table = pyarrow.table({"state": [texts[0], "no board", None]})
    with pytest.raises(HornbookError) as refused:
        rules.match_table(table)
    assert str(refused.value).splitlines() == [
        "table: 2 bad rows of 3, correct them, or use `skip_bad=True` for a column `error` with the reasons",
        "  row 2: column `state`: line 1, column 1: unexpected character `n`",
        "  row 3: column `state`: it is NULL",
    ]
    found = rules.match_table(table, skip_bad=True)
    assert found["answers"].to_pylist() == [output[0], None, None]
    assert found["error"].to_pylist()[0] is None


def test_what_is_no_table_of_positions(known):
    rules, _, _ = known
    with pytest.raises(TypeError, match="a list is not a table"):
        rules.match_table([1])
    with pytest.raises(HornbookError, match="no column is called `state`"):
        rules.match_table(pyarrow.table({"board": ["x"]}))
    with pytest.raises(HornbookError, match="2 columns are called `state`"):
        rules.match_table(pandas.DataFrame([["x", "y"]], columns=["state", "state"]))
    with pytest.raises(HornbookError, match=r"table: this cannot be read as an Arrow table: .*'int' object"):
        rules.match_table(pandas.DataFrame({"state": ["x", 3]}))
    with pytest.raises(HornbookError, match="table: this cannot be read as an Arrow table: "):
        rules.match_table(pandas.Series(["x"], name="state"))
    with pytest.raises(HornbookError, match="table: column `state` has values of type int64, not text"):
        rules.match_table(pandas.DataFrame({"state": [3]}))
    for none in (0, -1):
        with pytest.raises(ValueError, match=f"at least one, not {none}"):
            rules.match_table(pyarrow.table({"state": ["x"]}), workers=none)
    with pytest.raises(ValueError, match="`moon` is not a backend"):
        rules.match_table(pyarrow.table({"state": ["x"]}), backend="moon")
    with pytest.raises(NoAdapterError):
        LearnedRules(read_theory("go", adapters=False)).match_table(pyarrow.table({"state": ["x"]}))


def test_a_position_that_passes_a_limit_has_no_answers_and_spoils_no_others(known):
    rules, texts, output = known
    large = print_diagram(GoBoard(19, 19, ("empty", "black", "white", *["empty"] * 358)))
    table = pyarrow.table({"state": [large, texts[0], large, texts[1]]})
    found = rules.match_table(table, skip_bad=True, limits=Limits(facts=3_000))
    assert found["answers"].to_pylist() == [None, output[0], None, output[1]]
    one, none, other, _ = found["error"].to_pylist()
    assert none is None
    assert "3,000" in one == other
