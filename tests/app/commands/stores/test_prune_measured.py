"""`hornbook rules prune` with problems or states, its reversal, and the same in `hornbook learn`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from hornbook.api.learned_rules import read_rules
from hornbook.theories.go.problems import read_problems, shipped, write_problems

GO = Path(__file__).parents[4] / "theories" / "go" / "examples"


@pytest.fixture
def rules(taught, folder):
    """Copy the rules of Go that the tests share, and their problems."""
    for name in ("learned.horn", "learned.proofs.jsonl", "p.jsonl"):
        shutil.copy(taught / name, folder / name)
    return "learned.horn", "--theory", "go"


def answers(run, rules="learned.horn"):
    """Return what the rules of a file conclude in a position, without the names of the rules."""
    out = run("rules", "match", "go", str(GO / "capture.txt"), "--rules", rules, "--json")[1]
    return {(each["game"], each["value"], each["move"]) for each in json.loads(out)}


def solved(run, rules="learned.horn"):
    lines = run("problems", "solve", "go", "--rules", rules, "--problems", "p.jsonl")[1].splitlines()
    return {each["id"]: each["value"] for each in map(json.loads, lines)}


def test_rules_of_no_use_are_forgotten_and_no_answer_is_lost(run, rules):
    before, all_ = solved(run), len(read_rules("learned.horn", "go").certified)
    code, out, err = run("rules", "prune", *rules, "--problems", "p.jsonl")
    assert (code, err) == (0, "")
    assert solved(run) == before
    left = read_rules("learned.horn", "go")
    assert 0 < len(left.certified) < all_ == len(left)
    assert f"{all_ - len(left.certified)} rules forgotten, since others give all their answers" in out
    code, out, _ = run("rules", "restore", *rules)
    assert code == 0
    assert out.startswith(f"{all_ - len(left.certified)} rules are active again\n")
    assert len(read_rules("learned.horn", "go").certified) == all_
    assert not Path("learned.forgotten.json").exists()


def test_a_trial_changes_nothing(run, rules):
    code, out, _ = run("rules", "prune", *rules, "--problems", "p.jsonl", "--dry-run")
    assert code == 0
    assert "rules would be forgotten" in out
    assert not Path("learned.forgotten.json").exists()


def test_states_are_a_measure_too(run, rules):
    before = answers(run)
    found = json.loads(run("rules", "prune", *rules, "--state", str(GO / "capture.txt"), "--json")[1])
    assert found.keys() == {"forgotten", "kept", "answers", "rules"}
    assert found["answers"] == len(before) == 3
    assert found["kept"] == 1
    assert answers(run) == before
    assert all(each["worth"] < 0 for each in found["rules"] if each["rule"] in found["forgotten"])
    assert all(each["answers"] == 0 for each in found["rules"] if each["rule"] in found["forgotten"])


def test_the_work_of_each_rule_is_the_same_each_time(run, rules):
    command = ("rules", "prune", *rules, "--problems", "p.jsonl", "--dry-run", "--json")
    first, second = (json.loads(run(*command)[1]) for _ in range(2))
    tried = [{each["rule"]: each["tried"] for each in found["rules"]} for found in (first, second)]
    assert tried[0] == tried[1]
    assert any(tried[0].values())
    assert first["forgotten"].keys() == second["forgotten"].keys()


def test_one_rule_is_restored(run, rules):
    run("rules", "prune", *rules, "--state", str(GO / "capture.txt"))
    names = [each["rule"] for each in json.loads(Path("learned.forgotten.json").read_text())["forgotten"]]
    code, out, _ = run("rules", "restore", "learned.horn", names[0], "--theory", "go")
    assert (code, out) == (0, f"1 rule is active again\n{names[0]}\n")
    assert names[0] in {rule.name for rule in read_rules("learned.horn", "go").certified}
    code, _, err = run("rules", "restore", "learned.horn", "nosuch", "--theory", "go")
    assert code == 2
    assert "the file has no rule `nosuch`" in err


def test_a_store_keeps_the_status(run, rules):
    run("store", "new", "go.sqlite", "go")
    assert run("store", "import", "go.sqlite", "learned.horn")[0] == 0
    code, out, _ = run("rules", "prune", "go.sqlite", "--state", str(GO / "capture.txt"))
    assert code == 0
    shown = json.loads(run("store", "show", "go.sqlite", "--json")[1])
    states = [rule["state"] for rule in shown["theories"][0]["rules"]]
    assert states.count("active") == 1
    forgotten = [rule for rule in shown["theories"][0]["rules"] if rule["state"] == "forgotten"]
    assert {rule["reason"] for rule in forgotten} == {"credited with no answer in 1 state"}
    assert "rules forgotten" in out
    assert run("rules", "restore", "go.sqlite")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["learned.horn", "--theory", "go"], "is no store, so it has no recorded use"),
        (["learned.horn", "--theory", "go", "--problems", "p.jsonl", "--keep-value", "1"], "recorded use"),
        (["learned.horn", "--theory", "go", "--problems", "p.jsonl", "--state", "s"], "--problems"),
        (["learned.horn", "--problems", "p.jsonl"], "--theory"),
    ],
)
def test_mistakes_in_the_command_line_are_reported(run, rules, arguments, message):
    code, _, err = run("rules", "prune", *arguments)
    assert code == 2
    assert message in " ".join(err.split())


@pytest.mark.deep
def test_learning_reports_rules_that_it_does_not_use(run, folder):
    won = [each for each in read_problems(shipped("hundred")) if each.depth in (1, 3)]
    write_problems(won, Path("lessons.jsonl"))
    found = json.loads(run("learn", "go", "--problems", "lessons.jsonl", "--into", "new.horn", "--json")[1])
    assert found["forgotten"]
    left = {rule.name for rule in read_rules("new.horn", "go").certified}
    assert left.isdisjoint(found["forgotten"])
    assert len(left) + len(found["forgotten"]) == found["rules"]
    shutil.copy("lessons.jsonl", "p.jsonl")
    fewer = solved(run, "new.horn")
    assert run("rules", "restore", "new.horn", "--theory", "go")[0] == 0
    assert solved(run, "new.horn") == fewer
