"""Correctness and choice of the moves of `match --best`.

An exhaustive search (`oracles/chess/gain_judge.py`) judges every bound on positions of random games, of
Stockfish games and with few men, with either side to move. With levels, it also judges the wins of chains of
matches. Then one match of each puzzle of the files `lichess_THEME_*.csv` in a folder
(`id, fen, solution_uci, rating`) picks a move in three ways. They are the first answer, as `match` prints
them; a mating answer, if any, else the first; and the first of `--best`. A pick is right if it is the
solution's first move, or mates. Stockfish compares other picks with that move, with `--nodes` nodes each.

Usage:

    python benchmarks/chess/best_moves.py RULES.horn [--positions 3000] [--seed 1] [--levels 0]
        [--puzzles FOLDER] [--nodes 200000] [--output benchmarks/results/chess-best-moves.txt]
"""

from __future__ import annotations

import csv
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess
import chess.engine

from benchmarks import study
from hornbook.api.best_moves import BestMoves, ConcludedMove
from hornbook.api.chains import Chains
from hornbook.api.learned_rules import LearnedRules, read_rules
from hornbook.play.answering.gains import GAIN
from hornbook.theories.chess.states.fen import parse_fen
from oracles.chess.gain_judge import gains
from oracles.chess.positions import engine, played

REPLIES = 1
"""Number of replies that a bound may depend on; king and pawn against king have no limit."""
PAWN = 100
"""Centipawns."""
PICKS = ("first answer", "mate, else first", "--best")
Pick = tuple[str, chess.Move]


def main() -> int:
    parser = study.options(__doc__, positions=3000, seed=1, levels=0, nodes=200_000)
    parser.add_argument("rules", type=Path)
    parser.add_argument("--puzzles", type=Path)
    this = study.Study(__file__, parser.parse_args())
    queries = RuleQueries(read_rules(this.given.rules, "chess"), this.given.levels)
    with engine() as player:
        claims, wrong = judged(queries, this.given.positions, this.given.seed, player)
        counted = ("positions", "moves", "by a chain", "win", "gain", "not said")
        lines = [f"{'positions of':16}{''.join(f'{name:>11}' for name in counted)}"]
        lines += [
            f"{source:16}{''.join(f'{n[name]:>11,}' for name in counted)}" for source, n in claims.items()
        ]
        lines += ["", f"{len(wrong)} of the bounds and wins are wrong by exhaustive search", *wrong, ""]
        if this.given.puzzles is not None:
            lines += picked(queries, this.given.puzzles, player, this.given.nodes)
            lines.append(f"stockfish: {player.id['name']}, {this.given.nodes:,} nodes a pick")
    lines.append(f"{time.process_time():.0f} seconds of the processor, without stockfish")
    return this.finish("\n".join(lines) + "\n", wrong, [f"chess {chess.__version__}"])


class RuleQueries:
    """Rules that are queried about one position after another, also in chains of levels, with the
    gains of their moves.
    """

    def __init__(self, rules: LearnedRules, levels: int) -> None:
        self.levels = levels
        self._matcher = rules.matcher()
        self._best = BestMoves(rules.theory, rules.certified)
        self._chains = Chains(rules.theory, rules.certified, self._best.gains)

    def moves(self, board: chess.Board) -> list[ConcludedMove]:
        """Return the moves of the player to move, as `match --best` orders them."""
        self._matcher.set(parse_fen(board.fen(en_passant="fen")))
        state = self._matcher.state
        chains = self._chains.won(state.value, self.levels) if self.levels else ()
        return self._best.of(state, self._matcher.answers(), chains, proofs=False)

    def picks(self, board: chess.Board) -> list[chess.Move]:
        """Return the pick of each way of `PICKS`, or nothing if no move is concluded."""
        self._matcher.set(parse_fen(board.fen(en_passant="fen")))
        found = self._best.of(self._matcher.state, self._matcher.answers(), proofs=False)
        if not found:
            return []
        answers = [move.answers[0] for move in found]
        first = min(answers, key=self._matcher.answers().index)
        mate = next((move.answers[0] for move in found if move.wins), first)
        return [move_of(str(answer.move)) for answer in (first, mate, answers[0])]


def move_of(action: str) -> chess.Move:
    """Return the move of an action such as `promote(a7, a8, queen)` for the `chess` library."""
    start, to, *kind = action.partition("(")[2].rstrip(")").split(", ")
    promotion = chess.PIECE_NAMES.index(kind[0]) if kind else None
    return chess.Move(chess.parse_square(start), chess.parse_square(to), promotion)


