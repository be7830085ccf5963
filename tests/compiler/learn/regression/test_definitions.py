"""Tests that clauses keep their meaning after definitions replace defined predicates."""

from __future__ import annotations

import pytest

from hornbook.compiler.learn.regression.definitions import with_definitions
from hornbook.kb.ast.terms import Rule
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_clause
from hornbook.kb.load.loader import load_text

WORDS = """theory words.
sort thing. static pair(thing, thing). static red(thing).
derived linked(thing, thing, thing). derived double(thing, thing). derived chosen(thing). derived far(thing, thing).
"""


def rules(text: str) -> list[Rule]:
    return list(load_text(WORDS + text).rules)


@pytest.mark.parametrize(
    ("definition", "clause", "made"),
    [
        (
            "double(?x, ?x) :- red(?x).",
            "chosen(?a) :- pair(?a, ?b), double(?b, ?a).",
            "chosen(?a) :- pair(?a, ?a), red(?a).",
        ),
        (
            "double(?x, ?y) :- pair(?x, ?z), pair(?z, ?y).",
            "chosen(?z) :- double(?z, ?y), red(?y).",
            "chosen(?z) :- pair(?z, ?zx), pair(?zx, ?y), red(?y).",
        ),
        (
            "linked(?x, ?y, ?z) :- pair(?x, ?y), pair(?y, ?z).",
            "chosen(?a) :- linked(_, ?a, _).",
            "chosen(?a) :- pair(_, ?a), pair(?a, _).",
        ),
        (
            "linked(?x, ?y, ?z) :- pair(?x, ?y), pair(?x, ?z).",
            "chosen(?a) :- linked(_, ?a, _), linked(_, ?a, _), red(?a).",
            "chosen(?a) :- pair(?x, ?a), pair(?x, _), pair(?xx, ?a), pair(?xx, _), red(?a).",
        ),
        (
            "double(?x, b) :- red(?x).",
            "far(?a, ?b) :- double(?a, ?b), pair(?b, ?a).",
            "far(?a, b) :- red(?a), pair(b, ?a).",
        ),
        ("double(?x, b) :- red(?x).", "chosen(?a) :- double(?a, c), red(?a).", None),
    ],
    ids=["one variable twice", "a name that is taken", "wildcards", "wildcards twice", "a constant", "never"],
)
def test_a_definition_stands_in_place_of_its_word(definition, clause, made):
    defined, given = rules(f"{definition} {clause}")
    found = with_definitions(given, {defined.head.relation: defined})
    assert (found and print_clause(found)) == made
    if made is None:
        return
    pairs = "pair(a, b). pair(b, c). pair(b, a). pair(b, b). pair(c, a). red(a). red(b)."
    head = print_clause(given).partition(" :-")[0]
    answers = []
    for text in (f"{definition} {clause}", made):
        base = KnowledgeBase(load_text(f"{WORDS}{text} {pairs}"))
        answers.append(base.query(head).to_tuples())
    assert answers[0] == answers[1]
    assert answers[0]


def test_a_name_that_is_stored_goes_before_others():
    defined, given = rules("double(?f1, ?f1) :- red(?f1). far(?f1, ?a) :- pair(?f1, ?b), double(?a, ?b).")
    found = with_definitions(given, {"double": defined}, {"f1"})
    assert found is not None
    assert print_clause(found) == "far(?f1, ?a) :- pair(?f1, ?a), red(?a)."
    _, given = rules("double(?f1, ?f1) :- red(?f1). far(?b, ?a) :- pair(?a, ?b), double(?a, ?f1).")
    found = with_definitions(given, {"double": defined}, {"f1"})
    assert found is not None
    assert print_clause(found) == "far(?b, ?f1) :- pair(?f1, ?b), red(?f1)."
