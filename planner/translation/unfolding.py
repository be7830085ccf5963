"""Unfolding of relations that depend on the move, such as the cell being marked.

They are unfolded into the rules that use them. The resulting rules refer directly to the columns of the
action, so the proof that a fluent has one value stays local.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Protocol

from hornbook.kb.ast.terms import Span
from hornbook.planner.gdl.flattening import Column, Relation
from hornbook.planner.gdl.kif import KifVariable
from hornbook.planner.translation.grounding import PossibleFacts
from hornbook.planner.translation.literals import (
    Differ,
    Fails,
    Holds,
    Literal,
    Same,
    columns_of,
    names_of,
    substituted,
)
from hornbook.planner.translation.variant import Variant

MOST_RULES = 64
"""The maximal number of rules that one rule becomes."""


class UnfoldingRules(Protocol):
    """The interface of the translation for unfolding."""

    ground: PossibleFacts

    def is_acting(self, relation: Relation) -> bool: ...

    def variants(self, number: int) -> Iterator[Variant]: ...


def unfolded(rules: UnfoldingRules, variants: Iterable[Variant]) -> Iterator[Variant]:
    """Yield the variants with unfolded conditions on moves, as long as their number is small."""
    for variant in variants:
        retained = frozenset[Literal]()
        done, todo = list[Variant](), [variant]
        while todo and len(done) + len(todo) <= MOST_RULES:
            now = todo.pop()
            target = next(
                (
                    literal
                    for literal in now.body
                    if literal not in retained and _is_unfoldable(rules, literal)
                ),
                None,
            )
            if target is None:
                done.append(now)
                continue
            found = _unfolded_once(rules, now, target)
            if found is None:
                retained |= {target}
                todo.append(now)
            else:
                todo += found
        if todo:
            yield variant
        else:
            yield from done


def _is_unfoldable(rules: UnfoldingRules, literal: Literal) -> bool:
    return (
        isinstance(literal, Holds | Fails)
        and rules.is_acting(literal.relation)
        and literal.relation[0] not in ("does", "next")
        and literal.relation not in rules.ground.kinds.recursive
    )


def _unfolded_once(rules: UnfoldingRules, variant: Variant, target: Literal) -> list[Variant] | None:
    """Return the variants that result from unfolding one condition, or None if that is impossible."""
    assert isinstance(target, Holds | Fails)
    places = rules.ground.of.get(target.relation, ())
    ways = [
        _renamed_apart(way, f"{number} ")
        for number in places
        for way in rules.variants(number)
        if way.action == variant.action
    ]
    rest = tuple(literal for literal in variant.body if literal is not target)
    if isinstance(target, Holds):
        found = []
        for way in ways:
            pairs = zip((*target.columns, *variant.columns), (*way.head, *way.columns), strict=True)
            whole = replace(variant, body=(*rest, *way.body))
            made = _with_equations(whole, [Same(a, b) for a, b in pairs])
            found += [] if made is None else [made]
        return found
    rows = rules.ground.has(variant.action.relation)
    fixed = {
        len(target.columns) + c for c in range(len(variant.columns)) if len({row[c] for row in rows}) == 1
    }
    denials = list[list[list[Literal]]]()
    for way in ways:
        denied = _denied(way, (*target.columns, *variant.columns), fixed)
        if denied is None:
            return None
        if denied != [[]]:
            denials.append(denied)
    found = []
    for chosen in product(*denials):
        more = [literal for part in chosen for literal in part]
        made = _with_equations(
            replace(variant, body=(*rest, *(literal for literal in more if not isinstance(literal, Same)))),
            [literal for literal in more if isinstance(literal, Same)],
        )
        found += [] if made is None else [made]
        if len(found) > MOST_RULES:
            return None
    return found


def _renamed_apart(way: Variant, mark: str) -> Variant:
    """Return the variant with renamed variables."""
    names = {*names_of([way.head, way.columns, *map(columns_of, way.body)])}
    span = Span("", 1, 1, 1, 1)
    return _with(way, {name: KifVariable(f"{mark}{name}", span) for name in names})


def _with(way: Variant, terms: Mapping[str, Column]) -> Variant:
    def of(column: Column) -> Column:
        return terms.get(column.name, column) if isinstance(column, KifVariable) else column

    return replace(
        way,
        head=tuple(map(of, way.head)),
        columns=tuple(map(of, way.columns)),
        body=tuple(substituted(literal, terms) for literal in way.body),
    )


def _with_equations(variant: Variant, equations: Sequence[Same]) -> Variant | None:
    """Return the variant with the equations solved, or None if they are inconsistent."""
    todo = list(equations)
    while todo:
        equation = todo.pop()
        left, right = equation.left, equation.right
        if left == right:
            continue
        if not isinstance(left, KifVariable) and not isinstance(right, KifVariable):
            return None
        # The names of the rule itself are kept.
        replaced, replacement = (right, left) if isinstance(right, KifVariable) else (left, right)
        assert isinstance(replaced, KifVariable)
        terms: dict[str, Column] = {replaced.name: replacement}
        variant = _with(variant, terms)
        todo = [literal for each in todo if isinstance(literal := substituted(each, terms), Same)]
    body = []
    for literal in variant.body:
        if isinstance(literal, Differ):
            pairs = tuple((a, b) for a, b in literal.pairs if a != b)
            if not pairs:
                return None
            if any(isinstance(a, str) and isinstance(b, str) for a, b in pairs):
                continue
            literal = Differ(pairs)  # noqa: PLW2901
        body.append(literal)
    return replace(variant, body=tuple(dict.fromkeys(body)))


def _denied(way: Variant, columns: Sequence[Column], fixed: set[int]) -> list[list[Literal]] | None:
    """Return the alternatives for a rule to fail for these columns.

    The result is `[[]]` if it never concludes them, and None if its body has other variables. `fixed` are the
    places that have only one word.
    """
    terms: dict[str, Column] = {}
    found: list[list[Literal]] = []
    for place, (pattern, column) in enumerate(zip((*way.head, *way.columns), columns, strict=True)):
        if isinstance(pattern, KifVariable) and pattern.name not in terms:
            terms[pattern.name] = column
            continue
        expected = terms[pattern.name] if isinstance(pattern, KifVariable) else pattern
        if expected == column or (place in fixed and isinstance(expected, str)):
            continue
        if isinstance(expected, str) and isinstance(column, str):
            return [[]]
        found.append([Differ(((column, expected),))])
    for literal in way.body:
        if not frozenset(names_of([columns_of(literal)])) <= terms.keys():
            return None
        match substituted(literal, terms):
            case Holds(relation=relation, columns=asked):
                found.append([Fails(relation, asked)])
            case Fails(relation=relation, columns=asked):
                found.append([Holds(relation, asked)])
            case Same(left=left, right=right):
                found.append([Differ(((left, right),))])
            case Differ(pairs=pairs):
                found.append([Same(a, b) for a, b in pairs])
    return found
