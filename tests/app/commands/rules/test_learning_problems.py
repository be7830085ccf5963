"""`hornbook learn go --problems`: rules with accepted proofs, and further learning from those rules."""

from __future__ import annotations

import json
import shutil
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import pytest

from hornbook import cli
from hornbook.compiler.generalise.equations import without_redundant
from hornbook.compiler.learn.lessons import RuleLearner
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Comparison, Rule
from hornbook.kb.lower import budget
from hornbook.kb.parse.syntax import parse
from hornbook.theories.go.problems import read_problems, write_problems
from hornbook.theories.go.problems.lessons import PART


@pytest.fixture
def folder(folder, taught):
    """Create a folder with only the problems."""
    for name in ("p.jsonl", "p.sgf"):
        shutil.copy(taught / name, folder)
    return folder


@pytest.fixture
def with_rules(folder, taught):
    return shutil.copytree(taught, folder, dirs_exist_ok=True)


def test_problems_give_rules_that_follow(run, with_rules, taught):
    report = json.loads((taught / "said.json").read_text())
    assert (report["problems"], report["proved"]) == (5, 5)
    assert report["by_moves"] == {"1": [2, 2], "2": [3, 3]}
    assert report["repeating"] == {"take_by_move_is_gi_1": "a_last_liberty_is_filled"}
    assert report["rules"] == report["added"] > 3
    code, out, _ = run("rules", "verify", "learned.horn", "--theory", "go")
    assert (code, out) == (0, f"{report['rules']} rules follow from `go`, 0 do not\n")
    proofs = [json.loads(line) for line in (with_rules / "learned.proofs.jsonl").read_text().splitlines()]
    assert any("replies" in proof["certificate"] for proof in proofs)
    assert {proof["file"] for proof in proofs} == {"p.jsonl"}


def test_no_condition_of_a_rule_is_reported_twice(taught):
    """Look for redundant conditions.

    Examples are `?x != ?y` with `?y != ?x`, `?n >= 1` with `?n >= 2`, and conditions true for all values.
    """
    rules = [each for each in parse((taught / "learned.horn").read_text()).clauses if isinstance(each, Rule)]
    assert sum(isinstance(c, Comparison) for rule in rules for c in rule.body) > 20
    for rule in rules:
        assert rule.body == without_redundant(rule.body, rule.head), rule.name


def test_learning_again_needs_nothing_new(run, with_rules):
    before = (with_rules / "learned.horn").read_text()
    code, out, _ = run("learn", "go", "--problems", "p.sgf", "--into", "learned.horn", "--json")
    assert (code, json.loads(out)["proved"], json.loads(out)["added"]) == (0, 5, 0)
    assert (with_rules / "learned.horn").read_text() == before


@pytest.mark.deep
def test_rules_rest_on_what_was_learned_before(run, folder):
    found = read_problems(folder / "p.jsonl")
    write_problems(found[2:3], folder / "first.jsonl")
    run("learn", "go", "--problems", "first.jsonl", "--into", "learned.horn")
    run("learn", "go", "--problems", "p.jsonl", "--into", "learned.horn")
    assert run("rules", "verify", "learned.horn", "--theory", "go")[0] == 0
    proofs = [json.loads(line) for line in (folder / "learned.proofs.jsonl").read_text().splitlines()]
    first = {f"lemma {proof['rule']}" for proof in proofs if proof["file"] == "first.jsonl"}
    assert any(first & p["certificate"]["fingerprints"].keys() for p in proofs if p["file"] == "p.jsonl")


def test_a_problem_that_takes_too_much_is_given_up_and_reported(capsys, folder, monkeypatch, run):
    clock = SimpleNamespace(monotonic=count().__next__)  # one second passes per proof step
    monkeypatch.setattr(budget, "time", clock)
    code = cli.main(
        ["learn", "go", "--problems", "p.jsonl", "--into", "late.horn", "--json", "--seconds", "10"]
    )
    output = json.loads(capsys.readouterr().out)
    assert code == 0
    assert output["stopped"].keys() == {"more than 10 seconds"}
    assert 0 < output["stopped"]["more than 10 seconds"] <= output["problems"]
    assert output["proved"] < output["problems"]
    assert run("rules", "verify", "late.horn", "--theory", "go")[0] == 0


