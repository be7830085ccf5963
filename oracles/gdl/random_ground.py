"""Random ground programs: conditions and absences of all kinds, unfounded cycles of atoms, and constant
answers.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from random import Random

from hornbook.planner.grounding.ground_program import GroundProgram


def random_ground_program(random: Random) -> GroundProgram:
    """Return a program with up to 140 fluents; most have few, so small sizes are tested often."""
    fluents = random.choice((1, 3, 8, 8, 64, 65, 140))
    moves = [random.choice((1, 2, 5, 5, 70)) for _ in range(random.randint(1, 3))]
    never = fluents + sum(moves)
    first = never + 2
    rules: list[tuple[int, list[int], list[int]]] = [(never + 1, [], [])]
    cycles: list[tuple[int, int]] = []
    does = set(range(fluents, never))
    """The atoms that depend on moves, so that the legality of a move does not depend on them."""
    atoms = first
    for _ in range(random.randint(1, 30)):
        size = random.choice((1, 1, 1, 2, 3, 9))
        made = range(atoms, atoms + size)
        known = [*_some(random, range(fluents), 12), *_some(random, does, 4), *range(never, atoms)]
        if size > 1:
            cycles.append((atoms, atoms + size))
        found = {
            rule
            for head in made
            for _ in range(random.randint(0, 4))
            if (rule := _rule(random, head, known, made)) is not None
        }
        rules += [(head, list(positive), list(negative)) for head, positive, negative in sorted(found)]
        if any(not does.isdisjoint(positive + negative) for _, positive, negative in found):
            does.update(made)
        atoms += size
    tellable = [atom for atom in range(atoms) if atom not in does]
    return GroundProgram(
        roles=tuple(f"r{role}" for role in range(len(moves))),
        atoms=atoms,
        fluents=tuple(f"f{fluent}" for fluent in range(fluents)),
        initial=tuple(sorted(_some(random, range(fluents), 5))),
        next_atoms=array("i", _answers(random, range(atoms), fluents, first)),
        moves=tuple(tuple(f"m{move}" for move in range(many)) for many in moves),
        does_atoms=tuple(
            array("i", range(fluents + sum(moves[:role]), fluents + sum(moves[: role + 1])))
            for role in range(len(moves))
        ),
        legal_atoms=tuple(array("i", _answers(random, tellable, many, first)) for many in moves),
        terminal=_answers(random, tellable, 1, first)[0],
        goals=tuple(
            tuple(zip(range(0, 101, 25), _answers(random, tellable, 5, first), strict=True)) for _ in moves
        ),
        heads=array("i", (head for head, _, _ in rules)),
        positive_starts=_starts(positive for _, positive, _ in rules),
        positive=array("i", (atom for _, positive, _ in rules for atom in positive)),
        negative_starts=_starts(negative for _, _, negative in rules),
        negative=array("i", (atom for _, _, negative in rules for atom in negative)),
        cycles=tuple(cycles),
    )


def _rule(
    random: Random, head: int, known: Sequence[int], cycle: Sequence[int]
) -> tuple[int, tuple[int, ...], tuple[int, ...]] | None:
    """Return a head and a body without repeated conditions, or None if there are no conditions."""
    taken = random.sample(known, min(len(known), random.randint(0, 4)))
    denied = random.randint(0, len(taken) // 2)
    inside = _some(random, cycle, 2) if len(cycle) > 1 else []
    if not taken and not inside:
        return None
    return head, tuple(sorted(set(taken[denied:]) | set(inside))), tuple(sorted(taken[:denied]))


def _some(random: Random, those: Iterable[int], most: int) -> list[int]:
    all_of_them = sorted(those)
    return random.sample(all_of_them, min(len(all_of_them), random.randint(0, most)))


def _answers(random: Random, atoms: Sequence[int], many: int, first: int) -> list[int]:
    """Return answers: mostly concluded atoms if there are any, otherwise inputs or constants."""
    concluded = [atom for atom in atoms if atom >= first] or atoms
    return [random.choice(concluded if random.random() < 0.8 else atoms) for _ in range(many)]


def _starts(parts: Iterable[Sequence[int]]) -> array[int]:
    starts = array("i", [0])
    for part in parts:
        starts.append(starts[-1] + len(part))
    return starts
