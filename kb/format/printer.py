"""The printer: terms, conditions and clauses as text of the language.

What is printed and parsed again is equal to what was printed. Names of predicates, sorts, labels and variables
are printed as they are, so they have to be names; words are quoted where they need it. The lines of a clause
break where the formatter would break them.
"""

from __future__ import annotations

import re

from hornbook.kb.ast.declarations import (
    INTEGER_SORT,
    Clause,
    Example,
    Expect,
    Frame,
    Import,
    Predicate,
    Replies,
    ReplyCase,
    Sort,
    TheoryName,
)
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
    Rule,
    Term,
    Variable,
)
from hornbook.kb.format.line_breaks import INDENT, WIDTH, break_lines, pieces_of
from hornbook.kb.text.lines import with_plain_ends
from hornbook.kb.text.scanner import RESERVED, scan

_NAME = re.compile(r"[^\W\d_]\w*")
_STRENGTH = {"+": 1, "-": 1, "*": 2, "//": 2}
"""How strongly an operator binds; operators of one strength bind from the left."""


def print_word(word: str) -> str:
    """A word, in quotes where it does not look like a name.

    A line break inside a word, which a table can hold and no text can, is shown as `⏎`.
    """
    if _NAME.fullmatch(word) and word[0].isalpha():
        return word
    return "'" + with_plain_ends(word).replace("\n", "⏎").replace("'", "''") + "'"


def print_term(term: Term) -> str:
    if isinstance(term, Variable):
        return "_" if term.is_wildcard else f"?{term.name}"
    return print_word(term.value) if isinstance(term.value, str) else str(term.value)


def print_expression(expression: Expression, strength: int = 0) -> str:
    """A side of a comparison, in parentheses where an operator of the given strength is applied to it."""
    match expression:
        case Variable():
            return print_term(expression)
        case Constant():
            return f"'{expression.value}'" if expression.value in RESERVED else print_term(expression)
        case Operation(operator="min" | "max"):
            return f"{expression.operator}({print_expression(expression.left)}, {print_expression(expression.right)})"
        case Operation():
            own = _STRENGTH[expression.operator]
            left, right = print_expression(expression.left, own - 1), print_expression(expression.right, own)
            text = f"{left} {expression.operator} {right}"
            return f"({text})" if own <= strength else text


def print_condition(condition: Condition) -> str:
    """A condition on one line."""
    match condition:
        case Atom():
            tense = "" if condition.tense is None else f"{condition.tense} "
            return tense + condition.predicate + _in_parentheses(condition.arguments)
        case GameStatement():
            by = "" if condition.by is None else f" by {print_condition(condition.by)}"
            return f"{print_condition(condition.game)}{by} is {print_term(condition.value)}"
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
    """Conditions on one line, as in a query or a body."""
    return ", ".join(map(print_condition, conditions))


def print_clause(clause: Clause) -> str:
    """A clause with its period, in lines without a line end after the last."""
    match clause:
        case TheoryName():
            return f"theory {clause.name}."
        case Import():
            return f"import {clause.name}."
        case Sort():
            return _in_lines(_sort(clause))
        case Predicate():
            return _in_lines(_predicate(clause))
        case Frame():
            cases = "; ".join(map(print_conditions, clause.cases))
            return _in_lines(f"frame {print_condition(clause.fluent)}: {cases}.")
        case Replies():
            replies = "; ".join(map(_reply, clause.cases))
            return _in_lines(f"replies {print_condition(clause.game)}: {replies}.")
        case Example():
            source = "" if clause.source is None else f' from "{clause.source}"'
            facts = f": {print_conditions(clause.facts)}" if clause.facts else ""
            return _in_lines(f"example {clause.name}{source}{facts}.")
        case Expect():
            answers = "" if clause.answers is None else f" gives {', '.join(map(_answer, clause.answers))}"
            return _in_lines(f"expect {clause.example}: {print_conditions(clause.conditions)}{answers}.")
        case Rule():
            return print_rule(clause)


def print_rule(rule: Rule) -> str:
    """A rule or fact: its label on a line of its own, then conclusion and conditions."""
    body = f" :- {print_conditions(rule.body)}" if rule.body else ""
    text = f"{print_condition(rule.head)}{body}."
    if rule.label is None:
        return _in_lines(text)
    if INDENT + len(text) <= WIDTH:
        return f"{rule.label}:\n{' ' * INDENT}{text}"
    return _in_lines(f"{rule.label}: {text}")


def _in_lines(text: str) -> str:
    """A clause that stands on one line, over several if it is too long."""
    if len(text) <= WIDTH:
        return text
    tokens = [token for clause in scan(text, []) for token in clause]
    return "\n".join(break_lines(pieces_of(tokens)))


def _in_parentheses(terms: tuple[Term, ...]) -> str:
    return f"({', '.join(map(print_term, terms))})" if terms else ""


def _listed(variables: tuple[Variable, ...]) -> str:
    return ", ".join(map(print_term, variables))


def _inner(conditions: tuple[Condition, ...]) -> str:
    text = print_conditions(conditions)
    return f"({text})" if len(conditions) > 1 else text


def _answer(row: tuple[Term, ...]) -> str:
    return print_term(row[0]) if len(row) == 1 else _in_parentheses(row)


def _sort(sort: Sort) -> str:
    match sort.kind:
        case "open":
            return f"sort {sort.name}."
        case "integer":
            return f"sort {sort.name} = {INTEGER_SORT}."
        case "enumerated":
            # The word `int` alone would be the sort of integers.
            words = [f"'{word}'" if word == INTEGER_SORT else print_word(word) for word in sort.constants]
            return f"sort {sort.name} = {' | '.join(words)}."


def _predicate(predicate: Predicate) -> str:
    names = [column.name for column in predicate.columns]
    text = f"{predicate.kind} {predicate.name}"
    if predicate.key is not None:
        text += f"({', '.join(names[: predicate.key])} -> {', '.join(names[predicate.key :])})"
    elif names:
        text += f"({', '.join(names)})"
    if predicate.counts is not None:
        text += f" counts {predicate.counts.name}"
    if predicate.but is not None:
        text += f" but {predicate.but.name}"
    words = (" operational" if predicate.operational else "") + (" observed" if predicate.observed else "")
    return f"{text}{words}."


def _reply(case: ReplyCase) -> str:
    unless = "" if case.unless is None else f" unless {print_condition(case.unless)}"
    return print_conditions((case.action, *case.conditions)) + unless
