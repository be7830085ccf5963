"""A naive evaluator of a ground program: atom after atom, and cycles until nothing is new."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hornbook.planner.gdl.game import State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.grounding.ground_program import GroundProgram


class GroundGame:
    """A game with the interface of Game."""

    def __init__(self, program: GroundProgram) -> None:
        self.program = program
        self.roles = program.roles
        self.initial: State = frozenset(program.fluents[number] for number in program.initial)
        self._fluents = {term: number for number, term in enumerate(program.fluents)}
        self._rules: list[list[tuple[list[int], list[int]]]] = [[] for _ in range(program.atoms)]
        for rule, head in enumerate(program.heads):
            positive = program.positive[program.positive_starts[rule] : program.positive_starts[rule + 1]]
            negative = program.negative[program.negative_starts[rule] : program.negative_starts[rule + 1]]
            self._rules[head].append((positive.tolist(), negative.tolist()))
        self._known: tuple[object, ...] = ()
        self._model = bytearray()

    def legal(self, state: State) -> dict[str, tuple[Ground, ...]]:
        model, found = self.model(state), {}
        for role, moves, atoms in zip(self.roles, self.program.moves, self.program.legal_atoms, strict=True):
            legal = (move for move, atom in zip(moves, atoms, strict=True) if model[atom])
            found[role] = tuple(sorted(legal, key=str))
        return found

    def next(self, state: State, moves: Mapping[str, Ground]) -> State:
        model = self.model(state, moves)
        pairs = zip(self.program.fluents, self.program.next_atoms, strict=True)
        return frozenset(term for term, atom in pairs if model[atom])

    def terminal(self, state: State) -> bool:
        return bool(self.model(state)[self.program.terminal])

    def goal(self, state: State) -> dict[str, tuple[int, ...]]:
        model = self.model(state)
        return {
            role: tuple(worth for worth, atom in goals if model[atom])
            for role, goals in zip(self.roles, self.program.goals, strict=True)
        }

    def model(self, state: State, moves: Mapping[str, Ground] | None = None) -> bytearray:
        """Return the truth value of each atom.

        Raise KeyError for a fluent or move that the program does not have.
        """
        key = (state, tuple(sorted((moves or {}).items())))
        if key != self._known:
            self._known, self._model = key, self._evaluated(state, moves or {})
        return self._model

    def _evaluated(self, state: State, moves: Mapping[str, Ground]) -> bytearray:
        program, model = self.program, bytearray(self.program.atoms)
        for term in state:
            model[self._fluents[term]] = True
        for role, move in moves.items():
            place = self.roles.index(role)
            model[program.does_atoms[place][program.moves[place].index(move)]] = True
        ends = dict(program.cycles)
        atom = program.inputs
        while atom < program.atoms:
            end = ends.get(atom, atom + 1)
            while self._evaluate(range(atom, end), model) and end > atom + 1:
                pass
            atom = end
        return model

    def _evaluate(self, atoms: Iterable[int], model: bytearray) -> bool:
        """Return whether the evaluation of atoms adds a true atom to the model."""
        found = False
        for atom in atoms:
            if not model[atom] and any(
                all(model[each] for each in positive) and not any(model[each] for each in negative)
                for positive, negative in self._rules[atom]
            ):
                model[atom] = found = True
        return found
