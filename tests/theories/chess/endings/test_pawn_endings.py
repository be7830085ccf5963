"""Tests of the theory of pawn endings.

It is never wrong by the table and Stockfish, and silent if a naive theory would be wrong.
"""

from __future__ import annotations

import shutil
from random import Random

import chess
import numpy as np
import pytest

from benchmarks.chess.pawn_endings import main
from oracles.chess.ending_claims import (
    Reached,
    check_claims,
    claims,
    confirmed,
    of_all,
    random_ending,
    random_queen_ending,
)
from oracles.chess.ending_judge import ending_judge
from oracles.chess.endings_run import some_endings
from oracles.chess.kpk_table import kpk_table
from oracles.chess.positions import STOCKFISH

has_stockfish = pytest.mark.skipif(shutil.which(STOCKFISH) is None, reason="stockfish is not installed")


def messages(fen: str) -> set[tuple[str, str]]:
    return {(claim.game, "white" if claim.side else "black") for claim in claims(chess.Board(fen))}


@pytest.mark.deep
def test_nothing_message_of_king_and_pawn_against_king_is_wrong_and_most_is_reported():
    endings = some_endings("claims", 800)
    found = check_claims(endings)
    assert found.wrong == []
    won = sum(ending.plies() is not None for ending in endings)
    assert len(found.won) > 0.9 * won
    assert len(found.drawn) > 0.25 * (len(endings) - won)


def test_every_rule_says_something():
    expected = {
        "won_from_an_outpost", "won_after_a_push_to_an_outpost", "won_on_the_way_to_an_outpost",
        "won_on_the_way_though_the_other_moves", "won_by_running", "won_by_running_though_the_other_moves",
        "held_by_taking", "held_from_a_post", "held_from_a_post_by_either",
        "held_without_a_pawn", "held_without_a_pawn_by_either",
        "won_with_more_by_running", "won_with_more_by_running_though_the_other_moves",
    }  # fmt: skip
    assert check_claims(some_endings("rules", 400)).rules.keys() == expected
    assert messages("8/8/4k3/8/8/4K3/8/8 w - - 0 1") == {("hold", "white"), ("hold", "black")}


def test_who_has_no_move_is_stalemated_and_not_beaten():
    assert ("win", "white") not in messages("k7/2K5/1P6/7P/8/8/8/8 b - - 0 1")
    assert ("win", "white") not in messages("k7/8/KP6/7P/8/8/8/8 b - - 0 1")
    assert ("win", "white") in messages("8/8/6P1/P7/8/k7/8/2K5 b - - 0 1")


@pytest.mark.parametrize(
    ("name", "fen"),
    [
        ("a queen draws against a rook's pawn on the seventh rank", "7K/4P3/8/8/8/8/p7/1k6 w - - 0 1"),
        ("the other pawn is promoted with check first", "8/8/8/P7/8/8/1p5k/4K3 w - - 0 1"),
        ("a pawn gives check on the way, and gains a move", "8/7k/8/3p4/P7/4K3/8/8 w - - 0 1"),
        ("the running pawn is struck", "8/1p6/8/P7/7k/8/8/K7 w - - 0 1"),
        ("its own king is in the way", "K1k5/P7/8/8/8/8/8/8 w - - 0 1"),
        ("the corner is narrow: stalemate", "k7/2K5/1P6/8/8/8/8/8 b - - 0 1"),
        ("the pawn is taken in passing", "8/8/8/8/1p6/8/P6k/K7 w - - 0 1"),
        ("another own pawn is in the king's way", "8/8/8/k7/8/1P6/1P6/1K6 w - - 0 1"),
        ("a queen alone does not hold seven pawns", "7K/P7/8/1ppppppp/4k3/8/8/8 w - - 0 1"),
        ("a pawn takes the queen with check", "8/8/8/7k/3p4/2Q1K3/8/8 w - - 0 1"),
        ("a queen does not hold three pawns beside their king", "2Q5/8/8/8/ppp5/k6K/8/8 w - - 0 1"),
        ("nor one that needs two moves", "8/K7/8/8/8/5p2/6k1/Q7 w - - 0 1"),
    ],
)
def test_where_a_rule_of_thumb_is_wrong_nothing_is_reported(name, fen):
    assert ("win", "white") not in messages(fen), name


