"""Rules with dates and decimal numbers are learned, both checkers agree on them, and they apply."""

from __future__ import annotations

import datetime
from dataclasses import replace
from decimal import Decimal

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn, solve
from hornbook.compiler.rules.certificates import certificate_as_json
from hornbook.compiler.rules.parse_cache import form_of_node, node_of_form
from hornbook.kb.ast.terms import Atom, Constant, Rule
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_rule
from oracles.proofs.learned_rules import rule_of, theory_of
from oracles.proofs.two_readers import Both

TEXT = """sort person.
sort book.
sort day = date.
sort euro = decimal(2).
fluent lent(book -> person).
fluent since(book -> day).
fluent owed(person -> euro).
static fee_a_day(-> euro).
action give_back(book, day).
derived may_borrow(person).
derived in_march(book).

fee_a_day(0.15).

a_fee:
  after owed(?p, ?f) :-
    give_back(?b, ?d), before lent(?b, ?p), before since(?b, ?s), ?d > add_months(?s, 1),
    fee_a_day(?a), before owed(?p, ?o),
    ?f = ?o + round_half_up(?a * (?d - add_months(?s, 1)) * 0.50, 4, 2).
the_book:
  after since(?b, ?d) :- give_back(?b, ?d), before since(?b, _).
fine: may_borrow(?p) :- owed(?p, ?f), ?f < 1.00.
march: in_march(?b) :- since(?b, ?d), month(?d) = 3, ?d >= 2024-03-01.
"""
LATE = [
    GroundFact("lent", ("b1", "ada")),
    GroundFact("since", ("b1", datetime.date(2024, 1, 31))),
    GroundFact("owed", ("ada", Decimal("0.10"))),
    GroundFact("give_back", ("b1", datetime.date(2024, 3, 3))),
]


def learned() -> tuple[Both, dict[str, ProvedExample]]:
    theory = theory_of(TEXT)
    solved = solve(theory, LATE, all_proofs=True)
    goals = [Atom("may_borrow", (Constant("ada"),), "after"), Atom("in_march", (Constant("b1"),), "after")]
    outcomes = [learn(explanation_of(solved.base, goal), theory) for goal in goals]
    found = {one.rule.head.relation: one for one in outcomes if isinstance(one, ProvedExample)}
    return Both.of_texts(theory, [f"theory made.\n{TEXT}"]), found


def test_both_readers_accept_what_is_learned_and_refuse_other_values() -> None:
    both, found = learned()
    assert {"may_borrow", "in_march"} <= found.keys()
    for one in found.values():
        certificate = certificate_as_json(one.certificate)
        verdicts = both.verdicts(one.rule, certificate)
        assert (verdicts.checker, verdicts.reader) == ("", "")
    for relation, right, wrong in (
        ("may_borrow", "?f < 1.00", "?f < 1.01"),
        ("may_borrow", "add_months(?s, 1)", "add_months(?s, 2)"),
        ("may_borrow", "round_half_up", "round_half_even"),
        ("in_march", "2024-03-01", "2024-02-29"),
        ("in_march", "month(?d) = 3", "month(?d) = 4"),
    ):
        one = found[relation]
        text = print_rule(one.rule)
        assert right in text
        rule = rule_of(text.replace(right, wrong))
        written = {**certificate_as_json(one.certificate), "of": fingerprint_of_rule(rule)}
        verdicts = both.verdicts(rule, written)
        assert "do not entail" in verdicts.checker, wrong
        assert verdicts.reader, wrong


def test_a_learned_rule_is_read_back_from_its_text_and_from_the_cache() -> None:
    _, found = learned()
    for one in found.values():
        text = print_rule(one.rule)
        again = rule_of(text)
        assert print_rule(again) == text
        assert again == one.rule
        cached = Rule(
            node_of_form(form_of_node(one.rule.head)),
            tuple(node_of_form(form_of_node(each)) for each in one.rule.body),
            one.rule.label,
        )
        assert print_rule(cached) == text


def test_a_learned_rule_concludes_what_the_theory_does() -> None:
    both, found = learned()
    rule = found["may_borrow"].rule
    own = tuple(each for each in both.theory.rules if each.label not in ("a_fee", "fine"))
    for amount, late in ((10, 0), (10, 1), (10, 12), (10, 13), (90, 1), (90, 3), (-500, 40)):
        facts = [
            GroundFact("lent", ("b1", "ada")),
            GroundFact("since", ("b1", datetime.date(2024, 1, 31))),
            GroundFact("owed", ("ada", Decimal(amount) / 100)),
            GroundFact("give_back", ("b1", datetime.date(2024, 2, 29) + datetime.timedelta(days=late))),
        ]
        answers = []
        for rules in (both.theory.rules, (*own, rule)):
            base = KnowledgeBase(replace(both.theory, rules=rules))
            base.add(facts)
            answers.append(base.query("after may_borrow(?p)").to_tuples())
        assert answers[0] == answers[1]


CALCULATED = """sort book.
sort day = date.
sort euro = decimal(2).
fluent since(book -> day).
fluent owed(book -> euro).
action lend(book, day).
derived early(book).
derived late(book).
derived dear(book).
after since(?b, ?d) :- lend(?b, ?d).
after owed(?b, ?f) :- lend(?b, _), before owed(?b, ?g), ?f = ?g + 0.50.
early(?b) :- since(?b, ?d), ?d + 1 = 2024-03-01.
late(?b) :- since(?b, ?d), ?e = 2024-02-28 + 1, ?d = ?e.
dear(?b) :- owed(?b, ?f), ?f - 0.50 = 1.00 + 0.50.
"""


def test_a_constant_that_is_calculated_has_the_form_of_its_place() -> None:
    theory = theory_of(CALCULATED)
    facts = [
        GroundFact("lend", ("b1", datetime.date(2024, 2, 29))),
        GroundFact("owed", ("b1", Decimal("1.50"))),
    ]
    solved = solve(theory, facts)
    for name, text in (
        ("early", "lend(?b, 2024-02-29)"),
        ("late", "lend(?b, 2024-02-29)"),
        ("dear", "owed(?b, 1.50)"),
    ):
        goal = Atom(name, (Constant("b1"),), "after")
        found = learn(explanation_of(solved.base, goal), theory)
        assert isinstance(found, ProvedExample)
        printed = print_rule(found.rule)
        assert text in printed
        assert KnowledgeBase(theory).read_clauses(printed).rules == (found.rule,)
