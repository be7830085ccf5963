"""Regression: what is left of a generalised proof is said of the state before the action.

The after-facts were inner nodes of the proof and are gone; what remains held before the action, is the
action itself, or never changes. A statement on a game carries its action in the head (`by …`), and every
other condition then is timeless, so that the rule can be read at either moment: as advice before a move and
as a lemma after one. A conclusion of another kind keeps the tense words that its proof needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from compiler.certificate import Step
from compiler.generalisation import Generalised, NotOperationalError
from compiler.unify import Unifier
from kb.evaluation_order import in_order
from kb.substitution import (
    apply_to_condition,
    apply_to_statement,
    apply_to_term,
    at_moment,
    rename_condition,
    statement_at,
)
from kb.terms import Atom, Condition, GameStatement, Rule, Term, Variable, condition_variables
from kb.theory import Vocabulary


@dataclass(frozen=True, slots=True)
class Regressed:
    """A rule, and the steps of its proof over the rule's own variables."""

    rule: Rule
    steps: tuple[Step, ...]


def regress(proved: Generalised, vocabulary: Vocabulary, label: str) -> Regressed:
    """The learned rule that a generalised proof states. Raises NotOperationalError where it states none."""
    head, conditions, steps = proved.head, proved.conditions, proved.steps
    actions = [c for c in conditions if _is_action(c, vocabulary)]
    if isinstance(head, GameStatement) and head.by is not None and head.tense != "after":
        head, conditions, steps = _of_one_action(head, conditions, steps, vocabulary)
        timeless = True
    elif head.tense == "after":
        timeless = not actions and all(moment_of(c) != "before" for c in conditions)
    else:
        if actions:
            raise NotOperationalError(
                "what holds before an action cannot rest on it, unless it is a game's value"
            )
        timeless = True
    if timeless:
        head = statement_at(head, None, vocabulary)
        conditions = tuple(at_moment(c, None, vocabulary) for c in conditions)
    body = tuple(in_order(tuple(dict.fromkeys(conditions))))
    return _with_plain_names(Rule(head, body, label), steps)


def moment_of(condition: Condition) -> str | None:
    return condition.tense if isinstance(condition, Atom | GameStatement) else None


def _is_action(condition: Condition, vocabulary: Vocabulary) -> bool:
    return isinstance(condition, Atom) and vocabulary.predicates[condition.predicate].kind == "action"


def _of_one_action(
    head: GameStatement, conditions: tuple[Condition, ...], steps: tuple[Step, ...], vocabulary: Vocabulary
) -> tuple[GameStatement, tuple[Condition, ...], tuple[Step, ...]]:
    """Makes every action of the proof the head's: there is one action between before and after."""
    assert head.by is not None
    unifier = Unifier()
    rest: list[Condition] = []
    for condition in conditions:
        if not _is_action(condition, vocabulary):
            rest.append(condition)
        elif not isinstance(condition, Atom) or not unifier.unify_statements(head.by, condition):
            raise NotOperationalError(
                f"the proof rests on another action than `{head.by.predicate}` of its conclusion"
            )

    def named(names: Iterable[str]) -> dict[str, Term]:
        return {name: unifier.walk(Variable(name)) for name in names}

    resolved = tuple(apply_to_condition(c, named(v.name for v in condition_variables(c))) for c in rest)
    new_head = apply_to_statement(head, named(t.name for t in head.terms if isinstance(t, Variable)))
    new_steps = tuple(
        replace(step, substitution=tuple((n, unifier.walk(t)) for n, t in step.substitution))
        for step in steps
    )
    return new_head, resolved, new_steps


def _with_plain_names(rule: Rule, steps: tuple[Step, ...]) -> Regressed:
    """The rule with short names for its variables, in order of appearance; each as its theory rule has it."""
    taken: set[str] = set()
    names: dict[str, str] = {}
    variables = [t for t in rule.head.terms if isinstance(t, Variable)]
    variables += [v for condition in rule.body for v in condition_variables(condition)]
    for variable in variables:
        if variable.name not in names:
            names[variable.name] = _free_name(variable.name, taken)

    def name(old: str) -> str:
        # A step may speak of a variable that the rule itself no longer has.
        return names.setdefault(old, _free_name(old, taken)) if old not in names else names[old]

    head = apply_to_statement(rule.head, {old: Variable(new) for old, new in names.items()})
    body = tuple(rename_condition(condition, name) for condition in rule.body)
    plain = tuple(
        Step(s.rule, s.moment, tuple((n, _renamed(t, name)) for n, t in s.substitution)) for s in steps
    )
    return Regressed(replace(rule, head=head, body=body), plain)


def _renamed(term: Term, name: object) -> Term:
    assert callable(name)
    return apply_to_term(term, {term.name: Variable(name(term.name))}) if isinstance(term, Variable) else term


def _free_name(old: str, taken: set[str]) -> str:
    base = old.split("~", 1)[0]
    # A wildcard has no name that a person gave.
    base = "x" if base.startswith("_") else base
    stem = re.sub(r"\d+$", "", base) or "x"
    candidate, number = base, 1
    while candidate in taken:
        number += 1
        candidate = f"{stem}{number}"
    taken.add(candidate)
    return candidate
