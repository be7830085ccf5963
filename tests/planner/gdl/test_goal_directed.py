"""Tests of goal-directed evaluation against the plain engine, which derives everything.

They also use it through Game, if deriving everything is too much.
"""

from __future__ import annotations

from random import Random

import pytest

from hornbook.matcher.program.coded import Fact
from hornbook.planner.gdl import evaluation
from hornbook.planner.gdl.evaluation import GoalDirected, Saturated
from hornbook.planner.gdl.game import Game
from hornbook.planner.gdl.ground import columns_of
from hornbook.planner.gdl.kif import read
from oracles.engine.derivation_checker import check_derivation
from oracles.gdl.own_sheets import SHEETS
from oracles.gdl.random_rules import DOES, TRUE, WORDS, random_facts, random_program
from oracles.reference.engine import ReferenceEngine
from oracles.reference.relations import IndexedRelation


def _saturated(program, reported):
    engine = ReferenceEngine(program.predicates)
    engine.update(add=[*program.facts, *reported], add_rules=program.rules)
    return engine


def _widths(program):
    return [predicate.arity for predicate in program.predicates]


@pytest.mark.parametrize("seed", range(25))
def test_all_patterns_of_all_relations_have_the_facts_of_the_plain_engine(seed):
    random = Random(seed)
    program = random_program(random)
    goals = GoalDirected(program)
    true = done = frozenset()
    for step in range(4):
        # Next, only the joint move changes, then only the state.
        true = true if step == 2 else random_facts(random, TRUE, 2)
        done = done if step == 3 else random_facts(random, DOES, 2)
        engine = _saturated(program, true | done)
        goals.set_state(true, done)
        queried = [relation for relation in range(len(program.predicates)) for _ in range(3)]
        random.shuffle(queried)
        for relation in queried:
            columns = [
                random.choice((None, random.randrange(WORDS))) for _ in range(_widths(program)[relation])
            ]
            expected = {
                tuple(row)
                for row in engine.facts(relation)
                if all(cell in (None, row[place]) for place, cell in enumerate(columns))
            }
            found = [tuple(row) for row in goals.facts(relation, columns)]
            assert len(found) == len(set(found))
            assert set(found) == expected


@pytest.mark.parametrize("seed", range(8))
def test_what_follows_has_a_derivation_that_rests_on_no_circle(seed):
    random = Random(seed)
    program = random_program(random)
    true, done = random_facts(random, TRUE, 2), random_facts(random, DOES, 2)
    reported = true | done
    engine = _saturated(program, reported)
    goals = GoalDirected(program)
    goals.set_state(true, done)
    rules = {rule.id: rule for rule in program.rules}
    facts = {relation: IndexedRelation() for relation in range(len(program.predicates))}
    for relation, found in facts.items():
        for row in engine.facts(relation):
            found.add(tuple(row), None)
    grounded: dict[Fact, bool] = {}

    def rests_on_given(fact, above=()):
        """Return whether the derivation of a fact ends at given facts, after checking each step."""
        assert fact not in above
        if fact not in grounded:
            derivation = goals.derivation(fact)
            if derivation is None:
                assert fact in reported or fact in program.facts
            else:
                check_derivation(fact, derivation, rules, facts)
                assert all(
                    rests_on_given(each, (*above, fact)) for each in derivation.premises if each is not None
                )
            grounded[fact] = True
        return grounded[fact]

    for relation, found in facts.items():
        assert all(rests_on_given(Fact(relation, row)) for row in found.rows)


def _both(name, monkeypatch):
    """Return a game evaluated by saturation, and the same game evaluated goal by goal."""
    text = SHEETS[name].read_text(encoding="utf-8")
    whole = Game(text)
    monkeypatch.setattr(evaluation, "MOST_FACTS", 1)
    parts = Game(text)
    assert isinstance(whole._evaluation, Saturated)
    assert isinstance(parts._evaluation, GoalDirected)
    return whole, parts


@pytest.mark.parametrize("name", SHEETS)
def test_a_game_goal_by_goal_says_the_same(name, monkeypatch):
    whole, parts = _both(name, monkeypatch)
    assert parts.initial == whole.initial
    state, random = whole.initial, Random(3)
    for _ in range(8):
        legal = whole.legal(state)
        assert parts.legal(state) == legal
        assert parts.goal(state) == whole.goal(state)
        assert parts.terminal(state) == whole.terminal(state)
        if not all(legal.values()):
            return
        moves = {role: random.choice(legal[role]) for role in whole.roles}
        for relation, numbers in whole.relations.items():
            for number in numbers:
                ((queried,), _) = read(f"({relation} {' '.join(f'?{place}' for place in range(number))})", "")
                queried = queried if number else queried.items[0]
                assert parts.query(state, queried, moves) == whole.query(state, queried, moves)
        state, before = whole.next(state, moves), state
        assert parts.next(before, moves) == state


def test_proofs_goal_by_goal_are_of_the_sheet(monkeypatch):
    whole, parts = _both("nim", monkeypatch)
    state = whole.initial
    moves = {"first": ("leave", "a", "0"), "second": "noop"}
    for conclusion in (
        ("next", ("has", "a", "0")),
        ("legal", "first", ("leave", "c", "0")),
        ("fewer", "0", "5"),
    ):
        proof = parts.why(state, conclusion, moves)
        assert proof is not None
        assert proof[-1].conclusion == conclusion
        assert {step.conclusion for step in proof} >= {
            step.conclusion for step in whole.why(state, conclusion, moves) if step.span is None
        }
    assert parts.why(state, ("legal", "first", "noop"), moves) is None


def test_words_of_a_question_narrow_it():
    ((queried,), _) = read("(f (g ?x a) b ?y)", "")
    shapes = (("g", ((), ("h", ((), ())))), (), ("k", ((),)))
    terms = queried.items[1:]
    assert columns_of(shapes, terms) is None
    assert columns_of((("g", (("h", ((), ())), ())), *shapes[1:]), terms) == [None, None, "a", "b", None]
    assert columns_of((("other", ((), ())), *shapes[1:]), terms) is None
    assert columns_of(shapes[:1], terms) is None
