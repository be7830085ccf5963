"""What learned rules say of every state of a table."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hornbook.api.position_matcher import PositionMatcher
from hornbook.compiler.checker.form import text_of_rule
from hornbook.compiler.match.position import Matcher
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.domains import NoPictureError, the_domain
from hornbook.inputs.states import State, reader_for
from hornbook.kb.ast.terms import Atom, Constant, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.budget import Budget
from hornbook.kb.parse.syntax import parse_query
from hornbook.kb.sources.collector import collector_paused
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.extras import extra_module
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.spread.states import STATE, BadState, Row, text_in

if TYPE_CHECKING:
    import pyarrow

GAME = "game"
"""The column that names the one game to be asked about; where it is NULL, or there is none, all are."""


@dataclass(frozen=True, slots=True)
class MatchStates:
    """The answers of learned rules about each state, as `LearnedRules.match` gives them for one."""

    theory: Theory
    rules: tuple[Rule, ...]
    limits: Limits | None = None

    gives = "answers"
    reads = (STATE, GAME)

    @property
    def says(self) -> str:
        return "\0".join(
            [str(self.limits), *(f"{rule.of_given} {text_of_rule(rule)}" for rule in self.rules)]
        )

    def type(self) -> pyarrow.DataType:
        arrow = extra_module("pyarrow", "data")
        names = ("rule", "game", "value", "move", "bindings")
        return arrow.list_(arrow.struct([(name, arrow.string()) for name in names]))

    def ready(self) -> Callable[[Row], Any]:
        return _Asking(self).answers

    def matcher(self, base: RuleBase | None = None) -> PositionMatcher:
        """The rules ready to be asked; their proofs are those of the base. Raises NoPictureError if no domain says what is asked."""
        domain = the_domain(self.theory, "what is asked about its states", NoPictureError)
        matcher = Matcher(self.theory, domain.focus_predicate, self.limits)
        with collector_paused():
            for rule in self.rules:
                matcher.add(rule)
        return PositionMatcher(self.theory, base or RuleBase(self.theory.name), domain, matcher)


class _Asking:
    """Rules that are asked about one row after another. An engine that passed a limit is given up."""

    def __init__(self, asked: MatchStates) -> None:
        self._asked = asked
        self._reader = reader_for(asked.theory)
        self._domain = the_domain(asked.theory, "what is asked about its states", NoPictureError)
        self._matcher = asked.matcher()
        self._budget = Budget.of(asked.limits)

    def answers(self, row: Row) -> list[dict[str, str | None]]:
        theory = self._asked.theory
        value = self._reader.read(text_in(row), STATE)
        game = None if row.get(GAME) is None else self._game(text_in(row, GAME), value)
        try:
            with self._budget.bounding():
                self._matcher.set(State(theory, STATE, value, self._reader))
                found = [answer.as_json() for answer in self._matcher.answers(game)]
        except HornbookError:
            self._matcher = self._asked.matcher()
            raise
        return [{**each, "bindings": json.dumps(each["bindings"], ensure_ascii=False)} for each in found]

    def _game(self, text: str, value: Any) -> Atom:
        """The game that a row names. Raises BadState where there is none such in the state."""
        theory = self._asked.theory
        declared = {p.name: p for p in theory.vocabulary.predicates.values() if p.kind == "game"}
        try:
            found = parse_query(text).conditions
        except TheoryError as problem:
            raise BadState(GAME, problem.diagnostics[0].message) from None
        game = found[0] if len(found) == 1 else None
        if (
            not isinstance(game, Atom)
            or game.predicate not in declared
            or declared[game.predicate].arity != len(game.terms)
            or not all(isinstance(term, Constant) for term in game.terms)
        ):
            raise BadState(GAME, f"`{text}` is no game of `{theory.name}`; there are {', '.join(declared)}")
        game = Atom(game.predicate, game.terms)
        try:
            self._domain.question(value, game)
        except (LookupError, ValueError):
            raise BadState(GAME, f"`{text}` is about nothing that is in this state") from None
        return game
