"""Tests of demand evaluation.

Rules are evaluated from the bindings of a query, and the answers are those of the whole program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.demand import engine as demand_engine
from hornbook.matcher.demand.engine import MOST_QUESTIONS, DemandEngine
from hornbook.matcher.demand.transformation import GuardedRuleId, Order, Pattern, demanded
from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    Apply,
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
from hornbook.matcher.program.errors import (
    ArithmeticOverflowError,
    DuplicateRuleError,
    EngineError,
    MalformedError,
    MarkError,
    NotStratifiedError,
    UnknownRuleError,
    UnsafeRuleError,
)
from hornbook.matcher.program.scope import variables
from oracles.engine.random_programs import ProgramMaker, RandomProgram

X, Y, Z = Var(0), Var(1), Var(2)
EDGE, PATH, MARK, DEAD = 0, 1, 2, 3
WIDTHS = [CodedPredicate(2), CodedPredicate(2), CodedPredicate(1), CodedPredicate(1)]
STEP = CodedRule("step", Match(PATH, (X, Y)), (Match(EDGE, (X, Y)),), 2)
RIGHT = CodedRule("right", Match(PATH, (X, Z)), (Match(EDGE, (X, Y)), Match(PATH, (Y, Z))), 3)
LEFT = CodedRule("left", Match(PATH, (X, Z)), (Match(PATH, (X, Y)), Match(EDGE, (Y, Z))), 3)
BOTH = CodedRule("both", Match(PATH, (X, Z)), (Match(PATH, (X, Y)), Match(PATH, (Y, Z))), 3)
CHAIN = [Fact(EDGE, (n, n + 1)) for n in range(20)]


@pytest.fixture(autouse=True)
def demand_at_once(monkeypatch):
    """Use demand even with few facts."""
    monkeypatch.setattr(demand_engine, "FACTS_A_CONDITION", 0)


def engine_with(
    *rules: CodedRule, facts: list[Fact] = CHAIN, predicates: list[CodedPredicate] = WIDTHS
) -> DemandEngine:
    engine = DemandEngine(predicates, derivations="all")
    engine.update(add=facts, add_rules=rules)
    return engine


def concluded(engine: DemandEngine, predicate: int) -> int:
    return engine.inside.count(predicate)


def program_of(rules: list[CodedRule], *questions: tuple[CodedCondition, ...]):
    numbers: dict[Pattern, int] = {}
    concluded: dict[int, list[CodedRule]] = {}
    for rule in rules:
        concluded.setdefault(rule.head.predicate, []).append(rule)
    made = demanded(concluded, questions, lambda pattern: numbers.setdefault(pattern, 100 + len(numbers)))
    return made, numbers


# Conclusions


def test_nothing_is_concluded_before_a_question():
    assert concluded(engine_with(STEP, RIGHT), PATH) == 0


def test_a_question_that_no_rule_answers_demands_nothing():
    engine = engine_with(STEP, RIGHT)
    assert engine.query([Match(EDGE, (3, X))], [X]) == [(4,)]
    assert concluded(engine, PATH) == 0


@pytest.mark.parametrize("further", [RIGHT, LEFT, BOTH], ids=lambda rule: rule.id)
def test_a_bound_argument_restricts_the_recursion(further):
    engine = engine_with(STEP, further)
    assert engine.query([Match(PATH, (16, X))], [X]) == [(17,), (18,), (19,), (20,)]
    assert concluded(engine, PATH) <= 4 + 3 + 2 + 1
    assert engine.query([Match(PATH, (X, 2))], [X]) == [(0,), (1,)]
    assert concluded(engine, PATH) <= 20
    assert len(engine.facts(PATH)) == 20 * 21 // 2


def test_left_recursion_from_one_node_concludes_the_answers_only():
    engine = engine_with(STEP, LEFT)
    engine.query([Match(PATH, (5, X))], [X])
    assert concluded(engine, PATH) == 15


def test_a_question_without_constants_takes_what_it_reads_whole():
    made, numbers = program_of([STEP, RIGHT], (Match(PATH, (X, Y)), Match(MARK, (X,))))
    assert set(made.rules) == {STEP, RIGHT}
    assert not made.initial
    assert not numbers


def test_predicates_that_the_question_does_not_rest_on_are_not_evaluated():
    other = CodedRule("dead", Match(DEAD, (X,)), (Match(PATH, (X, Y)),), 2)
    engine = engine_with(STEP, RIGHT, other)
    assert len(engine.query([Match(PATH, (X, Y))], [X, Y])) == 210
    assert concluded(engine, DEAD) == 0


def test_a_condition_passes_its_cells_to_the_next():
    made, numbers = program_of([STEP, RIGHT], (Match(EDGE, (7, X)), Match(PATH, (X, Y))))
    [pattern] = numbers
    assert pattern == Pattern(PATH, (0,))
    heads = [(rule.head, rule.body[0]) for rule in made.rules if rule.head.predicate == numbers[pattern]]
    assert (Match(100, (X,)), Match(EDGE, (7, X))) in heads
    assert all(isinstance(rule.id, GuardedRuleId) for rule in made.rules if rule.head.predicate == PATH)


def test_a_word_that_is_spared_is_queried_for_in_the_order_in_which_it_is_written():
    """In the other order, edges would come before paths, because edges are given.

    Then both ends of a path would be bound.
    """
    mark = CodedRule("mark", Match(MARK, (X,)), (Match(PATH, (X, Y)), Match(EDGE, (X, Y))), 2)
    for spared, columns in ((frozenset[int](), (0, 1)), (frozenset({MARK}), (0,))):
        numbers: dict[Pattern, int] = {}
        made = demanded(
            {PATH: [STEP], MARK: [mark]},
            [(Match(MARK, (7,)),)],
            lambda pattern, numbers=numbers: numbers.setdefault(pattern, 100 + len(numbers)),
            spared=spared,
        )
        assert {pattern.columns for pattern in numbers if pattern.predicate == PATH} == {columns}
        guarded = {rule.id.rule: rule.as_written for rule in made.rules if isinstance(rule.id, GuardedRuleId)}
        assert guarded == {"mark": bool(spared), "step": False}


@pytest.mark.parametrize(("static", "looked_at"), [(set(), 9), ({EDGE}, 5)], ids=["at once", "in turn"])
def test_the_members_of_a_static_set_are_queried_for_in_turn(static, looked_at):
    """Nine edges start at 0, and only the fifth leads to a good node."""
    size, good, all_good = 4, 5, 6
    widths = [*WIDTHS, CodedPredicate(2, 1, EDGE), CodedPredicate(2), CodedPredicate(1)]
    rules = [
        CodedRule("good", Match(good, (X, Y)), (Match(MARK, (X,)), Match(DEAD, (Y,))), 2),
        CodedRule(
            "all",
            Match(all_good, (X,)),
            (
                Match(DEAD, (X,)),
                AllOf(ClosedSet(size, EDGE, (X,)), (Y,), (Match(good, (Y, Z)), Match(EDGE, (X, Z)))),
            ),
            3,
        ),
    ]
    ends = [3, 8, 11, 14, 20, 25, 30, 34, 40]
    facts = [Fact(EDGE, (0, end)) for end in ends]
    facts += [
        *(Fact(MARK, (end,)) for end in ends if end != 20),
        Fact(DEAD, (0,)),
        Fact(DEAD, (25,)),
        Fact(size, (0, 9)),
    ]
    engine = DemandEngine(widths, spared={good, all_good}, unchanging=static)
    engine.update(add=facts, add_rules=rules)
    question = [Match(all_good, (X,)), Match(DEAD, (X,)), Compare("=", X, 0)]
    assert engine.query(question, []) == []
    [pattern] = [each for each in engine._demands if isinstance(each, Pattern) and each.predicate == good]
    queried = engine.inside.facts(engine._demands[pattern])
    assert queried == {(end,) for end in ends[:looked_at]}
    # After a change, a set has another order, and so have the demands.
    engine.update(
        add=[Fact(MARK, (20,)), Fact(EDGE, (0, 17)), Fact(size, (0, 10))], retract=[Fact(size, (0, 9))]
    )
    assert engine.query(question, []) == []
    engine.update(add=[Fact(MARK, (17,))])
    assert engine.query(question, []) == [()]
    assert len(engine.inside.facts(engine._demands[pattern])) == 10


def test_what_an_absence_reads_is_demanded_where_it_is_bound():
    only = CodedRule("alone", Match(MARK, (X,)), (Match(EDGE, (X, Y)), AbsentOf((Match(PATH, (Y, 20)),))), 2)
    engine = engine_with(STEP, RIGHT, only)
    assert engine.query([Match(MARK, (3,))], []) == []
    assert engine.query([Match(MARK, (19,))], []) == [()]
    assert concluded(engine, PATH) == 16
    assert engine.query([Match(MARK, (X,))], [X]) == [(19,)]


def test_what_an_absence_reads_is_whole_where_its_demand_would_rest_on_it():
    """`p` holds if a path of `p` goes on and its `q` is absent.

    The demand for `q` depends on `p`, and `p` depends on `q`.
    """
    edge, p, q = 0, 1, 2
    rules = [
        CodedRule(
            "on", Match(p, (X,)), (Match(edge, (X, Y)), Match(p, (Y,)), AbsentOf((Match(q, (Y, X)),))), 2
        ),
        CodedRule("end", Match(p, (X,)), (Match(edge, (X, 20)),), 1),
        CodedRule("odd", Match(q, (X, Y)), (Match(edge, (X, Y)), Compare("<", X, 9)), 2),
    ]
    widths = [CodedPredicate(2), CodedPredicate(1), CodedPredicate(2)]
    made, _ = program_of(rules, (Match(p, (3,)),))
    assert rules[2] in made.rules
    engine, whole = engine_with(*rules, predicates=widths), CompiledEngine(widths)
    whole.update(add=CHAIN, add_rules=rules)
    assert engine.query([Match(p, (3,))], []) == whole.query([Match(p, (3,))], []) == [()]


def test_arithmetic_is_no_part_of_a_demand():
    """A demand with the comparison would overflow.

    The rule does not overflow, because its absence is false.
    """
    huge = 2**62
    rules = [
        CodedRule(
            "on",
            Match(MARK, (X,)),
            (Match(EDGE, (X, Y)), Compare(">", Apply("*", Y, 4), 0), AbsentOf((Match(PATH, (X, Y)),))),
            2,
        ),
        STEP,
    ]
    facts = [Fact(EDGE, (1, huge)), Fact(EDGE, (2, 3))]
    assert engine_with(*rules, facts=facts).query([Match(MARK, (1,))], []) == []


def test_closed_sets_and_aggregates_are_complete_where_they_are_queried_for():
    size, good, number, all_reported = 2, 3, 4, 5
    widths = [
        CodedPredicate(2),
        CodedPredicate(2),
        CodedPredicate(2, 1, PATH),
        CodedPredicate(1),
        CodedPredicate(2),
        CodedPredicate(2),
    ]
    closed = ClosedSet(size, PATH, (X,))
    paths = Match(PATH, (X, Z))
    rules = [
        STEP,
        RIGHT,
        CodedRule(
            "good", Match(good, (X,)), (AllOf(closed, (Y,), (Compare(">", Y, 9),)), Match(EDGE, (X, Z))), 3
        ),
        CodedRule(
            "number", Match(number, (X, Y)), (Match(good, (X,)), AggregateOf(Y, "max", (Z,), (paths,))), 3
        ),
        CodedRule("told", Match(all_reported, (X, Y)), (CountOf(Y, (closed,), 1), Match(EDGE, (X, Z))), 3),
    ]
    facts = [*CHAIN, *(Fact(size, (node, 20 - node)) for node in range(20))]
    whole = CompiledEngine(widths)
    whole.update(add=facts, add_rules=rules)
    for predicate, terms, expected in [
        (good, (12,), [()]),
        (good, (4,), []),
        (number, (15, X), [(20,)]),
        (number, (4, X), []),
        (all_reported, (17, X), [(3,)]),
        (all_reported, (X, 3), [(17,)]),
    ]:
        queried = [term for term in terms if isinstance(term, Var)]
        engine = engine_with(*rules, facts=facts, predicates=widths)
        found = engine.query([Match(predicate, terms)], queried)
        assert found == whole.query([Match(predicate, terms)], queried) == expected


# The demand engine as an engine


def test_of_few_facts_for_many_rules_what_is_read_is_taken_whole(monkeypatch):
    monkeypatch.setattr(demand_engine, "FACTS_A_CONDITION", 20 / 3)
    for facts, expected in [(CHAIN, 4), (CHAIN[1:], 190)]:
        engine = engine_with(STEP, LEFT, facts=facts)
        assert len(engine.query([Match(PATH, (16, X))], [X])) == 4
        assert concluded(engine, PATH) == expected


def test_an_overflow_is_reported_by_the_rule_of_the_program_where_it_is_queried_for():
    rule = CodedRule("times", Match(MARK, (Y,)), (Match(EDGE, (X, Z)), Compare("=", Y, Apply("*", X, X))), 3)
    engine = engine_with(rule, STEP, facts=[Fact(EDGE, (2**40, 1))])
    assert engine.query([Match(PATH, (2**40, X))], [X]) == [(1,)]
    for question in (Match(MARK, (4,)), Match(MARK, (X,))):
        with pytest.raises(ArithmeticOverflowError) as found:
            engine.query([question], [])
        assert found.value.rule == "times"
    assert engine.query([Match(PATH, (X, 1))], [X]) == [(2**40,)]


def test_a_rule_that_no_engine_can_read_is_refused_when_it_is_added():
    unsafe = CodedRule(
        "unsafe", Match(MARK, (X,)), (Match(EDGE, (Y, Y)), Compare("<", Z, 3), Compare("=", X, 1)), 3
    )
    wide = CodedRule("wide", Match(DEAD, (X,)), (Match(EDGE, (X,)),), 1)
    engine = engine_with(STEP)
    for rule, error in [(unsafe, UnsafeRuleError), (wide, MalformedError)]:
        with pytest.raises(error) as found:
            engine.update(add_rules=[rule])
        assert found.value.rule == rule.id
    assert set(engine.rules) == {"step"}
    assert engine.query([Match(PATH, (2, 3))], []) == [()]


def test_what_depends_on_its_own_absence_is_refused():
    odd = CodedRule("odd", Match(MARK, (X,)), (Match(EDGE, (X, Y)), AbsentOf((Match(MARK, (Y,)),))), 2)
    with pytest.raises(NotStratifiedError):
        engine_with(odd)


def test_facts_and_rules_change_between_questions():
    engine = engine_with(STEP, RIGHT)
    assert len(engine.query([Match(PATH, (16, X))], [X])) == 4
    engine.update(retract=[Fact(EDGE, (18, 19))], add=[Fact(EDGE, (18, 30))])
    assert engine.query([Match(PATH, (16, X))], [X]) == [(17,), (18,), (30,)]
    engine.exchange([engine.group([Fact(EDGE, (18, 30))])], [engine.group([Fact(EDGE, (18, 31))])])
    assert engine.query([Match(PATH, (16, X))], [X]) == [(17,), (18,), (31,)]
    engine.update(remove_rules=["right"])
    assert engine.query([Match(PATH, (16, X))], [X]) == [(17,)]
    assert set(engine.rules) == {"step"}
    with pytest.raises(UnknownRuleError):
        engine.update(remove_rules=["right"])
    with pytest.raises(DuplicateRuleError):
        engine.update(add_rules=[STEP])


def test_a_mark_comes_after_everything_was_concluded():
    engine = engine_with(STEP, RIGHT)
    engine.query([Match(PATH, (16, X))], [X])
    with pytest.raises(MarkError):
        engine.pop()
    engine.push()
    assert concluded(engine, PATH) == 210
    engine.update(add=[Fact(EDGE, (20, 21))])
    assert len(engine.facts(PATH)) == 231
    engine.pop()
    assert len(engine.facts(PATH)) == 210
    engine.update(remove_rules=["right"])
    assert len(engine.facts(PATH)) == 20


def test_many_questions_take_what_they_read_whole():
    engine = engine_with(STEP, RIGHT)
    for node in range(MOST_QUESTIONS):
        engine.query([Match(PATH, (X, node)), Match(EDGE, (X, Y))], [X])
    assert Fact(PATH, (0, 20)) in engine
    assert concluded(engine, PATH) == 210


def test_predicates_of_demands_cannot_be_queried_for():
    engine = engine_with(STEP, RIGHT)
    engine.query([Match(PATH, (16, X))], [X])
    for call in (engine.facts, engine.given):
        with pytest.raises(MalformedError):
            call(len(WIDTHS))
    with pytest.raises(MalformedError):
        engine.query([Match(len(WIDTHS), (16,))], [])


# Random programs


def questions(
    program: RandomProgram, whole: CompiledEngine, random: Random
) -> Iterator[tuple[list[CodedCondition], list[Var]]]:
    """Yield a few conditions with constants in some columns, and rule bodies with one bound variable."""
    for number, predicate in enumerate(program.predicates):
        rows = sorted(whole.facts(number)) if predicate.arity else []
        for _ in range(3 * bool(predicate.arity)):
            near = random.choice(rows) if rows and random.random() < 0.8 else (1,) * predicate.arity
            terms = [cell if random.random() < 0.5 else Var(place) for place, cell in enumerate(near)]
            yield [Match(number, tuple(terms))], [term for term in terms if isinstance(term, Var)]
    for rule in program.rules:
        bound = sorted(variables([each for each in rule.body if isinstance(each, Match)]))
        if bound:
            chosen = Compare("=", Var(random.choice(bound)), random.choice((0, 1, 2)))
            yield [chosen, *rule.body], [Var(index) for index in bound]


def reported(call, *arguments):
    """Return the result of a call, or the kind of error that it raises."""
    try:
        return call(*arguments)
    except EngineError as error:
        return type(error)


@pytest.mark.parametrize("spared", [False, True], ids=["any order", "as written"])
@pytest.mark.parametrize("huge", [False, True], ids=["small cells", "huge cells"])
def test_answers_and_derivations_are_those_of_the_whole_program(huge, spared, times):
    outcomes: Counter[str] = Counter()
    for seed in range(30 * times):
        random = Random(seed)
        program = ProgramMaker(huge=huge).program(random)
        whole = CompiledEngine(program.predicates, derivations="all")
        try:
            whole.update(add=program.given, add_rules=program.rules)
        except EngineError:
            continue
        every = frozenset(range(len(program.predicates)) if spared else ())
        several = DemandEngine(program.predicates, spared=every, unchanging=every, derivations="all")
        several.update(add=program.given, add_rules=program.rules)
        for body, queried in questions(program, whole, random):
            expected = reported(whole.query, body, queried)
            one = DemandEngine(program.predicates, spared=every, unchanging=every, derivations="all")
            one.update(add=program.given, add_rules=program.rules)
            for engine in (one, several):
                assert reported(engine.query, body, queried) == expected, (seed, body)
                compare_facts(program, whole, engine, outcomes, seed)
            outcomes["guarded"] += any(
                isinstance(rule.id, GuardedRuleId) for rule in one.inside.rules.values()
            )
            outcomes["in order"] += any(isinstance(rule.id, Order) for rule in one.inside.rules.values())
    assert outcomes["guarded"] > 100
    assert (outcomes["in order"] > 20) == spared
    assert outcomes["left out"] > 1000
    assert outcomes["another derivation"] * 100 < outcomes["derivations"]


def compare_facts(
    program: RandomProgram, whole: CompiledEngine, engine: DemandEngine, outcomes: Counter[str], seed: int
) -> None:
    """Check that each concluded fact follows from the program, by one of the program's derivations."""
    for number in range(len(program.predicates)):
        concluded = engine.inside.facts(number)
        assert concluded <= whole.facts(number), seed
        outcomes["left out"] += len(whole.facts(number)) - len(concluded)
        if seed % 10 == 0:
            for cells in concluded:
                compare_derivations(whole, engine, Fact(number, cells), outcomes)


def compare_derivations(
    whole: CompiledEngine, engine: DemandEngine, fact: Fact, outcomes: Counter[str]
) -> None:
    first = engine.derivation(fact)
    outcomes["derivations"] += 1
    outcomes["another derivation"] += first != whole.derivation(fact)
    ways = {(each.rule, each.binding) for each in whole.derivations(fact)}
    assert {(each.rule, each.binding) for each in engine.derivations(fact)} == ways
    assert first is None or (first.rule, first.binding) in ways
