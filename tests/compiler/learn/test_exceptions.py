"""Rules are learned through defaults and exceptions, and both checkers agree on them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn, solve
from hornbook.compiler.rules.certificates import certificate_as_json
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_rule
from oracles.proofs.learned_rules import rule_of, theory_of
from oracles.proofs.two_readers import Both

TEXT = """sort person.
sort book.
sort days = int.
sort euro = decimal(2).
fluent lent(book -> person).
fluent late(book -> days).
fluent owed(person -> euro).
static member(person) complete.
static child(person) complete.
static teacher(person) complete.
static repeated(person) complete.
static fee(person -> euro).
action give_back(book).
derived may_borrow(person).

full: fee(?p, 0.50) :- member(?p).
half exception to full: fee(?p, 0.25) :- child(?p).
free exception to half: fee(?p, 0.00) :- teacher(?p).
not_again exception to half, free: absent fee(?p, _) :- repeated(?p).
what_is_owed:
  after owed(?p, ?f) :-
    give_back(?b), before lent(?b, ?p), before late(?b, ?d), fee(?p, ?a), before owed(?p, ?o),
    ?f = ?o + ?a * ?d.
fine: may_borrow(?p) :- owed(?p, ?f), ?f < 5.00.
"""
STATE = [
    GroundFact("lent", ("b1", "ada")),
    GroundFact("late", ("b1", 2)),
    GroundFact("owed", ("ada", Decimal("1.00"))),
    GroundFact("give_back", ("b1",)),
    GroundFact("member", ("ada",)),
]


@pytest.mark.parametrize(
    ("classes", "conditions", "left_out"),
    [
        ((), ("absent half_applies(?p)", "0.50"), "absent half_applies(?p),"),
        (("child",), ("absent free_applies(?p)", "0.25"), "absent free_applies(?p),"),
        (("child",), ("absent not_again_applies(?p)", "child(?p)"), "absent not_again_applies(?p),"),
        (("child", "repeated"), ("absent half_applies(?p)", "0.50"), "absent half_applies(?p),"),
        (("child", "teacher"), ("absent not_again_applies(?p)", "0.00"), "absent not_again_applies(?p),"),
    ],
)
def test_a_learned_rule_excludes_the_exceptions(classes, conditions, left_out):
    theory = theory_of(TEXT)
    facts = STATE + [GroundFact(name, ("ada",)) for name in classes]
    solved = solve(theory, facts, all_proofs=True)
    goal = Atom("may_borrow", (Constant("ada"),), "after")
    learned = learn(explanation_of(solved.base, goal), theory)
    assert isinstance(learned, ProvedExample)
    text = print_rule(learned.rule)
    assert all(condition in text for condition in conditions)
    both = Both.of_texts(theory, [f"theory made.\n{TEXT}"])
    certificate = certificate_as_json(learned.certificate)
    verdicts = both.verdicts(learned.rule, certificate)
    assert (verdicts.checker, verdicts.reader) == ("", "")
    assert left_out in text
    wrong = rule_of(text.replace(left_out, ""))
    verdicts = both.verdicts(wrong, {**certificate, "of": fingerprint_of_rule(wrong)})
    assert verdicts.checker
    assert verdicts.reader
