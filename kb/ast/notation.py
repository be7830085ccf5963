"""Terms and conditions as text of the language, on one line.

Invariants:

- Parsing the printed text gives an equal value.
- Names of predicates and variables are printed unchanged, so they must be valid names. Words are quoted if
  necessary.
"""

from __future__ import annotations

import re

from hornbook.kb.ast.operators import STRENGTH
from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    All,
    Atom,
    Comparison,
    Condition,
    Constant,
    CountIn,
    Expression,
    GameStatement,
    Operation,
    PlanStatement,
    Term,
    Variable,
)
from hornbook.kb.text.lines import with_plain_ends
from hornbook.kb.text.scanner import RESERVED

_NAME = re.compile(r"[^\W\d_]\w*")


def print_word(word: str) -> str:
    """Return a word, in quotes if it does not look like a name.

    A line break in a word is printed as `⏎`. Tables can contain such words; texts cannot.
    """
    if _NAME.fullmatch(word) and word[0].isalpha():
        return word
    return "'" + with_plain_ends(word).replace("\n", "⏎").replace("'", "''") + "'"


def print_term(term: Expression) -> str:
    """Return an argument of a statement. It is a calculation only before desugaring."""
    if isinstance(term, Variable):
        return "_" if term.is_wildcard else f"?{term.name}"
    if isinstance(term, Operation):
        return print_expression(term)
    return print_word(term.value) if isinstance(term.value, str) else str(term.value)


def print_expression(expression: Expression, strength: int = 0) -> str:
    """Return one side of a comparison. It is parenthesised if an operator of the given strength is applied to
    it.
    """
    match expression:
        case Variable():
            return print_term(expression)
        case Constant():
            return f"'{expression.value}'" if expression.value in RESERVED else print_term(expression)
        case Operation() if expression.operator not in STRENGTH:
            return f"{expression.operator}({', '.join(map(print_expression, expression.operands))})"
        case Operation():
            own = STRENGTH[expression.operator]
            left, right = print_expression(expression.left, own - 1), print_expression(expression.right, own)
            text = f"{left} {expression.operator} {right}"
            return f"({text})" if own <= strength else text


def print_condition(condition: Condition) -> str:
    """Return a condition on one line."""
    match condition:
        case Atom():
            tense = "" if condition.tense is None else f"{condition.tense} "
            return tense + condition.predicate + in_parentheses(condition.arguments)
        case GameStatement():
            by = "" if condition.by is None else f" by {print_condition(condition.by)}"
            return f"{print_condition(condition.game)}{by} is {print_term(condition.value)}"
        case PlanStatement():
            game, by = print_condition(condition.game), print_condition(condition.by)
            return f"plan {game} in {condition.moves} by {by}"
        case Comparison():
            return (
                f"{print_expression(condition.left)} {condition.operator} {print_expression(condition.right)}"
            )
        case All():
            member = f"all {_listed(condition.variables)} in {print_condition(condition.member)}"
            return f"{member}: {_inner(condition.conditions)}"
        case CountIn():
            sets = " or ".join(print_condition(member) for member in condition.sets)
            text = f"{print_expression(condition.result)} = count {_listed(condition.variables)} in "
            text += f"({sets})" if len(condition.sets) > 1 else sets
            return text + (
                " but " + " or ".join(map(print_term, condition.excluded)) if condition.excluded else ""
            )
        case Aggregate():
            function = f"{condition.function} {_listed(condition.variables)}"
            return f"{print_expression(condition.result)} = {function} where {_inner(condition.conditions)}"
        case Absent():
            return f"absent {_inner(condition.conditions)}"


def print_conditions(conditions: tuple[Condition, ...]) -> str:
    """Return conditions on one line, as in a query or a body."""
    return ", ".join(map(print_condition, conditions))


def in_parentheses(terms: tuple[Term, ...]) -> str:
    return f"({', '.join(map(print_term, terms))})" if terms else ""


def _listed(variables: tuple[Variable, ...]) -> str:
    return ", ".join(map(print_term, variables))


def _inner(conditions: tuple[Condition, ...]) -> str:
    text = print_conditions(conditions)
    return f"({text})" if len(conditions) > 1 else text
