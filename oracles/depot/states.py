"""Random states of the depot, as texts in the language, each with an action."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

STATES = ("checked", "picked", "open")
CLERKS = ("eve", "tim")


def depot_states(number: int, seed: int) -> Iterator[str]:
    """Yield states with one or two orders, none to five lines of each, and one to three spare lines."""
    random = Random(seed)
    for _ in range(number):
        yield _state(random)


def _state(random: Random) -> str:
    orders = ("o", "q")[: random.randint(1, 2)]
    own = {order: [f"{order}{place}" for place in range(random.randint(0, 5))] for order in orders}
    spare = [f"s{place}" for place in range(random.randint(1, 3))]
    lines = [*spare, *(line for each in own.values() for line in each)]
    weight = {line: random.randint(1, 3) for line in lines}
    facts = []
    for line in lines:
        facts += [
            f"weight({line}, {weight[line]})",
            f"state({line}, {random.choices(STATES, [12, 1, 1])[0]})",
        ]
        facts += [f"packed({line})"] if random.random() < 0.9 else []
    facts += [f"spare({line})" for line in spare]
    for order, each in own.items():
        facts += [f"lines({order}, {len(each)})", *(f"line({order}, {line})" for line in each)]
        facts += [
            f"mass({order}, {sum(weight[line] for line in each)})",
            f"limit({order}, {random.randint(3, 12)})",
        ]
        facts += [f"paid({order})"] if random.random() < 0.4 else []
        facts += [f"in_charge({clerk}, {order})" for clerk in CLERKS if random.random() < 0.7]
    facts.append(_action(random, own, spare, lines))
    return f"{'. '.join(facts)}."


def _action(random: Random, own: dict[str, list[str]], spare: list[str], lines: list[str]) -> str:
    clerk, order, kind = random.choice(CLERKS), random.choice(list(own)), random.random()
    if kind < 0.2:
        return f"check({clerk}, {random.choice(lines)})"
    if kind < 0.5 or not own[order]:
        return f"add({clerk}, {order}, {random.choice(spare)})"
    line = random.choice(own[order])
    return (
        f"remove({clerk}, {order}, {line})"
        if kind < 0.75
        else f"exchange({clerk}, {order}, {line}, {random.choice(spare)})"
    )
