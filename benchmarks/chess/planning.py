"""Knowledge Enabled Planning on pawn endings: verdicts, nodes and seconds, checked by an external judge.

The positions are the pawns of figure 2 (Tadepalli 1989) with the kings on all squares, and those of an EPD
file. The o-plans are those of `oracles/chess/pawn_plans.py`, written by hand; the theory's rules of pawn
endings close a proof. The judge determines the won positions, and whether the first move keeps the win;
`chance` is the share of legal moves that do. The exit code is 1 if a certified verdict is not confirmed.
Nodes are all generated or matched states, including those of the proof check.

Usage:

    python benchmarks/chess/planning.py [--positions 40] [--seed 1] [--expectation 100] [--complexity 3]
        [--nodes 5000] [--epd FILE.epd] [--output benchmarks/results/chess-planning.txt]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess

from benchmarks import study
from benchmarks.chess.abe import read_epd
from hornbook.compiler.match.plans import PlanMatcher
from hornbook.inputs.theories import load
from hornbook.play.kep.kep import KepBounds, Knowledge, Result, plan
from hornbook.play.kep.proof import MatchedRules, claims_of
from hornbook.theories.chess.play import question
from hornbook.theories.chess.play.planning import ChessPlanning
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.notation import print_uci
from oracles.chess import figure_two, pawn_plans
from oracles.chess.ending_claims import THEORY
from oracles.chess.ending_judge import EndingJudge, ending_judge

LOOKS = (20_000, 100_000)
"""Numbers of positions that Stockfish searches, for each move of each position."""


@dataclass(frozen=True, slots=True)
class PlanningRow:
    """Result for one position; `keeps` and `chance` are None if the position is not won."""

    name: str
    result: Result
    seconds: float
    won: bool
    move: chess.Move | None
    keeps: bool | None
    chance: float | None

    @property
    def is_wrong(self) -> bool:
        """Whether a certified verdict, or the first move of a proof, is not confirmed."""
        if self.result.verdict == "won":
            return not self.won or not self.keeps
        return self.result.verdict == "refuted" and self.won


def knowledge() -> Knowledge:
    game, theory = ChessPlanning(), load(THEORY)
    wins, holds = (
        MatchedRules.of(game, theory, claims_of(theory), names, question.focus_predicate)
        for names in (("win",), ("win", "hold"))
    )
    return Knowledge(game, PlanMatcher(load("chess"), pawn_plans.rules()), wins, holds)


def row(
    name: str, board: chess.Board, known: Knowledge, given: tuple[int, int, KepBounds], judge: EndingJudge
) -> PlanningRow:
    """Plan and judge one position; `given` contains the expectation, the complexity and the bounds."""
    state = replace(parse_fen(board.fen(en_passant="fen")), quiet_plies=0, number=1)
    player = "white" if board.turn else "black"
    seconds, result = study.timed(plan, known, state, player, *given)
    action = result.action
    move = None if action is None else chess.Move.from_uci(print_uci(question.move_of(action)))
    won = judge.wins(board)
    keeping = [each for each in board.legal_moves if judge.keeps(board, each)] if won else []
    chance = len(keeping) / board.legal_moves.count() if won else None
    return PlanningRow(name, result, seconds, won, move, (move in keeping) if won and move else None, chance)


def table(rows: Sequence[PlanningRow]) -> Iterator[str]:
    """Yield a line for each position."""
    yield (
        f"{'position':12}{'judge':>7}{'verdict':>10}{'move':>7}{'keeps':>7}{'chance':>8}{'value':>7}"
        f"{'planned':>9}{'proof':>8}{'matches':>9}{'seconds':>9}"
    )
    for each in rows:
        result = each.result
        keeps = "" if each.keeps is None else "yes" if each.keeps else "no"
        chance = "" if each.chance is None else f"{each.chance:.2f}"
        yield (
            f"{each.name:12}{'won' if each.won else '-':>7}{result.verdict:>10}{each.move or '-'!s:>7}"
            f"{keeps:>7}"
            f"{chance:>8}{result.value:>7}{result.planned:>9}{result.proved:>8}{result.matches:>9}{each.seconds:>9.2f}"
        )


def summary(rows: Sequence[PlanningRow]) -> Iterator[str]:
    """Yield counts of verdicts and first moves, nodes and seconds."""
    verdicts = Counter(each.result.verdict for each in rows)
    won = [each for each in rows if each.won]
    certified = sum(each.result.verdict == "won" for each in won)
    right, moved = sum(each.keeps is True for each in won), sum(each.move is not None for each in won)
    only = [each for each in won if each.chance is not None and each.chance < 1 / 2]
    chance = sum(each.chance or 0 for each in won) / max(len(won), 1)
    nodes, seconds = [each.result.nodes for each in rows], [each.seconds for each in rows]
    yield f"verdicts: {', '.join(f'{number} {verdict}' for verdict, number in sorted(verdicts.items()))}"
    yield (
        f"won by the judge: {len(won)}; certified {certified}; first move given {moved}, keeps the win "
        f"{right}"
    )
    yield (
        f"a random first move keeps {chance:.0%} of the won ones; where fewer than half of the moves do "
        f"({len(only)}), given moves keep {sum(each.keeps is True for each in only)}"
    )
    yield f"certified verdicts that are wrong: {sum(each.is_wrong for each in rows)}"
    yield (
        f"nodes: median {median(nodes):,.0f}, most {max(nodes):,}, in sum {sum(nodes):,}; planner alone: "
        f"median {median(each.result.planned for each in rows):,.0f}"
    )
    yield f"seconds of the processor: median {median(seconds):.2f}, most {max(seconds):.2f}"


def main(arguments: list[str] | None = None) -> int:
    parser = study.options(__doc__, positions=40, seed=1, expectation=100, complexity=3, nodes=5_000)
    parser.add_argument("--epd", type=Path, help="positions of an EPD file too")
    options = parser.parse_args(arguments)
    this = study.Study(__file__, options)
    given = (options.expectation, options.complexity, KepBounds(20_000, options.nodes))
    boards = [
        (f"figure2.{n}", board) for n, board in enumerate(figure_two.some(options.positions, options.seed))
    ]
    parts = [("figure 2's pawns", boards)]
    if options.epd:
        parts.append((options.epd.name, read_epd(options.epd)))
    known, lines, wrong = knowledge(), list[str](), list[str]()
    with ending_judge(LOOKS) as judge:
        for title, positions in parts:
            rows = [row(name, board, known, given, judge) for name, board in positions]
            lines += [f"{title}: {len(rows)} positions", *summary(rows), "", *table(rows), ""]
            wrong += [f"{each.name}: {each.result.verdict}, {each.move}" for each in rows if each.is_wrong]
        name = judge.engine.id["name"]
    return this.finish("\n".join(lines), wrong, [f"chess {chess.__version__}", name])


if __name__ == "__main__":
    raise SystemExit(main())
