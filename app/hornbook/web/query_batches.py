"""A query that is answered in many states of one request.

Invariants: The answers in a state are those of a request with its facts and parameters alone. An error in a
state has no effect on the others. The states that are left when the time is over have that error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import monotonic

from hornbook.kb.ast.parts import Rows
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.base.fact_encoder import Group
from hornbook.kb.base.fact_states import ChangedStates
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.state_reading import StateReader
from hornbook.kb.lower.budget import SpentError
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.tables.answers import Answers
from hornbook.kb.tables.table_facts import TableError, TableShape
from hornbook.matcher.program.coded import Limits
from hornbook.terminal.code_exits import exits_are_errors
from hornbook.web.service.questions import QueriedState

BLOCK = 100
"""The number of states that are evaluated together. The time is checked after each block."""
FactsOfText = Callable[[str], Rows]
"""A function that returns the facts of a state's text."""


class QueryBatches:
    """The rules and facts of a knowledge base, which does not change until the last batch.

    Args:
        base: The knowledge base.
        limits: The limits of each state.
        most: The largest number of answers in a state.
        facts_of: Returns the facts of the text of a state.
    """

    def __init__(self, base: KnowledgeBase, limits: Limits, most: int, facts_of: FactsOfText) -> None:
        self._base, self._limits, self._most, self._facts_of = base, limits, most, facts_of
        self._reader = StateReader(base.theory, base.engine.coding)
        vocabulary = base.theory.vocabulary
        self._tables = frozenset(name for name in vocabulary.predicates if _has_tables(name, vocabulary))
        # The processes of a service share the processors.
        self._changed = ChangedStates(base, limits, threads=1)

    def answers(
        self, query: str, states: Sequence[QueriedState], single: Callable[[QueriedState], Answers]
    ) -> Iterator[Answers | Exception]:
        """Yield the answers to a query in each state, or the error of the state.

        The function `single` answers in one state. It is called for states that cannot be evaluated together.
        """
        started, seconds = monotonic(), self._limits.seconds
        for first in range(0, len(states), BLOCK):
            block = states[first : first + BLOCK]
            if seconds is not None and monotonic() - started > seconds:
                late = SpentError(f"more than {seconds:g} seconds for all states", "seconds")
                yield from [late] * len(block)
                continue
            for state, found in zip(block, self._together(query, block), strict=True):
                yield _outcome(single, state) if found is None else found

    def _together(self, query: str, block: Sequence[QueriedState]) -> list[Answers | None]:
        """Return the answers in states that can be evaluated together."""
        found: list[Answers | None] = [None] * len(block)
        read = map(self._groups, block, self._reader.rows([each.add for each in block]))
        by_parameters: dict[tuple[tuple[str, str | int], ...], list[tuple[int, list[Group]]]] = {}
        for place, (state, groups) in enumerate(zip(block, read, strict=True)):
            if groups:  # without facts of its own, a state needs no evaluation of rules
                by_parameters.setdefault(tuple(sorted(state.set.items())), []).append((place, groups))
        for parameters, given in by_parameters.items():
            try:
                queries = self._base.engine.coded_queries(query, dict(parameters))
            except TheoryError:
                continue
            places, states = zip(*given, strict=True)
            for place, answers in zip(
                places, self._changed.answers(states, queries, self._most), strict=True
            ):
                found[place] = answers
        return found

    def _groups(self, state: QueriedState, read: Rows | None) -> list[Group] | None:
        """Return the facts of a state, or None if another function must find its error."""
        if read is None or not self._tables.issuperset(state.facts):
            return None
        tables: Rows = {(name, None): [tuple(row) for row in rows] for name, rows in state.facts.items()}
        given = [read, tables]
        if state.state is not None:
            try:
                given.append(self._facts_of(state.state))
            except Exception:  # noqa: BLE001 - an adapter may raise anything; `single` raises it again
                return None
        found: list[Group] = []
        for facts in given:
            groups = self._changed.groups(facts)
            if groups is None:
                return None
            found += groups
        return found


def _has_tables(name: str, vocabulary: Vocabulary) -> bool:
    """Return whether tables of a predicate have columns and may be given."""
    try:
        return bool(TableShape.of(name, vocabulary, name).sorts)
    except TableError:
        return False


def _outcome(single: Callable[[QueriedState], Answers], state: QueriedState) -> Answers | Exception:
    try:
        with exits_are_errors:
            return single(state)
    except Exception as problem:  # noqa: BLE001 - an adapter may raise anything
        return problem
