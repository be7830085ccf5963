"""A game with a theory translated from its sheet: states and moves are those of the sheet.

The folder that `hornbook game import` writes has a short adapter and domain, which name the sheet; this
module implements them. Play, search and judgement use only the sheet, and share nothing with the theory.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from hornbook.kb.ast.terms import Atom, Constant, Span
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.sources.files import read_text
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.flattening import Shape
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground, term_of, text_of
from hornbook.planner.gdl.user_input import state as read_state
from hornbook.planner.translation.induction.plays import flat
from hornbook.theories.domain import Domain, first_argument, game

WORDS = "words.json"
"""The file in the folder of a translated sheet that describes its states and moves as facts."""


@dataclass(frozen=True, slots=True)
class FluentForm:
    """The form of the facts for terms of one shape.

    Attributes:
        name: The predicate.
        order: The columns of the term, in the order of the arguments of the predicate.
        numbers: The columns whose words are numbers; their arguments are integers.
        domain: All possible rows of a fluent whose last argument is `yes` or `no`; None for other fluents.
    """

    name: str
    order: tuple[int, ...]
    numbers: frozenset[int]
    domain: tuple[tuple[str, ...], ...] | None

    def fact(self, row: Sequence[str], *more: str) -> GroundFact:
        """Return the fact for the words of a term, with additional last arguments."""
        values = (int(row[c]) if c in self.numbers else row[c] for c in self.order)
        return GroundFact(self.name, (*values, *more))


class SheetGame:
    """The states and moves of a sheet as facts of its theory. `folder` has the sheet and WORDS.

    In each state at most one role has a choice, the player to move. Every other role makes its `idle` move.
    """

    def __init__(self, folder: Path, sheet: str) -> None:
        self.game = Game.read_kif(folder / sheet)
        words = json.loads(read_text(folder / WORDS))
        self.fluents = {
            _shape(each["shape"]): FluentForm(
                each["name"],
                tuple(each["order"]),
                frozenset(each["numbers"]),
                tuple(map(tuple, each["domain"])) if "domain" in each else None,
            )
            for each in words["fluents"]
        }
        self.actions_by_shape: dict[Shape, str] = {_shape(a["shape"]): a["name"] for a in words["actions"]}
        """The predicate of the action for moves of each shape."""
        self.shapes_by_action: dict[str, Shape] = {
            name: shape for shape, name in self.actions_by_shape.items()
        }
        self.idle: dict[str, Ground] = {
            role: term_of(_shape(each["shape"]), iter(each["words"])) for role, each in words["idle"].items()
        }
        turn = words["turn"]
        self.turn: tuple[Shape, int] | None = (
            None if turn is None else (_shape(turn["shape"]), turn["column"])
        )
        """The shape of the term that names the player to move, and the column with the name.

        It is None if the game has one role.
        """
        self.worths: tuple[int, ...] = tuple(words["worths"])
        """The goal values that the sheet can conclude."""
        self.legal = lru_cache(maxsize=200_000)(self._legal)
        """A function from a state to the actions of the player to move, none if the game is over."""
        self.goal_values = lru_cache(maxsize=200_000)(self._goal_values)
        """A function from a state to the goal value of each role, or None if the game is not over."""

    def read(self, text: str, file: str) -> State:
        """Return the state whose facts a text lists in KIF.

        Raises TheoryError, also if the text does not name the player to move (HB041).
        """
        found = read_state(text, file, self.game)
        if self.turn is not None and all(flat(term)[0] != self.turn[0] for term in found):
            turn = next(term for term in self.game.initial if flat(term)[0] == self.turn[0])
            help_ = f"write whose turn it is, as in `{text_of(turn)}`"
            problem = error("HB041", "the state does not say whose turn it is", Span(file, 1, 1, 1, 1), help_)
            raise TheoryError([problem], {file: text})
        return found

    def write(self, state: State) -> str:
        """Return the state in KIF, as `read` accepts it."""
        return " ".join(sorted(map(text_of, state)))

    def facts(self, state: State) -> Iterator[GroundFact]:
        """Yield the facts of a state; `going` holds unless the game is over."""
        rows: dict[Shape, set[tuple[str, ...]]] = {}
        for term in state:
            shape, row = flat(term)
            rows.setdefault(shape, set()).add(row)
        for shape, fluent in self.fluents.items():
            present = rows.get(shape, set())
            if fluent.domain is None:
                yield from (fluent.fact(row) for row in sorted(present))
            else:
                yield from (fluent.fact(row, "yes" if row in present else "no") for row in fluent.domain)
        if self.goal_values(state) is None:
            yield GroundFact("going", ())

    def to_move(self, state: State) -> str:
        """Return the role that has the choice of a move."""
        if self.turn is None:
            return self.game.roles[0]
        shape, column = self.turn
        return next(row[column] for term_shape, row in map(flat, state) if term_shape == shape)

    def _legal(self, state: State) -> tuple[GroundFact, ...]:
        if self.goal_values(state) is not None:
            return ()
        role = self.to_move(state)
        return tuple(self.action(role, move) for move in self.game.legal(state)[role])

    def action(self, role: str, move: Ground) -> GroundFact:
        """Return the action for a role's move."""
        shape, row = flat(move)
        return GroundFact(self.actions_by_shape[shape], (role, *row))

    def step(self, state: State, action: GroundFact) -> State | None:
        """Return the state after a legal action, or None for an illegal one."""
        if action not in self.legal(state):
            return None
        role, *words = map(str, action.values)
        move = term_of(self.shapes_by_action[action.relation], iter(words))
        return self.game.next(state, {**self.idle, role: move})

    def _goal_values(self, state: State) -> Mapping[str, int] | None:
        if not self.game.terminal(state):
            return None
        return {role: max(worths, default=0) for role, worths in self.game.goal(state).items()}


class SheetDomain(Domain):
    """The domain of a translated sheet for the commands."""

    states = frozenset
    focus_predicate = "worth"

    def __init__(self, adapter: ModuleType) -> None:
        self.adapter = adapter
        self.sheet: SheetGame = adapter.SHEET

    def to_move(self, state: State) -> str:
        return self.sheet.to_move(state)

    def games(self, state: State) -> Sequence[Atom]:
        least = min(self.sheet.worths, default=0)
        return [
            game("reach", role, n) for role in self.sheet.game.roles for n in self.sheet.worths if n > least
        ]

    def outcome(self, state: State, game: Atom) -> bool | None:
        goal_values = self.sheet.goal_values(state)
        if goal_values is None:
            return None
        (_, required) = game.terms
        assert isinstance(required, Constant)
        return goal_values[str(first_argument(game))] >= int(required.value)

    def starts(self) -> Sequence[State]:
        return [self.sheet.game.initial]

    def write(self, state: State) -> str:
        return self.sheet.write(state)


def _shape(written: Any) -> Shape:
    """Return a shape that WORDS contains as nested lists."""
    return () if not written else (str(written[0]), tuple(map(_shape, written[1])))
