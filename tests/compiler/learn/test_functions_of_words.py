"""Rules that call functions of words are learned, both checkers agree on them, and they apply."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.checker.language import refuse_other_language
from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn, solve
from hornbook.compiler.refute.countermodel import find
from hornbook.compiler.rules.certificates import certificate_as_json
from hornbook.compiler.rules.subsumption import subsumes
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_rule
from oracles.proofs.learned_rules import rule_of, theory_of
from oracles.proofs.two_readers import Both

TEXT = """sort person. sort code. sort tag.
fluent badge(person -> code).
fluent seat(person -> code).
fluent size(person -> int).
fluent member(tag, code).
fluent members(tag -> int) counts member.
static room_of(code, tag).
static shut(tag) complete.
action issue(person, code).
derived staff(person).
derived long(person).
derived number(person, int).
derived west(person).
derived same(person, person).
derived small(tag).
derived open_room(person).

room_of(w, west).
issued: after badge(?p, ?d) :- issue(?p, ?c), before badge(?p, _), ?d = upper(concat(?c, '-1')).
seated: after seat(?p, ?s) :- issue(?p, ?c), before seat(?p, _), ?s = part(?c, 1, 1).
sits: after seat(?q, ?s) :- issue(?p, _), before seat(?q, ?s), ?p != ?q.
sized: after size(?p, ?n) :- issue(?p, ?c), before size(?p, ?m), ?n = ?m + length(?c).
stays: after member(?t, ?c) :- issue(_, _), before member(?t, ?c).
as_many: after members(?t, ?n) :- issue(_, _), before members(?t, ?n).
staff: staff(?p) :- badge(?p, ?d), starts_with(?d, 'W') = 1, length(?d) < 9.
long: long(?p) :- size(?p, ?n), ?n > 3.
numbered: number(?p, ?k * 2) :- badge(?p, ?d), ?k = int(split(?d, '-', 2)).
west: west(?p) :- seat(?p, ?s), room_of(?s, west).
same: same(?p, ?q) :- seat(?p, ?s), seat(?q, ?t), lower(?s) = lower(?t), ?p != ?q.
small: small(?t) :- members(?t, _), all ?c in member(?t, ?c): lower(?c) = ?c.
open: open_room(?p) :- badge(?p, ?d), ?r = lower(part(?d, 1, 2)),
  absent (shut(?x), starts_with(?r, word(length(?x))) = 1).
