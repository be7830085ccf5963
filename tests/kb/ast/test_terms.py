"""Tests of rule identity: rules are equal if their contents are equal, and each copy computes its own hash."""

from __future__ import annotations

import pickle
from dataclasses import replace

from hornbook.kb.ast.terms import Atom, Rule, Variable

RULE = Rule(Atom("p", (Variable("x"),)), (Atom("q", (Variable("x"),)),), "r")


def test_rules_that_say_the_same_have_one_hash():
    assert hash(replace(RULE, learned=True, of_given=True)) == hash(RULE)
    assert len({hash(RULE), hash(replace(RULE, label="s")), hash(replace(RULE, body=()))}) == 3


def test_a_rule_that_is_sent_away_has_no_hash_with_it():
    """Another process has other hashes for strings."""
    hash(RULE)
    sent = pickle.loads(pickle.dumps(RULE))
    assert sent == RULE
    assert not hasattr(sent, "_hash")
    assert hash(sent) == hash(RULE)
