"""Tests of the chess judge against a simple slow version, and against the table of one ending."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import chess
import pytest

from oracles.chess.judge import (
    MATE,
    WORTH,
    ChessGoal,
    depth,
    refutations,
    winning_moves,
    wins,
    wins_by,
    wins_second,
)
from oracles.chess.kpk_table import kpk_table


def plain_wins(board: chess.Board, goal: ChessGoal, plies: int) -> bool:
    """Return the contract's answer, move by move, with copied boards and no omitted moves."""
    return any(plain_wins_by(board, goal, move, plies) for move in board.legal_moves)


def plain_wins_by(board: chess.Board, goal: ChessGoal, move: chess.Move, plies: int) -> bool:
    after = board.copy(stack=False)
    after.push(move)
    replies = list(after.legal_moves)
    if after.is_checkmate():
        return True
    retaken = any(reply.to_square == move.to_square for reply in replies)
    if goal.kind == "promote" and move.from_square == goal.target and move.promotion:
        return move.promotion in {chess.QUEEN, chess.ROOK} and bool(replies) and not retaken
    if goal.kind == "take" and taken(board, move) == goal.target:
        mover, target = board.piece_type_at(move.from_square), board.piece_type_at(goal.target)
        return not retaken or WORTH[mover] < WORTH[target]
    if plies == 1 or not replies:
        return False
    for reply in replies:
        if taken(after, reply) == goal.target is not None:
            return False
        then = after.copy(stack=False)
        then.push(reply)
        if not plain_wins(
            then, ChessGoal(goal.kind, moved(after, reply, moved(board, move, goal.target))), plies - 2
        ):
            return False
    return True


def taken(board: chess.Board, move: chess.Move) -> int | None:
    """Return the square of the captured enemy piece, if there is one."""
    after = board.copy(stack=False)
    after.push(move)
    removed = board.occupied_co[not board.turn] & ~after.occupied_co[not board.turn]
    return removed.bit_length() - 1 if removed else None


def moved(board: chess.Board, move: chess.Move, square: int | None) -> int | None:
    rooks = {"e1g1": ("h1", "f1"), "e1c1": ("a1", "d1"), "e8g8": ("h8", "f8"), "e8c8": ("a8", "d8")}
    if square == move.from_square:
        return move.to_square
    if board.is_castling(move) and square == chess.parse_square(rooks[move.uci()][0]):
        return chess.parse_square(rooks[move.uci()][1])
    return square


def played(random: Random, plies: int) -> chess.Board:
    board = chess.Board()
    for _ in range(plies):
        if not (moves := list(board.legal_moves)):
            break
        board.push(random.choice(moves))
    return board


def sparse(random: Random, pieces: str) -> chess.Board | None:
    board = chess.Board(None)
    for piece, square in zip("Kk" + pieces, random.sample(range(64), len(pieces) + 2), strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(piece))
    return board if board.is_valid() else None


def goals(board: chess.Board) -> Iterator[ChessGoal]:
    yield MATE
    for square, piece in board.piece_map().items():
        if piece.color != board.turn and piece.piece_type != chess.KING:
            yield ChessGoal("take", square)
        if piece.color == board.turn and piece.piece_type == chess.PAWN:
            yield ChessGoal("promote", square)


@pytest.mark.deep
def test_it_agrees_with_its_slow_twin_in_three_plies_of_few_pieces():
    random, tried, won = Random(1), 0, 0
    while tried < 45:
        board = sparse(random, "".join(random.choices("QRBNPPqrbnpp", k=4)))
        if board is None:
            continue
        tried += 1
        for goal in goals(board):
            expected = plain_wins(board, goal, 3)
            won += expected
            assert wins(board, goal, 3) == expected, (board.fen(), goal)
    assert won > 20


def test_it_agrees_with_its_slow_twin_in_games():
    random, won = Random(2), 0
    for _ in range(25):
        board = played(random, random.randrange(10, 90))
        for goal in goals(board):
            expected = [m for m in board.legal_moves if plain_wins_by(board, goal, m, 1)]
            won += len(expected)
            assert winning_moves(board, goal, 1) == sorted(expected, key=chess.Move.uci), (board.fen(), goal)
    assert won > 20


@pytest.mark.deep
def test_promotion_in_king_and_pawn_against_king_is_what_the_table_says():
    random, table, met = Random(3), kpk_table(), set()
    for _ in range(500):
        pawn, white, black = random.randrange(24, 56), *random.sample(range(64), 2)
        for first in (True, False):
            plane = table.white_to_move if first else table.black_to_move
            if (plies := int(plane[pawn, white, black])) < 0:
                continue
            board = chess.Board(None)
            for square, symbol in ((pawn, "P"), (white, "K"), (black, "k")):
                board.set_piece_at(square, chess.Piece.from_symbol(symbol))
            board.turn = first
            goal = ChessGoal("promote", pawn)
            met.add(plies)
            if first:
                assert depth(board, goal, 5) == (plies if plies <= 5 else None), board.fen()
            else:
                assert wins_second(board, goal, 3) == (plies <= 4), board.fen()
    assert {1, 2, 3, 4, 5, 99} <= met


