"""Puzzles solved by the first move of `match --best`, blind or told the game, in one match and in chains.

The puzzles are the first `--most` of each `lichess_THEME_*.csv` in a folder
(`id, fen, solution_uci, rating`). In *blind* mode, all games of the player to move are queried. In *told*
mode, only the game that the solution's last move wins is queried. It is to mate, else to take the man that it
takes, else to crown the pawn that it promotes, each about the man's first square. A puzzle whose last move
does none of these has no told mode.

A pick is right if it is the solution's first move, or mates. Another pick is as good if Stockfish finds it at
most a pawn worse with `--nodes` nodes; else it is worse. Picks are counted by theme, and by the difficulty
for one match: the number of moves of the solution, and the kind of the first move. This kind is a check that
only the king can answer, another check, a capture, or quiet. The column *shown* counts right picks with a
claim of mate. If the solution does not mate, a claim to win its game or to gain something also counts. The
other right picks may be chance. The last baseline uses no rule: the check that leaves the fewest replies.

In told mode, moves that win the game come before others with the same proved gain, and a chain that wins it
comes before moves without a shown gain. If nothing is shown, plans for that game choose the move.

An exhaustive search judges the claims about each pick, as in `best_moves.py`; with `--ahead 1`, a match may
see a mate in two. Seconds are processor time; the first five puzzles of a way warm up.

Usage:

    python benchmarks/chess/puzzles.py RULES.horn FOLDER [--theory chess] [--most 200] [--levels 1]
        [--ahead 0] [--nodes 200000] [--output benchmarks/results/chess-puzzles.txt]
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean, median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess
import chess.engine

from benchmarks import study
from benchmarks.chess.best_moves import PAWN, is_right, is_so, loss, move_of
from hornbook.api.answers import Answer
from hornbook.api.best_moves import BestMoves, ConcludedMove
from hornbook.api.chains import Chains
from hornbook.api.learned_rules import LearnedRules, read_rules
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.format.printer import print_condition
from hornbook.play.answering.answering import Answerer
from hornbook.play.answering.plays import ByTurns
from hornbook.theories.chess.domain import DOMAIN
from hornbook.theories.chess.states.fen import parse_fen
from oracles.chess.judge import captured_on
from oracles.chess.positions import engine

WARMING = 5
MOST = 3
"""Solutions with at least this number of moves are counted together."""
CLASSES = ("right", "as good", "worse", "nothing")
SHOWN = "shown"
"""Right picks with a claim."""


def main() -> int:
    parser = study.options(__doc__, most=200, levels=1, ahead=0, nodes=200_000)
    parser.add_argument("--theory", default="chess")
    parser.add_argument("rules", type=Path)
    parser.add_argument("folder", type=Path)
    this = study.Study(__file__, parser.parse_args())
    solver = PuzzleSolver(read_rules(this.given.rules, this.given.theory))
    ways = [(with_goal, levels) for levels in range(this.given.levels + 1) for with_goal in (False, True)]
    counts = {way: Count() for way in ways}
    guessed = Count()
    with engine() as player:
        for file in sorted(this.given.folder.glob("lichess_*.csv")):
            theme = file.stem.split("_")[1]
            rows = list(csv.DictReader(file.open(encoding="utf-8")))[: this.given.most]
            for puzzle in map(read, rows):
                judge = Judge(puzzle, player, this.given.nodes, this.given.ahead)
                for with_goal, levels in ways:
                    if not with_goal or puzzle.goal is not None:
                        count = counts[with_goal, levels]
                        seconds, moves = study.timed(
                            solver.moves, puzzle.board, levels, puzzle.goal if with_goal else None
                        )
                        pick = move_of(moves[0].move) if moves else None
                        count.add(
                            theme, puzzle.cause, judge.of(pick), seconds, shown=is_shown(moves, puzzle.goal)
                        )
                        count.wrong += [
                            f"wrong: {puzzle.board.fen()}: {m}" for m in judge.wrong(moves, levels)
                        ]
                seconds, guess = study.timed(most_forcing, puzzle.board)
                guessed.add(theme, puzzle.cause, judge.of(guess), seconds)
        name = player.id["name"]
    lines = []
    for (with_goal, levels), count in counts.items():
        asks = "told the game" if with_goal else "blind"
        lines += [
            f"{asks}, {_way(levels)}",
            *count.lines(),
            "",
        ]
    lines += ["by no rule, the check that leaves fewest replies", *guessed.lines(), ""]
    wrong = [each for count in counts.values() for each in count.wrong]
    lines += [f"{len(wrong)} of the bounds and wins of picks are wrong by exhaustive search", *wrong]
    lines.append(f"stockfish: {name}, {this.given.nodes:,} nodes a pick")
    return this.finish("\n".join(lines) + "\n", wrong, [f"chess {chess.__version__}"])


def _way(levels: int) -> str:
    if levels > 1:
        return f"chains of {levels} levels"
    return "chains of one level" if levels else "one match"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Position, the first move of its solution, and the game that its last move wins."""

    board: chess.Board
    first: chess.Move
    goal: Atom | None
    cause: str
    """Kind of the solution's first move, and the number of its moves."""


