"""`or` among conditions: one of several conjunctions holds.

`a, (b or c, d)` means `a, b` or `a, c, d`. So a rule with `or` becomes several rules, and a case of a frame
several cases. `absent (b or c)` becomes `absent b, absent c`. Universal conditions and aggregates cannot be
expanded, so `or` is refused there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.notation import print_condition
from hornbook.kb.desugar.groups import require_groups
from hornbook.kb.desugar.surface import (
    MARK,
    Alternatives,
    GroupedAggregate,
    RefusedClause,
    SurfaceCondition,
    written_variables,
)
from hornbook.kb.sources.diagnostics import Diagnostic, error

MOST = 64
"""The maximum number of alternatives of an expanded clause."""

Body = tuple[t.Condition, ...]


def bodies_of(conditions: Sequence[SurfaceCondition]) -> tuple[Body, ...]:
    """Return the conjunctions into which the conditions of a conjunction expand."""
    choices = [_choices(condition) for condition in conditions]
    number = 1
    for choice in choices:
        number *= len(choice)
        if number > MOST:
            raise _too_many(ending_at(conditions[0].span, conditions[-1].span))
    return tuple(tuple(c for body in choice for c in body) for choice in product(*choices))


def single_body(conditions: Sequence[SurfaceCondition], where: str) -> Body:
    """Return the conditions of a conjunction that cannot be expanded. `where` is its place in the message."""
    bodies = bodies_of(conditions)
    if len(bodies) > 1:
        help_ = "write a predicate with a rule for each alternative, and use it here"
        span = ending_at(bodies[0][0].span, bodies[-1][-1].span)
        raise RefusedClause(error("HB059", f"`or` cannot stand {where}", span, help_))
    return bodies[0]


def _choices(condition: SurfaceCondition) -> tuple[Body, ...]:
    """Return the conjunctions into which one condition expands."""
    match condition:
        case Alternatives():
            found: list[Body] = []
            for conditions in condition.bodies:
                found += bodies_of(conditions)
                if len(found) > MOST:
                    raise _too_many(ending_at(found[0][0].span, found[-1][-1].span))
            return tuple(found)
        case t.Absent():
            bodies = bodies_of(condition.conditions)
            return (tuple(t.Absent(body, ending_at(condition.span, body[-1].span)) for body in bodies),)
        case t.All():
            inner = single_body(condition.conditions, "among what holds of all members")
            return ((replace(condition, conditions=inner),),)
        case t.Aggregate():
            inner = single_body(condition.conditions, f"within `{condition.function}`")
            if isinstance(condition, GroupedAggregate):
                require_groups(condition, inner)
            return ((replace(condition, conditions=inner),),)
        case _:
            return ((condition,),)


def ending_at(first: t.Span, last: t.Span) -> t.Span:
    """Return the span from the beginning of one span to the end of another."""
    return first._replace(end_line=last.end_line, end_column=last.end_column)


def _too_many(span: t.Span) -> RefusedClause:
    message = f"the clause has more than {MOST} alternatives, taken apart"
    help_ = "give a part of it a name: a predicate with a rule for each alternative"
    return RefusedClause(error("HB059", message, span, help_))


def require_head_variables(head: t.Statement, bodies: Sequence[Body]) -> None:
    """Raise RefusedClause with HB059 if only some alternatives contain a variable of a head."""
    known = [set(_names(body)) for body in bodies]
    for variable in dict.fromkeys(v for v in written_variables((head,)) if not v.is_wildcard):
        lacking = [body for body, names in zip(bodies, known, strict=True) if variable.name not in names]
        if lacking and len(lacking) < len(bodies):
            raise RefusedClause(
                _missing_variable(
                    variable.name, lacking[0], bodies, "the conclusion has it", "name it there, too"
                )
            )


def unequal_answer_variables(bodies: Sequence[Body]) -> Iterator[Diagnostic]:
    """Yield HB059 for variables that only some alternatives of a query answer."""
    answered = [
        {v.name for v in t.answered_variables(body) if not v.name.startswith(MARK)} for body in bodies
    ]
    for name in sorted(set().union(*answered)):
        lacking = [body for body, names in zip(bodies, answered, strict=True) if name not in names]
        if lacking:
            help_ = "name it there too, or write `_` if its value is not needed"
            yield _missing_variable(name, lacking[0], bodies, "others answer it", help_)


def _missing_variable(name: str, body: Body, bodies: Sequence[Body], why: str, help_: str) -> Diagnostic:
    own = _own(body, bodies)
    shown = ", ".join(map(print_condition, own))
    message = f"the alternative `{shown}` does not have `?{name}`, and {why}"
    return error("HB059", message, ending_at(own[0].span, own[-1].span), help_)


def _own(body: Body, bodies: Sequence[Body]) -> Body:
    """Return the conditions of an alternative that not all alternatives share, or all of its conditions."""
    return tuple(c for c in body if not all(c in other for other in bodies)) or body


def numbered_rules(
    written: t.Rule, bodies: Sequence[Body], spelled_out: Callable[[Body], Body]
) -> list[t.Rule]:
    """Return the rules of a rule with alternatives, one for each, with numbers in the labels.

    `spelled_out` expands the abbreviations in the conditions of a rule. A variable that occurs once in its
    alternative but several times in the text is replaced by a wildcard.
    """
    places = Counter(_names((written.head, *{id(c): c for body in bodies for c in body}.values())))
    rules = []
    for number, body in enumerate(map(spelled_out, bodies), 1):
        here = Counter(_names((written.head, *body)))
        single = frozenset(name for name, count in here.items() if count == 1 and places[name] > 1)
        conditions = tuple(_with_wildcards(c, single) for c in body)
        label = None if written.label is None else f"{written.label}_{number}"
        rules.append(
            with_numbered_wildcards(replace(written, body=conditions, label=label, alternative=number))
        )
    return rules


def _with_wildcards(condition: Any, single: frozenset[str]) -> Any:
    """Return the condition with wildcards for arguments that are variables without other occurrences."""
    match condition:
        case t.Atom() | t.GameStatement():
            return condition.with_terms(
                tuple(
                    replace(term, name="_") if isinstance(term, t.Variable) and term.name in single else term
                    for term in condition.terms
                )
            )
        case t.All() | t.Absent() | t.Aggregate():
            return replace(
                condition, conditions=tuple(_with_wildcards(inner, single) for inner in condition.conditions)
            )
        case _:
            return condition


def with_numbered_wildcards(rule: t.Rule) -> t.Rule:
    """Return the rule with its wildcards numbered in order."""
    count = 0

    def changed(part: Any) -> Any:
        nonlocal count
        if isinstance(part, t.Variable) and part.name.startswith("_"):
            count += 1
            return replace(part, name=f"_{count}")
        return part if isinstance(part, t.Term) else t.rewrite(part, changed)

    return replace(rule, head=changed(rule.head), body=tuple(map(changed, rule.body)))


def _names(nodes: Iterable[t.Node]) -> Iterator[str]:
    return (variable.name for variable in written_variables(nodes))
