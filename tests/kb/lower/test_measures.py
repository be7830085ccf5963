"""Tests of statistics in a file: they are stored by name and atomically, and only matching entries are read."""

from __future__ import annotations

import json

import pytest

from hornbook.kb.load.loader import load
from hornbook.kb.lower.coding import Coding
from hornbook.kb.lower.measures import average, read_statistics, statistics_path, write_statistics
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.matcher.program.engine import Measure


@pytest.fixture
def coding():
    return Coding(load("paper").vocabulary)


def test_what_is_written_is_read(tmp_path, coding):
    path = statistics_path(tmp_path / "rules.horn")
    assert path.name == "rules.stats.json"
    measured = {
        number: Measure(number, tuple(float(n) for n in range(len(relation.columns))))
        for number, relation in enumerate(coding.relations)
    }
    write_statistics(path, measured, coding, theory="paper", states=3)
    assert read_statistics(path, coding) == measured
    written = json.loads(path.read_text())
    assert (written["theory"], written["states"]) == ("paper", 3)
    assert {"relation": "colour", "moment": "after"}.items() <= written["relations"][
        coding.predicate_id("colour", "after")
    ].items()
    assert list(tmp_path.iterdir()) == [path]


def test_no_file_is_no_statistics(tmp_path, coding):
    assert read_statistics(tmp_path / "nothing.stats.json", coding) == {}


def test_relations_that_are_removed_or_have_other_columns_are_left_out(tmp_path, coding):
    path = tmp_path / "rules.stats.json"
    stored = {"relation": "stones", "moment": "before", "rows": 1, "distinct": [1, 1]}
    relations = [
        stored,
        {**stored, "relation": "gone"},
        {**stored, "distinct": [1]},
        {**stored, "moment": "never"},
    ]
    path.write_text(json.dumps({"relations": relations}))
    assert read_statistics(path, coding) == {coding.predicate_id("stones", "before"): Measure(1, (1, 1))}


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"relations": 3}', '{"relations": [{"relation": "player"}]}', "[" * 100_000]
)
def test_a_file_that_is_something_else_is_refused(tmp_path, coding, text):
    path = tmp_path / "rules.stats.json"
    path.write_text(text)
    with pytest.raises(TheoryError, match="no statistics of rules"):
        read_statistics(path, coding)


def test_averages():
    states = [{0: Measure(2, (1, 2)), 1: Measure(0, ())}, {0: Measure(4, (3, 3))}]
    assert average(states) == {0: Measure(3, (2, 2.5)), 1: Measure(0, ())}
    assert average([]) == {}
