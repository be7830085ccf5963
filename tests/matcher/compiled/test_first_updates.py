"""Tests of the first updates when many rules read a predicate.

The affected rules of its first changes are found in the plans of all rules. Later changes use a separate
trie. The engines have the same facts with both methods, and in both orders of them.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import (
    Apply,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Compare,
    Fact,
    Match,
    Var,
)
from hornbook.matcher.program.errors import ArithmeticOverflowError
from oracles.reference.engine import ReferenceEngine

A, B, C, HEAD, OTHER = range(5)
PREDICATES = [CodedPredicate(2), CodedPredicate(1), CodedPredicate(2), CodedPredicate(2), CodedPredicate(2)]
CELLS = range(4)
HUGE = 2**62
RULES = 300
"""The number of rules. The core walks all plans for a predicate's changes if at least 256 rules read it."""


def a_rule(number: int, random: Random) -> CodedRule:
    """Return a rule with a chain of conditions on which one fact may match twice.

    Some rules calculate, and some read derived predicates.
    """
    kinds = random.choices([A, B, C, OTHER], weights=(6, 3, 3, number % 7 == 0), k=random.randint(1, 3))
    if not {A, B} & set(kinds):
        kinds.append(A)
    body: list[CodedCondition] = []
    variables = 1
    for kind in kinds:
        here = Var(random.randrange(variables))
        if kind == B:
            body.append(Match(B, (here,)))
            continue
        there: Var | int = random.choice([Var(variables), Var(variables), here, random.choice(CELLS)])
        variables += there == Var(variables)
        body.append(Match(kind, (here, there)))
    last = Var(variables - 1)
    if random.random() < 0.2:
        body.append(Compare("!=", Var(0), last))
    if random.random() < 0.1:
        body.append(Compare("<", Apply("+", last, HUGE), HUGE + 3))
    head = random.choice(
        [Match(HEAD, (Var(0), last)), Match(HEAD, (number, Var(0))), Match(OTHER, (Var(0), last))]
    )
    if any(isinstance(c, Match) and c.predicate == OTHER for c in body):
        head = Match(HEAD, head.terms)
    return CodedRule(number, head, tuple(body), variables)