@pytest.mark.parametrize(
    ("fen", "goal", "move", "plies", "won"),
    [
        (
            "4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1",
            ChessGoal("take", chess.D5),
            "d1d5",
            1,
            False,
        ),  # recaptured, worth more
        (
            "4k3/8/2p5/3q4/8/8/8/3RK3 w - - 0 1",
            ChessGoal("take", chess.D5),
            "d1d5",
            1,
            True,
        ),  # recaptured, worth less
        (
            "4k3/8/2p5/3r4/8/8/8/3RK3 w - - 0 1",
            ChessGoal("take", chess.D5),
            "d1d5",
            1,
            False,
        ),  # worth the same
        (
            "3rk3/2p5/8/3r4/8/8/8/3RK3 w - - 0 1",
            ChessGoal("take", chess.D5),
            "d1d5",
            1,
            False,
        ),  # recaptured from behind
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", ChessGoal("take", chess.C5), "d5c6", 1, True),  # en passant
        (
            "4k3/1p6/8/2pP4/8/8/8/4K3 w - c6 0 1",
            ChessGoal("take", chess.C5),
            "d5c6",
            1,
            False,
        ),  # and recaptured
        ("r3k3/8/8/8/8/8/8/R3K3 b q - 0 1", ChessGoal("take", chess.A1), "a8a1", 1, True),
        ("7k/8/8/8/8/8/2k5/K7 w - - 0 1", MATE, "a1a2", 1, False),
        (
            "6k1/5ppp/8/8/8/8/5q2/R6K w - - 0 1",
            ChessGoal("take", chess.F2),
            "a1a8",
            1,
            True,
        ),  # mate wins everything
        (
            "k7/2K5/8/1P6/8/8/8/8 w - - 0 1",
            ChessGoal("promote", chess.B5),
            "b5b6",
            3,
            False,
        ),  # not in one move
        ("7k/5P2/6K1/8/8/8/8/8 w - - 0 1", ChessGoal("promote", chess.F7), "f7f8q", 1, True),  # mate
        ("8/5P1k/8/6K1/8/8/8/8 w - - 0 1", ChessGoal("promote", chess.F7), "f7f8q", 1, False),  # stalemate
        ("8/5P1k/8/6K1/8/8/8/8 w - - 0 1", ChessGoal("promote", chess.F7), "f7f8r", 1, True),
        (
            "8/5P1k/8/6K1/8/8/8/8 w - - 0 1",
            ChessGoal("promote", chess.F7),
            "f7f8n",
            1,
            False,
        ),  # a knight is not enough
        (
            "6k1/5P2/8/6K1/8/8/8/8 w - - 0 1",
            ChessGoal("promote", chess.F7),
            "f7f8q",
            1,
            False,
        ),  # taken at once
        ("4q3/8/8/4k3/8/8/8/R5K1 w - - 0 1", ChessGoal("take", chess.E8), "a1e1", 3, True),  # the skewer
        ("4q3/8/8/4k3/8/8/8/R5K1 w - - 0 1", ChessGoal("take", chess.E8), "a1e1", 1, False),
        ("4q3/8/8/4k3/7b/8/8/R5K1 w - - 0 1", ChessGoal("take", chess.E8), "a1e1", 3, False),
        ("4q3/8/8/4k3/8/8/8/R5K1 w - - 0 1", ChessGoal("take", chess.E8), "a1a9", 3, False),
    ],
)
def test_the_contract_case_by_case(fen, goal, move, plies, won):
    board = chess.Board(fen)
    try:
        parsed = chess.Move.from_uci(move)
    except chess.InvalidMoveError:
        parsed = chess.Move.null()
    assert wins_by(board, goal, parsed, plies) == won
    assert board.fen() == chess.Board(fen).fen()


def test_a_rook_that_castles_is_followed():
    board = chess.Board("r3k3/8/8/8/8/8/8/3RK3 b q - 0 1")
    castles, then = chess.Move.from_uci("e8c8"), ChessGoal("take", chess.D8)
    assert not board.is_legal(castles)  # the rook attacks d8
    board = chess.Board("r3k3/8/8/8/8/8/8/4K3 b q - 0 1")
    assert ChessGoal("take", chess.A8).after(board, castles) == then


def test_a_refutation_is_named():
    board = chess.Board("4q3/8/8/4k3/7b/8/8/R5K1 w - - 0 1")
    found = refutations(board, ChessGoal("take", chess.E8), chess.Move.from_uci("a1e1"), 3)
    assert [move.uci() for move in found] == ["h4e1"]


def test_stalemate_is_not_won_though_the_opponent_starts_and_mate_is():
    assert not wins_second(chess.Board("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1"), MATE, 5)
    assert wins_second(chess.Board("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"), MATE, 1)
