"""Tests of the degree regulations: records from tables, learned rules, and the same without dates and decimals."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.rules.degree import BY_HAND, CASES, REGULATIONS, lines
from hornbook.api.learned_rules import read_rules
from hornbook.cli import main
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.tables.tables import load_table
from oracles.law.degree_coverage import coverage
from oracles.law.degree_records import tables, write

SAME = {
    "loses(?s)": "loses(?s)",
    "class(?s, ?c)": "class(?s, ?c)",
    "taken_in(?s, ?m, ?i, ?n)": "taken_in(?s, ?m, ?i, ?n)",
    "failed(?s, ?m, ?i)": "failed(?s, ?m, ?i)",
    "due(?s, ?i, ?d)": "due(?s, ?i, ?d)",
    "late(?s, ?i)": "late(?s, ?i)",
    "open_since(?s, ?m, ?d)": "open_since(?s, ?m, ?d)",
    "lapsed(?s, ?m)": "lapsed(?s, ?m)",
    "graduated_on(?s, ?d)": "graduated_on(?s, ?d)",
    "on_time(?s)": "on_time(?s)",
    "grade_of(?s, ?m, ?g)": "written_grade(?s, ?m, ?g)",
    "average(?s, ?a)": "average_text(?s, ?a)",
    "fee(?s, ?f)": "fee_text(?s, ?f)",
}
"""Queries to the regulations, and the queries by hand that give the same texts."""


def base_of(theory: str | Path, sources) -> KnowledgeBase:
    base = KnowledgeBase(theory)
    for source in sources:
        base.add(load_table(source, base.theory.vocabulary).facts)
    return base


@pytest.mark.parametrize("seed", [1, 2])
def test_the_regulations_without_dates_and_decimal_numbers_conclude_the_same(seed, tmp_path):
    sources = write(tables(1500, seed), tmp_path)
    base, by_hand = base_of("degree", sources), base_of(BY_HAND, sources)
    for query, other in SAME.items():
        found = {tuple(map(str, row)) for row in base.query(query).rows}
        assert found
        assert found == {tuple(map(str, row)) for row in by_hand.query(other).rows}, query


def test_the_regulations_need_at_most_two_thirds_of_the_lines():
    assert 3 * lines(REGULATIONS) <= 2 * lines(BY_HAND)


def test_learned_rules_are_verified_and_cover_cases_of_a_table(tmp_path):
    learned = tmp_path / "rules.horn"
    assert main(["learn", "degree", "--problems", str(CASES), "--into", str(learned)]) == 0
    assert main(["rules", "verify", str(learned), "--theory", "degree"]) == 0
    base = base_of("degree", write(tables(1500, 3), tmp_path))
    rules = read_rules(learned, base.theory).certified
    assert len(rules) >= 10
    for found in coverage(rules, base):
        assert found.covered
        assert not found.wrong
