"""Tests of the names that occur in a clause, also in a marked clause and in one that cannot be parsed."""

from __future__ import annotations

import pytest

from hornbook.editing.names.occurrences import occurrences
from hornbook.kb.parse.syntax import parse
from hornbook.kb.text.scanner import scan


@pytest.mark.parametrize(
    "text", ["lemma it: p(?x) :- q(?x).", "lemma it: p(?x) :- q(?x", "it: p(?x) :- q(?x)."]
)
def test_the_label_of_a_lemma_is_one(text: str):
    clauses = parse(text, "t").clauses
    (tokens,) = scan(text, [])
    found = {(each.name, each.role) for each in occurrences(tokens, clauses, "t", read=bool(clauses))}
    assert ("it", "label") in found
    assert ("p", "predicate") in found
