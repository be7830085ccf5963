"""The printer: clauses as text of the language. Terms and conditions are in kb/ast/notation.py.

Lines break as in the formatter.

Invariants: Parsing the printed text gives an equal clause. Names of sorts and labels are printed unchanged,
so they must be valid names.
"""

from __future__ import annotations

from hornbook.kb.ast.declarations import (
    INTEGER_SORT,
    WORD,
    Clause,
    Example,
    ExceptionRule,
    Expect,
    Frame,
    Import,
    Predicate,
    Replies,
    ReplyCase,
    Sort,
    TheoryName,
)
from hornbook.kb.ast.notation import (
    in_parentheses,
    print_condition,
    print_conditions,
    print_expression,
    print_term,
    print_word,
)
from hornbook.kb.ast.terms import Rule, Term
from hornbook.kb.format.line_breaks import INDENT, WIDTH, break_lines, pieces_of
from hornbook.kb.text.scanner import scan

__all__ = [
    "print_clause", "print_condition", "print_conditions", "print_expression", "print_rule", "print_term",
    "print_word",
]  # fmt: skip


def print_clause(clause: Clause) -> str:
    """Return a clause with its period, without a final line end."""
    match clause:
        case TheoryName():
            return f"theory {clause.name}."
        case Import():
            return _in_lines(_import(clause))
        case Sort():
            return _in_lines(_sort(clause))
        case Predicate():
            return _in_lines(_predicate(clause))
        case Frame():
            cases = "; ".join(map(print_conditions, clause.cases))
            fluent = print_condition(clause.fluent)
            if clause.persists:
                return _in_lines(f"persists {fluent} unless {cases}." if cases else f"persists {fluent}.")
            return _in_lines(f"frame {fluent}: {cases}.")
        case Replies():
            replies = "; ".join(map(_reply, clause.cases))
            return _in_lines(f"replies {print_condition(clause.game)}: {replies}.")
        case Example():
            source = "" if clause.source is None else f' from "{clause.source}"'
            facts = f": {print_conditions(clause.facts)}" if clause.facts else ""
            later = "".join(f" then {print_condition(action)}" for action in clause.later)
            return _in_lines(f"example {clause.name}{source}{facts}{later}.")
        case Expect():
            answers = "" if clause.answers is None else f" gives {', '.join(map(_answer, clause.answers))}"
            return _in_lines(f"expect {clause.example}: {print_conditions(clause.conditions)}{answers}.")
        case Rule():
            return print_rule(clause)
        case ExceptionRule():
            excepted = ", ".join(each.name for each in clause.excepted)
            labels = (rule.label or "" for rule in clause.rules)
            head = "absent " if clause.suspends else ""
            return "\n".join(
                _labelled(f"{label} exception to {excepted}", head + _bare_rule(rule))
                for label, rule in zip(labels, clause.rules, strict=True)
            )


def print_rule(rule: Rule) -> str:
    """Return a rule or fact: its label on a line of its own, then head and body."""
    mark = "lemma " if rule.lemma else ""
    if rule.label is None:
        return _in_lines(mark + _bare_rule(rule))
    return _labelled(f"{mark}{rule.label}", _bare_rule(rule))


def _bare_rule(rule: Rule) -> str:
    body = f" :- {print_conditions(rule.body)}" if rule.body else ""
    return f"{print_condition(rule.head)}{body}."


def _labelled(label: str, text: str) -> str:
    if INDENT + len(text) <= WIDTH:
        return f"{label}:\n{' ' * INDENT}{text}"
    return _in_lines(f"{label}: {text}")


def _in_lines(text: str) -> str:
    """Return the text of a clause, broken into several lines if it is too long."""
    if len(text) <= WIDTH:
        return text
    tokens = [token for clause in scan(text, []) for token in clause]
    return "\n".join(break_lines(pieces_of(tokens)))


def _answer(row: tuple[Term, ...]) -> str:
    return print_term(row[0]) if len(row) == 1 else in_parentheses(row)


def _import(clause: Import) -> str:
    instance = "" if clause.instance is None else f" as {clause.instance}"
    names = ", ".join(f"{renaming.name} = {renaming.own}" for renaming in clause.renamings)
    return f"import {clause.name}{instance}{names and f' with {names}'}."


_KINDS_OF_SORTS = (INTEGER_SORT, "date", "time")
"""The words that denote a kind of sort if no other constant is listed."""


def _sort(sort: Sort) -> str:
    match sort.kind:
        case "open":
            return f"sort {sort.name}."
        case "integer":
            return f"sort {sort.name} = {INTEGER_SORT if sort.form is None else sort.form.written}."
        case "mixed":
            return f"sort {sort.name} = {WORD} | {INTEGER_SORT}."
        case "enumerated":
            # The word `int` alone would denote the sort of integers, and `date` that of dates.
            words = [f"'{word}'" if word in _KINDS_OF_SORTS else print_word(word) for word in sort.constants]
            return f"sort {sort.name} = {' | '.join(words)}."


def _predicate(predicate: Predicate) -> str:
    names = [column.name for column in predicate.columns]
    text = f"{predicate.kind} {predicate.name}"
    if predicate.key is not None:
        arrow = f"{', '.join(names[: predicate.key])} -> " if predicate.key else "-> "
        text += f"({arrow}{', '.join(names[predicate.key :])})"
    elif names:
        text += f"({', '.join(names)})"
    if predicate.counts is not None:
        text += f" counts {predicate.counts.name}"
    if predicate.but is not None:
        text += f" but {predicate.but.name}"
    if predicate.allows is not None:
        text += f" allows {predicate.allows.name}"
    modifiers = {
        "operational": predicate.operational,
        "observed": predicate.observed,
        "complete": predicate.complete,
        "stated": predicate.stated,
        "demanded": predicate.demanded,
    }
    words = "".join(f" {word}" for word, is_set in modifiers.items() if is_set)
    turn = "" if predicate.turn is None else f" {predicate.turn}"
    worth = "" if predicate.worth is None else f" worth {predicate.worth}"
    says = "" if predicate.says is None else f' says "{predicate.says.text}"'
    return f"{text}{words}{turn}{worth}{says}."


def _reply(case: ReplyCase) -> str:
    unless = "" if case.unless is None else f" unless {print_condition(case.unless)}"
    return print_conditions((case.action, *case.conditions)) + unless
