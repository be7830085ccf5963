"""Substitutions: terms for variables, in everything that has variables.

A substitution maps names of variables to terms; variables that it does not name stay. Variables listed by a
nested condition (`all ?x in …`) are that condition's own and are never replaced there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from hornbook.kb.ast.terms import (
    Comparison,
    Condition,
    Constant,
    Expression,
    GameStatement,
    Operation,
    Rule,
    Statement,
    Tense,
    Term,
    Variable,
    listed_variables,
    rewrite,
)
from hornbook.kb.ast.theory import Vocabulary

Substitution = Mapping[str, Term]
S = TypeVar("S", bound=Statement)
C = TypeVar("C", bound=Condition)


def apply_to_term(term: Term, substitution: Substitution) -> Term:
    return substitution.get(term.name, term) if isinstance(term, Variable) else term


def apply_to_statement(statement: S, substitution: Substitution) -> S:
    return rewrite(statement, _applying(substitution))


def apply_to_expression(expression: Expression, substitution: Substitution) -> Expression:
    changed: Expression = _applying(substitution)(expression)
    return changed


def apply_to_condition(condition: C, substitution: Substitution) -> C:
    """The condition with terms for its variables."""
    listed = listed_variables(condition)
    if not listed:
        return rewrite(condition, _applying(substitution))
    own = {variable.name for variable in listed}
    outer = {name: term for name, term in substitution.items() if name not in own}
    return rewrite(condition, _applying(substitution), _applying(outer))


def _applying(substitution: Substitution) -> Callable[[Any], Any]:
    def change(part: Any) -> Any:
        match part:
            case Variable():
                return substitution.get(part.name, part)
            case Operation():
                return rewrite(part, change)
            case Constant():
                return part
            case _:
                return apply_to_condition(part, substitution)

    return change


def rename_rule(rule: Rule, name: Callable[[str], str]) -> Rule:
    """The rule with every variable renamed, those that nested conditions list too."""
    body = tuple(rename_condition(condition, name) for condition in rule.body)
    return replace(rule, head=rename_condition(rule.head, name), body=body)


def rename_condition(condition: C, name: Callable[[str], str]) -> C:
    """The condition with every variable renamed, those that it lists too."""

    def change(part: Any) -> Any:
        return Variable(name(part.name), part.span) if isinstance(part, Variable) else rewrite(part, change)

    return rewrite(condition, change)


def match_statement(pattern: Statement, instance: Statement) -> dict[str, Term] | None:
    """The substitution of the pattern's variables that gives the instance, or None where there is none.

    The moments are not compared. The instance's own variables count as constants.
    """
    if pattern.relation != instance.relation or len(pattern.terms) != len(instance.terms):
        return None
    found: dict[str, Term] = {}
    for ours, theirs in zip(pattern.terms, instance.terms, strict=True):
        if isinstance(ours, Variable):
            if found.setdefault(ours.name, theirs) != theirs:
                return None
        elif ours != theirs:
            return None
    return found


def statement_at(statement: S, moment: Tense | None, vocabulary: Vocabulary) -> S:
    """A statement as it is read at a moment: a tense word before what changes, none before the rest."""
    changed: Statement
    if isinstance(statement, GameStatement):
        changed = replace(statement, game=replace(statement.game, tense=moment))
    else:
        has_tense = vocabulary.predicates[statement.predicate].has_tense
        changed = replace(statement, tense=moment) if has_tense else statement
    assert isinstance(changed, type(statement))
    return changed


def at_moment(condition: C, moment: Tense | None, vocabulary: Vocabulary) -> C:
    """A timeless condition as it is read at a moment: a tense word before everything that changes."""

    def change(part: Any) -> Any:
        if isinstance(part, Statement):
            return statement_at(part, moment, vocabulary)
        return part if isinstance(part, Expression | Comparison) else rewrite(part, change)

    changed: C = change(condition)
    return changed
