"""Comparison of the checker with the second reader of certificates, on learned rules, attacks and mutants.

The second reader (`oracles/reader/`) shares no code with the checker, and was written from the
documentation. Both judge the shipped rules and lemmas of the firm, those of `--rules`, the small theories of
every kind of proof, and all attacks. Then they judge mutants of these with a changed number, term, step,
note, proof or condition. The exit code is 1 if the two differ; each difference is printed with everything
needed to reproduce it.

Usage:

    python benchmarks/fuzz/second_reader.py [--mutants 100000] [--seed 1] [--rules go=RULES.horn …]
        [--output benchmarks/results/second_reader.txt]
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import hornbook  # noqa: E402
from benchmarks.fuzz.certificates import KIN, SETS, cases  # noqa: E402
from hornbook.compiler.rules import rulebase  # noqa: E402
from hornbook.compiler.rules.admission import rule_base  # noqa: E402
from hornbook.compiler.trust.lemma_proofs import lemma_base  # noqa: E402
from hornbook.inputs.theories import load  # noqa: E402
from hornbook.kb.ast.terms import PlanStatement  # noqa: E402
from hornbook.kb.format.printer import print_rule  # noqa: E402
from oracles.proofs.attack import attacks  # noqa: E402 - the checkout comes before what is installed
from oracles.proofs.hunt import DECLARED, REPLIES  # noqa: E402
from oracles.proofs.two_readers import Both, CertifiedCase, Verdicts, bent, cases_of  # noqa: E402

SHORTEST = 60
"""Number of certificates of a group that are mutated."""


def small() -> list[CertifiedCase]:
    """Return rules of small theories, with proofs of every form."""
    found: list[CertifiedCase] = []
    for known, text in zip(cases(firm=False), (DECLARED + REPLIES, SETS, KIN), strict=True):
        found += cases_of(Both.of_texts(known.theory, ["theory made.\n" + text]), known.base)
    return found


def learned(name: str, rules: Path | None = None) -> list[CertifiedCase]:
    """Return the certified rules of a shipped theory."""
    theory = load(name)
    assert theory.path is not None
    base = rulebase.read(rules or theory.path.with_name("rules.horn"), theory)
    return list(cases_of(Both.shipped(theory, name), base))


def lemmas(name: str) -> list[CertifiedCase]:
    """Return the certified lemmas of a shipped theory in dependency order, as rules of the theory
    without its lemmas.
    """
    theory = load(name)
    entries = [e for e in lemma_base(theory) if e.certificate is not None and e.is_certified]
    entries.sort(key=lambda e: e.certificate.rank if e.certificate is not None else 0)
    base = rule_base(name, (replace(e, rule=replace(e.rule, lemma=False)) for e in entries))
    return list(
        cases_of(Both(theory.without_lemmas(), Both.shipped(theory, name).read.without_lemmas()), base)
    )


def shown(case: CertifiedCase, verdicts: Verdicts, rule: str, data: object) -> str:
    lines = [f"checker: {verdicts.checker or 'accepts'}", f"reader: {verdicts.reader or 'accepts'}"]
    return "\n".join([*lines, rule, json.dumps(data), f"(of {print_rule(case.rule)})"])


class ReaderComparison:
    """Comparisons so far."""

    def __init__(self, most: int = 20) -> None:
        self.counts: dict[str, Counter[str]] = {}
        self.differences: list[str] = []
        self.most = most

    def take(self, kind: str, verdicts: Verdicts, show: str) -> None:
        counts = self.counts.setdefault(kind, Counter())
        counts["accepted" if not verdicts.checker else "refused"] += 1
        counts["not decided"] += not verdicts.decided
        if not verdicts.agree:
            counts["differences"] += 1
            if len(self.differences) < self.most:
                self.differences.append(f"{kind}\n{show}")
                print(self.differences[-1], "\n", file=sys.stderr, flush=True)

    def as_they_are(self, kind: str, found: Sequence[CertifiedCase]) -> None:
        for case in found:
            verdicts = case.both.verdicts(case.rule, case.data, case.form)
            self.take(kind, verdicts, shown(case, verdicts, "", case.data))

    def attacks(self) -> None:
        for attack in attacks():
            both = Both.of_texts(attack.theory, [attack.theory_text, attack.stated])
            for forged in attack.rules:
                data = json.loads(json.dumps(forged.written_certificate(attack.theory, both.lemmas)))
                verdicts = both.verdicts(forged.rule, data)
                # Plans are beyond the second reader, but it has to notice that no value depends on one.
                if not isinstance(forged.rule.head, PlanStatement):
                    self.take("attacks", verdicts, f"{attack.name}: {verdicts}\n{json.dumps(data)}")
                if verdicts.checker:
                    break  # later ones depend on it
                both.add(forged.rule, forged.certificate(attack.theory, both.lemmas))

    def mutants(self, groups: Sequence[Sequence[CertifiedCase]], number: int, seed: int) -> None:
        for place in range(number):
            random = Random(f"{seed} {place}")
            case = random.choice(random.choice(groups))
            rule, form, data = bent(case, random)
            verdicts = case.both.verdicts(rule, data, form)
            self.take(
                "mutants",
                verdicts,
                f"mutant {place} of seed {seed}\n" + shown(case, verdicts, print_rule(rule), data),
            )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mutants", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", nargs="*", default=[], metavar="THEORY=RULES.horn")
    parser.add_argument("--output", type=Path)
    given = parser.parse_args(arguments)
    started, run = time.process_time(), ReaderComparison()
    known = {"small theories": small(), "firm": learned("firm"), "firm, lemmas": lemmas("firm")}
    for each in given.rules:
        name, _, rules = each.partition("=")
        known[name] = learned(name, Path(rules))
    for kind, found in known.items():
        run.as_they_are(kind, found)
    run.attacks()
    # Each group gets equally many mutants, preferably of the shorter certificates in large groups.
    groups = [sorted(found, key=lambda c: len(json.dumps(c.data)))[:SHORTEST] for found in known.values()]
    run.mutants(groups, given.mutants, given.seed)
    text = report(given, run, time.process_time() - started)
    print(text, end="")
    if given.output is not None:
        given.output.write_text(text, encoding="utf-8")
    return 1 if run.differences else 0


def report(given: argparse.Namespace, run: ReaderComparison, seconds: float) -> str:
    rules = "".join(f" {each.partition('=')[0]}={Path(each.partition('=')[2]).name}" for each in given.rules)
    lines = [
        f"command: python benchmarks/fuzz/second_reader.py --mutants {given.mutants} --seed {given.seed}"
        + (f" --rules{rules}" if rules else ""),
        f"hornbook {hornbook.__version__}, Python {platform.python_version()}; processor seconds",
        "",
        f"{'':20}{'accepted':>12}{'refused':>12}{'not decided':>13}{'differences':>13}",
    ]
    for kind, counts in run.counts.items():
        columns = ("accepted", "refused", "not decided", "differences")
        lines.append(f"{kind:20}" + "".join(f"{counts[c]:>{12 + (i > 1)},}" for i, c in enumerate(columns)))
    return "\n".join([*lines, "", f"{seconds:,.0f} s in all"]) + "\n"


if __name__ == "__main__":
    sys.exit(main())
