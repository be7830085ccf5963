"""Tests of the network as data and of profiles.

They check which rules share a node, and counts that can be computed by hand.
"""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.compiled.network import Network, Trie
from hornbook.matcher.program.coded import AbsentOf, CodedPredicate, CodedRule, Compare, Fact, Match, Var
from hornbook.matcher.program.engine import Measure
from hornbook.matcher.program.errors import EngineError, MalformedError
from hornbook.matcher.program.profile import Profile, TrieName
from oracles.engine.random_programs import PLAIN, ProgramMaker

EDGE, COLOUR, OUT, LOOP = range(4)
PREDICATES = (CodedPredicate(2), CodedPredicate(2), CodedPredicate(1), CodedPredicate(1))
A, B, C = Var(0), Var(1), Var(2)
RED, BLUE = 1, 2
TO_RED = CodedRule("to red", Match(OUT, (A,)), (Match(EDGE, (A, B)), Match(COLOUR, (B, RED))), 2)
TO_BLUE = CodedRule("to blue", Match(OUT, (C,)), (Match(COLOUR, (B, BLUE)), Match(EDGE, (C, B))), 3)
AROUND = CodedRule(
    "around", Match(LOOP, (A,)), (Match(EDGE, (A, B)), Match(EDGE, (B, A)), Compare("!=", A, B)), 2
)
LAST = CodedRule("last", Match(LOOP, (A,)), (Match(EDGE, (B, A)), AbsentOf((Match(EDGE, (A, C)),))), 3)
FACTS = [Fact(EDGE, (n, n + 1)) for n in range(5)] + [
    Fact(COLOUR, (n, RED if n % 2 else BLUE)) for n in range(6)
]


def engine_of(*rules: CodedRule, predicates: tuple[CodedPredicate, ...] = PREDICATES) -> CompiledEngine:
    engine = CompiledEngine(
        predicates, statistics={EDGE: Measure(10, (10, 10)), COLOUR: Measure(20, (20, 2))}
    )
    engine.update(add_rules=rules)
    return engine


def through(trie: Trie) -> Counter[int]:
    return Counter(node.rules for node in trie.nodes)


def test_rules_that_begin_alike_share_their_nodes():
    """Both bodies have an edge and then the colour of its end. The second rule uses another variable name."""
    keyed = (CodedPredicate(2), CodedPredicate(2, key=1), CodedPredicate(1), CodedPredicate(1))
    trie = engine_of(TO_RED, TO_BLUE, predicates=keyed).network().whole
    kinds = [(node.step.kind if node.step else None, node.rules, node.ends) for node in trie.nodes]
    assert kinds == [
        (None, 2, ()),
        ("scan", 2, ()),
        ("lookup", 2, ()),
        ("test", 1, ("to red",)),
        ("test", 1, ("to blue",)),
    ]
    assert (trie.rules, trie.steps, trie.sharing) == (2, 6, 1.5)
    reading = trie.nodes[2].step
    assert reading is not None
    assert (reading.predicate, reading.terms, reading.fills) == (COLOUR, (B, C), (2,))
    test = trie.nodes[3].step
    assert test is not None
    assert test.comparison == Compare("=", C, RED)


def test_estimates_follow_the_statistics():
    trie = engine_of(AROUND).network().whole
    assert [(node.visits, node.expected) for node in trie.nodes[1:]] == [(1, 10), (10, 0.9), (9, 0.1)]
    assert trie.cost == pytest.approx(10 + 10 + 9)


def test_a_trie_of_changes_begins_with_the_fact():
    """A rule that reads a predicate twice occurs twice, and passes the root once."""
    network = engine_of(TO_RED, AROUND).network([EDGE, OUT])
    edge, out = network.changes
    assert edge.name == TrieName("change", EDGE)
    assert edge.nodes[0].rules == 2
    assert sorted(end for node in edge.nodes for end in node.ends) == ["around", "around", "to red"]
    assert [node.step.is_other for node in edge.nodes if node.step and node.step.predicate == EDGE] == [
        False,
        True,
    ]
    assert (out.rules, len(out.nodes)) == (0, 1)
    assert all(node.parent is None or node.parent < node.number for node in edge.nodes)


