"""Tests of a single step: its conclusion, each reason why it proves nothing, and the applicable rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hornbook.compiler.checker.certificate import (
    fingerprint_of_declaration,
    fingerprint_of_facts,
    fingerprint_of_replies,
    fingerprint_of_rule,
)
from hornbook.compiler.checker.context import ProofContext, RejectedError
from hornbook.compiler.checker.dependencies import IntegrityAssumptions
from hornbook.compiler.checker.proofs import OPEN
from hornbook.compiler.checker.steps import AppliedRule, is_timeless, replay_step
from hornbook.compiler.checker.theory_index import theory_index
from hornbook.inputs.theories import load
from hornbook.kb.ast.once_per_theory import CACHED_THEORIES
from hornbook.kb.ast.terms import Atom, Rule, Variable, condition_variables, shared_variables
from oracles.proofs.learned_rules import rule_of, step, theory_of

THEORY = theory_of(
    """
    sort t. static near(t, t). fluent p(t). fluent k(t -> t). fluent m(t, t). fluent n(t -> int) counts m.
    action go(t). derived q(t). derived r(t, t).
    q: q(?x) :- p(?x), near(?x, ?y).
    r: r(?x, ?y) :- k(?x, ?y), p(?x).
    differ: q(?x) :- p(?x), p(?y), ?x != ?y.
    more: q(?x) :- n(?x, ?i), ?i > 2.
    all: q(?x) :- n(?x, ?i), all ?l in m(?x, ?l): p(?l).
    one: q(?x) :- n(?x, ?i), 1 = count ?l in (m(?x, ?l)).
    goes: after p(?x) :- go(?x), before p(?x).
    """
)
RULES = {rule.name: rule for rule in THEORY.rules if isinstance(rule, Rule)}
Q = replace(step("q", x="?x", y="?y"), proofs=(0, 1))


def context(body: str = "p(?x), near(?x, ?y)") -> ProofContext:
    rule = rule_of(f"q(?x) :- {body}.")
    known = ProofContext(IntegrityAssumptions(THEORY), shared_variables(rule))
    known.take(rule.body, "before")
    return known


def replayed(made: Any, known: ProofContext, *, one_moment: bool = False) -> ProofContext:
    replay_step(3, made, AppliedRule.of(RULES[made.rule]), known, one_moment=one_moment)
    return known


def test_a_step_concludes_its_rules_head_at_its_moment():
    known = replayed(Q, context())
    assert known.is_known(Atom("q", (Variable("x"),)), "before", 2)
    assert not known.is_known(Atom("q", (Variable("x"),)), "after", 2)
    known = context("go(?x), p(?x)")
    replayed(replace(step("goes", None, x="?x"), proofs=(0, 1)), known)
    assert known.is_known(Atom("p", (Variable("x"),)), "after", 2)


def test_notes_come_before_proofs():
    made = replace(step("r", x="?x", y="?z"), proofs=(1, 2), notes=(("key", 0, 1),))
    known = context("k(?x, ?y), k(?x, ?z), p(?x), r(?y, ?z)")
    assert replayed(made, known).are_equal([Variable("y")], [Variable("z")])


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (replace(Q, moment="then"), "`then` is no moment"),
        (replace(Q, moment="after"), "`p(?x)` (after the action) is neither a condition of the rule"),
        (replace(step("goes", "before", x="?x"), proofs=(0, 0)), "it says its own moments"),
        (replace(Q, substitution=Q.substitution[:1]), "the step does not say what `?y` stands for"),
        (replace(step("q", x="?x", y="?z"), proofs=(0, 1)), "`?z` is no variable of the learned rule"),
        (replace(Q, proofs=(0, 1, 0)), "it proves 3 conditions, and the rule has 2"),
        (replace(Q, proofs=(0,)), "`near(?x, ?y)` (before the action) is neither a condition of the rule nor"),
        (replace(Q, proofs=(1, 0)), "`p(?x)` (before the action) is neither"),
        (replace(Q, notes=(("key", 0, 1),)), "its note ('key', 0, 1) does not hold"),
    ],
)  # fmt: skip
def test_a_step_that_proves_nothing_is_refused(made, why):
    known = context()
    with pytest.raises(RejectedError) as problem:
        replayed(made, known)
    assert str(problem.value).startswith(f"step 3, rule `{made.rule}`: ")
    assert why in str(problem.value)
    with pytest.raises(RejectedError, match="and 2 are known"):
        known.statement(2)


def test_a_rule_of_two_moments_has_no_step_where_there_is_one():
    goes = replace(step("goes", None, x="?x"), proofs=(0, 1))
    with pytest.raises(RejectedError, match="the learned rule holds at any one moment"):
        replayed(goes, context("go(?x), p(?x)"), one_moment=True)
    replayed(Q, context(), one_moment=True)


@pytest.mark.parametrize(
    ("body", "made", "why"),
    [
        ("p(?x), p(?y)", step("differ", x="?x", y="?y"), "nothing proves `?x != ?y`: the two may be one thing"),
        ("n(?x, ?i)", step("more", x="?x", i="?i"), "the rule's conditions do not entail `?i > 2` within 64 bits"),
        (
            "n(?x, ?i)",
            step("all", x="?x", i="?i"),
            "the closed set of `all ?l in m(?x, ?l): p(?l)` (before the action) is not proved member by member",
        ),
        ("n(?x, ?i)", step("one", None, x="?x", i="?i"), "the closed set of `1 = count ?l in m(?x, ?l)` is not proved"),
        ("p(?x)", step("q", None, x="?x", y="?x"), "`near(?x, ?x)` is neither a condition of the rule nor concluded"),
    ],
)  # fmt: skip
def test_the_reason_names_the_condition_in_the_learned_rules_words(body, made, why):
    proofs = (0,) if len(RULES[made.rule].body) == 2 else (0, 1)
    with pytest.raises(RejectedError) as problem:
        replayed(replace(made, proofs=proofs), context(body))
    assert why in str(problem.value)
    assert "@" not in str(problem.value)


@pytest.mark.parametrize(
    ("text", "timeless"),
    [
        ("q(?x) :- p(?x).", True),
        ("after q(?x) :- p(?x).", False),
        ("q(?x) :- n(?x, _), all ?l in m(?x, ?l): before p(?l).", False),
    ],
)
def test_a_rule_with_a_tense_word_anywhere_is_of_moments(text, timeless):
    assert is_timeless(rule_of(text)) is timeless


# Rules that the theory has now

FEW = """
    sort t. static near(t, t). static far(t, t).
    near(a, b).
    first: far(?x, ?y) :- near(?x, ?y).
    second: far(?x, ?z) :- near(?x, ?y), far(?y, ?z).
