"""Random states of the workshop, as texts in the language, each with an action."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

KINDS = ("pump", "seal", "filter")
STATES = ("good", "worn", "broken")
FITTERS = ("ann", "tom")


def workshop_states(number: int, seed: int) -> Iterator[str]:
    """Yield states with one or two machines, none to five parts on each, and one to three loose parts."""
    random = Random(seed)
    for _ in range(number):
        yield _state(random)


def _state(random: Random) -> str:
    machines = ("m", "n")[: random.randint(1, 2)]
    mounted = {
        machine: [f"{machine}{place}" for place in range(random.randint(0, 5))] for machine in machines
    }
    loose = [f"p{place}" for place in range(random.randint(1, 3))]
    parts = [*loose, *(part for each in mounted.values() for part in each)]
    facts = [f"skilled({fitter}, {kind})" for fitter in FITTERS for kind in random.sample(KINDS, 2)]
    weight = {part: random.randint(1, 3) for part in parts}
    for part in parts:
        facts += [f"kind({part}, {random.choice(KINDS)})", f"weight({part}, {weight[part]})"]
        facts.append(f"state({part}, {random.choices(STATES, [8, 2, 1])[0]})")
        facts += [f"oiled({part})"] if random.random() < 0.5 else []
    facts += [f"loose({part})" for part in loose]
    for machine, own in mounted.items():
        facts += [f"mounts({machine}, {len(own)})", *(f"mounted({machine}, {part})" for part in own)]
        facts += [
            f"load({machine}, {sum(weight[p] for p in own)})",
            f"bears({machine}, {random.randint(4, 15)})",
        ]
        facts += [f"stopped({machine})"] if random.random() < 0.8 else []
    facts.append(_action(random, mounted, loose, parts))
    return f"{'. '.join(facts)}."


def _action(random: Random, mounted: dict[str, list[str]], loose: list[str], parts: list[str]) -> str:
    fitter, machine, kind = random.choice(FITTERS), random.choice(list(mounted)), random.random()
    if kind < 0.2:
        return f"oil({fitter}, {random.choice(parts)})"
    if kind < 0.6 or not mounted[machine]:
        return f"mount({fitter}, {random.choice(loose)}, {machine})"
    return f"unmount({fitter}, {random.choice(mounted[machine])}, {machine})"
