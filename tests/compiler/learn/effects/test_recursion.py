"""Tests of recursive invented predicates: rules about chains of any length, proved by induction."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from hornbook.compiler.learn.learning import ExampleProgress, examples_of, learn_all
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.verification import verify_all
from hornbook.kb.ast.terms import Atom, statements
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load, load_text
from tests.compiler.learn.effects.test_effects import learned, learned_only

DATA = Path(__file__).parent / "data"

LINKS = """theory links.
sort node. sort steps = int.
fluent edge(node, node).
action link(node, node).
linked: after edge(?x, ?y) :- link(?x, ?y).
persists edge(_, _).
"""
PARITY = (
    LINKS
    + """derived even(node, node).
derived odd(node, node).
one: odd(?x, ?y) :- edge(?x, ?y).
odd: odd(?x, ?z) :- edge(?x, ?y), even(?y, ?z).
even: even(?x, ?z) :- edge(?x, ?y), odd(?y, ?z).
example three: edge(b, c), edge(c, d), link(a, b).
expect three: after odd(a, d).
"""
)
DISTANCE = (
    LINKS
    + """derived away(node, node, steps).
one: away(?x, ?y, 1) :- edge(?x, ?y).
more: away(?x, ?z, ?n) :- edge(?x, ?y), away(?y, ?z, ?m), ?m < 6, ?n = ?m + 1.
example three: edge(b, c), edge(c, d), link(a, b).
expect three: after away(a, d, 3).
"""
)
BELOW_THE_GOAL = (
    LINKS
    + """derived path(node, node).
