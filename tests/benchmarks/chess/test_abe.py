"""Tests of the planning baseline.

Three strengths of alpha-beta must agree with search without cuts. The printed figures are checked too.
"""

from __future__ import annotations

from random import Random

import chess
import pytest

from benchmarks.chess.abe import main
from oracles.chess import abe, figure_two


def minimax(board: chess.Board, plies: int) -> int:
    """Return the value by searching every line to its end."""
    values = []
    for move in board.legal_moves:
        after = board.copy(stack=False)
        after.push(move)
        if not any(after.legal_moves):
            value = abe.KING if after.is_check() else 0
        else:
            value = 0 if plies == 1 else -minimax(after, plies - 1)
        values.append(abe.promise(board, move) + value)
    return max(values)


def pawn_ending(random: Random) -> chess.Board:
    """Return kings and a few pawns close to promotion, so that goal values are earned."""
    while True:
        board = chess.Board(None)
        men = [chess.Piece(chess.KING, side) for side in (True, False)]
        men += [chess.Piece(chess.PAWN, random.random() < 1 / 2) for _ in range(random.randint(1, 3))]
        for man, square in zip(men, random.sample(range(8, 56), len(men)), strict=True):
            board.set_piece_at(square, man)
        board.turn = random.random() < 1 / 2
        if board.is_valid() and any(board.legal_moves):
            return board


@pytest.mark.parametrize("seed", range(6))
def test_each_strength_finds_the_value_that_all_lines_have(seed):
    random = Random(f"{seed} abe")
    board = pawn_ending(random)
    exact = minimax(board, 3)
    for strength in abe.AbeStrength:
        assert abe.search(board, -abe.INFINITE + 1, 3, strength).value == exact
        assert abe.search(board, exact, 3, strength).value == exact
        assert abe.search(board, exact + 1, 3, strength).value <= exact


def test_knowledge_saves_nodes_and_changes_no_value():
    board = chess.Board("4k3/1p6/8/P1P5/8/8/8/1K6 w - - 0 1")
    found = [
        abe.search(board, figure_two.EXPECTATION, figure_two.PLIES, s) for s in reversed(abe.AbeStrength)
    ]
    assert [(each.value, each.move) for each in found] == 3 * [(180, chess.Move.from_uci("c5c6"))]
    assert 10 * found[0].nodes < 4 * found[1].nodes + 6 * found[0].nodes < found[2].nodes


def test_who_is_mated_has_lost_his_king_and_who_is_stalemated_has_not():
    mate = abe.search(chess.Board("k7/8/1K6/8/8/8/8/7R w - - 0 1"), 1, 1, abe.AbeStrength.PLAIN)
    assert (mate.value, mate.move) == (abe.KING, chess.Move.from_uci("h1h8"))
    only = abe.search(chess.Board("k7/P7/2K5/8/8/8/8/8 w - - 0 1"), 1, 3, abe.AbeStrength.PLAIN)
    assert only.value <= 0


def test_the_height_is_the_least_depth_that_earns_what_is_expected():
    board = chess.Board("8/8/7P/8/8/8/k7/7K w - - 0 1")
    assert abe.height(board, 200, 9, 10_000) == 3
    assert abe.height(board, 200, 2, 10_000) is None
    assert abe.height(board, 200, 9, 5) is None


def test_a_search_that_may_not_go_on_says_so_and_leaves_the_position():
    board = chess.Board("4k3/1p6/8/P1P5/8/8/8/1K6 w - - 0 1")
    found = abe.search(board, 100, 7, abe.AbeStrength.FULL, 500)
    assert found.spent
    assert found.nodes == 501
    assert board == chess.Board("4k3/1p6/8/P1P5/8/8/8/1K6 w - - 0 1")


def test_the_command_prints_every_strength(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("benchmarks.chess.abe.which", lambda _: None)
    epd = tmp_path / "one.epd"
    epd.write_text('8/7P/8/8/8/8/k7/7K w - - bm h8=Q; id "one";\n')
    words = ["--positions", "1", "--nodes", "300", "--epd", str(epd)]
    assert main(words) == 0
    rows = [line.split() for line in capsys.readouterr().out.split("\n")]
    assert [row[0] for row in rows if row and row[0] in ("plain", "ordered", "full")] == [
        "plain",
        "ordered",
        "full",
    ]
    one = next(row for row in rows if row and row[0] == "one")
    assert one[1] == "1"
