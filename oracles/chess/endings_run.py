"""All positions of king and pawn against king: check of the theory's statements and of rules.

Positions are those of `oracles/chess/kpk_table.py`, with either side to move and the pawn white or black. The
table judges the rules. The library `chess` judges the theory's statements, as in
`oracles/chess/theory_run.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

import chess
import numpy as np

from hornbook.compiler.match.position import RuleMatcher
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.reach import friend_moves
from hornbook.kb.ast.terms import WON, Atom, Constant, GameStatement
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition
from hornbook.theories.chess import adapter
from hornbook.theories.chess.play import question
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.position import NAMES
from oracles.chess.kpk_table import ILLEGAL, kpk_table
from oracles.chess.theory_run import Bases, ChessTheoryTally, action, kind_of, try_move
from oracles.sums import Sums


class KpkEnding(NamedTuple):
    """A position of the table, with the pawn moving up the board.

    White and Black are exchanged if `black`.
    """

    pawn: int
    king: int
    other: int
    friend_first: bool
    black: bool = False

    def board(self) -> chess.Board:
        board = chess.Board(None)
        turned = 56 if self.black else 0
        side = not self.black
        board.set_piece_at(self.pawn ^ turned, chess.Piece(chess.PAWN, side))
        board.set_piece_at(self.king ^ turned, chess.Piece(chess.KING, side))
        board.set_piece_at(self.other ^ turned, chess.Piece(chess.KING, not side))
        board.turn = side == self.friend_first
        return board

    def plies(self) -> int | None:
        """Return the plies to the promotion by the table, or None if the position is drawn."""
        return kpk_table().plies(self.pawn, self.king, self.other, white_first=self.friend_first)


def all_endings() -> Iterator[KpkEnding]:
    """Yield every legal position with a white pawn."""
    table = kpk_table()
    for friend_first, plane in ((True, table.white_to_move), (False, table.black_to_move)):
        for pawn, king, other in np.argwhere(plane != ILLEGAL).tolist():
            yield KpkEnding(pawn, king, other, friend_first)


def some_endings(seed: str, number: int) -> list[KpkEnding]:
    """Return a random sample of these positions, with the pawn of either side."""
    random = Random(seed)
    return [
        each._replace(black=random.random() < 1 / 2) for each in random.sample(list(all_endings()), number)
    ]


# The theory's statements


def try_ending(bases: Bases, ending: KpkEnding, tally: ChessTheoryTally, false: list[str]) -> None:
    """Compare the statements about a position, and about each successor by a move of either side, with the
    library.
    """
    base, board = bases.base, ending.board()
    tally.positions += 1
    base.push()
    base.add(adapter.position_facts(parse_fen(board.fen())))
    for side in (board, _turned(board)):
        if side.was_into_check():
            continue
        legal = list(side.legal_moves)
        name = "white" if side.turn else "black"
        if any(f.values == (name,) for f in base.facts("alive", "before")) and side.is_stalemate():
            false.append(f"alive({name}) on {board.fen()}")
        for move in legal:
            then = side.copy(stack=False)
            then.push(move)
            try_move(bases, (side, action(move), kind_of(side, move)), then, tally)
            if move.promotion:
                false += _of_promotion(bases, side, move, then)
    base.pop()


def _of_promotion(bases: Bases, board: chess.Board, move: chess.Move, then: chess.Board) -> list[str]:
    values = action(move).values
    stated = {
        name: values in {f.values for f in bases.base.facts(name, "before")}
        for name in ("lively", "sheltered")
    }
    where = f"{values} on {board.fen()}"
    false = []
    if stated["lively"] and then.is_stalemate():
        false.append(f"lively{where}")
    if stated["sheltered"] and any(reply.to_square == move.to_square for reply in then.legal_moves):
        false.append(f"sheltered{where}")
    return false


def _turned(board: chess.Board) -> chess.Board:
    found = board.copy(stack=False)
    found.turn = not board.turn
    return found


# Conclusions of rules


@dataclass(slots=True)
class Audit(Sums):
    """Counts of positions, of won positions, of won positions that a rule finds, and of conclusions by plies.

    And errors.
    """

    positions: int = 0
    won: Counter[int] = field(default_factory=Counter)
    answered: Counter[int] = field(default_factory=Counter)
    conclusions: int = 0
    fired: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


class EndingAuditor:
    """The certified rules on `crown` of a rule base, matched and judged by the table."""

    def __init__(self, theory: Theory, base: RuleBase) -> None:
        self.matcher = RuleMatcher(theory, question.focus_predicate)
        self.moves = friend_moves(base)
        for entry in base:
            head = entry.rule.head
            if entry.is_certified and isinstance(head, GameStatement) and head.game.predicate == "crown":
                self.matcher.add(entry.rule)

    def judge(self, endings: Sequence[KpkEnding]) -> Audit:
        audit = Audit()
        for ending in endings:
            self._judge(ending, audit)
        return audit

    def _judge(self, ending: KpkEnding, audit: Audit) -> None:
        audit.positions += 1
        plies = ending.plies()
        if plies is not None:
            audit.won[plies] += 1
        state = parse_fen(ending.board().fen())
        turned = 56 if ending.black else 0
        side = Constant("black" if ending.black else "white")
        game = Atom("crown", (side, Constant(NAMES[ending.pawn ^ turned])))
        found = False
        for rule, statements in self.matcher.statements(question.parts(state), [game]):
            if (statements.value == WON) != ending.friend_first:
                continue  # conclusions about the other side to move are judged in that position
            found = True
            audit.conclusions += 1
            audit.fired[rule] += 1
            if not _holds(ending, statements, 2 * self.moves[rule] - (1 if ending.friend_first else 0)):
                audit.wrong.append(f"{rule}: {print_condition(statements)} on {ending.board().fen()}")
        if found and plies is not None:
            audit.answered[plies] += 1


def _holds(ending: KpkEnding, statement: GameStatement, claimed: int) -> bool:
    """Return whether the stated move crowns the pawn within the claimed plies."""
    plies = ending.plies()
    if plies is None or plies > claimed:
        return False
    if not ending.friend_first:
        return statement.by is None
    if statement.by is None:
        return False
    turned = 56 if ending.black else 0
    start, to = (
        chess.parse_square(str(t.value)) ^ turned for t in statement.by.terms[:2] if isinstance(t, Constant)
    )
    return _plies_by(ending, start, to, statement.by) <= claimed


def _plies_by(ending: KpkEnding, start: int, to: int, by: Atom) -> int:
    """Return the plies to a promotion that begins with a move; many if the move draws or is illegal."""
    board = ending.board()
    turned = 56 if ending.black else 0
    kinds = {"queen": chess.QUEEN, "rook": chess.ROOK}
    kind = (
        kinds.get(str(by.terms[2].value)) if len(by.terms) > 2 and isinstance(by.terms[2], Constant) else None
    )
    move = chess.Move(start ^ turned, to ^ turned, promotion=kind)
    if not board.is_legal(move):
        return 1_000
    if kind is not None:
        board.push(move)
        taken = any(reply.to_square == move.to_square for reply in board.legal_moves)
        return 1_000 if taken or board.is_stalemate() else 1
    then = ending._replace(
        pawn=to if start == ending.pawn else ending.pawn,
        king=to if start == ending.king else ending.king,
        friend_first=False,
    )
    plies = then.plies()
    return 1_000 if plies is None else plies + 1
