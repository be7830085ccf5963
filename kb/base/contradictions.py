"""Contradictions: two statements on one game at one moment, one with a win and the other with a loss.

Values of one game combine by the order of information (kb/ast/values.py). I is compatible with everything. If
G meets P, the fault lies in the theory or an added rule, never in the state, since a state never gives
values. No statement is removed, so that users can ask for the proofs of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from hornbook.kb.ast.terms import Constant, GameStatement, Statement, Term
from hornbook.kb.ast.values import ContradictionError, Value, combine
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two derived statements that cannot both be right."""

    first: GameStatement
    second: GameStatement

    def __str__(self) -> str:
        first, second = print_condition(self.first), print_condition(self.second)
        return (
            f"`{first}` and `{second}` both follow, and one says won where the other says lost: "
            "the theory is at fault; ask why of each"
        )


def contradictions(base: KnowledgeBase) -> Iterator[Contradiction]:
    """Yield the contradictions, one for each game, action and moment, in the order of the statements."""
    for relation in base.relations():
        if not isinstance(relation, GameStatement):
            continue
        for _, alike in groupby(base.engine.statements(relation.relation, relation.tense), _game_and_action):
            by_value = {
                Value(str(s.value.value)): s
                for s in alike
                if isinstance(s, GameStatement) and isinstance(s.value, Constant)
            }
            try:
                combine(*by_value)
            except ContradictionError as problem:
                yield Contradiction(by_value[problem.first], by_value[problem.second])


def _game_and_action(statement: Statement) -> tuple[Term, ...]:
    """Return the game and the action, without the value."""
    assert isinstance(statement, GameStatement)
    return statement.terms[:-1]
