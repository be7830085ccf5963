"""Mutated proofs by cases: every mutant that the checker accepts must hold in all states.

The second reader must agree. In random theories of two things (`oracles/proofs/random_worlds.py`), random
rules are proved. Each proof by cases is mutated in the rule, the certificate or both. A mutant that the
checker accepts is tested against all states with all actions. The exit code is 1 if one is wrong, or if the
two readers differ. The result is rewritten after each theory.

With `--sets 1` the theories have closed sets with counts, and recursive predicates, so that proofs use
universal introduction and induction.

Usage:

    python -m benchmarks.fuzz.cases [--mutants 1000000] [--seed 1]
        [--output benchmarks/results/certificate-cases.txt]
    python -m benchmarks.fuzz.cases --sets 1 [--mutants 1000000] [--seed 1]
        [--output benchmarks/results/certificate-members.txt]
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, options
from hornbook.compiler.checker.checker import RejectedError
from hornbook.compiler.prove.by_hand import prove
from hornbook.compiler.rules.certificates import certificate_as_json
from hornbook.kb.format.printer import print_rule
from oracles.proofs.random_worlds import RandomSets, RandomWorlds
from oracles.proofs.two_readers import Both, CertifiedCase, bent

RULES = 40
"""Number of rules that are tried in each theory."""
OF_EACH = 400
"""Number of mutants of each proof by cases."""
OF_EACH_WITH_SETS = 1000
"""Number of mutants of each proof by universal introduction or induction, in theories with sets.

Other proofs by cases get a tenth of it there.
"""


def proofs(worlds: RandomWorlds, both: Both, random: Random) -> Iterator[CertifiedCase]:
    """Yield the proofs by cases of random rules of a theory."""
    for _ in range(RULES):
        rule = worlds.rule(random)
        try:
            found = prove(rule, worlds.theory, {})
        except RejectedError:
            continue
        if found.cases is not None:
            data = json.loads(json.dumps(certificate_as_json(found)))
            yield CertifiedCase(both, rule, both.form(rule), data, found.steps)


def main() -> int:
    this = Study(__file__, options(__doc__, mutants=1_000_000, seed=1, sets=0).parse_args())
    random, counts = Random(this.given.seed), Counter[str]()
    names = (
        "theories",
        "proofs by cases",
        *(("of any one member", "by induction") if this.given.sets else ()),
        "mutants",
        "refused",
        "accepted",
        "wrong",
        "the two readers differ",
    )

    def result() -> str:
        return "\n".join(f"{name:<24}{counts[name]:>10,}" for name in names)

    while counts["mutants"] < this.given.mutants:
        worlds = RandomSets(random) if this.given.sets else RandomWorlds(random)
        both = Both.of_texts(worlds.theory, [worlds.text])
        refutation = cache(worlds.refutation)  # most mutants of a proof have the same rule
        counts["theories"] += 1
        of_each = OF_EACH_WITH_SETS if this.given.sets else OF_EACH
        for case in proofs(worlds, both, random):
            counts["proofs by cases"] += 1
            text = json.dumps(case.data)
            of_members, by_induction = '"members"' in text, '"~"' in text
            counts["of any one member"] += of_members
            counts["by induction"] += by_induction
            few = this.given.sets and not (of_members or by_induction)
            for _ in range(of_each // 10 if few else of_each):
                rule, form, data = bent(case, random)
                verdicts = both.verdicts(rule, data, form)
                counts["mutants"] += 1
                counts["the two readers differ"] += not verdicts.agree
                if not verdicts.agree:
                    print(f"{worlds.text}\n{print_rule(rule)}\n{json.dumps(data)}\n{verdicts}", flush=True)
                if verdicts.checker:
                    counts["refused"] += 1
                    continue
                counts["accepted"] += 1
                reached = data.get("reached") is True
                if refutation(rule, reached=reached) is not None:
                    counts["wrong"] += 1
                    print(f"WRONG\n{worlds.text}\n{print_rule(rule)}\n{json.dumps(data)}", flush=True)
        this.write(result())
    wrong = ["see above"] * (counts["wrong"] + counts["the two readers differ"])
    return this.finish(result(), wrong)


if __name__ == "__main__":
    sys.exit(main())
