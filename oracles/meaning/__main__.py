"""Compile the proofs that a theory's clauses are true of its game, and compare the result with the theory's
record.

The record is the file `shown.jsonl` next to the theory. A source is compiled again only if it, a source that
it requires, or Coq has changed. The exit code is 1 if a clause has no proof, or if the record differs from
this run; `--write` writes the record anew.

    python -m oracles.meaning [go …] [--write] [--output benchmarks/results/meaning.txt]
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import hornbook
from hornbook.compiler.trust.kinds import kinds
from hornbook.compiler.trust.shown import FILE
from hornbook.kb.ast.theory import Theory
from hornbook.kb.text.counts import counted
from hornbook.kb.text.writing import write_text
from oracles.coq import record
from oracles.coq.tools import UnprovedError, advice, missing, version
from oracles.meaning import records
from oracles.meaning.games import GAMES, CoqGame
from oracles.meaning.proving import TOOLS, CheckedProofs, check, digests
from oracles.meaning.statements import name, propositions

PROMISES = {"frame": "frame", "replies": "reply list", "open": "reply list", "reply": "reply rule"}
"""The kinds of statements that are neither clauses nor facts, by the first word of their names."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m oracles.meaning",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(GAMES)}; without any, all")
    parser.add_argument("--write", action="store_true", help=f"write {FILE} beside each theory")
    parser.add_argument("--output", type=Path)
    given = parser.parse_args(arguments)
    unknown = set(given.games) - GAMES.keys()
    if unknown:
        parser.error(
            f"there are no meanings of {', '.join(sorted(unknown))}; there are of {', '.join(GAMES)}"
        )
    if lacking := missing(*TOOLS):
        print(advice(lacking), file=sys.stderr)
        return 2
    lines, good = [], True
    for called in given.games or GAMES:
        report, well = _run(called, GAMES[called], write=given.write)
        lines += report
        good &= well
    lines.append(f"hornbook {hornbook.__version__}, Python {platform.python_version()}, Coq {version()}")
    print("\n".join(lines))
    if given.output:
        write_text(
            given.output,
            "\n".join([f"command: python -m oracles.meaning {' '.join(given.games)}".rstrip(), *lines, ""]),
        )
    return 0 if good else 1


def _run(called: str, game: CoqGame, *, write: bool) -> tuple[list[str], bool]:
    """Return a report on one game, and whether all its statements are proved and recorded."""
    theory = game.theory()
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as folder:
            checked = check(theory, game, Path(folder))
    except (UnprovedError, ValueError) as wrong:
        return [f"{game.name}: not proved: {wrong}"], False
    if checked.sources != digests(theory, game):
        return [f"{game.name}: the sources changed during the run"], False
    lines = [
        *_report(theory, game, checked.names),
        f"  {_compiled(checked)} in {time.monotonic() - began:.0f} s",
    ]
    found = [
        records.head(theory, game, f"python -m oracles.meaning {called} --write"),
        *records.rows(theory, game, checked.names),
    ]
    message, recorded = record.compare(records.place(theory), found, write=write)
    lines += [f"  {message}"] if message else []
    return lines, recorded and len(checked.names) == len(propositions(theory, game))


def _compiled(checked: CheckedProofs) -> str:
    new = len(checked.sources) - checked.cached
    return f"{counted(new, 'source')} compiled, {checked.cached} unchanged,"


def _report(theory: Theory, game: CoqGame, names: Sequence[str]) -> Iterator[str]:
    known = set(names)
    every: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    for rule, kind in zip(theory.rules, kinds(theory), strict=True):
        called = "lemma" if rule.lemma else kind
        every[called] += 1
        shown[called] += name(rule) in known
    of_rules = {name(rule) for rule in theory.rules}
    for each in propositions(theory, game):
        if each.name not in of_rules:
            promised = PROMISES.get(each.name.partition("_")[0], "fact")
            every[promised] += 1
            shown[promised] += each.name in known
    summary = ", ".join(f"{shown[kind]} of {every[kind]} {kind}s" for kind in every)
    yield f"{game.name}: {shown.total()} of {every.total()} statements are proved true of the game: {summary}"
    others = [each.name for each in propositions(theory, game) if each.name not in known]
    if others:
        yield f"  without a proof: {', '.join(others)}"


if __name__ == "__main__":
    sys.exit(main())
