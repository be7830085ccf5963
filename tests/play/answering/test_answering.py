"""Tests of chains of matches: the data that they store about a position, and the end of their budget."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from random import Random

import pytest

from hornbook.compiler.learn.lessons import Problem, RuleLearner
from hornbook.compiler.rules.admission import RuleBase
from hornbook.games.solving import ProblemSolver
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.theories.go.domain import DOMAIN
from hornbook.theories.go.play import tactics
from hornbook.theories.go.problems import read_problems, shipped
from hornbook.theories.go.problems.lessons import PART, game_of, moves_first

PROBLEMS = [p for p in read_problems(shipped("train")) if p.depth == 3 and p.value == "GP"]
DEEPER = [p for p in read_problems(shipped("train")) if p.depth == 5]


@pytest.fixture(scope="module")
def rules():
    learner = RuleLearner(load(PART), tactics, RuleBase("go"))
    for problem in PROBLEMS[:4]:
        moves = moves_first(problem)
        assert moves is not None
        list(learner.learn([Problem(problem.id, "p", problem.board, game_of(problem), moves)]))
    return [entry.rule for entry in learner.base]


def reachable(start: object) -> Iterator[object]:
    """Yield all objects reachable from one object, without classes and modules."""
    seen, waiting = {id(start)}, [start]
    while waiting:
        one = waiting.pop()
        yield one
        for other in gc.get_referents(one):
            if id(other) not in seen and not isinstance(other, type):
                seen.add(id(other))
                waiting.append(other)


def test_a_chain_keeps_the_answer_of_a_position_and_not_the_facts_that_it_rests_on(rules):
    solver = ProblemSolver(load("go"), rules)
    found = [solver.solve(problem, 1) for problem in PROBLEMS[:2]]
    assert any(solved.first is not None for solved in found)
    stored = solver.answerer._known
    assert stored
    assert not any(isinstance(each, GroundFact) for each in reachable(stored))


def test_a_chain_that_may_take_no_more_steps_says_so_and_the_next_problem_has_all_of_them(
    rules,
):
    free, bounded = ProblemSolver(load("go"), rules), ProblemSolver(load("go"), rules, Budget(steps=4))
    for problem in DEEPER[:8]:
        all_of_it, some = free.solve(problem, 1), bounded.solve(problem, 1)
        assert all_of_it.stopped is None
        assert (some.matched, some.stopped) == (4, "more than 4 steps")
        assert some.value in ("unknown", "GI", all_of_it.value)
        assert bounded.solve(problem) == free.solve(problem)


@pytest.mark.parametrize("number", [3, 60])
def test_problems_that_are_matched_together_have_the_answers_of_single_ones(rules, number):
    solver = ProblemSolver(load("go"), rules)
    problems = [*PROBLEMS, *DEEPER][:number]
    found, alone = list(solver.solve_each(problems)), [solver.solve(problem) for problem in problems]
    assert len(found) == len(problems)
    for each, single in zip(found, alone, strict=True):
        assert (each.value, each.matched, each.stopped) == (single.value, single.matched, single.stopped)
        assert [(won.move, won.rule) for won in each.reasons] == [(w.move, w.rule) for w in single.reasons]


@pytest.mark.parametrize("seed", range(3))
def test_chains_in_blocks_have_the_answers_of_matches_one_after_another(rules, seed):
    together, alone = ProblemSolver(load("go"), rules), ProblemSolver(load("go"), rules)
    alone.answerer.states._has_blocks = False
    problems = Random(seed).sample([*PROBLEMS, *DEEPER], 12)
    for problem in problems[:3]:
        together.solve(problem, 2)
    assert together.answerer.states.has_block
    won = longer = 0
    for problem in problems:
        for levels in (1, 2):
            found, single = together.solve(problem, levels), alone.solve(problem, levels)
            assert (found.value, found.matched) == (single.value, single.matched)
            assert [(w.move, w.rule) for w in found.reasons] == [(w.move, w.rule) for w in single.reasons]
            query = DOMAIN.query_of(problem)
            chains = [each.answerer.chain(query.state, query.game, levels) for each in (together, alone)]
            assert chains[0] == chains[1]
            won += chains[0] is not None
            longer += chains[0] is not None and bool(chains[0].replies)
    assert not alone.answerer.states.has_block
    assert won > 4
    assert longer


def test_a_state_whose_match_fails_ends_the_chain_with_its_error(rules):
    solver = ProblemSolver(load("go"), rules, Budget(facts=400))
    with pytest.raises(SpentError):
        solver.answerer.won(PROBLEMS[0].board, game_of(PROBLEMS[0]), 1)
    assert solver.answerer.matched == 1
