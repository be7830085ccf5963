"""`hornbook rules match --all`: the answers of every theory and rule base of a domain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hornbook.theories.chess.domain import DOMAIN as CHESS
from hornbook.theories.domain import RuleSource
from hornbook.theories.go.domain import DOMAIN as GO

THEORIES = Path(__file__).parents[4] / "theories"
POSITION = str(THEORIES / "go" / "examples" / "capture.txt")


@pytest.fixture
def sources(taught, monkeypatch):
    """Give Go a few learned rules as its rule base, since the shipped rules take long to verify."""
    theory = THEORIES / "go" / "go.horn"
    found = (RuleSource(theory, taught / "learned.horn"), RuleSource(theory))
    monkeypatch.setattr(type(GO), "sources", found)
    return found


def test_each_source_says_what_it_concludes(run, sources):
    code, out, err = run("rules", "match", "go", POSITION, "--all")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    titles = [line for line in lines if not line.startswith(" ")]
    assert titles == [
        "theory `go`, the rules in `learned.horn`: 3 answers",
        "theory `go`, its own rules: 6 answers",
    ]
    assert len(lines) == 2 + 3 + 6
    assert any("take(c1) by move(white, c3) is GI  [take_by_move_is_gi_1:" in line for line in lines)
    assert any("take(c1) by move(white, c3) is GI  [a_last_liberty_is_filled:" in line for line in lines)


def test_the_answers_of_a_rule_base_are_those_of_the_rule_base_alone(run, sources, taught):
    found = json.loads(run("rules", "match", "go", POSITION, "--all", "--json")[1])
    alone = json.loads(
        run("rules", "match", "go", POSITION, "--rules", str(taught / "learned.horn"), "--json")[1]
    )
    assert [(each["theory"], each["rules"]) for each in found] == [("go", "learned.horn"), ("go", None)]
    assert found[0]["answers"] == alone
    assert {each["rule"] for each in found[1]["answers"]} >= {"a_last_liberty_is_filled"}


def test_rules_are_added_to_the_shipped_ones(run, sources, taught):
    rules = str(taught / "learned.horn")
    found = json.loads(run("rules", "match", "go", POSITION, "--all", "--rules", rules, "--json")[1])
    assert [each["rules"] for each in found] == ["learned.horn", "learned.horn", None]


def test_a_domain_without_sources_is_asked_with_the_theory_alone(run, folder):
    (folder / "state.txt").write_text("ann: 3 2 1\n")
    found = run("rules", "match", "othello", str(THEORIES / "othello" / "examples" / "corner.txt"), "--all")
    assert found[1].splitlines()[0].startswith("theory `othello`, its own rules: ")


@pytest.mark.parametrize(
    "option", [["--why"], ["--best"], ["--limit", "1"], ["--csv"], ["--svg", "a.svg"], ["--only-rules"]]
)
def test_options_of_a_single_source_are_refused(run, folder, option):
    code, _, err = run("rules", "match", "go", POSITION, "--all", *option)
    assert code == 2
    assert "it cannot be combined with `--all`" in " ".join(err.split())


def test_a_position_is_required(run):
    code, _, err = run("rules", "match", "go", "--all", "--add", "facts.horn")
    assert code == 2
    assert "required with --all" in " ".join(err.split())


def test_an_exceeded_limit_is_reported(run, sources):
    code, out, _ = run("rules", "match", "go", POSITION, "--all", "--max-facts", "5")
    assert code == 1
    assert "unknown: " in out


def test_exit_code_without_an_answer(run, sources, folder):
    (folder / "empty.txt").write_text(". . .\n. . .\n. . .\n")
    code, out, _ = run("rules", "match", "go", "empty.txt", "--all")
    assert code == 1
    assert ": 0 answers" in out


@pytest.mark.parametrize("domain", [GO, CHESS], ids=["go", "chess"])
def test_the_sources_of_a_domain_exist(domain):
    assert len(domain.sources) >= 3
    for each in domain.sources:
        assert each.theory.is_file()
        assert each.rules is None or each.rules.is_file()


@pytest.mark.deep
def test_chess_answers_with_all_that_ships(run):
    position = str(THEORIES / "chess" / "examples" / "back_rank.fen")
    found = json.loads(run("rules", "match", "chess", position, "--all", "--json")[1])
    names = [(each["theory"], each["rules"]) for each in found]
    assert names == [
        ("chess", "learned.horn"),
        ("combinations", None),
        ("combinations", "forced.horn"),
        ("combinations", "threats.horn"),
        ("against_replies", "learned.horn"),
        ("endings", None),
    ]
    mates = [
        each["theory"]
        for each in found
        if any(one["game"] == "mate(black)" and one["move"] == "move(e1, e8)" for one in each["answers"])
    ]
    assert mates == ["chess", *["combinations"] * 3, "against_replies"]
