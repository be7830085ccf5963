"""Games on the compiled network of their ground rules."""

from __future__ import annotations

from hornbook.planner import _core
from hornbook.planner.gdl.game import State
from hornbook.planner.gdl.ground import Ground, text_of
from hornbook.planner.grounding.ground_program import GroundProgram
from hornbook.planner.machines.machine import Words

WORD_BITS = 64


class NetworkMachine:
    """A GameMachine. A state has a bit for each fluent of the ground program; a move has its number there."""

    def __init__(self, program: GroundProgram) -> None:
        self.roles = program.roles
        self.core: _core.NetworkMachine = _core.NetworkMachine(program)
        self._fluents = program.fluents
        self._moves = program.moves
        self._bits = {fluent: bit for bit, fluent in enumerate(program.fluents)}
        self._most = tuple(max((worth for worth, _ in goals), default=0) for goals in program.goals)
        self._numbers = tuple({move: number for number, move in enumerate(moves)} for moves in program.moves)

    def most(self, role: int) -> int:
        return self._most[role]

    def words(self, state: State) -> list[int]:
        bits = 0
        for fluent in state:
            bit = self._bits.get(fluent)
            if bit is None:
                raise ValueError(f"`{text_of(fluent)}` is never true in this game")
            bits |= 1 << bit
        words = -(-len(self._fluents) // WORD_BITS)
        return [bits >> WORD_BITS * word & (1 << WORD_BITS) - 1 for word in range(words)]

    def state(self, words: Words) -> State:
        bits = sum(word << WORD_BITS * place for place, word in enumerate(words))
        return frozenset(fluent for bit, fluent in enumerate(self._fluents) if bits >> bit & 1)

    def number(self, role: int, move: Ground) -> int | None:
        return self._numbers[role].get(move)

    def move(self, role: int, number: int) -> Ground:
        return self._moves[role][number]
