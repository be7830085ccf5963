"""Tests of the shipped chess problems: they parse, agree with the judge, and answers to them are scored."""

from __future__ import annotations

from collections import Counter
from random import Random

import chess
import pytest

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.theories.chess.problems import (
    MOTIFS,
    ChessAnswer,
    ChessProblem,
    judge_all,
    parse_problems,
    print_problems,
    shipped,
)
from hornbook.theories.chess.problems.score import judge
from oracles.chess.judge import ChessGoal, depth, winning_moves, wins_by
from oracles.chess.kpk_table import DRAWN, kpk_table
from oracles.chess.motifs import is_back_rank_mate, taking_motif
from oracles.chess.problem_making import gain, kpk_problem

TEXTS = {name: shipped(name).read_text(encoding="utf-8") for name in ("learn", "held_out")}
SETS = {name: parse_problems(text, name) for name, text in TEXTS.items()}
TAKING = {"fork", "skewer", "pin", "discovered", "guard", "trapped"}


def goal_of(problem: ChessProblem) -> ChessGoal:
    return ChessGoal(problem.goal, None if problem.target is None else chess.parse_square(problem.target))


@pytest.mark.parametrize("name", SETS)
def test_a_set_has_every_motif_and_prints_as_it_is(name):
    assert {problem.motif for problem in SETS[name]} == set(MOTIFS)
    assert print_problems(SETS[name]) == TEXTS[name]
    assert len(TEXTS[name]) < 2_000_000


def test_no_problem_is_in_both_sets():
    learn, stored_out = ({(p.fen, p.goal, p.target) for p in found} for found in SETS.values())
    assert not learn & stored_out
    assert (len(learn), len(stored_out)) == tuple(map(len, SETS.values()))


@pytest.mark.parametrize("name", SETS)
def test_a_sample_is_what_the_judge_says(name):
    random, of_motif = Random(4), Counter[str]()
    for problem in random.sample(SETS[name], len(SETS[name])):
        of_motif[problem.motif] += 1
        if problem.motif == "kpk" or of_motif[problem.motif] > 4:
            continue
        board, goal = chess.Board(problem.fen), goal_of(problem)
        assert board.is_valid()
        assert tuple(m.uci() for m in winning_moves(board, goal, problem.horizon)) == problem.winning_moves
        assert depth(board, goal, problem.horizon) == problem.depth
        best = [chess.Move.from_uci(move) for move in problem.best_moves]
        if problem.depth is not None:
            assert all(wins_by(board, goal, move, problem.depth) for move in best)
        if problem.motif in TAKING:
            assert problem.motif in {taking_motif(board, goal, move) for move in best}
            assert problem.gain == max(gain(board, goal, move) for move in best)
        if problem.motif == "back-rank":
            assert all(is_back_rank_mate(board, move) for move in best)


def test_king_and_pawn_problems_are_what_the_table_says():
    for problem in (p for found in SETS.values() for p in found if p.motif == "kpk"):
        board = chess.Board(problem.fen)
        board = board if board.turn else board.mirror()
        squares = board.pawns.bit_length() - 1, board.king(chess.WHITE), board.king(chess.BLACK)
        plies, other = (table[squares] for table in (kpk_table().white_to_move, kpk_table().black_to_move))
        assert problem.depth == (None if plies == DRAWN else plies)
        assert problem.value == ("P" if plies == DRAWN else "G") + ("P" if other == DRAWN else "G")
        assert bool(problem.winning_moves) == (plies != DRAWN)


def test_both_colours_are_the_friend():
    random = Random(1)
    assert {kpk_problem(random).side for _ in range(20)} == {"white", "black"}


FORK = ChessProblem(
    "a",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "fork",
    "take",
    "a1",
    "white",
    "GI",
    3,
    3,
    ("e1e2", "e1d1"),
    ("e1e2",),
)
DRAW = ChessProblem(
    "b", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "kpk", "promote", "a2", "white", "PP", None, 5, (), ()
)
NOTHING = ChessProblem(
    "c", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "nothing", "take", "a2", "white", "II", None, 3, (), ()
)


@pytest.mark.parametrize(
    ("problem", "value", "move", "outcome"),
    [
        (FORK, "GI", "e1d1", "solved"),
        (FORK, "GI", "e1f1", "unknown"),
        (FORK, "GI", None, "wrong"),
        (FORK, "PP", None, "wrong"),
        (FORK, "II", None, "unknown"),
        (FORK, "unknown", None, "unknown"),
        (DRAW, "PP", None, "solved"),
        (DRAW, "GI", "a2a3", "wrong"),
        (DRAW, "IG", None, "wrong"),
        (NOTHING, "GI", "e1f1", "unknown"),
        (NOTHING, "II", None, "unknown"),
    ],
)
def test_answers_are_scored(problem, value, move, outcome):
    assert judge(problem, ChessAnswer(problem.id, value, move)) == outcome


def test_a_judge_decides_where_the_problem_does_not_say():
    answers = {one.id: ChessAnswer(one.id, "GG", "e1f1") for one in (FORK, NOTHING)}

    def outcomes(unlisted: bool, second: bool) -> list[str]:
        judged = judge_all([FORK, NOTHING], answers, lambda *_: unlisted, lambda _: second)
        return [one.outcome for one in judged]

    assert outcomes(True, True) == ["solved", "solved"]
    assert outcomes(False, True) == ["wrong", "wrong"]
    assert outcomes(True, False) == ["wrong", "wrong"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[]", "a line holds one object"),
        ("{", "Expecting"),
        ('{"id": "a"}', "`fen` is missing"),
        (print_problems([FORK]).replace('"fork"', '"forks"'), "`forks` is not a motif"),
        (print_problems([FORK]).replace('"e1e2", "e1d1"', '"e1d1"'), "the best moves are among"),
        (print_problems([FORK]) * 2, "`a` is on line 1 already"),
    ],
)
def test_a_line_that_is_wrong_is_named(line, message):
    with pytest.raises(TheoryError, match=message):
        parse_problems(line)
