"""Transitive closure by the plain engine and by pyDatalog.

Each run has its own process. Its processor time is measured from the edges as a list to all pairs as a list,
without the start of the process and the imports. The pairs of all engines are compared before timing.

The option `--write` writes the table to benchmarks/results/closure_reference.txt.

Usage:

    python benchmarks/language/closure_reference.py [--runs 5] [--write]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import subprocess
import sys
import warnings
from importlib.metadata import version
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

SEED = 20261121
RESULTS = Path(__file__).parents[1] / "results" / "closure_reference.txt"
CASES = {
    "chain of 50": ("chain", 50, 50),
    "chain of 100": ("chain", 100, 100),
    "chain of 200": ("chain", 200, 200),
    "random graph, 50 nodes, 75 edges": ("random", 50, 75),
    "random graph, 100 nodes, 150 edges": ("random", 100, 150),
    "random graph, 200 nodes, 300 edges": ("random", 200, 300),
}
Pairs = list[tuple[int, int]]


def edges(case: str) -> Pairs:
    kind, nodes, number = CASES[case]
    if kind == "chain":
        return [(node, node + 1) for node in range(number)]
    random = Random(SEED)
    found: set[tuple[int, int]] = set()
    while len(found) < number:
        found.add((random.randrange(nodes), random.randrange(nodes)))
    return sorted(found)


def plain_engine(given: Pairs, derivations: str = "none") -> tuple[float, Pairs]:
    # Each process imports only its own engine.
    from hornbook.matcher.program.coded import CodedPredicate, CodedRule, Fact, Match, Var  # noqa: PLC0415
    from oracles.reference.engine import ReferenceEngine  # noqa: PLC0415

    x, y, z = Var(0), Var(1), Var(2)
    rules = [
        CodedRule("step", Match(1, (x, y)), (Match(0, (x, y)),), 2),
        CodedRule("go on", Match(1, (x, z)), (Match(1, (x, y)), Match(0, (y, z))), 3),
    ]
    start = process_time()
    engine = ReferenceEngine([CodedPredicate(2), CodedPredicate(2)], derivations=derivations)
    engine.update(add=[Fact(0, pair) for pair in given], add_rules=rules)
    pairs = sorted(engine.facts(1))
    return process_time() - start, pairs


def plain_engine_with_proofs(given: Pairs) -> tuple[float, Pairs]:
    return plain_engine(given, "one")


def pydatalog(given: Pairs) -> tuple[float, Pairs]:
    warnings.simplefilter("ignore")
    from pyDatalog import pyDatalog  # noqa: PLC0415 - as above

    start = process_time()
    for pair in given:
        pyDatalog.assert_fact("edge", *pair)
    pyDatalog.load("""
        path(X, Y) <= edge(X, Y)
        path(X, Z) <= path(X, Y) & edge(Y, Z)
    """)
    pairs = sorted(pyDatalog.ask("path(X, Y)").answers)
    return process_time() - start, pairs


ENGINES = {"plain": plain_engine, "with proofs": plain_engine_with_proofs, "pyDatalog": pydatalog}


def run(engine: str, case: str) -> dict[str, object]:
    """Return the results of one run in its own process: seconds, number of pairs, digest of the pairs."""
    command = [sys.executable, __file__, "--child", engine, case]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def child(engine: str, case: str) -> None:
    seconds, pairs = ENGINES[engine](edges(case))
    digest = hashlib.sha256(repr(pairs).encode()).hexdigest()
    print(json.dumps({"seconds": seconds, "pairs": len(pairs), "digest": digest}))


def table(runs: int) -> str:
    lines = [
        f"Transitive closure: processor seconds, median of {runs} runs, each in its own process",
        f"command: python benchmarks/language/closure_reference.py --runs {runs} --write; seed {SEED}",
        f"Python {platform.python_version()}, pyDatalog {version('pyDatalog')}, {platform.machine()}",
        "plain: the plain engine; with proofs: it keeps a derivation of each pair; ratio: pyDatalog to plain",
        "",
        f"{'case':36}{'pairs':>8}{'plain':>9}{'with proofs':>13}{'pyDatalog':>11}{'ratio':>7}",
    ]
    for case in CASES:
        first = {engine: run(engine, case) for engine in ENGINES}
        assert len({answer["digest"] for answer in first.values()}) == 1, f"different pairs: {case}"
        plain, proofs, other = (
            median(run(engine, case)["seconds"] for _ in range(runs)) for engine in ENGINES
        )
        pairs = first["plain"]["pairs"]
        lines.append(f"{case:36}{pairs:>8}{plain:>9.4f}{proofs:>13.4f}{other:>11.4f}{other / plain:>7.1f}")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="write the table to benchmarks/results/")
    parser.add_argument("--child", nargs=2, metavar=("ENGINE", "CASE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        child(*arguments.child)
        return
    text = table(arguments.runs)
    print(text, end="")
    if arguments.write:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(text)


if __name__ == "__main__":
    main()
