"""Correctness of learned rules in king and pawn against king: every legal position, either side to move.

Every conclusion of every rule about `crown` is compared with a table from retrograde analysis
(`oracles/chess/kpk_table.py`), with plies up to the depth of the rule's own proof. Before that, the theory's
statements about some positions, and after each of their moves, are compared with the library `chess`. The
exit code is 1 if one is wrong.

Usage:

    python benchmarks/chess/endings.py RULES.horn [--sample N] [--other a1,h1] [--theory 500] [--seed 1]
        [--jobs 1] [--output benchmarks/results/chess-endings.txt]
"""

from __future__ import annotations

import sys
import time
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess

from benchmarks import study
from hornbook.compiler.rules import rulebase
from hornbook.inputs.theories import load
from oracles.chess.endings_run import Audit, EndingAuditor, KpkEnding, all_endings, some_endings, try_ending
from oracles.chess.theory_run import ChessTheoryTally, bases

PART = 250
"""Number of positions that one process judges before it reports."""


@cache
def auditor(rules: Path) -> EndingAuditor:
    theory = load("chess")
    return EndingAuditor(theory, rulebase.read(rules, theory))


def part(job: tuple[Path, tuple[KpkEnding, ...]]) -> Audit:
    rules, endings = job
    return auditor(rules).judge(endings)


def theory_is_true(seed: int, number: int) -> tuple[ChessTheoryTally, list[str]]:
    """Return a tally of the theory's statements about some positions, and the false ones."""
    tally, false = ChessTheoryTally(), list[str]()
    whole = bases("chess")
    for ending in some_endings(f"{seed} chess endings", number):
        try_ending(whole, ending, tally, false)
    return tally, false + tally.false + tally.wrong + tally.not_framed


def main(arguments: list[str] | None = None) -> int:
    parser = study.options(__doc__, theory=500, seed=1, jobs=1)
    parser.add_argument("rules", type=Path)
    parser.add_argument("--sample", type=int, help="so many positions at random, the pawn of either side")
    parser.add_argument("--other", help="only positions with the king alone on one of these squares")
    given = parser.parse_args(arguments)
    this = study.Study(__file__, given)
    tally, false = theory_is_true(given.seed, given.theory)
    sampled = given.sample is not None
    endings = some_endings(f"{given.seed} rules", given.sample) if sampled else list(all_endings())
    if given.other:
        corners = {chess.parse_square(name) for name in given.other.split(",")}
        endings = [ending for ending in endings if ending.other in corners]
    jobs = [(given.rules, tuple(endings[start : start + PART])) for start in range(0, len(endings), PART)]
    matching = time.monotonic()
    total = this.shared(part, jobs, Audit())
    taken = time.monotonic() - matching
    text = (
        f"the theory: {tally.positions} positions, {sum(tally.kinds.values())} moves, {tally.concluded} "
        "facts after them,"
        f" {len(false)} statements false\n"
        f"the rules: {report(total)}"
        f"{1000 * taken * given.jobs / max(total.positions, 1):.2f} ms a position, with the judging\n"
    )
    return this.finish(text, [*false, *total.wrong], [f"chess {chess.__version__}"])


def report(total: Audit) -> str:
    """Return the positions and answers by plies, and the conclusions by rule."""
    won, answered = total.won.total(), total.answered.total()
    share = 100 * answered / max(won, 1)
    lines = [
        f"{total.positions} positions, {won} of them won; {answered} answered ({share:.1f} %)",
        f"{total.conclusions} conclusions, {len(total.wrong)} of them wrong",
        "",
        "plies       won  answered      %",
    ]
    lines += [
        f"{plies:>5}{number:>10}{total.answered[plies]:>10}{100 * total.answered[plies] / number:>7.1f}"
        for plies, number in sorted(total.won.items())
    ]
    lines += ["", f"{'rule':32}conclusions"]
    lines += [f"{rule:32}{number:>11}" for rule, number in sorted(total.fired.items())]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    raise SystemExit(main())
