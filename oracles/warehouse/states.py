"""Random states of the warehouse, as texts in the language, each with an action."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

THEORY = Path(__file__).with_name("warehouse.horn")
SHELVES, ITEMS, ROBOTS = ("s1", "s2", "s3", "s4"), ("nut", "bolt", "rod"), ("r1", "r2")


def warehouse_states(number: int, seed: int) -> Iterator[str]:
    """Yield states with one to three orders of up to three lines, three items, and two robots."""
    random = Random(seed)
    for _ in range(number):
        yield _state(random)


def _state(random: Random) -> str:
    facts = ["next(s1, s2)", "next(s2, s3)", *(["next(s3, s4)"] if random.random() < 0.5 else [])]
    for item in ITEMS:
        facts += [f"size({item}, {random.choice(['small', 'small', 'large'])})"]
        facts += [f"weight({item}, {random.randint(1, 4)})", f"on({item}, {random.choice(SHELVES)})"]
        facts += [f"amount({item}, {random.randint(0, 4)})"]
    for robot in ROBOTS:
        facts += [f"carries({robot}, {random.randint(2, 5)})", f"at({robot}, {random.choice(SHELVES)})"]
    lines = []
    for order in ("o1", "o2", "o3")[: random.randint(1, 3)]:
        own = [f"{order}_{place}" for place in range(random.choice([1, 2, 2, 3]))]
        lines += own
        facts += [f"lines({order}, {len(own)})", *(f"of({order}, {line})" for line in own)]
        facts += [f"limit({order}, {random.randint(4, 9)})", f"load({order}, {random.randint(0, 6)})"]
        facts += [f"sealed({order}, {random.choice(['no', 'no', 'no', 'yes'])})"]
    for line in lines:
        status = random.choices(["open", "picked", "checked"], [3, 3, 4])[0]
        facts += [f"item({line}, {random.choice(ITEMS)})", f"wants({line}, {random.randint(1, 2)})"]
        facts += [f"status({line}, {status})"]
    actions = [
        f"pick({random.choice(ROBOTS)}, {random.choice(lines)})",
        f"check({random.choice(ROBOTS)}, {random.choice(lines)})",
        f"refill({random.choice(ITEMS)}, {random.randint(1, 3)})",
        f"drive({random.choice(ROBOTS)}, {random.choice(SHELVES)})",
    ]
    return f"{'. '.join([*facts, random.choices(actions, [8, 6, 3, 3])[0]])}."
