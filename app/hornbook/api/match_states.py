"""Answers of learned rules about every state of a table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from hornbook.api.answers import Answer
from hornbook.api.position_matcher import (
    block_matcher,
    check_state,
    column_writer,
    first_conclusions,
    rule_queries,
)
from hornbook.compiler.match.position import Conclusion
from hornbook.compiler.match.ready_cache import matching_key
from hornbook.compiler.match.states import StateQuery
from hornbook.compiler.rules.admission import RuleBase, RuleEntry
from hornbook.inputs.games import game_of
from hornbook.inputs.states import FactsDomain, State, matching_domain
from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.terms import Atom, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.budget import Budget
from hornbook.kb.parse.facts import FactError
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.extras import extra_module
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.spread.state_texts import StateFactReader
from hornbook.spread.states import STATE, BadState, Outcomes, Row, outcome, text_in
from hornbook.theories.domain import RuleQuery

if TYPE_CHECKING:
    import pyarrow

BLOCK = 500
"""The number of rows that are matched together."""
_CACHED_ROWS = 100_000
GAME = "game"
"""The column that names the only game to query; without it, or if it is NULL, all games are queried."""


@dataclass(frozen=True, slots=True)
class MatchStates:
    """The answers of learned rules about each state, as `LearnedRules.match` returns them.

    With a `key` (`matching_key` in compiler/match/ready_cache.py), processes share the rules in the form for
    matchers.
    """

    theory: Theory
    rules: tuple[Rule, ...]
    limits: Limits | None = None
    key: str | None = None
    only_rules: bool = False

    @classmethod
    def of(
        cls, theory: Theory, entries: Sequence[RuleEntry], limits: Limits | None, *, only_rules: bool = False
    ) -> MatchStates:
        """Return the question about certified rules of a theory."""
        rules = tuple([entry.proved_for(theory) for entry in entries])
        return cls(theory, rules, limits, matching_key(entries, theory), only_rules)

    gives = "answers"
    reads = (STATE, GAME)

    @property
    def inputs(self) -> tuple[object, ...]:
        return self.rules, self.limits, self.only_rules

    def type(self) -> pyarrow.DataType:
        arrow = extra_module("pyarrow", "data")
        are_facts = isinstance(matching_domain(self.theory), FactsDomain)
        columns = ("conclusion",) if are_facts else ("game", "value", "move")
        names = ("rule", *columns, "bindings")
        return arrow.list_(arrow.struct([(name, arrow.string()) for name in names]))

    def ready(self, threads: int | None = None) -> Callable[[pyarrow.Table], Outcomes]:
        return _RowsMatcher(self, threads).answers


class _RowsMatcher:
    """Rules that are queried about blocks of rows."""

    def __init__(self, question: MatchStates, threads: int | None) -> None:
        self._question = question
        self._texts = StateFactReader(question.theory)
        self._reader = self._texts.reader
        self._domain = matching_domain(question.theory)
        self._budget = Budget.of(question.limits)
        self._base = RuleBase(question.theory.name)  # proofs are not needed
        self._rows: dict[int, tuple[Conclusion, dict[str, str | None]]] = {}
        """Conclusions and their rows, by the identity of the conclusion, which stays alive here."""
        reads_same = self._reader.module is self._domain.adapter
        self._writer = column_writer(self._domain) if reads_same else None
        self._matcher = block_matcher(
            question.theory,
            self._domain,
            question.rules,
            question.limits,
            key=question.key,
            only_rules=question.only_rules,
            threads=threads,
        )
        self._games: dict[Any, Atom] = {}
        """The games that texts name, whether a state has them or not."""
        self._no_state = State(question.theory, STATE, None, self._reader)

    def answers(self, rows: pyarrow.Table) -> Outcomes:
        """Return the answers about each row of a table."""
        table = rows.to_pylist()
        answers: list[list[dict[str, str | None]] | None] = []
        errors: list[str | None] = []
        for first in range(0, len(table), BLOCK):
            for found, error in self._block(table[first : first + BLOCK]):
                answers.append(found)
                errors.append(error)
        return answers, errors

    def _block(self, rows: Sequence[Row]) -> Iterator[tuple[list[dict[str, str | None]] | None, str | None]]:
        """Yield the answers about rows that are matched together, or the reason why a row has none."""
        texts = [text if isinstance(text := row[STATE], str) else "" for row in rows]
        read = [
            outcome(partial(self._read, row), each)
            for row, each in zip(rows, self._compact(texts), strict=True)
        ]
        matched = iter(self._matcher.conclusions([query for queries, _ in read for query in queries or ()]))
        for row, (queries, reason) in zip(rows, read, strict=True):
            answered = partial(self._answers, matched, row)
            yield (None, reason) if queries is None else outcome(answered, len(queries))

    def _compact(self, texts: Sequence[str]) -> Sequence[Any | None]:
        """Return the states of texts that can be read together, and None for the others."""
        if self._texts.are_facts:
            return self._texts.rows(texts)
        return [None] * len(texts) if self._writer is None else self._writer.compact_texts(texts)

    def _answers(
        self, matched: Iterator[list[Conclusion] | BaseException], row: Row, queries: int
    ) -> list[dict[str, str | None]]:
        """Return the answers to the next queries, which are about a row. Raises the error of one of them."""
        conclusions: list[Conclusion] = []
        for each in list(islice(matched, queries)):
            if isinstance(each, BaseException):
                if isinstance(each, FactError) and self._texts.are_facts:
                    self._reader.read(text_in(row), STATE)  # it says where the mistake is
                with self._budget.bounding():
                    raise each
            conclusions += each
        return [self._to_row(conclusion) for conclusion in first_conclusions(conclusions)]

    def _read(self, row: Row, compact: Any) -> Sequence[StateQuery]:
        """Return the queries about the state of a row, which may be read in compact form already."""
        theory, writer = self._question.theory, self._writer
        named = row.get(GAME)
        if compact is not None and self._texts.are_facts:
            game = None if named in (None, "") else self._game(text_in(row, GAME), ())
            return [RuleQuery([Part(dict, (compact,))], () if game is None else (game,))]
        if compact is not None and writer is not None:
            game = None if named in (None, "") else self._known_game(named)
            queries = writer.column_queries(compact, game, theory) if game or named in (None, "") else None
            if queries is not None:
                return queries
        value = self._reader.read(text_in(row), STATE)
        game = None if named in (None, "") else self._game(text_in(row, GAME), value)
        state = State(theory, STATE, value, self._reader)
        check_state(self._domain, state)
        if writer is not None:
            queries = writer.column_queries(writer.compact_state(value), game, theory)
            if queries is not None:
                return queries
        return list(rule_queries(self._domain, state, game))

    def _known_game(self, text: Any) -> Atom | None:
        """Return the game that a text names, or None if it may name none."""
        if text not in self._games:
            try:
                self._games[text] = game_of(self._question.theory, text)
            except (TheoryError, ValueError, TypeError):
                return None
        return self._games[text]

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

    def _to_row(self, conclusion: Conclusion) -> dict[str, str | None]:
        """Return an answer as a row. Many states of games share conclusions, whose rows are cached."""
        if isinstance(self._domain, FactsDomain):
            answer = Answer(self._no_state, self._base, conclusion)
            bindings = json.dumps(dict(answer.bindings), ensure_ascii=False)
            return {"rule": answer.rule, "conclusion": answer.statement, "bindings": bindings}
        known = self._rows.get(id(conclusion))
        if known is None:
            found = Answer(self._no_state, self._base, conclusion).to_dict()
            row = {**found, "bindings": json.dumps(found["bindings"], ensure_ascii=False)}
            if len(self._rows) > _CACHED_ROWS:
                self._rows.clear()
            known = self._rows[id(conclusion)] = conclusion, row
        return known[1]
