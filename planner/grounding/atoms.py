"""The atoms of a relaxation: written to an assembly, and read back as terms."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from hornbook.matcher.program.coded import PredicateId
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner._core import Assembly
from hornbook.planner.gdl.coding import CodedGame
from hornbook.planner.gdl.flattening import WORD, Shapes, width
from hornbook.planner.gdl.ground import Ground, term_of, text_of, worth_of
from hornbook.planner.grounding.relaxation import Relaxation
from hornbook.planner.grounding.saturation import RelaxedSaturation, Rows, carried

QUERIED = ("next", "legal", "terminal", "goal")
"""The relations whose atoms players query."""
_NO_ATOM = 2**32 - 1
_CELL = 8
"""The number of bytes of a cell."""


@dataclass(frozen=True, slots=True)
class Named:
    """A row of a relation: its terms, and its cells, which identify the same row in another relation."""

    shapes: Shapes
    terms: tuple[Ground, ...]
    cells: bytes


class Atoms:
    """The writer that gives an assembly the atoms that can ever hold, and those that always hold."""

    def __init__(
        self, program: CodedGame, relaxation: Relaxation, saturation: RelaxedSaturation, assembly: Assembly
    ) -> None:
        self._program = program
        self._assembly = assembly
        self._rows: dict[PredicateId, Rows] = {}
        static = {
            number
            for name in QUERIED
            for number in self._relations(name).values()
            if number not in relaxation.changing
        }
        for number in sorted(relaxation.changing | static):
            rows = self._rows[number] = saturation.atoms(number)
            columns = relaxation.predicates[number].arity
            assembly.relation(number, columns, rows.count, rows.cells)
            if number in static:
                self._always(number, columns, rows)
        for fact in program.facts:
            if fact.predicate in relaxation.changing:
                self._always(fact.predicate, len(fact.cells), Rows(1, array("q", fact.cells).tobytes()))
        for each in carried(program):
            if each.name != "init":
                assembly.carry(each.source, each.target)
                continue
            rows = self._rows[each.source] = saturation.atoms(each.source)
            assembly.give(each.target, rows.count, rows.cells)

    def _always(self, predicate: PredicateId, columns: int, rows: Rows) -> None:
        head = [predicate, *(~column for column in range(columns))]
        self._assembly.rules(head, [], [], columns, rows.count, rows.cells)

    def _relations(self, name: str) -> dict[Shapes, PredicateId]:
        """Return the relations of a name, keyed by the shapes of their arguments."""
        numbers = self._program.numbers
        return {shapes: number for (found, shapes), number in numbers.items() if found == name}

    def first(self) -> frozenset[Ground]:
        """Return the initial state."""
        found: set[Ground] = set()
        for shapes, number in self._relations("init").items():
            rows = self._rows[number]
            found.update(each.terms[0] for each in self._named(shapes, rows, b"\1" * rows.count))
        return frozenset(found)

    def possible(self, name: str) -> list[Named]:
        """Return the atoms that can hold for the relations of a name. Requires a solved assembly."""
        return [
            each
            for shapes, number in self._relations(name).items()
            for each in self._named(shapes, self._rows[number], self._assembly.truths(number))
        ]

    def found(self, name: str, same: Sequence[Named]) -> bytes:
        """Return the numbers of the atoms with the same rows in the relations of a name.

        A row without an atom gets _NO_ATOM.
        """
        found = array("I", [_NO_ATOM]) * len(same)
        relations = self._relations(name)
        places: dict[Shapes, list[int]] = {}
        for place, each in enumerate(same):
            places.setdefault(each.shapes, []).append(place)
        for shapes, own in places.items():
            if shapes in relations:
                cells = b"".join(same[place].cells for place in own)
                numbers = array("I", self._assembly.find(relations[shapes], len(own), cells))
                for place, number in zip(own, numbers, strict=True):
                    found[place] = number
        return found.tobytes()

    def _named(self, shapes: Shapes, rows: Rows, truths: bytes) -> Iterable[Named]:
        """Yield the rows whose truth is not `never`."""
        cells, size, words = array("q", rows.cells), sum(map(width, shapes)), self._program.words
        for row, truth in enumerate(truths):
            if truth:
                own = slice(row * size, (row + 1) * size)
                left = iter([words[cell] for cell in cells[own]])
                terms = tuple(term_of(shape, left) for shape in shapes)
                yield Named(shapes, terms, rows.cells[own.start * _CELL : own.stop * _CELL])


def roles(program: CodedGame) -> tuple[str, ...]:
    """Return the players in the order of the sheet."""
    role = program.numbers["role", (WORD,)]
    return tuple(program.words[fact.cells[0]] for fact in program.facts if fact.predicate == role)


def in_order(found: Iterable[Named]) -> list[Named]:
    """Return the atoms sorted by the text of the last term.

    This is the order of fluents and of the moves of one role.
    """
    return sorted(found, key=lambda each: text_of(each.terms[-1]))


def worth(goal: Named) -> int | None:
    """Return the worth of a goal, or None if its term is not an integer from 0 to 100."""
    return worth_of(goal.terms[1])
