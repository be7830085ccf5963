"""Tests of theta-subsumption against all substitutions, and against the conclusions of rules in states."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from hornbook.compiler.rules.shape import SubsumptionShape
from hornbook.compiler.rules.subsumption import subsumes, variants
from hornbook.kb.ast import terms as t
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from oracles.proofs.learned_rules import rule_of, theory_of

GENERAL_SPECIFIC = [
    ("p(?x) :- q(?x, ?y).", "p(?a) :- q(?a, ?b), q(?b, ?a)."),
    ("p(?x) :- q(?x, ?y).", "p(?a) :- q(?a, ?a)."),
    ("p(?x) :- q(?x, ?y), q(?y, ?z).", "p(?a) :- q(?a, ?a)."),
    ("p(?x) :- q(?x, ?y).", "p(a) :- q(a, b)."),
    ("p(?x) :- q(?x, ?y), ?x != ?y.", "p(?a) :- q(?a, ?b), r(?b), ?b != ?a."),
    ("p(?x) :- n(?x, ?i), ?i > 2.", "p(?a) :- n(?a, ?j), ?j > 3."),
    ("p(?x) :- n(?x, ?i), ?i > 2.", "p(?a) :- n(?a, 3)."),
    ("p(?x) :- n(?x, ?i), ?i >= 3.", "p(?a) :- n(?a, ?j), 2 < ?j."),
    ("p(?x) :- n(?x, ?i), n(?y, ?j), ?i < ?j.", "p(?a) :- n(?a, ?i), n(?b, ?j), n(?c, ?k), ?i < ?j, ?j < ?k."),
    ("p(?x) :- n(?x, ?i), ?j = ?i + 1, ?j > 4.", "p(?a) :- n(?a, ?i), ?i > 3, ?i < 9."),
    (
        "p(?x) :- n(?x, ?i), n(?y, ?k), ?j = min(?i, 5), ?v = ?j * ?k, ?v > 4.",
        "p(?a) :- n(?a, ?h), n(?b, ?l), ?m = min(?h, 5), ?w = ?m * ?l, ?w > 6.",
    ),
    ("p(?x) :- c(?x, ?k), all ?l in m(?x, ?l): r(?l).", "p(?a) :- c(?a, ?j), all ?z in m(?a, ?z): r(?z)."),
    (
        "p(?x) :- c(?x, ?k), all ?l in m(?x, ?l): q(?l, ?o).",
        "p(?a) :- c(?a, ?j), r(?b), all ?z in m(?a, ?z): q(?z, ?y).",
    ),
    ("p(?x) :- c(?x, ?k), q(?x, ?o), all ?l in m(?x, ?l): q(?l, ?o).", "p(?a) :- c(?a, ?j), q(?a, ?b), all ?z in m(?a, ?z): q(?z, ?b)."),
    ("g(?x) by go(?x) is ?v :- w(?x, ?v).", "g(?a) by go(?a) is GI :- w(?a, GI), r(?a)."),
    ("after p(?x) :- go(?y), before q(?x, ?y).", "after p(?a) :- go(?b), before q(?a, ?b), before r(?a)."),
]  # fmt: skip
NEITHER = [
    ("p(?x) :- q(?x, ?y).", "p(?x) :- q(?y, ?x)."),
    ("p(?x) :- q(?x, a).", "p(?x) :- q(?x, b)."),
    ("p(a) :- r(?x).", "p(?x) :- r(?x), q(?x, ?x), r(b)."),
    ("p(?x) :- q(?x, ?y), ?x != ?y.", "p(?x) :- q(?x, ?y), r(?y)."),
    ("p(?x) :- n(?x, ?i), ?i > 3.", "p(?x) :- n(?x, ?i), ?i < 9."),
    ("p(?x) :- r(?x).", "s(?x) :- r(?x), s(?x)."),
    ("p(?x) :- r(?x).", "after p(?x) :- after r(?x), go(?x)."),
    ("after p(?x) :- go(?x), before r(?x).", "after p(?x) :- go(?x), after r(?x)."),
    # In the specific rule each member has its own object, in the general rule all share one.
    (
        "p(?x) :- c(?x, ?k), q(?x, ?o), all ?l in m(?x, ?l): q(?l, ?o).",
        "p(?x) :- c(?x, ?k), q(?x, ?o), r(?x), all ?l in m(?x, ?l): q(?l, ?y).",
    ),
    # The general rule would leave 64 bits in a state where the specific one answers.
    ("p(?x) :- n(?x, ?i), ?j = ?i * 2, ?j > 4.", "p(?x) :- n(?x, ?i), ?i > 3."),
    ("p(?x) :- n(?x, ?i), ?j = ?i * 2.", "p(?x) :- n(?x, ?i), r(?x)."),
    ("p(?x) :- n(?x, ?i), ?i * 2 > 4.", "p(?x) :- n(?x, ?i), ?i > 3."),
]


@pytest.mark.parametrize(("general", "specific"), GENERAL_SPECIFIC)
def test_a_rule_subsumes_what_says_more(general, specific):
    one, other = rule_of(general), rule_of(specific)
    assert subsumes(one, other)
    assert SubsumptionShape(one).may_subsume(SubsumptionShape(other))
    assert subsumes(one, one)
    assert subsumes(other, other)


@pytest.mark.parametrize(("one", "other"), NEITHER)
def test_rules_that_say_different_things_do_not_subsume(one, other):
    assert not subsumes(rule_of(one), rule_of(other))


def test_variants_are_recognised_whatever_the_order_of_conditions():
    random = Random(7)
    text = (
        "p(?x, ?z) :- q(?x, ?y), q(?y, ?z), r(?y), n(?x, ?i), ?i > 2, ?x != ?z, c(?x, ?k),"
        " all ?l in m(?x, ?l): (q(?l, ?o), n(?o, ?j), ?j > ?i)."
    )
    rule = rule_of(text)
    for _ in range(20):
        names = list("abcdefghuvw")
        random.shuffle(names)
        renamed = rule_of(_with_names(text, dict(zip("xyzikloj", names, strict=False))))
        body = list(renamed.body)
        random.shuffle(body)
        other = replace(renamed, body=tuple(body))
        assert variants(rule, other)
        assert not variants(rule, replace(other, body=tuple(body[1:])))


def _with_names(text: str, names: Mapping[str, str]) -> str:
    for old, new in names.items():
        text = text.replace(f"?{old}", f"?#{new}")
    return text.replace("?#", "?")


# Against all substitutions


def _random_rule(random: Random, names: str, size: int) -> t.Rule:
    terms: list[t.Term] = [*map(t.Variable, names), t.Constant("a")]
    body: list[t.Condition] = []
    for _ in range(size):
        predicate, arity = random.choice((("q", 2), ("q", 2), ("r", 1)))
        body.append(t.Atom(predicate, tuple(random.choice(terms) for _ in range(arity))))
    bound = sorted({v.name for condition in body for v in t.condition_variables(condition)})
    if len(bound) > 1 and random.random() < 0.3:
        one, other = random.sample(bound, 2)
        body.append(t.Comparison("!=", t.Variable(one), t.Variable(other)))
    head = t.Variable(random.choice(bound)) if bound else t.Constant("a")
    return t.Rule(t.Atom("p", (head,)), tuple(body), "learned")


def _by_trying_all(general: t.Rule, specific: t.Rule) -> bool:
    variables = sorted({v.name for c in (general.head, *general.body) for v in t.condition_variables(c)})
    terms = list({term for c in (specific.head, *specific.body) if isinstance(c, t.Atom) for term in c.terms})
    there = set(specific.body)
    there |= {replace(c, left=c.right, right=c.left) for c in specific.body if isinstance(c, t.Comparison)}
    for row in product(terms, repeat=len(variables)):
        substitution = dict(zip(variables, row, strict=True))
        if apply_to_statement(general.head, substitution) != specific.head:
            continue
        if all(_is_there(apply_to_condition(c, substitution), there) for c in general.body):
            return True
    return False


def _is_there(condition: t.Condition, there: set[t.Condition]) -> bool:
    if (
        isinstance(condition, t.Comparison)
        and isinstance(condition.left, t.Constant)
        and isinstance(condition.right, t.Constant)
    ):
        return condition.left != condition.right
    return condition in there


def test_subsumption_is_what_trying_all_substitutions_finds():
    random = Random(1)
    found = 0
    for _ in range(1_500):
        general = _random_rule(random, "xyz", random.randint(1, 4))
        specific = _random_rule(random, "abc", random.randint(1, 6))
        expected = _by_trying_all(general, specific)
        assert subsumes(general, specific) == expected, (general, specific)
        if expected:
            assert SubsumptionShape(general).may_subsume(SubsumptionShape(specific))
        found += expected
    assert found > 50


# Against the conclusions in states

STATES = theory_of(
    """
    sort s. fluent q(s, s). fluent r(s). fluent n(s -> int). fluent m(s, s). fluent c(s -> int) counts m.
    derived p(s).
    """
)
PIECES = (
    "q(?{0}, ?{1})", "q(?{0}, ?{1})", "r(?{0})", "n(?{0}, ?i{0})", "?i{0} > {3}", "?i{0} < ?i{1}", "?i{0} + 1 >= ?i{2}",
    "?{0} != ?{1}", "all ?l in m(?{0}, ?l): r(?l)", "all ?l in m(?{0}, ?l): q(?l, ?{1})", "all ?l in m(?{0}, ?l): q(?l, ?o)",
)  # fmt: skip


def _checked_rule(random: Random) -> str:
    names = [random.choice("xyz") for _ in range(3)]
    pieces = [
        p.format(*random.sample("xyz", 3), random.randint(0, 2))
        for p in random.choices(PIECES, k=random.randint(1, 5))
    ]
    bind = {f"n(?{name}, ?i{name})" for name in "xyz" if any(f"?i{name}" in piece for piece in pieces)}
    bind |= {f"r(?{name})" for name in "xyz" if any(f"?{name}" in piece for piece in pieces)} | {
        f"r(?{names[0]})"
    }
    return f"p(?{names[0]}) :- {', '.join(sorted({*pieces, *bind}))}."


def _state(random: Random) -> list[GroundFact]:
    things = ("a", "b", "c")
    facts = [GroundFact("q", (x, y)) for x in things for y in things if random.random() < 0.5]
    facts += [GroundFact("r", (x,)) for x in things if random.random() < 0.8]
    facts += [GroundFact("n", (x, random.randint(0, 3))) for x in things]
    for x in things:
        members = [y for y in things if random.random() < 0.4]
        facts += [GroundFact("m", (x, y)) for y in members]
        facts.append(GroundFact("c", (x, len(members))))
    return facts


def test_what_is_subsumed_concludes_nothing_more_on_any_state():
    random = Random(2)
    rules = [rule_of(_checked_rule(random)) for _ in range(120)]
    concluded = []
    states = [_state(random) for _ in range(8)]
    for rule in rules:
        base = KnowledgeBase(replace(STATES, rules=(rule,)), derivations="none")
        answers = set()
        for number, state in enumerate(states):
            base.push()
            base.add(state)
            answers |= {(number, fact.values) for fact in base.facts("p")}
            base.pop()
        concluded.append(answers)
    pairs = 0
    for one, those in zip(rules, concluded, strict=True):
        for other, these in zip(rules, concluded, strict=True):
            if one is not other and subsumes(one, other):
                pairs += 1
                assert these <= those, (one, other)
    assert pairs > 45


# Bounds


@pytest.mark.deep
def test_long_rules_are_compared_in_time():
    body = ", ".join(f"q(?x{i}, ?x{i + 1}), n(?x{i}, ?i{i}), ?i{i} > {i}" for i in range(1_000))
    rule = rule_of(f"p(?x0) :- {body}.")
    renamed = replace(rule_of(f"p(?y0) :- {body}.".replace("?x", "?y").replace("?i", "?j")))
    started = time.process_time()
    assert variants(rule, replace(renamed, body=tuple(reversed(renamed.body))))
    assert not subsumes(rule, replace(renamed, body=renamed.body[3:]))
    assert time.process_time() - started < 20


def test_a_search_out_of_budget_is_no_subsumption():
    links = ", ".join(f"q(?x{i}, ?x{j})" for i in range(9) for j in range(9) if i < j)
    there = ", ".join(f"q(?y{i}, ?y{j})" for i in range(8) for j in range(8) if i < j)
    started = time.process_time()
    assert not subsumes(rule_of(f"p(?z) :- r(?z), {links}."), rule_of(f"p(?z) :- r(?z), {there}."))
    assert time.process_time() - started < 10
    assert not subsumes(rule_of("p(?x) :- q(?x, ?y)."), rule_of("p(?x) :- q(?x, ?y)."), budget=0)
