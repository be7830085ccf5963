"""`or` among conditions: what holds if one of several conjunctions does.

`a, (b or c, d)` says `a, b` or `a, c, d`. Alternatives are taken apart while a clause is built, so that a rule with `or` is
several rules, a case of a frame several cases, and nothing beyond the parser knows of `or`. `absent (b or c)` is
`absent b, absent c`; a universal condition and an aggregate cannot be taken apart, so there `or` is refused.
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
"""So many alternatives has a clause at most, taken apart."""

Body = tuple[t.Condition, ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Conjunctions, in the order of the text, of which one is asked for; conditions in parentheses are a single one."""

    bodies: tuple[Body, ...]
    span: t.Span


def all_of(conditions: Iterable[t.Condition | Alternatives]) -> tuple[Body, ...] | None:
    """The conjunctions that conditions side by side are, taken apart; None if there are more than MOST."""
    number = 1
    choices: list[tuple[Body, ...]] = []
    for condition in conditions:
        choices.append(condition.bodies if isinstance(condition, Alternatives) else ((condition,),))
        number *= len(choices[-1])
        if number > MOST:
            return None
    return tuple(tuple(c for body in choice for c in body) for choice in product(*choices))


def too_many(span: t.Span) -> Diagnostic:
    message = f"the clause has more than {MOST} alternatives, taken apart"
    help_ = "give a part of it a name: a predicate with a rule for each alternative"
    return error("HB059", message, span, help_)


def not_taken_apart(span: t.Span, where: str) -> Diagnostic:
    """`or` inside of what cannot be taken apart."""
    help_ = "name what is meant: write a predicate with a rule for each alternative, and ask for that"
    return error("HB059", f"`or` cannot stand {where}", span, help_)


def one_sided(head: t.Statement, bodies: Sequence[Body]) -> Iterator[Diagnostic]:
    """HB059: variables of a conclusion that some alternatives have and others lack, each variable once."""
    known = [set(_names(body)) for body in bodies]
    for variable in dict.fromkeys(v for v in _variables((head,)) if not v.is_wildcard):
        lacking = [body for body, names in zip(bodies, known, strict=True) if variable.name not in names]
        if lacking and len(lacking) < len(bodies):
            yield _lacks(variable.name, lacking[0], bodies, "the conclusion has it", "name it there, too")


def unlike_answers(bodies: Sequence[Body]) -> Iterator[Diagnostic]:
    """HB059: variables that some alternatives of a query answer and others do not."""
    asked = [{v.name for v in t.asked_variables(body) if not v.name.startswith(MARK)} for body in bodies]
    for name in sorted(set().union(*asked)):
        lacking = [body for body, names in zip(bodies, asked, strict=True) if name not in names]
        if lacking:
            help_ = "name it there, too, or write `_` for what is not asked"
            yield _lacks(name, lacking[0], bodies, "others answer it", help_)


def _lacks(name: str, body: Body, bodies: Sequence[Body], why: str, help_: str) -> Diagnostic:
    own = _own(body, bodies)
    said = ", ".join(map(print_condition, own))
    message = f"the alternative `{said}` does not have `?{name}`, and {why}"
    first, last = own[0].span, own[-1].span
    return error("HB059", message, replace(first, end_line=last.end_line, end_column=last.end_column), help_)


def _own(body: Body, bodies: Sequence[Body]) -> Body:
    """The conditions of an alternative that not all alternatives share; all of its conditions if there are none."""
    return tuple(c for c in body if not all(c in other for other in bodies)) or body


def rules_of(written: t.Rule, bodies: Sequence[Body], spelled_out: Callable[[Body], Body]) -> list[t.Rule]:
    """The rules that a rule is, one for each alternative, with numbers in the labels.

    `spelled_out` gives the conditions that those of a rule stand for. A variable that stands in one place of its alternative and
    in several of the text is nothing but a wildcard.
    """
    places = Counter(_names((written.head, *{id(c): c for body in bodies for c in body}.values())))
    rules = []
    for number, body in enumerate(map(spelled_out, bodies), 1):
        here = Counter(_names((written.head, *body)))
        alone = frozenset(name for name, count in here.items() if count == 1 and places[name] > 1)
        conditions = tuple(_left_open(c, alone) for c in body)
        label = None if written.label is None else f"{written.label}_{number}"
        rules.append(_numbered(replace(written, body=conditions, label=label, alternative=number)))
    return rules


def _left_open(condition: Any, alone: frozenset[str]) -> Any:
    """The condition, with wildcards in the place of variables that stand alone as arguments."""
    match condition:
        case t.Atom() | t.GameStatement():
            return condition.with_terms(
                tuple(
                    replace(term, name="_") if isinstance(term, t.Variable) and term.name in alone else term
                    for term in condition.terms
                )
            )
        case t.All() | t.Absent() | t.Aggregate():
            return replace(
                condition, conditions=tuple(_left_open(inner, alone) for inner in condition.conditions)
            )
        case _:
            return condition


def _numbered(rule: t.Rule) -> t.Rule:
    """The rule, its wildcards numbered in the order in which they stand there."""
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
    """The variables of nodes in the order of the text; arguments may be calculations still."""
    todo = list(nodes)[::-1]
    while todo:
        node = todo.pop()
        if isinstance(node, t.Variable):
            yield node
        todo += reversed(t.parts(node))
