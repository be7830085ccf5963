"""Queries on every state of a file: the output, the errors, and the work stored after an interruption."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from hornbook import Store, read_rules, read_theory
from hornbook.api.match_states import MatchStates
from hornbook.compiler.match import unfolding
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.parse.syntax import parse
from hornbook.matcher.program.coded import Limits
from hornbook.spread import files, work
from hornbook.spread.query_states import QueryStates
from hornbook.spread.states import TableAnswering, bytes_of, identity
from hornbook.theories.go.problems import read_problems
from hornbook.theories.go.states.diagram import print_diagram

ANCESTORS = "ancestor(?a, ?b)"


def write(path, **columns):
    pyarrow.parquet.write_table(pyarrow.table(columns), path)


def read(path):
    return pyarrow.parquet.read_table(path)


@pytest.fixture
def ask(run):
    def asked(*more, query=ANCESTORS, into="answers.parquet", of="kin.horn", states="states.parquet"):
        return run("query", of, query, "--states", states, "--into", into, *more)

    return asked


@pytest.fixture
def calm(kin):
    """Return the same theory, without killed processes."""
    (kin / "killed").touch()
    return kin


def test_a_query_gives_its_variables_as_they_are(calm, ask):
    code, out, err = ask(query="older(?a, ?b, ?n)")
    assert (code, err) == (0, "")
    assert out == "40 states in answers.parquet\n"
    found = read("answers.parquet")
    assert str(found.schema.field("answers").type.value_type) == "struct<a: string, b: string, n: int64>"
    assert found["answers"][1].as_py() == [{"a": "p0", "b": "p1", "n": 20}]
    assert found.select(["id", "state"]) == read("states.parquet")


def test_a_query_without_variables_is_true_or_not(calm, ask):
    assert ask(query="ancestor(p0, p2)")[0] == 0
    assert read("answers.parquet")["answers"].to_pylist()[:4] == [False, True, True, True]


def test_states_without_an_adapter_are_facts_in_the_language(folder, ask):
    write("states.parquet", state=["parent(cleo, eve).", "", "parent(dan, fred). parent(fred, gus)."])
    assert ask(query="ancestor(ada, ?who)", of="family")[0] == 0
    found = [[each["who"] for each in message] for message in read("answers.parquet")["answers"].to_pylist()]
    assert found == [
        ["ben", "cleo", "dan", "eve"], ["ben", "cleo", "dan"], ["ben", "cleo", "dan", "fred", "gus"],
    ]  # fmt: skip


def test_an_error_in_a_state_has_the_message_of_a_single_state(folder, ask):
    Path("till.horn").write_text(
        "theory till.\nsort part.\nfluent stock(part -> int).\nderived worth(part, int).\n"
        "priced: worth(?p, ?w) :- stock(?p, ?n), ?w = ?n * 4611686018427387904.\n"
    )
    texts = [
        "stock(a, 1).",
        "stock(a, 1). stock(a, 2).",
        "stock(a, 2).",
        "stock(a, x).",
        "worth(a, 1).",
        "stock(b, 0).",
    ]
    write("states.parquet", state=texts)
    assert ask("--skip-bad", query="worth(?p, ?w)", of="till.horn")[0] == 0
    found = read("answers.parquet")
    assert found["answers"].to_pylist() == [
        [{"p": "a", "w": 4611686018427387904}], None, None, None, None, [{"p": "b", "w": 0}],
    ]  # fmt: skip
    assert found["error"].to_pylist() == [
        None,
        "column `state`: line 1, column 14: `stock(a, 1)` and `stock(a, 2)` give one key two values",
        (
            "till.horn:5:46: the arithmetic of `priced` leaves 64 bits: `?n * 4611686018427387904` is"
            " 9223372036854775808, where `?n` is 2"
        ),
        "column `state`: line 1, column 10: `x` is a word, but argument 2 of `stock` is an integer (sort `int`)",
        "column `state`: line 1, column 1: `worth` is derived: its facts are concluded by rules, never given",
        None,
    ]


def test_other_facts_and_rules_count_for_every_state(folder, ask):
    write("states.parquet", state=["parent(cleo, eve).", "parent(dan, ian)."])
    Path("more.horn").write_text(
        "parent(zoe, ada).\nold: grandparent(?a, ?b) :- parent(?a, ada), parent(ada, ?b).\n"
    )
    Path("more.csv").write_text("parent,person\nzoe,yan\n")
    code, _, _ = ask(
        "--add", "more.horn", "--facts", "parent=more.csv", query="sibling(ada, ?who)", of="family"
    )
    assert code == 0
    assert read("answers.parquet")["answers"].to_pylist() == [[{"who": "yan"}]] * 2


BAD = ["p0 p1 50", None, "p0 p1", "p0 p1 x", "p0 p1 50\np0 p1 51"]
WHY = {
    2: "column `state`: it is NULL",
    3: "adapter failed: ValueError: not enough values",
    4: "adapter failed: ValueError: invalid literal",
    5: "two values for one key: `age(p0, 50)` and `age(p0, 51)`",
}


def test_bad_rows_are_named_and_nothing_is_written(calm, ask):
    write("states.parquet", state=BAD)
    code, out, err = ask("--chunk-size", "2")
    assert (code, out) == (1, "")
    assert err.startswith(
        "error: states.parquet: 4 bad rows of 5, so nothing was written: correct them, or use `--skip-bad`"
    )
    lines = err.splitlines()[1:]
    for line, (row, why) in zip(lines, WHY.items(), strict=True):
        assert line.startswith(f"  row {row}: ")
        assert why in line
    assert not Path("answers.parquet").exists()
    code, out, err = ask("--chunk-size", "2", "--skip-bad")
    assert (code, err) == (0, "")
    assert "4 without answers (column `error`) (3 of 3 parts were answered before)" in out
    found = read("answers.parquet")
    assert found["answers"].to_pylist() == [[{"a": "p0", "b": "p1"}], None, None, None, None]
    assert found["error"][0].as_py() is None
    assert all(why in found["error"][row - 1].as_py() for row, why in WHY.items())


def test_a_mistake_in_a_state_is_named_by_line_and_column(folder, ask):
    write(
        "states.parquet",
        state=["parent(cleo, eve).", "parent(cleo,\n eve", "a: parent(?a, ?a) :- parent(ada, ?a)."],
    )
    code, _, err = ask(of="family")
    assert code == 1
    assert "row 2: column `state`: line 1, column 7: the parenthesis is not closed" in err
    assert "row 3: column `state`: line 1, column 1: `a` is a rule, and a state is facts alone" in err


def test_more_answers_than_are_expected_are_no_answers(calm, ask):
    code, _, err = ask("--max-answers", "3")
    assert code == 1
    assert "row 3: more than 3 answers" in err


def test_who_is_interrupted_goes_on_from_there(calm, ask, monkeypatch):
    assert ask("--chunk-size", "4")[0] == 0
    expected = Path("answers.parquet").read_bytes()
    Path("answers.parquet").write_text("as it was")

    def interrupted(path, content):
        if path.name.startswith("000003"):
            raise KeyboardInterrupt
        stored(path, content)

    stored = files._write
    with monkeypatch.context() as patched:
        patched.setattr(files, "_write", interrupted)
        code, _, err = ask("--chunk-size", "4")
    assert code == 130
    assert err == (
        "interrupted: `answers.parquet.parts` has the finished answers; the same command resumes there\n"
    )
    assert Path("answers.parquet").read_text() == "as it was"
    assert [each.name[:6] for each in sorted(Path("answers.parquet.parts").iterdir())] == [
        "000000",
        "000001",
        "000002",
    ]
    code, out, _ = ask("--chunk-size", "4", "--json")
    message = json.loads(out)
    assert (code, message["parts"], message["known"]) == (0, 10, 3)
    assert Path("answers.parquet").read_bytes() == expected
    assert not Path("answers.parquet.parts").exists()


@pytest.mark.parametrize("change", ["states", "query", "adapter", "theory"])
def test_what_was_answered_is_stored_for_the_same_question_only(calm, ask, change, monkeypatch):
    states = read("states.parquet").to_pydict()
    write("states.parquet", **states | {"state": [*states["state"][:-1], None]})
    assert ask("--chunk-size", "10")[0] == 1  # three parts are right, the last one is not
    query, known = ANCESTORS, 0
    match change:
        case "states":
            write("states.parquet", **states)
            known = 3
        case "query":
            query = "parent(?a, ?b)"
        case "adapter":
            Path("adapter.py").write_text(Path("adapter.py").read_text() + "\n# another\n")
        case "theory":
            theory = Path("kin.horn")
            theory.write_text(theory.read_text() + "\nown: ancestor(?a, ?a) :- parent(?a, _).\n")
    _, out, _ = ask("--chunk-size", "10", "--json", "--skip-bad", query=query)
    assert json.loads(out)["known"] == known


def test_no_process_is_started_where_all_is_known(calm, ask):
    write("states.parquet", state=[None, "p0 p1 50"])
    assert ask()[0] == 1
    assert ask("--skip-bad", "--backend", "dask://127.0.0.1:1")[0] == 0


def test_an_empty_table_has_an_empty_table_of_answers(calm, ask):
    write("states.parquet", state=pyarrow.array([], pyarrow.string()))
    assert ask()[0] == 0
    assert read("answers.parquet").schema.names == ["state", "answers"]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"status": ["a"]},
            "no column is called `state`, which holds the text of a state; did you mean `status`?",
        ),
        (
            {"x": [1], "y": [2]},
            "no column is called `state`, which holds the text of a state; there are x, y",
        ),
        (
            {"state": ["a"], "answers": [1]},
            "it has a column `answers` already, where answers go; rename it",
        ),
        ({}, "no column is called `state`, which holds the text of a state; there are no columns"),
        ({"state": [1]}, "column `state` has values of type int64, not text; cast it to text"),
        ({"state": [b"a"]}, "column `state` has values of type binary, not text; cast it to text"),
    ],
)
def test_a_table_of_another_shape_is_refused(calm, ask, columns, message):
    write("states.parquet", **columns)
    code, _, err = ask()
    assert code == 1
    assert message in err
    assert not list(Path().glob("*.parts"))


def test_a_column_that_is_there_twice_is_refused(calm, ask):
    table = pyarrow.Table.from_arrays([["a"], ["b"]], names=["state", "state"])
    pyarrow.parquet.write_table(table, "states.parquet")
    code, _, err = ask()
    assert (code, err) == (
        1,
        "error: states.parquet: 2 columns are called `state`; rename the others\n",
    )


@pytest.mark.parametrize(
    "kind", [pyarrow.large_string(), pyarrow.dictionary(pyarrow.int32(), pyarrow.string())]
)
def test_texts_of_any_arrow_type_are_states(calm, ask, kind):
    write("states.parquet", state=pyarrow.array(["p0 p1 50"]).cast(kind))
    assert ask()[0] == 0
    assert read("answers.parquet")["answers"].to_pylist() == [[{"a": "p0", "b": "p1"}]]


def test_a_file_in_the_place_of_the_folder_of_parts_is_named(calm, ask):
    Path("answers.parquet.parts").touch()
    code, _, err = ask()
    assert code == 1
    assert "answers.parquet.parts: a folder for the finished answers is needed here" in err


def test_what_a_killed_process_began_to_write_is_cleared_away(calm, ask):
    folder = Path("answers.parquet.parts")
    folder.mkdir()
    (folder / f"000003-{'a' * 40}.12345").touch()
    (folder / "whole.12345").touch()
    (folder / "mine.txt").touch()
    assert ask()[0] == 0
    assert [each.name for each in folder.iterdir()] == ["mine.txt"]


def test_files_that_cannot_be_read_or_written_are_named(calm, ask):
    Path("no.parquet").write_text("no table")
    assert "no.parquet: this cannot be read as Parquet: " in ask(states="no.parquet")[2]
    assert ask(states="none.parquet")[2] == "error: none.parquet: there is no such file\n"
    assert "`states.parquet` is an input, and would be replaced (--states)" in ask(into="states.parquet")[2]
    assert "answers.txt: the name of a table to write ends in .csv, .parquet," in ask(into="answers.txt")[2]
    Path("states.txt").touch()
    assert "states.txt: a table's name ends in .csv, .tsv, .parquet," in ask(states="states.txt")[2]
    assert "nowhere: there is no such folder" in ask(into="nowhere/answers.parquet")[2]
    assert not list(Path().glob("*.parts"))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--state", "x", "--states", "states.parquet", "--into", "a.parquet"), "it applies to one state"),
        (("--states", "states.parquet"), "this option is required: it names the table for the answers"),
        (("--workers", "2"), "it needs a table of states (`--states`)"),
        (("--backend", "dask"), "it needs a table of states (`--states`)"),
        (
            ("--states", "states.parquet", "--into", "a.parquet", "--backend", "dusk"),
            "`dusk` is not a backend; the backends are",
        ),
        (
            ("--states", "states.parquet", "--into", "a.parquet", "--backend", "dask://"),
            "`dask://` is not a backend",
        ),
        *(
            (
                ("--states", "states.parquet", "--into", "a.parquet", "--backend", place),
                f"`{place}` has no HOST:PORT, such as {example}",
            )
            for place, example in (
                ("dask://localhost", "dask://localhost:8786"),
                ("dask://localhost:http", "dask://localhost:8786"),
                ("ray://localhost", "ray://localhost:10001"),
                ("ray://a b:1", "ray://localhost:10001"),
            )
        ),
        (
            ("--states", "states.parquet", "--into", "a.parquet", "--backend", "ray://a:1", "--workers", "3"),
            "`ray://a:1` has its own workers; leave out `--workers`",
        ),
    ],
)
def test_options_that_do_not_go_together_are_named(calm, run, more, message):
    code, out, err = run("query", "kin.horn", ANCESTORS, *more)
    assert (code, out) == (2, "")
    assert message in " ".join(err.split())


@pytest.mark.deep
def test_a_scheduler_that_does_not_answer_is_named(calm, ask, monkeypatch):
    import dask

    # The import sets defaults. Inside the `with` block, they would be reset together with the setting.
    import distributed  # noqa: F401

    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        code, _, err = ask("--backend", "dask://127.0.0.1:1")
    assert code == 1
    assert (
        err == "error: no Dask scheduler answers at 127.0.0.1:1; `dask scheduler` starts one and says where\n"
    )


def test_a_cluster_of_ray_that_does_not_answer_is_named(calm, ask, monkeypatch):
    import ray

    def refused(*_, **__):
        raise ConnectionError("ray client connection timeout")

    monkeypatch.setattr(ray, "init", refused)
    code, _, err = ask("--backend", "ray://127.0.0.1:10009")
    assert code == 1
    assert err == (
        "error: no Ray cluster answers at ray://127.0.0.1:10009 (ray client connection timeout);"
        " `ray start --head --ray-client-server-port 10009` starts one\n"
    )


@pytest.mark.parametrize(("place", "package"), [("dask", "distributed"), ("ray", "ray")])
def test_an_extra_that_is_not_there_is_named(calm, ask, monkeypatch, place, package):
    import sys

    monkeypatch.setitem(sys.modules, package, None)
    code, _, err = ask("--backend", place)
    assert code == 1
    assert f"pip install 'hornbook[{place}]'" in err


def test_where_no_adapter_may_be_run_none_is_run_elsewhere(monkeypatch):
    question = MatchStates(read_theory("go"), ())
    assert TableAnswering.of(question).question.theory.adapters
    monkeypatch.setenv("HORNBOOK_NO_ADAPTERS", "1")
    assert not TableAnswering.of(question).question.theory.adapters


def test_answers_have_another_key_after_any_change(calm, monkeypatch):
    theory = read_theory("kin.horn")
    limits = Limits(seconds=1.0)
    question = QueryStates(theory, (), (), (), "person(?a)", (), (("a", "word"),), 10, limits)
    (rule,) = parse("new: ancestor(?a, ?b) :- parent(?a, ?b).").clauses
    assert isinstance(rule, Rule)
    others = [
        question,
        replace(question, theory=replace(theory, rules=tuple(reversed(theory.rules)))),
        replace(question, theory=replace(theory, adapters=False)),
        replace(question, added=("ab", "c")),
        replace(question, added=("a", "bc")),
        replace(question, facts=(GroundFact("person", ("ab",)),)),
        replace(question, rules=(rule,)),
        replace(question, rules=(replace(rule, of_given=True),)),
        replace(question, rules=(replace(rule, alone=frozenset({"parent"})),)),
        replace(question, parameters=(("b", 1),)),
        replace(question, parameters=(("b", "1"),)),
        replace(question, kinds=(("a", "integer"),)),
        replace(question, most=11),
        replace(question, limits=Limits(seconds=2.0)),
        MatchStates(theory, (), limits),
    ]
    keys = [identity(other) for other in others]
    Path("states").mkdir()
    Path("states/reader.py").write_text("# read by the adapter")
    keys.append(identity(question))
    monkeypatch.setattr("hornbook.kb.sources.cache.program", lambda *_: "another")
    keys.append(identity(question))
    assert len(set(keys)) == len(keys)


def test_a_worker_with_another_hornbook_does_nothing(monkeypatch):
    shipped = work.Shipped(b"", "a digest", "another program")
    with pytest.raises(work.AnotherHornbookError, match="install the same version everywhere"):
        work.done(shipped, 1)


def test_match_gives_what_it_says_of_each_position(taught, folder, run):
    boards = [problem.board for problem in read_problems(taught / "p.jsonl")]
    write("states.parquet", state=list(map(print_diagram, boards)), n=list(range(len(boards))))
    rules = str(taught / "learned.horn")
    code, _, err = run(
        "rules", "match", "go", "--rules", rules, "--states", "states.parquet", "--into", "a.parquet"
    )
    assert (code, err) == (0, "")
    learned = read_rules(rules, "go")
    found = [
        [{**each, "bindings": json.loads(each["bindings"])} for each in message]
        for message in read("a.parquet")["answers"].to_pylist()
    ]
    assert found == [[answer.to_dict() for answer in learned.match(board)] for board in boards]
    assert all(found[:5])
    backwards = learned.matcher()
    for board, message in reversed(list(zip(boards, found, strict=True))):
        backwards.set(board)
        assert [answer.to_dict() for answer in backwards.answers()] == message


def test_the_next_process_has_the_rules_ready(taught, tmp_path, monkeypatch):
    monkeypatch.setenv("HORNBOOK_CACHE", str(tmp_path / "cache"))
    learned = read_rules(taught / "learned.horn", "go")
    table = pyarrow.table({"state": [print_diagram(p.board) for p in read_problems(taught / "p.jsonl")]})
    first = learned.match_table(table)
    monkeypatch.setattr(unfolding, "unfolded", None)  # only rules that are not ready are unfolded
    assert learned.match_table(table) == first
    assert any(map(len, first["answers"].to_pylist()))


def test_match_asks_about_the_one_game_that_is_named(taught, folder, run):
    board = read_problems(taught / "p.jsonl")[0].board
    learned = read_rules(taught / "learned.horn", "go")
    message = [answer.to_dict() for answer in learned.match(board)]
    game = message[0]["game"]
    games = [game, None, "take(z9)", "take(?p)", "grab(a1)", "take("]
    write("states.parquet", state=[print_diagram(board)] * len(games), game=games)
    rules = ("--rules", str(taught / "learned.horn"))
    code, _, _ = run(
        "rules", "match", "go", *rules, "--states", "states.parquet", "--into", "a.parquet", "--skip-bad"
    )
    assert code == 0
    found = read("a.parquet").to_pylist()
    assert [each["rule"] for each in found[0]["answers"]] == [
        each["rule"] for each in message if each["game"] == game
    ]
    assert [each["rule"] for each in found[1]["answers"]] == [each["rule"] for each in message]
    assert found[2]["error"] == "column `game`: `take(z9)` mentions nothing in this state"
    assert found[3]["error"] == "column `game`: `take(?p)` is no game of `go`; there are take, save"
    assert found[4]["error"] == "column `game`: `grab(a1)` is no game of `go`; there are take, save"
    assert found[5]["error"].startswith("column `game`: ")


@pytest.mark.deep
def test_a_store_counts_which_rules_answered(taught, folder, run):
    for name in ("learned.horn", "learned.proofs.jsonl"):
        (folder / name).write_bytes((taught / name).read_bytes())
    assert run("learn", "go", "--problems", str(taught / "p.jsonl"), "--into", "go.sqlite")[0] == 0
    boards = [problem.board for problem in read_problems(taught / "p.jsonl")]
    write("states.parquet", state=list(map(print_diagram, boards)))
    assert run("rules", "match", "go.sqlite", "--states", "states.parquet", "--into", "a.parquet")[0] == 0
    fired = {each["rule"] for message in read("a.parquet")["answers"].to_pylist() for each in message}
    with Store("go.sqlite") as store:
        use = store.usage()
    assert {name for name, each in use.items() if each.fired} == fired != set()
    assert {each.asked for each in use.values()} == {len(boards)}


def test_advise_gives_the_json_of_each_state(folder, run):
    path = read_theory("firm").path
    months = sorted((path.parent / "examples" / "bakery").glob("*.csv"))[:2]
    write("states.parquet", month=[each.name for each in months], state=[each.read_text() for each in months])
    code, _, err = run("firm", "advise", "firm", "--states", "states.parquet", "--into", "advice.parquet")
    assert (code, err) == (0, "")
    for month, message in zip(months, read("advice.parquet")["advice"].to_pylist(), strict=True):
        _, out, _ = run("firm", "advise", "firm", "--state", str(month), "--json")
        assert json.loads(message) == json.loads(out)


def test_work_is_read_and_made_ready_once(monkeypatch):
    read_as = work.pickle.loads
    times = []
    monkeypatch.setattr(work.pickle, "loads", lambda content: times.append(1) or read_as(content))
    shipped = work.Shipped.of(TableAnswering.of(MatchStates(read_theory("go"), ())))
    part = bytes_of(pyarrow.record_batch({"state": ["to play: black\n  a b\n2 . .\n1 . .\n"]}))
    assert work.done(shipped, part) == work.done(shipped, part)
    assert len(times) == 1
