"""Rules learned from the degree regulations, and the cases that they cover in tables of many results.

`theories/law/degree.horn` has dates, decimal numbers and exceptions. Its lines, without comments, empty
lines and cases, are compared with those of `oracles/law/degree_by_hand.horn`, the same regulations without
these features. Rules are learned from the cases in `oracles/law/degree_cases.horn` and verified. The results
are read from CSV, the leaves of absence from SQLite. Every conclusion of a learned rule must be one of the
theory. Seconds are processor time.

Usage:

    python benchmarks/rules/degree.py [--results 70022] [--seed 1] [--output FILE]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import ROOT, Study, options
from hornbook.api.learned_rules import read_rules
from hornbook.cli import main as hornbook
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.tables.tables import load_table
from oracles.law.degree_coverage import coverage
from oracles.law.degree_records import tables, write

CASES = ROOT / "oracles" / "law" / "degree_cases.horn"
REGULATIONS = ROOT / "theories" / "law" / "degree.horn"
BY_HAND = ROOT / "oracles" / "law" / "degree_by_hand.horn"


def lines(file: Path) -> int:
    """Return the number of lines of a theory, without comments, empty lines and cases."""
    text = file.read_text(encoding="utf-8").partition("% Cases.")[0]
    return sum(bool(line.strip()) and not line.lstrip().startswith("%") for line in text.splitlines())


def main() -> int:
    given = options(__doc__, results=70022, seed=1).parse_args()
    study = Study(__file__, given)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = write(tables(given.results, given.seed), folder)
        learned = folder / "rules.horn"
        code = hornbook(["learn", "degree", "--problems", str(CASES), "--into", str(learned)])
        code |= hornbook(["rules", "verify", str(learned), "--theory", "degree"])
        began = time.process_time()
        base = KnowledgeBase("degree")
        for source in sources:
            base.add(load_table(source, base.theory.vocabulary).facts)
        read = time.process_time() - began
        rules = read_rules(learned, base.theory).certified
        found = coverage(rules, base)
        seconds = time.process_time() - began - read
    full, by_hand = lines(REGULATIONS), lines(BY_HAND)
    body = [
        f"lines with dates, decimal numbers and exceptions: {full}",
        f"lines without them: {by_hand}; {full / by_hand:.0%}",
        f"results: {given.results:,}; reading {read:.1f} s, all rules {seconds:.1f} s",
        f"rules learned and verified: {len(rules)}",
        "",
        f"{'learned rule':<20}{'cases covered':>15}{'of the theory':>15}{'wrong':>7}",
        *(f"{c.rule.name:<20}{c.covered:>15,}{c.concluded:>15,}{c.wrong:>7,}" for c in found),
        "",
    ]
    return study.finish("\n".join(body), [c for c in found if c.wrong] or [code] * bool(code))


if __name__ == "__main__":
    sys.exit(main())
