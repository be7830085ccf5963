"""New proofs of learned rules by `hornbook rules prove`, without the example and the original proof.

RULES is a rule base that `hornbook learn` wrote for THEORY. The certificate of each rule is put aside, and
the search of `hornbook rules prove` looks for another one, with the rules of lower rank as lemmas. It tries
`--number` rules, drawn by the seed. Then each is tried without one condition, drawn too: a proof then gives a
more general rule, which the checker accepted.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.study import Study, options
from hornbook.compiler.checker.checker import Lemma, RejectedError
from hornbook.compiler.prove.by_hand import OpenError, prove
from hornbook.compiler.rules import rulebase
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory


def main() -> int:
    parser = options(__doc__, number=100, seed=1)
    parser.add_argument("rules", metavar="RULES", type=Path)
    parser.add_argument("--theory", required=True)
    chosen = parser.parse_args()
    study = Study(__file__, chosen)
    theory = load(chosen.theory)
    base = rulebase.read(chosen.rules, theory)
    lemmas = base.lemmas()
    entries = [entry for entry in base if entry.certificate is not None]
    random = Random(chosen.seed)
    drawn = random.sample(entries, min(chosen.number, len(entries)))
    whole, less = Counter[str](), Counter[str]()
    seconds: list[float] = []
    steps: list[tuple[int, int]] = []
    for entry in sorted(drawn, key=lambda e: e.rule.name):
        assert entry.certificate is not None
        below = {name: lemma for name, lemma in lemmas.items() if lemma.rank < entry.certificate.rank}
        verdict, taken, found = _tried(entry.rule, theory, below)
        whole[f"rank {entry.certificate.rank}: {verdict}"] += 1
        seconds.append(taken)
        if found:
            steps.append((found, len(entry.certificate.all_steps)))
        place = random.randrange(len(entry.rule.body))
        body = (*entry.rule.body[:place], *entry.rule.body[place + 1 :])
        less[_tried(replace(entry.rule, body=body), theory, below)[0]] += 1
    lines = [f"{len(drawn)} of {len(entries)} rules"]
    lines += [
        f"  {verdict:24}{count:5}"
        for verdict, count in sorted(whole.items(), key=lambda each: (len(each[0]), each[0]))
    ]
    lines.append(f"processor seconds a rule: median {median(seconds):.2f}, most {max(seconds):.1f}")
    if steps:
        ratio = median(a / b for a, b in steps)
        lines.append(f"steps, by those of the learner's proof: median {ratio:.2f}")
    lines.append(
        "with one condition left out: "
        + ", ".join(f"{count} {verdict}" for verdict, count in sorted(less.items()))
    )
    return study.finish("\n".join(lines) + "\n")


def _tried(rule: Rule, theory: Theory, lemmas: dict[str, Lemma]) -> tuple[str, float, int]:
    """Return the verdict on a rule, the processor seconds, and the steps of its proof."""
    started = time.process_time()
    steps = 0
    try:
        steps = len(prove(rule, theory, lemmas).all_steps)
        verdict = "proved"
    except OpenError:
        verdict = "open"
    except RejectedError:
        verdict = "no rule of the language, or given up"
    return verdict, time.process_time() - started, steps


if __name__ == "__main__":
    sys.exit(main())
