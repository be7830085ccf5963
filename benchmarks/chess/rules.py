"""Correctness of learned rules of chess: all conclusions about many positions against exhaustive search.

Positions come from random games and from games of Stockfish that plays one of its four best moves; a fifth
has few men. Every game of a position is queried for both sides. Every conclusion is judged to the depth of
the rule's own proof with the library `chess`, and some by Stockfish too. The exit code is 1 if one is wrong,
and 2 if the study cannot run.

A run has parts. With `--work` each finished part is written; the same command continues after an
interruption, and reports all finished parts.

Usage:

    python benchmarks/chess/rules.py RULES.horn [--positions 5000] [--seed 1] [--jobs 1] [--sample 5]
        [--without-stockfish] [--work PARTS.jsonl] [--output benchmarks/results/chess-rules.txt]
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess

import hornbook
from benchmarks import study
from hornbook.kb.sources.diagnostics import TheoryError
from oracles.chess.positions import STOCKFISH, Source
from oracles.chess.rules_parts import AuditPart, Job, auditor, done_before, heading, judged, written
from oracles.chess.rules_run import ChessRulesTally

PART = 1000
"""Number of positions of a part, except the last."""
SOURCES: tuple[Source, ...] = ("random play", "engine play", "random play", "engine play", "few men")
"""Sources of the positions of successive parts."""
SHOWN = 5
"""Maximal number of wrong conclusions that are printed."""


def jobs_of(given: argparse.Namespace) -> list[Job]:
    sources = [s for s in SOURCES if s != "engine play"] if given.without_stockfish else list(SOURCES)
    sample = 0 if given.without_stockfish else given.sample
    return [
        Job(
            given.rules,
            given.seed,
            number,
            min(PART, given.positions - start),
            sample,
            sources[number % len(sources)],
        )
        for number, start in enumerate(range(0, given.positions, PART))
    ]


def main(arguments: list[str] | None = None) -> int:
    parser = study.options(__doc__, positions=5_000, seed=1, jobs=1)
    parser.add_argument("rules", type=Path)
    parser.add_argument(
        "--sample", type=int, default=5, help="conclusions of a part that stockfish judges too"
    )
    parser.add_argument(
        "--without-stockfish", action="store_true", help="neither its games nor its judgement"
    )
    parser.add_argument("--work", type=Path, help="where each part is written when it is done")
    given = parser.parse_args(arguments)
    if not given.without_stockfish and not Path(STOCKFISH).exists():
        print("stockfish is not installed: install it, or say --without-stockfish", file=sys.stderr)
        return 2
    try:
        auditor(given.rules)
        parts = done_before(given.work, heading(given.rules, given.seed)) if given.work else {}
    except (TheoryError, ValueError, OSError) as wrong:
        print(wrong, file=sys.stderr)
        return 2
    run(given, parts)
    text = report(parts.values(), f"python benchmarks/chess/rules.py {' '.join(command(given))}")
    print(text)
    if given.output:
        given.output.write_text(text, encoding="utf-8")
    return 1 if any(part.tally.wrong or part.doubted for part in parts.values()) else 0


def run(given: argparse.Namespace, parts: dict[int, AuditPart]) -> None:
    """Judge the unfinished parts. Wrong conclusions are printed at once."""
    left = [job for job in jobs_of(given) if not is_done(job, parts.get(job.number))]
    with ExitStack() as started:
        done: Iterable[AuditPart] = map(judged, left)
        if given.jobs > 1:
            done = started.enter_context(Pool(given.jobs)).imap_unordered(judged, left)
        for part in done:
            parts[part.number] = part
            for case in (part.tally.wrong + part.doubted)[:SHOWN]:
                print(case, file=sys.stderr, flush=True)
            if given.work:
                with given.work.open("a", encoding="utf-8") as file:
                    file.write(written(part) + "\n")


def is_done(job: Job, part: AuditPart | None) -> bool:
    return part is not None and (part.tally.positions, part.source) == (job.positions, job.source)


def command(given: argparse.Namespace) -> list[str]:
    """Return the arguments without the output path."""
    flag = ["--without-stockfish"] if given.without_stockfish else ["--sample", str(given.sample)]
    return [given.rules.name, "--positions", str(given.positions), "--seed", str(given.seed), *flag]


def report(parts: Iterable[AuditPart], arguments: str) -> str:
    """Return the positions by source, and conclusions by game and depth, rule, and Stockfish's verdict."""
    total, agreed = ChessRulesTally(), Counter[tuple[str, int]]()
    sources, distinct, doubted = Counter[str](), set[int](), list[str]()
    seconds, engines = 0.0, set[str]()
    for part in sorted(parts, key=lambda part: part.number):
        total.add(part.tally)
        agreed += part.agreed
        doubted += part.doubted
        sources[part.source] += part.tally.positions
        distinct.update(part.hashes)
        seconds += part.seconds
        engines |= {part.stockfish} - {""}
    versions = [f"hornbook {hornbook.__version__}", f"chess {chess.__version__}", *sorted(engines)]
    lines = [
        f"command: {arguments}",
        f"{', '.join(versions)}, Python {platform.python_version()}; {seconds:.0f} seconds of a processor",
        "",
        f"{total.positions} positions, {len(distinct)} of them different",
        *(f"{source:12}{number:>9}" for source, number in sorted(sources.items())),
        "",
        f"{sum(total.fired.values())} conclusions, {len(total.wrong)} of them wrong",
        "game    plies     right",
        *(f"{game:8}{plies:>5}{number:>10}" for (game, plies), number in sorted(total.right.items())),
        "",
        f"{'rule':32}conclusions",
        *(f"{rule:32}{number:>11}" for rule, number in sorted(total.fired.items())),
    ]
    if engines:
        lines += [
            "",
            f"judged by stockfish too: {sum(agreed.values())} right, {len(doubted)} wrong",
            *(f"{game:8}{plies:>5}{number:>10}" for (game, plies), number in sorted(agreed.items())),
        ]
    if total.wrong or doubted:
        lines += ["", "wrong:", *total.wrong, *doubted]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    raise SystemExit(main())
