"""Advice: the amounts of a decision for which learned rules conclude that it reaches a goal, or misses it.

No amounts are enumerated: each rule is matched with its amount unbound, and solved for it
(`compiler/advise/amounts.py`). A piece of advice covers exactly the amounts for which its rule would fire.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from hornbook.compiler.advise.amounts import AmountMatch, OpenRule, ground, open_rule
from hornbook.kb.ast.substitution import apply_to_statement
from hornbook.kb.ast.terms import Atom, Condition, Constant, GameStatement, Rule, Variable
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.integers.intervals import Intervals
from hornbook.kb.lower.coding import CodedQuery
from hornbook.kb.tables.answers import Row
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


_SOLVED = 4096
"""The number of solved matches that an adviser keeps."""


class Adviser:
    """An adviser: compiled rules that give advice on the current state of a knowledge base, which may change.

    `menu` is the predicate that lists amounts. `left_out` contains rules that cannot be solved for an amount.
    """

    def __init__(self, base: KnowledgeBase, rules: Iterable[Rule], menu: str) -> None:
        self.base = base
        self.left_out: list[str] = []
        self._rules: list[tuple[OpenRule, CodedQuery]] = []
        # States have many matches in common, such as those before and after a decision.
        self._solved = lru_cache(_SOLVED)(self._solve)
        for rule in rules:
            opened = open_rule(rule, menu, base.theory.vocabulary)
            if opened is None:
                self.left_out.append(rule.name)
            else:
                self._rules.append((opened, base.engine.coding.query(opened.query.conditions)))

    def advice(self) -> list[AmountAdvice]:
        """Return the advice of all rules in the current state: one piece for each rule, goal and decision."""
        return self.advice_from(lambda number: self.base.engine.query(self._rules[number][1]).rows)

    @property
    def queries(self) -> Sequence[Sequence[Condition]]:
        """The queries whose answers in a state are the matches of the rules there."""
        return [opened.query.conditions for opened, _ in self._rules]

    def advice_from(self, rows: Callable[[int], Iterable[Row]]) -> list[AmountAdvice]:
        """Return the advice in another state, from the answers there to the query with a number."""
        return [each for number in range(len(self._rules)) for each in self._of(number, rows(number))]

    def _of(self, number: int, rows: Iterable[Row]) -> Iterator[AmountAdvice]:
        """Yield the advice of the rule with a number, from its matches."""
        grounds = defaultdict[GameStatement, list[AmountMatch]](list)
        for row in rows:
            found = self._solved(number, row)
            if found is not None:
                statement, match = found
                grounds[statement].append(match)
        opened = self._rules[number][0]
        for statement, found_ones in grounds.items():
            amounts = Intervals.of(part for each in found_ones for part in each.amounts)
            yield AmountAdvice(opened.rule.name, statement, opened.amount, amounts, tuple(found_ones))

    def _solve(self, number: int, row: Row) -> tuple[GameStatement, AmountMatch] | None:
        """Return the conclusion and the amounts of a match, or None without an amount."""
        opened, query = self._rules[number]
        values = dict(zip(query.names, map(Constant, row), strict=True))
        found = ground(opened, values)
        if found is None:
            return None
        statement = apply_to_statement(opened.head, values)
        assert isinstance(statement, GameStatement)
        return statement, found
