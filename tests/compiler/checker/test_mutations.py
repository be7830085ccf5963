"""Mutation test: the search for counter-models refutes no mutated rule that the checker still accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

import pytest

from hornbook.compiler.checker.checker import verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.generalise.regression import Regressed
from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn
from hornbook.compiler.refute.countermodel import find
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.examples import example_facts
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.format.printer import print_rule
from hornbook.kb.lower.errors import KnowledgeBaseError
from oracles.proofs.learned_rules import theory_of
from oracles.proofs.mutants import Mutant, mutants
from oracles.proofs.random_theories import random_action, random_state, random_theory
from oracles.proofs.soundness_run import World, asks_what_is_complete, conclusions, read_where_right

CLOSED_SETS = """
sort point. sort block. sort colour = black | white | empty.
static edge(point). static near(point, point). static nears(point -> int) counts near.
fluent colour(point -> colour).
fluent liberty(block, point). fluent liberties(block -> int) counts liberty.
action move(colour, point).
derived good(block). derived dark(point). derived joined(block, block -> int).
good: good(?b) :- liberties(?b, ?n), ?n < 3, all ?l in liberty(?b, ?l): edge(?l).
dark: dark(?p) :- nears(?p, _), all ?q in near(?p, ?q): (colour(?q, ?c), ?c != white).
joined: joined(?a, ?b, ?n) :-
  liberties(?a, _), liberties(?b, _), liberty(?a, ?p), liberty(?b, ?p),
  ?n = count ?l in (liberty(?a, ?l) or liberty(?b, ?l)) but ?p.
stays: after colour(?p, ?c) :- move(_, ?m), before colour(?p, ?c), ?p != ?m.
fills: after colour(?p, ?c) :- move(?c, ?p), before colour(?p, empty).
less: after liberties(?b, ?m) :- move(_, ?p), before liberty(?b, ?p), before liberties(?b, ?n), ?m = ?n - 1.
fewer: after liberty(?b, ?l) :- move(_, ?p), before liberty(?b, ?l), ?l != ?p.
example case: near(p1, p2), near(p1, p3), nears(p1, 2), near(p2, p1), nears(p2, 1), edge(p2), edge(p3),
  colour(p1, empty), colour(p2, black), colour(p3, empty), liberty(a, p2), liberty(a, p3), liberties(a, 2),
  liberty(b, p3), liberty(b, p1), liberties(b, 2), move(black, p3).
"""
ARITHMETIC = """
sort good. sort cents = int.
fluent stock(good -> int). fluent cash(good -> cents). static sales(good -> int). static price(good -> cents).
static made_of(good, good -> int).
action make(good, int).
derived covered(good). derived short(good, int). derived worth(good, cents). derived kept(good).
game fill(good).
covered: covered(?g) :- stock(?g, ?n), sales(?g, ?s), ?n >= ?s.
short: short(?g, ?d) :- stock(?g, ?n), sales(?g, ?s), ?n < ?s, ?d = ?s - ?n.
worth: worth(?g, ?w) :- stock(?g, ?n), price(?g, ?p), ?w = ?n * ?p.
kept: kept(?g) :- worth(?g, ?w), cash(?g, ?c), max(?w, 10) + ?c > 20, ?w // 3 <= 7.
made: after stock(?g, ?m) :- make(?g, ?k), before stock(?g, ?n), ?m = ?n + ?k, ?k > 0.
used: after stock(?h, ?m) :-
  make(?g, ?k), made_of(?g, ?h, ?u), before stock(?h, ?n), ?k * ?u <= ?n, ?m = ?n - ?k * ?u, ?g != ?h.
fills: before fill(?g) by make(?g, ?k) is GI :- make(?g, ?k), before short(?g, _), after covered(?g).
example case: stock(table, 2), sales(table, 4), price(table, 7), cash(table, 9), made_of(table, leg, 4),
  stock(leg, 20), sales(leg, 3), price(leg, 1), make(table, 3).
