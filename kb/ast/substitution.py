"""Substitutions: terms for variables, in everything that has variables.

A substitution maps names of variables to terms; variables that it does not name stay. Variables listed by a
nested condition (`all ?x in …`) are that condition's own and are never replaced there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.theory import Vocabulary

Substitution = Mapping[str, t.Term]
S = TypeVar("S", bound=t.Statement)
C = TypeVar("C", bound=t.Condition)


def apply_to_term(term: t.Term, substitution: Substitution) -> t.Term:
    return substitution.get(term.name, term) if isinstance(term, t.Variable) else term


def apply_to_statement(statement: S, substitution: Substitution) -> S:
    return t.rewrite(statement, _applying(substitution))


def apply_to_expression(expression: t.Expression, substitution: Substitution) -> t.Expression:
    changed: t.Expression = _applying(substitution)(expression)
    return changed


def apply_to_condition(condition: C, substitution: Substitution) -> C:
    """The condition with terms for its variables."""
    listed = t.listed_variables(condition)
    if not listed:
        return t.rewrite(condition, _applying(substitution))
    own = {variable.name for variable in listed}
    outer = {name: term for name, term in substitution.items() if name not in own}
    return t.rewrite(condition, _applying(substitution), _applying(outer))


def _applying(substitution: Substitution) -> Callable[[Any], Any]:
    def change(part: Any) -> Any:
        match part:
            case t.Variable():
                return substitution.get(part.name, part)
            case t.Operation():
                return t.rewrite(part, change)
            case t.Constant():
                return part
            case _:
                return apply_to_condition(part, substitution)

    return change


def rename_rule(rule: t.Rule, name: Callable[[str], str]) -> t.Rule:
    """The rule with every variable renamed, those that nested conditions list too."""
    body = tuple(rename_condition(condition, name) for condition in rule.body)
    return replace(rule, head=rename_condition(rule.head, name), body=body)


def rename_condition(condition: C, name: Callable[[str], str]) -> C:
    """The condition with every variable renamed, those that it lists too."""

    def change(part: Any) -> Any:
        return (
            t.Variable(name(part.name), part.span)
            if isinstance(part, t.Variable)
            else t.rewrite(part, change)
        )

    return t.rewrite(condition, change)


def match_statement(pattern: t.Statement, instance: t.Statement) -> dict[str, t.Term] | None:
    """The substitution of the pattern's variables that gives the instance, or None where there is none.

    The moments are not compared. The instance's own variables count as constants.
    """
    if pattern.relation != instance.relation or len(pattern.terms) != len(instance.terms):
        return None
    found: dict[str, t.Term] = {}
    for ours, theirs in zip(pattern.terms, instance.terms, strict=True):
        if isinstance(ours, t.Variable):
            if found.setdefault(ours.name, theirs) != theirs:
                return None
        elif ours != theirs:
            return None
    return found


def statement_at(statement: S, moment: t.Tense | None, vocabulary: Vocabulary) -> S:
    """A statement as it is read at a moment: a tense word before what changes, none before the rest."""
    changed: t.Statement
    if isinstance(statement, t.GameStatement):
        changed = replace(statement, game=replace(statement.game, tense=moment))
    else:
        has_tense = vocabulary.predicates[statement.predicate].has_tense
        changed = replace(statement, tense=moment) if has_tense else statement
    assert isinstance(changed, type(statement))
    return changed


def at_moment(condition: C, moment: t.Tense | None, vocabulary: Vocabulary) -> C:
    """A timeless condition as it is read at a moment: a tense word before everything that changes."""

    def change(part: Any) -> Any:
        if isinstance(part, t.Statement):
            return statement_at(part, moment, vocabulary)
        return part if isinstance(part, t.Expression | t.Comparison) else t.rewrite(part, change)

    changed: C = change(condition)
    return changed
