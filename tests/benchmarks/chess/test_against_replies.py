"""Tests of mates in two learned from positions and single-move clauses; the library `chess` is the judge."""

from __future__ import annotations

import shutil
from pathlib import Path

import chess
import pytest

from benchmarks.chess.against_replies import (
    AHEAD,
    RULES,
    THEORY,
    Forcing,
    held_out,
    lessons,
    ship,
    single_moves,
)
from benchmarks.chess.answers import RuleSolver
from hornbook.compiler.learn.replies.reply_learner import learn_against_replies
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import rule_base
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.theories.chess.states.fen import parse_fen
from oracles.chess.mating import mating_moves

TAUGHT = {"mate1-001", "mate2-001", "mate2-002"}
"""In the last one, the mated side has a pawn, which cannot be promoted."""
QUIET = "8/8/8/2k2q2/8/P5r1/P7/K7 b - - 0 1"


def test_no_clause_about_two_moves_is_given():
    whole = load("combinations")
    given = single_moves(whole)
    names = {rule.head.relation for rule in given.rules}
    assert {"beaten", "untakeable", "awake"} <= names
    written = {
        "parried",
        "harmless",
        "doomed",
        "threat",
        "stilled",
        "given_up",
        "deserted",
        "lost",
        "conceded",
    }
    assert not names & written
    assert not any("_in_1" in name or "_in_2" in name for name in names)
    assert not any(rule.lemma for rule in given.rules)
    assert len(given.rules) < len(whole.rules) / 2


def test_moves_that_force_a_mate_are_tried_though_they_give_no_check():
    state = parse_fen(QUIET)
    game = Atom("mate", (Constant("white"),))
    tried = {"".join(map(str, action.values)) for action in Forcing().attempts(state, game, 2)}
    board = chess.Board(QUIET)
    assert "f5c2" in tried
    assert tried <= mating_moves(board, 2)


def test_further_problems_can_teach():
    names = [each.name for each in lessons(1, ["mate2"], ["fork-005"])]
    assert "fork-005" not in names
    assert "fork-005" in [each.name for each in lessons(1, [], ["fork-005"])]


@pytest.mark.deep
def test_two_mates_in_two_teach_others(tmp_path: Path):
    """A mate at once and two mates in two teach a rule that finds other mates in two, none wrongly.

    What is written has certificates of the theory that is read again.
    """
    taught = [each for each in lessons(2, ["mate2"]) if each.name in TAUGHT]
    given = single_moves(load("combinations"))
    learned = learn_against_replies(given, Forcing(), taught)
    rules = [entry for entry in learned.base if not entry.rule.lemma]
    assert max(len(entry.rule.body) for entry in rules) <= 6
    folder = shutil.copytree(AHEAD.parent, tmp_path / "chess") / "ahead"
    ship(learned, given, folder)
    stored = rulebase.read(folder / RULES.name, load(folder / THEORY.name))
    assert [entry.is_certified for entry in stored] == [True] * len(rules)
    solver = RuleSolver(learned.theory, rule_base(learned.theory.name, rules))
    problems = [each for each in held_out(6) if each.motif == "mate2"]
    answers = [(problem, solver.answer(problem, 0).move) for problem in problems]
    assert all(move in problem.winning_moves for problem, move in answers if move is not None)
    assert sum(move is not None for _, move in answers) >= 5
