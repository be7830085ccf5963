"""Tests of demanded predicates.

They are concluded when rules or queries need them, and the answers are those of a program without demand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.demand.engine import DemandEngine
from hornbook.matcher.program.coded import (
    AbsentOf,
    Apply,
    CodedPredicate,
    CodedRule,
    Compare,
    Fact,
    Match,
    Var,
)
from hornbook.matcher.program.errors import (
    ArithmeticOverflowError,
    MalformedError,
    MarkError,
    NotStratifiedError,
    UnknownRuleError,
    UnsafeRuleError,
)
from oracles.engine.derivation_checker import check_derivation, premise_facts
from oracles.engine.random_programs import ProgramMaker, RandomProgram
from oracles.reference.relations import Database, IndexedRelation
from tests.matcher.demand.test_lazy_engine import questions, reported

X, Y, Z = Var(0), Var(1), Var(2)
EDGE, PATH, MARK, SEEN = 0, 1, 2, 3
WIDTHS = [CodedPredicate(2), CodedPredicate(2), CodedPredicate(1), CodedPredicate(2)]
STEP = CodedRule("step", Match(PATH, (X, Y)), (Match(EDGE, (X, Y)),), 2)
RIGHT = CodedRule("right", Match(PATH, (X, Z)), (Match(EDGE, (X, Y)), Match(PATH, (Y, Z))), 3)
SEES = CodedRule("sees", Match(SEEN, (X, Y)), (Match(MARK, (X,)), Match(PATH, (X, Y))), 2)
CHAIN = [Fact(EDGE, (n, n + 1)) for n in range(20)]


def engine_with(*rules: CodedRule, facts: Sequence[Fact] = CHAIN) -> DemandEngine:
    engine = DemandEngine(WIDTHS, eager=True, spared=frozenset([PATH]), derivations="all")
    engine.update(add=facts, add_rules=rules)
    return engine


def here(engine: DemandEngine, predicate: int) -> frozenset[tuple[int, ...]]:
    """Return the facts that are concluded without a query."""
    return engine.inside.facts(predicate)


def test_what_no_rule_asks_for_is_not_concluded():
    engine = engine_with(STEP, RIGHT, SEES)
    assert not here(engine, PATH)
    assert len(engine.facts(PATH)) == 210
    assert not here(engine, PATH)


def test_a_demand_comes_and_goes_with_the_facts_that_it_rests_on():
    engine = engine_with(STEP, RIGHT, SEES)
    engine.push()
    engine.update(add=[Fact(MARK, (17,))])
    assert engine.facts(SEEN) == {(17, 18), (17, 19), (17, 20)}
    assert len(here(engine, PATH)) == 3 + 2 + 1
    engine.update(add=[Fact(MARK, (18,))], retract=[Fact(MARK, (17,))])
    assert len(here(engine, PATH)) == 2 + 1
    engine.pop()
    assert not here(engine, PATH)


def test_rules_that_come_later_demand_and_stop_demanding():
    engine = engine_with(STEP, RIGHT, facts=[*CHAIN, Fact(MARK, (19,))])
    assert not here(engine, PATH)
    engine.update(add_rules=[SEES])
    assert here(engine, PATH) == {(19, 20)}
    assert {*engine.rules} == {"step", "right", "sees"}
    engine.update(remove_rules=["sees"])
    assert not here(engine, PATH)
    constant = CodedRule("constant", Match(SEEN, (X, X)), (Match(PATH, (18, X)),), 1)
    engine.update(add_rules=[constant])
    assert len(here(engine, PATH)) == 3
    engine.update(remove_rules=["constant"])
    assert not here(engine, PATH)
    assert engine.given(EDGE) == {fact.cells for fact in CHAIN}


def test_a_question_under_a_mark_is_answered_next_to():
    engine = engine_with(STEP, RIGHT, SEES)
    engine.push()
    engine.update(add=[Fact(EDGE, (20, 21))])
    assert engine.query([Match(PATH, (18, X)), Match(EDGE, (X, Y))], [X, Y]) == [(19, 20), (20, 21)]
    assert Fact(PATH, (0, 21)) in engine
    with pytest.raises(MarkError):
        engine.update(add_rules=[CodedRule("again", *_parts(SEES))])
    engine.pop()
    assert Fact(PATH, (0, 21)) not in engine
    assert not here(engine, PATH)


def _parts(rule: CodedRule):
    return rule.head, rule.body, rule.variables


def test_derivations_name_the_rules_of_the_program_with_what_their_conditions_rest_on():
    engine = engine_with(STEP, RIGHT, SEES, facts=[*CHAIN, Fact(MARK, (18,))])
    premises = (Fact(EDGE, (18, 19)), Fact(PATH, (19, 20)))
    for fact in (Fact(PATH, (18, 20)), Fact(PATH, (3, 20))):
        [found] = engine.derivations(fact)
        assert found == engine.derivation(fact) == engine.derivation(fact, "right")
        assert engine.derived_by(fact) == ("right",)
        assert found.rule == "right"
    assert engine.derivations(Fact(PATH, (18, 20)))[0].premises == premises
    assert engine.derivation(Fact(PATH, (18, 20)), "step") is None


def test_a_given_fact_of_a_demanded_word_has_all_its_derivations():
    engine = engine_with(STEP, RIGHT, facts=[*CHAIN, Fact(PATH, (3, 4))])
    assert engine.derived_by(Fact(PATH, (3, 4))) == ("step",)


def test_a_word_that_nothing_is_known_of_is_concluded_whole():
    every = CodedRule("every", Match(MARK, (X,)), (Match(PATH, (X, Y)),), 2)
    engine = engine_with(STEP, RIGHT, every)
    assert len(here(engine, PATH)) == 210
    assert len(here(engine, MARK)) == 20


def test_what_an_absence_asks_for_on_a_way_to_itself_is_concluded_whole():
    """`mark` depends on the absence of a path.

    The demand for the path depends on `mark` through a predicate that is not demanded.
    """
    rules = [
        STEP,
        CodedRule("mark", Match(MARK, (X,)), (Match(EDGE, (X, Y)), AbsentOf((Match(PATH, (Y, 7)),))), 2),
        SEES,
    ]
    engine, whole = engine_with(*rules), CompiledEngine(WIDTHS)
    whole.update(add=CHAIN, add_rules=rules)
    assert here(engine, PATH) == whole.facts(PATH)
    assert engine.facts(SEEN) == whole.facts(SEEN)


def test_errors_are_those_of_the_program():
    huge = CodedRule("huge", Match(PATH, (X, Y)), (Match(EDGE, (X, Z)), Compare("=", Y, Apply("*", X, X))), 3)
    engine = engine_with(huge, SEES, facts=[Fact(EDGE, (2**40, 1))])
    with pytest.raises(ArithmeticOverflowError) as found:
        engine.update(add=[Fact(MARK, (2**40,))])
    assert found.value.rule == "huge"
    assert not engine.given(MARK)
    for rule, error in [
        (CodedRule("wide", Match(PATH, (X, X)), (Match(EDGE, (X,)),), 1), MalformedError),
        (CodedRule("unsafe", Match(PATH, (X, Y)), (Match(EDGE, (X, X)),), 2), UnsafeRuleError),
        (
            CodedRule("odd", Match(PATH, (X, X)), (Match(MARK, (X,)), AbsentOf((Match(PATH, (X, X)),))), 1),
            None,
        ),
    ]:
        with pytest.raises(error or NotStratifiedError):
            engine.update(add_rules=[rule])
    with pytest.raises(UnknownRuleError):
        engine.update(remove_rules=["odd"])
    assert {*engine.rules} == {"huge", "sees"}


def test_time_is_reported_by_the_rules_of_the_program():
    engine = engine_with(STEP, RIGHT, SEES)
    engine.profile(True)
    engine.update(add=[Fact(MARK, (10,))])
    assert {time.rule for time in engine.profile_report().rules()} == {"step", "right", "sees"}
    assert len(engine.statistics()) == len(WIDTHS)


# Random programs


class Walk:
    """Two engines with the same program; one of them concludes some predicates on demand."""

    def __init__(self, program: RandomProgram, random: Random) -> None:
        self.program, self.random = program, random
        concluded = sorted({rule.head.predicate for rule in program.rules})
        self.spared = frozenset(random.sample(concluded, random.randint(1, len(concluded))))
        self.whole = CompiledEngine(program.predicates, derivations="all")
        self.guarded = DemandEngine(program.predicates, eager=True, spared=self.spared, derivations="all")
        self.marks = 0

    def step(self) -> bool:
        """Change both engines and return whether the change succeeded."""
        random = self.random
        if not self.whole.rules or (random.random() < 0.25 and not self.marks):
            there = set(self.whole.rules)
            change = {
                "add_rules": [r for r in self.program.rules if r.id not in there and random.random() < 0.6],
                "remove_rules": [name for name in there if random.random() < 0.2],
            }
        elif random.random() < 0.35:
            for engine in (self.whole, self.guarded):
                engine.pop() if self.marks else engine.push()
            self.marks = 1 - self.marks
            return True
        else:
            some = [fact for fact in self.program.given if random.random() < 0.3]
            change = {"add": some} if random.random() < 0.6 else {"retract": some}
        if reported(lambda: self.whole.update(**change) and None) is not None:
            return False
        self.guarded.update(**change)
        return True


@pytest.mark.deep
def test_what_follows_is_what_follows_without_demands(times):
    outcomes: Counter[str] = Counter()
    for seed in range(240 * times):
        random = Random(seed)
        program = ProgramMaker(huge=seed % 4 == 0).program(random)
        walk = Walk(program, random)
        for _ in range(8):
            if walk.step():
                compare(walk, outcomes, seed)
    assert outcomes["left out"] > 800
    assert outcomes["beside"] > 100
    assert outcomes["marked"] > 100
    assert outcomes["derivations"] > 300


def compare(walk: Walk, outcomes: Counter[str], seed: int) -> None:
    whole, guarded = walk.whole, walk.guarded
    outcomes["marked"] += walk.marks
    for number in range(len(walk.program.predicates)):
        expected, there = whole.facts(number), here(guarded, number)
        assert there <= expected, (seed, number)
        assert number in walk.spared or there == expected, (seed, number)
        outcomes["left out"] += len(expected) - len(there)
        if seed % 3 == 0:
            assert guarded.facts(number) == expected, (seed, number)
            assert guarded.given(number) == whole.given(number)
        for cells in walk.random.sample(sorted(expected), min(2, len(expected))):
            outcomes["beside"] += cells not in there
            compare_derivations(walk, Fact(number, cells), outcomes)
    for body, queried in questions(walk.program, whole, walk.random):
        if walk.random.random() < 0.3:
            assert reported(guarded.query, body, queried) == reported(whole.query, body, queried), (
                seed,
                body,
            )


def compare_derivations(walk: Walk, fact: Fact, outcomes: Counter[str]) -> None:
    whole, guarded = walk.whole, walk.guarded
    assert fact in guarded
    assert set(guarded.derived_by(fact)) == set(whole.derived_by(fact))
    ways = {(each.rule, each.binding) for each in whole.derivations(fact)}
    assert {(each.rule, each.binding) for each in guarded.derivations(fact)} == ways
    facts = Database(IndexedRelation)
    for number in range(len(walk.program.predicates)):
        for row in whole.facts(number):
            facts[number].add(row, None)
    follow(fact, guarded, whole.rules, facts, (), outcomes)


def follow(fact: Fact, engine: DemandEngine, rules, facts, above: tuple[Fact, ...], outcomes) -> None:
    """Follow derivations down to given facts."""
    assert fact not in above
    found = engine.derivation(fact)
    if found is None:
        assert fact.cells in engine.given(fact.predicate)
        return
    outcomes["derivations"] += 1
    check_derivation(fact, found, rules, facts)
    for each in {each for premise in found.premises for each in premise_facts(premise)}:
        follow(each, engine, rules, facts, (*above, fact), outcomes)
