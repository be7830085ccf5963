"""Tests of the cheapest derivation: fewest leaves, no cycle, and only operational conditions as leaves."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from hornbook.compiler.generalise import cheapest
from hornbook.compiler.generalise.cheapest import cheapest_explanation
from hornbook.compiler.generalise.explanation import Explanation
from hornbook.compiler.generalise.operational import operational_vocabulary
from hornbook.compiler.learn.learner import ProvedExample, learn, proofs, solve
from hornbook.kb.ast.terms import Atom, Statement
from hornbook.kb.base.examples import example_facts
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.theory_engine import NotDerivedError
from hornbook.kb.format.printer import print_rule
from hornbook.kb.load.loader import load_text
from hornbook.matcher.program.errors import NoDerivationsError


def leaves(explanation: Explanation) -> int:
    """Return the number of leaves of an explanation without closed sets; each use counts."""

    @cache
    def below(number: int) -> int:
        supports = explanation.nodes[number].supports
        numbers = [each for each in supports if isinstance(each, int)]
        return sum(map(below, numbers)) if explanation.nodes[number].rule else 1

    return below(len(explanation.nodes) - 1)


def program(random: Random) -> str:
    """Return random rules among atoms, some of them given; cycles and alternative derivations are common."""
    atoms = [f"p{number}" for number in range(7)]
    lines = [f"theory t{random.randrange(10**6)}.", *(f"static {atom}." for atom in atoms)]
    for number in range(11):
        head, *body = random.sample(atoms, random.randint(2, 4))
        lines.append(f"r{number}: {head} :- {', '.join(body)}.")
    return "\n".join([*lines, *(f"{atom}." for atom in atoms[:3])])


def stored(base: KnowledgeBase) -> list[Atom]:
    """Return the derived atoms of a knowledge base."""
    return [atom for number in range(3, 7) if base.holds(atom := Atom(f"p{number}", ()))]


@pytest.mark.parametrize("seed", range(30))
def test_no_other_explanation_has_fewer_leaves(seed: int) -> None:
    base = KnowledgeBase(load_text(program(Random(f"{seed} least"))), derivations="all")
    for fact in stored(base):
        found = cheapest_explanation(base, fact, base.theory.vocabulary)
        assert leaves(found) == min(map(leaves, proofs(base, fact, 400)))


def rule_of(text: str) -> str:
    """Return the rule that is learned from the expected fact of a theory's first example."""
    theory = load_text(text)
    goal = theory.expects[0].conditions[0]
    assert isinstance(goal, Statement)
    base = solve(theory, example_facts(theory, theory.examples[0]), all_proofs=True).base
    found = learn(cheapest_explanation(base, goal, operational_vocabulary(theory, goal)), theory, "learned")
    assert isinstance(found, ProvedExample), found
    return print_rule(found.rule).rstrip()


DOORS = """
theory doors{number}.
sort door. sort guard.
static posted(door, guard). static posts(door -> int) counts posted.
fluent asleep(guard). fluent open(door). derived passable(door). derived quiet(door) {operational}.
all_asleep: quiet(?d) :- posts(?d, _), all ?g in posted(?d, ?g): asleep(?g).
quiet_door: passable(?d) :- quiet(?d).
open_door: passable(?d) :- open(?d), posts(?d, ?n), ?n > 0.
example two: posts(gate, 2), posted(gate, tim), posted(gate, tom), asleep(tim), asleep(tom), open(gate).
expect two: passable(gate).
"""


def test_a_closed_set_that_stays_is_one_condition() -> None:
    found = rule_of(DOORS.format(number=1, operational=""))
    assert found == "learned:\n  passable(?d) :- posts(?d, _), all ?g in posted(?d, ?g): asleep(?g)."


def test_what_may_be_queried_for_is_one_condition() -> None:
    found = rule_of(DOORS.format(number=2, operational="operational"))
    assert found == "learned:\n  passable(?d) :- quiet(?d)."


def test_a_set_after_an_action_counts_by_its_members() -> None:
    text = """
    theory lamps. sort lamp. sort room.
    static hangs(room, lamp). static lamps(room -> int) counts hangs. static fuse(room). static wired(room). static dry(room).
    fluent lit(lamp). action press(room). derived bright(room).
    on: after lit(?l) :- press(?r), hangs(?r, ?l).
    by_each: after bright(?r) :- press(?r), lamps(?r, _), all ?l in hangs(?r, ?l): after lit(?l).
    by_the_fuse: after bright(?r) :- press(?r), fuse(?r), wired(?r), dry(?r).
    example hall: lamps(hall, 2), hangs(hall, a), hangs(hall, b), fuse(hall), wired(hall), dry(hall), press(hall).
    expect hall: after bright(hall).
    """
    assert "fuse(?r), wired(?r), dry(?r)" in rule_of(text)


def test_of_ways_that_cost_the_same_the_first_rule_is_taken() -> None:
    text = "theory t. sort s. static p(s). static q(s). derived r(s). {} {} example one: p(a), q(a). expect one: r(a)."
    one, two = "one: r(?x) :- p(?x).", "two: r(?x) :- q(?x)."
    assert rule_of(text.format(one, two)) == "learned:\n  r(?x) :- p(?x)."
    assert rule_of(text.format(two, one)) == "learned:\n  r(?x) :- q(?x)."


@pytest.mark.parametrize("most", [0, 1, 3, 10])
def test_beyond_the_bound_the_recorded_derivations_are_taken(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(cheapest, "MAX_WAYS", most)
    for seed in range(10):
        base = KnowledgeBase(load_text(program(Random(f"{seed} bound"))), derivations="all")
        for fact in stored(base):
            found = cheapest_explanation(base, fact, base.theory.vocabulary)
            assert found.nodes[-1].rule is not None


def test_what_does_not_hold_has_none_and_all_derivations_are_needed() -> None:
    theory = load_text("theory t. static p. static q. static r. one: q :- p. two: r :- q. p.")
    with pytest.raises(NotDerivedError, match="`q`"):
        cheapest_explanation(
            KnowledgeBase(load_text("theory u. static p. static q. a: q :- p.")), "q", theory.vocabulary
        )
    with pytest.raises(NoDerivationsError):
        cheapest_explanation(KnowledgeBase(theory, derivations="one"), "r", theory.vocabulary)
