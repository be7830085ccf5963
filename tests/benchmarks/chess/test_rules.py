"""Tests of the audit of chess rules: its report, its exit code, finding a wrong rule, and resuming."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random

import chess
import pytest

from benchmarks.chess.rules import main, report
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleEntry, rule_base
from hornbook.inputs.theories import load
from hornbook.kb.sources.proofs import proofs_path
from oracles.chess.judge import ChessGoal
from oracles.chess.positions import STOCKFISH
from oracles.chess.rules_parts import AuditPart, compare, sampled
from oracles.chess.rules_run import ChessClaim, ChessRulesTally
from oracles.chess.stockfish import stockfish
from oracles.proofs.learned_rules import certificate_of, rule_of

pytestmark = pytest.mark.deep

CAPTURE_BY_ONE_WORTH_LESS = """cheaper:
  take(?x) by move(?f, ?x) is GI :-
    legal(?c, ?f, ?x), at(?f, ?c, ?j), opponent(?d, ?c), at(?x, ?d, ?k), worth(?j, ?m), worth(?k, ?n),
    ?m < ?n."""
ANY_CAPTURE = """greedy:
  take(?x) by move(?f, ?x) is GI :- legal(?c, ?f, ?x), opponent(?d, ?c), at(?x, ?d, _)."""
has_stockfish = pytest.mark.skipif(shutil.which(STOCKFISH) is None, reason="stockfish is not installed")


def rules(folder: Path, *texts: str) -> Path:
    """Write a file of rules that claim to be certified."""
    theory, path = load("chess"), folder / "rules.horn"
    entries = [
        RuleEntry(rule, certificate_of(rule, [], theory, rank=1), None) for rule in map(rule_of, texts)
    ]
    rulebase.write(rule_base("chess", entries), path)
    return path


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr("benchmarks.chess.rules.PART", 20)
    # These rules only claim to be certified: the test checks that the audit would find a wrong one.
    monkeypatch.setattr("oracles.chess.rules_parts.rulebase.read", partial(rulebase.read, verify=False))


def test_a_wrong_rule_is_found_and_named(tmp_path, capsys):
    queried = [
        str(rules(tmp_path, CAPTURE_BY_ONE_WORTH_LESS, ANY_CAPTURE)),
        "--positions",
        "40",
        "--without-stockfish",
    ]
    assert main(queried) == 1
    out, err = capsys.readouterr()
    assert "by greedy" in err
    assert "by cheaper" not in err
    assert "40 positions, 40 of them different" in out


def test_a_run_goes_on_where_it_was_cut_off(tmp_path, capsys):
    work, path = tmp_path / "parts.jsonl", rules(tmp_path, CAPTURE_BY_ONE_WORTH_LESS)
    queried = [str(path), "--positions", "60", "--without-stockfish"]
    assert main([*queried, "--work", str(work)]) == 0
    first, *parts = work.read_text().splitlines(keepends=True)
    assert [json.loads(part)["source"] for part in parts] == ["random play", "random play", "few men"]
    work.write_text("".join([first, parts[0], parts[2][:50]]))
    assert main([*queried, "--work", str(work)]) == 0
    assert [json.loads(line)["part"] for line in work.read_text().splitlines()[1:]] == [0, 1, 2]
    whole, resumed = (text.partition("\n\n")[2] for text in capsys.readouterr().out.split("command: ")[1:])
    assert whole == resumed
    assert main([*queried, "--work", str(work), "--seed", "2"]) == 2
    assert "name another file" in capsys.readouterr().err


def test_rules_of_which_none_is_certified_are_refused(tmp_path, capsys):
    path = rules(tmp_path, CAPTURE_BY_ONE_WORTH_LESS)
    proofs_path(path).unlink()
    assert main([str(path), "--without-stockfish"]) == 2
    assert "run `hornbook rules verify`" in capsys.readouterr().err


def claim(fen: str, game: str, target: str | None, by: str, moves: int = 1) -> ChessClaim:
    kind = {"crown": "promote"}.get(game, game)
    goal = ChessGoal(kind, None if target is None else chess.parse_square(target))  # type: ignore[arg-type]
    return ChessClaim(fen, f"{game} by {by}", game, goal, moves, by, second=False)


RIGHT = [
    claim("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", "mate", None, "e1e8"),
    claim("k7/8/8/8/R7/1R6/8/6K1 b - - 0 1", "take", "a4", "a8b8", 9),
    claim("7k/8/8/3q4/8/8/8/3R2K1 w - - 0 1", "take", "d5", "d1d5"),
    claim("8/P6k/8/8/8/8/8/6K1 w - - 0 1", "crown", "a7", "a7a8q"),
    claim("3q3k/8/8/8/8/8/4N3/6K1 w - - 0 1", "take", "d8", "e2f4", 2),
    claim("4k3/8/8/8/2q5/8/4N3/4R1K1 w - - 0 1", "take", "c4", "e2c3", 2),
]


@pytest.mark.judges
@has_stockfish
def test_stockfish_judges_as_the_other_judge_does():
    part = AuditPart(0, "random play", ChessRulesTally())
    with stockfish() as second:
        for each in RIGHT:
            before = len(part.doubted)
            compare(second, each, part)
            assert (len(part.doubted) == before) == each.holds(chess.Board(each.fen)), each
    assert part.agreed
    assert part.doubted


def test_a_sample_has_something_of_every_game_and_depth():
    fen = chess.STARTING_FEN
    claims = [claim(fen, "take", "a2", name) for name in ("a1a2", "b1a2", "c1a2", "d1a2")]
    claims += [claim(fen, "take", "a2", "e1a2", 2), claim(fen, "mate", None, "f1a2")]
    found = list(sampled(Random(1), claims, 4))
    assert len(set(found)) == 4
    assert {(c.game, c.plies) for c in found} == {("take", 1), ("take", 3), ("mate", 1)}
    assert list(sampled(Random(1), [], 4)) == []


def test_conclusions_are_counted_by_game_and_by_rule():
    first = AuditPart(0, "random play", ChessRulesTally(2), hashes=[1, 2], seconds=1.6)
    first.tally.right["take", 3] += 4
    first.tally.fired["take_by_move_is_gi_1"] += 5
    first.tally.wrong.append("8/8/8/8/8/8/8/8 w - - 0 1: take(a1) is IG by take_is_ig_1")
    second = AuditPart(
        1, "few men", ChessRulesTally(1), Counter({("take", 3): 1}), hashes=[2], stockfish="Stockfish 0"
    )
    command, versions, *lines = report([second, first], "this").splitlines()
    assert command == "command: this"
    assert versions.endswith("2 seconds of a processor")
    assert "Stockfish 0" in versions
    assert lines == [
        "",
        "3 positions, 2 of them different",
        "few men             1",
        "random play         2",
        "",
        "5 conclusions, 1 of them wrong",
        "game    plies     right",
        "take        3         4",
        "",
        "rule                            conclusions",
        "take_by_move_is_gi_1                      5",
        "",
        "judged by stockfish too: 1 right, 0 wrong",
        "take        3         1",
        "",
        "wrong:",
        "8/8/8/8/8/8/8/8 w - - 0 1: take(a1) is IG by take_is_ig_1",
    ]
