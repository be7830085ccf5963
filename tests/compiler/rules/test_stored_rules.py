"""Tests of learned rules in a store: they round-trip, and damaged rules are reported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hornbook import theories
from hornbook.compiler.learn.learning import learn_all, read_examples
from hornbook.compiler.rules.admission import RuleBase, free_label
from hornbook.compiler.rules.stored_rules import PROVABLE, changes, put_rules, read_rule_base, stored_rule
from hornbook.compiler.rules.verification import verify_all
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.store import Store, StoredRule
from hornbook.kb.store.closure import load_stored, read_theory

PAPER = Path(theories.__file__).parent / "classical" / "paper"


@pytest.fixture
def store(tmp_path):
    with Store.create(tmp_path / "kb.sqlite") as made:
        made.put_theory(read_theory(PAPER))
        yield made


def learned(theory: Theory) -> RuleBase:
    *_, last = learn_all(read_examples(PAPER, theory), theory, RuleBase(theory.name))
    return last.base


def test_rules_come_out_as_they_went_in(store):
    theory = load_stored(store.theory())
    base = learned(theory)
    put_rules(store, base)
    found = read_rule_base(store, theory)
    assert (found.entries, found.shapes, found.numbers) == (base.entries, base.shapes, base.numbers)
    assert changes(base, found) == ([], [])
    assert all(verdict.follows for verdict in verify_all(found, theory))


def test_only_rules_of_the_state_that_is_queried_for_come_out(store):
    theory = load_stored(store.theory())
    (entry,) = learned(theory)
    put_rules(store, [entry])
    store.set_state([entry.rule.name], "forgotten", "tried")
    assert len(read_rule_base(store, theory)) == 0
    assert len(read_rule_base(store, theory, PROVABLE)) == 1
    # The store does not reuse the name.
    assert free_label(entry.rule.name.rpartition("_")[0], read_rule_base(store, theory)).endswith("_2")


@pytest.mark.parametrize(
    ("text", "certificate", "message"),
    [
        ("colour(a1, black). colour(a2, black).", None, "its text is not one rule"),
        ("other: dead(?b) :- dead(?b).", None, "its text is the rule `other`"),
        ("dead(?b) :- dead(?b).", None, "its text is the rule `dead@1`"),
        (None, '{"format": 2}', "not a certificate"),
        (None, "{", "Expecting property name"),
    ],
)
def test_a_damaged_rule_is_reported(store, text, certificate, message):
    theory = load_stored(store.theory())
    (entry,) = learned(theory)
    row = stored_rule(entry)
    store.put_rule(StoredRule(row.name, text or row.text, certificate, row.provenance))
    with pytest.raises(
        TheoryError, match=re.escape(f"the rule `{row.name}` of the store is damaged: {message}")
    ):
        read_rule_base(store, theory)
