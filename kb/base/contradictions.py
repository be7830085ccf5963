"""Contradictions: two statements on one game at one moment, one saying won and the other lost.

Values of one game combine by information order (kb/ast/values.py), and I against anything is no quarrel. Where G
stands against P no state is to blame, since a state never gives values: the theory is, or a rule that was
added to it. Nothing is taken back, so that both statements can be asked why they hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from hornbook.kb.ast.terms import Constant, GameStatement, Statement, Term
from hornbook.kb.ast.values import ContradictionError, Value, combine
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two statements that hold and cannot both be right."""

    first: GameStatement
    second: GameStatement

    def __str__(self) -> str:
        first, second = print_condition(self.first), print_condition(self.second)
        return (
            f"`{first}` and `{second}` both follow, and one says won where the other says lost: "
            "the theory is at fault; ask why of each"
        )


def contradictions(base: KnowledgeBase) -> Iterator[Contradiction]:
    """The contradictions in what holds, one for each game, action and moment, in the order of the statements."""
    for relation in base.relations():
        if not isinstance(relation, GameStatement):
            continue
        for _, alike in groupby(base.statements(relation.relation, relation.tense), _what):
            by_value = {
                Value(str(s.value.value)): s
                for s in alike
                if isinstance(s, GameStatement) and isinstance(s.value, Constant)
            }
            try:
                combine(*by_value)
            except ContradictionError as problem:
                yield Contradiction(by_value[problem.first], by_value[problem.second])


def _what(statement: Statement) -> tuple[Term, ...]:
    """Game and action, without the value."""
    assert isinstance(statement, GameStatement)
    return statement.terms[:-1]
