"""Blocks saved by two eyes.

The rules are learned from problems, used by `solve`, shown by `match` and compared with play by `audit`.
"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from pathlib import Path
from random import Random

import pytest

from hornbook import cli
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import rule_base
from hornbook.games.audit.of_rules import Audit, AuditTally, RuleAuditor
from hornbook.games.solving import SolvedProblem
from hornbook.inputs.theories import load
from hornbook.kb.ast.values import ContradictionError
from hornbook.play.answering.answering import MatchedWin
from hornbook.theories.go import adapter
from hornbook.theories.go.play.judge import outlasts
from hornbook.theories.go.problems import read_problems, shipped, write_problems
from oracles.go.eye_positions import shut_in

EYES = Path(adapter.__file__).parent / "examples" / "eyes.sgf"


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """Return rules from the problems with eyes, the output of learning, and the answers of the rules."""
    place = tmp_path_factory.mktemp("saving")
    learn = ["learn", "go", "--problems", str(EYES), "--into", str(place / "learned.horn"), "--json"]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        assert cli.main(learn) == 0
    (place / "said.json").write_text(printed.getvalue())
    solve = [
        "problems",
        "solve",
        "go",
        "--rules",
        str(place / "learned.horn"),
        "--problems",
        str(EYES),
        "--json",
    ]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        assert cli.main(solve) == 0
    (place / "answers.jsonl").write_text(printed.getvalue())
    return place


@pytest.fixture(scope="module")
def answers(learned):
    return {a["id"]: a for a in map(json.loads, (learned / "answers.jsonl").read_text().splitlines())}


@pytest.fixture
def folder(folder, learned):
    return shutil.copytree(learned, folder, dirs_exist_ok=True)


@pytest.mark.deep
def test_learning_says_how_many_blocks_are_saved(run, folder):
    report = json.loads(Path("said.json").read_text())
    assert report["later"]["save"] == {"problems": 7, "first": 7, "second": [4, 4]}
    assert report["rules"] == report["added"] > 8
    _, out, _ = run("learn", "go", "--problems", str(EYES), "--into", "learned.horn")
    assert "0 rules more" in out
    assert "7 blocks that two eyes save: 7 proved with the defender first, 4 of 4 with" in out


def test_what_is_learned_of_saving_follows_from_the_theory(run, folder):
    code, out, _ = run("rules", "verify", "learned.horn", "--theory", "go")
    assert code == 0
    assert out.endswith(" rules follow from `go`, 0 do not\n")


def test_a_block_that_is_saved_is_not_captured(answers):
    for name in ("miai", "two_eyes", "big_eye", "shut_in"):
        assert (answers[name]["value"], answers[name]["move"]) == ("PP", None)
        assert answers[name]["rule"].startswith("save_is_ig_")
    assert answers["two_eyes"]["saving_move"] == "pass"
    assert answers["miai"]["saving_move"] in ("bg", "cg")
    saving = {p.id: p.saving_moves for p in read_problems(EYES)}
    for problem in read_problems(EYES)[:2]:
        # The attacker's first move is unknown here, because no rules cover four moves.
        assert answers[problem.id]["value"] == "unknown"
        assert problem.point(answers[problem.id]["saving_move"]) in (saving[problem.id] or ())


def test_captured_if_one_plays_first_and_saved_if_the_other_does(answers):
    answer = answers["joins"]
    assert (answer["value"], answer["move"], answer["saving_move"]) == ("GP", "ef", "ef")
    assert answer["rule"].startswith("take_by_move_is_gi_")
    assert answer["saving_rule"].startswith("save_by_move_is_gi_")


def test_what_is_taken_and_saved_is_a_fault():
    reason = MatchedWin(None, "a_rule", frozenset(), frozenset())
    assert SolvedProblem(reason, None, 1, saved=reason).value == "GP"
    with pytest.raises(ContradictionError):
        _ = SolvedProblem(reason, None, 1, safe=reason).value
    assert SolvedProblem(None, None, 1, saved=reason).value == "unknown"


def test_an_eye_is_made_by_taking_a_stone(run, tmp_path, monkeypatch):
    """Check that White e1 takes f1 and then has eyes there and at g2."""
    (problem,) = [p for p in read_problems(shipped("train")) if p.id == "t0005"]
    monkeypatch.chdir(tmp_path)
    write_problems([problem], tmp_path / "p.jsonl")
    code, out, _ = run("learn", "go", "--problems", "p.jsonl", "--into", "learned.horn", "--json")
    assert (code, json.loads(out)["later"]["save"]) == (0, {"problems": 1, "first": 1, "second": [0, 0]})
    _, out, _ = run("problems", "solve", "go", "--rules", "learned.horn", "--problems", "p.jsonl", "--json")
    assert problem.board.name(problem.point(json.loads(out)["saving_move"])) == "e1"


def test_no_answer_is_wrong(run, folder):
    code, out, _ = run("problems", "grade", str(EYES), "answers.jsonl", "--json")
    rows = json.loads(out)["rows"]
    assert code == 0
    assert all(row[first]["wrong"] == 0 for row in rows for first in ("attacker_first", "defender_first"))


def test_match_shows_what_saves(run, folder):
    diagram = "  a b c d e f\n4 O O O O O .\n3 O O O O O .\n2 X X X X O .\n1 . . . X O .\n"
    (folder / "p.txt").write_text(diagram, encoding="utf-8")
    code, out, _ = run("rules", "match", "go", "--rules", "learned.horn", "p.txt")
    assert code == 0
    assert "save(" in out
    assert "is GI" in out


def test_nothing_that_rules_call_safe_is_taken(folder):
    random = Random("shut in")
    boards = tuple(shut_in(random)[0] for _ in range(12))
    base = rulebase.read(folder / "learned.horn", load("go"))
    auditor = RuleAuditor(Audit(load("go"), base, frozenset(base.entries), 0, 1, boards))
    total = AuditTally()
    for tally in auditor.parts(range(2)):
        total.add(tally)
    assert total.positions == 12
    assert total.wrong == []
    assert total.right[0] > 6


def test_whoever_is_safe_though_the_other_plays_need_not_answer(folder):
    """Check that rules without a move of the owner are audited too. The owner passes."""
    base = rulebase.read(folder / "learned.horn", load("go"))
    existing = {e.rule.name: e for e in base if e.certificate is not None and not e.certificate.lemmas}
    existing = {n: e for n, e in existing.items() if getattr(e.rule.head, "by", None) is None}
    board = next(p.board for p in read_problems(EYES) if p.id == "two_eyes")
    auditor = RuleAuditor(
        Audit(load("go"), rule_base(base.theory, existing.values()), frozenset(existing), 0, 1, (board,))
    )
    [tally] = auditor.parts([0])
    assert tally.wrong == []
    assert tally.right[0] > 0


def test_a_block_without_an_owners_answer_does_not_outlast():
    """Check that the same play captures a block that its owner does not defend."""
    board = next(p.board for p in read_problems(EYES) if p.id == "vital_point")
    target = board.point("a2")
    assert not all(outlasts(board, target, lambda *_: None, Random(seed)) for seed in range(20))
