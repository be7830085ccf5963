"""Random problems: of the small domains of the tests, and of random domains with all supported parts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from oracles.pddl.domains_of_tests import PROBLEMS


def random_problem(name: str, random: Random) -> tuple[str, str]:
    """Return the texts of a domain of the tests and of a random problem of it."""
    return PROBLEMS[name][0].read_text(encoding="utf-8"), MAKERS[name](random)


def blocks(random: Random) -> str:
    names = [f"b{number}" for number in range(random.randint(2, 4))]
    init, goal = _towers(names, random), _towers(names, random)
    goals = [each for each in goal if each.startswith("(on ")] or [f"(on-table {names[0]})"]
    return _problem("blocks", f"{' '.join(names)} - block", [*init, "(hand-empty)"], goals)


def _towers(names: list[str], random: Random) -> list[str]:
    found: list[str] = []
    towers: list[list[str]] = []
    for name in random.sample(names, len(names)):
        if towers and random.random() < 0.5:
            tower = random.choice(towers)
            found.append(f"(on {name} {tower[-1]})")
            tower.append(name)
        else:
            found.append(f"(on-table {name})")
            towers.append([name])
    return [*found, *(f"(clear {tower[-1]})" for tower in towers)]


def gripper(random: Random) -> str:
    balls = [f"ball{number}" for number in range(random.randint(1, 3))]
    rooms = ["kitchen", "hall", "yard"][: random.randint(2, 3)]
    init = [f"(lies {ball} {random.choice(rooms)})" for ball in balls]
    init += [f"(robot-in {random.choice(rooms)})", "(free left)", "(free right)"]
    goal = [f"(lies {ball} {random.choice(rooms)})" for ball in balls]
    return _problem("gripper", f"{' '.join(balls)} - ball {' '.join(rooms)} - room", init, goal)


def logistics(random: Random) -> str:
    cities = ["north", "south"]
    airports = [f"{city}-field" for city in cities]
    depots = [f"{city}-depot" for city in cities]
    places = {**{f"{city}-field": city for city in cities}, **{f"{city}-depot": city for city in cities}}
    parcels = [f"parcel{number}" for number in range(random.randint(1, 2))]
    objects = f"{' '.join(cities)} - city {' '.join(airports)} - airport {' '.join(depots)} - place"
    objects += f" {' '.join(parcels)} - parcel van lorry - truck jet - plane"
    init = [f"(in-city {place} {city})" for place, city in places.items()]
    init += [f"(at {each} {random.choice(list(places))})" for each in (*parcels, "van", "lorry")]
    init += [f"(at jet {random.choice(airports)})", "(= (total-cost) 0)"]
    init += [f"(= (distance {one} {two}) {random.randint(1, 9)})" for one in airports for two in airports]
    goal = [f"(at {parcel} {random.choice(list(places))})" for parcel in parcels]
    return _problem("logistics", objects, init, goal)


def doors(random: Random) -> str:
    rooms = ["entrance", *(f"room{number}" for number in range(random.randint(1, 3)))]
    made = [f"door{number}" for number in range(random.randint(2, 5))]
    init = [f"(leads {door} {random.choice(rooms)} {random.choice(rooms)})" for door in made]
    init += [f"(= (length {door}) {random.randint(0, 5)})" for door in made]
    init += [f"(locked {door})" for door in made if random.random() < 0.4]
    init += [f"(lever {random.choice(rooms)} {random.choice(made)})" for _ in range(random.randint(0, 4))]
    init += [f"(visited {room})" for room in rooms if random.random() < 0.3]
    init.append(f"(in {random.choice(rooms)})")
    goal = [f"(visited {room})" for room in rooms] + [f"(not (locked {made[0]}))"]
    return _problem("doors", f"{' '.join(rooms[1:])} - room {' '.join(made)} - door", init, goal)


def _problem(domain: str, objects: str, init: list[str], goal: list[str]) -> str:
    return (
        f"(define (problem random) (:domain {domain}) (:objects {objects})\n"
        f"  (:init {' '.join(dict.fromkeys(init))})\n  (:goal (and {' '.join(goal)})))\n"
    )


MAKERS: dict[str, Callable[[Random], str]] = {
    "blocks": blocks,
    "gripper": gripper,
    "logistics": logistics,
    "doors": doors,
}

TYPES = {"cat": "animal", "dog": "animal", "animal": "object", "box": "object"}
PREDICATES = {
    "p": ("animal",),
    "q": ("animal", "animal"),
    "r": ("box", "dog"),
    "s": (),
    "t": ("(either cat box)",),
    "fixed": ("animal", "animal"),
    "odd": ("cat",),
}
CHANGING = ("p", "q", "r", "s", "t")
BELOW = {
    "object": ("animal", "cat", "dog", "box"),
    "animal": ("animal", "cat", "dog"),
    "cat": ("cat",),
    "dog": ("dog",),
    "box": ("box",),
    "(either cat box)": ("cat", "box"),
}
"""For each expected type, the types whose objects fit."""


def random_domain(random: Random) -> tuple[str, str]:
    """Return a random domain with a problem: hierarchies of types, `either`, constants, negative conditions,
    equality, and conditional effects with variables of their own.
    """
    actions = "\n".join(_action(number, random) for number in range(random.randint(1, 3)))
    predicates = " ".join(
        f"({name} {' '.join(f'?v{place} - {kind}' for place, kind in enumerate(kinds))})"
        for name, kinds in PREDICATES.items()
    )
    types = " ".join(f"{name} - {above}" for name, above in TYPES.items())
    domain = (
        "(define (domain wild) (:requirements :adl)\n"
        f"  (:types {types})\n  (:constants tom - cat)\n  (:predicates {predicates})\n{actions})\n"
    )
    things = {"tom": "cat", "rex": "dog", "tim": "cat", "crate": "box", "it": "animal"}
    chosen = ["tom", *(name for name in things if name != "tom" and random.random() < 0.7)]
    atoms = [
        f"({' '.join((name, *row))})"
        for name, kinds in PREDICATES.items()
        for row in _rows(kinds, chosen, things)
        if random.random() < 0.4
    ]
    goal = [each if random.random() < 0.5 else f"(not {each})" for each in atoms[:2]]
    objects = " ".join(f"{name} - {things[name]}" for name in chosen if name != "tom")
    return domain, _problem("wild", objects, atoms, goal)


def _rows(kinds: tuple[str, ...], names: list[str], things: dict[str, str]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [()]
    for kind in kinds:
        rows = [(*row, name) for row in rows for name in names if things[name] in BELOW[kind]]
    return rows


def _action(number: int, random: Random) -> str:
    names = {f"?x{place}": random.choice(list(BELOW)) for place in range(random.randint(0, 3))}
    parameters = " ".join(f"{name} - {kind}" for name, kind in names.items())
    precondition = " ".join(_literals(names, random, random.randint(0, 3)))
    effects = " ".join(_effect(names, random, depth=2) for _ in range(random.randint(1, 4)))
    return (
        f"  (:action act{number} :parameters ({parameters})\n"
        f"    :precondition (and {precondition})\n    :effect (and {effects}))"
    )


def _effect(names: dict[str, str], random: Random, depth: int) -> str:
    chance = random.random()
    if depth and chance < 0.25:
        inner = {f"?z{depth}{place}": random.choice(list(BELOW)) for place in range(random.randint(1, 2))}
        variables = " ".join(f"{name} - {kind}" for name, kind in inner.items())
        return f"(forall ({variables}) {_effect(names | inner, random, depth - 1)})"
    if depth and chance < 0.6:
        conditions = " ".join(_literals(names, random, random.randint(1, 2)))
        return f"(when (and {conditions}) {_effect(names, random, depth - 1)})"
    if depth and chance < 0.7:
        return f"(and {_effect(names, random, 0)} {_effect(names, random, 0)})"
    return next(iter(_literals(names, random, 1, CHANGING)), "(s)")


def _literals(
    names: dict[str, str], random: Random, number: int, predicates: tuple[str, ...] = tuple(PREDICATES)
) -> list[str]:
    found = []
    for _ in range(number):
        name = random.choice(predicates)
        if predicates != CHANGING and len(names) > 1 and random.random() < 0.2:
            atom = f"(= {' '.join(random.sample(list(names), 2))})"
        else:
            terms = [_term(kind, names, random) for kind in PREDICATES[name]]
            if None in terms:
                continue
            atom = f"({' '.join((name, *terms))})"  # type: ignore[arg-type]
        found.append(f"(not {atom})" if random.random() < 0.4 else atom)
    return found


def _term(kind: str, names: dict[str, str], random: Random) -> str | None:
    fitting = [name for name, own in names.items() if own != "(either cat box)" and own in BELOW[kind]]
    fitting += [name for name, own in names.items() if own == "(either cat box)" == kind]
    if "cat" in BELOW[kind] and random.random() < 0.2:
        fitting.append("tom")
    return random.choice(fitting) if fitting else None
