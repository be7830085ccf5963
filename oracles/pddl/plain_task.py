"""Ground tasks in plain Python: their meaning, heuristics by definition, and cheapest plans by Dijkstra."""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from hornbook.planner._core import Task

Atoms = frozenset[int]
Value = tuple[int, bool]
"""An atom and its truth."""


@dataclass(frozen=True)
class PlainEffect:
    positive: Atoms
    negative: Atoms
    atom: int
    adds: bool


@dataclass(frozen=True)
class PlainOperator:
    positive: Atoms
    negative: Atoms
    effects: tuple[PlainEffect, ...]
    cost: int


@dataclass(frozen=True)
class PlainTask:
    atoms: int
    initial: Atoms
    positive: Atoms
    negative: Atoms
    operators: tuple[PlainOperator, ...]

    def compiled(self) -> Task:
        """Return the same task for the searches."""
        task = Task(self.atoms, sorted(self.initial), sorted(self.positive), sorted(self.negative))
        for each in self.operators:
            effects = [
                (sorted(effect.positive), sorted(effect.negative), effect.atom, effect.adds)
                for effect in each.effects
            ]
            task.add(sorted(each.positive), sorted(each.negative), effects, each.cost)
        return task

    def is_goal(self, state: Atoms) -> bool:
        return fits(self.positive, self.negative, state)

    def applicable(self, state: Atoms) -> Iterator[int]:
        for number, each in enumerate(self.operators):
            if fits(each.positive, each.negative, state):
                yield number

    def after(self, number: int, state: Atoms) -> Atoms:
        applied = [
            effect
            for effect in self.operators[number].effects
            if fits(effect.positive, effect.negative, state)
        ]
        deleted = {effect.atom for effect in applied if not effect.adds}
        return (state - deleted) | {effect.atom for effect in applied if effect.adds}


def fits(positive: Atoms, negative: Atoms, state: Atoms) -> bool:
    return positive <= state and not negative & state


def random_task(seed: int, *, conditional: bool) -> PlainTask:
    """Return a small task; some have no plan."""
    rng = random.Random(seed)
    atoms = rng.randint(3, 7)

    def some(most: int) -> tuple[Atoms, Atoms]:
        chosen = rng.sample(range(atoms), rng.randint(0, min(most, atoms)))
        positive = {atom for atom in chosen if rng.random() < 0.7}
        return frozenset(positive), frozenset(chosen) - positive

    def effect() -> PlainEffect:
        positive, negative = some(2) if conditional and rng.random() < 0.5 else (frozenset(), frozenset())
        return PlainEffect(positive, negative, rng.randrange(atoms), rng.random() < 0.6)

    operators = tuple(
        PlainOperator(
            *some(3), tuple(effect() for _ in range(rng.randint(1, 3))), rng.choice([0, 1, 1, 2, 5])
        )
        for _ in range(rng.randint(3, 10))
    )
    initial = frozenset(atom for atom in range(atoms) if rng.random() < 0.3)
    return PlainTask(atoms, initial, *some(3), operators)


def reachable(task: PlainTask) -> dict[Atoms, list[tuple[int, Atoms]]]:
    """Return all states that can be reached, each with its operators and the states after them."""
    found: dict[Atoms, list[tuple[int, Atoms]]] = {}
    left = [task.initial]
    while left:
        state = left.pop()
        if state not in found:
            found[state] = [(number, task.after(number, state)) for number in task.applicable(state)]
            left += [after for _, after in found[state]]
    return found


def goal_costs(task: PlainTask) -> dict[Atoms, float]:
    """Return the cost of a cheapest plan from every reachable state, by Dijkstra backward from the goals."""
    before: dict[Atoms, list[tuple[int, Atoms]]] = {}
    graph = reachable(task)
    for state, ways in graph.items():
        for number, after in ways:
            before.setdefault(after, []).append((task.operators[number].cost, state))
    costs: dict[Atoms, float] = dict.fromkeys(graph, math.inf)
    tie = count()
    queue = [(0.0, next(tie), state) for state in graph if task.is_goal(state)]
    while queue:
        cost, _, state = heapq.heappop(queue)
        if cost < costs[state]:
            costs[state] = cost
            for more, earlier in before.get(state, ()):
                heapq.heappush(queue, (cost + more, next(tie), earlier))
    return costs


def relaxed_cost(task: PlainTask, state: Atoms, *, additive: bool, unit: bool = False) -> float:
    """Return h_add or h_max of a state, as the least fixpoint of their equations.

    An atom that is false is an atom of its own, and each effect is an operator with its own conditions.
    """
    costs: dict[Value, float] = {}
    for atom in range(task.atoms):
        costs[atom, True] = 0 if atom in state else math.inf
        costs[atom, False] = math.inf if atom in state else 0

    def of(values: Iterable[Value]) -> float:
        found = [costs[value] for value in set(values)]
        return sum(found) if additive else max(found, default=0)

    changed = True
    while changed:
        changed = False
        for each in task.operators:
            needs = _values(each.positive, each.negative)
            for effect in each.effects:
                cost = of([*needs, *_values(effect.positive, effect.negative)]) + (1 if unit else each.cost)
                if cost < costs[effect.atom, effect.adds]:
                    costs[effect.atom, effect.adds] = cost
                    changed = True
    return of(_values(task.positive, task.negative))


def _values(positive: Atoms, negative: Atoms) -> list[Value]:
    return [*((atom, True) for atom in positive), *((atom, False) for atom in negative)]