def test_a_rule_with_guards_is_read_by_itself():
    network = engine_of(LAST).network()
    assert network.whole.rules == 0
    (body,) = network.bodies
    assert (body.rule, body.guards) == ("last", (1,))
    assert [(step.kind, step.terms) for step in body.steps] == [("scan", (B, A))]


def test_rules_that_are_removed_do_not_count():
    engine = engine_of(TO_RED, TO_BLUE)
    engine.update(remove_rules=["to red"])
    trie = engine.network().whole
    assert trie.rules == 1
    assert [end for node in trie.nodes for end in node.ends] == ["to blue"]


def test_a_predicate_that_is_not_there_is_refused():
    with pytest.raises(MalformedError):
        engine_of(TO_RED).network([7])


# Profiles


def profiled(engine: CompiledEngine, **changes: object) -> Profile:
    engine.profile(True)
    engine.update(**changes)  # type: ignore[arg-type]
    engine.profile(False)
    return engine.profile_report()


def parts(profile: Profile) -> dict[tuple[object, object], tuple[int, int]]:
    return {(part.rule, part.part): (part.visits, part.rows) for part in profile.parts}


def test_counts_are_those_counted_by_hand():
    """There are five edges, all between two points, and no edge has a reverse."""
    found = profiled(engine_of(AROUND), add=FACTS)
    counts = {("around", "beginning"): (1, 1), ("around", 0): (1, 5), ("around", 2): (5, 5)}
    assert parts(found) == {**counts, ("around", 1): (5, 0)}
    found = profiled(engine_of(AROUND), add=[*FACTS, Fact(EDGE, (1, 0)), Fact(EDGE, (9, 9))])
    assert parts(found) == {
        ("around", "beginning"): (1, 1),
        ("around", 0): (1, 7),
        ("around", 2): (7, 6),
        ("around", 1): (6, 2),
        ("around", "conclusion"): (2, 0),
    }
    (rule,) = found.rules()
    assert (rule.found, rule.visits, rule.rows) == (2, 17, 16)


def test_a_changed_fact_is_counted_where_it_begins():
    engine = engine_of(AROUND)
    engine.update(add=[*FACTS, Fact(EDGE, (8, 7)), Fact(EDGE, (6, 8))])
    found = profiled(engine, add=[Fact(EDGE, (1, 0))])
    nodes = {(node.trie.kind, node.node): (node.visits, node.rows, node.found) for node in found.nodes}
    # The rule has two plans, one for the edge as first condition and one as second. Both make the same
    # comparison.
    assert nodes.pop(("change", 0)) == (1, 1, 0)
    assert sorted(nodes.values()) == [(1, 1, 0), (1, 1, 1), (1, 1, 1)]
    assert engine.facts(LOOP) == {(0,), (1,)}


def test_a_shared_node_costs_each_rule_a_part():
    keyed = (CodedPredicate(2), CodedPredicate(2, key=1), CodedPredicate(1), CodedPredicate(1))
    found = profiled(engine_of(TO_RED, TO_BLUE, predicates=keyed), add=FACTS)
    shared = [node for node in found.nodes if node.trie.kind == "whole" and node.node == 1]
    by_rule = {
        part.rule: part for part in found.parts if (part.rule, part.part) in (("to red", 0), ("to blue", 1))
    }
    assert by_rule["to red"].seconds == by_rule["to blue"].seconds == pytest.approx(shared[0].seconds / 2)
    assert by_rule["to red"].visits == by_rule["to blue"].visits == shared[0].visits
    rows = {rule.rule: rule.found for rule in found.rules()}
    assert rows == {"to red": 3, "to blue": 2}


def test_guards_are_counted_by_their_place():
    found = profiled(engine_of(LAST), add=FACTS)
    assert parts(found) == {("last", 0): (1, 5), ("last", 1): (5, 1), ("last", "conclusion"): (1, 0)}


