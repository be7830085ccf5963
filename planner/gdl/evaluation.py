"""The consequences in a state: computed bottom-up, or goal by goal if there are too many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import Derivation, Fact, Limits
from hornbook.matcher.program.errors import FactLimitError
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner import _core
from hornbook.planner.gdl.coding import CodedGame
from hornbook.planner.gdl.goal_program import ON_MOVES, ON_STATE, goal_program, traced
from hornbook.planner.gdl.proofs.derivations import derivations_below

MOST_FACTS = 200_000
"""The number of facts in a state above which it is evaluated goal by goal."""


class TooManyAnswers(HornbookError, RuntimeError):
    """The answers do not fit into memory."""


class Evaluation(Protocol):
    def set_state(self, true: frozenset[Fact], done: frozenset[Fact]) -> None:
        """Set the current state: its facts of `true`, and the facts of `does`, the moves made in it."""

    def facts(self, relation: int, columns: Sequence[int | None]) -> Iterable[Sequence[int]]:
        """Return the facts of a relation that have these cells; None matches any cell."""

    def derivation(self, fact: Fact) -> Derivation | None:
        """Return a non-circular derivation of a fact, or None for an input fact or one of the sheet."""


def evaluation_of(program: CodedGame) -> Evaluation:
    """Return an evaluation of a program. Raises EngineError if an engine cannot read the rules."""
    try:
        return Saturated(program)
    except FactLimitError:
        return GoalDirected(program)


class Saturated:
    """Evaluation by the engine (matcher/), which derives all consequences.

    Raises FactLimitError if there are too many.
    """

    def __init__(self, program: CodedGame) -> None:
        self._engine = CompiledEngine(program.predicates, limits=Limits(facts=MOST_FACTS))
        self._engine.update(add=program.facts, add_rules=program.rules)
        self._input: frozenset[Fact] = frozenset()

    def set_state(self, true: frozenset[Fact], done: frozenset[Fact]) -> None:
        old, new = self._input, true | done
        if old != new:
            # Sort the changes: the choice among several derivations depends on their order.
            self._engine.update(retract=sorted(old - new), add=sorted(new - old))
            self._input = new

    def facts(self, relation: int, columns: Sequence[int | None]) -> Iterator[Sequence[int]]:
        known = [(place, cell) for place, cell in enumerate(columns) if cell is not None]
        for row in self._engine.facts(relation):
            if all(row[place] == cell for place, cell in known):
                yield row

    def derivation(self, fact: Fact) -> Derivation | None:
        return self._engine.derivation(fact)


class GoalDirected:
    """Evaluation by tabled resolution (planner/core/resolution/). Raises TooManyAnswers."""

    def __init__(self, program: CodedGame) -> None:
        self._program = program
        self._goals = _resolution(program)
        self._true: frozenset[Fact] = frozenset()
        self._done: frozenset[Fact] = frozenset()
        self._derivations: dict[Fact, Derivation | None] = {}

    def set_state(self, true: frozenset[Fact], done: frozenset[Fact]) -> None:
        if true != self._true:
            self._goals.tell(ON_STATE, sorted(true))
            self._true = true
            self._derivations = {}
        if done != self._done:
            self._goals.tell(ON_MOVES, sorted(done))
            self._done = done
            self._derivations = {}

    def facts(self, relation: int, columns: Sequence[int | None]) -> list[list[int]]:
        try:
            return self._goals.ask(relation, columns)
        except _core.Exhausted:
            raise TooManyAnswers(
                "the query has too many answers: use more words and fewer variables"
            ) from None

    def derivation(self, fact: Fact) -> Derivation | None:
        if fact not in self._derivations:
            instances = _resolution(traced(self._program))
            instances.tell(ON_STATE, sorted(self._true))
            instances.tell(ON_MOVES, sorted(self._done))
            self._derivations |= derivations_below(fact, self._program, instances)
        return self._derivations[fact]


def _resolution(program: CodedGame) -> _core.Resolution:
    goals = goal_program(program)
    return _core.Resolution(goals.relations, goals.rules, goals.facts, goals.shared)