"""
FACTS = [
    GroundFact("badge", ("ada", "X-0")),
    GroundFact("seat", ("ada", "q")),
    GroundFact("seat", ("bob", "W")),
    GroundFact("size", ("ada", 1)),
    GroundFact("member", ("t", "abc")),
    GroundFact("member", ("t", "d")),
    GroundFact("members", ("t", 2)),
]
GOALS = (
    ("staff", ("ada",)), ("long", ("ada",)), ("number", ("ada", 2)), ("west", ("ada",)), ("same", ("ada", "bob")),
    ("small", ("t",)), ("open_room", ("ada",)),
)  # fmt: skip


@pytest.fixture(scope="module")
def learned() -> tuple[Both, dict[str, ProvedExample]]:
    theory = theory_of(TEXT)
    solved = solve(theory, [*FACTS, GroundFact("issue", ("ada", "w77"))], all_proofs=True)
    found = {}
    for name, values in GOALS:
        goal = Atom(name, tuple(map(Constant, values)), "after")
        found[name] = learn(explanation_of(solved.base, goal), theory)
    return Both.of_texts(theory, [f"theory made.\n{TEXT}"]), found


def test_both_readers_accept_what_is_learned(learned) -> None:
    both, found = learned
    for one in found.values():
        assert isinstance(one, ProvedExample)
        verdicts = both.verdicts(one.rule, certificate_as_json(one.certificate))
        assert (verdicts.checker, verdicts.reader) == ("", "")
        assert find(one.rule, both.theory) is None
        assert rule_of(print_rule(one.rule)) == one.rule
        assert subsumes(one.rule, one.rule)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("staff", "starts_with(?d, W)", "starts_with(?d, V)"),
        ("staff", "starts_with(?d, W)", "starts_with(W, ?d)"),
        ("staff", "starts_with(?d, W)", "ends_with(?d, W)"),
        ("staff", "upper(concat", "lower(concat"),
        ("staff", "concat(?c, '-1')", "concat('-1', ?c)"),
        ("staff", "length(?d) < 9", "length(?d) < 10"),
        ("staff", "length(?d) < 9", "length(?c) < 9"),
        ("long", "length(?c)", "length(?p)"),
        ("long", "?n > 3", "?n > 2"),
        ("number", "split(?d, '-', 2)", "split(?d, '-', 1)"),
        ("number", "int(split", "length(split"),
        ("west", "part(?c, 1, 1)", "part(?c, 1, 2)"),
        ("west", "room_of(?s, west)", "room_of(?c, west)"),
        ("same", "lower(?s) = lower(", "upper(?s) = lower("),
        ("same", "lower(?s) = lower(", "lower(?s) != lower("),
        ("small", "lower(?c) = ?c", "upper(?c) = ?c"),
        ("open_room", "starts_with(?r", "ends_with(?r"),
        ("open_room", "length(?x)", "length(?r)"),
        ("open_room", "lower(part", "upper(part"),
    ],
)
def test_both_readers_refuse_another_calculation(learned, name, right, wrong) -> None:
    both, found = learned
    text = print_rule(found[name].rule)
    assert right in text
    rule = rule_of(text.replace(right, wrong))
    written = {**certificate_as_json(found[name].certificate), "of": fingerprint_of_rule(rule)}
    verdicts = both.verdicts(rule, written)
    reasons = ("do not entail", "neither a condition", "is not proved member by member")
    assert any(reason in verdicts.checker for reason in reasons), verdicts.checker
    assert verdicts.reader


def test_a_learned_rule_concludes_what_the_theory_does(learned) -> None:
    both, found = learned
    for name, one in found.items():
        own = tuple(r for r in both.theory.rules if r.head.relation != name)
        for code in ("w77", "W", "wwwwwwwww", "77-8", "x", "ß", "ww-3"):
            facts = [*FACTS, GroundFact("issue", ("ada", code))]
            answers = []
            for rules in (both.theory.rules, (*own, one.rule)):
                base = KnowledgeBase(replace(both.theory, rules=rules))
                base.add(facts)
                columns = ", ".join(f"?x{i}" for i, _ in enumerate(one.rule.head.terms))
                answers.append(set(base.query(f"after {name}({columns})").rows))
            if name == "same":
                answers[0] &= {("ada", "bob")}
            assert answers[0] >= answers[1]
            assert bool(answers[0]) == bool(answers[1]) or name == "same"


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("length(?n) < 5", "`?n` is a `int`, and used as a word"),
        ("?n = upper(?p)", "`?n` is a `int`, and used as a word"),
        ("upper(?p) < 3", "`upper` gives no integer"),
        ("?k = concat(?p, word(?p))", "`?p` is a `person`, and calculated with"),
        ("round_down(?n, ?n, 0) > 2", "`round_down` has a number of digits that is none"),
        ("divide_up(?n, 3, 16) > 2", "`divide_up` has a number of digits that is none"),
        ("length(?p) = x", "`x` is a word, and calculated with"),
    ],
)
def test_the_checker_refuses_words_for_integers_and_integers_for_words(learned, condition, message) -> None:
    rule = rule_of(f"learned: after long(?p) :- issue(?p, _), before size(?p, ?n), {condition}.")
    with pytest.raises(RejectedError) as problem:
        refuse_other_language(rule, learned[0].theory.vocabulary)
    assert message in str(problem.value)
