"""Substitutions of terms for variables, applied to everything that has variables.

A substitution maps names of variables to terms. Other variables stay unchanged. Variables listed by a nested
condition (`all ?x in …`) are local to it and are never replaced there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, TypeVar

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.theory import Vocabulary

Substitution = Mapping[str, t.Term]
S = TypeVar("S", bound=t.Statement)
C = TypeVar("C", bound=t.Condition)


def apply_to_term(term: t.Term, substitution: Substitution) -> t.Term:
    return substitution.get(term.name, term) if isinstance(term, t.Variable) else term


def apply_to_statement(statement: S, substitution: Substitution) -> S:
    terms = statement.terms
    for term in terms:
        if isinstance(term, t.Variable) and term.name in substitution:
            break
    else:
        return statement
    applied = statement.with_terms(tuple([apply_to_term(term, substitution) for term in terms]))
    assert isinstance(applied, type(statement))
    return applied


def apply_to_expression(expression: t.Expression, substitution: Substitution) -> t.Expression:
    applied: t.Expression = _applied(substitution, expression)
    return applied


def apply_to_condition(condition: C, substitution: Substitution) -> C:
    """Return the condition with terms for its variables."""
    if isinstance(condition, (t.Atom, t.GameStatement, t.PlanStatement)):
        return apply_to_statement(condition, substitution)
    if isinstance(condition, t.Comparison):
        left, right = _applied(substitution, condition.left), _applied(substitution, condition.right)
        if left is condition.left and right is condition.right:
            return condition
        compared: Any = t.Comparison(condition.operator, left, right, condition.span)
        return compared  # type: ignore[no-any-return]
    listed = t.listed_variables(condition)
    if not listed:
        return t.rewrite(condition, partial(_applied, substitution))
    own = {variable.name for variable in listed}
    outer = substitution
    if not own.isdisjoint(substitution):
        outer = {name: term for name, term in substitution.items() if name not in own}
    return t.rewrite(condition, partial(_applied, substitution), partial(_applied, outer))


# This is a function of the module, because a closure that refers to itself needs the garbage collector.


def _applied(substitution: Substitution, part: Any) -> Any:
    if isinstance(part, t.Variable):
        return substitution.get(part.name, part)
    if isinstance(part, t.Constant):
        return part
    if isinstance(part, t.Operation):
        return t.rewrite(part, partial(_applied, substitution))
    return apply_to_condition(part, substitution)


def rename_rule(rule: t.Rule, name: Callable[[str], str]) -> t.Rule:
    """Return the rule with every variable renamed, including those that nested conditions list."""
    # A variable can occur many times in a rule and is renamed once.
    known: dict[str, t.Variable] = {}
    body = tuple([_renamed(name, known, condition) for condition in rule.body])
    return replace(rule, head=_renamed(name, known, rule.head), body=body)


@lru_cache(maxsize=4096)
def marked_rule(rule: t.Rule, mark: str) -> t.Rule:
    """Return the rule with a mark after the name of every variable, without the fields that
    equality ignores.
    """
    marked = rename_rule(rule, lambda name: f"{name}{mark}")
    return t.Rule(marked.head, marked.body, rule.label, lemma=rule.lemma)


def rename_condition(condition: C, name: Callable[[str], str]) -> C:
    """Return the condition with every variable renamed, including those that it lists."""
    return t.rewrite(condition, partial(_renamed, name, {}))


def _renamed(name: Callable[[str], str], known: dict[str, t.Variable], part: Any) -> Any:
    if isinstance(part, t.Variable):
        found = known.get(part.name)
        if found is None:
            found = known[part.name] = t.Variable(name(part.name), part.span)
        return found
    if isinstance(part, t.Constant):
        return part
    if isinstance(part, t.Atom):  # by far the most frequent condition
        terms: list[t.Term] = []
        for term in part.arguments:
            if isinstance(term, t.Variable):
                found = known.get(term.name)
                if found is None:
                    found = known[term.name] = t.Variable(name(term.name), term.span)
                terms.append(found)
            else:
                terms.append(term)
        return t.Atom(part.predicate, tuple(terms), part.tense, part.span)
    return t.rewrite(part, partial(_renamed, name, known))


def match_statement(pattern: t.Statement, instance: t.Statement) -> dict[str, t.Term] | None:
    """Return the substitution that maps the pattern to the instance, or None.

    Moments are not compared. Variables of the instance count as constants.
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
    """Return a statement at a moment: predicates that change get a tense word, others get none."""
    changed: t.Statement
    if isinstance(statement, t.PlanStatement):
        changed = statement
    elif isinstance(statement, t.GameStatement):
        game = t.Atom(statement.game.predicate, statement.game.arguments, moment, statement.game.span)
        changed = t.GameStatement(game, statement.by, statement.value, statement.span)
    else:
        has_tense = vocabulary.predicates[statement.predicate].has_tense
        changed = statement
        if has_tense and statement.tense != moment:
            changed = t.Atom(statement.predicate, statement.arguments, moment, statement.span)
    assert isinstance(changed, type(statement))
    return changed


def at_moment(condition: C, moment: t.Tense | None, vocabulary: Vocabulary) -> C:
    """Return a timeless condition at a moment, with a tense word before every predicate that changes."""
    changed: C = _read_at(moment, vocabulary, condition)
    return changed


def rule_at(
    rule: t.Rule, moment: t.Tense | None, vocabulary: Vocabulary
) -> tuple[t.Statement, *tuple[t.Condition, ...]] | None:
    """Return the head and the body of a rule for a conclusion at a moment, or None if it concludes for the
    other one.
    """
    if not any(statement.tense for statement in (rule.head, *t.statements(rule.body))):
        return rule.head, *(at_moment(condition, moment, vocabulary) for condition in rule.body)
    return None if rule.head.tense not in (None, moment or "before") else (rule.head, *rule.body)


def _read_at(moment: t.Tense | None, vocabulary: Vocabulary, part: Any) -> Any:
    if isinstance(part, t.Statement):
        return statement_at(part, moment, vocabulary)
    if isinstance(part, (t.Expression, t.Comparison)):
        return part
    return t.rewrite(part, partial(_read_at, moment, vocabulary))
