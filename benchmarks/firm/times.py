"""Cost of advice to a firm: adding facts, querying rules, solving for amounts, and finding conflicts.

Times are medians of processor time over firms; the first tenth of the firms only warms up. Random firms are
those of `benchmarks/firm/advice.py`, the others the shipped months.

Usage:

    python -m benchmarks.firm.times [--firms 200] [--seed 1] [--output benchmarks/results/firm-times.txt]
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, options, timed
from hornbook.advice.advising import StateAdviser, adviser_with
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.sources.files import read_text
from hornbook.theories.firm import adapter
from oracles.firm.random_firms import random_firm

Facts = Sequence[GroundFact]


def main() -> int:
    this = Study(__file__, options(__doc__, firms=200, seed=1).parse_args())
    random = Random(this.given.seed)
    read, theory = timed(load, "firm")
    made, adviser = timed(adviser_with, theory, None)
    assert adviser is not None
    assert theory.path is not None
    firms = [tuple(adapter.facts(random_firm(random))) for _ in range(this.given.firms)]
    months = [
        tuple(adapter.facts(adapter.read(read_text(path), str(path))))
        for path in sorted((theory.path.parent / "examples").glob("*/[01]*.csv"))
    ]
    for facts in firms[: len(firms) // 10]:
        adviser.advise(facts)
    rows = [
        ("reading the theory", read),
        (f"reading and checking {len(adviser.rules)} rules, and making them ready", made),
        ("a random firm: facts in, and out again", median(in_and_out(adviser, firms))),
        ("a random firm: all advice", median(advised(adviser, firms))),
        ("a month that ships: all advice", median(advised(adviser, months))),
    ]
    lines = [f"{'':<64}{'milliseconds':>14}"]
    lines += [f"{name:<64}{1e3 * seconds:>14.3f}" for name, seconds in rows]
    sizes = [f"{median(map(len, each)):.0f} facts" for each in (firms, months)]
    lines.append(f"\n{len(firms)} random firms of {sizes[0]}, {len(months)} months of {sizes[1]} (medians)")
    return this.finish("\n".join(lines) + "\n")


def in_and_out(adviser: StateAdviser, firms: Iterable[Facts]) -> list[float]:
    def once(facts: Facts) -> None:
        adviser.base.push()
        adviser.base.add(facts)
        adviser.base.pop()

    return [timed(once, facts)[0] for facts in firms]


def advised(adviser: StateAdviser, firms: Iterable[Facts]) -> list[float]:
    return [timed(adviser.advise, facts)[0] for facts in firms]


if __name__ == "__main__":
    sys.exit(main())
