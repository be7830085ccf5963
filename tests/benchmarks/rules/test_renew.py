"""Tests of the benchmark of theory changes: its edits, which are undone, and the rows of its table."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.rules.renew import asking_more, commented, copied, named_by, renewal, rewritten, row
from hornbook.compiler.maintain.renewal import Fate, Renewed
from hornbook.compiler.rules.admission import RuleBase, RuleEntry
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Rule
from hornbook.kb.parse.syntax import parse

KIN = """theory kin.
sort person.
static player(person).
static parent(person, person).
derived child(person, person).
turned:
  child(?b, ?a) :- parent(?a, ?b).
player(black).
"""


@pytest.fixture
def theory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kin.horn").write_text(KIN)
    (tmp_path / "rules.horn").write_text("import kin.\n")
    return tmp_path / "kin.horn"


def test_an_edit_is_one_of_the_theory_and_is_taken_back(theory):
    take_back = rewritten(theory.parent, "turned", asking_more)
    (rule,) = load(theory).rules
    assert len(rule.body) == 2
    take_back()
    assert theory.read_text() == KIN
    take_back = rewritten(theory.parent, "turned", commented)
    assert load(theory).rules[0].body == load_text_of(KIN).body
    take_back()
    with pytest.raises(SystemExit, match="no rule `none`"):
        rewritten(theory.parent, "none", commented)


def load_text_of(text: str) -> Rule:
    return next(clause for clause in parse(text).clauses if isinstance(clause, Rule))


def test_a_row_has_the_counts_and_both_times(theory):
    entry = RuleEntry(load_text_of(KIN), None, None)
    fates = tuple(Fate(entry, state) for state in ("untouched", "untouched", "renewed", "retired"))
    found = Renewed(RuleBase("kin"), fates, (), 7)
    assert row("an edit", found, 0.25, 3.5).split() == ["an", "edit", "2", "1", "1", "7", "0.25", "3.50"]
    assert renewal(theory.parent / "rules.horn", load(theory)).fates == ()
    assert named_by(theory.parent / "rules.horn", theory) == {"turned": 0}


def test_the_copied_theory_of_go_imports_its_own_parts(tmp_path):
    theory = load(copied(tmp_path / "go"))
    assert theory.rules == load("go").rules
    assert {Path(rule.span.file).resolve().parent for rule in theory.rules} == {tmp_path / "go"}
