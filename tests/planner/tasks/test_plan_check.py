"""The checker of plans, and plan files."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.planner.pddl.reading import problem_of_texts, read_problem
from hornbook.planner.tasks.plan_check import check_plan
from hornbook.planner.tasks.plan_files import PlanFileError, lines_of_plan, read_plan
from hornbook.planner.tasks.planning import Method, plan_problem
from oracles.pddl.domains_of_tests import PROBLEMS

DOMAIN = """(define (domain d) (:requirements :typing :conditional-effects :action-costs)
  (:types box place) (:predicates (at ?b - box ?p - place) (open ?b - box) (wet ?b - box))
  (:functions (total-cost) - number (far ?p - place) - number)
  (:action move :parameters (?b - box ?p ?q - place) :precondition (at ?b ?p)
   :effect (and (not (at ?b ?p)) (at ?b ?q) (increase (total-cost) (far ?q))))
  (:action rain :parameters ()
   :effect (forall (?b - box) (when (open ?b) (wet ?b)))))"""
PROBLEM = """(define (problem e) (:domain d) (:objects k l - box s t - place)
  (:init (at k s) (open l) (= (far s) 3) (= (total-cost) 0))
  (:goal (and (at k s) (wet l))) (:metric minimize (total-cost)))"""


@pytest.mark.parametrize(
    ("steps", "mistake", "place"),
    [
        ([("rain",)], None, None),
        ([("move", "k", "s", "s"), ("rain",)], None, None),
        ([], "the goal does not hold: (wet l) is false", 0),
        ([("rain",), ("fly",)], "the domain has no action `fly`", 1),
        ([("move", "k", "s")], "`move` has 3 arguments, and not 2", 0),
        ([("move", "k", "s", "l")], "`l` is not of type `place` (`?q`)", 0),
        ([("move", "m", "s", "t")], "the problem has no object `m`", 0),
        ([("move", "l", "s", "s")], "`move` is not applicable: (at l s) is false", 0),
        ([("move", "k", "s", "t")], "`move` has no cost for these arguments", 0),
    ],
)
def test_a_plan_is_checked_step_by_step(
    steps: list[tuple[str, ...]], mistake: str | None, place: int | None
) -> None:
    checked = check_plan(problem_of_texts(DOMAIN, PROBLEM), steps)
    assert (checked.mistake, checked.place) == (mistake, place)
    if mistake is None:
        assert checked.cost == 3 * (len(steps) - 1)


@pytest.mark.parametrize("place", range(3))
def test_a_plan_without_one_of_its_steps_is_refused(place: int) -> None:
    both = read_problem(*PROBLEMS["gripper"])
    best = plan_problem(both, method=Method(optimal=True)).best
    assert best is not None
    steps = [step for number, step in enumerate(best.steps) if number != place]
    assert check_plan(both, steps).mistake is not None


def test_plan_files_are_read_as_written(tmp_path: Path) -> None:
    steps = (("move", "k", "s", "t"), ("rain",))
    lines = list(lines_of_plan(steps, 7, minimises_cost=True))
    assert lines[-1] == "; cost = 7 (general cost)\n"
    path = tmp_path / "plan.txt"
    path.write_text("".join(lines).upper())
    assert [each.step for each in read_plan(path)] == list(steps)
    assert [each.line for each in read_plan(path)] == [1, 2]


def test_a_line_may_have_several_actions(tmp_path: Path) -> None:
    path = tmp_path / "plan.txt"
    path.write_text("(a b)( c)\n(d) ; (e)\n")
    assert [(each.line, each.step) for each in read_plan(path)] == [(1, ("a", "b")), (1, ("c",)), (2, ("d",))]


@pytest.mark.parametrize("line", ["move a b", "(move a", "()", "(move (a))", "(move a) b"])
def test_a_line_that_is_no_action_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "plan.txt"
    path.write_text(f"; a comment\n{line}\n")
    with pytest.raises(PlanFileError, match=r"plan\.txt:2: expected an action"):
        read_plan(path)
