"""Compiles the proofs that a theory's clauses are true of its game, and says which clauses have one. Exit code 1 where one has none, or where what is
written beside the theory (`shown.jsonl`, which `hornbook trust` reads) says otherwise.

    python -m oracles.meaning [go …] [--write] [--output benchmarks/results/meaning.txt]
"""

from __future__ import annotations

import argparse
import json
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
from hornbook.kb.text.writing import write_text
from oracles.meaning.games import GAMES, Game
from oracles.meaning.proving import UnprovedError, missing, proved, rows, version
from oracles.meaning.statements import name, propositions

PROMISES = {"frame": "frame", "replies": "reply list", "open": "reply list", "reply": "reply rule"}
"""What the first word of a name tells that is no clause and no fact."""


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
    if missing():
        print(
            f"not on this machine: {', '.join(missing())} (Debian: `apt install coq libcoq-mathcomp-ssreflect`)",
            file=sys.stderr,
        )
        return 2
    lines, good = [], True
    for called in given.games or GAMES:
        game = GAMES[called]
        theory = game.theory()
        began = time.monotonic()
        try:
            with tempfile.TemporaryDirectory() as folder:
                names = proved(theory, game, Path(folder))
        except (UnprovedError, ValueError) as wrong:
            lines.append(f"{game.name}: not proved: {wrong}")
            good = False
            continue
        lines += [*_told(theory, game, names), f"  compiled in {time.monotonic() - began:.0f} s"]
        text = "".join(f"{json.dumps(row)}\n" for row in rows(theory, game, names))
        assert theory.path is not None
        beside = theory.path.resolve().parent / FILE
        if given.write:
            write_text(beside, text)
        elif not beside.is_file():
            lines.append(f"  there is no {beside}: `--write` writes it")
            good = False
        elif beside.read_text(encoding="utf-8", errors="replace") != text:
            lines.append(f"  {beside} is of other clauses or other proofs: `--write` writes it again")
            good = False
        good &= len(names) == len(propositions(theory, game))
    lines.append(f"hornbook {hornbook.__version__}, Python {platform.python_version()}, Coq {version()}")
    print("\n".join(lines))
    if given.output:
        write_text(
            given.output,
            "\n".join([f"command: python -m oracles.meaning {' '.join(given.games)}".rstrip(), *lines, ""]),
        )
    return 0 if good else 1


def _told(theory: Theory, game: Game, names: Sequence[str]) -> Iterator[str]:
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
    told = ", ".join(f"{shown[kind]} of {every[kind]} {kind}s" for kind in every)
    yield f"{game.name}: {shown.total()} of {every.total()} statements are proved true of the game: {told}"
    others = [each.name for each in propositions(theory, game) if each.name not in known]
    if others:
        yield f"  without a proof: {', '.join(others)}"


if __name__ == "__main__":
    sys.exit(main())
