"""Share of king and pawn against king that is won by rules found and proved from the rules of the ending.

Boxes of points are found one after the other (`oracles/chess/escorted.py`), by how much they add to half of
the positions, drawn at random. Each is proved before the search for the next one
(`oracles/chess/escorted_proofs.py`), and all proofs are verified again at the end. Then the study counts the
won positions of the table, with either side to move, whose win a rule concludes in one match. After every
hundred boxes the new rules and the intermediate result are written; existing files are continued. The exit
code is 1 if a position is wrongly concluded to be won.

Usage:

    python benchmarks/chess/escorting.py [--into won.horn] [--tries 30] [--least 5] [--boxes 10000]
        [--seconds 3600] [--sample 500] [--seed 1] [--output benchmarks/results/chess-escorting.txt]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from benchmarks import study
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase, rule_base
from hornbook.compiler.rules.verification import verify_all
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import GameStatement
from hornbook.kb.sources.collector import collector_paused
from hornbook.kb.sources.proofs import proofs_path
from oracles.chess.endings_run import some_endings
from oracles.chess.escorted import Finder, both_ways, of_table, plies
from oracles.chess.escorted_proofs import BoxProver
from oracles.chess.escorted_run import THEORY, check_rules
from oracles.chess.king_and_pawn import UnansweredMoveError
from oracles.chess.lone_king import ALL, Mask


def by_plies(masks: dict[bool, Mask]) -> Iterator[str]:
    """Yield the number of positions that are answered, by the plies of the table."""
    tables = {first: of_table(first=first)[1] for first in (True, False)}
    whole = sum(int(won.sum()) for won in tables.values())
    answered = sum(int((masks[first] & won).sum()) for first, won in tables.items())
    yield f"{whole} positions won, {answered} answered in one match ({study.share(answered, whole).strip()})"
    for first, who in ((True, "the pawn's side"), (False, "the king alone")):
        won = tables[first]
        numbers = int(won.sum()), int((won & masks[first]).sum())
        yield f"{who + ' to move':28}{numbers[0]:>8}{numbers[1]:>10}{study.share(numbers[1], numbers[0]):>10}"
    yield ""
    yield "plies       won  answered"
    known = {first: plies(first=first) for first in tables}
    for number in range(1, max(int(known[first][won].max()) for first, won in tables.items()) + 1):
        here = {first: won & (known[first] == number) for first, won in tables.items()}
        total = sum(int(each.sum()) for each in here.values())
        found = sum(int((each & masks[first]).sum()) for first, each in here.items())
        yield f"{number:>5}{total:>10}{found:>10}{study.share(found, total):>10}"


def of_rules(base: RuleBase) -> Iterator[str]:
    """Yield the rules by conclusion, the sizes of their bodies, and the lengths of their certificates."""
    kinds = {"win is IG": 0, "win by a move is GI": 0, "one of two cases": 0}
    for entry in base:
        head = entry.rule.head
        kind = "one of two cases"
        if isinstance(head, GameStatement):
            kind = "win is IG" if head.by is None else "win by a move is GI"
        kinds[kind] += 1
    for kind, number in kinds.items():
        yield f"{kind:24}{number:>6} rules"
    yield f"{'most conditions':24}{max(len(entry.rule.body) for entry in base):>6}"
    steps = sum(len(entry.certificate.all_steps) for entry in base if entry.certificate is not None)
    yield f"{'steps of certificates':24}{steps:>6}"


@dataclass(slots=True)
class ProvedRules:
    """Proved rules, in files that each depend on the previous ones, and the positions that they
    conclude to be won.
    """

    prover: BoxProver
    into: Path
    started: float
    """Processor time at the start of the search for the first box."""
    sizes: list[int] = field(default_factory=list)
    rules: int = 0

    def read(self) -> None:
        """Read the existing files and continue from them."""
        while (file := self._file(len(self.sizes) + 1)).exists():
            self.prover.know(rulebase.read(file, self.prover.proofs.theory, verify=False))
            self._written(file)

    def _file(self, number: int) -> Path:
        return self.into.with_stem(f"{self.into.stem}-{number}")

    def _written(self, file: Path) -> None:
        self.sizes.append(file.stat().st_size + proofs_path(file).stat().st_size)
        self.rules = len(self.prover.proofs.entries)

    def keep(self) -> None:
        """Write the new rules."""
        entries = self.prover.proofs.entries[self.rules :]
        file = self._file(len(self.sizes) + 1)
        rulebase.write(rule_base(self.prover.proofs.theory.name, entries), file)
        self._written(file)

    @property
    def claims(self) -> dict[bool, Mask]:
        return {False: self.prover.won(), True: self.prover.led}

    def wrong(self) -> list[object]:
        """Return the positions that are wrongly concluded to be won."""
        found: list[object] = []
        for first, masks in self.claims.items():
            legal, won = of_table(first=first)
            found += ALL[:, masks & legal & ~won].T.tolist()
        return found

    def lines(self, refused: int, wrong: int) -> Iterator[str]:
        yield from of_rules(self.prover.rules())
        yield (
            f"{time.process_time() - self.started:.0f} seconds of the processor so far,"
            f" {sum(self.sizes) / 1e6:.1f} MB of text in {len(self.sizes)} files"
        )
        yield from (f"{refused} boxes left out, without a proof", f"{wrong} positions wrong", "")
        yield from by_plies(self.claims)


def main(arguments: list[str] | None = None) -> int:
    parser = study.options(__doc__, tries=30, least=5, boxes=10_000, seconds=3_600, sample=500, seed=1)
    parser.add_argument("--into", type=Path, help="what the files of rules are called; -1, -2, ... is added")
    given = parser.parse_args(arguments)
    this = study.Study(__file__, given)
    prover, random = BoxProver(load(THEORY)), np.random.default_rng(given.seed)
    won = np.stack([of_table(first=first)[1] for first in (False, True)])
    chosen_by = (random.random(won.shape) < 1 / 2) & won
    with tempfile.TemporaryDirectory() as folder, collector_paused():
        proved = ProvedRules(prover, given.into or Path(folder) / "won.horn", time.process_time())
        proved.read()
        if not prover.points:
            prover.promote(20)
        finder = Finder(prover.board, both_ways(prover.won()), chosen_by, random, prover.cases, given.tries)
        for number, box in enumerate(finder.find(given.least), 1):
            try:
                prover.win(f"won_{len(prover.proofs.entries) + 1}", box)
            except UnansweredMoveError:
                finder.refuse(box, both_ways(prover.won()))
            if number % 100 == 0:
                proved.keep()
                this.write("\n".join(proved.lines(len(finder.refused), len(proved.wrong()))) + "\n")
                answered = sum(int((each & won[int(first)]).sum()) for first, each in proved.claims.items())
                summary = (
                    f"{number} boxes, {proved.rules} rules, {study.share(answered, int(won.sum()))} answered"
                )
                print(f"{summary}, {this.seconds:.0f} seconds", file=sys.stderr, flush=True)
            if number == given.boxes or this.seconds > given.seconds:
                break
        prover.cover(chosen_by[1], given.least)
        proved.keep()
        wrong = proved.wrong()
        lines = [*proved.lines(len(finder.refused), len(wrong))]
        this.write("\n".join(lines) + "\n")
        print(f"{proved.rules} rules, {this.seconds:.0f} seconds", file=sys.stderr, flush=True)
        base, began = prover.rules(), time.process_time()
        wrong += [each.entry.rule.name for each in verify_all(base, prover.proofs.theory) if not each.follows]
        lines += ["", f"verified once more in {time.process_time() - began:.0f} seconds of the processor"]
    if given.sample:
        claims = check_rules(prover.proofs.theory, base, some_endings(f"{given.seed} won", given.sample))
        wrong += claims.wrong
        lines += ["", *claims.lines()]
    return this.finish("\n".join(lines) + "\n", wrong)


if __name__ == "__main__":
    raise SystemExit(main())
