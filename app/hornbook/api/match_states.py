"""Answers of learned rules about every state of a table."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from hornbook.api.answers import Answer
from hornbook.api.position_matcher import answers_of, check_state, rule_queries
from hornbook.compiler.match.position import Conclusion
from hornbook.compiler.match.states import StateMatcher
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
from hornbook.spread.states import STATE, BadState, Row, RowAnswer, row_answer, text_in
from hornbook.theories.domain import RuleQuery

if TYPE_CHECKING:
    import pyarrow

BLOCK = 500
"""The number of rows that are matched together."""
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

    def ready(self) -> Callable[[Sequence[Row]], Sequence[RowAnswer]]:
        return _RowsMatcher(self).answers


class _RowsMatcher:
    """Rules that are queried about blocks of rows."""

    def __init__(self, question: MatchStates) -> None:
        self._question = question
        self._reader = reader_for(question.theory)
        self._domain = the_domain(question.theory, "what is asked about its states", NoPictureError)
        self._budget = Budget.of(question.limits)
        self._base = RuleBase(question.theory.name)  # proofs are not needed
        self._matcher = StateMatcher(
            question.theory, self._domain.focus_predicate, question.rules, question.limits
        )

    def answers(self, rows: Sequence[Row]) -> list[RowAnswer]:
        found: list[RowAnswer] = []
        for first in range(0, len(rows), BLOCK):
            found += self._block(rows[first : first + BLOCK])
        return found

    def _block(self, rows: Sequence[Row]) -> list[RowAnswer]:
        read = [row_answer(partial(self._read, row)) for row in rows]
        queries = [query for row, _ in read if row is not None for query in row[1]]
        matched = iter(self._matcher.conclusions(queries))

        def answers(state: State, queries: Sequence[RuleQuery]) -> list[dict[str, str | None]]:
            conclusions: list[Conclusion] = []
            with self._budget.bounding():
                for each in list(islice(matched, len(queries))):
                    if isinstance(each, BaseException):
                        raise each
                    conclusions += each
            return [_to_row(answer) for answer in answers_of(state, self._base, conclusions)]

        return [(None, reason) if row is None else row_answer(partial(answers, *row)) for row, reason in read]

    def _read(self, row: Row) -> tuple[State, list[RuleQuery]]:
        """Return the state of a row with the queries about it."""
        theory = self._question.theory
        value = self._reader.read(text_in(row), STATE)
        game = None if row.get(GAME) in (None, "") else self._game(text_in(row, GAME), value)
        state = State(theory, STATE, value, self._reader)
        check_state(self._domain, state)
        return state, list(rule_queries(self._domain, state, game))

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


def _to_row(answer: Answer) -> dict[str, str | None]:
    found = answer.to_dict()
    return {**found, "bindings": json.dumps(found["bindings"], ensure_ascii=False)}
