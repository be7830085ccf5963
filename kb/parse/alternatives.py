"""`or` among conditions: one of several conjunctions holds.

`a, (b or c, d)` means `a, b` or `a, c, d`. Alternatives are expanded while a clause is built: a rule with
`or` becomes several rules, and a case of a frame several cases. So only the parser handles `or`. `absent (b
or c)` becomes `absent b, absent c`. Universal conditions and aggregates cannot be expanded, so `or` is
refused there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.notation import print_condition
from hornbook.kb.parse.parameters import MARK
from hornbook.kb.sources.diagnostics import Diagnostic, error

MOST = 64
"""The maximum number of alternatives of an expanded clause."""

Body = tuple[t.Condition, ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Alternative conjunctions, in the order of the text. Parenthesised conditions are a single one."""

    bodies: tuple[Body, ...]
    span: t.Span


def expanded_conjunction(conditions: Iterable[t.Condition | Alternatives]) -> tuple[Body, ...] | None:
    """Return the conjunctions into which conditions expand, or None if there are more than MOST."""
    number = 1
    choices: list[tuple[Body, ...]] = []
    for condition in conditions:
        choices.append(condition.bodies if isinstance(condition, Alternatives) else ((condition,),))
        number *= len(choices[-1])
        if number > MOST:
            return None
    return tuple(tuple(c for body in choice for c in body) for choice in product(*choices))


def too_many_alternatives(span: t.Span) -> Diagnostic:
    message = f"the clause has more than {MOST} alternatives, taken apart"
    help_ = "give a part of it a name: a predicate with a rule for each alternative"
    return error("HB059", message, span, help_)


def not_expandable(span: t.Span, where: str) -> Diagnostic:
    """Return HB059 for an `or` inside of a condition that cannot be expanded."""
    help_ = "write a predicate with a rule for each alternative, and use it here"
    return error("HB059", f"`or` cannot stand {where}", span, help_)


def missing_head_variables(head: t.Statement, bodies: Sequence[Body]) -> Iterator[Diagnostic]:
    """Yield HB059 for variables of a head that only some alternatives contain, each variable once."""
    known = [set(_names(body)) for body in bodies]
    for variable in dict.fromkeys(v for v in _variables((head,)) if not v.is_wildcard):
        lacking = [body for body, names in zip(bodies, known, strict=True) if variable.name not in names]
        if lacking and len(lacking) < len(bodies):
            yield _missing_variable(
                variable.name, lacking[0], bodies, "the conclusion has it", "name it there, too"
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
    first, last = own[0].span, own[-1].span
    return error("HB059", message, replace(first, end_line=last.end_line, end_column=last.end_column), help_)


def _own(body: Body, bodies: Sequence[Body]) -> Body:
    """Return the conditions of an alternative that not all alternatives share, or all of its conditions."""
    return tuple(c for c in body if not all(c in other for other in bodies)) or body


def rules_of(written: t.Rule, bodies: Sequence[Body], spelled_out: Callable[[Body], Body]) -> list[t.Rule]:
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
        rules.append(_numbered(replace(written, body=conditions, label=label, alternative=number)))
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


def _numbered(rule: t.Rule) -> t.Rule:
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
    return (variable.name for variable in _variables(nodes))


def _variables(nodes: Iterable[t.Node]) -> Iterator[t.Variable]:
    """Yield the variables of nodes in the order of the text. Arguments may still be calculations."""
    todo = list(nodes)[::-1]
    while todo:
        node = todo.pop()
        if isinstance(node, t.Variable):
            yield node
        todo += reversed(t.parts(node))
