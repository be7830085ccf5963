"""How much of king and pawn against king is won by rules that are found and proved from the rules of the ending.

Boxes of points are found one after the other (`oracles/chess/escorted.py`), by what they add of half of the positions, drawn at random. Each
is proved before the next is looked for (`oracles/chess/escorted_proofs.py`), and all proofs are verified once more at the end. Then each
position of king and pawn against king that the table calls won is looked at, either side to move: where a rule says, in one match, that
it is. Exit code 1 where a position is said to be won that is not.

    python benchmarks/chess/escorting.py [--into won.horn] [--tries 10] [--least 5] [--boxes 250] [--seconds 3600] [--sample 500]
        [--seed 1] [--output benchmarks/results/chess-escorting.txt]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from benchmarks import study
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.verification import verify_all
from hornbook.kb.ast.terms import GameStatement
from hornbook.kb.load.loader import load
from oracles.chess.endings_run import some_endings
from oracles.chess.escorted import Finder, both_ways, of_table, plies
from oracles.chess.escorted_proofs import Prover
from oracles.chess.escorted_run import THEORY, asked
from oracles.chess.king_and_pawn import UnprovedError
from oracles.chess.lone_king import ALL, Mask


def by_plies(said: dict[bool, Mask]) -> Iterator[str]:
    """How many positions are answered, by the plies that the table gives."""
    tables = {first: of_table(first=first)[1] for first in (True, False)}
    whole = sum(int(won.sum()) for won in tables.values())
    answered = sum(int((said[first] & won).sum()) for first, won in tables.items())
    yield f"{whole} positions won, {answered} answered in one match ({study.share(answered, whole).strip()})"
    for first, who in ((True, "the pawn's side"), (False, "the king alone")):
        won = tables[first]
        numbers = int(won.sum()), int((won & said[first]).sum())
        yield f"{who + ' to move':28}{numbers[0]:>8}{numbers[1]:>10}{study.share(numbers[1], numbers[0]):>10}"
    yield ""
    yield "plies       won  answered"
    known = {first: plies(first=first) for first in tables}
    for number in range(1, max(int(known[first][won].max()) for first, won in tables.items()) + 1):
        here = {first: won & (known[first] == number) for first, won in tables.items()}
        total = sum(int(each.sum()) for each in here.values())
        found = sum(int((each & said[first]).sum()) for first, each in here.items())
        yield f"{number:>5}{total:>10}{found:>10}{study.share(found, total):>10}"


def of_rules(base: RuleBase) -> Iterator[str]:
    """The rules by what they say, how much they ask for, and how long their certificates are."""
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


def main(arguments: list[str] | None = None) -> int:
    parser = study.options(__doc__, tries=10, least=5, boxes=250, seconds=3_600, sample=500, seed=1)
    parser.add_argument("--into", type=Path, help="where the rules are kept, with their proofs beside them")
    given = parser.parse_args(arguments)
    this = study.Study(__file__, given)
    began = time.process_time()
    prover, random = Prover(load(THEORY)), np.random.default_rng(given.seed)
    tables = {first: of_table(first=first) for first in (True, False)}
    chosen_by = (random.random((2, ALL.shape[1])) < 1 / 2) & np.stack([tables[False][1], tables[True][1]])
    prover.promote(20)
    finder = Finder(prover.board, both_ways(prover.won()), chosen_by, random, given.tries)
    for number, box in enumerate(finder.find(given.least), 1):
        try:
            prover.win(f"won_{number}", box)
        except UnprovedError:
            finder.refuse(box, both_ways(prover.won()))
        if number == given.boxes or time.process_time() - began > given.seconds:
            break
    said = {False: prover.won(), True: prover.cover(chosen_by[1], given.least)}
    proving = time.process_time() - began
    base = prover.rules()
    with tempfile.TemporaryDirectory() as folder:
        kept = given.into or Path(folder) / "won.horn"
        rulebase.write(base, kept)
        size = kept.stat().st_size + rulebase.proofs_path(kept).stat().st_size
    began = time.process_time()
    verdicts = list(verify_all(base, prover.proofs.theory))
    verifying = time.process_time() - began
    wrong: list[object] = [verdict.entry.rule.name for verdict in verdicts if not verdict.follows]
    for first, (legal, won) in tables.items():
        wrong += ALL[:, said[first] & legal & ~won].T.tolist()
    lines = [
        *of_rules(base),
        f"{proving:.0f} seconds of the processor to find and prove, {verifying:.0f} to verify, {size / 1e6:.1f} MB of text",
        f"{len(finder.refused)} boxes left out, without a proof",
        f"{len(wrong)} positions wrong",
        "",
        *by_plies(said),
    ]
    if given.sample:
        told = asked(prover.proofs.theory, base, some_endings(f"{given.seed} won", given.sample))
        wrong += told.wrong
        lines += ["", *told.lines()]
    return this.finish("\n".join(lines) + "\n", wrong)


if __name__ == "__main__":
    raise SystemExit(main())