"""
RECURSION = """
sort place. sort colour = red | green | blue.
static road(place, place). static kind(place -> colour). fluent open(place). fluent toll(place -> int).
derived way(place, place). derived ring(place). derived cost(place, place, int).
action close(place).
game cross(place).
direct: way(?x, ?y) :- road(?x, ?y), open(?y), ?x != ?y.
further: way(?x, ?z) :- road(?x, ?y), open(?y), way(?y, ?z), ?x != ?y.
ring: ring(?x) :- way(?x, ?y), way(?y, ?x), kind(?x, ?c), kind(?y, ?d), ?c != ?d.
first: cost(?x, ?y, ?n) :- road(?x, ?y), toll(?y, ?n).
next: cost(?x, ?z, ?m) :- road(?x, ?y), toll(?y, ?n), cost(?y, ?z, ?k), ?m = ?n + ?k, ?m < 9.
stays: after open(?x) :- close(?y), before open(?x), ?x != ?y.
opens: after open(?x) :- close(?y), road(?x, ?y), kind(?x, red).
cross: before cross(?x) by close(?p) is GI :- close(?p), after way(?x, ?x2), kind(?x2, green), ?x != ?x2.
example case: road(a, b), road(b, c), road(c, a), road(c, d), kind(a, red), kind(b, green), kind(c, blue), kind(d, green),
  open(a), open(b), open(c), open(d), toll(b, 1), toll(c, 2), toll(d, 3), close(a).
"""
GAMES = """
sort point. sort colour = black | white | empty.
static near(point, point). static player(colour). static opponent(colour -> colour).
fluent colour(point -> colour). fluent last(point -> int).
derived free(colour, point). derived open(point).
action move(colour, point).
game take(point).
player(black). player(white). opponent(black, white). opponent(white, black).
open: open(?p) :- colour(?p, empty), near(?p, ?q), colour(?q, empty).
free: free(?c, ?p) :- player(?c), open(?p).
take: take(?p) by move(?c, ?q) is GI :-
  free(?c, ?q), near(?p, ?q), opponent(?c, ?o), colour(?p, ?o), last(?p, 1).
stays: after colour(?p, ?c) :- move(_, ?m), before colour(?p, ?c), ?p != ?m.
filled: after colour(?p, ?c) :- move(?c, ?p), before free(?c, ?p).
less: after last(?p, ?m) :- move(?c, ?q), near(?p, ?q), before last(?p, ?n), ?n > 1, ?m = ?n - 1, opponent(?c, ?o), before colour(?p, ?o).
threat: before take(?p) by move(?c, ?q) is GIII :-
  player(?c), move(?c, ?q), before free(?c, ?q), after take(?p) by move(?c, _) is GI.
example case: near(i1, i2), near(i2, i1), near(i2, i3), near(i3, i2), near(i3, i4), near(i4, i3), near(i4, i5),
  near(i5, i4), colour(i1, empty), colour(i2, empty), colour(i3, white), colour(i4, empty), colour(i5, empty),
  last(i3, 2), move(black, i4).
"""
WRITTEN = {"closed sets": CLOSED_SETS, "arithmetic": ARITHMETIC, "recursion": RECURSION, "games": GAMES}
SHIPPED = ("paper", "cup", "stack", "suicide", "family")
EVERY = {"paper": 4, "arithmetic": 2}
"""Sampling interval: the test tries every n-th mutant."""
TRIES = 12
"""Number of random states that the search for a counter-model of a mutant tries.

With 40 states it finds few more and takes twice as long. `benchmarks/results/mutation.txt` has the long run.
"""

pytestmark = pytest.mark.deep


def _learned(theory: Theory) -> Iterator[Regressed]:
    """Yield the rules that are learned from all derived facts in the theory's examples."""
    for example in theory.examples:
        base = KnowledgeBase(theory)
        try:
            base.add(example_facts(theory, example))
        except KnowledgeBaseError:
            continue
        for relation in base.relations():
            for goal in base.engine.statements(relation.relation, relation.tense):
                if raw_engine(base).derivation(base.engine.coding.fact_of(goal)) is not None:
                    learned = learn(explanation_of(base, goal), theory, "learned")
                    if isinstance(learned, ProvedExample):
                        yield Regressed(learned.rule, learned.certificate.steps)