def test_all_time_is_somebodys():
    found = profiled(engine_of(TO_RED, TO_BLUE, AROUND, LAST), add=FACTS)
    assert found.seconds == pytest.approx(
        sum(part.seconds for part in found.parts) + found.rest + found.storing
    )
    assert sum(rule.seconds for rule in found.rules()) == pytest.approx(
        sum(part.seconds for part in found.parts)
    )
    assert found.seconds > 0


def test_counting_begins_anew_and_ends():
    engine = engine_of(AROUND)
    profiled(engine, add=FACTS)
    engine.update(retract=FACTS)
    assert parts(engine.profile_report())["around", 0] == (1, 5)
    assert parts(profiled(engine)) == {}
    assert CompiledEngine().profile_report() == Profile(0, 0, 0, (), ())


@pytest.mark.parametrize("seed", range(150))
def test_counting_changes_no_result(seed):
    """An update that fails also fails with profiling, and leaves the engine unchanged."""
    random = Random(seed)
    program = ProgramMaker(huge=seed % 5 == 0).program(random)
    plain, counted = CompiledEngine(program.predicates), CompiledEngine(program.predicates)
    counted.profile(True)
    parts_of = [list(program.given[place::3]) for place in range(3)]
    for number, facts in enumerate(parts_of):
        removed = parts_of[number - 1][::2] if number else []
        rules = program.rules if number == 0 else ()
        outcomes = []
        for engine in (plain, counted):
            try:
                engine.update(add=facts, retract=removed, add_rules=rules)
            except EngineError as error:
                outcomes.append(type(error))
            else:
                outcomes.append(None)
        assert outcomes[0] == outcomes[1]
        assert all(plain.facts(p) == counted.facts(p) for p in range(len(program.predicates)))
    report = counted.profile_report()
    assert report.seconds == pytest.approx(
        sum(part.seconds for part in report.parts) + report.rest + report.storing
    )
    assert all(
        part.part in ("beginning", "conclusion") or isinstance(part.part, int) for part in report.parts
    )


@pytest.mark.parametrize("seed", range(150))
def test_every_step_is_laid_to_a_condition(seed):
    """Other steps would count as the beginning of their rule. A walk enters each trie of a rule only once."""
    program = ProgramMaker(frozenset({*PLAIN, "arithmetic"})).program(Random(seed))
    engine = CompiledEngine(program.predicates)
    engine.update(add_rules=program.rules)
    network = engine.network(range(len(program.predicates)))  # all plans are made
    engine.profile(True)
    for facts in (program.given[::2], program.given[1::2]):
        engine.update(add=facts)
    report = engine.profile_report()
    walks = {node.trie: node.visits for node in report.nodes if node.node == 0}
    started = {part.rule: part.visits for part in report.parts if part.part == "beginning"}
    for rule in program.rules:
        assert started.get(rule.id, 0) == sum(
            walks.get(trie.name, 0) for trie in containing(network, rule.id)
        ), rule
    for part in report.parts:
        if isinstance(part.part, int):
            assert part.part < len(engine.rules[part.rule].body)


def containing(network: Network, rule: object) -> list[Trie]:
    return [trie for trie in network.tries if any(rule in node.ends for node in trie.nodes)]


# Statistics


def test_the_time_of_a_long_rule_is_reported_where_the_stack_is_small():
    length = 2000
    links = tuple(Match(EDGE, (Var(place), Var(place + 1))) for place in range(length))
    engine = engine_of(CodedRule("long", Match(OUT, (Var(length),)), (Match(LOOP, (A,)), *links), length + 1))
    engine.update(add=[Fact(EDGE, (number, number)) for number in range(9)])
    engine.profile(True)
    engine.update(add=[Fact(LOOP, (2,))])
    engine.profile(False)
    reports: list[Profile] = []
    before = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=lambda: reports.append(engine.profile_report()))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert len(reports[0].parts) >= length


def test_statistics_are_rows_and_distinct_cells():
    engine = engine_of(AROUND)
    engine.update(add=FACTS)
    engine.update(retract=[Fact(EDGE, (4, 5))])
    assert engine.statistics() == {
        EDGE: Measure(4, (4, 4)),
        COLOUR: Measure(6, (6, 2)),
        OUT: Measure(0, (0,)),
        LOOP: Measure(0, (0,)),
    }


