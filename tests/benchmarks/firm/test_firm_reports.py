"""Tests of the reports about runs of the firm's theory, and of rules learned from it."""

from __future__ import annotations

from collections import Counter

from benchmarks.firm.rules import report as rules_report
from benchmarks.firm.theory import RELATIONS, report
from oracles.firm import theory_run as firm_run
from oracles.firm.rules_run import FirmRulesTally


def test_what_is_missing_is_reported_by_relation_and_by_decision():
    tally = firm_run.FirmTheoryTally(
        firms=2,
        actions=Counter({"buy": 1, "month_passes": 2}),
        true=Counter(dict.fromkeys(RELATIONS, 10)),
        missing=Counter({("gain", "buy"): 4}),
        values=Counter({"ship GI": 3}),
        exact=19,
        bounds=20,
    )
    tally.false.append("stock(bread, 7) after …")
    lines = report(tally).splitlines()
    rows = [line.split() for line in lines]
    assert "false: 1" in lines
    assert "bounds of what can be spared: 20, of which exact 95.00%" in lines
    assert ["gain", "10", "60.00%"] in rows
    assert ["stock", "10", "100%"] in rows
    assert ["buy", "1", "4"] in rows
    assert ["ship", "GI", "3"] in rows


def test_what_no_rule_tells_is_reported():
    tally = FirmRulesTally(firms=3, answered=2, conclusions=Counter({"ship_1": 5}), derived=4, concluded=3)
    tally.not_concluded["ship GI by produce"] = 1
    tally.wrong.append("ship(bread) …")
    lines = rules_report(tally).splitlines()
    assert "1 rules concluded something of 2 of 3 firms" in lines
    assert "wrong: 1" in lines
    assert "of 4 values that the theory derives of one decision, rules tell 3" in lines
    assert ["ship", "GI", "by", "produce", "1"] in [line.split() for line in lines]
