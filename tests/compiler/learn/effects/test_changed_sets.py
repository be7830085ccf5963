"""Tests of rules about sets that an action changes: they hold for sets of any size."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from hornbook.compiler.learn.learning import Example, examples_of, learn_all
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.verification import verify_all
from hornbook.kb.ast.terms import All, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_rule
from hornbook.kb.load.loader import load, load_text
from oracles import workshop
from oracles.depot.states import depot_states
from oracles.sets.learned_effects import example, learned, learned_only
from oracles.sets.random_sets import GOALS, RandomSetTheory
from oracles.workshop.states import workshop_states

ORACLES = Path(str(workshop.__file__)).parents[1]
WORKSHOP, DEPOT = ORACLES / "workshop" / "workshop.horn", ORACLES / "depot" / "depot.horn"
OTHER_MACHINES = """
example a_mount_elsewhere:
  mounted(n, d), mounts(n, 1), state(d, good), load(n, 1), bears(n, 2), mount(tom, c, m).
expect a_mount_elsewhere: after ready(n).
example an_unmount_elsewhere:
  mounted(n, d), mounts(n, 1), state(d, good), load(n, 1), bears(n, 2), unmount(tom, c, m).
expect an_unmount_elsewhere: after ready(n).
"""


def learned_rules(base: RuleBase) -> list[Rule]:
    return [entry.rule for entry in base if entry.provenance is not None]


def body(rule: Rule) -> str:
    return " ".join(print_rule(rule).split(":\n", 1)[1].split())


@pytest.fixture(scope="module")
def of_workshop() -> tuple[Theory, RuleBase]:
    theory = load_text(WORKSHOP.read_text() + OTHER_MACHINES)
    return theory, learned(theory)


def test_each_rule_has_one_condition_on_all_members(of_workshop):
    _, base = of_workshop
    mount, unmount, *_ = learned_rules(base)
    assert body(mount) == (
        "after ready(?m) :- mount(?t, ?p, ?m), all ?p2 in before mounted(?m, ?p2): (before fit_after_mount(?p2,"
        " ?t, ?p, ?m), ?p2 != ?p), before loose(?p), before may_work(?t, ?p, ?m), before mounts(?m, ?n),"
        " ?n2 = ?n + 1, ?n2 >= 1, before fit_after_mount(?p, ?t, ?p, ?m), weight(?p, ?w), before load(?m, ?x),"
        " ?x2 = ?x + ?w, bears(?m, ?y), ?x2 <= ?y."
    )
    assert (
        "before mounted(?m, ?p), all ?p2 in before mounted(?m, ?p2): before fit_after_unmount_or_removed(?p2,"
        " ?t, ?p, ?m), before may_work(?t, ?p, ?m), before mounts(?m, ?n), ?n2 = ?n - 1"
    ) in body(unmount)
    assert all(entry.is_certified for entry in base)


def test_nothing_is_required_of_a_removed_member(of_workshop):
    _, base = of_workshop
    lemma = base.entries["foreseen_fit_after_unmount_or_removed"].rule
    assert body(lemma) == (
        "after fit(?x) :- unmount(?t, ?p, ?m), before fit_after_unmount_or_removed(?x, ?t, ?p, ?m), ?x != ?p."
    )
    clauses = [c for c in base.definitions.clauses if c.head.relation == "fit_after_unmount_or_removed"]
    assert [body(clause).split(":- ")[1] for clause in clauses] == [
        "unmount(?t, ?p, ?m), before fit_after_unmount(?x, ?t, ?p, ?m).",
        "unmount(?t, ?p, ?m).",
    ]


def test_a_fluent_that_is_required_of_each_member_gets_a_name_if_the_set_loses_one():
    base = learned(load(DEPOT))
    adding, removing, exchanging, checking = map(body, learned_rules(base))
    of_members = (
        "all ?l2 in before line(?o, ?l2): (before state(?l2, checked), before packed(?l2), ?l2 != ?l)"
    )
    assert of_members in adding
    assert "before state_is_checked_after_remove_or_removed(?l2, ?c, ?o, ?l)" in removing
    assert "before packed_after_exchange_or_removed(?l, ?c, ?o, ?old, ?new), ?l != ?new)" in exchanging
    # `check` changes one member only, so the members are checked by different rules.
    assert "all ?l in before line(?o, ?l): (before state_after_check(?l, checked, " in checking
    assert all(entry.is_certified for entry in base)


def test_the_sentence_of_a_predicate_names_the_removed_thing_and_the_required_constant():
    spoken = {p.name: p.says.text for p in learned(load(DEPOT)).definitions.predicates if p.says}
    assert spoken["state_is_checked_after_remove_or_removed"] == (
        "?1 is checked after remove(?2, ?3, ?4), or ?1 is ?4"
    )
    assert spoken["state_after_check"] == "?1 is ?2 after check(?3, ?4)"


def compared(theory: Theory, base: RuleBase, states: Iterator[str], relation: str) -> tuple[int, int]:
    """Return the numbers of conclusions that the theory draws, and that learned rules find; they find no other."""
    whole, alone = KnowledgeBase(theory), learned_only(theory, base)
    total = found = 0
    for text in states:
        for each in (whole, alone):
            each.push()
            each.add_text(text)
        expected, mine = set(whole.facts(relation, "after")), set(alone.facts(relation, "after"))
        assert mine <= expected, text
        total, found = total + len(expected), found + len(mine)
        for each in (whole, alone):
            each.pop()
    return total, found


def test_examples_with_two_and_three_members_give_everything_about_none_to_five(of_workshop):
    total, found = compared(*of_workshop, workshop_states(300, seed=3), "ready")
    assert found == total > 100


def test_no_rule_about_a_depot_is_wrong():
    theory = load(DEPOT)
    total, found = compared(theory, learned(theory), depot_states(300, seed=3), "leaves")
    assert found > 0.4 * total > 40


def test_a_later_example_continues_with_the_predicates_of_a_rule_base(of_workshop, tmp_path):
    text = WORKSHOP.read_text()
    first = load_text(text[: text.index("example an_oiling")])
    path = tmp_path / "rules.horn"
    rulebase.write(learned(first), path)
    theory, whole = of_workshop
    again = learned(theory, rulebase.read(path, first))
    assert {each.name for each in again.definitions.predicates} == {
        p.name for p in whole.definitions.predicates
    }
    assert len(again.definitions.clauses) == len(whole.definitions.clauses)
    assert {body(rule) for rule in learned_rules(again)} == {body(rule) for rule in learned_rules(whole)}
    assert [verdict.reason for verdict in verify_all(again, theory)] == [""] * len(again.entries)


SHELVES = """theory shelves.
sort shelf. sort crate. sort seal = whole | torn. sort colour = red | blue.
fluent holds(shelf, crate).
fluent crates(shelf -> int) counts holds.
fluent seal(crate -> seal).
static colour(crate -> colour).
action clear(shelf, colour).
action fill(shelf, crate, crate).
action seal_all(shelf).
derived ready(shelf).
all_whole: ready(?s) :- crates(?s, _), all ?c in holds(?s, ?c): seal(?c, whole).
cleared: after crates(?s, ?m) :- clear(?s, ?r), before crates(?s, ?n), ?m = ?n - 1.
both: after holds(?s, ?c) :- fill(?s, ?c, _).
too: after holds(?s, ?c) :- fill(?s, _, ?c).
filled: after crates(?s, ?m) :- fill(?s, _, _), before crates(?s, ?n), ?m = ?n + 2.
sealed: after seal(?c, whole) :- seal_all(?s), before holds(?s, ?c).
persists holds(?s, ?c) unless clear(?s, ?r), colour(?c, ?r).
persists crates(?s, _) unless clear(?s, _); fill(?s, _, _).
persists seal(?c, _).
"""
CHANGES = {
    "the removed thing is no argument": (
        "holds(s, x), holds(s, y), crates(s, 2), seal(x, whole), seal(y, torn), colour(x, red),"
        " colour(y, blue), clear(s, blue)"
    ),
    "two are added": (
        "holds(s, x), crates(s, 1), seal(x, whole), seal(y, whole), seal(z, whole), fill(s, y, z)"
    ),
    "none is kept": "crates(s, 0), seal(y, whole), seal(z, whole), fill(s, y, z)",
}


@pytest.mark.parametrize("facts", CHANGES.values(), ids=CHANGES)
def test_a_set_that_changes_in_another_way_is_listed(facts: str):
    theory = load_text(f"{SHELVES}example one: {facts}.\nexpect one: after ready(s).\n")
    base = learned(theory)
    (rule,) = learned_rules(base)
    assert not any(isinstance(condition, All) for condition in rule.body)
    assert all(entry.is_certified for entry in base)


def test_a_rule_that_the_checker_refuses_does_not_stop_later_examples():
    """The count grows by an amount that is 1 in the example, but need not be."""
    theory = load_text(
        SHELVES.replace("?m = ?n + 2", "?m = ?n + ?j, amount(?j)").replace(
            "too:", "static amount(int).\ntoo:"
        )
        + "example one: holds(s, x), crates(s, 1), seal(x, whole), seal(y, whole), amount(1), fill(s, y, y).\n"
        "expect one: after ready(s).\n"
        "example two: holds(s, x), holds(s, y), crates(s, 2), seal_all(s).\nexpect two: after ready(s).\n"
    )
    one, two = learn_all(examples_of(theory), theory, RuleBase(theory.name))
    (reason,) = one.outcome.flat
    assert "the checker refuses it: step" in reason.reason
    assert not two.outcome.flat
    listed, general = learned_rules(two.base)
    assert [any(isinstance(c, All) for c in rule.body) for rule in (listed, general)] == [False, True]
    assert all(entry.is_certified for entry in two.base)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(3))
def test_nothing_learned_from_random_theories_is_wrong(seed: int, times: int):
    """Examples have one to three members; states have none to five, and unusual actions."""
    total = found = 0
    for number in range(times):
        random = Random(f"{seed}.{number}")
        made = RandomSetTheory(random)
        base = learned(made.theory, None, random_examples(made, random, 12))
        assert all(entry.is_certified for entry in base)
        whole, alone = KnowledgeBase(made.theory), learned_only(made.theory, base)
        for turn in range(90):
            usual = turn % 3 > 0
            state = made.state(random, 0, 5, usual=usual)
            whole.push()
            alone.push()
            whole.add(state)
            alone.add(state)
            for relation in GOALS:
                expected, mine = (set(each.facts(relation, "after")) for each in (whole, alone))
                assert mine <= expected, (made.text, state)
                total, found = total + usual * len(expected), found + usual * len(mine)
            whole.pop()
            alone.pop()
    assert found >= 0.8 * total


def random_examples(made: RandomSetTheory, random: Random, most: int) -> list[Example]:
    """Return examples with goals, at most three for each action."""
    taken: dict[str, int] = {}
    found: list[Example] = []
    for _ in range(300):
        state = made.state(random, 1, 3)
        one = example(made.theory, state, GOALS)
        action = state[-1].relation
        if one.goals and taken.get(action, 0) < 3 and len(found) < most:
            taken[action] = taken.get(action, 0) + 1
            found.append(one)
    return found
