"""Advice: the amounts of a decision for which learned rules conclude that it reaches a goal, or misses it.

No amount is tried: each rule is matched with its amount open, and solved for it (`compiler/advise/amounts.py`). So a piece of
advice holds for an amount exactly where its rule would fire if that amount were looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hornbook.compiler.advise.amounts import Ground, OpenRule, ground, open_rule
from hornbook.kb.ast.substitution import apply_to_statement
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule, Variable
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.integers.intervals import Intervals
from hornbook.kb.lower.coding import CodedQuery


@dataclass(frozen=True, slots=True)
class Advice:
    """What one rule says of one decision: what it does to a goal, and for which amounts."""

    rule: str
    statement: GameStatement
    """`supply(butter) by buy(butter, ?k) is GI`."""
    amount: str
    """The name of the open variable."""
    amounts: Intervals
    grounds: tuple[Ground, ...]

    @property
    def value(self) -> str:
        assert isinstance(self.statement.value, Constant)
        return str(self.statement.value.value)

    @property
    def goal(self) -> Atom:
        return self.statement.game

    @property
    def decision(self) -> Atom:
        assert self.statement.by is not None
        return self.statement.by

    @property
    def open_decision(self) -> Atom:
        """The decision with `?n` for its amount, however the rule calls it."""
        return apply_to_statement(self.decision, {self.amount: Variable("n")})

    def of(self, amount: int) -> GameStatement:
        """What is said of one amount."""
        found = apply_to_statement(self.statement, {self.amount: Constant(amount)})
        assert isinstance(found, GameStatement)
        return found


class Adviser:
    """Rules, ready to advise on the state in a knowledge base, whose facts may change in between.

    `menu` is the predicate that lists amounts. Rules that cannot be solved for an amount are in `left_out`.
    """

    def __init__(self, base: KnowledgeBase, rules: Iterable[Rule], menu: str) -> None:
        self.base = base
        self.left_out: list[str] = []
        self._rules: list[tuple[OpenRule, CodedQuery]] = []
        for rule in rules:
            opened = open_rule(rule, menu, base.theory.vocabulary)
            if opened is None:
                self.left_out.append(rule.name)
            else:
                self._rules.append((opened, base.coding.query(opened.query.conditions)))

    def advice(self) -> list[Advice]:
        """All that the rules say of the present state: one piece for each rule, goal and decision."""
        return [each for opened, query in self._rules for each in self._of(opened, query)]

    def _of(self, opened: OpenRule, query: CodedQuery) -> Iterator[Advice]:
        grounds = defaultdict[GameStatement, list[Ground]](list)
        answers = self.base.ask(query)
        for row in answers:
            values = dict(zip(answers.variables, map(Constant, row), strict=True))
            found = ground(opened, values)
            if found is not None:
                statement = apply_to_statement(opened.head, values)
                assert isinstance(statement, GameStatement)
                grounds[statement].append(found)
        for statement, found_ones in grounds.items():
            amounts = Intervals.of(part for each in found_ones for part in each.amounts)
            yield Advice(opened.rule.name, statement, opened.amount, amounts, tuple(found_ones))
