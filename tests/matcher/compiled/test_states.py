"""Tests of the evaluation of many states: each state has the results of an engine that has only its facts."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from threading import get_ident

import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.compiled.states import StateEngine
from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    Apply,
    Call,
    CodedPredicate,
    CodedRule,
    Compare,
    Fact,
    Function,
    Limits,
    Match,
    SetPremise,
    Var,
)
from hornbook.matcher.program.errors import (
    ArithmeticOverflowError,
    EngineError,
    FactLimitError,
    KeyConflictError,
    MalformedError,
    NotStratifiedError,
    OverfullSetError,
    UnsafeRuleError,
)
from hornbook.matcher.program.scope import variables
from hornbook.matcher.program.states import StateBlock, StateTable
from oracles.engine.random_programs import EVERYTHING, PLAIN, WITH_CALLS, ProgramMaker, RandomProgram
from oracles.reference.engine import ReferenceEngine

x, y, z = Var(0), Var(1), Var(2)


def columns(states: Sequence[Iterable[Fact]]) -> dict[int, list[array[int]]]:
    """Return the facts of states as columns."""
    rows: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for state, facts in enumerate(states):
        for fact in facts:
            rows[fact.predicate].append((state, *fact.cells))
    return {
        number: [array("q", cells) for cells in zip(*found, strict=True)] for number, found in rows.items()
    }


def rows_of(table: StateTable) -> list[tuple[int, tuple[int, ...]]]:
    cells = zip(*table.cells, strict=True) if table.cells else ((),) * len(table.states)
    return list(zip(table.states, cells, strict=True))


def facts_by_state(tables: Mapping[int, StateTable], states: int) -> list[set[Fact]]:
    found: list[set[Fact]] = [set() for _ in range(states)]
    for number, table in tables.items():
        for state, cells in rows_of(table):
            fact = Fact(number, cells)
            assert fact not in found[state]
            found[state].add(fact)
    return found


def single(
    program: RandomProgram, facts: Iterable[Fact], engine_class=CompiledEngine
) -> set[Fact] | EngineError:
    """Return all facts of a state, or the error of an engine that has only its facts."""
    engine = engine_class(program.predicates)
    try:
        engine.update(add=facts, add_rules=program.rules)
    except EngineError as error:
        return error
    return {Fact(number, row) for number in range(len(program.predicates)) for row in engine.facts(number)}


def is_refused(program: RandomProgram, outcomes: Sequence[set[Fact] | EngineError]) -> bool:
    """Return whether the program is not stratified, which must be refused at once."""
    refused = any(isinstance(each, NotStratifiedError) for each in outcomes)
    if refused:
        with pytest.raises(NotStratifiedError):
            StateEngine(program.predicates, program.rules)
    return refused


def random_states(program: RandomProgram, random: Random, number: int) -> tuple[list[Fact], list[list[Fact]]]:
    """Return shared facts, and the other facts of each state. A state may repeat facts, and shared ones.

    Half of the time the facts of all states are in ascending order and distinct.
    """
    given = list(program.given)
    shared = random.sample(given, random.randint(0, len(given) // 2))
    states = [random.choices(given, k=random.randint(0, len(given))) if given else [] for _ in range(number)]
    return shared, [sorted(set(facts)) for facts in states] if random.random() < 0.5 else states


@pytest.mark.parametrize("features", [PLAIN, EVERYTHING, WITH_CALLS], ids=["plain", "everything", "calls"])
@pytest.mark.parametrize("huge", [False, True], ids=["small cells", "huge cells"])
def test_each_state_has_the_facts_of_a_single_state_engine(features, huge, times):
    right = wrong = 0
    for seed in range(40 * times):
        random = Random(seed)
        program = ProgramMaker(features, huge=huge).program(random)
        shared, states = random_states(program, random, 8)
        numbers = range(len(program.predicates))
        expected = [single(program, {*shared, *facts}) for facts in states]
        if is_refused(program, expected):
            continue
        engine = StateEngine(program.predicates, program.rules, shared)
        found = engine.evaluate(StateBlock(len(states), columns(states)), numbers)
        facts = facts_by_state(found.tables, len(states))
        for state, each in enumerate(expected):
            if isinstance(each, EngineError):
                assert isinstance(found.errors[state], EngineError), (seed, state)
                assert facts[state] == set()
                wrong += 1
            else:
                assert state not in found.errors, (seed, state)
                assert facts[state] == each, (seed, state)
                right += 1
    assert right > 100
    assert (wrong > 0) is (features is not PLAIN)


@pytest.mark.parametrize("features", [PLAIN, EVERYTHING], ids=["plain", "everything"])
def test_each_state_has_the_facts_of_the_reference_engine(features, times):
    for seed in range(15 * times):
        random = Random(seed)
        program = ProgramMaker(features).program(random)
        _, states = random_states(program, random, 4)
        if is_refused(program, [single(program, ())]):
            continue
        found = StateEngine(program.predicates, program.rules).evaluate(
            StateBlock(len(states), columns(states)), range(len(program.predicates))
        )
        facts = facts_by_state(found.tables, len(states))
        for state, given in enumerate(states):
            expected = single(program, set(given), ReferenceEngine)
            if isinstance(expected, EngineError):
                assert state in found.errors, (seed, state)
            else:
                assert facts[state] == expected, (seed, state)


@pytest.mark.parametrize("features", [PLAIN, EVERYTHING, WITH_CALLS], ids=["plain", "everything", "calls"])
@pytest.mark.parametrize("huge", [False, True], ids=["small cells", "huge cells"])
def test_a_state_may_be_a_difference_from_its_parent(features, huge, times):
    children = 0
    for seed in range(40 * times):
        random = Random(seed)
        program = ProgramMaker(features, huge=huge).program(random)
        shared, _ = random_states(program, random, 0)
        whole: list[set[Fact]] = []
        given: list[set[Fact]] = []
        removed: list[set[Fact]] = []
        last: list[set[Fact]] = []
        parents: list[int] = []
        path: list[int] = []
        for _ in range(12):
            path = path[: random.randint(0, len(path))]
            parent = path[-1] if path else -1
            before = whole[parent] if path else set()
            size = random.randint(0, len(program.given) // (3 if path else 1))
            added = set(random.sample(program.given, size))
            lost = set(random.sample(sorted(before), random.randint(0, len(before)))) if path else set()
            path.append(len(whole))
            parents.append(parent)
            whole.append((before - lost) | added)
            late = set(random.sample(sorted(added), len(added) // 3))
            given.append(added - late)
            last.append(late)
            removed.append(lost)
        expected = [single(program, {*shared, *facts}) for facts in whole]
        if is_refused(program, expected):
            continue
        block = StateBlock(len(whole), columns(given), columns(removed), columns(last), array("q", parents))
        found = StateEngine(program.predicates, program.rules, shared).evaluate(
            block, range(len(program.predicates))
        )
        facts = facts_by_state(found.tables, len(whole))
        for state, each in enumerate(expected):
            if isinstance(each, EngineError):
                assert state in found.errors, (seed, state)
            else:
                assert state not in found.errors, (seed, state)
                assert facts[state] == each, (seed, state)
                children += parents[state] >= 0
    assert children > 100


def test_queries_and_derivations_are_those_of_a_single_state_engine(times):
    answered = explained = 0
    for seed in range(25 * times):
        random = Random(seed)
        program = ProgramMaker(PLAIN).program(random)
        _, states = random_states(program, random, 5)
        numbers = range(len(program.predicates))
        rule = random.choice(program.rules)
        query = (rule.body, [Var(index) for index in sorted(variables(rule.head))])
        engine = StateEngine(program.predicates, program.rules)
        block = StateBlock(len(states), columns(states))
        found = engine.evaluate(block, explained=numbers, has_premises=True, query=query)
        answers: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for state, row in rows_of(found.answers):
            answers[state].append(row)
        for most in (0, 2):
            first = rows_of(engine.evaluate(block, query=query, most_answers=most).answers)
            assert first == [(state, row) for state in sorted(answers) for row in answers[state][:most]]
        for state, facts in enumerate(states):
            one = CompiledEngine(program.predicates, derivations="all")
            try:
                one.update(add=facts, add_rules=program.rules)
            except EngineError:
                assert state in found.errors
                continue
            assert answers[state] == one.query(*query), (seed, state)
            answered += len(answers[state])
            for conclusion in found.conclusions:
                if conclusion.state == state:
                    assert set(conclusion.derivations) == set(one.derivations(conclusion.fact))
                    explained += len(conclusion.derivations)
    assert answered > 20
    assert explained > 100


def flat(premises: Iterable[object]) -> set[Fact]:
    """Return the facts of premises, with those of closed sets."""
    found: set[Fact] = set()
    for premise in premises:
        if isinstance(premise, Fact):
            found.add(premise)
        elif isinstance(premise, SetPremise):
            found |= {premise.count, *(fact for fact, _ in premise.members)}
            found |= flat(inner for _, more in premise.members for inner in more)
        elif premise is not None:
            found |= flat(premise)
    return found


def test_leading_facts_have_the_premises_of_one_of_their_derivations(times):
    explained = 0
    for seed in range(25 * times):
        random = Random(seed)
        program = ProgramMaker(PLAIN).program(random)
        _, states = random_states(program, random, 5)
        numbers = [number for number, each in enumerate(program.predicates) if each.arity]
        engine = StateEngine(program.predicates, program.rules)
        found = engine.evaluate(StateBlock(len(states), columns(states)), numbers, leading=numbers)
        expected = set()
        for state, facts in enumerate(facts_by_state(found.tables, len(states))):
            for number in numbers:
                some = [fact for fact in facts if fact.predicate == number]
                least = {
                    fact.cells[-1]: min(f.cells[0] for f in some if f.cells[-1] == fact.cells[-1])
                    for fact in some
                }
                expected |= {(state, fact) for fact in some if fact.cells[0] == least[fact.cells[-1]]}
        assert {(state, fact) for state, fact, _ in found.leading} == expected
        assert [each.state for each in found.leading] == sorted(each.state for each in found.leading)
        for state, facts in enumerate(states):
            if state in found.errors:
                continue
            one = CompiledEngine(program.predicates, derivations="all")
            one.update(add=facts, add_rules=program.rules)
            for _, fact, premises in [each for each in found.leading if each.state == state]:
                ways = [flat(each.premises) for each in one.derivations(fact)]
                assert set(premises) in ways if ways else not premises
                explained += len(premises)
    assert explained > 100


SPREAD = (
    [CodedPredicate(2), CodedPredicate(2), CodedPredicate(2, key=1), CodedPredicate(2)],
    [
        CodedRule("road", Match(1, (x, y)), (Match(0, (x, y)),), 2),
        CodedRule("further", Match(1, (x, z)), (Match(1, (x, y)), Match(0, (y, z))), 3),
        CodedRule("twice", Match(3, (x, y)), (Match(2, (x, z)), Compare("=", y, Apply("*", z, 2))), 3),
    ],
)


@pytest.mark.parametrize("cells", [range(-20, 20), range(-(2**63), 2**63, 2**58)], ids=["dense", "sparse"])
@pytest.mark.parametrize("facts", [12, 150])
def test_ascending_facts_are_searched_by_any_of_their_columns(cells, facts, times):
    predicates = [*(CodedPredicate(arity) for arity in (1, 2, 2, 3)), *(CodedPredicate(2) for _ in range(5))]
    rules = [
        CodedRule("forwards", Match(4, (x, z)), (Match(1, (x, y)), Match(2, (y, z))), 3),
        CodedRule("backwards", Match(5, (x, z)), (Match(0, (y,)), Match(1, (x, y)), Match(2, (z, y))), 3),
        CodedRule("each", Match(6, (x, y)), (Match(1, (x, y)), Match(2, (x, y))), 2),
        CodedRule("apart", Match(7, (x, z)), (Match(0, (x,)), Match(3, (x, y, z)), Match(3, (z, y, x))), 3),
        CodedRule("again", Match(1, (x, y)), (Match(4, (x, y)), Match(0, (x,))), 2),
        CodedRule("without", Match(8, (x, y)), (Match(1, (x, y)), AbsentOf((Match(2, (y, x)),))), 2),
    ]
    for seed in range(4 * times):
        random = Random(seed)
        states = [
            sorted(
                {
                    Fact(number, tuple(random.choices(cells, k=predicates[number].arity)))
                    for number in random.choices(range(4), k=random.randrange(facts))
                }
            )
            for _ in range(6)
        ]
        found = StateEngine(predicates, rules, threads=1).evaluate(
            StateBlock(len(states), columns(states)), range(len(predicates))
        )
        program = RandomProgram(tuple(predicates), (), tuple(rules))
        assert facts_by_state(found.tables, len(states)) == [single(program, each) for each in states], seed


@pytest.mark.parametrize("is_ascending", [False, True])
def test_keys_and_counts_of_each_state_are_checked(is_ascending, times):
    predicates = [CodedPredicate(3, key=2, counts=1), CodedPredicate(3)]
    outcomes = set()
    for seed in range(60 * times):
        random = Random(seed)
        states = []
        for _ in range(4):
            facts = [Fact(1, tuple(random.choices(range(3), k=3))) for _ in range(random.randrange(4))]
            facts += [
                Fact(0, (*random.choices(range(3), k=2), random.randrange(4)))
                for _ in range(random.randrange(4))
            ]
            states.append(sorted(set(facts)) if is_ascending else facts)
        results = StateEngine(predicates, []).evaluate(StateBlock(len(states), columns(states)), [0, 1])
        program = RandomProgram(tuple(predicates), (), ())
        for state, facts in enumerate(states):
            expected = single(program, facts)
            if isinstance(expected, EngineError):
                outcomes.add(type(results.errors[state]))  # a state may have several
            else:
                assert state not in results.errors, (seed, state)
    assert outcomes == {KeyConflictError, OverfullSetError}


def test_an_error_in_one_state_does_not_affect_the_others():
    predicates, rules = SPREAD
    states = [
        [Fact(0, (1, 2)), Fact(0, (2, 3))],
        [Fact(2, (1, 5)), Fact(2, (1, 6))],
        [Fact(2, (1, 2**62))],
        [Fact(2, (1, 7))],
    ]
    found = StateEngine(predicates, rules).evaluate(StateBlock(4, columns(states)), range(4))
    assert {state: type(error) for state, error in found.errors.items()} == {
        1: KeyConflictError,
        2: ArithmeticOverflowError,
    }
    assert found.errors[2].rule == "twice"
    assert rows_of(found.tables[1]) == [(0, (1, 2)), (0, (2, 3)), (0, (1, 3))]
    assert rows_of(found.tables[3]) == [(3, (1, 14))]


def test_an_error_of_the_shared_facts_is_one_of_each_state():
    predicates, rules = SPREAD
    engine = StateEngine(predicates, rules, [Fact(2, (1, 5)), Fact(2, (1, 6))])
    found = engine.evaluate(StateBlock(2, columns([[Fact(0, (1, 2))], []])), range(4))
    assert {state: type(error) for state, error in found.errors.items()} == dict.fromkeys(
        (0, 1), KeyConflictError
    )
    assert all(not table.states for table in found.tables.values())


def test_limits_are_those_of_each_state():
    predicates, rules = SPREAD
    roads = [Fact(0, (each, each + 1)) for each in range(6)]
    states = [roads[:2], roads, roads[:3]]
    engine = StateEngine(predicates, rules, limits=Limits(facts=12))
    found = engine.evaluate(StateBlock(3, columns(states)), [1])
    assert [type(error) for error in found.errors.values()] == [FactLimitError]
    assert list(found.errors) == [1]
    assert [state for state, _ in rows_of(found.tables[1])] == [0] * 3 + [2] * 6


def test_what_all_states_share_is_in_each_of_them():
    predicates, rules = SPREAD
    shared = [Fact(0, (each, each + 1)) for each in range(40)]
    known = CodedRule("known", Match(4, (x,)), (Match(1, (0, x)), AbsentOf((Match(2, (x, y)),))), 2)
    engine = StateEngine([*predicates, CodedPredicate(1)], [*rules, known], shared)
    states = [[Fact(2, (each, 0))] for each in range(1, 41)]
    found = engine.evaluate(StateBlock(40, columns(states)), [4])
    by_state = facts_by_state(found.tables, 40)
    for state, facts in enumerate(by_state):
        assert facts == {Fact(4, (each,)) for each in range(1, 41) if each != state + 1}


def test_a_predicate_may_begin_to_vary():
    predicates, rules = SPREAD
    engine = StateEngine(predicates, rules, [Fact(0, (1, 2))])
    first = engine.evaluate(StateBlock(1, columns([[Fact(2, (1, 7))]])), [1, 3])
    assert facts_by_state(first.tables, 1) == [{Fact(1, (1, 2)), Fact(3, (1, 14))}]
    second = engine.evaluate(StateBlock(2, columns([[Fact(0, (2, 3))], []])), [1, 3])
    assert facts_by_state(second.tables, 2) == [
        {Fact(1, (1, 2)), Fact(1, (2, 3)), Fact(1, (1, 3))},
        {Fact(1, (1, 2))},
    ]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_results_do_not_depend_on_the_number_of_threads(threads):
    predicates, rules = SPREAD
    states = [
        [Fact(0, (each % 7, each % 5)), Fact(2, (1, each)), Fact(2, (1 + each % 9, each + 1))]
        for each in range(1500)
    ]
    found = StateEngine(predicates, rules, threads=threads).evaluate(
        StateBlock(len(states), columns(states)),
        range(4),
        explained=[3],
        query=((Match(1, (x, x)),), [x]),
    )
    one = StateEngine(predicates, rules, threads=1).evaluate(
        StateBlock(len(states), columns(states)),
        range(4),
        explained=[3],
        query=((Match(1, (x, x)),), [x]),
    )
    assert {number: sorted(rows_of(table)) for number, table in found.tables.items()} == {
        number: sorted(rows_of(table)) for number, table in one.tables.items()
    }
    assert rows_of(found.answers) == rows_of(one.answers)
    assert found.conclusions == one.conclusions
    assert list(found.errors) == list(one.errors)
    assert len(found.errors) > 100
    assert len(found.conclusions) > 100


@pytest.mark.parametrize("is_rule", [False, True], ids=["query", "rule"])
def test_functions_are_called_in_one_thread(is_rule):
    """A function may give a new word a cell, and two threads could give it two."""
    threads = set()

    def successor(cells: tuple[int, ...]) -> int:
        threads.add(get_ident())
        return cells[0] + 1

    predicates, rules = SPREAD
    body = (Match(0, (x, z)), Compare("=", y, Call(Function("successor", successor), (z,))))
    calling = CodedRule("calling", Match(3, (x, y)), body, 3)
    engine = StateEngine(predicates, [*rules, calling] if is_rule else rules, threads=4)
    states = [[Fact(0, (each, 2 * each))] for each in range(2000)]
    found = engine.evaluate(StateBlock(2000, columns(states)), [3], query=None if is_rule else (body, (x, y)))
    expected = [(each, (each, 2 * each + 1)) for each in range(2000)]
    assert rows_of(found.tables[3] if is_rule else found.answers) == expected
    assert len(threads) == 1


def test_states_without_facts_and_no_states():
    predicates, rules = SPREAD
    none = CodedRule("none", Match(4, (x,)), (AggregateOf(x, "count", (y,), (Match(0, (y, z)),)),), 3)
    engine = StateEngine([*predicates, CodedPredicate(1)], [*rules, none])
    assert rows_of(engine.evaluate(StateBlock(0, {}), [4]).tables[4]) == []
    found = engine.evaluate(StateBlock(2, columns([[], [Fact(0, (1, 2))]])), [4])
    assert rows_of(found.tables[4]) == [(0, (0,)), (1, (1,))]


@pytest.mark.parametrize(
    "given",
    [
        {0: [array("q", [0, 1]), array("q", [1, 1])]},
        {0: [array("q", [1, 0]), array("q", [1, 1]), array("q", [1, 1])]},
        {0: [array("q", [0, 2]), array("q", [1, 1]), array("q", [1, 1])]},
        {0: [array("q", [-1, 0]), array("q", [1, 1]), array("q", [1, 1])]},
        {0: [array("q", [0, 1]), array("q", [1, 1]), array("q", [1])]},
        {0: [array("d", [0, 1]), array("q", [1, 1]), array("q", [1, 1])]},
        {9: [array("q", [0, 1]), array("q", [1, 1]), array("q", [1, 1])]},
        {0: "abc"},
    ],
    ids=["width", "order", "too large", "negative", "lengths", "type", "predicate", "text"],
)
def test_columns_that_do_not_fit_are_refused(given):
    predicates, rules = SPREAD
    engine = StateEngine(predicates, rules)
    with pytest.raises(MalformedError):
        engine.evaluate(StateBlock(2, given), [0])
    assert rows_of(engine.evaluate(StateBlock(1, columns([[Fact(0, (1, 2))]])), [1]).tables[1]) == [
        (0, (1, 2))
    ]


@pytest.mark.parametrize("parents", [[0], [-1, 1], [-1, 0, -1, 0], [-1, 0, -2]])
def test_parents_come_before_their_children(parents):
    predicates, rules = SPREAD
    with pytest.raises(MalformedError):
        StateEngine(predicates, rules).evaluate(
            StateBlock(len(parents), {}, parents=array("q", parents)), [0]
        )


def test_programs_that_do_not_fit_are_refused():
    unsafe = CodedRule("unsafe", Match(0, (x,)), (), 1)
    with pytest.raises(UnsafeRuleError):
        StateEngine([CodedPredicate(1)], [unsafe])
    circle = CodedRule("circle", Match(0, (x,)), (Match(1, (x,)), AbsentOf((Match(0, (x,)),))), 1)
    with pytest.raises(NotStratifiedError):
        StateEngine([CodedPredicate(1), CodedPredicate(1)], [circle])
    with pytest.raises(MalformedError):
        StateEngine([CodedPredicate(1)], [], [Fact(0, (1, 2))])
    with pytest.raises(UnsafeRuleError):
        StateEngine([CodedPredicate(1)], []).evaluate(
            StateBlock(1, columns([[Fact(0, (1,))]])), query=((Match(0, (x,)),), [y])
        )
