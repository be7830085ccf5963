"""Greedy best-first search in plain Python, as the compiled search is defined.

A state is evaluated when it is taken from an open list, where it waits with an estimate of its parent. Each
estimate has a list of all successors and one of those by preferred operators. The next list is the one that
had the fewest turns, where each new least estimate deducts 1000 turns of the lists of preferred operators.
"""

from __future__ import annotations

from hornbook.planner._core import INFINITE_COST, Estimate, Task

PLAIN_BOOST = 1000


def greedy_plan(task: Task, goal: tuple[set[int], set[int]], heuristic: str) -> tuple[list[int] | None, int]:
    """Return the plan of the search, or None, and the number of states that it evaluates."""
    estimate = Estimate(task, heuristic, True)
    # An entry is (estimate, number in order of arrival, plan of the parent, parent, operator).
    lists: dict[tuple[int, bool], list[tuple[int, int, list[int], list[int], int]]] = {
        (number, preferred): [] for number in (0, 1) for preferred in (False, True)
    }
    turns = dict.fromkeys(lists, 0)
    least = [INFINITE_COST, INFINITE_COST]
    seen: set[tuple[int, ...]] = set()
    evaluated = arrived = 0
    state, plan = task.first_state(), list[int]()
    while True:
        if tuple(state) not in seen:
            seen.add(tuple(state))
            true = {atom for atom in range(task.atoms) if state[atom // 64] >> (atom % 64) & 1}
            if goal[0] <= true and not goal[1] & true:
                return plan, evaluated
            values = (estimate.value(state), estimate.companion())
            evaluated += 1
            if values[0] < INFINITE_COST:
                operators = {False: task.applicable(state), True: estimate.preferred()}
                for number, value in enumerate(values):
                    if value is not None and value < least[number]:
                        least[number] = value
                        for key in lists:
                            turns[key] -= PLAIN_BOOST * key[1]
                for key, entries in lists.items():
                    for by in operators[key[1]]:
                        if (value := values[key[0]]) is not None:
                            entries.append((value, arrived, plan, state, by))
                            arrived += 1
        waiting = [key for key, entries in lists.items() if entries]
        if not waiting:
            return None, evaluated
        chosen = min(waiting, key=lambda key: turns[key])
        turns[chosen] += 1
        entry = min(lists[chosen], key=lambda entry: entry[:2])
        lists[chosen].remove(entry)
        plan, state = [*entry[2], entry[4]], task.after(entry[4], entry[3])