def judged(
    queries: RuleQueries, number: int, seed: int, player: chess.engine.SimpleEngine
) -> tuple[dict[str, Counter[str]], list[str]]:
    """Return counts of conclusions about `number` positions of each source with either side to move,
    and the wrong ones.
    """
    counts: dict[str, Counter[str]] = {}
    wrong = []
    for source in ("random play", "engine play", "few men"):
        count = counts[source] = Counter()
        for board in played(source, Random(seed), number, player):
            for turned in both_sides(board):
                count["positions"] += 1
                for found in queries.moves(turned):
                    count["moves"] += 1
                    count["by a chain"] += bool(found.chains)
                    count["win" if found.wins else "not said" if found.gains is None else "gain"] += 1
                    if not is_so(turned, found, queries.levels):
                        wrong.append(f"wrong: {turned.fen()}: {found}")
    return counts, wrong


def both_sides(board: chess.Board) -> Iterator[chess.Board]:
    yield board
    other = board.copy(stack=False)
    other.turn, other.ep_square = not board.turn, None
    if other.is_valid() and any(other.legal_moves):
        yield other


def is_so(board: chess.Board, found: ConcludedMove, levels: int = 0, ahead: int = 0) -> bool:
    """Return whether the conclusion about a move is correct, by chains of `levels` levels.

    A match may see a mate `ahead` replies ahead.
    """
    move = move_of(found.move)
    if not board.is_legal(move):
        return False
    if found.wins:
        chained = levels if found.chains else 0
        return any(gains(board, move, 1000, chained + more) for more in range(ahead + 1))
    if found.gains is None:
        return True
    if any(game.predicate == GAIN for game in found.chains):
        # A chain ends in a match, whose moves may gain one reply later.
        return any(gains(board, move, found.gains, levels + more, rests=True) for more in range(REPLIES + 1))
    return gains(board, move, found.gains, REPLIES)


def picked(queries: RuleQueries, folder: Path, player: chess.engine.SimpleEngine, nodes: int) -> list[str]:
    """Return lines with the puzzles and picks per theme, and the quality of each way to pick."""
    titles = "".join(f"{name:>26}" for name in PICKS)
    lines = [f"{'one match of each puzzle':38}{titles}", f"{'theme':16}{'puzzles':>10}{'picked':>10}  "]
    lines[-1] += "".join(f"{'right':>12}{'a pawn worse':>14}" for _ in PICKS)
    total: Counter[tuple[str, str]] = Counter()
    puzzles = 0
    for file in sorted(folder.glob("lichess_*.csv")):
        theme = file.stem.split("_")[1]
        rows = list(csv.DictReader(file.open(encoding="utf-8")))
        count = theme_count(queries, rows, player, nodes)
        total.update(count)
        puzzles += len(rows)
        lines.append(row_of(theme, len(rows), count))
    return [*lines, row_of("all", puzzles, total), ""]


def theme_count(
    queries: RuleQueries, rows: Sequence[dict[str, str]], player: chess.engine.SimpleEngine, nodes: int
) -> Counter[tuple[str, str]]:
    count: Counter[tuple[str, str]] = Counter()
    for row in rows:
        board = chess.Board(row["fen"])
        solution = chess.Move.from_uci(row["solution_uci"].split()[0])
        picks = queries.picks(board)
        worse = {move: loss(board, solution, move, player, nodes) > PAWN for move in dict.fromkeys(picks)}
        for way, move in zip(PICKS, picks, strict=False):
            count[way, "picked"] += 1
            count[way, "right"] += is_right(board, solution, move)
            count[way, "worse"] += worse[move]
    return count


def is_right(board: chess.Board, solution: chess.Move, move: chess.Move) -> bool:
    after = board.copy(stack=False)
    after.push(move)
    return move == solution or after.is_checkmate()


def loss(
    board: chess.Board, solution: chess.Move, move: chess.Move, player: chess.engine.SimpleEngine, nodes: int
) -> int:
    """Return how much worse than the solution Stockfish finds a move, in centipawns; a mate counts
    as a hundred pawns.
    """
    if is_right(board, solution, move):
        return 0
    limit, game = chess.engine.Limit(nodes=nodes), object()
    scores = [
        player.analyse(board, limit, root_moves=[each], game=game)["score"].pov(board.turn)
        for each in (solution, move)
    ]
    best, own = (score.score(mate_score=100 * PAWN) for score in scores)
    assert best is not None
    assert own is not None
    return best - own


def row_of(theme: str, puzzles: int, count: Counter[tuple[str, str]]) -> str:
    cells = "".join(f"{count[way, 'right']:>12,}{count[way, 'worse']:>14,}" for way in PICKS)
    return f"{theme:16}{puzzles:>10,}{count[PICKS[0], 'picked']:>10,}  {cells}"


if __name__ == "__main__":
    sys.exit(main())
