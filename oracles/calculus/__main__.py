"""Compile the proof of the calculus with Coq, extract the checker, and compare it with the project's.

A source of the proof is compiled again only if it, a source that it requires, or Coq has changed. The result
is compared with the record of the run that checked the proof, `proved.jsonl`; `--write` writes the record
anew.

Both checkers judge the shipped certificates, the small theories of every kind of proof, proofs by cases in
random theories, and all attacks. They also judge the rules that `--rules` names, each separately, with its
lemmas assumed. Then they judge as many mutated certificates of each group; of the rules from `--rules`, a
tenth as many.

The exit code is 1 if the two checkers disagree, or if the proof or its record is wrong. A certificate that
the extracted checker does not cover is no disagreement.

    python -m oracles.calculus [--write] [--mutants 2000] [--seed 1] [--theories 5] [--rules go=RULES.horn …]
        [--output benchmarks/results/calculus.txt]
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import hornbook
from benchmarks.fuzz.second_reader import learned
from oracles.calculus.building import RECORD, TOOLS, built, digests, head, rows
from oracles.calculus.comparing import (
    CheckerTally,
    compare_attacks,
    compare_mutants,
    compare_rules,
    compare_separately,
    random_proofs,
    shipped,
)
from oracles.coq.record import compare
from oracles.coq.tools import UnprovedError, advice, missing
from oracles.proofs.random_worlds import RandomSets, RandomWorlds


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m oracles.calculus",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--mutants", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--theories", type=int, default=5, help="random theories of each of two kinds")
    parser.add_argument("--rules", nargs="*", default=[], metavar="THEORY=RULES.horn")
    parser.add_argument("--write", action="store_true", help=f"write {RECORD.name}")
    parser.add_argument("--output", type=Path)
    given = parser.parse_args(arguments)
    if lacking := missing(*TOOLS):
        print(advice(lacking), file=sys.stderr)
        return 2
    tally = CheckerTally()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        try:
            checker = built(folder)
        except UnprovedError as wrong:
            print(f"not proved: {wrong}")
            return 1
        if checker.sources != digests():
            print("the sources changed during the run")
            return 1
        message, recorded = compare(RECORD, [head(), *rows()], write=given.write)
        if message:
            print(message)
        program = checker.program
        compiled = _seconds()
        groups = dict(shipped())
        compare_rules(program, folder, tally, groups)
        for name, _, path in (each.partition("=") for each in given.rules):
            separate = {f"{name}, learned": learned(name, Path(path))}
            compare_separately(program, folder, tally, separate)
            compare_mutants(
                program, folder, tally, separate, given.mutants // 10, given.seed, assume_lemmas=True
            )
        for name, worlds in (("random theories", RandomWorlds), ("random theories of sets", RandomSets)):
            some = {name: list(random_proofs(worlds, given.theories, given.seed))}
            compare_rules(program, folder, tally, some)
            compare_mutants(program, folder, tally, some, given.mutants, given.seed, assume_lemmas=True)
        compare_attacks(program, folder, tally)
        compare_mutants(program, folder, tally, groups, given.mutants, given.seed)
    compared = _seconds() - compiled
    text = report(tally, given, compiled, compared)
    print(text, end="")
    if given.output is not None:
        given.output.write_text(text, encoding="utf-8")
    return 1 if tally.disagreements or not recorded else 0


def _seconds() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def report(tally: CheckerTally, given: argparse.Namespace, compiled: float, compared: float) -> str:
    coq = subprocess.run(["coqc", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split(
        "\n"
    )[0]
    ocaml = subprocess.run(
        ["ocamlfind", "ocamlopt", "-version"], stdout=subprocess.PIPE, text=True, check=True
    )
    options = f"--mutants {given.mutants} --seed {given.seed} --theories {given.theories}"
    rules = f" --rules {' '.join(given.rules)}" if given.rules else ""
    lines = [
        f"command: python -m oracles.calculus {options}{rules}",
        (
            f"hornbook {hornbook.__version__}, Python {platform.python_version()}, {coq}, OCaml "
            f"{ocaml.stdout.strip()}"
        ),
        f"processor seconds: {compiled:.0f} to compile, {compared:.0f} to compare",
        "",
        (
            f"{'':34}{'both accept':>13}{'both refuse':>13}{'not covered, of accepted':>26}"
            f"{'of refused':>12}{'disagree':>10}"
        ),
    ]
    for group, counts in tally.counts.items():
        apart = counts[True, "refused"] + counts[False, "accepted"]
        lines.append(
            f"{group:34}{counts[True, 'accepted']:13}{counts[False, 'refused']:13}"
            f"{counts[True, 'not covered']:26}{counts[False, 'not covered']:12}{apart:10}"
        )
    lines += ["", "not covered, and why:"]
    for group, why in tally.why.items():
        lines += [
            f"  {group}: {n} {verdict.partition(': ')[2]}"
            for verdict, n in why.most_common()
            if ": " in verdict
        ]
    if tally.disagreements:
        lines += ["", "disagreements:", *tally.disagreements[:20]]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
