"""Calculations among the arguments of statements: each becomes a variable with an equation.

`left(?p, ?most - ?l) :- C` becomes `left(?p, ?n) :- C, ?n = ?most - ?l`. The equation is placed beside the
statement, also inside `all`, `absent` and aggregates. Calculations of integers only are evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeVar, cast

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.declarations import Clause, Example, Expect, Frame, Replies, ReplyCase
from hornbook.kb.ast.evaluation import evaluated
from hornbook.kb.ast.notation import print_expression
from hornbook.kb.ast.operators import is_of_integers
from hornbook.kb.desugar.surface import MARK, RefusedClause
from hornbook.kb.sources.diagnostics import error
from hornbook.kb.text.literals.functions import DEFINITIONS

S = TypeVar("S", bound=t.Statement)
_OPERATOR_NAMES = {"+": "plus", "-": "minus", "*": "times", "//": "over", "mod": "mod"}
_LONGEST = 24
"""The maximum length of a name that describes a calculation."""


C = TypeVar("C", bound="Clause | tuple[t.Condition, ...]")


def without_calculations(built: C) -> C:
    """Return a clause or the conditions of a query. All arguments are terms. Raises RefusedClause."""
    return cast("C", _expanded(built))


def _expanded(built: Clause | tuple[t.Condition, ...]) -> Clause | tuple[t.Condition, ...]:
    match built:
        case tuple():
            return _CalculationExpansion(built).conjunction(built)
        case t.Rule():
            work = _CalculationExpansion((built.head, *built.body))
            body, head = work.with_statement(built.body, built.head)
            return replace(built, head=head, body=body)
        case Expect():
            return replace(
                built, conditions=_CalculationExpansion(built.conditions).conjunction(built.conditions)
            )
        case Frame():
            _require_terms(built.fluent, "the fluent of a frame", "write a variable or a word")
            cases = tuple(
                _CalculationExpansion((built.fluent, *case)).conjunction(case) for case in built.cases
            )
            return replace(built, cases=cases)
        case Replies():
            _require_terms(built.game, "the game of `replies`", "write a variable or a word")
            return replace(built, cases=tuple(map(_reply, built.cases)))
        case Example():
            work = _CalculationExpansion(built.statements)
            facts, later = tuple(map(work.fact, built.facts)), tuple(map(work.fact, built.later))
            return replace(built, facts=facts, later=later)
        case _:
            return built


def _reply(case: ReplyCase) -> ReplyCase:
    conditions, action = _CalculationExpansion((case.action, *case.conditions)).with_statement(
        case.conditions, case.action
    )
    if case.unless is not None:
        _require_terms(
            case.unless, "what follows `unless`", "give the number a name in a condition before it"
        )
    return replace(case, action=action, conditions=conditions)


def _require_terms(statement: t.Statement, what: str, help_: str) -> None:
    for term in cast("Iterable[t.Expression]", statement.terms):
        if isinstance(term, t.Operation):
            raise RefusedClause(error("HB001", f"{what} has no calculation", term.span, help_))


class _CalculationExpansion:
    """The expansion of one clause, with the names of its variables."""

    def __init__(self, nodes: Iterable[t.Node]) -> None:
        self._taken: set[str] = set()
        todo = list(nodes)
        while todo:
            node = todo.pop()
            if isinstance(node, t.Variable):
                self._taken.add(node.name)
            todo += t.parts(node)

    def conjunction(self, conditions: Iterable[t.Condition]) -> tuple[t.Condition, ...]:
        """Return the expanded conditions of a conjunction, each after its equations. Equal calculations share
        a variable.
        """
        return self._conjunction(conditions, {})

    def with_statement(
        self, conditions: Iterable[t.Condition], statement: S
    ) -> tuple[tuple[t.Condition, ...], S]:
        """Return the expanded conditions and their statement, whose equations follow the conditions."""
        known: dict[t.Operation, t.Variable] = {}
        equations: list[t.Condition] = []
        found = self._conjunction(conditions, known)
        changed = self.statement(statement, known, equations)
        return (*found, *equations), changed

    def _conjunction(
        self, conditions: Iterable[t.Condition], known: dict[t.Operation, t.Variable]
    ) -> tuple[t.Condition, ...]:
        found: list[t.Condition] = []
        for condition in conditions:
            equations: list[t.Condition] = []
            changed = self._condition(condition, known, equations)
            found += (*equations, changed)
        return tuple(found)

    def _condition(
        self, condition: t.Condition, known: dict[t.Operation, t.Variable], equations: list[t.Condition]
    ) -> t.Condition:
        match condition:
            case t.Atom() | t.GameStatement() | t.PlanStatement():
                return self.statement(condition, known, equations)
            case t.Comparison():
                return condition
            case t.All():
                member = self.statement(condition.member, known, equations)
                return replace(condition, member=member, conditions=self.conjunction(condition.conditions))
            case t.CountIn():
                sets = tuple(self.statement(member, known, equations) for member in condition.sets)
                return replace(condition, sets=sets)
            case t.Aggregate() | t.Absent():
                return replace(condition, conditions=self.conjunction(condition.conditions))

    def statement(
        self, statement: S, known: dict[t.Operation, t.Variable], equations: list[t.Condition]
    ) -> S:
        """Return a statement with a variable for each calculation, and append its equations."""

        def term_of(written: t.Expression) -> t.Term:
            folded = _folded(written)
            if not isinstance(folded, t.Operation):
                return folded
            variable = known.get(folded)
            if variable is None:
                variable = known[folded] = self._variable(folded)
                equations.append(t.Comparison("=", variable, folded, folded.span))
            return replace(variable, span=folded.span)

        return _with_terms(statement, term_of)

    def fact(self, statement: S) -> S:
        """Return a statement whose calculations must all be constant."""

        def term_of(written: t.Expression) -> t.Term:
            folded = _folded(written)
            if isinstance(folded, t.Operation):
                message = "a fact of an example has no calculation with a variable or a word"
                raise RefusedClause(error("HB040", message, folded.span, "write the value"))
            return folded

        return _with_terms(statement, term_of)

    def _variable(self, operation: t.Operation) -> t.Variable:
        name = _bounded_name(operation)
        number, free = 1, name
        while free in self._taken:
            number += 1
            free = f"{name}_{number}"
        self._taken.add(free)
        return t.Variable(free, operation.span, print_expression(operation))


def _with_terms(statement: S, term_of: Callable[[t.Expression], t.Term]) -> S:
    terms = cast("tuple[t.Expression, ...]", statement.terms)
    if not any(isinstance(term, t.Operation) for term in terms):
        return statement
    changed: Any = statement.with_terms(tuple(map(term_of, terms)))
    return cast("S", changed)


def _folded(expression: t.Expression) -> t.Expression:
    """Return the expression, evaluated if it consists of integers without a form. Raises RefusedClause if
    there is no value.

    The form of another result depends on the operands, so the checker needs the expression.
    """
    if not isinstance(expression, t.Operation):
        return expression
    operands = [_folded(operand) for operand in expression.operands]
    values = [operand.value for operand in operands if isinstance(operand, t.Constant)]
    are_plain = len(values) == len(operands) and all(type(value) is int for value in values)
    if not are_plain or expression.operator in DEFINITIONS or not is_of_integers(expression.operator):
        return replace(expression, operands=tuple(operands))
    found = evaluated(expression.operator, values)
    if found is None or not t.MIN_INTEGER <= found <= t.MAX_INTEGER:
        message = f"`{print_expression(expression)}` has no value within 64 bits"
        raise RefusedClause(error("HB006", message, expression.span, "write another calculation"))
    return t.Constant(found, expression.span)


def _bounded_name(operation: t.Operation) -> str:
    """Return a name that describes a calculation: in full, or without operands of calls, or `calculated`."""
    for of_calls in (True, False):
        name = _name_of(operation, of_calls=of_calls)
        if len(name) <= _LONGEST:
            return name if name[0].isalpha() else f"is_{name}"
    return "calculated"


def _name_of(expression: t.Expression, *, of_calls: bool) -> str:
    """Return a description of a calculation, with the operands of calls if `of_calls`."""
    match expression:
        case t.Variable():
            return "any" if expression.is_wildcard else expression.name.removeprefix(MARK)
        case t.Constant(value=int() as value):
            return str(int(value)) if value >= 0 else f"minus_{-value}"
        case t.Constant(value=str() as word):
            return "".join(letter for letter in word if letter.isalnum()) or "word"
        case t.Operation(operator=operator, operands=operands):
            if operator not in _OPERATOR_NAMES and not of_calls:
                return operator
            names = [_name_of(operand, of_calls=of_calls) for operand in operands]
            return (
                f"_{_OPERATOR_NAMES[operator]}_".join(names)
                if operator in _OPERATOR_NAMES
                else "_".join((operator, *names))
            )
    raise AssertionError(expression)
