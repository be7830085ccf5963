"""`rules match` and its Python interface for a theory without games: states are sets of facts."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from random import Random

import pyarrow.parquet
import pytest

import hornbook
from hornbook import theories
from oracles.repairs import repair_state, state_text

SEAL = """\
has(m1, p1). has(m1, s1). has(m1, f1). parts(m1, 3). kind(p1, pump). kind(s1, seal).
kind(f1, filter). state(p1, good). state(s1, broken). state(f1, good). pressure(m1, 4).
needs(m1, 6). spares(seal, 2). power(m1, no). skilled(tom, seal). replace(tom, s1).
"""
REPAIR = str(Path(theories.__file__).parent / "classical" / "repair.horn")


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """Return the file of rules learned from the theory's examples."""
    file = tmp_path_factory.mktemp("repair") / "rules.horn"
    hornbook.learn(REPAIR).rules.save(file)
    return file


@pytest.fixture
def match(run, learned):
    return lambda *arguments: run("rules", "match", REPAIR, "--rules", str(learned), *arguments)


def texts(number: int) -> list[str]:
    random = Random("match facts")
    return [state_text(repair_state(random)) for _ in range(number)]


def of_theory(text: str) -> set[str]:
    """Return which machine the theory concludes to be ready after the action."""
    base = hornbook.KnowledgeBase(REPAIR)
    base.add_text(text)
    return {f"after ready({machine})" for (machine,) in base.query("after ready(?m)").to_tuples()}


@pytest.mark.parametrize("mode", [(), ("--only-rules",)], ids=["whole theory", "only rules"])
def test_a_file_of_facts_is_matched(match, folder, learned, mode):
    Path("state.txt").write_text(SEAL)
    code, out, _ = match("state.txt", "--json", *mode)
    found = json.loads(out)
    assert code == 0
    # The lemmas about parts that fit give no answers.
    assert [each["conclusion"] for each in found] == ["after ready(m1)", "after spares(seal, 1)"]
    assert {tuple(each) for each in found} == {("rule", "conclusion", "bindings")}
    [ready, *_] = [each for each in found if each["conclusion"] == "after ready(m1)"]
    assert "m1" in ready["bindings"].values()
    state = hornbook.read_state(REPAIR, Path("state.txt"))
    rules = hornbook.read_rules(learned, REPAIR)
    assert [each.to_dict() for each in rules.match(state, only_rules=bool(mode))] == found

    # The same facts in parts give the same answers.
    lines = SEAL.splitlines(keepends=True)
    Path("first.horn").write_text(lines[0])
    Path("more.horn").write_text("".join(lines[1:]))
    assert json.loads(match("first.horn", "--add", "more.horn", "--json", *mode)[1]) == found
    assert json.loads(match("--add", "first.horn", "--add", "more.horn", "--json", *mode)[1]) == found
    Path("skilled.csv").write_text("technician,kind\ntom,seal\n")
    Path("unskilled.txt").write_text(SEAL.replace("skilled(tom, seal). ", ""))
    queried = match("unskilled.txt", "--facts", "skilled=skilled.csv", "--json", *mode)
    assert json.loads(queried[1]) == found

    code, out, _ = match("state.txt", "--why", *mode)
    assert "after ready(m1)  [" in out
    assert "  replace(tom, s1)\n" in out
    assert "certificate " in out
    assert "lines of play" not in out
    code, out, _ = match("state.txt", "--csv", *mode)
    assert next(csv.reader(out.splitlines())) == ["rule", "conclusion", "bindings"]
    code, out, err = match("state.txt", "--limit", "1", *mode)
    assert out.count("\n") == 1
    assert "the first 1 of" in err
    assert match("state.txt", "--into", "answers.csv", *mode)[0] == 0
    assert Path("answers.csv").read_text().count("\n") == len(found) + 1


def test_a_state_without_a_repair_has_no_answer(match, folder):
    Path("state.txt").write_text("parts(m1, 0). power(m1, no).")
    assert match("state.txt")[:2] == (1, "no rule answers\n")
    assert match("state.txt", "--json")[:2] == (1, "[]\n")


@pytest.mark.parametrize("mode", [(), ("--only-rules",)], ids=["whole theory", "only rules"])
def test_a_table_has_the_answers_of_each_state(match, folder, learned, mode):
    states = [*texts(60), "pressure(m1, 3)", "state(p1, gut)."]
    pyarrow.parquet.write_table(pyarrow.table({"state": states}), "states.parquet")
    code, _, _ = match("--states", "states.parquet", "--into", "out.parquet", "--skip-bad", *mode)
    assert code == 0
    table = pyarrow.parquet.read_table("out.parquet")
    rules, ready = hornbook.read_rules(learned, REPAIR), 0
    for text, answers in zip(states[:60], table["answers"].to_pylist(), strict=False):
        single = rules.match(hornbook.read_state(REPAIR, text), only_rules=bool(mode))
        expected = [each.to_dict() for each in single]
        assert [{**each, "bindings": json.loads(each["bindings"])} for each in answers] == expected
        concluded = {each.statement for each in single if each.statement.startswith("after ready")}
        assert concluded <= of_theory(text)
        ready += bool(concluded)
    assert ready > 3
    errors = table["error"].to_pylist()
    assert set(errors[:60]) == {None}
    assert "no period" in errors[60]
    assert "`gut`" in errors[61]
    assert match("--states", "states.parquet", "--into", "other.parquet", *mode)[0] == 1
    in_memory = rules.match_table(pyarrow.table({"state": states}), skip_bad=True, only_rules=bool(mode))
    assert in_memory["answers"].to_pylist() == table["answers"].to_pylist()


def test_the_rules_alone_are_those_of_theory_run(run, match, folder, learned):
    states = texts(60)
    pyarrow.parquet.write_table(pyarrow.table({"state": states}), "states.parquet")
    assert match("--states", "states.parquet", "--into", "out.parquet", "--only-rules")[0] == 0
    matched = {
        (state, each["conclusion"])
        for state, row in enumerate(pyarrow.parquet.read_table("out.parquet")["answers"].to_pylist())
        for each in row
    }
    command = ["theory", "run", REPAIR, "--rules", str(learned), "--states", "states.parquet"]
    assert run(*command, "--only-rules", "--into", "facts")[0] == 0
    ran = set()
    for file in Path("facts").iterdir():
        for number, *values in list(csv.reader(file.read_text().splitlines()))[1:]:
            relation, _, moment = file.stem.partition(".")
            ran.add((int(number), f"{moment} {relation}({', '.join(values)})".lstrip()))
    assert ran == matched


def test_options_of_games_are_refused(run, match, folder):
    Path("state.txt").write_text(SEAL)
    code, _, err = match("state.txt", "--svg", "x.svg")
    assert (code, "`repair` has no domain.py, which says how" in " ".join(err.split())) == (2, True)
    code, _, err = match("state.txt", "--best")
    assert (code, "the theory `repair` has no games" in " ".join(err.split())) == (2, True)
    code, _, err = match()
    assert (code, "required without --states, --facts and --add" in " ".join(err.split())) == (2, True)
    Path("rules.horn").write_text("import go.\n")
    code, _, err = run("rules", "match", "go", "--rules", "rules.horn", "--add", "state.txt")
    assert (code, "is a position of a game" in " ".join(err.split())) == (2, True)