@pytest.mark.parametrize(
    "fen",
    [
        "8/P6k/4K3/3p4/8/8/8/8 w - - 0 1",  # a pawn behind the king gives no check
        "1k6/5P2/K6p/8/8/P1P5/8/8 w - - 0 1",
        "8/3k2P1/4p3/7K/8/8/8/8 w - - 0 1",
        "8/8/8/8/7k/1KP5/P7/8 w - - 0 1",
    ],
)
def test_a_pawn_that_runs_wins_though_there_are_others_and_for_black_the_same(fen):
    board = chess.Board(fen)
    with_black = board.mirror()
    assert ("win", "white") in messages(fen)
    assert ("win", "black") in messages(with_black.fen())


@pytest.mark.parametrize(
    ("fen", "wins"),
    [
        ("8/8/8/8/1k1p4/8/4K3/Q7 w - - 0 1", True),
        ("8/8/8/8/1k1p4/8/4K3/Q7 b - - 0 1", False),  # Black may capture the queen, or be stalemated
        ("8/8/8/8/1k6/3p4/8/Q5K1 w - - 0 1", False),  # two moves to go
        ("8/8/8/8/1k1p1p2/8/6K1/Q7 w - - 0 1", True),
        ("8/8/8/8/1kpp1p2/8/6K1/Q7 w - - 0 1", False),  # three pawns
    ],
)
def test_a_queen_to_move_wins_against_two_pawns_that_have_three_moves_to_go(fen, wins):
    assert (("win", "white") in messages(fen)) is wins
    assert (("win", "black") in messages(chess.Board(fen).mirror().fen())) is wins


@pytest.mark.parametrize("turn", ["w", "b"])
def test_against_a_king_only_nobody_loses(turn):
    assert ("hold", "black") in messages(f"8/8/8/8/1k1p1p2/8/6K1/8 {turn} - - 0 1")


@pytest.mark.judges
@has_stockfish
def test_stockfish_confirms_what_is_reported_of_queens_against_a_pawn():
    random, judged = Random("queens"), 0
    with ending_judge((20_000, 400_000)) as judge:
        for _ in range(25):
            board = random_queen_ending(random)
            for claim in [claim for claim in claims(board) if claim.game == "win"]:
                judged += 1
                assert confirmed(board, claim, judge), (claim, board.fen())
    assert judged > 5


@pytest.mark.judges
@has_stockfish
def test_stockfish_confirms_what_is_reported_of_endings_with_pawns_on_both_sides():
    random, judged = Random("confirmed"), 0
    with ending_judge((20_000, 400_000)) as judge:
        for _ in range(120):
            board = random_ending(random)
            for claim in [claim for claim in claims(board) if claim.game == "win"][:1]:
                judged += 1
                assert confirmed(board, claim, judge), (claim, board.fen())
    assert judged > 20


def test_chains_follow_the_table_move_by_move():
    table = kpk_table()

    def within(plies):
        friend, other = table.white_to_move, table.black_to_move
        return Reached((friend > 0) & (friend <= plies), (other > 0) & (other <= plies))

    for plies in (1, 9):
        further = within(plies).won_a_move_earlier()
        friend, other = within(plies + 1).friend, within(plies + 2).other
        assert (further.friend == friend).all()
        assert (further.other & ~other).sum() == 0
        assert (within(plies + 1).other & ~further.other).sum() == 0


def test_what_is_stored_by_chains_is_drawn():
    nothing = np.zeros((64, 64, 64), dtype=bool)
    stored = Reached(nothing, nothing)
    for _ in range(3):
        stored = stored.drawn_a_move_earlier()
    table = kpk_table()
    won = [(plane >= 0) & (plane < 99) for plane in (table.white_to_move, table.black_to_move)]
    assert not (stored.friend & won[0]).any()
    assert not (stored.other & won[1]).any()
    assert stored.number > 0.15 * of_all()[1]


@pytest.mark.deep
def test_the_audit_reports_what_it_looked_at(capsys):
    assert main(["--sample", "30", "--random", "0"]) == 0
    assert "30 positions, 0 claims wrong" in capsys.readouterr().out
