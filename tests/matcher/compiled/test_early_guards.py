"""Tests of guards in the middle of a join.

Each guard is checked as soon as its variables are bound, and prunes the join there. In a complete graph of
six points, each condition on links has six rows for each incoming row. The counts show the visited rows, and
the facts show that nothing was pruned too early.
"""

from __future__ import annotations

from itertools import product

import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import (
    AllOf,
    ClosedSet,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Compare,
    CountOf,
    Fact,
    Match,
    Var,
)
from hornbook.matcher.program.engine import Measure
from hornbook.matcher.program.profile import Profile, TrieName

QUERIED, LINK, MEMBER, COUNT, FOUND = range(5)
PREDICATES = (
    CodedPredicate(1),
    CodedPredicate(2),
    CodedPredicate(2),
    CodedPredicate(2, key=1, counts=MEMBER),
    CodedPredicate(2),
)
A, B, C, D, E, M = map(Var, range(6))
CHAIN = (Match(QUERIED, (A,)), Match(LINK, (A, B)), Match(LINK, (B, C)), Match(LINK, (C, D)))
POINTS = 6
LINKS = [Fact(LINK, pair) for pair in product(range(POINTS), repeat=2)]
STATISTICS = {QUERIED: Measure(1, (1,)), LINK: Measure(36, (6, 6)), MEMBER: Measure(12, (6, 6))}
SETS = [Fact(COUNT, (point, 1)) for point in range(POINTS)]
ALL_BUT_SELF = AllOf(ClosedSet(COUNT, MEMBER, (B,)), (M,), (Compare("!=", M, B),))
ONE = CountOf(1, (ClosedSet(COUNT, MEMBER, (B,)),), 1)


def rule(*guards: CodedCondition, name: str = "walled", head: int = FOUND) -> CodedRule:
    return CodedRule(name, Match(head, (A, D)), (*guards, *CHAIN), 6)


def engine_with(*rules: CodedRule, facts: list[Fact]) -> CompiledEngine:
    engine = CompiledEngine(PREDICATES, statistics=STATISTICS)
    engine.update(add=facts)
    engine.update(add_rules=rules)
    return engine


def profiled(engine: CompiledEngine, *add: Fact) -> Profile:
    engine.profile(True)
    engine.update(add=add)
    engine.profile(False)
    return engine.profile_report()


@pytest.mark.parametrize("guard", [ALL_BUT_SELF, ONE])
def test_where_a_wall_does_not_hold_no_more_is_joined(guard):
    """Only one of the six points has its member. The last links are looked up for that point only."""
    engine = engine_with(rule(guard), facts=[*LINKS, *SETS, Fact(MEMBER, (2, 3))])
    profile = profiled(engine, Fact(QUERIED, (0,)))
    nodes = [(node.visits, node.rows) for node in profile.nodes if node.trie == TrieName("change", QUERIED)]
    root, link, wall, *more = nodes
    assert (root, link, wall, more) == ((1, 1), (1, 6), (6, 1), [(1, 6), (6, 36)])
    by_place = {part.part: part.visits for part in profile.parts}
    assert by_place[0] == 6 + 36  # and once more for each found row
    assert engine.facts(FOUND) == {(0, point) for point in range(POINTS)}


@pytest.mark.parametrize("guard", [ALL_BUT_SELF, ONE])
def test_a_wall_cuts_too_where_a_rule_is_read_from_the_beginning(guard):
    engine = CompiledEngine(PREDICATES, statistics=STATISTICS)
    engine.update(add_rules=[rule(guard)])
    profile = profiled(engine, *LINKS, *SETS, Fact(MEMBER, (2, 3)), Fact(QUERIED, (0,)))
    found = {part.part: (part.visits, part.rows) for part in profile.parts}
    assert (found[0], found[3], found[4]) == ((6, 1), (1, 6), (6, 36))
    assert len(engine.facts(FOUND)) == POINTS


