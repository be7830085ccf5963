"""Grounding: from the program of a sheet to its ground program."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping

from hornbook.matcher.program.coded import Limits, Match, PredicateId, Var
from hornbook.planner.gdl.coding import Program
from hornbook.planner.gdl.flattening import WORD
from hornbook.planner.gdl.ground import Ground, term_of, text_of
from hornbook.planner.grounding.assembly import (
    Atom,
    GroundRule,
    components,
    constants,
    needed,
    rows,
    without_constants,
)
from hornbook.planner.grounding.ground_program import GroundProgram
from hornbook.planner.grounding.relaxation import Relaxation, relax
from hornbook.planner.grounding.saturation import Saturation, carried

BOUNDS = Limits(facts=10_000_000, seconds=60.0, bytes=2 * 2**30)
"""How much of atoms and instances, and how long each step, unless other bounds are wanted."""
_ASKED = ("legal", "next", "terminal", "goal")
_INTEGER = re.compile(r"[0-9]{1,9}")


def ground(program: Program, limits: Limits = BOUNDS) -> GroundProgram:
    """The ground program of a sheet. Raises TooLarge."""
    relaxation = relax(program)
    saturation = Saturation(program, relaxation, limits)
    rules = list(_ground_rules(program, relaxation, saturation))
    given: list[Atom] = []
    over: dict[Atom, list[Atom]] = {}
    for each in carried(program):
        for row in saturation.atoms(each.source):
            target = (each.target, row)
            if each.source in relaxation.changing or not _is_named(program, each.source, ("init",)):
                over.setdefault((each.source, row), []).append(target)
            else:
                given.append(target)
    roles = _roles(program)
    known = constants(rules, given, over)
    rules = without_constants(rules, known)
    terms = _Terms(program)
    fluents = terms.sorted_terms("true", known.possible)
    moves = [terms.sorted_moves(role, known.possible) for role in roles]
    worths = [terms.worths(role, known.possible) for role in roles]
    asked = [atom for atom in known.possible if _is_named(program, atom[0], _ASKED)]
    rules = needed(rules, [atom for atom in asked if atom not in known.certain])

    numbers: dict[Atom, int] = {}
    for _, atom in fluents:
        numbers[atom] = len(numbers)
    for of_role in moves:
        for _, atom in of_role:
            numbers[atom] = len(numbers)
    never, always, atoms = len(numbers), len(numbers) + 1, len(numbers) + 2
    cycles = []
    for component in components(rules):
        if len(component) > 1:
            cycles.append((atoms, atoms + len(component)))
        for atom in component:
            if atom not in numbers:
                numbers[atom] = atoms
                atoms += 1

    def number(atom: Atom | None) -> int:
        if atom is None or atom not in known.possible:
            return never
        # What is possible by rules alone that contradict themselves has no rule left.
        return always if atom in known.certain else numbers.get(atom, never)

    rules.sort(key=lambda rule: numbers[rule.head])
    ordered: list[tuple[int, list[int], list[int]]] = [(always, [], [])]
    for rule in rules:
        positive, negative = (sorted(set(map(number, part))) for part in (rule.positive, rule.negative))
        ordered.append((numbers[rule.head], positive, negative))
    positive_starts, positive_cells = rows(rule[1] for rule in ordered)
    negative_starts, negative_cells = rows(rule[2] for rule in ordered)
    starts = {
        atom
        for each in carried(program)
        if _is_named(program, each.source, ("init",))
        for atom in ((each.target, row) for row in saturation.atoms(each.source))
    }
    return GroundProgram(
        roles=roles,
        atoms=atoms,
        fluents=tuple(term for term, _ in fluents),
        initial=tuple(place for place, (_, atom) in enumerate(fluents) if atom in starts),
        next_atoms=array("i", (number(terms.twin("next", atom)) for _, atom in fluents)),
        moves=tuple(tuple(term for term, _ in of_role) for of_role in moves),
        does_atoms=tuple(array("i", (numbers[atom] for _, atom in of_role)) for of_role in moves),
        legal_atoms=tuple(
            array("i", (number(terms.twin("legal", atom)) for _, atom in of_role)) for of_role in moves
        ),
        terminal=number(terms.terminal()),
        goals=tuple(tuple((worth, number(atom)) for worth, atom in of_role) for of_role in worths),
        heads=array("i", (head for head, _, _ in ordered)),
        positive_starts=positive_starts,
        positive=positive_cells,
        negative_starts=negative_starts,
        negative=negative_cells,
        cycles=tuple(cycles),
    )


def _roles(program: Program) -> tuple[str, ...]:
    role = program.numbers["role", (WORD,)]
    return tuple(program.words[fact.cells[0]] for fact in program.facts if fact.predicate == role)


def _is_named(program: Program, predicate: PredicateId, names: Iterable[str]) -> bool:
    return any(number == predicate and name in names for (name, _), number in program.numbers.items())


def _ground_rules(program: Program, relaxation: Relaxation, saturation: Saturation) -> Iterator[GroundRule]:
    for fact in program.facts:
        if fact.predicate in relaxation.changing:
            yield GroundRule((fact.predicate, fact.cells), frozenset(), frozenset())
    for (name, _), predicate in program.numbers.items():
        if name in _ASKED and predicate not in relaxation.changing:
            for row in saturation.atoms(predicate):
                yield GroundRule((predicate, row), frozenset(), frozenset())
    for rule in relaxation.rules:
        variables, found = saturation.instances(rule)
        for row in found:
            binding = dict(zip(variables, row, strict=True))
            yield GroundRule(
                _atom(rule.head, binding),
                frozenset(_atom(match, binding) for match in rule.positive),
                frozenset(_atom(match, binding) for match in rule.negative),
            )


def _atom(match: Match, binding: Mapping[Var, int]) -> Atom:
    return match.predicate, tuple(binding[term] if isinstance(term, Var) else term for term in match.terms)


class _Terms:
    """The terms of fluents, moves and worths behind atoms."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.relations = {number: relation for relation, number in program.numbers.items()}

    def terms(self, atom: Atom) -> tuple[Ground, ...]:
        words = iter([self.program.words[cell] for cell in atom[1]])
        return tuple(term_of(shape, words) for shape in self.relations[atom[0]][1])

    def named(self, name: str, atoms: Iterable[Atom]) -> list[Atom]:
        of = {number for number, relation in self.relations.items() if relation[0] == name}
        return [atom for atom in atoms if atom[0] in of]

    def sorted_terms(self, name: str, atoms: Iterable[Atom]) -> list[tuple[Ground, Atom]]:
        found = [(self.terms(atom)[0], atom) for atom in self.named(name, atoms)]
        return sorted(found, key=lambda each: text_of(each[0]))

    def sorted_moves(self, role: str, atoms: Iterable[Atom]) -> list[tuple[Ground, Atom]]:
        found = [(self.terms(atom), atom) for atom in self.named("does", atoms)]
        return sorted(
            ((terms[1], atom) for terms, atom in found if terms[0] == role),
            key=lambda each: text_of(each[0]),
        )

    def worths(self, role: str, atoms: Iterable[Atom]) -> list[tuple[int, Atom]]:
        found = [(self.terms(atom), atom) for atom in self.named("goal", atoms)]
        return sorted(
            (int(terms[1]), atom)
            for terms, atom in found
            if terms[0] == role and isinstance(terms[1], str) and _INTEGER.fullmatch(terms[1])
        )

    def twin(self, name: str, atom: Atom) -> Atom | None:
        """The atom of another relation with the same terms."""
        predicate = self.program.numbers.get((name, self.relations[atom[0]][1]))
        return None if predicate is None else (predicate, atom[1])

    def terminal(self) -> Atom | None:
        predicate = self.program.numbers.get(("terminal", ()))
        return None if predicate is None else (predicate, ())
