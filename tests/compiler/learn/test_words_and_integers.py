"""Rules about columns of words and integers are learned, and both readers of certificates accept them and refuse others."""

from __future__ import annotations

from hornbook.compiler.learn.learner import Learned, explanation_of, learn, solve
from hornbook.compiler.rules.certificates import certificate_as_json
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_rule
from oracles.proofs.learned_rules import rule_of, theory_of
from oracles.proofs.two_readers import Both

TEXT = """
sort code = word | int.
sort place.
static replaces(code, code).
static room(place).
room(hall). room(shed).
fluent at(code -> place).
fluent size(code -> int).
action fetch(code, place).
game ready(code).
fetched: after at(?c, ?p) :- fetch(?c, ?p), room(?p), before at(?c, ?q), ?q != ?p, ?c != 5, ?c != '5'.
instead: before ready(?c) by fetch(?d, ?p) is GI :- after at(?d, ?p), replaces(?d, ?c), ?d != ?c, ?c = 5.
instead_of: after at(?c, ?p) :- fetch(?d, ?p), before at(?c, ?p), ?c != ?d.
replaces(7, 5). replaces('7', 5).
"""


def learned() -> tuple[Both, list[Learned]]:
    theory = theory_of(TEXT)
    found = []
    for code in (7, "7"):
        facts = [
            GroundFact("at", (code, "shed")),
            GroundFact("at", (5, "hall")),
            GroundFact("fetch", (code, "hall")),
        ]
        solved = solve(theory, facts, all_proofs=True)
        outcomes = [learn(explanation_of(solved.base, goal), theory) for goal in solved.goals]
        found += [outcome for outcome in outcomes if isinstance(outcome, Learned)]
    return Both.of_texts(theory, [f"theory made.\n{TEXT}"]), found


def test_both_readers_accept_what_is_learned() -> None:
    both, found = learned()
    assert len(found) == 2
    for one in found:
        verdicts = both.verdicts(one.rule, certificate_as_json(one.certificate))
        assert (verdicts.checker, verdicts.reader) == ("", "")


def test_both_refuse_it_where_its_conditions_are_of_another_sort_or_thing() -> None:
    both, found = learned()
    one = found[0]
    others = (
        "size(?c, ?c)",
        "size(?c, ?n), ?c = ?n",
        "?c > 4",
        "?c + 1 != 3",
    )
    for condition in others:
        text = rule_of(f"x: ready(5) :- at(?c, _), {condition}.").body
        rule = Rule(one.rule.head, (*one.rule.body, *text), one.rule.label)
        verdicts = both.verdicts(rule, certificate_as_json(one.certificate))
        assert verdicts.checker, condition
        assert verdicts.reader, condition


def test_what_one_is_not_is_not_what_the_other_is_not() -> None:
    both, found = learned()
    one = found[0]
    words = print_rule(one.rule)
    assert "?d != 5" in words
    assert "?d != '5'" in words
    for lost in ("?d != 5, ", ", ?d != '5'"):
        rule = rule_of(words.replace(lost, ""))
        verdicts = both.verdicts(rule, certificate_as_json(one.certificate))
        assert verdicts.checker, lost
        assert verdicts.reader, lost
