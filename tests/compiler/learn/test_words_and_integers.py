"""Tests of columns of words and integers: rules are learned, and both checkers agree on them."""

from __future__ import annotations

from pathlib import Path

from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn, solve
from hornbook.compiler.match.plans import plans
from hornbook.compiler.match.position import RuleMatcher
from hornbook.compiler.rules.certificates import certificate_as_json
from hornbook.kb.ast.parts import in_parts
from hornbook.kb.ast.terms import Atom, Constant, Rule
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_rule
from hornbook.kb.parse.syntax import parse
from oracles.proofs.learned_rules import rule_of, theory_of
from oracles.proofs.two_readers import Both

TEXT = (Path(__file__).parent / "data" / "words_and_integers_text.txt").read_text(encoding="utf-8")


def learned() -> tuple[Both, list[ProvedExample]]:
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
        found += [outcome for outcome in outcomes if isinstance(outcome, ProvedExample)]
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


GAMES = (Path(__file__).parent / "data" / "words_and_integers_games.txt").read_text(encoding="utf-8")
CODES = (1, "1", "x")


def test_a_game_about_words_and_integers_is_learned() -> None:
    """The goals of one game are sorted, and their column contains words and integers."""
    theory = theory_of(GAMES)
    for code in CODES:
        facts = [*(GroundFact("free", (each,)) for each in CODES), GroundFact("take", (code,))]
        solved = solve(theory, facts, all_proofs=True)
        (goal,) = solved.goals
        assert isinstance(learn(explanation_of(solved.base, goal), theory), ProvedExample)


def test_conclusions_on_words_and_integers_are_sorted() -> None:
    rule = rule_of("r: clear(?c) by take(?c) is GI :- free(?c), part(?c).")
    matcher = RuleMatcher(theory_of(GAMES), "")
    matcher.add(rule)
    state = in_parts(GroundFact("free", (code,)) for code in ("x", "1", 1))
    output = matcher.conclusions(state, [Atom("clear", (Constant(code),)) for code in ("x", "1", 1)])
    assert [each.statement.game.terms[0].value for each in output] == [1, "1", "x"]


def test_plans_about_words_and_integers_are_sorted() -> None:
    theory = theory_of(GAMES)
    plan = parse("p: plan clear(?c) in 1 by take(?c) :- free(?c).").clauses
    found = plans(plan, theory, [GroundFact("free", (code,)) for code in ("x", "1", 1)])
    assert [each.goal.terms[0].value for each in found] == [1, "1", "x"]