def test_what_an_interruption_leaves_is_stored(capsys, folder, monkeypatch, run):
    learn, count = RuleLearner._learn, [0]

    def interrupted(self: RuleLearner, lesson: object) -> object:
        count[0] += 1
        if count[0] > 3:
            raise KeyboardInterrupt
        return learn(self, lesson)  # type: ignore[arg-type]

    monkeypatch.setattr(RuleLearner, "_learn", interrupted)
    code = cli.main(["learn", "go", "--problems", "p.jsonl", "--into", "learned.horn", "--json"])
    output = capsys.readouterr()
    assert (code, json.loads(output.out)["problems"]) == (130, 3)
    assert (
        output.err == "interrupted: the learned rules are stored, and the same command continues from them\n"
    )
    assert run("rules", "verify", "learned.horn", "--theory", "go")[0] == 0


def test_a_theory_without_captures_has_no_problems(capsys, folder):
    assert cli.main(["learn", "family", "--problems", "p.jsonl", "--into", "x.horn"]) == 2
    assert "which says what its problems are" in capsys.readouterr().err


def test_the_part_that_proofs_use_is_part_of_the_theory_of_go():
    part, whole = load(PART), load("go")
    assert set(part.rules) <= set(whole.rules)
    assert set(part.replies) <= set(whole.replies)


def test_a_rule_from_a_problem_is_explained_by_its_proof(run, with_rules):
    code, out, _ = run("rules", "explain", "learned.horn", "take_by_move_is_gi_1", "--theory", "go")
    assert code == 0
    assert "liberties(?b, 1)  [" in out
    assert "a_last_liberty_is_filled" in out


def test_a_rule_is_drawn_where_it_was_learned(run, with_rules):
    for name in ("take_by_move_is_gi_1", "take_by_move_is_gi_2"):
        assert run("rules", "explain", "learned.horn", name, "--theory", "go", "--svg", f"{name}.svg")[0] == 0
        picture = Path(f"{name}.svg").read_text()
        assert ET.fromstring(picture).tag.endswith("svg")
        assert name in picture
    Path("p.jsonl").unlink()
    assert (
        run(
            "rules", "explain", "learned.horn", "take_by_move_is_gi_1", "--theory", "go", "--svg", "gone.svg"
        )[0]
        == 2
    )


def test_a_rule_is_drawn_in_a_position(run, with_rules):
    Path("atari.txt").write_text("  a b c\n3 . . .\n2 X . .\n1 O . .\n")
    Path("empty.txt").write_text("  a b c\n3 . . .\n2 . X .\n1 . . .\n")
    command = ("explain-rule", "learned.horn", "take_by_move_is_gi_1", "--theory", "go")
    code, _, err = run(*command, "--svg", "r.svg", "--state", "atari.txt")
    assert code == 0, err
    assert "take(a1) by move(black, b1)" in Path("r.svg").read_text()
    code, _, err = run(*command, "--svg", "none.svg", "--state", "empty.txt")
    assert (code, Path("none.svg").exists()) == (2, False)
    assert "`take_by_move_is_gi_1` does not answer in empty.txt" in err
    code, _, err = run(*command, "--state", "atari.txt")
    assert code == 2
    assert "it needs --svg" in err


def test_where_rules_cannot_be_written_is_reported_before_they_are_learned(capsys, folder, monkeypatch):
    monkeypatch.setattr(RuleLearner, "learn", lambda *_: pytest.fail("learned for nothing"))
    assert cli.main(["learn", "go", "--problems", "p.jsonl", "--into", "nowhere/learned.horn"]) == 1
    assert capsys.readouterr().err == "error: nowhere: there is no such folder\n"
