"""Literals in rules that a program made: constants get the forms that the sorts of their places need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.check.clauses.sorts import variable_forms
from hornbook.kb.check.units import Measure, measure_of
from hornbook.kb.text.literals.forms import Form

_OF_ONE_FORM = ("+", "-", "min", "max", "abs")


def with_literals(rule: t.Rule, vocabulary: Vocabulary) -> t.Rule:
    """Return the rule with dates, times and decimal numbers instead of plain integers in such places.

    A calculated constant is a plain integer. Its text could not be read back. The returned rule is equal.
    """
    if all(sort.form is None for sort in vocabulary.sorts.values()):
        return rule
    forms = variable_forms(rule.head, rule.body, vocabulary)
    formed = partial(_formed, forms, vocabulary)
    return replace(rule, head=formed(rule.head), body=tuple(map(formed, rule.body)))


def _formed(forms: Mapping[str, Form], vocabulary: Vocabulary, node: Any) -> Any:
    formed = partial(_formed, forms, vocabulary)
    match node:
        case t.Atom():
            columns = vocabulary.predicates[node.predicate].columns
            sorts = [vocabulary.sorts[column.name] for column in columns]
            return node.with_terms(
                tuple(_literal(term, sort.form) for term, sort in zip(node.terms, sorts, strict=True))
            )
        case t.GameStatement():
            by = None if node.by is None else formed(node.by)
            return replace(node, game=formed(node.game), by=by)
        case t.Comparison():
            left, right = (_measure(side, forms) for side in (node.left, node.right))
            form = left.form or right.form
            return replace(node, left=_side(node.left, form), right=_side(node.right, form))
        case t.All() | t.CountIn() | t.Aggregate() | t.Absent():
            return t.rewrite(node, formed)
    return node


def _measure(side: t.Expression, forms: Mapping[str, Form]) -> Measure:
    known = measure_of(side, lambda variable: Measure(form=forms.get(variable.name)))
    return Measure() if known is None else known


def _side(side: t.Expression, form: Form | None) -> t.Expression:
    """Return a side of a comparison whose sides have a form. A number is added to a date, but is none."""
    if isinstance(side, t.Operation) and side.operator in _OF_ONE_FORM:
        if form is not None and not form.is_point:
            return replace(side, operands=tuple(_side(each, form) for each in side.operands))
        return side
    return _literal(side, form) if isinstance(side, t.Constant) else side


def _literal(term: Any, form: Form | None) -> Any:
    if not isinstance(term, t.Constant) or not isinstance(term.value, int):
        return term
    written = int if form is None else form.number
    return term if type(term.value) is written else t.Constant(written(term.value), term.span)
