"""Comparison of the theory of pawn endings (`theories/chess/endings/endings.horn`) with independent judges.

King and pawn against king is checked completely: each claim is compared with the table. `Reached` computes
the consequences of the claims within a number of moves by the rules of that ending alone. Endings with pawns
on both sides are random, and Stockfish judges their claims.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import chess
import numpy as np
from numpy.typing import NDArray

import hornbook.theories.chess
from hornbook.compiler.match.position import RuleMatcher
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import WON, Atom, Constant
from hornbook.play.kep.proof import claims_of
from hornbook.theories.chess.play import question
from hornbook.theories.chess.states.fen import parse_fen
from oracles.chess.ending_judge import EndingJudge
from oracles.chess.endings_run import KpkEnding
from oracles.chess.kpk_table import DRAWN, NEAR, STEPS, kpk_table, pawn_attacks
from oracles.sums import Sums

THEORY = Path(hornbook.theories.chess.__file__).parent / "endings" / "endings.horn"
GAMES = [Atom(game, (Constant(side),)) for game in ("win", "hold") for side in ("white", "black")]
Squares = NDArray[np.bool_]


class EndingClaim(NamedTuple):
    """A claim that a side wins, or holds the draw, if the side to move of the position moves first."""

    game: str
    side: chess.Color
    rule: str


@cache
def matcher() -> RuleMatcher:
    theory = load(THEORY)
    found = RuleMatcher(theory, question.focus_predicate)
    for rule in claims_of(theory):
        found.add(rule)
    return found


def claims(board: chess.Board) -> list[EndingClaim]:
    """Return the theory's claims about a position, for the side to move as first player."""
    found = []
    for rule, conclusions in matcher().statements(
        question.parts(parse_fen(board.fen(en_passant="fen"))), GAMES
    ):
        (term,) = conclusions.game.terms
        assert isinstance(term, Constant)
        side = term.value == "white"
        if (conclusions.value == WON) == (side is board.turn):
            found.append(EndingClaim(conclusions.game.predicate, side, rule))
    return found


# King and pawn against king


@dataclass(slots=True)
class ClaimResults(Sums):
    """Counts of claims by rule, the positions claimed to be won or drawn, and the wrong claims."""

    positions: int = 0
    rules: dict[str, int] = field(default_factory=dict)
    won: list[tuple[int, int, int, bool]] = field(default_factory=list)
    drawn: list[tuple[int, int, int, bool]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: ClaimResults) -> None:
        self.positions += other.positions
        for rule, number in other.rules.items():
            self.rules[rule] = self.rules.get(rule, 0) + number
        self.won += other.won
        self.drawn += other.drawn
        self.wrong += other.wrong


def check_claims(endings: Sequence[KpkEnding]) -> ClaimResults:
    """Compare the claims about positions of king and pawn against king with the table."""
    found = ClaimResults()
    for ending in endings:
        found.positions += 1
        board, place = ending.board(), ending[:4]
        friend, won = not ending.black, ending.plies() is not None
        claimed = claims(board)
        for claim in claimed:
            found.rules[claim.rule] = found.rules.get(claim.rule, 0) + 1
            right = won and claim.side is friend if claim.game == "win" else not won or claim.side is friend
            if not right:
                found.wrong.append(f"{claim.rule}: {claim.game} on {board.fen()}")
        if any(claim.game == "win" for claim in claimed):
            found.won.append(place)
        if any(claim.game == "hold" and claim.side is not friend for claim in claimed):
            found.drawn.append(place)
    return found


