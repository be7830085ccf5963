"""Games evaluated goal by goal from the rules of the sheet (planner/core/resolution/).

They are for sheets with too many rule instances.
"""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.planner import _core
from hornbook.planner.gdl.coding import CodedGame
from hornbook.planner.gdl.game import State
from hornbook.planner.gdl.goal_program import goal_program
from hornbook.planner.gdl.ground import Ground, shape_of, term_of, words_of, worth_of
from hornbook.planner.machines.machine import Words
from hornbook.planner.machines.worths import greatest_worth


class ResolutionMachine:
    """A GameMachine for goal-directed evaluation.

    A state's words are the ascending numbers of its terms, assigned when terms first occur.
    """

    def __init__(self, program: CodedGame) -> None:
        self._program = program
        self._cells = {word: cell for cell, word in enumerate(program.words)}
        self._relations = list(program.numbers)
        roles = {number for (name, _), number in program.numbers.items() if name == "role"}
        self.roles: tuple[str, ...] = tuple(
            program.words[fact.cells[0]] for fact in program.facts if fact.predicate in roles
        )
        goals = goal_program(program)
        self._core = _core.ResolutionMachine(
            goals.relations,
            goals.rules,
            goals.facts,
            goals.shared,
            roles=[self._cells[role] for role in self.roles],
            initial=self._pairs("init", "true"),
            after=self._pairs("next", "true"),
            legal=[
                (concluded, inputs)
                for concluded, inputs in self._pairs("legal", "does")
                if not self._relations[inputs][1][0]
            ],
            terminal=[number for (name, _), number in program.numbers.items() if name == "terminal"],
            goal=[number for relation, number in program.numbers.items() if relation == ("goal", ((), ()))],
            worths=[-1 if (worth := worth_of(word)) is None else worth for word in program.words],
        )

    def _pairs(self, concluded: str, target: str) -> list[tuple[int, int]]:
        numbers = self._program.numbers
        return [
            (number, numbers[target, shapes])
            for (name, shapes), number in numbers.items()
            if name == concluded
        ]

    @property
    def core(self) -> _core.ResolutionMachine:
        return self._core

    def most(self, role: int) -> int:
        return greatest_worth(self._program, self.roles[role])

    def words(self, state: State) -> list[int]:
        found = []
        for term in state:
            fact = self._fact("true", (term,))
            if fact is None:
                raise ValueError(f"this game never makes {term} true")
            found.append(self._core.fluent_number(*fact))
        return sorted(found)

    def state(self, words: Words) -> State:
        return frozenset(self._terms(self._core.fluent(word))[0] for word in words)

    def number(self, role: int, move: Ground) -> int | None:
        fact = self._fact("does", (self.roles[role], move))
        return None if fact is None else self._core.move_number(role, *fact)

    def move(self, role: int, number: int) -> Ground:
        return self._terms(self._core.move(role, number))[1]

    def _fact(self, name: str, terms: Sequence[Ground]) -> tuple[int, list[int]] | None:
        """Return a fact in numbers, or None if the game has no such relation or word."""
        number = self._program.numbers.get((name, tuple(map(shape_of, terms))))
        cells = [self._cells.get(word) for term in terms for word in words_of(term)]
        known = [cell for cell in cells if cell is not None]
        return None if number is None or len(known) < len(cells) else (number, known)

    def _terms(self, fact: tuple[int, Sequence[int]]) -> tuple[Ground, ...]:
        number, cells = fact
        left = iter([self._program.words[cell] for cell in cells])
        return tuple(term_of(shape, left) for shape in self._relations[number][1])
