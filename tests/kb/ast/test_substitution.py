"""Tests of the fold over conditions against a walk that uses only the fields of the dataclasses."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.substitution import apply_to_condition, rename_condition
from oracles.language.term_strategies import conditions, rules

VALUE = t.Constant("value")


def all_terms(part):
    """Return every variable and constant in the order of the fields."""
    if isinstance(part, t.Variable | t.Constant):
        return [part]
    if isinstance(part, tuple):
        return [term for each in part for term in all_terms(each)]
    if not is_dataclass(part):
        return []
    return [term for each in fields(part) for term in all_terms(getattr(part, each.name))]


def free(part, hidden=frozenset()):
    """Return the names of the variables that are free in the condition."""
    if isinstance(part, t.Variable):
        return {part.name} - hidden
    if isinstance(part, tuple):
        return {name for each in part for name in free(each, hidden)}
    if not is_dataclass(part):
        return set()
    own = hidden | {variable.name for variable in getattr(part, "variables", ())}
    outside = {"result", "excluded"}
    return {
        name
        for each in fields(part)
        for name in free(getattr(part, each.name), hidden if each.name in outside else own)
    }


@pytest.mark.deep
@given(conditions())
def test_every_term_is_a_leaf_in_the_order_of_the_text(condition):
    assert list(t.leaves(condition)) == all_terms(condition)
    assert t.rewrite(condition, lambda part: part) == condition


@pytest.mark.deep
@given(rules())
def test_every_statement_is_found_in_nested_conditions_too(rule):
    found = [term for statement in t.statements(rule.body) for term in all_terms(statement)]
    outside = [c for c in rule.body if isinstance(c, t.Atom | t.GameStatement)]
    assert list(t.statements(rule.body, nested=False)) == outside
    assert {str(term) for term in found} <= {str(term) for term in all_terms(rule.body)}


@pytest.mark.deep
@given(conditions())
def test_variables_are_renamed_wherever_they_state(condition):
    renamed = rename_condition(condition, lambda name: f"{name}_other")
    names = [term.name for term in all_terms(renamed) if isinstance(term, t.Variable)]
    assert names == [f"{term.name}_other" for term in all_terms(condition) if isinstance(term, t.Variable)]
    assert rename_condition(renamed, lambda name: name.removesuffix("_other")) == condition


@given(conditions(), st.data())
def test_a_substitution_takes_the_variables_that_nothing_lists(condition, data):
    names = sorted({term.name for term in all_terms(condition) if isinstance(term, t.Variable)})
    chosen = set(data.draw(st.lists(st.sampled_from(names), unique=True))) if names else set()
    met = apply_to_condition(condition, dict.fromkeys(chosen, VALUE))
    assert free(met) == free(condition) - chosen
    before, after = all_terms(condition), all_terms(met)
    assert len(before) == len(after)
    assert all(new in (old, VALUE) for old, new in zip(before, after, strict=True))
    assert apply_to_condition(condition, {}) == condition
