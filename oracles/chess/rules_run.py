"""Comparison of learned rules of chess with exhaustive search: each conclusion must be true.

All conclusions at a position, for either side, are judged by `oracles/chess/judge.py` to the depth of the
rule's own proof. No rule of the theory tests whose turn it is, so a conclusion may concern the side that is
not to move. It is then judged with that side to move, if such a position is legal and no pawn has just made a
double step. Equal conclusions of several rules are judged once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

import chess

from hornbook.compiler.match.position import RuleMatcher
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.reach import friend_moves
from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, WON, Atom, Constant, GameStatement
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition
from hornbook.theories.chess.play import question
from hornbook.theories.chess.states.fen import parse_fen
from oracles.chess.judge import ChessGoal, wins, wins_by, wins_second
from oracles.chess.positions import played
from oracles.sums import Sums

GOALS = {"mate": "mate", "take": "take", "crown": "promote"}
"""The goal of the judge for each game of the theory."""


@dataclass(frozen=True, slots=True)
class ChessClaim:
    """A claim about a position: a win within a number of the friend's moves, by his first move or if the
    other side moves first.

    In `fen`, the side to move is the one that the claim requires; `statement` is the conclusion of the rule.
    """

    fen: str
    statement: str
    game: str
    goal: ChessGoal
    moves: int
    by: str | None
    """The first move in UCI notation; None if the claim names no move."""
    second: bool
    """Whether the other side moves first."""

    @property
    def plies(self) -> int:
        """The depth of the claim in moves of both sides, as results count it."""
        return 2 * self.moves - (not self.second)

    def holds(self, board: chess.Board) -> bool:
        """Return whether exhaustive search confirms the claim; `board` is the position of `fen`."""
        plies = 2 * self.moves - 1
        if self.second:
            return wins_second(board, self.goal, plies)
        if self.by is None:
            return wins(board, self.goal, plies)
        return wins_by(board, self.goal, chess.Move.from_uci(self.by), plies)


@dataclass(slots=True)
class ChessRulesTally(Sums):
    """Counts of judged conclusions by game and depth in plies, and wrong ones with rule and position."""

    positions: int = 0
    right: Counter[tuple[str, int]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    fired: Counter[str] = field(default_factory=Counter)


class Auditor:
    """The certified rules of a rule base, prepared for matching and judging."""

    def __init__(self, theory: Theory, base: RuleBase) -> None:
        self.moves = friend_moves(base)
        self.matcher = RuleMatcher(theory, question.focus_predicate)
        for entry in base:
            if entry.is_certified:
                self.matcher.add(entry.rule)

    def judge(self, board: chess.Board, tally: ChessRulesTally) -> list[ChessClaim]:
        """Judge all conclusions at a position, and return the right ones, each once."""
        tally.positions += 1
        right = []
        for claim, rules in self.claims(board).items():
            holds = claim.holds(chess.Board(claim.fen))
            for rule in rules:
                tally.fired[rule] += 1
                if holds:
                    tally.right[claim.game, claim.plies] += 1
                else:
                    tally.wrong.append(f"{claim.fen}: {claim.statement} by {rule}")
            right += [claim] if holds else []
        return right

    def claims(self, board: chess.Board) -> dict[ChessClaim, list[str]]:
        """Return all claims at a position, each with the rules that conclude it."""
        turns: dict[chess.Color, str] = {board.turn: board.fen(en_passant="fen")}
        other = turned(board)
        if other is not None:
            turns[other.turn] = other.fen(en_passant="fen")
        conclusions = self.matcher.statements(question.parts(parse_fen(turns[board.turn])), games(board))
        found: dict[ChessClaim, list[str]] = {}
        for rule, statement in sorted(conclusions, key=lambda pair: (pair[0], print_condition(pair[1]))):
            assert statement.value in (WON, SECOND_PLAYER_WIN)
            second = statement.value == SECOND_PLAYER_WIN
            turn = _friend(board, statement.game) ^ second
            if turn in turns:
                claim = _claim(turns[turn], statement, self.moves[rule])
                found.setdefault(claim, []).append(rule)
        return found


def turned(board: chess.Board) -> chess.Board | None:
    """Return the position with the other side to move.

    None if it is illegal or after a pawn's double step.
    """
    if board.ep_square is not None:
        return None
    found = board.copy(stack=False)
    found.turn = not board.turn
    return found if found.is_valid() else None


def games(board: chess.Board) -> list[Atom]:
    """Return every possible game: to mate either side, to take any man, to crown any pawn."""
    found = [Atom("mate", (Constant(side),)) for side in ("white", "black")]
    for square, piece in board.piece_map().items():
        name = Constant(chess.square_name(square))
        if piece.piece_type != chess.KING:
            found.append(Atom("take", (name,)))
        if piece.piece_type == chess.PAWN:
            found.append(Atom("crown", (Constant(chess.COLOR_NAMES[piece.color]), name)))
    return found


def _claim(fen: str, statement: GameStatement, moves: int) -> ChessClaim:
    game, by = statement.game, statement.by
    return ChessClaim(
        fen,
        print_condition(statement),
        game.predicate,
        _goal(game),
        moves,
        None if by is None else _uci(by),
        statement.value == SECOND_PLAYER_WIN,
    )


def _goal(game: Atom) -> ChessGoal:
    term = game.terms[-1]
    assert isinstance(term, Constant)
    kind = GOALS[game.predicate]
    return ChessGoal(kind, None if kind == "mate" else chess.parse_square(str(term.value)))  # type: ignore[arg-type]


def _friend(board: chess.Board, game: Atom) -> chess.Color:
    """Return the side that wants to reach the goal of a game."""
    term = game.terms[0]
    assert isinstance(term, Constant)
    if game.predicate in ("mate", "crown"):
        return (term.value == "white") == (game.predicate == "crown")
    colour = board.color_at(chess.parse_square(str(term.value)))
    assert colour is not None
    return not colour


def _uci(by: Atom) -> str:
    start, to, *kind = (str(t.value) for t in by.terms if isinstance(t, Constant))
    return start + to + {"knight": "n"}.get(kind[0], kind[0][0]) if kind else start + to


def audited(theory: Theory, base: RuleBase, seed: int, number: int) -> ChessRulesTally:
    """Judge the conclusions at `number` positions from a seed, half of them with few men."""
    auditor, tally, random = Auditor(theory, base), ChessRulesTally(), Random(f"{seed} chess rules")
    for board in played("random play", random, number // 2):
        auditor.judge(board, tally)
    for board in played("few men", random, number - number // 2):
        auditor.judge(board, tally)
    return tally
