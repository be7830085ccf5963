"""Planning in PDDL: grounding, plans and proofs against the definition of PDDL, on random problems."""

from __future__ import annotations

import pytest

from hornbook.kb.lower.budget import Budget
from hornbook.matcher.program.coded import Limits
from hornbook.planner.pddl.reading import problem_of_texts, read_problem
from hornbook.planner.pddl.syntax import PlanningProblem
from hornbook.planner.tasks.plan_check import check_plan
from hornbook.planner.tasks.planning import HEURISTICS, Method, TaskProgress, plan_problem
from hornbook.planner.tasks.task_grounding import TaskTooLarge, ground_task
from hornbook.planner.tasks.task_plan import TaskResult
from oracles.pddl.domains_of_tests import DOMAINS, PROBLEMS
from oracles.pddl.random_planning import cheapest_plan, random_problem

STUCK = """(define (domain d) (:predicates (p) (q) (r))
  (:action go :parameters () :precondition (p) :effect (and (r) (not (p)))))"""


def problem(seed: int) -> PlanningProblem:
    return problem_of_texts(*random_problem(seed))


def require_valid(both: PlanningProblem, result: TaskResult) -> None:
    """Require that all plans are plans of their costs, each cheaper than the previous one."""
    costs = [plan.cost for plan in result.plans]
    assert costs == sorted(set(costs), reverse=True)
    for plan in result.plans:
        checked = check_plan(both, plan.steps)
        assert checked.mistake is None
        assert checked.cost == plan.cost


@pytest.mark.parametrize("seed", range(150))
def test_the_cost_of_an_optimal_plan_is_that_of_the_definition(seed: int) -> None:
    both = problem(seed)
    best = cheapest_plan(both)
    for method in (Method(optimal=True), Method(), Method(heuristic="add")):
        result = plan_problem(both, method=method)
        require_valid(both, result)
        assert result.verdict == ("unsolvable" if best is None else "optimal")
        assert (None if result.best is None else result.best.cost) == best
        assert best is None or result.bound == best
        assert result.stopped is None


def test_random_problems_have_plans_of_several_lengths() -> None:
    costs = {cheapest_plan(problem(seed)) for seed in range(150)}
    assert None in costs
    assert len(costs) > 5


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("name", DOMAINS)
def test_shipped_problems_are_solved_by_every_heuristic(name: str, heuristic: str) -> None:
    both = read_problem(*PROBLEMS[name])
    result = plan_problem(both, method=Method(heuristic=heuristic, first=True))
    require_valid(both, result)
    assert result.best is not None


def test_a_problem_without_a_plan_is_proved_to_have_none() -> None:
    for goal in ("(q)", "(and (p) (r))"):
        both = problem_of_texts(STUCK, f"(define (problem e) (:domain d) (:init (p)) (:goal {goal}))")
        for method in (Method(), Method(optimal=True), Method("blind", optimal=True)):
            result = plan_problem(both, method=method)
            assert result.verdict == "unsolvable"
            assert result.best is None


def test_a_goal_that_holds_at_first_has_the_empty_plan() -> None:
    both = problem_of_texts(STUCK, "(define (problem e) (:domain d) (:init (p)) (:goal (and (p) (not (q)))))")
    result = plan_problem(both)
    assert result.verdict == "optimal"
    assert result.best is not None
    assert result.best.steps == ()


def test_without_time_nothing_is_claimed() -> None:
    both = read_problem(*PROBLEMS["logistics"])
    task = plan_problem(both, Budget(seconds=1000), Method(first=True))
    assert task.best is not None

    spent = Budget(seconds=1000)

    def spend(_: TaskProgress) -> None:
        spent.seconds = 0

    result = plan_problem(both, spent, Method("blind", optimal=True), progress=spend)
    assert (result.verdict, result.stopped) == ("unknown", "seconds")


def test_without_memory_nothing_is_claimed() -> None:
    both = read_problem(*PROBLEMS["logistics"])
    result = plan_problem(both, Budget(megabytes=0), Method("blind"))
    assert (result.verdict, result.stopped) == ("unknown", "memory")


def test_an_interrupt_keeps_the_plan() -> None:
    both = read_problem(*PROBLEMS["logistics"])

    def interrupt(state: TaskProgress) -> None:
        if state.best is not None:
            raise KeyboardInterrupt

    result = plan_problem(both, progress=interrupt)
    require_valid(both, result)
    assert result.stopped == "interrupted"
    assert result.verdict == "plan"


def test_a_heuristic_that_is_not_admissible_proves_no_optimal_plan() -> None:
    with pytest.raises(ValueError, match="proves no plan optimal"):
        plan_problem(read_problem(*PROBLEMS["gripper"]), method=Method("ff", optimal=True))


def test_too_large_problems_are_refused_with_the_action() -> None:
    both = read_problem(*PROBLEMS["logistics"])
    with pytest.raises(TaskTooLarge, match="more than 50 atoms and instances of actions"):
        ground_task(both, Limits(facts=50))


def test_irrelevant_and_static_atoms_are_not_part_of_a_task() -> None:
    domain = """(define (domain d) (:requirements :typing) (:types place)
      (:predicates (at ?x - place) (road ?x ?y - place) (seen ?x - place))
      (:action go :parameters (?x ?y - place) :precondition (and (at ?x) (road ?x ?y))
       :effect (and (at ?y) (not (at ?x)) (seen ?y)))
      (:action look :parameters (?x - place) :precondition (at ?x) :effect (seen ?x)))"""
    text = """(define (problem e) (:domain d) (:objects a b c - place)
      (:init (at a) (road a b) (road b a)) (:goal (at b)))"""
    core = ground_task(problem_of_texts(domain, text)).core
    assert (core.atoms, core.operators) == (2, 2)
