"""Answers of learned rules about every state of a table."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hornbook.api.position_matcher import matcher_of
from hornbook.compiler.match.position import SharedRules
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.domains import NoPictureError, the_domain
from hornbook.inputs.games import game_of
from hornbook.inputs.states import State, reader_for
from hornbook.kb.ast.terms import Atom, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.budget import Budget
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.extras import extra_module
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.spread.states import STATE, BadState, Outcomes, Row, each_row, text_in

if TYPE_CHECKING:
    import pyarrow

GAME = "game"
"""The column that names the only game to query; without it, or if it is NULL, all games are queried."""


@dataclass(frozen=True, slots=True)
class MatchStates:
    """The answers of learned rules about each state, as `LearnedRules.match` returns them."""

    theory: Theory
    rules: tuple[Rule, ...]
    limits: Limits | None = None

    gives = "answers"
    reads = (STATE, GAME)

    @property
    def inputs(self) -> tuple[object, ...]:
        return self.rules, self.limits

    def type(self) -> pyarrow.DataType:
        arrow = extra_module("pyarrow", "data")
        names = ("rule", "game", "value", "move", "bindings")
        return arrow.list_(arrow.struct([(name, arrow.string()) for name in names]))

    def ready(self) -> Callable[[pyarrow.Table], Outcomes]:
        return each_row(_RowMatcher(self).answers)


class _RowMatcher:
    """Rules that are queried about one row after another. An engine that exceeded a limit is replaced."""

    def __init__(self, question: MatchStates) -> None:
        self._question = question
        self._reader = reader_for(question.theory)
        self._domain = the_domain(question.theory, "what is asked about its states", NoPictureError)
        self._budget = Budget.of(question.limits)
        self._shared = SharedRules()
        self._prepare()

    def _prepare(self) -> None:
        question = self._question
        base = RuleBase(question.theory.name)  # proofs are not needed
        self._matcher = matcher_of(
            question.theory, base, lambda: question.rules, question.limits, self._shared
        )

    def answers(self, row: Row) -> list[dict[str, str | None]]:
        theory = self._question.theory
        value = self._reader.read(text_in(row), STATE)
        game = None if row.get(GAME) in (None, "") else self._game(text_in(row, GAME), value)
        try:
            with self._budget.bounding():
                self._matcher.set(State(theory, STATE, value, self._reader))
                found = [answer.to_dict() for answer in self._matcher.answers(game)]
        except HornbookError:
            self._prepare()
            raise
        return [{**each, "bindings": json.dumps(each["bindings"], ensure_ascii=False)} for each in found]

    def _game(self, text: str, value: Any) -> Atom:
        """Return the game that a row names. Raises BadState if the state has no such game."""
        try:
            game = game_of(self._question.theory, text)
        except TheoryError as problem:
            raise BadState(GAME, problem.diagnostics[0].message) from None
        except ValueError as problem:
            raise BadState(GAME, str(problem)) from None
        try:
            self._domain.question(value, game)
        except (LookupError, ValueError):
            raise BadState(GAME, f"`{text}` mentions nothing in this state") from None
        return game
