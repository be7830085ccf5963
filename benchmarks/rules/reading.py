"""Time until learned rules answer: learning, verifying, reading, and `solve` up to its first answer.

Rules are learned from the hundred shipped problems of Go, verified, and read for the first time and again.
The benchmark also reads and verifies many rules.

Each command is a separate process, timed from its start to its end; the cache of accepted proofs is empty
when a file is read for the first time. The many rules are the rules of Go without lemmas, repeated under
other labels, so that each has a proof that is checked. The cases are the rules, and special cases with an
additional disequality. All are distinct, each has its own proof, and they are three times as long. Seconds
are processor time, medians of `--runs` runs; learning, and slow steps with many rules, run once.

Without `--rules`, they are learned from the hundred problems, which takes a minute or so.

Usage:

    python benchmarks/rules/reading.py [--rules RULES.horn] [--runs 5] [--many 10000] [--cases 2000]
        [--output FILE]
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain, combinations, count, islice, zip_longest
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, options
from hornbook.compiler.checker.checker import Lemma, RejectedError
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, rule_base
from hornbook.compiler.rules.verification import renew
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Comparison, Term, Variable
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.cache import VARIABLE
from hornbook.theories.go.problems import read_problems, shipped, write_problems

READ = """
import sys, time
from hornbook.api.learned_rules import read_rules
from hornbook.inputs.theories import load
theory = load("go")
began = time.process_time()
rules = read_rules(sys.argv[1], theory)
took = time.process_time() - began
assert len(rules.certified) == len(rules)
print(took)
"""
ENGINES = """
import sys, time
from pathlib import Path
from hornbook.api.learned_rules import read_rules
from hornbook.inputs.theories import load
from hornbook.matcher.program.coded import Limits
from hornbook.theories.go.problems import read_problems
theory = load("go")
rules = read_rules(sys.argv[1], theory)
board = read_problems(Path(sys.argv[2]))[0].board
for number in range(2):
    began = time.process_time()
    # Other limits, another engine.
    rules.match(board, limits=Limits(seconds=1000.0 + number))
    print(time.process_time() - began)
"""


def spent(*command: str, cache: Path) -> tuple[float, str]:
    """Return the processor seconds of a process from its start to its end, and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, VARIABLE: str(cache)},
        check=True,
        capture_output=True,
        text=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, ran.stdout


def many(base: RuleBase, number: int) -> Iterator[RuleEntry]:
    """Yield `number` proved rules: those without lemmas, repeated under other labels."""
    independent = [e for e in base if e.certificate is not None and not e.certificate.lemmas]
    again = (
        rulebase.rename(entry, f"{entry.rule.name}_{round_}") for round_ in count(1) for entry in independent
    )
    return islice(again, number)


def with_cases(base: RuleBase, theory: Theory, number: int) -> Iterator[RuleEntry]:
    """Yield `number` proved rules: those of a rule base, and special cases of them."""
    lemmas = base.lemmas()
    cases = [special_cases(entry, theory, lemmas) for entry in base if entry.is_certified]
    # One of each in turn, so that few of any rule are left out.
    in_turn = (case for each in zip_longest(*cases) for case in each if case is not None)
    return islice(chain(base, in_turn), number)


def special_cases(entry: RuleEntry, theory: Theory, lemmas: dict[str, Lemma]) -> Iterator[RuleEntry]:
    """Yield the special cases of a rule where two things of one sort are different.

    These are one case for each pair of things, and for each two such pairs.
    """
    words = theory.vocabulary.predicates
    of_sort: dict[str, dict[Term, None]] = {}
    for condition in entry.rule.body:
        if isinstance(condition, Atom):
            for term, column in zip(condition.terms, words[condition.predicate].columns, strict=True):
                if isinstance(term, Variable) and not term.is_wildcard:
                    of_sort.setdefault(column.name, {})[term] = None
    known = {frozenset((c.left, c.right)) for c in entry.rule.body if isinstance(c, Comparison)}
    pairs = [
        Comparison("!=", one, other)
        for terms in of_sort.values()
        for one, other in combinations(terms, 2)
        if frozenset((one, other)) not in known
    ]
    for number, chosen in enumerate(chain.from_iterable(combinations(pairs, size) for size in (1, 2)), 1):
        rule = replace(entry.rule, label=f"{entry.rule.name}_{number}", body=(*entry.rule.body, *chosen))
        with suppress(RejectedError):  # the two are never different
            yield renew(replace(entry, rule=rule), theory, lemmas)


def reading(rules: Path, one: Path, runs: int, cache: Path, *, long: int) -> Iterator[str]:
    """Yield rows for one file: first and repeated reading, verification, and matching by a first
    and a further engine.

    Slow steps run `long` times.
    """
    first = [spent("-c", READ, str(rules), cache=cache / f"{rules.stem}{n}")[0] for n in range(long)]
    own = cache / f"{rules.stem}0"
    again = [float(spent("-c", READ, str(rules), cache=own)[1]) for _ in range(runs)]
    verify = ("-m", "hornbook", "rules", "verify", str(rules), "--theory", "go")
    checked = [spent(*verify, cache=own)[0] for _ in range(long)]
    engines = [spent("-c", ENGINES, str(rules), str(one), cache=own)[1].split() for _ in range(runs)]
    yield row("read for the first time, with all that a process does", median(first))
    yield row("read again", median(again))
    yield row("`hornbook rules verify`", median(checked))
    yield row("first match of an engine", median(float(each) for each, _ in engines))
    yield row("first match of a further engine", median(float(each) for _, each in engines))


def row(what: str, seconds: float) -> str:
    return f"{what:<70}{seconds:>9.2f}"


def main() -> int:
    parser = options(__doc__, runs=5, many=10_000, cases=2_000)
    parser.add_argument("--rules", type=Path)
    study = Study(__file__, given := parser.parse_args())
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        rules, cache, one = given.rules, here / "cache", here / "one.jsonl"
        write_problems(read_problems(shipped("train"))[-1:], one)
        if rules is None:
            rules = here / "rules.horn"
            learn = ("learn", "go", "--problems", str(shipped("hundred")), "--into", str(rules))
            lines.append(
                row("`hornbook learn`, the hundred", spent("-m", "hornbook", *learn, cache=cache)[0])
            )
        theory = load("go")
        base = rulebase.read(rules, theory)
        lines += [f"{len(base)} rules of Go", *reading(rules, one, given.runs, cache, long=given.runs)]
        solve = ("-m", "hornbook", "problems", "solve", "go", "--rules", str(rules), "--problems", str(one))
        own = cache / f"{rules.stem}0"
        lines.append(
            row(
                "`hornbook problems solve`, one problem",
                median(spent(*solve, cache=own)[0] for _ in range(given.runs)),
            )
        )
        for what, number, made in (
            ("rules under other labels", given.many, many(base, given.many)),
            ("rules with special cases", given.cases, with_cases(base, theory, given.cases)),
        ):
            if number:
                several = here / f"{what.split()[-1]}.horn"
                began = time.process_time()
                rulebase.write(rule_base(theory.name, made), several)
                lines += ["", f"{number:,} {what}", row("to make them", time.process_time() - began)]
                lines += reading(several, one, given.runs, cache, long=1)
    return study.finish("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
