"""Grounding: from the program of a sheet to its ground program.

The relaxed rules are saturated (saturation.py), and the instances of each rule are numbered. Atoms that never
change, duplicate rules and irrelevant rules are removed (planner/core/grounding/).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from hornbook.matcher.program.coded import Limits, Match, Var
from hornbook.planner._core import Assembly
from hornbook.planner.gdl.coding import CodedGame
from hornbook.planner.grounding.atoms import Atoms, Named, in_order, roles, worth
from hornbook.planner.grounding.ground_program import GroundProgram
from hornbook.planner.grounding.relaxation import RelaxedRule, relax, variables_of
from hornbook.planner.grounding.saturation import RelaxedSaturation

BOUNDS = Limits(facts=10_000_000, seconds=60.0, bytes=3 * 2**30)
"""The default limits: the number of atoms and of rule instances, the total time, and the memory."""


def ground(program: CodedGame, limits: Limits = BOUNDS) -> GroundProgram:
    """Return the ground program of a sheet. Raises TooLarge."""
    relaxation = relax(program)
    saturation = RelaxedSaturation(program, relaxation, limits)
    assembly = Assembly()
    atoms = Atoms(program, relaxation, saturation, assembly)
    _add_rules(assembly, relaxation.rules, saturation)
    assembly.solve()
    return _assembled(program, assembly, atoms)


def _add_rules(assembly: Assembly, rules: Iterable[RelaxedRule], saturation: RelaxedSaturation) -> None:
    largest: tuple[int, RelaxedRule] | None = None
    for rule in rules:
        variables = list(variables_of([rule.head, *rule.positive, *rule.negative]))
        found = saturation.instances(rule, variables)
        if largest is None or found.count > largest[0]:
            largest = found.count, rule
        columns = {variable: ~place for place, variable in enumerate(variables)}
        assembly.rules(
            _pattern(rule.head, columns),
            [_pattern(match, columns) for match in rule.positive],
            [_pattern(match, columns) for match in rule.negative],
            len(variables),
            found.count,
            found.cells,
        )
        saturation.check(assembly.rule_count, assembly.rule_bytes, largest[1])


def _pattern(match: Match, columns: dict[Var, int]) -> list[int]:
    return [match.predicate, *(columns[term] if isinstance(term, Var) else term for term in match.terms)]


def _assembled(program: CodedGame, assembly: Assembly, atoms: Atoms) -> GroundProgram:
    """Return the ground program that a solved assembly yields for all queries."""
    players = roles(program)
    fluents, done, worths = in_order(atoms.possible("true")), atoms.possible("does"), atoms.possible("goal")
    moves = [in_order(move for move in done if move.terms[0] == role) for role in players]
    goals = [_goals(worths, role) for role in players]
    inputs = [("true", fluents), *(("does", own) for own in moves)]
    queried = [("next", fluents), ("terminal", [Named((), (), b"")])]
    queried += [("legal", own) for own in moves] + [("goal", [goal for _, goal in own]) for own in goals]
    count, *parts = assembly.finish(
        b"".join(atoms.found(name, of) for name, of in inputs),
        b"".join(atoms.found(name, of) for name, of in queried),
    )
    numbers, heads, positive_starts, positive, negative_starts, negative, cycles = map(_integers, parts)
    answers = iter(_consecutive_parts(numbers, [len(of) for _, of in queried]))
    first = atoms.first()
    next_atoms, terminal = next(answers), next(answers)[0]
    places = iter(_consecutive_parts(array("i", range(len(numbers))), [len(of) for _, of in inputs]))
    next(places)
    return GroundProgram(
        roles=players,
        atoms=count,
        fluents=tuple(each.terms[0] for each in fluents),
        initial=tuple(place for place, each in enumerate(fluents) if each.terms[0] in first),
        next_atoms=next_atoms,
        moves=tuple(tuple(move.terms[1] for move in own) for own in moves),
        does_atoms=tuple(next(places) for _ in moves),
        legal_atoms=tuple(next(answers) for _ in moves),
        terminal=terminal,
        goals=tuple(tuple(zip((number for number, _ in own), next(answers), strict=True)) for own in goals),
        heads=heads,
        positive_starts=positive_starts,
        positive=positive,
        negative_starts=negative_starts,
        negative=negative,
        cycles=tuple(zip(cycles[::2], cycles[1::2], strict=True)),
    )


def _goals(worths: Iterable[Named], role: str) -> list[tuple[int, Named]]:
    found = [
        (number, goal) for goal in worths if goal.terms[0] == role and (number := worth(goal)) is not None
    ]
    return sorted(found, key=lambda each: each[0])


def _integers(cells: bytes) -> array[int]:
    return array("i", cells)


def _consecutive_parts(numbers: array[int], lengths: Iterable[int]) -> Iterable[array[int]]:
    """Yield the consecutive parts of an array that have these lengths."""
    begin = 0
    for length in lengths:
        yield numbers[begin : begin + length]
        begin += length
