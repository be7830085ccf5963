"""Generator of the shipped chess problems: one set to learn from, and a held-out set.

Positions come from an engine's noisy games, from random games, from few pieces on random squares, and from
compositions that favour a motif (`oracles/chess/compositions.py`). Problems are solved by an exhaustive
search by the rules, those of king and pawn against king by retrograde analysis. Each motif has its share, so
common ones are soon complete. All problems of a game go to one set. Needs the `chess` library (the extra
`test`) and Stockfish; the same seed and the same Stockfish give the same files.

Usage:

    python benchmarks/chess/problems.py [--seed 1] [--share 1.0] [--games 200]
        [--output theories/chess/problems]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess

from hornbook.theories.chess.problems.problem import ChessProblem, print_problems
from oracles.chess.compositions import COMPOSED, composed
from oracles.chess.positions import engine, engine_game, few_pieces, random_game
from oracles.chess.problem_making import kpk_problem, problems

ROOT = Path(__file__).resolve().parents[2]
SETS = ("learn", "held_out")
SHARES = {
    "hanging": 80,
    "fork": 200,
    "skewer": 150,
    "pin": 150,
    "discovered": 120,
    "guard": 120,
    "trapped": 120,
    "mate1": 200,
    "mate2": 200,
    "back-rank": 60,
    "promotion": 150,
    "kpk": 250,
    "nothing": 250,
}
"""Number of problems of each motif in each set."""
FROM_ONE_GAME = 2
"""Maximal number of problems of one motif per game; an unnoticed mistake would otherwise fill a share."""
FROM_COMPOSITIONS = 8
"""The same for positions composed at random."""
FEW = 20
"""Number of positions of few pieces that make one game."""
COMPOSITIONS = 120
"""Number of tries to compose a position for one motif; the compositions for all motifs make one game."""
PART_OF_GAME = 0.3
Source = Iterator[chess.Board | None]


def games(seed: int) -> Iterator[tuple[int, Random, Source]]:
    """Yield games without end, each with its number and the random generator for choosing its problems."""
    with engine() as player:
        for number in count():
            random = Random(f"{seed}.{number}")
            kind = kind_of(number)
            if kind == 0:
                yield number, random, _some(engine_game(random, player), random)
            elif kind == 1:
                yield number, random, _some(random_game(random), random)
            elif kind == 2:
                yield number, random, (few_pieces(random) for _ in range(FEW))
            else:
                yield (
                    number,
                    random,
                    (composed(motif, random) for motif in COMPOSED for _ in range(COMPOSITIONS)),
                )


def kind_of(number: int) -> int:
    """Return the source of a game: 0 an engine, 1 random play, 2 few pieces, 3 compositions
    (every other game).

    Adjacent games have the same source, because they go to different sets.
    """
    pair = number // 2
    return 3 if pair % 2 else pair // 2 % 3


def _some(boards: Iterator[chess.Board], random: Random) -> Source:
    """Return a random part of the positions of a game, since adjacent positions are similar."""
    return (board for board in boards if random.random() < PART_OF_GAME and any(board.legal_moves))


def place(problem: ChessProblem) -> tuple[str, str, str | None]:
    """Return a key that equal problems share."""
    return " ".join(problem.fen.split()[:4]), problem.goal, problem.target


def make(seed: int, share: float, most: int) -> Iterator[tuple[int, dict[str, list[ChessProblem]]]]:
    """Yield the growing sets, with the number of games so far. Rare motifs may fall short of their share."""
    shares = {motif: max(1, round(number * share)) for motif, number in SHARES.items()}
    found: dict[str, list[ChessProblem]] = {name: [] for name in SETS}
    seen: set[tuple[str, str, str | None]] = set()
    counts = {name: Counter[str]() for name in SETS}
    for number, name in enumerate(SETS):
        random = Random(f"{seed}.kpk.{number}")
        while counts[name]["kpk"] < shares["kpk"]:
            _add(kpk_problem(random), found[name], counts[name], seen)
    for number, random, positions in games(seed):
        name = SETS[number % 2]
        if number % 20 == 0:
            yield number, found
        full = [all(counts[one][motif] >= shares[motif] for motif in shares) for one in SETS]
        if all(full) or number == most:
            break
        of_game: Counter[str] = Counter()
        most_of_game = FROM_COMPOSITIONS if kind_of(number) == 3 else FROM_ONE_GAME
        for board in positions:
            if board is None:
                continue
            open_motifs = [m for m in shares if counts[name][m] < shares[m] and of_game[m] < most_of_game]
            for problem in problems(board, random, open_motifs):
                motif = problem.motif
                if motif in open_motifs:
                    of_game[motif] += _add(problem, found[name], counts[name], seen)
    yield number, found


def _add(
    problem: ChessProblem,
    found: list[ChessProblem],
    counts: Counter[str],
    seen: set[tuple[str, str, str | None]],
) -> bool:
    if place(problem) in seen:
        return False
    seen.add(place(problem))
    counts[problem.motif] += 1
    found.append(problem)
    return True


def named(found: list[ChessProblem]) -> list[ChessProblem]:
    """Return the problems in the order of the motifs, each named by its motif and a number."""
    counts: Counter[str] = Counter()
    result = []
    for problem in sorted(found, key=lambda one: list(SHARES).index(one.motif)):
        counts[problem.motif] += 1
        result.append(replace(problem, id=f"{problem.motif}-{counts[problem.motif]:03}"))
    return result


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="a fraction of the problems of each motif")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--output", type=Path, default=ROOT / "theories" / "chess" / "problems")
    arguments = parser.parse_args()
    began = time.monotonic()
    number, report = 0, ""
    for number, sets in make(arguments.seed, arguments.share, arguments.games):
        report = ""
        for name, found in sets.items():
            text = print_problems(named(found))
            (arguments.output / f"{name}.jsonl").write_text(text, encoding="utf-8")
            counts = Counter(problem.motif for problem in found)
            each = ", ".join(f"{motif} {counts[motif]}" for motif in SHARES)
            report += f"{name}: {len(found)} problems, {len(text)} bytes; {each}\n"
        print(f"{number} games\n{report}", file=sys.stderr, flush=True)
    print(f"{number} games\n{report}", end="")
    print(f"{time.monotonic() - began:.0f} seconds")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