derived served(node).
fluent depot(node).
persists depot(_).
one: path(?x, ?y) :- edge(?x, ?y).
joined: path(?x, ?z) :- path(?x, ?y), path(?y, ?z).
served: served(?y) :- depot(?x), path(?x, ?y).
example three: depot(a), edge(a, b), edge(c, d), link(b, c).
expect three: after served(d).
"""
)
IN_SETS = """theory installation.
sort package.
fluent installed(package).
static requires(package, package).
static requirements(package -> int) counts requires.
derived ready(package).
ready: ready(?p) :- installed(?p), requirements(?p, _), all ?q in requires(?p, ?q): ready(?q).
action install(package).
installed: after installed(?p) :- install(?p).
persists installed(_).
example one: requires(a, b), requirements(a, 1), requirements(b, 0), installed(a), install(b).
expect one: after ready(a).
"""


def network(rng: random.Random) -> list[GroundFact]:
    sites = "abcdef"[: rng.randint(2, 6)]
    facts = {GroundFact("feeds", (rng.choice(sites), rng.choice(sites))) for _ in range(rng.randint(1, 9))}
    facts |= {GroundFact("source", (rng.choice(sites),)) for _ in range(rng.randint(0, 2))}
    facts |= {
        GroundFact("state", (s, rng.choice(("good", "good", "good", "broken"))), "before") for s in sites
    }
    facts |= {GroundFact("skilled", ("tom", s)) for s in sites if rng.random() < 0.7}
    return [*facts, GroundFact("repair", ("tom", rng.choice(sites)))]


def graph(relation: str, *actions: str) -> Callable[[random.Random], list[GroundFact]]:
    def state(rng: random.Random) -> list[GroundFact]:
        nodes = "abcdef"[: rng.randint(2, 6)]

        def pair() -> tuple[str, str]:
            return rng.choice(nodes), rng.choice(nodes)

        facts = {GroundFact(relation, pair(), "before") for _ in range(rng.randint(0, 7))}
        return [*facts, GroundFact(rng.choice(actions), pair())]

    return state


def depots(rng: random.Random) -> list[GroundFact]:
    return [GroundFact("depot", (rng.choice("abcdef"),), "before"), *graph("edge", "link")(rng)]


CASES = {
    "supply": (load(DATA / "supply.horn"), "supplied", network, 200),
    "packages": (load(DATA / "packages.horn"), "depends_on", graph("requires", "add", "drop"), 1000),
    "mutual": (load_text(PARITY), "odd", graph("edge", "link"), 1000),
    "numbers": (load_text(DISTANCE), "away", graph("edge", "link"), 4000),
    "below the goal": (load_text(BELOW_THE_GOAL), "served", depots, 200),
}


@pytest.mark.parametrize(("theory", "goal", "state", "least"), CASES.values(), ids=CASES)
def test_learned_recursion_finds_what_the_theory_finds(theory, goal, state, least):
    base = learned(theory)
    assert all(entry.is_certified for entry in base)
    found = 0
    for seed in range(300):
        facts = state(random.Random(seed))
        whole, single = KnowledgeBase(theory), learned_only(theory, base)
        whole.add(facts)
        single.add(facts)
        expected = set(whole.facts(goal, "after"))
        assert set(single.facts(goal, "after")) == expected
        found += len(expected)
    assert found > least


@pytest.mark.parametrize("theory", [theory for theory, *_ in CASES.values()], ids=CASES)
def test_a_recursive_definition_is_proved_by_induction(theory):
    base = learned(theory)
    recursive = {
        c.head.relation
        for c in base.definitions.clauses
        if any(s.relation == c.head.relation for s in statements(c.body))
    }
    assert recursive == base.definitions.names
    for entry in base:
        condition = entry.rule.body[-1]
        if isinstance(condition, Atom) and condition.predicate in recursive and len(entry.rule.body) == 2:
            assert entry.certificate.induction == 1
    assert not any(verdict.reason for verdict in verify_all(base, theory))


@pytest.mark.parametrize("number", [0, 1])
def test_one_example_is_enough_and_others_add_no_rule(number):
    theory = load(DATA / "supply.horn")
    examples = examples_of(theory)
    *_, last = learn_all(examples[number : number + 1], theory, RuleBase(theory.name))
    assert [entry.rule for entry in last.base] == [entry.rule for entry in learned(theory)]
    (entry,) = last.base
    assert entry.provenance.example == examples[number].name
    assert not entry.rule.lemma


def test_a_later_example_continues_a_recursive_definition(tmp_path):
    theory = load(DATA / "packages.horn")
    first, *others = examples_of(theory)
    *_, last = learn_all([first], theory, RuleBase(theory.name))
    path = tmp_path / "rules.horn"
    rulebase.write(last.base, path)
    *_, last = learn_all(others, theory, rulebase.read(path, theory))
    assert last.base.definitions.names == {"depends_on_after_add", "depends_on_after_drop"}
    assert set(last.base.entries) == {each.rule.name for each in learned(theory)}
    assert last.base.entries["foreseen_depends_on_after_add"].provenance.example == first.name
    rulebase.write(last.base, path)
    assert all(entry.is_certified for entry in rulebase.read(path, theory))


def test_a_changed_clause_of_a_recursive_definition_is_refused(tmp_path):
    theory = load(DATA / "packages.horn")
    path = tmp_path / "rules.horn"
    rulebase.write(learned(theory), path)
    text = path.read_text()
    old = "drop(?y0, ?y1), before requires(?x, ?y), ?x != ?y0."
    assert old in text
    path.write_text(text.replace(old, "drop(?y0, ?y1), before requires(?x, ?y)."))
    refused = {entry.rule.name for entry in rulebase.read(path, theory) if not entry.is_certified}
    assert refused == {"foreseen_depends_on_after_drop"}


def test_a_recursion_that_the_checker_refuses_gives_a_flat_rule_and_the_reason():
    theory = load_text(IN_SETS)
    progress: list[ExampleProgress] = list(learn_all(examples_of(theory), theory, RuleBase(theory.name)))
    (reason,) = progress[0].outcome.of_one_length
    assert "would need its hypothesis for the members of a set" in reason.reason
    assert not progress[0].outcome.flat
    (entry,) = progress[-1].base
    assert entry.is_certified
    assert not progress[-1].base.definitions


def test_a_chain_that_the_action_leaves_as_it_is_is_one_condition():
    painted = "sort colour = red | blue. fluent colour(node -> colour). action paint(node).\nred: after colour(?x, red) :- paint(?x).\nderived fine(node, node).\n"
    theory = load_text(
        BELOW_THE_GOAL[: BELOW_THE_GOAL.index("example")]
        + painted
        + "fine: fine(?x, ?y) :- path(?x, ?y), colour(?y, red).\n"
        + "example one: edge(a, b), edge(b, c), paint(c).\nexpect one: after fine(a, c).\n"
    )
    base = learned(theory)
    assert not base.definitions
    lemma = base.entries["path_stays_after_paint"]
    assert lemma.certificate.induction == 1
    rules = [entry.rule for entry in base if not entry.rule.lemma]
    assert [str(len(rule.body)) for rule in rules] == ["2"]


def test_a_sequence_of_actions_follows_chains_of_any_length():
    theory: Theory = load_text(
        (DATA / "supply.horn").read_text()
        + "example two_repairs: source(a), feeds(a, b), feeds(b, c), feeds(c, d), state(a, good), state(b, broken),\n"
        "  state(c, good), state(d, broken), skilled(tom, b), skilled(tom, d),\n"
        "  repair(tom, b) then repair(tom, d).\n"
        "expect two_repairs: after supplied(d).\n"
    )
    *_, last = learn_all(examples_of(theory), theory, RuleBase(theory.name))
    assert not last.outcome.refused
    assert all(entry.is_certified for entry in last.base)
    assert any("_then_" in name for name in last.base.entries)
