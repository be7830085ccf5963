"""Tests of the interpreter of PDDL that the other tests trust, on examples whose results are known."""

from __future__ import annotations

import pytest

from hornbook.planner.pddl.examples import FOLDER
from oracles.pddl.interpreter import applicable, holds, successor, task, validate

EDGES = """(define (domain edges) (:requirements :adl)
  (:types thing) (:constants a - thing)
  (:predicates (p ?x - thing) (q ?x - thing))
  (:functions (total-cost) (weight ?x - thing))
  (:action swap :parameters (?x ?y - thing)
    :precondition (p ?x)
    :effect (and (not (p ?x)) (p ?y) (increase (total-cost) (weight ?x))
      (when (p ?y) (q ?x)) (forall (?z - thing) (when (q ?z) (not (q ?z)))))))
"""
PROBLEM = """(define (problem one) (:domain edges) (:objects b - thing)
  (:init (p a) (q b) (= (weight a) 2) (= (weight b) 5)) (:goal (and (p b) (not (p a)))))
"""


def test_deletes_come_before_adds_and_conditions_are_about_the_state_before():
    made = task(EDGES, PROBLEM)
    assert sorted(applicable(made, made.initial)) == [("swap", "a", "a"), ("swap", "a", "b")]
    same, cost = successor(made, made.initial, ("swap", "a", "a"))
    assert (same, cost) == ({("p", "a"), ("q", "a")}, 2)
    other, _ = successor(made, made.initial, ("swap", "a", "b"))
    assert other == {("p", "b")}
    assert holds(made, made.goal, other, {})


TOWER = ["(unstack green red)", "(stack green blue)", "(pick-up red)", "(stack red green)"]


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (TOWER, ""),
        (TOWER[:3], "the goal does not hold at the end"),
        (TOWER[1:], "step 1 is not applicable: (stack green blue)"),
        ([*TOWER, "(fly red)"], "step 5 is not applicable: (fly red)"),
        ([*TOWER[:3], "(stack red)"], "step 4 is not applicable: (stack red)"),
        ([*TOWER[:3], "(stack red nothing)"], "step 4 is not applicable: (stack red nothing)"),
    ],
)
def test_plans_are_judged(plan, reason):
    texts = [(FOLDER / name).read_text(encoding="utf-8") for name in ("blocks.pddl", "blocks-tower.pddl")]
    verdict = validate(texts[0], texts[1], "\n".join(plan))
    assert (verdict.valid, verdict.reason) == (not reason, reason)
