"""Searches on ground tasks against Dijkstra in plain Python, on random tasks."""

from __future__ import annotations

import math

import pytest

from hornbook.planner._core import INFINITE_COST, GreedySearch, Progress, WeightedSearch
from hornbook.planner.tasks.planning import HEURISTICS
from oracles.pddl.plain_greedy import greedy_plan
from oracles.pddl.plain_task import PlainTask, goal_costs, random_task

MEMORY = 2**28
Search = GreedySearch | WeightedSearch


def finished(search: Search) -> Search:
    while search.status == Progress.searching:
        search.run(7)
    return search


def require_plan(task: PlainTask, search: Search) -> None:
    """Require that the plan of a search leads to the goal at its cost."""
    state, cost = task.initial, 0
    for number in search.plan():
        assert number in task.applicable(state)
        state, cost = task.after(number, state), cost + task.operators[number].cost
    assert task.is_goal(state)
    assert cost == search.best


@pytest.mark.parametrize("conditional", [False, True])
@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("seed", range(40))
def test_exhausted_searches_have_the_cost_of_dijkstra(seed: int, heuristic: str, conditional: bool) -> None:
    task = random_task(seed, conditional=conditional)
    core, best = task.compiled(), goal_costs(task)[task.initial]
    for weight in (1, 3):
        search = finished(WeightedSearch(core, heuristic, weight, INFINITE_COST, MEMORY))
        assert search.status == Progress.exhausted
        assert search.bound <= best
        if math.isinf(best):
            assert search.best == INFINITE_COST
        else:
            assert search.best == best
            require_plan(task, search)


@pytest.mark.parametrize("conditional", [False, True])
@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("seed", range(40))
def test_greedy_search_finds_a_plan_or_proves_that_there_is_none(
    seed: int, heuristic: str, conditional: bool
) -> None:
    task = random_task(seed, conditional=conditional)
    search = finished(GreedySearch(task.compiled(), heuristic, MEMORY))
    if math.isinf(goal_costs(task)[task.initial]):
        assert search.status == Progress.exhausted
    else:
        assert search.status == Progress.solved
        require_plan(task, search)


@pytest.mark.parametrize("conditional", [False, True])
@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("seed", range(40))
def test_greedy_search_is_that_of_its_definition(seed: int, heuristic: str, conditional: bool) -> None:
    task = random_task(seed, conditional=conditional)
    core = task.compiled()
    plan, evaluated = greedy_plan(core, (set(task.positive), set(task.negative)), heuristic)
    search = finished(GreedySearch(core, heuristic, MEMORY))
    assert search.evaluated == evaluated
    assert (search.plan() if search.status == Progress.solved else None) == plan


@pytest.mark.parametrize("seed", range(20))
def test_a_bound_excludes_plans_that_are_not_cheaper(seed: int) -> None:
    task = random_task(seed, conditional=True)
    best = goal_costs(task)[task.initial]
    if not math.isinf(best):
        search = finished(WeightedSearch(task.compiled(), "ff", 2, int(best), MEMORY))
        assert search.best == INFINITE_COST
        found = finished(WeightedSearch(task.compiled(), "ff", 2, int(best) + 1, MEMORY))
        assert found.best == best


def test_a_search_ends_at_its_memory_limit() -> None:
    task = random_task(1, conditional=False).compiled()
    for search in (GreedySearch(task, "blind", 10), WeightedSearch(task, "blind", 1, INFINITE_COST, 10)):
        search.run(100)
        assert search.status == Progress.full