"""


@pytest.mark.parametrize("name", ["go", "chess"])
def test_all_that_a_theory_has_is_there_with_its_fingerprint(name: str):
    theory = load(name)
    words = theory.vocabulary
    assert theory_index(theory).fingerprints == {
        **{f"rule {rule.name}": fingerprint_of_rule(rule) for rule in theory.rules},
        **{f"declaration {n}": fingerprint_of_declaration(p, words) for n, p in words.predicates.items()},
        **{f"replies {r.game.predicate}": fingerprint_of_replies(r) for r in theory.replies},
        "facts static": fingerprint_of_facts(theory),
    }


def test_a_source_is_a_rule_whose_variables_are_its_own():
    theory = theory_of(FEW)
    ((source,), (second,)) = (theory_index(theory).sources[name] for name in ("first", "second"))
    assert (source.rule, second.rule) == theory.rules
    assert second.shared == {"x", "y", "z"}
    assert second.timeless
    variables = [v for c in (second.own.head, *second.own.body) for v in condition_variables(c)]
    assert all(variable.name.endswith(OPEN) for variable in variables)


def test_rules_of_one_name_are_all_there():
    theory = theory_of(FEW)
    twice = replace(theory, rules=(*theory.rules, replace(theory.rules[1], label="first")))
    assert [source.rule for source in theory_index(twice).sources["first"]] == [
        twice.rules[0],
        twice.rules[2],
    ]
    assert theory_index(twice).fingerprints["rule first"] == fingerprint_of_rule(twice.rules[2])


def test_each_theory_has_its_own_however_many_are_queried_about():
    theories = [theory_of(FEW.replace("near(a, b)", f"near(a, b{n})")) for n in range(CACHED_THEORIES + 2)]
    for _ in range(2):
        for theory in theories:
            assert theory_index(theory).fingerprints["facts static"] == fingerprint_of_facts(theory)
