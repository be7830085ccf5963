"""Advice: the amounts of a decision for which learned rules conclude that it reaches a goal, or misses it.

No amounts are enumerated: each rule is matched with its amount unbound, and solved for it
(`compiler/advise/amounts.py`). A piece of advice covers exactly the amounts for which its rule would fire.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from hornbook.compiler.advise.amounts import AmountMatch, OpenRule, ground, open_rule
from hornbook.kb.ast.substitution import apply_to_statement
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule, Variable
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.integers.intervals import Intervals
from hornbook.kb.lower.coding import CodedQuery
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class AmountAdvice:
    """The conclusion of one rule about one decision: its effect on a goal, and the amounts."""

    rule: str
    statement: GameStatement
    """The statement with an unbound amount: `supply(butter) by buy(butter, ?k) is GI`."""
    amount: str
    """The name of the unbound variable."""
    amounts: Intervals
    grounds: tuple[AmountMatch, ...]

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
        """Return the decision with `?n` for its amount, independently of the rule's own name for it."""
        return apply_to_statement(self.decision, {self.amount: Variable("n")})

    def of(self, amount: int) -> GameStatement:
        """Return the statement for one amount."""
        found = apply_to_statement(self.statement, {self.amount: Constant(amount)})
        assert isinstance(found, GameStatement)
        return found


class Adviser:
    """An adviser: compiled rules that give advice on the current state of a knowledge base, which may change.

    `menu` is the predicate that lists amounts. `left_out` contains rules that cannot be solved for an amount.
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
                self._rules.append((opened, base.engine.coding.query(opened.query.conditions)))

    def advice(self) -> list[AmountAdvice]:
        """Return the advice of all rules in the current state: one piece for each rule, goal and decision."""
        return [each for opened, query in self._rules for each in self._of(opened, query)]

    def _of(self, opened: OpenRule, query: CodedQuery) -> Iterator[AmountAdvice]:
        grounds = defaultdict[GameStatement, list[AmountMatch]](list)
        answers = self.base.engine.query(query)
        for row in answers.rows:
            values = dict(zip(answers.variables, map(Constant, row), strict=True))
            found = ground(opened, values)
            if found is not None:
                statement = apply_to_statement(opened.head, values)
                assert isinstance(statement, GameStatement)
                grounds[statement].append(found)
        for statement, found_ones in grounds.items():
            amounts = Intervals.of(part for each in found_ones for part in each.amounts)
            yield AmountAdvice(opened.rule.name, statement, opened.amount, amounts, tuple(found_ones))
