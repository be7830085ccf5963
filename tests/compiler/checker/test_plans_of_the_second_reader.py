"""The second reader reads what is said of plans, and says clearly that it does not decide them."""

from __future__ import annotations

from hornbook.compiler.checker.certificate import fingerprint_of_declaration, fingerprint_of_rule
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse
from oracles.reader.certificate import decide
from oracles.reader.language import clauses, fingerprint
from oracles.reader.theory import Theory

WORDS = """
theory words.
sort side = red | blue.
fluent to_move(-> side) alternates.
fluent passed(side) observed fleeting says "it passed".
action go(side).
game home(side) worth -10 says "it is home".
"""
PLAN = "one: plan home(?c) in 12 by go(?c) :- to_move(?c), passed(_)."


def test_it_reads_plans_and_the_words_for_them():
    (rule,) = clauses(PLAN)
    assert fingerprint(rule) == fingerprint_of_rule(parse(PLAN).clauses[0])
    words = load_text(WORDS).vocabulary
    for form in clauses(WORDS):
        if form[0] == "predicate":
            sorts = [words.sorts[name] for name in form[3]]
            listed = [("sort", sort.name, sort.kind, sort.constants) for sort in sorts]
            assert fingerprint([form, *listed]) == fingerprint_of_declaration(
                words.predicates[form[2]], words
            )


def test_it_decides_no_plan():
    (rule,) = clauses(PLAN)
    verdict = decide(rule, {}, Theory(clauses(WORDS)), {})
    assert verdict.kind == "not decided"
    assert "plans" in verdict.why
