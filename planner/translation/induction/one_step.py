"""One step of a game in propositional logic: a state with assumptions, arbitrary moves, and the next state.

Each ground atom is a variable. A concluded atom holds exactly if a body of its rules does (Clark's
completion; for recursive relations, more assignments satisfy the completion than the intended one). Only the
atoms that a query depends on are encoded. So if no assignment satisfies a query, no state and no moves do.
This is the induction step of Schiffel and Thielscher (IJCAI-09), who use answer sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import networkx as nx

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner._core import Clauses
from hornbook.planner.gdl.flattening import Column, Relation
from hornbook.planner.gdl.kif import KifVariable
from hornbook.planner.translation.grounding import PossibleFacts, Row
from hornbook.planner.translation.literals import Fails, Holds

GroundAtom = tuple[Relation, Row]
Body = tuple[tuple[bool, GroundAtom], ...]
MOST_ATOMS = 200_000
"""The maximal number of atoms that queries about one fluent depend on."""
MOST_STEPS = 5_000_000
"""The maximal number of steps of a satisfiability search; it performs ten to a hundred million per second."""


class Unknown(Exception):
    """The query was too hard."""


@dataclass(frozen=True, slots=True)
class Single:
    """A fluent with at most one fact, or exactly one, for the same words in the columns `key`."""

    fluent: Relation
    key: tuple[int, ...]
    exactly: bool

    def of(self, row: Row) -> Row:
        return tuple(row[column] for column in self.key)


class AtomDefinitions:
    """The bodies of the ground rules for each atom."""

    def __init__(self, ground: PossibleFacts) -> None:
        self.ground = ground
        self.bodies: dict[GroundAtom, list[Body]] = {}
        self.moves: dict[str, list[GroundAtom]] = {}
        for number, rule in enumerate(ground.rules):
            if rule.head not in ground.kinds.changing:
                continue
            names = {name: place for place, name in enumerate(rule.variables)}
            literals = [
                (isinstance(literal, Holds), literal.relation, _picker(literal.columns, names))
                for literal in rule.body
                if isinstance(literal, Holds | Fails) and is_changing(literal.relation, ground)
            ]
            head = _picker(rule.columns, names)
            for row in ground.instances[number]:
                body = tuple(
                    (sign, (relation, _picked(columns, row)))
                    for sign, relation, columns in literals
                    # An impossible atom is absent.
                    if sign or _picked(columns, row) in ground.has(relation)
                )
                self.bodies.setdefault((rule.head, _picked(head, row)), []).append(body)
        for relation, rows in ground.facts.items():
            if relation[0] == "does":
                for row in rows:
                    self.moves.setdefault(row[0], []).append((relation, row))

    def in_circles(self) -> frozenset[Relation]:
        """Return the relations with a fact that depends on itself."""
        graph: nx.DiGraph[GroundAtom] = nx.DiGraph()
        for head, bodies in self.bodies.items():
            if head[0] in self.ground.kinds.recursive:
                inner = {
                    atom for body in bodies for _, atom in body if atom[0] in self.ground.kinds.recursive
                }
                graph.add_edges_from((atom, head) for atom in inner)
        parts = nx.strongly_connected_components(graph)
        return frozenset(
            relation
            for part in parts
            for relation, row in part
            if len(part) > 1 or graph.has_edge((relation, row), (relation, row))
        )


def is_changing(relation: Relation, ground: PossibleFacts) -> bool:
    return relation in ground.kinds.changing or relation[0] in ("true", "does")


def _picker(columns: Sequence[Column], names: dict[str, int]) -> list[int | str]:
    return [names[c.name] if isinstance(c, KifVariable) else c for c in columns]


def _picked(columns: Sequence[int | str], row: Row) -> Row:
    return tuple(row[c] if isinstance(c, int) else c for c in columns)


class InductionStep:
    """Clauses for one step, extended for each query."""

    def __init__(self, definitions: AtomDefinitions, assumed: Iterable[Single]) -> None:
        self.definitions, self.ground = definitions, definitions.ground
        self.assumed: dict[Relation, list[Single]] = {}
        for single in assumed:
            self.assumed.setdefault(single.fluent, []).append(single)
        self.groups: dict[tuple[Single, Row], list[Row]] = {}
        for fluent, singles in self.assumed.items():
            for row in self.ground.has(fluent):
                for single in singles:
                    self.groups.setdefault((single, single.of(row)), []).append(row)
        self.clauses = Clauses()
        self.numbers: dict[GroundAtom, int] = {}
        self.waiting: list[GroundAtom] = []
        self.written: set[tuple[Single, Row] | str] = set()
        self.count = 0

    def can_hold(self, literals: Sequence[int]) -> bool:
        """Return whether these literals can hold in some state with some moves. Raises Unknown."""
        self._write()
        found = self.clauses.can_hold(literals, MOST_STEPS)
        if found is None:
            raise Unknown
        return found

    def two_of(self, literals: Sequence[int]) -> int:
        """Return a literal that implies that two of these hold, and is satisfiable if they do."""
        before, pairs = literals[0], list[int]()
        for literal in literals[1:]:
            pair, here = self.fresh(), self.fresh()
            self.add([-pair, before])
            self.add([-pair, literal])
            self.add([-here, before, literal])
            pairs.append(pair)
            before = here
        two = self.fresh()
        self.add([-two, *pairs])
        return two

    def number(self, atom: GroundAtom) -> int:
        found = self.numbers.get(atom)
        if found is None:
            found = self.numbers[atom] = self.fresh()
            self.waiting.append(atom)
            if len(self.numbers) > MOST_ATOMS:
                raise Unknown
        return found

    def fresh(self) -> int:
        self.count += 1
        return self.count

    def add(self, literals: Iterable[int]) -> None:
        self.clauses.add(list(literals))

    def _write(self) -> None:
        """Add the clauses for each queried atom and everything that it depends on."""
        while self.waiting:
            atom = self.waiting.pop()
            relation, row = atom
            if relation[0] == "true":
                for single in self.assumed.get(relation, ()):
                    self._single(single, single.of(row))
            elif relation[0] == "does":
                self._move(atom)
            else:
                self._concluded(atom)

    def _concluded(self, atom: GroundAtom) -> None:
        number, bodies = self.number(atom), []
        for body in self.definitions.bodies.get(atom, ()):
            literals = [self.number(each) if sign else -self.number(each) for sign, each in body]
            if len(literals) == 1:
                bodies.append(literals[0])
                continue
            fires = self.fresh()
            for literal in literals:
                self.add([-fires, literal])
            self.add([fires, *(-literal for literal in literals)])
            bodies.append(fires)
        for fires in bodies:
            self.add([-fires, number])
        self.add([-number, *bodies])

    def _single(self, single: Single, key: Row) -> None:
        if (single, key) in self.written:
            return
        self.written.add((single, key))
        literals = [self.number((single.fluent, row)) for row in self.groups[single, key]]
        self.at_most_one(literals)
        if single.exactly:
            self.add(literals)

    def _move(self, atom: GroundAtom) -> None:
        """Add the clauses for a move: a role makes exactly one move, which is legal."""
        (_, shapes), row = atom
        self.add([-self.number(atom), self.number((("legal", shapes), row))])
        role = row[0]
        if role not in self.written:
            self.written.add(role)
            literals = [self.number(move) for move in self.definitions.moves[role]]
            self.at_most_one(literals)
            self.add(literals)

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Add clauses for at most one literal.

        They are pairwise for few literals, and a sequential counter for many (Sinz 2005).
        """
        if len(literals) <= 5:
            for place, one in enumerate(literals):
                for other in literals[:place]:
                    self.add([-one, -other])
            return
        before = None
        for literal in literals:
            here = self.fresh()
            self.add([-literal, here])
            if before is not None:
                self.add([-before, here])
                self.add([-before, -literal])
            before = here
