"""Tests of the theory's expectations and of the facts that its adapter gives."""

from __future__ import annotations

from pathlib import Path

import pytest

import hornbook

HERE = Path(__file__).parent
THEORY = hornbook.read_theory(HERE / "skeleton.horn")
ADAPTER = hornbook.load_adapter(HERE / "skeleton.horn")


def test_every_expectation_is_met():
    report = hornbook.run_examples(THEORY)
    assert report.outcomes
    assert [outcome.why for outcome in report.failed] == []


def test_the_adapter_gives_only_the_predicates_that_it_names():
    state = ADAPTER.read((HERE / "monday.txt").read_text(encoding="utf-8"), "monday.txt")
    facts = [*ADAPTER.facts(state), *ADAPTER.actions(state)]
    assert {fact.relation for fact in facts} == ADAPTER.EMITS


def test_a_file_that_says_something_else_is_refused_with_its_line():
    with pytest.raises(hornbook.TheoryError, match=r"tuesday\.txt:2"):
        ADAPTER.read("members: ann\nshelves: emma\n", "tuesday.txt")
