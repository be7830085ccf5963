"""Successors and heuristics of ground tasks against plain Python, on random tasks."""

from __future__ import annotations

import math

import pytest

from hornbook.planner._core import INFINITE_COST, Estimate, Task
from oracles.pddl.plain_task import (
    Atoms,
    PlainTask,
    goal_costs,
    random_task,
    reachable,
    relaxed_cost,
)

SEEDS = range(60)


def states_of(task: PlainTask, core: Task) -> dict[Atoms, list[int]]:
    """Return the reachable states, each with its words, by the operators of the compiled task."""
    graph = reachable(task)
    words = {task.initial: core.first_state()}
    left = [task.initial]
    while left:
        state = left.pop()
        for number, after in graph[state]:
            found = core.after(number, words[state])
            if after not in words:
                words[after] = found
                left.append(after)
            assert words[after] == found
    return words


def value(estimate: Estimate, words: list[int]) -> float:
    found = estimate.value(words)
    return math.inf if found >= INFINITE_COST else found


@pytest.mark.parametrize("conditional", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_operators_have_the_meaning_of_their_definition(seed: int, conditional: bool) -> None:
    task = random_task(seed, conditional=conditional)
    core = task.compiled()
    for state, words in states_of(task, core).items():
        assert sorted(core.applicable(words)) == sorted(task.applicable(state))


@pytest.mark.parametrize("conditional", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_h_max_and_h_add_are_their_fixpoints(seed: int, conditional: bool) -> None:
    task = random_task(seed, conditional=conditional)
    core = task.compiled()
    for unit in (False, True):
        greatest, total = Estimate(core, "max", unit), Estimate(core, "add", unit)
        for state, words in states_of(task, core).items():
            assert value(greatest, words) == relaxed_cost(task, state, additive=False, unit=unit)
            assert value(total, words) == relaxed_cost(task, state, additive=True, unit=unit)


@pytest.mark.parametrize("conditional", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_lm_cut_is_admissible(seed: int, conditional: bool) -> None:
    task = random_task(seed, conditional=conditional)
    core = task.compiled()
    cut, costs = Estimate(core, "lmcut", False), goal_costs(task)
    for state, words in states_of(task, core).items():
        assert value(cut, words) <= costs[state]
        greatest = relaxed_cost(task, state, additive=False)
        assert math.isinf(value(cut, words)) == math.isinf(greatest)
        if not conditional:
            assert value(cut, words) >= greatest


def test_lm_cut_exceeds_h_max_where_goals_need_different_operators() -> None:
    task = Task(2, [], [0, 1], [])
    task.add([], [], [([], [], 0, True)], 3)
    task.add([], [], [([], [], 1, True)], 4)
    assert Estimate(task, "max", False).value(task.first_state()) == 4
    assert Estimate(task, "lmcut", False).value(task.first_state()) == 7


def test_lm_cut_counts_an_operator_with_two_conditional_effects_once() -> None:
    task = Task(3, [2], [0, 1], [])
    task.add([], [], [([2], [], 0, True), ([], [], 1, True)], 3)
    assert Estimate(task, "lmcut", False).value(task.first_state()) == 3


@pytest.mark.parametrize("conditional", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_relaxed_plan_costs_between_h_max_and_h_add(seed: int, conditional: bool) -> None:
    task = random_task(seed, conditional=conditional)
    core = task.compiled()
    plan = Estimate(core, "ff", False)
    for state, words in states_of(task, core).items():
        found = value(plan, words)
        greatest = relaxed_cost(task, state, additive=False)
        assert math.isinf(found) == math.isinf(greatest)
        # An operator whose effects have several conditions counts once in a plan.
        assert conditional or greatest <= found
        total = relaxed_cost(task, state, additive=True)
        assert found <= total
        assert plan.companion() == min(total, INFINITE_COST)
        assert set(plan.preferred()) <= set(task.applicable(state))


def test_the_relaxed_plan_prefers_its_first_operators() -> None:
    task = Task(3, [], [2], [])
    task.add([], [], [([], [], 0, True)], 1)
    task.add([0], [], [([], [], 2, True)], 1)
    task.add([], [], [([], [], 1, True)], 1)
    plan = Estimate(task, "ff", False)
    assert plan.value(task.first_state()) == 2
    assert plan.preferred() == [0]


def test_mistakes_in_tasks_and_names_are_refused() -> None:
    with pytest.raises(ValueError, match="not among the atoms"):
        Task(2, [2], [], [])
    task = Task(2, [], [1], [])
    with pytest.raises(ValueError, match="not among the atoms"):
        task.add([5], [], [], 1)
    with pytest.raises(ValueError, match="cost of an operator"):
        task.add([], [], [], -1)
    with pytest.raises(ValueError, match="no heuristic"):
        Estimate(task, "perfect", False)