def test_statistics_change_the_order_and_never_the_result():
    def first(statistics: dict[int, Measure]) -> tuple[int | None, frozenset[tuple[int, ...]]]:
        engine = CompiledEngine(PREDICATES, statistics=statistics)
        engine.update(add_rules=[TO_RED], add=FACTS)
        step = engine.network().whole.nodes[1].step
        return step.predicate if step else None, engine.facts(OUT)

    edges_first = first({EDGE: Measure(2, (2, 2)), COLOUR: Measure(1000, (1000, 2))})
    colours_first = first({EDGE: Measure(1000, (30, 30)), COLOUR: Measure(6, (6, 3))})
    assert (edges_first[0], colours_first[0]) == (EDGE, COLOUR)
    assert edges_first[1] == colours_first[1] == {(0,), (2,), (4,)}


@pytest.mark.parametrize("seed", range(40))
def test_random_statistics_never_change_a_result(seed):
    random = Random(seed)
    program = ProgramMaker().program(random)
    random_measures = {
        number: Measure(
            random.uniform(0, 1000), tuple(random.uniform(0, 100) for _ in range(predicate.arity))
        )
        for number, predicate in enumerate(program.predicates)
    }
    found = []
    for statistics in (None, random_measures):
        engine = CompiledEngine(program.predicates, statistics=statistics)
        try:
            engine.update(add=program.given, add_rules=program.rules)
        except EngineError:
            found.append(None)
        else:
            found.append([engine.facts(number) for number in range(len(program.predicates))])
    assert found[0] == found[1]


def test_a_rule_as_written_is_matched_in_its_own_order_but_for_what_is_determined():
    """The statistics do not matter.

    Only conditions with bound columns, or with one fact by a key, move forward.
    """
    colours, coloured = Match(COLOUR, (B, RED)), Match(COLOUR, (A, RED))
    measures = {EDGE: Measure(1000, (30, 30)), COLOUR: Measure(6, (6, 3))}

    def order(predicates: tuple[CodedPredicate, ...], *body: Match) -> list[int | None]:
        engine = CompiledEngine(predicates, statistics=measures)
        engine.update(add_rules=[CodedRule("r", Match(OUT, (A,)), body, 2, as_written=True)])
        steps = [node.step for node in engine.network().whole.nodes[1:]]
        return [step.predicate for step in steps if step is not None]

    assert order(PREDICATES, Match(EDGE, (A, B)), colours) == [EDGE, COLOUR]
    assert order(PREDICATES, colours, Match(EDGE, (A, B))) == [COLOUR, EDGE]
    assert order(PREDICATES, colours, Match(EDGE, (A, B)), coloured) == [COLOUR, EDGE, COLOUR]
    keyed = (
        CodedPredicate(2),
        CodedPredicate(2),
        CodedPredicate(1),
        CodedPredicate(1),
        CodedPredicate(2, key=1),
    )
    name, edge = Match(4, (B, C)), Match(EDGE, (A, B))
    engine = CompiledEngine(keyed, statistics=measures)
    engine.update(add_rules=[CodedRule("r", Match(OUT, (A,)), (colours, edge, name), 3, as_written=True)])
    steps = [node.step for node in engine.network().whole.nodes[1:]]
    assert [step.predicate for step in steps if step is not None] == [COLOUR, 4, EDGE]


@pytest.mark.parametrize("seed", range(40))
def test_the_order_in_which_rules_are_written_never_changes_a_result(seed):
    program = ProgramMaker().program(Random(seed))
    found = []
    for as_written in (False, True):
        rules = [replace(rule, as_written=as_written) for rule in program.rules]
        engine = CompiledEngine(program.predicates)
        try:
            engine.update(add=program.given, add_rules=rules)
        except EngineError:
            found.append(None)
        else:
            found.append([engine.facts(number) for number in range(len(program.predicates))])
    assert found[0] == found[1]