@pytest.mark.parametrize("guard", [ALL_BUT_SELF, ONE])
def test_a_wall_that_begins_to_hold_or_ceases_to_wakes_the_rule(guard):
    engine = engine_with(rule(guard), facts=[*LINKS, *SETS, Fact(QUERIED, (0,))])
    everywhere = {(0, point) for point in range(POINTS)}
    assert not engine.facts(FOUND)
    engine.push()
    engine.update(add=[Fact(MEMBER, (2, 3))])
    assert engine.facts(FOUND) == everywhere
    engine.update(add=[Fact(COUNT, (2, 2))], retract=[Fact(COUNT, (2, 1))])
    assert not engine.facts(FOUND)
    engine.update(add=[Fact(COUNT, (2, 1))], retract=[Fact(COUNT, (2, 2))])
    assert engine.facts(FOUND) == everywhere
    engine.update(retract=[Fact(MEMBER, (2, 3))])
    assert not engine.facts(FOUND)
    engine.update(add=[Fact(MEMBER, (4, 3))])
    assert engine.facts(FOUND) == everywhere
    engine.pop()
    assert not engine.facts(FOUND)


def test_a_count_that_goes_down_in_one_update_is_read_when_all_is_done():
    """Between the removal of members and the new count, the set temporarily differs from its count.

    There are more members than the count states.
    """
    facts = [*LINKS, Fact(COUNT, (2, 2)), Fact(MEMBER, (2, 3)), Fact(MEMBER, (2, 4)), Fact(QUERIED, (0,))]
    engine = engine_with(rule(ONE), facts=facts)
    assert not engine.facts(FOUND)
    engine.update(add=[Fact(COUNT, (2, 1))], retract=[Fact(COUNT, (2, 2)), Fact(MEMBER, (2, 3))])
    assert len(engine.facts(FOUND)) == POINTS


@pytest.mark.parametrize(("message", "joined"), [(0, POINTS), (1, 0)])
def test_a_count_of_no_sets_is_no_step_of_a_join(message, joined):
    engine = engine_with(rule(CountOf(message, (), 1)), facts=LINKS)
    engine.update(add=[Fact(QUERIED, (1,))])
    assert len(engine.facts(FOUND)) == joined
    (trie,) = engine.network([QUERIED]).changes
    assert all(node.step is None or node.step.kind != "guard" for node in trie.nodes)


def test_rules_that_ask_the_same_of_a_set_share_the_node():
    renamed = AllOf(ClosedSet(COUNT, MEMBER, (B,)), (E,), (Compare("!=", E, B),))
    engine = engine_with(rule(ALL_BUT_SELF), rule(renamed, name="again"), facts=[*LINKS, *SETS])
    (trie,) = engine.network([QUERIED]).changes
    guards = [node for node in trie.nodes if node.step is not None and node.step.kind == "guard"]
    (guard,) = guards
    assert guard.rules == 2
    assert guard.step is not None
    assert (guard.step.predicate, guard.step.terms) == (MEMBER, (Var(1), None))


def test_a_guard_at_the_end_of_a_join_is_no_step():
    """No later step exists that it could save."""
    last = AllOf(ClosedSet(COUNT, MEMBER, (D,)), (M,), ())
    engine = engine_with(rule(last), facts=[*LINKS, *SETS])
    (trie,) = engine.network([QUERIED]).changes
    assert all(node.step is None or node.step.kind != "guard" for node in trie.nodes)


def test_what_is_queried_of_a_member_wakes_only_what_is_about_its_sets():
    """There are 36 links, and six of them lead to the point whose only member is marked.

    No other link is looked up, in any order of the facts.
    """
    marked = len(PREDICATES)
    queried = AllOf(ClosedSet(COUNT, MEMBER, (B,)), (M,), (Match(marked, (M,)),))
    engine = CompiledEngine((*PREDICATES, CodedPredicate(1)), statistics=STATISTICS)
    members = [Fact(MEMBER, (point, point)) for point in range(POINTS)]
    engine.update(add=[*LINKS, *SETS, *members, Fact(marked, (3,))])
    engine.update(add_rules=[CodedRule("led", Match(FOUND, (A, B)), (queried, Match(LINK, (A, B))), 6)])
    profile = profiled(engine, Fact(marked, (2,)))
    rows = [node.rows for node in profile.nodes if node.trie == TrieName("change", marked)]
    assert max(rows) == POINTS
    to = {(one, point) for one in range(POINTS) for point in (2, 3)}
    assert engine.facts(FOUND) == to
    engine.update(retract=[Fact(MEMBER, (2, 2)), Fact(marked, (3,))])
    assert not engine.facts(FOUND)
    engine.update(add=[Fact(marked, (3,)), Fact(MEMBER, (2, 3))])
    assert engine.facts(FOUND) == to
