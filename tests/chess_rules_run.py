"""Learned rules of chess against exhaustive search: whatever they say of random positions must be so.

Positions are those of random games and games with few men. In each, all that rules conclude for the side to move, and
all that they say is still won though it moves, is judged to the depth of the rule's own proof by `tests/chess_judge.py`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

import chess
from chess_judge import Goal, wins_by, wins_second
from chess_positions import few_pieces, random_game

from compiler.admission import RuleBase
from compiler.answering import STILL_WON
from compiler.position import Matcher
from compiler.reach import friend_moves
from kb.printer import print_condition
from kb.terms import Atom, Constant
from kb.theory import Theory
from theories.chess import question
from theories.chess.fen import parse_fen

GOALS = {"mate": "mate", "take": "take", "crown": "promote"}


@dataclass(slots=True)
class Tally:
    """What was judged: conclusions by game and depth in plies, and those that are wrong, with rule and position."""

    positions: int = 0
    right: Counter[tuple[str, int]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    fired: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        self.positions += other.positions
        self.right += other.right
        self.wrong += other.wrong
        self.fired += other.fired


class Auditor:
    """The certified rules of a rule base, ready to be matched and judged."""

    def __init__(self, theory: Theory, base: RuleBase) -> None:
        self.moves = friend_moves(base)
        self.matcher = Matcher(theory, question.spoken_of)
        for entry in base:
            if entry.is_certified:
                self.matcher.add(entry.rule)

    def judge(self, board: chess.Board, tally: Tally) -> None:
        tally.positions += 1
        fen = board.fen(en_passant="fen")
        said = self.matcher.said(question.parts(parse_fen(fen)), games(board))
        for rule, statement in sorted(said, key=lambda pair: (pair[0], print_condition(pair[1]))):
            moves, goal = self.moves[rule], _goal(statement.game)
            second = statement.value == STILL_WON
            friend = _friend(board, statement.game)
            if (friend == board.turn) == second:
                continue  # it speaks of a turn that is not now
            if second:
                plies = 2 * moves
                right = wins_second(board, goal, 2 * moves - 1)
            elif statement.by is None:
                continue  # follows from what a move wins
            else:
                plies = 2 * moves - 1
                right = wins_by(board, goal, chess.Move.from_uci(_uci(statement.by)), plies)
            tally.fired[rule] += 1
            if right:
                tally.right[statement.game.predicate, plies] += 1
            else:
                tally.wrong.append(f"{fen}: {print_condition(statement)} by {rule}")


def games(board: chess.Board) -> list[Atom]:
    """Every game that can be asked about: to mate either side, to take any man, to crown any pawn."""
    found = [Atom("mate", (Constant(side),)) for side in ("white", "black")]
    for square, piece in board.piece_map().items():
        name = (Constant(chess.square_name(square)),)
        if piece.piece_type != chess.KING:
            found.append(Atom("take", name))
        if piece.piece_type == chess.PAWN:
            found.append(Atom("crown", name))
    return found


def _goal(game: Atom) -> Goal:
    (term,) = game.terms
    assert isinstance(term, Constant)
    kind = GOALS[game.predicate]
    return Goal(kind, None if kind == "mate" else chess.parse_square(str(term.value)))  # type: ignore[arg-type]


def _friend(board: chess.Board, game: Atom) -> chess.Color:
    (term,) = game.terms
    assert isinstance(term, Constant)
    if game.predicate == "mate":
        return term.value == "black"
    colour = board.color_at(chess.parse_square(str(term.value)))
    assert colour is not None
    return colour if game.predicate == "crown" else not colour


def _uci(by: Atom) -> str:
    start, to, *kind = (str(t.value) for t in by.terms if isinstance(t, Constant))
    return start + to + {"knight": "n"}.get(kind[0], kind[0][0]) if kind else start + to


def positions(random: Random, number: int) -> list[chess.Board]:
    """Positions of random games, and as many with few men."""
    found: list[chess.Board] = []
    while len(found) < number:
        boards = [board.copy(stack=False) for board in random_game(random)]
        found += random.sample(boards, min(4, len(boards)))
        few = few_pieces(random)
        if few is not None:
            found.append(few)
    return [board for board in found[:number] if board.is_valid()]


def audited(theory: Theory, base: RuleBase, seed: int, number: int) -> Tally:
    """What the rules say of so many positions from a seed."""
    auditor, tally = Auditor(theory, base), Tally()
    for board in positions(Random(f"{seed} chess rules"), number):
        auditor.judge(board, tally)
    return tally
