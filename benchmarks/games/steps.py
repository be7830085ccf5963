"""Common parts of the benchmarks of single games: rows of comparisons, and counted lines of play."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

from hornbook.play.native import native_of
from hornbook.theories.domain import Domain
from oracles.games.steps import ComparedTheory, StepsTally

HEAD = f"{'':<34}{'positions':>10}{'moves':>12}{'ends':>7}{'wrong':>7}{'seconds':>9}"
SECONDS = "Seconds are of the processor."
COUNTED = f"{SECONDS} The last move of a line is counted and not made."


def compared(name: str, compare: Callable[[StepsTally], None], wrong: list[str]) -> str:
    """Return the row of a comparison, and add its differences to `wrong`."""
    began, tally = time.process_time(), StepsTally()
    compare(tally)
    wrong += tally.wrong
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in sorted(tally.kinds.items()))
    row = (
        f"{name:<34}{tally.positions:>10,}{tally.moves:>12,}{tally.ends:>7,}{len(tally.wrong):>7}"
        f"{time.process_time() - began:>9.0f}   {kinds}"
    )
    print(row, file=sys.stderr, flush=True)
    return row


def by_theory(
    theory: ComparedTheory, states: Iterable[Any], seed: int, whole: int | None = None
) -> Callable[[StepsTally], None]:
    """Compare a theory with the plain implementation, after one action per position.

    In every `whole`-th position, all conclusions of its rules are compared.
    """

    def compare(tally: StepsTally) -> None:
        random = Random(seed)
        for number, state in enumerate(states):
            theory.compare(state, random, tally, whole=whole is not None and number % whole == 0)

    return compare


def lines_of_play(domain: Domain, depth: int) -> Iterator[str]:
    """Yield the numbers of lines of play from the start, and the speed of counting them."""
    beginning = native_of(domain).State(domain.write(domain.starts()[0]))
    yield f"{'depth':>5}{'lines of play':>16}{'seconds':>9}{'M a second':>12}"
    for moves in range(1, depth + 1):
        began = time.process_time()
        found = beginning.perft(moves)
        took = time.process_time() - began
        yield f"{moves:>5}{found:>16,}{took:>9.3f}{found / max(took, 1e-9) / 1e6:>12.0f}"