@dataclass(frozen=True, slots=True)
class Reached:
    """Sets of positions `[pawn, king, other king]`, with either the friend or the other side to move."""

    friend: Squares
    other: Squares

    @classmethod
    def of(cls, places: Sequence[tuple[int, int, int, bool]]) -> Reached:
        planes = np.zeros((2, 64, 64, 64), dtype=bool)
        for pawn, king, other, friend_first in places:
            planes[0 if friend_first else 1, pawn, king, other] = True
        return cls(planes[0], planes[1])

    @property
    def number(self) -> int:
        return int(self.friend.sum() + self.other.sum())

    def won_a_move_earlier(self) -> Reached:
        """Return the positions with a friend's move into the second set, or with all replies into the first
        set.
        """
        legal, after = _legal()
        friend, other = self.friend.copy(), self.other.copy()
        for pawn in range(8, 56):
            for to in range(64):
                friend[pawn] |= STEPS[:, to][:, None] & self.other[pawn, to][None, :]
            for ahead, free in _pushes(pawn):
                friend[pawn] |= free & (self.other[ahead] if ahead < 56 else False)
            friend[pawn] &= legal[pawn]
            every, some = np.ones((64, 64), dtype=bool), np.zeros((64, 64), dtype=bool)
            for to, can in _replies(pawn):
                every &= ~can | (friend[pawn, :, to][:, None] if to != pawn else False)
                some |= can
            other[pawn] |= every & some & after[pawn]
        return Reached(friend, other)

    def drawn_a_move_earlier(self) -> Reached:
        """Return the positions that are drawn one move earlier.

        These are positions with a reply into the set or a capture of the pawn, and positions where every move
        of the friend's leads into the set.
        """
        legal, after = _legal()
        friend, other = self.friend.copy(), self.other.copy()
        promotes = kpk_table().white_to_move == 1
        for pawn in range(8, 56):
            for to, can in _replies(pawn):
                other[pawn] |= can & (self.friend[pawn, :, to][:, None] if to != pawn else True)
            other[pawn] &= after[pawn]
            every = np.ones((64, 64), dtype=bool)
            for to in range(64):
                every &= ~(STEPS[:, to][:, None] & after[pawn, to][None, :]) | other[pawn, to][None, :]
            for ahead, free in _pushes(pawn):
                every &= ~free | (other[ahead] if ahead < 56 else ~promotes[pawn])
            friend[pawn] |= every & legal[pawn]
        return Reached(friend, other)


def _legal() -> tuple[Squares, Squares]:
    table = kpk_table()
    return table.white_to_move >= 0, table.black_to_move >= 0


def _pushes(pawn: int) -> Iterator[tuple[int, Squares]]:
    """Yield the pawn's target squares, each with the kings that allow it."""
    off = np.arange(64) != pawn + 8
    free = off[:, None] & off[None, :]
    yield pawn + 8, free
    if pawn < 16:
        off = np.arange(64) != pawn + 16
        yield pawn + 16, free & off[:, None] & off[None, :]


def _replies(pawn: int) -> Iterator[tuple[int, Squares]]:
    """Yield the target squares of the other king, with the kings that allow them.

    A capture steps onto the pawn.
    """
    for to in range(64):
        if to not in pawn_attacks(pawn):
            yield to, STEPS[:, to][None, :] & ~NEAR[:, to][:, None]


def of_all() -> tuple[int, int]:
    """Return the numbers of won and of drawn positions in the table."""
    table = kpk_table()
    both = np.concatenate([table.white_to_move.ravel(), table.black_to_move.ravel()])
    return int(((both >= 0) & (both < DRAWN)).sum()), int((both == DRAWN).sum())


# Pawns on both sides


def random_ending(random: Random) -> chess.Board:
    """Return two kings, one to three pawns of one side and none to three of the other, anywhere.

    The side to move has a legal move.
    """
    while True:
        board = chess.Board(None)
        side = random.random() < 1 / 2
        squares = random.sample(range(8, 56), random.randint(1, 3))
        others = [s for s in random.sample(range(8, 56), random.randint(0, 3)) if s not in squares]
        for square, owner in [*((s, side) for s in squares), *((s, not side) for s in others)]:
            board.set_piece_at(square, chess.Piece(chess.PAWN, owner))
        kings = random.sample([s for s in range(64) if not board.piece_at(s)], 2)
        board.set_piece_at(kings[0], chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(kings[1], chess.Piece(chess.KING, chess.BLACK))
        board.turn = random.random() < 1 / 2
        if board.is_valid() and any(board.legal_moves):
            return board


def random_queen_ending(random: Random) -> chess.Board:
    """Return a queen and at most two pawns against at most two pawns, anywhere.

    The side to move has a legal move.
    """
    while True:
        board = chess.Board(None)
        side = random.random() < 1 / 2
        pawns = random.sample(range(8, 56), random.randint(0, 2))
        others = [s for s in random.sample(range(8, 56), random.randint(0, 2)) if s not in pawns]
        for square, owner in [*((s, side) for s in pawns), *((s, not side) for s in others)]:
            board.set_piece_at(square, chess.Piece(chess.PAWN, owner))
        pieces = random.sample([s for s in range(64) if not board.piece_at(s)], 3)
        for square, kind, owner in zip(
            pieces, (chess.KING, chess.QUEEN, chess.KING), (side, side, not side), strict=True
        ):
            board.set_piece_at(square, chess.Piece(kind, owner))
        board.turn = random.random() < 1 / 2
        if board.is_valid() and any(board.legal_moves):
            return board


def confirmed(board: chess.Board, claim: EndingClaim, judge: EndingJudge) -> bool:
    """Return whether the judge confirms that a side wins; claims of a draw are not judged here."""
    return judge.wins(board) if claim.side is board.turn else judge.loses(board)