def read(row: dict[str, str]) -> Puzzle:
    board = chess.Board(row["fen"])
    line = [chess.Move.from_uci(each) for each in row["solution_uci"].split()]
    return Puzzle(board, line[0], goal_of(board, line), cause_of(board, line))


def cause_of(board: chess.Board, line: list[chess.Move]) -> str:
    """Return the difficulty for one match: the kind of the first move of a line, and the number
    of its side's moves.
    """
    first, moves, then = line[0], len(line) // 2 + 1, board.copy(stack=False)
    then.push(first)
    king = then.king(then.turn)
    if then.is_check():
        king_only = all(reply.from_square == king for reply in then.legal_moves)
        kind = "check, only the king can answer" if king_only else "check, others can answer"
    else:
        kind = "capture" if board.is_capture(first) else "quiet"
    return f"{min(moves, MOST)}{' or more' if moves >= MOST else ''}, {kind}"


def goal_of(board: chess.Board, line: list[chess.Move]) -> Atom | None:
    """Return the game that the last move of a line wins for the first player, about the initial
    square of its man.
    """
    then = board.copy(stack=False)
    came = {square: square for square in chess.SQUARES}
    for move in line[:-1]:
        if then.is_castling(move):
            rank = chess.square_rank(move.to_square)
            corner, rook_file = (7, 5) if then.is_kingside_castling(move) else (0, 3)
            came[chess.square(rook_file, rank)] = came[chess.square(corner, rank)]
        came[move.to_square] = came[move.from_square]
        then.push(move)
    last = line[-1]
    taken = captured_on(then, last)
    promoted = last.promotion in (chess.QUEEN, chess.ROOK)
    then.push(last)
    if then.is_checkmate():
        return Atom("mate", (Constant(chess.COLOR_NAMES[not board.turn]),))
    if taken is not None:
        return Atom("take", (Constant(chess.square_name(came[taken])),))
    if not promoted:
        return None
    return Atom(
        "crown",
        (Constant(chess.COLOR_NAMES[board.turn]), Constant(chess.square_name(came[last.from_square]))),
    )


class PuzzleSolver:
    """Rules that are queried about one position after another, about all games or one, with
    or without chains.
    """

    def __init__(self, rules: LearnedRules) -> None:
        self._matcher = rules.matcher()
        self._best = BestMoves(rules.theory, rules.certified)
        self._chains = Chains(rules.theory, rules.certified, self._best.gains)
        self._solver = Answerer(rules.theory, rules.certified, ByTurns(DOMAIN))

    def moves(self, board: chess.Board, levels: int, goal: Atom | None) -> list[ConcludedMove]:
        """Return the moves of `match --best`.

        With a goal, moves that win it come before others with equal gain. If nothing is shown to gain, a
        chain that wins it comes first.
        """
        self._matcher.set(parse_fen(board.fen(en_passant="fen")))
        state, answers = self._matcher.state, self._matcher.answers()
        chains = self._chains.won(state.value, levels, goal) if levels else []
        found = self._best.of(state, answers, chains, proofs=False)
        if goal is None:
            return found
        self._solver.forget()
        chain = self._solver.chain(state.value, goal, levels)
        if chain is not None:
            by = print_condition(chain.move)
            found = [
                replace(move, chains={**move.chains, goal: chain}) if move.move == by else move
                for move in found
            ]
        ordered = sorted(found, key=lambda move: (*move.rank, is_won(move, goal)), reverse=True)
        if chain is None or any(move.wins or move.gains for move in ordered[:1]):
            return ordered
        return self._best.of(state, [], [(goal, chain)], proofs=False)


