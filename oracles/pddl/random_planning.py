"""Random problems in PDDL as texts, and their cheapest plans by the definition of PDDL."""

from __future__ import annotations

import heapq
import random
from itertools import count, product

from hornbook.planner.pddl.syntax import PlanningProblem
from hornbook.planner.tasks.plan_check import after_action, cost_of, holds, initial_state

PREDICATES = {"p": ("t",), "q": ("object",), "r": ("t", "u"), "z": (), "s": ("t", "t")}
"""The predicates with the types of their arguments; `s` is static."""
OBJECTS = {"a": "t", "b": "t", "c": "u", "d": "v"}
"""The objects with their types; `v` is a subtype of `u`, and `a` a constant of the domain."""


def random_problem(seed: int) -> tuple[str, str]:
    """Return a domain and a problem: types, constants, equality, negation, `forall`, `when` and costs."""
    rng = random.Random(seed)
    actions = " ".join(_action(rng, f"act{number}") for number in range(rng.randint(2, 4)))
    domain = f"""(define (domain d) (:requirements :strips :typing :negative-preconditions :equality
      :conditional-effects :action-costs) (:types t u - object v - u) (:constants a - t)
      (:predicates (p ?x - t) (q ?x - object) (r ?x - t ?y - u) (z) (s ?x ?y - t))
      (:functions (total-cost) - number (price ?x - t) - number) {actions})"""
    facts = [fact for fact in _all_facts() if rng.random() < 0.3]
    prices = [f"(= (price {name}) {rng.randint(0, 4)})" for name in "ab" if rng.random() < 0.9]
    literals = [_literal(rng, {}) for _ in range(rng.randint(1, 3))]
    metric = "(:metric minimize (total-cost))" if rng.random() < 0.7 else ""
    problem = f"""(define (problem e) (:domain d) (:objects b - t c - u d - v)
      (:init {" ".join(facts)} {" ".join(prices)} (= (total-cost) 0))
      (:goal (and {" ".join(literals)})) {metric})"""
    return domain, problem


def _all_facts() -> list[str]:
    return [
        f"({' '.join((name, *objects))})"
        for name, types in PREDICATES.items()
        for objects in product(*(_objects(each) for each in types))
    ]


def _objects(kind: str) -> list[str]:
    return [name for name, own in OBJECTS.items() if kind in (own, "object") or (own, kind) == ("v", "u")]


def _term(rng: random.Random, kind: str, variables: dict[str, str]) -> str:
    fitting = [
        name for name, own in variables.items() if kind in (own, "object") or (own, kind) == ("v", "u")
    ]
    # In a domain, `a` is the only object; a goal has no variables.
    if fitting and rng.random() < 0.85:
        return rng.choice(fitting)
    return rng.choice([name for name in _objects(kind) if name == "a" or not variables] or fitting)


def _literal(rng: random.Random, variables: dict[str, str], *, changing: bool = False) -> str:
    names = [name for name in PREDICATES if not (changing and name == "s")]
    name = rng.choice(names)
    atom = f"({' '.join((name, *(_term(rng, kind, variables) for kind in PREDICATES[name])))})"
    return atom if rng.random() < 0.65 else f"(not {atom})"


def _action(rng: random.Random, name: str) -> str:
    variables = {"?x": "t", "?y": rng.choice(["u", "v"])}
    if rng.random() < 0.4:
        variables["?w"] = "t"
    needs = [_literal(rng, variables) for _ in range(rng.randint(0, 3))]
    if "?w" in variables:
        needs.append(rng.choice(["(not (= ?x ?w))", "(= ?w a)"]))
    effects = [_effect(rng, variables) for _ in range(rng.randint(1, 3))]
    cost = rng.choice(["(increase (total-cost) (price ?x))", "(increase (total-cost) 2)", ""])
    parameters = " ".join(f"{variable} - {kind}" for variable, kind in variables.items())
    return (
        f"(:action {name} :parameters ({parameters}) :precondition (and {' '.join(needs)})"
        f" :effect (and {' '.join(effects)} {cost}))"
    )


def _effect(rng: random.Random, variables: dict[str, str]) -> str:
    shape = rng.random()
    if shape < 0.55:
        return _literal(rng, variables, changing=True)
    inner = variables if shape < 0.75 else {**variables, "?e": rng.choice(["t", "u"])}
    text = _literal(rng, inner, changing=True)
    if shape < 0.9:
        text = f"(when {_literal(rng, inner)} {text})"
    return text if inner is variables else f"(forall (?e - {inner['?e']}) {text})"


def cheapest_plan(both: PlanningProblem) -> int | None:
    """Return the cost of a cheapest plan, or None if there is none, by Dijkstra over sets of atoms."""
    instances = [
        (action, dict(zip((each.name for each in action.parameters), values, strict=True)))
        for action in both.domain.actions
        for values in product(*(both.of_types(each.types) for each in action.parameters))
    ]
    tie = count()
    queue = [(0, next(tie), initial_state(both))]
    done = set()
    while queue:
        total, _, state = heapq.heappop(queue)
        if state in done:
            continue
        done.add(state)
        if holds(both.problem.goal, {}, state):
            return total
        for action, binding in instances:
            cost = cost_of(both, action, binding)
            if cost is not None and holds(action.precondition, binding, state):
                heapq.heappush(queue, (total + cost, next(tie), after_action(both, action, binding, state)))
    return None
