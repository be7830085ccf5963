"""ABE, the baseline of planning: alpha-beta in three strengths on pawn endings (Tadepalli 1989, Table 5).

The positions are the pawns of figure 2 with the kings on all squares, and the positions of an EPD file
(with `bm`). Each strength decides whether White can earn `--expectation`. As in the paper, it knows the
height of the tree that earns it: seven plies for figure 2, and otherwise the least depth where the
strongest one earns it. A strength that needs more than `--nodes` positions is stopped, and its nodes are a
lower bound. If Stockfish is installed, it judges the first moves, since a promotion may earn the
expectation without winning the game.

Usage:

    python benchmarks/chess/abe.py [--positions 40] [--seed 1] [--expectation 100] [--nodes 200000]
        [--deepest 25] [--epd FILE.epd] [--output benchmarks/results/chess-abe.txt]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess

from benchmarks import study
from oracles.chess import abe, figure_two
from oracles.chess.ending_judge import EndingJudge, ending_judge
from oracles.chess.positions import STOCKFISH


@dataclass(frozen=True, slots=True)
class StrengthResult:
    """Answer of one strength to one position."""

    answer: abe.AbeAnswer
    seconds: float
    keeps: bool | None
    """Whether the move keeps a won game won, if this was judged."""

    @property
    def nodes(self) -> str:
        return f"{'>' if self.answer.spent else ''}{self.answer.nodes:,}"


def read_epd(path: Path) -> list[tuple[str, chess.Board]]:
    """Return the positions of a file with their names."""
    found = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.strip():
            board, operations = chess.Board.from_epd(line)
            found.append((str(operations.get("id", board.fen())), board))
    return found


def tried(
    board: chess.Board,
    plies: int,
    strength: abe.AbeStrength,
    given: tuple[int, int],
    judge: EndingJudge | None,
) -> StrengthResult:
    """Return the answer of a strength; `given` contains the expectation and the limit of nodes."""
    seconds, answer = study.timed(abe.search, board, given[0], plies, strength, given[1])
    judged = judge is not None and answer.move is not None and answer.value >= given[0]
    keeps = judge.keeps(board, answer.move) if judge and answer.move and judged else None
    return StrengthResult(answer, seconds, keeps)


def of_figure_two(boards: Sequence[chess.Board], given: tuple[int, int]) -> Iterator[str]:
    """Yield the number of placements that earn the expectation, and the cost for each strength."""
    yield (
        f"figure 2's pawns, {len(boards)} placements of the kings, {figure_two.PLIES} plies, {given[0]} "
        "expected"
    )
    yield f"{'ABE':10}{'reach it':>9}{'with 180':>10}{'median nodes':>14}{'most':>10}{'seconds':>9}"
    for strength in abe.AbeStrength:
        found = [tried(board, figure_two.PLIES, strength, given, None) for board in boards]
        reached = [each for each in found if each.answer.value >= given[0]]
        nodes = [each.answer.nodes for each in found]
        yield (
            f"{strength.value:10}{len(reached):>9}{sum(each.answer.value == 180 for each in reached):>10}"
            f"{median(nodes):>14,.0f}{max(nodes):>10,}{sum(each.seconds for each in found):>9.1f}"
        )


def of_file(
    positions: Sequence[tuple[str, chess.Board]],
    given: tuple[int, int],
    deepest: int,
    judge: EndingJudge | None,
) -> Iterator[str]:
    """Yield each position with its height and the nodes of each strength; `*` marks a first move
    that loses the win.
    """
    columns = "".join(f"{strength.value:>13}" for strength in abe.AbeStrength)
    yield (
        f"{'position':12}{'height':>7}{columns}   (nodes; - where the height is unknown, * where the move "
        "does not win)"
    )
    sums = dict.fromkeys(abe.AbeStrength, 0)
    for name, board in positions:
        plies = abe.height(board, given[0], deepest, given[1])
        row = f"{name:12}{plies or '-':>7}"
        for strength in abe.AbeStrength:
            cell = "-"
            if plies is not None:
                found = tried(board, plies, strength, given, judge)
                sums[strength] += found.answer.nodes
                cell = found.nodes + ("*" if found.keeps is False else "")
            row += f"{cell:>13}"
        yield row
    yield f"{'in sum':19}" + "".join(f"{sums[strength]:>13,}" for strength in abe.AbeStrength)


def main(arguments: list[str] | None = None) -> int:
    parser = study.options(__doc__, positions=40, seed=1, expectation=100, nodes=200_000, deepest=25)
    parser.add_argument("--epd", type=Path, help="positions of an EPD file too")
    options = parser.parse_args(arguments)
    this = study.Study(__file__, options)
    given = (options.expectation, options.nodes)
    lines = list(of_figure_two(figure_two.some(options.positions, options.seed), given))
    libraries = [f"chess {chess.__version__}"]
    if options.epd:
        with ending_judge() if which(STOCKFISH) else nullcontext() as judge:
            lines += ["", *of_file(read_epd(options.epd), given, options.deepest, judge)]
            if judge:
                libraries.append(judge.engine.id["name"])
    return this.finish("\n".join(lines) + "\n", libraries=libraries)


if __name__ == "__main__":
    raise SystemExit(main())
