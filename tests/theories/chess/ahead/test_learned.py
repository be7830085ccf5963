"""Tests of the rules that are learned against every reply and ship: what their proofs depend on."""

from __future__ import annotations

import json

import pytest

from benchmarks.chess.against_replies import RULES, THEORY, single_moves
from hornbook.compiler.rules import rulebase
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import GameStatement
from hornbook.kb.sources.proofs import proofs_path


def test_no_certificate_depends_on_a_given_clause_about_two_moves():
    """A certificate names each clause on which it depends."""
    whole = load("combinations")
    given = {rule.name for rule in single_moves(whole).rules}
    written = {rule.name for rule in whole.rules} - given
    assert {"whatever_anybody_replies", "it_is_ripe_then", "the_lost_are_captured"} <= written
    named = {
        name
        for path in (THEORY, RULES)
        for line in proofs_path(path).read_text(encoding="utf-8").splitlines()
        for name in json.loads(line)["certificate"]["fingerprints"]
    }
    clauses = {name.partition(" ")[2] for name in named}
    assert len(clauses & given) > 100
    assert not clauses & written


@pytest.mark.deep
def test_all_lemmas_and_rules_are_proved():
    theory = load(THEORY)
    assert not theory.lemmas
    base = rulebase.read(RULES, theory)
    assert all(entry.is_certified for entry in base)
    heads = [entry.rule.head for entry in base]
    conclusions = [
        (head.game.predicate, head.by.predicate)
        for head in heads
        if isinstance(head, GameStatement) and head.by is not None
    ]
    assert sorted(conclusions) == [
        *[("crown", "move")] * 2,
        ("crown", "promote"),
        *[("mate", "move")] * 2,
        ("mate", "promote"),
        *[("take", "move")] * 3,
    ]
