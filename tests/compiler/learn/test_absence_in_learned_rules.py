"""Tests of rules learned from absences and sums of complete predicates: their text, answers and proofs."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.compiler.checker.checker import RejectedError, verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.learn.learner import ProvedExample, RefusedProof, explanation_of, learn, solve
from hornbook.compiler.match.position import RuleMatcher
from hornbook.compiler.rules.certificates import certificate_as_json
from hornbook.compiler.rules.rulebase import check_learned
from hornbook.kb.ast.terms import Atom, Constant, Rule, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.examples import example_facts
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_rule
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse
from oracles.proofs.two_readers import Both

CLUBS_TEXT = (Path(__file__).parent / "data" / "absence_in_learned_rules_clubs_text.horn").read_text(
    encoding="utf-8"
)
CLUBS = load_text(CLUBS_TEXT)
GOAL = "before get(ann, go) by enter(ann, go) is GI"


def learned_from(theory: Theory, goal: str) -> ProvedExample | RefusedProof:
    base = solve(theory, example_facts(theory, theory.examples[0])).base
    return learn(explanation_of(base, goal), theory, "learned")


@pytest.fixture(scope="module")
def learned() -> ProvedExample:
    found = learned_from(CLUBS, GOAL)
    assert isinstance(found, ProvedExample), found
    return found


def test_what_is_absent_and_summed_up_is_queried_for_as_the_theory_asks(learned):
    assert " ".join(print_rule(learned.rule).split()) == (
        "learned: get(?p, ?c) by enter(?p, ?c) is GI :- member(?p, ?c), absent locked(?c), absent guarded(?c),"
        " absent busy(?p), ?n = count ?q where (member(?q, ?c), asleep(?q)), ?n < 2,"
        " ?f = sum ?m where fee(?c, ?m), ?f < 9."
    )
    # The rule is correct for given states, and no lemma after an action.
    assert not learned.certificate.reached
    assert [d for d in check_learned([learned.rule], CLUBS) if d.severity == "error"] == []


def test_it_answers_where_the_theory_does_and_nowhere_else(learned):
    random, matcher, answers = Random(7), RuleMatcher(CLUBS, "member"), 0
    matcher.add(learned.rule)
    people, clubs = ("ann", "bob", "cid"), ("go", "chess")
    for _ in range(150):
        rows = [*(("member", pair) for pair in product(people, clubs))]
        rows += [("keeper", pair) for pair in product(clubs, people)] + [("locked", (c,)) for c in clubs]
        rows += [("asleep", (p,)) for p in people] + [("fee", (c, n)) for c in clubs for n in (2, 8)]
        facts = [GroundFact(name, row) for name, row in rows if random.random() < 0.3]
        by_rule = bool(matcher.matches(facts, Atom("get", (Constant("ann"), Constant("go"))), Constant("GI")))
        base = KnowledgeBase(CLUBS, engine="plain")
        base.add([*facts, GroundFact("enter", ("ann", "go"))])
        assert by_rule == bool(base.query(GOAL)), facts
        answers += by_rule
    assert answers > 3


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Each edit asks for less than the theory does, or for something else. The proof is unchanged.
        ("absent busy(?p)", "absent busy(?c2)"),
        ("absent guarded(?c)", "absent keeper(?c, ?p)"),
        ("absent locked(?c)", "absent (locked(?c), fee(?c, 3))"),
        ("absent locked(?c)", "absent (locked(?c), absent fee(?c, 3))"),
        ("absent locked(?c)", "absent absent locked(?c)"),
        ("absent locked(?c)", "?k = count ?l where locked(?l)"),
        ("absent locked(?c)", "locked(?c)"),
        ("member(?q, ?c), asleep(?q)", "member(?q, ?c), asleep(?q), fee(?c, 3)"),
        ("member(?q, ?c), asleep(?q)", "member(?p, ?c), asleep(?q)"),
        ("?n = count ?q where", "?n = count ?q, ?c2 where (member(?c2, ?c)),"),
        ("sum ?m where", "min ?m where"),
        ("?f = sum ?m", "3 = sum ?m"),
        (
            "?f = sum ?m where fee(?c, ?m), ?f < 9",
            "?k = sum ?m where fee(?c, ?m), ?f < 9, fee(?c, ?f), ?k < 100",
        ),
    ],
)
def test_no_other_absence_or_sum_proves_it(learned, old, new):
    text = print_rule(learned.rule)
    assert old in text
    parsed = parse(text.replace(old, new, 1)).clauses
    rules = [clause for clause in parsed if isinstance(clause, Rule)]
    if not rules:
        return  # the edited text is not a rule
    forged = replace(learned.certificate, of=fingerprint_of_rule(rules[0]))
    with pytest.raises(RejectedError):
        verify(rules[0], forged, CLUBS)
    verdicts = Both.of_texts(CLUBS, [CLUBS_TEXT]).verdicts(rules[0], certificate_as_json(forged))
    assert verdicts.agree, verdicts


def test_a_proof_of_given_states_is_none_of_all_that_are_reached(learned):
    with pytest.raises(RejectedError, match="known in given states only"):
        verify(learned.rule, replace(learned.certificate, reached=True), CLUBS)


LOCAL = load_text("""
theory local.
sort thing.
static near(thing, thing) complete. static wet(thing) complete.
derived dry(thing). derived alone(thing).
nothing_is_wet: dry(?x) :- near(?x, _), absent wet(?y).
not_beside: alone(?x) :- near(?x, ?y), absent near(?y, ?x), absent (near(?x, ?z), wet(?z)).
example e: near(a, b).
""")


def test_what_is_the_absences_own_is_not_taken_for_a_thing_of_the_rule():
    found = learned_from(LOCAL, "dry(a)")
    assert isinstance(found, ProvedExample)
    assert print_rule(found.rule).endswith("dry(?x) :- absent wet(_), near(?x, _).")
    (step,) = found.certificate.steps
    for text, is_proved in (("?z", True), ("?y", False), ("?x", False)):
        # An object next to ?x, or ?x, may be dry while others are wet.
        (rule,) = parse(f"learned: dry(?x) :- absent wet({text}), near(?x, ?y).").clauses
        assert isinstance(rule, Rule)
        steps = (replace(step, substitution=(("_1", Variable("y")), ("x", Variable("x")))),)
        forged = replace(found.certificate, of=fingerprint_of_rule(rule), steps=steps)
        if is_proved:
            verify(rule, forged, LOCAL)
        else:
            with pytest.raises(RejectedError, match="absent wet"):
                verify(rule, forged, LOCAL)
    other = learned_from(LOCAL, "alone(a)")
    assert isinstance(other, ProvedExample)
    (queried,) = parse(
        "learned: alone(?x) :- near(?x, ?y), absent near(?y, ?x), absent (near(?x, ?z), wet(?z))."
    ).clauses
    assert isinstance(queried, Rule)
    assert other.rule == queried


@pytest.mark.parametrize(
    ("declared", "reason"),
    [
        ("static near(thing, thing).", "declare `near` complete"),
        ("static near(thing, thing) complete.", None),
        ("fluent near(thing, thing) complete. action go.", "write `before`"),
        ("fluent near(thing, thing) complete.", None),
    ],
)
def test_nothing_is_learned_from_the_absence_of_what_is_not_complete(declared, reason):
    theory = load_text(f"""
    theory t. sort thing. static thing(thing). {declared} derived alone(thing).
    by_itself: alone(?x) :- thing(?x), absent near(?x, _).
    example e: thing(a).
    """)
    found = learned_from(theory, "alone(a)" if "action" not in declared else "before alone(a)")
    assert isinstance(found, ProvedExample) == (reason is None)
    if reason is not None:
        assert isinstance(found, RefusedProof)
        assert found.reason.startswith("`by_itself` (<text>:3), which gave `")
        assert "rests on an absence" in found.reason
        assert reason in found.reason


WORLDS = load_text("""
theory worlds.
sort thing. action act(thing). game win(thing).
static thing(thing) complete. fluent shut(thing) complete.
derived taken(thing). derived free(thing). derived won(thing).
taken(?x) :- act_of(?x), thing(?x).
static act_of(thing) complete.
before free(?x) :- thing(?x), absent before shut(?x).
before won(?x) :- before win(?x) by act(_) is GI.
before odd(?x) :- thing(?x), absent before won(?x).
derived odd(thing).
does: before win(?x) by act(?x) is GI :- act(?x), before free(?x).
""")


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("win(?x) by act(?x) is GI :- thing(?x), absent shut(?x).", "no step concludes"),
        # The effect of another action is known in one world of a state, and not in another.
        ("win(?x) by act(?x) is GI :- thing(?x), absent won(?x).", "more of it may come from act"),
        ("win(?x) by act(?x) is GI :- odd(?x).", "may rest on the action that is taken"),
        # No rule tests for the absence of this predicate, so it may have further facts.
        ("win(?x) by act(?x) is GI :- thing(?x), absent taken(?x).", "no rule of the theory tests"),
        ("win(?x) by act(?x) is GI :- thing(?x), absent win(?x) is GI.", "has no place in a learned rule"),
        ("win(?x) by act(?x) is GI :- thing(?x), absent act(?x).", "has no place in a learned rule"),
        (
            "after free(?x) :- before thing(?x), absent after shut(?x).",
            "what holds after an action|has a tense word",
        ),
        ("after free(?x) :- thing(?x), absent after shut(?x).", "what holds after an action"),
    ],
)
def test_absences_are_of_what_is_the_same_in_every_world_of_a_state(rule, reason):
    (parsed,) = parse(f"learned: {rule}").clauses
    assert isinstance(parsed, Rule)
    made = certificate_of(parsed, (), WORLDS, {})
    with pytest.raises(RejectedError, match=reason):
        verify(parsed, made, WORLDS)


def test_a_rule_that_makes_more_of_what_is_absent_takes_the_certificate_away(learned):
    verify(learned.rule, learned.certificate, CLUBS)
    (rule,) = parse("before guarded(?c) :- keeper(?c, ?p), before get(?p, ?c) by enter(_, _) is GI.").clauses
    assert isinstance(rule, Rule)
    with pytest.raises(
        RejectedError, match="rules that conclude what the certificate speaks of were changed"
    ):
        verify(learned.rule, learned.certificate, replace(CLUBS, rules=(*CLUBS.rules, rule)))