def _is_accepted(mutant: Mutant, theory: Theory) -> bool | None:
    """Return whether the checker accepts a mutant, or None if the mutant is not a rule of the language."""
    certificate = certificate_of(mutant.proved.rule, mutant.proved.steps, theory, {})
    try:
        verify(mutant.proved.rule, certificate, theory)
    except RejectedError as problem:
        return None if "not a rule of the theory's language" in str(problem) else False
    return True


def _try(learned: Iterable[Regressed], theory: Theory, tally: Counter[str], every: int = 1) -> None:
    shown: set[str] = set()
    for proved in {print_rule(p.rule): p for p in learned}.values():
        tally["rules"] += 1
        for mutant in islice(mutants(proved), 0, None, every):
            accepted = _is_accepted(mutant, theory)
            if accepted is None:
                tally["no rules"] += 1
                continue
            tally["mutants"] += 1
            tally["of absences"] += asks_what_is_complete(mutant.proved.rule.body)
            found = find(mutant.proved.rule, theory, tries=TRIES)
            if accepted:
                tally["accepted"] += 1
                assert found is None, f"{mutant.kind}: {print_rule(mutant.proved.rule)}\n{found}"
            else:
                tally["undecided" if found is None else "refuted"] += 1
                if found is not None and mutant.kind not in shown:
                    shown.add(mutant.kind)
                    print(f"{mutant.kind}:\n{print_rule(mutant.proved.rule)}\n{found}\n")


@pytest.mark.parametrize("name", [*WRITTEN, *SHIPPED])
def test_no_accepted_mutant_of_a_theorys_rules_is_refuted(name):
    theory = theory_of(WRITTEN[name]) if name in WRITTEN else load(name)
    tally: Counter[str] = Counter()
    _try(_learned(theory), theory, tally, every=EVERY.get(name, 1))
    print(f"{name}: {dict(tally)}")
    assert tally["rules"] >= 1
    assert tally["refuted"] > tally["undecided"]


@pytest.mark.parametrize("complete", [False, True], ids=["known in part", "complete"])
def test_no_accepted_mutant_of_rules_of_random_theories_is_refuted(complete):
    tally: Counter[str] = Counter()
    for seed in range(4, 9) if complete else range(4):
        random = Random(f"mutants.{seed}")
        theory = random_theory(random, complete=complete)
        base = KnowledgeBase(theory)
        try:
            base.add([*random_state(random), random_action(random)])
        except KnowledgeBaseError:
            continue
        goals = [
            goal
            for relation in base.relations()
            for goal in base.engine.statements(relation.relation, relation.tense)
            if raw_engine(base).derivation(base.engine.coding.fact_of(goal)) is not None
        ]
        outcomes = (
            learn(explanation_of(base, g), theory, "learned")
            for g in random.sample(goals, min(4, len(goals)))
        )
        learned = [Regressed(o.rule, o.certificate.steps) for o in outcomes if isinstance(o, ProvedExample)]
        _try(learned, theory, tally)
        _hold_on_states(learned, theory, random, tally)
    print(dict(tally))
    assert tally["mutants"] > 100
    assert tally["accepted"] > 8
    if complete:  # the search for refuting states uses positive conditions only
        assert tally["of absences"] > 20
    else:
        assert tally["refuted"] > tally["undecided"]


def _hold_on_states(
    learned: Iterable[Regressed], theory: Theory, random: Random, tally: Counter[str]
) -> None:
    """Assert that no accepted mutant concludes more than saturation does on a random state."""
    world = World(theory)
    states = [(*random_state(random), random_action(random)) for _ in range(3)]
    for proved in learned:
        for mutant in mutants(proved):
            if _is_accepted(mutant, theory):
                rule = read_where_right(
                    mutant.proved.rule, certificate_of(mutant.proved.rule, mutant.proved.steps, theory, {})
                )
                for state in states:
                    for head, base, _ in conclusions(rule, state, world):
                        tally["conclusions of accepted mutants"] += 1
                        assert base is None or base.holds(head), print_rule(mutant.proved.rule)
