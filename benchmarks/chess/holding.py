"""Share of king and pawn against king that is drawn by a learned and proved invariant.

With `--learn`, the clauses of `held` are first learned from half of the drawn positions
(`oracles/chess/holding.py`), and written to the theory `holding`. The half is random, and a position and its
mirror image are in the same half. The study proves that `held` of the theory `lone_king` is an invariant
(`oracles/chess/lone_king_proofs.py`), clause by clause, and reads the proofs back from the file. Then each
drawn or won position of the table is checked, with either side to move. The study counts the positions that
are `held`, and those where the lone king takes the pawn, is stalemated, or steps by a rule to a `held`
position. It reports the half that is not used for learning separately. For `--sample` positions, the theory
itself and the rules are queried, as a knowledge base matches them. The exit code is 1 if such a position is
won, or if a clause is not proved.

Usage:

    python benchmarks/chess/holding.py [--learn] [--least 60] [--tries 60] [--into held.horn]
        [--sample 2000] [--chains 8] [--seed 1] [--output benchmarks/results/chess-holding.txt]
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
from hornbook.compiler.trust.invariants import invariants
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import GameStatement
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.proofs import proofs_path
from oracles.chess.ending_claims import Reached
from oracles.chess.endings_run import some_endings
from oracles.chess.holding import HoldingLearner, LoneKingRounds, one_half, theory_of
from oracles.chess.lone_king import ALL, Mask, drawn
from oracles.chess.lone_king_proofs import answered_by, clauses_of, points_of, prove
from oracles.chess.lone_king_run import HOLDING, THEORY, check_rules, place


def shares(invariant: Mask, answered: Mask, chains: int) -> Iterator[str]:
    """Yield the number of drawn positions that are answered, with chains of up to `chains`
    moves of each side.
    """
    first, other = drawn(first=True), drawn(first=False)
    whole = [int(each.sum()) for _, each in (first, other)]
    reached = Reached.of([
        (*place(point), is_first)
        for claimed, is_first, (_, of_table) in ((invariant, True, first), (answered, False, other))
        for point in ALL[:, claimed & of_table].T.tolist()
    ])  # fmt: skip
    yield (
        f"{'chains of':12}{'pawn to move, of':>18} {whole[0]}{'other to move, of':>20} {whole[1]}{'both':>10}"
    )
    for level in range(chains + 1):
        numbers = int(reached.friend.sum()), int(reached.other.sum())
        cells = [f"{n:>12}{study.share(n, of):>9}" for n, of in zip(numbers, whole, strict=True)]
        yield f"{level:<12}{cells[0]:>24}{cells[1]:>26}{study.share(sum(numbers), sum(whole)):>10}"
        reached = reached.drawn_a_move_earlier()


def by_half(invariant: Mask, answered: Mask, chosen: Mask) -> Iterator[str]:
    """Yield the number of drawn positions that are answered in one match, of either half and of both."""
    yield f"{'one match':12}{'pawn to move':>30}{'other to move':>26}{'both':>10}"
    for name, half in (("learned from", chosen), ("held out", ~chosen), ("all", np.ones_like(chosen))):
        tables = [(drawn(first=first)[1] & half) for first in (True, False)]
        numbers = [int((t & m).sum()) for t, m in zip(tables, (invariant, answered), strict=True)]
        whole = [int(t.sum()) for t in tables]
        cells = [f"{n:>9} of {of}{study.share(n, of):>9}" for n, of in zip(numbers, whole, strict=True)]
        yield f"{name:12}{cells[0]:>30}{cells[1]:>26}{study.share(sum(numbers), sum(whole)):>10}"


def of_rules(base: RuleBase, theory: Theory) -> Iterator[str]:
    """Yield the rules by conclusion, and the lengths of their certificates."""
    kinds = {"hold is IG": 0, "hold by flee is GI": 0, "one of two cases": 0}
    steps = 0
    for entry in base:
        head = entry.rule.head
        kind = "one of two cases"
        if isinstance(head, GameStatement):
            kind = "hold is IG" if head.by is None else "hold by flee is GI"
        kinds[kind] += 1
        steps += 0 if entry.certificate is None else len(entry.certificate.all_steps)
    for kind, number in kinds.items():
        yield f"{kind:24}{number:>6} rules"
    yield f"{'steps of certificates':24}{steps:>6}"


def main(arguments: list[str] | None = None) -> int:
    parser = study.options(__doc__, least=60, tries=60, sample=2_000, chains=8, seed=1)
    parser.add_argument("--learn", action="store_true", help="learn the clauses, and write them first")
    parser.add_argument("--into", type=Path, help="where the rules are kept, with their proofs beside them")
    given = parser.parse_args(arguments)
    this = study.Study(__file__, given)
    random = np.random.default_rng(given.seed)
    chosen = one_half(random)
    began = time.process_time()
    if given.learn:
        learner = HoldingLearner(LoneKingRounds(), drawn(first=True)[1] & chosen, random, given.tries)
        learner.learn(given.least)
        HOLDING.write_text(theory_of(learner.boxes), encoding="utf-8")
    learning = time.process_time() - began
    theory = load(THEORY)
    began = time.process_time()
    base = prove(theory, (), drawn(first=False)[1] & chosen, given.least)
    proving = time.process_time() - began
    with tempfile.TemporaryDirectory() as folder:
        path = given.into or Path(folder) / "held.horn"
        rulebase.write(base, path)
        began = time.process_time()
        again = rulebase.read(path, theory)
        verifying = time.process_time() - began
        size = path.stat().st_size + proofs_path(path).stat().st_size
    (found,) = invariants(theory, (entry.rule for entry in again if entry.is_certified))
    invariant = np.any(list(points_of(clauses_of(theory)).values()), axis=0)
    answered = answered_by(again)
    wrong: list[object] = list(found.unproved)
    for claimed, is_first in ((invariant, True), (answered, False)):
        legal, of_table = drawn(first=is_first)
        wrong += ALL[:, claimed & legal & ~of_table].T.tolist()
    lines = [
        (
            f"`{found.words[0]}` is restored in `{found.game}`: {len(found.proved)} clauses proved, "
            f"{len(found.unproved)} not"
        ),
        *of_rules(again, theory),
        (
            f"{learning:.0f} seconds of the processor to learn, {proving:.0f} to prove, "
            f"{verifying:.0f} to verify, {size / 1e6:.1f} MB of text"
        ),
        "",
        *by_half(invariant, answered, chosen),
        "",
        *shares(invariant, answered, given.chains),
    ]
    if given.sample:
        claims = check_rules(theory, again, some_endings(f"{given.seed} held", given.sample))
        wrong += claims.wrong
        lines += ["", *claims.lines()]
    return this.finish("\n".join(lines) + "\n", wrong)


if __name__ == "__main__":
    raise SystemExit(main())