def facts(random: Random, number: int) -> list[Fact]:
    chosen = [
        Fact(random.choice([A, C]), (random.choice(CELLS), random.choice(CELLS))) for _ in range(number)
    ]
    return [*chosen, *(Fact(B, (random.choice(CELLS),)) for _ in range(number // 3))]


@pytest.mark.deep
def test_the_engines_know_the_same_through_first_and_later_updates():
    met: Counter[str] = Counter()
    for seed in range(12):
        random = Random(seed)
        rules = [a_rule(number, random) for number in range(RULES)]
        compiled, plain = (
            CompiledEngine(PREDICATES, derivations="all"),
            ReferenceEngine(PREDICATES, derivations="one"),
        )
        existing, more = rules[: RULES - 20], rules[RULES - 20 :]
        start = facts(random, 12)
        for engine in (compiled, plain):
            engine.update(add=start, add_rules=existing)
        for step in range(12):
            add, retract = facts(random, random.randint(0, 2)), facts(random, random.randint(0, 2))
            if random.random() < 0.1:
                add.append(
                    Fact(A, (random.choice(CELLS), HUGE))
                )  # one and HUGE more exceed 64 bits if matched
            new = [more.pop() for _ in range(random.randint(0, 2)) if more]
            outcomes = []
            for engine in (compiled, plain):
                try:
                    change = engine.update(add=add, retract=retract, add_rules=new)
                    outcomes.append((frozenset(change.added), frozenset(change.removed)))
                except ArithmeticOverflowError:
                    outcomes.append(None)
            assert outcomes[0] == outcomes[1], (seed, step)
            met["refused" if outcomes[0] is None else "changed" if any(outcomes[0]) else "as before"] += 1
            for predicate in range(len(PREDICATES)):
                assert compiled.facts(predicate) == plain.facts(predicate), (seed, step)
    assert met["changed"] > 80, met
    assert met["refused"] > 3, met


def a_path_rule(number: int, random: Random) -> CodedRule:
    """Return a rule whose conditions form a tree of up to five joins, in both directions and over constants."""
    body: list[CodedCondition] = []
    variables = 1
    for _ in range(random.randint(1, 5)):
        kind = random.choice([A, A, A, B, C])
        here = Var(random.randrange(variables))
        if kind == B:
            body.append(Match(B, (here,)))
            continue
        other: Var | int = Var(variables)
        if random.random() < 0.15:
            other = random.choice([here, Var(random.randrange(variables)), random.randrange(30)])
        variables += other == Var(variables)
        body.append(Match(kind, (here, other) if random.random() < 0.6 else (other, here)))
    if random.random() < 0.1:
        body.append(Compare("=", Var(variables), Apply("+", Var(variables - 1), 1)))
        body.append(Match(A, (Var(variables), Var(variables + 1))))
        variables += 2
    if not any(isinstance(c, Match) and c.predicate == A for c in body):
        body.append(Match(A, (Var(0), Var(0))))
    return CodedRule(number, Match(HEAD, (number, Var(0))), tuple(body), variables)


@pytest.mark.parametrize("seed", range(3))
def test_matches_of_a_fact_are_found_at_every_distance(seed: int):
    """The walk leaves out ops from which the changed fact is not within the remaining joins.

    The facts form a sparse graph, so that most facts are far from each other.
    """
    random = Random(seed)
    rules = [a_path_rule(number, random) for number in range(RULES)]
    engine = CompiledEngine(PREDICATES, derivations="none")
    state = {Fact(random.choice([A, A, C]), (random.randrange(30), random.randrange(30))) for _ in range(45)}
    state |= {Fact(B, (random.randrange(30),)) for _ in range(8)}
    engine.update(add_rules=rules)
    engine.update(add=state)
    met = 0
    for _ in range(30):
        removed = set(
            random.sample(sorted(state, key=lambda f: (f.predicate, f.cells)), random.randint(0, 2))
        )
        added = {
            Fact(A, (random.randrange(30), random.randrange(30))) for _ in range(random.randint(0, 2))
        } - state
        before = engine.facts(HEAD)
        state = (state - removed) | added
        engine.update(add=added, retract=removed)
        anew = CompiledEngine(PREDICATES, derivations="none")
        anew.update(add=state, add_rules=rules)
        assert engine.facts(HEAD) == anew.facts(HEAD)
        met += before != engine.facts(HEAD)
    assert met > 15


def test_far_from_the_changed_fact_no_row_is_visited():
    """The rows that walks meet decide when the trie of changes is made. Here few are met, so none is made."""
    w, x, y, z = map(Var, range(4))
    rules = [
        CodedRule(
            n, Match(HEAD, (z, n)), (Match(B, (w,)), Match(C, (w, x)), Match(C, (x, y)), Match(A, (y, z))), 4
        )
        for n in range(RULES)
    ]
    engine = CompiledEngine(PREDICATES, derivations="none")
    engine.update(add_rules=rules)
    engine.update(add=[Fact(C, (n, n + k)) for n in range(600) for k in range(1, 17)])
    engine.update(add=[*(Fact(B, (n,)) for n in range(0, 600, 10)), Fact(A, (0, 0))])
    sizes = []
    for n in range(20):
        fact = Fact(A, (2 + 20 * n, 1))
        change = engine.update(add=[fact])
        assert change.added == {fact, *(Fact(HEAD, (1, rule)) for rule in range(RULES))}
        engine.update(retract=[fact])
        sizes.append(engine.bytes())
    assert sizes[-1] < 1.05 * sizes[1]  # the table of heads grows at the second update


def test_a_trie_of_changes_is_made_where_there_are_many_updates():
    """The trie takes several times the memory of the existing data."""
    chains = [
        (Match(A, (Var(0), Var(1))), Match(A, (Var(1), Var(2))), Match(A, (n % 50, Var(2))))
        for n in range(1_000)
    ]
    rules = [CodedRule(n, Match(HEAD, (Var(0), n)), chain, 3) for n, chain in enumerate(chains)]
    engine = CompiledEngine(PREDICATES, derivations="none")
    engine.update(add_rules=rules)
    engine.update(add=[Fact(A, (n, n + 1)) for n in range(50)])
    before = engine.bytes()
    sizes = []
    for n in range(1_000):
        point = n % 50
        there, new = Fact(A, (point, point + 1)), Fact(A, (point, point))
        engine.update(retract=[there], add=[new])
        engine.update(retract=[new], add=[there])
        sizes.append(engine.bytes() / before)
    assert sizes[0] < 1.1
    assert sizes[-1] > 1.4


def test_only_the_changed_fact_is_tried_where_its_predicate_is_read_last():
    """The rows that walks meet decide when the trie of changes is made. Here few are met, so none is made."""
    rules = [
        CodedRule(n, Match(HEAD, (Var(1), n)), (Match(C, (n, Var(0))), Match(A, (Var(0), Var(1)))), 2)
        for n in range(RULES)
    ]
    engine = CompiledEngine(PREDICATES, derivations="none")
    engine.update(add_rules=rules)
    engine.update(add=[*(Fact(C, (n, 0)) for n in range(RULES)), *(Fact(A, (0, n)) for n in range(100))])
    sizes = []
    for n in range(20):
        new = Fact(A, (0, 1_000 + n))
        change = engine.update(add=[new])
        assert change.added == {new, *(Fact(HEAD, (1_000 + n, rule)) for rule in range(RULES))}
        engine.update(retract=[new])
        sizes.append(engine.bytes())
    assert sizes[-1] < 1.01 * sizes[0]


def test_a_rule_that_comes_while_the_rule_of_the_only_fact_is_replaced():
    """Regression: a new rule once missed a fact whose own rule was replaced in the same update.

    Between the two changes nothing follows, but 0() is still linked and remains a fact.
    """
    always = CodedRule("always", Match(0, ()), (), 0)
    reader = CodedRule("reader", Match(1, (7,)), (Match(0, ()),), 0)
    engine = CompiledEngine((CodedPredicate(0), CodedPredicate(1)))
    engine.update(add_rules=[always])
    change = engine.update(remove_rules=["always"], add_rules=[reader, always])
    assert (change.added, change.removed) == ({Fact(1, (7,))}, set())


def test_rules_that_come_one_by_one_conclude_what_they_conclude_together():
    """The rules suffice to rebuild each code of a trie several times."""
    random = Random(7)
    engine = CompiledEngine(PREDICATES)
    present: list[CodedRule] = []
    state: set[Fact] = set()
    x, y = Var(0), Var(1)
    for number in range(700):
        body = [Match(A, (x, y)), Match(C, (x, random.randrange(9))), Match(C, (y, number % 7))]
        random.shuffle(body)
        present.append(CodedRule(number, Match(HEAD, (number, x)), tuple(body), 2))
        engine.update(add_rules=present[-1:])
        after = {Fact(A, (random.randrange(12), random.randrange(12))) for _ in range(25)}
        after |= {Fact(C, (random.randrange(12), random.randrange(9))) for _ in range(30)}
        engine.update(add=after - state, retract=state - after)
        state = after
        if len(present) % 50 == 0:
            together = CompiledEngine(PREDICATES)
            together.update(add=state, add_rules=present)
            assert engine.facts(HEAD) == together.facts(HEAD)
            assert engine.facts(HEAD)
