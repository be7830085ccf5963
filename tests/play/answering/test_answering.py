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
from hornbook.kb.lower import budget as budgets
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.play.answering import together
from hornbook.play.answering.answering import MOST_AHEAD
from hornbook.play.answering.plays import WithPasses
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


def same(found, single) -> bool:
    """Return whether two solutions have the same conclusions by the same number of matches."""
    reasons = [
        [(won.move, won.rule, won.ground, won.firm) for won in each.reasons] for each in (found, single)
    ]
    return (found.value, found.matched, found.stopped, reasons[0]) == (
        single.value,
        single.matched,
        single.stopped,
        reasons[1],
    )


@pytest.mark.parametrize("most", [3, 64])
@pytest.mark.parametrize("seed", range(2))
def test_searches_that_run_together_have_the_results_of_single_ones(rules, seed, most, monkeypatch):
    monkeypatch.setattr(together, "TOGETHER", most)
    sizes = []
    conclusions = WithPasses.conclusions

    def counted(self, matcher, positions):
        sizes.append(len(positions))
        return conclusions(self, matcher, positions)

    monkeypatch.setattr(WithPasses, "conclusions", counted)
    solver, alone = ProblemSolver(load("go"), rules), ProblemSolver(load("go"), rules)
    problems = Random(seed).sample([*PROBLEMS, *DEEPER], 40)
    for levels in ((2,), (0, 1, 2)):
        sizes.clear()
        found = list(solver.each_at_levels(problems, levels))
        # A search alone matches fewer positions ahead.
        assert (max(sizes) > MOST_AHEAD) == (most > MOST_AHEAD)
        expected = [alone.at_levels(problem, levels) for problem in problems]
        assert len(found) == len(problems)
        assert all(
            same(*pair) for each in zip(found, expected, strict=True) for pair in zip(*each, strict=True)
        )
    assert sum(each[-1].first is not None for each in found) > 4
    assert [each[-1].value for each in found] == [each.value for each in solver.solve_each(problems, 2)]


@pytest.mark.parametrize("budget", [{"steps": 30}, {"facts": 900}], ids=str)
def test_each_search_has_its_own_budget(rules, budget):
    solver, alone = (ProblemSolver(load("go"), rules, Budget(**budget)) for _ in range(2))
    problems = DEEPER[:30]
    found, expected = list(solver.solve_each(problems, 2)), [alone.solve(each, 2) for each in problems]
    assert all(map(same, found, expected))
    assert {each.stopped is None for each in found} == {True, False}


class Waiting:
    """An answerer whose searches take seconds of a clock."""

    def __init__(self, clock) -> None:
        self.play, self.states, self.clock = self, None, clock
        self.budget = Budget(seconds=10)

    def beside(self):
        return Waiting(self.clock)

    def conclusions(self, states, positions):
        self.clock[0] += len(positions)
        return positions

    def search(self, seconds: float):
        def searching(answerer):
            for step in range(3):
                self.clock[0] += seconds
                answerer.budget.spend()
                assert (yield step) == step
            return seconds

        return searching


def test_the_time_of_a_search_is_its_own(monkeypatch):
    clock = [0.0]
    for module in (budgets.time, together):
        monkeypatch.setattr(module, "monotonic", lambda: clock[0])
    answerer = Waiting(clock)
    found = list(together.together(answerer, map(answerer.search, (1, 2, 2.5, 4, 0, 3))))
    assert found[:3] == [1, 2, 2.5]
    assert found[4] == 0
    # Three steps of three seconds, and two matches of a second each.
    assert [str(each) for each in (found[3], found[5])] == ["more than 10 seconds"] * 2
    assert clock[0] > 30
