"""Tests of rules in words."""

from __future__ import annotations

from hornbook.kb.explain.descriptions import Words
from hornbook.kb.explain.rule_in_words import rule_in_words
from hornbook.kb.load.loader import load_text

TEXT = """theory crates.
sort shelf. sort crate.
fluent holds(shelf, crate).
fluent crates(shelf -> int) counts holds.
fluent sound(crate) says "?1 is sound".
derived ready(shelf) says "?1 is ready".
derived empty(shelf).
action mend(crate) says "somebody mends ?1".
all_sound: after ready(?s) :-
  mend(?x), before crates(?s, ?n), ?n >= 2, all ?c in before holds(?s, ?c): before sound(?c).
empty: empty(?s) :- crates(?s, 0).
idle: ready(?s) :- empty(?s).
"""


def test_a_rule_reads_as_sentences():
    theory = load_text(TEXT)
    all_sound, empty, idle = theory.rules
    words = Words(theory.vocabulary.predicates)
    found = rule_in_words(all_sound, words)
    assert found.lines() == [
        "?s is ready after the action, if",
        "  somebody mends ?x",
        "  before crates(?s, ?n)",
        "  ?n >= 2",
        "  for all ?c in before holds(?s, ?c): ?c is sound",
    ]
    assert found.as_json()["conclusion"] == "?s is ready after the action"
    assert rule_in_words(idle, words).lines() == ["?s is ready, if", "  empty(?s)"]
    assert rule_in_words(empty, words) is None
