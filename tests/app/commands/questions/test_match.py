"""`hornbook rules match`: exact output, and the same as JSON."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hornbook import cli
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.matcher.program.coded import Limits
from hornbook.theories.go.problems import read_problems, shipped, write_problems

GOLDEN = Path(__file__).parent / "golden"
ATARI = """\
  a b c d e
5 . . . . .
4 . . . . .
3 . . . . .
2 . X X X .
1 . X O . .
"""
CORNER = "to play: black\n  a b c d\n4 . . . .\n3 . . . .\n2 . X . .\n1 O . X .\n"
NOTHING = "  a b c\n3 . . .\n2 . X .\n1 . . .\n"


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    """Return one problem of one move and the rule learned from it."""
    place = tmp_path_factory.mktemp("lesson")
    first = next(p for p in read_problems(shipped("train")) if p.depth == 1 and p.value == "GP")
    write_problems([first], place / "p.jsonl")
    learning = ("--problems", str(place / "p.jsonl"), "--into", str(place / "learned.horn"))
    assert cli.main(["learn", "go", *learning]) == 0
    return place


@pytest.fixture(autouse=True)
def rules_and_positions(folder, lesson):
    shutil.copytree(lesson, folder, dirs_exist_ok=True)
    Path("atari.txt").write_text(ATARI, encoding="utf-8")
    Path("nothing.txt").write_text(NOTHING, encoding="utf-8")


@pytest.fixture
def match(run):
    return lambda *arguments: run("rules", "match", "go", "--rules", "learned.horn", *arguments)


def test_what_fires_with_its_reasons(match):
    code, out, _ = match("atari.txt", "--why")
    expected = GOLDEN / "match.txt"
    if os.environ.get("HORNBOOK_UPDATE_GOLDEN"):
        expected.write_text(out, encoding="utf-8")
    assert (code, out) == (0, expected.read_text(encoding="utf-8"))


def test_the_same_as_json(match):
    code, out, _ = match("atari.txt", "--json")
    (found,) = json.loads(out)
    assert code == 0
    assert (found["game"], found["value"], found["move"]) == ("take(c1)", "GI", "move(black, d1)")
    assert found["bindings"] == {"b": "c1", "c": "black", "d": "white", "p": "d1"}


def test_the_answers_are_drawn_with_what_the_rule_speaks_of(match):
    assert match("atari.txt", "--svg", "atari.svg") == match("atari.txt")
    drawn = ET.parse("atari.svg").getroot()
    texts = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert "t  the block to capture: c1" in texts
    assert "m  the move: d1" in texts
    assert match("nothing.txt", "--svg", "nothing.svg")[0] == 1
    assert not Path("nothing.svg").exists()


def test_the_best_move_with_what_it_gains_at_least(match):
    code, out, _ = match("atari.txt", "--best")
    assert (code, out.splitlines()) == (
        0,
        [
            "move(black, d1): gains at least 1  [take(c1): take_by_move_is_gi_1]",
            "the best proved gain is that of move(black, d1), at least 1; it may gain more",
        ],
    )
    (found,) = json.loads(match("atari.txt", "--best", "--json")[1])
    assert (found["move"], found["gains_at_least"], found["best"]) == ("move(black, d1)", 1, True)
    assert found["rules"] == [{"game": "take(c1)", "rule": "take_by_move_is_gi_1"}]
    assert found["proof"][0].startswith(
        "before gain(black, 1) by move(black, d1) is GI  [all_stones_of_the_block,"
    )
    assert match("atari.txt", "--best", "--csv")[1].splitlines()[0] == "move,wins,gains_at_least,best,rules"
    assert "  before gain(black, 1)" in match("atari.txt", "--best", "--why")[1]


@pytest.mark.deep
def test_a_capture_that_takes_a_level_gains_as_much(match):
    Path("corner.txt").write_text(CORNER, encoding="utf-8")
    assert match("corner.txt", "--best")[0] == 1
    code, out, _ = match("corner.txt", "--best", "--levels", "1", "--why")
    first, gain, _, given, _, by, *play, printed = out.splitlines()
    line = "move(black, b1) pass move(black, a2)"
    rule = "take_by_move_is_gi_1"
    assert (code, first) == (
        0,
        f"move(black, b1): gains at least 1  [take(a1) by a chain, such as {line}: {rule}]",
    )
    assert gain.startswith("  before gain(black, 1) by move(black, b1) is GI  [all_stones_of_the_block,")
    assert given == "      a match or a chain wins take by move(a1, black, b1)  [given]"
    assert (by, play[:2]) == (
        "  take(a1) by a chain:",
        ["    move(black, b1)", "      pass, move(white, a3)"],
    )
    assert printed == "the best proved gain is that of move(black, b1), at least 1; it may gain more"
    (found,) = json.loads(match("corner.txt", "--best", "--levels", "1", "--json")[1])
    chain = [line.removeprefix("    ") for line in play]
    assert found["rules"] == [{"game": "take(a1)", "rule": rule, "chain": chain}]


def test_levels_are_for_the_moves_of_who_is_to_move(match):
    code, _, err = match("atari.txt", "--levels", "1")
    assert code == 2
    assert "it needs `--best`" in err


def test_a_chain_that_takes_too_long_is_unknown(match, monkeypatch):
    Path("corner.txt").write_text(CORNER, encoding="utf-8")
    monkeypatch.setattr(Budget, "spend", _spent)
    assert match("corner.txt", "--best", "--levels", "1")[:2] == (
        1,
        "unknown: more than 1 step\n",
    )


def _spent(budget, amount=1):
    if budget.steps is None:  # The search for witnesses has its own bound.
        raise SpentError("more than 1 step")


def test_a_move_of_the_other_side_is_not_the_best(match):
    Path("white.txt").write_text(f"to play: white\n{ATARI}", encoding="utf-8")
    assert match("white.txt", "--best")[:2] == (1, "no rule concludes a move for the player to move\n")
    assert match("nothing.txt", "--best")[:2] == (1, "no rule concludes a move for the player to move\n")


def test_where_no_rule_answers(match):
    assert match("nothing.txt")[:2] == (1, "no rule answers\n")
    assert match("nothing.txt", "--json")[:2] == (1, "[]\n")


def test_a_part_of_the_theory_reads_boards_as_the_whole_does(run):
    assert run("learn", "capture", "--problems", "p.jsonl", "--into", "part.horn")[0] == 0
    code, out, _ = run("rules", "match", "capture", "--rules", "part.horn", "atari.txt")
    assert (code, out.partition("  [")[0]) == (0, "take(c1) by move(black, d1) is GI")


def test_a_theory_without_captures(run):
    code, _, err = run("rules", "match", "family", "--rules", "learned.horn", "atari.txt")
    assert code == 1
    assert "learned.horn" in err


def test_a_match_that_takes_too_much_is_unknown_and_says_why(match, monkeypatch):
    monkeypatch.setattr(Budget, "limits", Limits(facts=100))
    assert match("atari.txt") == (1, "unknown: more than 100 facts; `--max-facts` allows more\n", "")
    code, out, _ = match("atari.txt", "--json")
    assert (code, json.loads(out)) == (1, {"stopped": "more than 100 facts"})


def test_a_rule_that_holds_in_very_many_ways_is_bounded_too(match):
    """Check the memory limit when independent conditions multiply.

    Each of eight conditions holds in four ways, and every combination is reported.
    """
    rules = Path("learned.horn")
    text = rules.read_text(encoding="utf-8").rstrip()
    more = "".join(f", colour(?q{number}, black)" for number in range(8))
    rules.write_text(f"{text.removesuffix('.')}{more}.\n", encoding="utf-8")
    assert cli.main(["rules", "verify", "learned.horn", "--theory", "go", "--renew"]) == 0
    assert match("atari.txt", "--memory", "20") == (
        1,
        "unknown: more than 20 MB of memory; `--memory` allows more\n",
        "",
    )