def is_won(move: ConcludedMove, goal: Atom) -> bool:
    """Return whether a match, or a chain of matches, concludes that a move wins a game."""
    return goal in move.chains or any(game_of(answer) == goal for answer in move.answers)


def is_shown(moves: list[ConcludedMove], goal: Atom | None) -> bool:
    """Return whether the first move has a claim to mate.

    If the goal is not mate, a claim to win it or to gain something also counts.
    """
    if not moves or moves[0].wins or (goal is not None and goal.predicate == "mate"):
        return bool(moves) and moves[0].wins
    return bool(moves[0].gains) or (goal is not None and is_won(moves[0], goal))


def most_forcing(board: chess.Board) -> chess.Move | None:
    """Return the check that leaves the fewest replies, the first by name, or None if there is no check."""
    checks = (move for move in board.legal_moves if board.gives_check(move))
    return min(checks, key=lambda move: (replies_to(board, move), move.uci()), default=None)


def replies_to(board: chess.Board, move: chess.Move) -> int:
    then = board.copy(stack=False)
    then.push(move)
    return then.legal_moves.count()


def game_of(answer: Answer) -> Atom:
    return replace(answer.conclusion.statement.game, tense=None)


@dataclass(slots=True)
class Judge:
    """Judge of picks for one puzzle; each pick is judged once."""

    puzzle: Puzzle
    player: chess.engine.SimpleEngine
    nodes: int
    ahead: int
    _known: dict[chess.Move, str] = field(default_factory=dict)

    def of(self, pick: chess.Move | None) -> str:
        if pick is None:
            return "nothing"
        if pick not in self._known:
            self._known[pick] = self._judged(pick)
        return self._known[pick]

    def _judged(self, pick: chess.Move) -> str:
        board, first = self.puzzle.board, self.puzzle.first
        if is_right(board, first, pick):
            return "right"
        return "worse" if loss(board, first, pick, self.player, self.nodes) > PAWN else "as good"

    def wrong(self, moves: list[ConcludedMove], levels: int) -> list[ConcludedMove]:
        return [move for move in moves[:1] if not is_so(self.puzzle.board, move, levels, self.ahead)]


@dataclass(slots=True)
class Count:
    """Quality of the picks of one way by theme and cause, and their cost."""

    by_theme: dict[str, Counter[str]] = field(default_factory=dict)
    by_cause: dict[str, Counter[str]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def add(self, theme: str, cause: str, judged: str, seconds: float, *, shown: bool = False) -> None:
        for counter in (
            self.by_theme.setdefault(theme, Counter()),
            self.by_cause.setdefault(cause, Counter()),
        ):
            counter[judged] += 1
            counter[SHOWN] += shown and judged == "right"
        self.seconds.append(seconds)

    def lines(self) -> list[str]:
        total: Counter[str] = sum(self.by_theme.values(), Counter())
        spent = [1000 * each for each in self.seconds[WARMING:]]
        return [
            *table("theme", [*self.by_theme.items(), ("all", total)], 16),
            "",
            *table("moves, and the first", sorted(self.by_cause.items()), 42),
            f"milliseconds a puzzle: median {median(spent):.1f}, mean {mean(spent):.1f}",
        ]


def table(name: str, rows: list[tuple[str, Counter[str]]], width: int) -> list[str]:
    titles = "".join(f"{each:>10}" for each in (*CLASSES, SHOWN))
    head = f"{name:{width}}{'puzzles':>10}{titles}{'% right':>10}{'% shown':>10}"
    return [head, *(f"{row:{width}}{cells(n)}" for row, n in rows)]


def cells(counted: Counter[str]) -> str:
    puzzles = sum(counted[name] for name in CLASSES)
    return (
        f"{puzzles:>10,}{''.join(f'{counted[name]:>10,}' for name in (*CLASSES, SHOWN))}"
        f"{100 * counted['right'] / puzzles:>10.1f}{100 * counted[SHOWN] / puzzles:>10.1f}"
    )


if __name__ == "__main__":
    sys.exit(main())
