"""Grounding of every sheet of a folder, compared with clingo's grounder on fluents and moves.

Each sheet has limits of `--most` processor seconds and 4 GB, for each way in a separate process. The output
per sheet is processor seconds and megabytes of ours, its fluents, moves, atoms, rules and conditions. With at
most 100,000 rules, it also has clingo's seconds, and whether both find the same fluents and moves possible.
The word `fewer` means that ours excludes some of clingo's, because it removes impossible ones again after
constants have vanished.
"""

from __future__ import annotations

import os
import pickle
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import clingo

from benchmarks.study import Study, options
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.gdl.coding import CodedGame
from hornbook.planner.gdl.game import program_of
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.grounding.grounding import ground
from oracles.gdl.clingo_domains import possible

MOST_BYTES = 4 * 2**30
LIMITS = Limits(facts=10_000_000, seconds=None, bytes=3 * 2**30)
MOST_COMPARED = 100_000
"""Maximal number of rules of a sheet for the comparison with clingo."""
Domain = set[tuple[Ground, ...]]
Found = tuple[float, Domain, tuple[int, ...]]
"""Processor seconds, the fluents and moves, and the numbers of atoms, rules and conditions."""


def ours(program: CodedGame) -> Found:
    began = time.process_time()
    found = ground(program, LIMITS)
    took = time.process_time() - began
    domain: Domain = {(fluent,) for fluent in found.fluents}
    for role, moves in zip(found.roles, found.moves, strict=True):
        domain.update((role, move) for move in moves)
    conditions = len(found.positive) + len(found.negative)
    return took, domain, (len(found.fluents), found.atoms, len(found.heads), conditions)


def by_clingo(program: CodedGame) -> Found:
    began = time.process_time()
    domain = possible(program)
    return time.process_time() - began, domain, ()


def separately(
    way: Callable[[CodedGame], Found], program: CodedGame, seconds: float
) -> tuple[Found | str, float]:
    """Return the result of a way in a separate process, or the reason for a missing result,
    and its megabytes.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
        most = int(time.process_time() + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        try:
            result: Found | str = way(program)
        except MemoryError:
            result = "more than 4 GB"
        except (HornbookError, RuntimeError) as problem:
            result = str(problem)
        with os.fdopen(writer, "wb") as out:
            pickle.dump(result, out)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as back:
        output = back.read()
    _, _, used = os.wait4(child, 0)
    return pickle.loads(output) if output else f"more than {seconds:g} s", used.ru_maxrss / 1024


def compared(domain: Domain, other: Found | str) -> str:
    """Return clingo's time, and whether the results agree."""
    if isinstance(other, str):
        return f"  clingo: {other}"
    answer = "same" if domain == other[1] else "fewer" if domain < other[1] else "different"
    return f"{other[0]:>10.2f}  {answer}"


def main() -> int:
    parser = options(__doc__, most=20.0)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    study = Study(__file__, given)
    titles = ("fluents", "moves", "atoms", "rules", "conditions")
    body = [
        f"{'sheet':<40}{'s':>7}{'MB':>7}{''.join(f'{title:>11}' for title in titles)}{'clingo s':>10}  domain"
    ]
    wrong, rules = [], []
    files = sorted(given.folder.rglob("*.kif"))
    for file in files:
        name = str(file.relative_to(given.folder).with_suffix(""))
        program = program_of(file.read_text(encoding="utf-8", errors="replace"), name)
        own, memory = separately(ours, program, given.most)
        line = f"{name if len(name) < 40 else file.stem:<40}"
        if isinstance(own, str):
            line += f"  {own}"
        else:
            took, domain, (fluents, atoms, count, conditions) = own
            rules.append(count)
            numbers = (fluents, len(domain) - fluents, atoms, count, conditions)
            line += f"{took:>7.2f}{memory:>7.0f}{''.join(f'{number:>11,}' for number in numbers)}"
            if count <= MOST_COMPARED:
                other, _ = separately(by_clingo, program, given.most)
                comparison = compared(domain, other)
                line += comparison
                if comparison.endswith("different"):
                    wrong.append(line)
        body.append(line)
        print(line, file=sys.stderr, flush=True)
    body += [
        "",
        (
            f"{len(files)} sheets, {len(rules)} grounded; rules: median {median(rules):,.0f}, most "
            f"{max(rules):,}"
        ),
        "",
    ]
    return study.finish("\n".join(body), wrong, [f"clingo {clingo.__version__}"])


if __name__ == "__main__":
    sys.exit(main())
