"""Tests of the table of king and pawn against king, against the rules and known facts about the ending."""

from __future__ import annotations

from random import Random

import chess
import numpy as np
import pytest

from oracles.chess.kpk_table import DRAWN, ILLEGAL, KpkTable, kpk_table


def position(pawn: int, white: int, black: int, *, white_first: bool) -> chess.Board:
    board = chess.Board(None)
    for square, piece in ((pawn, "P"), (white, "K"), (black, "k")):
        board.set_piece_at(square, chess.Piece.from_symbol(piece))
    board.turn = white_first
    return board


def by_one_move(table: KpkTable, board: chess.Board) -> int:
    """Return the plies that follow from the table after each legal move.

    Promotions and captures follow the rules.
    """
    found = []
    for move in board.legal_moves:
        board.push(move)
        if move.promotion in {chess.QUEEN, chess.ROOK}:
            taken = any(board.is_capture(reply) for reply in board.legal_moves)
            found.append(DRAWN if taken or board.is_stalemate() else 0)
        elif not board.pawns or move.promotion:
            found.append(DRAWN)
        else:
            plies = table.plies(
                board.pawns.bit_length() - 1,
                board.king(chess.WHITE),
                board.king(chess.BLACK),
                white_first=board.turn,
            )
            found.append(DRAWN if plies is None else plies)
        board.pop()
    if not found:
        return DRAWN
    best = min(found) if board.turn else max(found)
    return best if best == DRAWN else best + 1


def test_there_are_as_many_positions_and_wins_as_is_known():
    table = kpk_table()
    counts = [
        (int((plane != ILLEGAL).sum()), int(((plane != ILLEGAL) & (plane != DRAWN)).sum()))
        for plane in (table.white_to_move, table.black_to_move)
    ]
    assert counts == [(163_328, 124_960), (168_024, 97_604)]


def test_legality_and_each_step_follow_the_rules():
    table, random = kpk_table(), Random(6)
    for _ in range(6000):
        squares = random.sample(range(64), 3)
        first = random.random() < 0.5
        board = position(*squares, white_first=first)
        plane = table.white_to_move if first else table.black_to_move
        if not board.is_valid():
            assert plane[tuple(squares)] == ILLEGAL, board.fen()
        else:
            assert plane[tuple(squares)] == by_one_move(table, board), board.fen()


def test_the_sides_of_the_board_mirror_each_other():
    for plane in (kpk_table().white_to_move, kpk_table().black_to_move):
        files = plane.reshape(8, 8, 8, 8, 8, 8)
        assert np.array_equal(files, files[:, ::-1, :, ::-1, :, ::-1])


@pytest.mark.parametrize(
    ("fen", "white_first", "black_first"),
    [
        ("8/4k3/8/4K3/4P3/8/8/8", False, True),  # the opposition decides
        ("4k3/8/4K3/4P3/8/8/8/8", True, True),  # sixth rank: no opposition needed
        ("8/8/8/1k6/8/1K6/1P6/8", False, True),
        ("k7/8/K7/P7/8/8/8/8", False, False),  # a rook's pawn never wins against a king in the corner
        ("7k/8/8/P7/8/8/8/K7", True, True),  # outside the square of the pawn
        ("8/8/8/P3k3/8/8/8/7K", True, False),  # inside it if he moves first
        ("4k3/4P3/4K3/8/8/8/8/8", True, False),  # stalemate, unless White is to move
    ],
)
def test_known_positions(fen, white_first, black_first):
    board, table = chess.Board(f"{fen} w - - 0 1"), kpk_table()
    squares = board.pawns.bit_length() - 1, board.king(chess.WHITE), board.king(chess.BLACK)
    won = [table.plies(*squares, white_first=first) is not None for first in (True, False)]
    assert won == [white_first, black_first]


def test_the_king_on_a_key_square_wins_whoever_moves():
    """The pawn is on ranks 2 to 4 and not on the edge.

    Its king is two ranks ahead of it, and the other king is not behind that rank.
    """
    table = kpk_table()
    for pawn in range(8, 32):
        if pawn % 8 not in {0, 7}:
            for key in (pawn + 15, pawn + 16, pawn + 17):
                for plane in (table.white_to_move, table.black_to_move):
                    assert (plane[pawn, key, key // 8 * 8 :] != DRAWN).all(), (pawn, key)
