"""Correctness and coverage of the theory of pawn endings.

The table judges all positions of king and pawn against king, or a sample. The claims of one match come first,
then their consequences by chains of up to `--levels` moves of either side (only with all positions).
Stockfish judges each random ending with pawns on both sides that is claimed to be won. The exit code is 1 if
a claim is not confirmed.

Usage:

    python benchmarks/chess/pawn_endings.py [--sample N] [--levels 8] [--random 8000] [--seed 1] [--jobs 1]
        [--output benchmarks/results/chess-pawn-endings.txt]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from shutil import which

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess

from benchmarks import study
from oracles.chess.ending_claims import (
    ClaimResults,
    Reached,
    check_claims,
    claims,
    confirmed,
    of_all,
    random_ending,
    random_queen_ending,
)
from oracles.chess.ending_judge import ending_judge
from oracles.chess.endings_run import all_endings, some_endings
from oracles.chess.positions import STOCKFISH

PART = 4_000
"""Number of positions that one process judges before it reports."""


def of_the_table(found: ClaimResults, levels: int, *, whole: bool) -> Iterator[str]:
    """Yield the claims about king and pawn against king."""
    yield f"king and pawn against king: {found.positions} positions, {len(found.wrong)} claims wrong"
    yield from study.table(Counter(found.rules), ("rule", "claims"), (40, 9))
    if not whole:
        yield f"won: {len(found.won)} answered; drawn: {len(found.drawn)} answered"
        return
    all_won, all_drawn = of_all()
    won, drawn = Reached.of(found.won), Reached.of(found.drawn)
    yield f"\n{'chains of':12}{'won, of':>9} {all_won}{'drawn, of':>14} {all_drawn}"
    for level in range(levels + 1):
        shares = (study.share(won.number, all_won), study.share(drawn.number, all_drawn))
        yield f"{level:<12}{won.number:>9}{shares[0]:>8}{drawn.number:>13}{shares[1]:>8}"
        won, drawn = won.won_a_move_earlier(), drawn.drawn_a_move_earlier()


def of_random(
    kind_of: str, made: Callable[[Random], chess.Board], number: int, seed: int
) -> tuple[list[str], list[str]]:
    """Return lines with the claimed wins in random endings by the pawns of both sides, and the
    unconfirmed claims.
    """
    random, seen, claimed, wrong = Random(f"{seed} pawn endings"), Counter[str](), Counter[str](), list[str]()
    with ending_judge() as judge:
        for _ in range(number):
            board = made(random)
            few, many = sorted(len(board.pieces(chess.PAWN, side)) for side in chess.COLORS)
            kind = f"{many} against {few}"
            seen[kind] += 1
            conclusions = [claim for claim in claims(board) if claim.game == "win"]
            claimed[kind] += bool(conclusions)
            if conclusions and not confirmed(board, conclusions[0], judge):
                wrong.append(f"{conclusions[0].rule} on {board.fen()}")
        name = judge.engine.id["name"]
    lines = [f"\nrandom {kind_of} endings: {number} positions, {len(wrong)} claims not confirmed by {name}"]
    lines.append(f"{'pawns':16}{'positions':>10}{'claimed won':>13}")
    lines += [f"{kind:16}{seen[kind]:>10}{claimed[kind]:>13}" for kind in sorted(seen)]
    return lines, wrong


def main(arguments: list[str] | None = None) -> int:
    parser = study.options(__doc__, levels=8, random=8_000, seed=1, jobs=1)
    parser.add_argument(
        "--sample", type=int, help="so many positions of king and pawn against king at random"
    )
    given = parser.parse_args(arguments)
    this = study.Study(__file__, given)
    whole = given.sample is None
    endings = list(all_endings()) if whole else some_endings(f"{given.seed} claims", given.sample)
    found = this.shared(
        check_claims, (endings[at : at + PART] for at in range(0, len(endings), PART)), ClaimResults()
    )
    lines, wrong = list(of_the_table(found, given.levels, whole=whole)), list(found.wrong)
    if given.random and which(STOCKFISH):
        for kind_of, made in (("pawn", random_ending), ("queen", random_queen_ending)):
            more, unconfirmed = of_random(kind_of, made, given.random, given.seed)
            lines += more
            wrong += unconfirmed
    return this.finish("\n".join(lines) + "\n", wrong, [f"chess {chess.__version__}"])


if __name__ == "__main__":
    raise SystemExit(main())
