"""Substitutions: terms for variables, in everything that has variables.

A substitution maps names of variables to terms; variables that it does not name stay. Variables listed by a
nested condition (`all ?x in …`) are that condition's own and are never replaced there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    All,
    Atom,
    Comparison,
    Condition,
    CountIn,
    Expression,
    GameStatement,
    Operation,
    Rule,
    Statement,
    Tense,
    Term,
    Variable,
)
from hornbook.kb.ast.theory import Vocabulary

Substitution = Mapping[str, Term]
S = TypeVar("S", bound=Statement)


def apply_to_term(term: Term, substitution: Substitution) -> Term:
    return substitution.get(term.name, term) if isinstance(term, Variable) else term


def apply_to_statement(statement: S, substitution: Substitution) -> S:
    terms = tuple(apply_to_term(term, substitution) for term in statement.terms)
    changed = statement.with_terms(terms)
    assert isinstance(changed, type(statement))
    return changed


def apply_to_expression(expression: Expression, substitution: Substitution) -> Expression:
    if isinstance(expression, Operation):
        left = apply_to_expression(expression.left, substitution)
        return replace(expression, left=left, right=apply_to_expression(expression.right, substitution))
    return apply_to_term(expression, substitution)


def apply_to_condition(condition: Condition, substitution: Substitution) -> Condition:
    """The condition with terms for its variables."""
    match condition:
        case Atom() | GameStatement():
            return apply_to_statement(condition, substitution)
        case Comparison():
            left = apply_to_expression(condition.left, substitution)
            return replace(condition, left=left, right=apply_to_expression(condition.right, substitution))
        case All():
            outer = _without(substitution, condition.variables)
            member = apply_to_statement(condition.member, outer)
            return replace(condition, member=member, conditions=_apply_to_all(condition.conditions, outer))
        case CountIn():
            outer = _without(substitution, condition.variables)
            return replace(
                condition,
                result=apply_to_expression(condition.result, substitution),
                sets=tuple(apply_to_statement(member, outer) for member in condition.sets),
                excluded=tuple(apply_to_term(term, substitution) for term in condition.excluded),
            )
        case Aggregate():
            outer = _without(substitution, condition.variables)
            result = apply_to_expression(condition.result, substitution)
            return replace(condition, result=result, conditions=_apply_to_all(condition.conditions, outer))
        case Absent():
            return replace(condition, conditions=_apply_to_all(condition.conditions, substitution))


def _apply_to_all(conditions: tuple[Condition, ...], substitution: Substitution) -> tuple[Condition, ...]:
    return tuple(apply_to_condition(condition, substitution) for condition in conditions)


def _without(substitution: Substitution, variables: tuple[Variable, ...]) -> Substitution:
    own = {variable.name for variable in variables}
    return {name: term for name, term in substitution.items() if name not in own}


def rename_rule(rule: Rule, name: Callable[[str], str]) -> Rule:
    """The rule with every variable renamed, those that nested conditions list too."""
    body = tuple(rename_condition(condition, name) for condition in rule.body)
    return replace(rule, head=_rename_statement(rule.head, name), body=body)


def rename_condition(condition: Condition, name: Callable[[str], str]) -> Condition:
    """The condition with every variable renamed, those that it lists too."""
    match condition:
        case Atom() | GameStatement():
            return _rename_statement(condition, name)
        case Comparison():
            left = _rename_expression(condition.left, name)
            return replace(condition, left=left, right=_rename_expression(condition.right, name))
        case All():
            return replace(
                condition,
                variables=_rename_variables(condition.variables, name),
                member=_rename_statement(condition.member, name),
                conditions=tuple(rename_condition(c, name) for c in condition.conditions),
            )
        case CountIn():
            return replace(
                condition,
                result=_rename_expression(condition.result, name),
                variables=_rename_variables(condition.variables, name),
                sets=tuple(_rename_statement(member, name) for member in condition.sets),
                excluded=tuple(_rename_term(term, name) for term in condition.excluded),
            )
        case Aggregate():
            return replace(
                condition,
                result=_rename_expression(condition.result, name),
                variables=_rename_variables(condition.variables, name),
                conditions=tuple(rename_condition(c, name) for c in condition.conditions),
            )
        case Absent():
            return replace(
                condition, conditions=tuple(rename_condition(c, name) for c in condition.conditions)
            )


def _rename_term(term: Term, name: Callable[[str], str]) -> Term:
    return Variable(name(term.name), term.span) if isinstance(term, Variable) else term


def _rename_variables(variables: tuple[Variable, ...], name: Callable[[str], str]) -> tuple[Variable, ...]:
    return tuple(Variable(name(variable.name), variable.span) for variable in variables)


def _rename_statement(statement: S, name: Callable[[str], str]) -> S:
    changed = statement.with_terms(tuple(_rename_term(term, name) for term in statement.terms))
    assert isinstance(changed, type(statement))
    return changed


def _rename_expression(expression: Expression, name: Callable[[str], str]) -> Expression:
    if isinstance(expression, Operation):
        left = _rename_expression(expression.left, name)
        return replace(expression, left=left, right=_rename_expression(expression.right, name))
    return _rename_term(expression, name)


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


def at_moment(condition: Condition, moment: Tense | None, vocabulary: Vocabulary) -> Condition:
    """A timeless condition as it is read at a moment: a tense word before everything that changes."""
    match condition:
        case Atom() | GameStatement():
            return statement_at(condition, moment, vocabulary)
        case Comparison():
            return condition
        case All():
            member = statement_at(condition.member, moment, vocabulary)
            inner = tuple(at_moment(c, moment, vocabulary) for c in condition.conditions)
            return replace(condition, member=member, conditions=inner)
        case CountIn():
            sets = tuple(statement_at(member, moment, vocabulary) for member in condition.sets)
            return replace(condition, sets=sets)
        case Aggregate() | Absent():
            inner = tuple(at_moment(c, moment, vocabulary) for c in condition.conditions)
            return replace(condition, conditions=inner)
