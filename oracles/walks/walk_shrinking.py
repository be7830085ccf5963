"""Reduction of a walk on which engines differ: the remaining parts show the mistake.

Parts are left out, large ones first: steps; rules, facts and predicates' constraints everywhere; contents of
a step; conditions of rules and queries. Any part of a walk is a walk, so every reduction can be executed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import monotonic
from typing import Any, TypeVar

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Fact,
    Limits,
)
from oracles.walks.walk_steps import Ask, EngineWalk, QueryStep, Step, Update

T = TypeVar("T")


def shrunk(walk: EngineWalk, differs: Callable[[EngineWalk], bool], seconds: float = 60.0) -> EngineWalk:
    """Return a walk with a difference that disappears if any part is removed, or the best within the time."""
    end = monotonic() + seconds
    progress = True
    while progress:
        progress = False
        for passes in PASSES:
            again = True
            while again and monotonic() < end:
                again = False
                for simpler in passes(walk):
                    if monotonic() > end:
                        break
                    if differs(simpler):
                        walk, again, progress = simpler, True, True
                        break
    return walk


def without_parts(parts: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Yield the sequence without its halves, quarters, …, and at last without each of its parts."""
    size = len(parts)
    while size:
        for start in range(0, len(parts), size):
            yield (*parts[:start], *parts[start + size :])
        size //= 2


def without_steps(walk: EngineWalk) -> Iterator[EngineWalk]:
    for steps in without_parts(walk.steps):
        yield replace(walk, steps=steps)


def _in_updates(walk: EngineWalk, change: Callable[[Update], Step]) -> EngineWalk:
    steps = tuple(change(step) if isinstance(step, Update) else step for step in walk.steps)
    return replace(walk, steps=steps)


def _all(walk: EngineWalk, name: str) -> list[Any]:
    updates = [step for step in walk.steps if isinstance(step, Update)]
    return list(dict.fromkeys(each for update in updates for each in getattr(update, name)))


def without_rules(walk: EngineWalk) -> Iterator[EngineWalk]:
    rules = _all(walk, "add_rules")
    for left in without_parts(rules):
        yield _in_updates(
            walk,
            lambda update, left=left: replace(
                update, add_rules=tuple(rule for rule in update.add_rules if rule in left)
            ),
        )


def without_facts(walk: EngineWalk) -> Iterator[EngineWalk]:
    facts = list(dict.fromkeys([*_all(walk, "add"), *_all(walk, "retract")]))
    for left in without_parts(facts):
        remaining = set(left)
        yield _in_updates(
            walk,
            lambda update, remaining=remaining: replace(
                update,
                add=tuple(fact for fact in update.add if fact in remaining),
                retract=tuple(fact for fact in update.retract if fact in remaining),
            ),
        )


def without_parts_of_steps(walk: EngineWalk) -> Iterator[EngineWalk]:
    for place, step in enumerate(walk.steps):
        for simpler in _simpler_steps(step):
            yield replace(walk, steps=(*walk.steps[:place], simpler, *walk.steps[place + 1 :]))


def _simpler_steps(step: Step) -> Iterator[Step]:
    match step:
        case Update():
            for name in ("add", "retract", "add_rules", "remove_rules"):
                for left in without_parts(getattr(step, name)):
                    yield replace(step, **{name: left})
            if step.columns:
                yield replace(step, columns=False)
        case QueryStep(body, variables):
            for conditions in without_parts(body):
                yield QueryStep(conditions, variables)
            for left in without_parts(variables):
                yield QueryStep(body, left)
        case Ask(facts):
            for left in without_parts(facts):
                yield Ask(left)
        case _:
            pass


def without_conditions(walk: EngineWalk) -> Iterator[EngineWalk]:
    """Yield walks without a condition of some rule, in every step that adds the rule."""
    for rule in _all(walk, "add_rules"):
        for body in _simpler_bodies(rule.body):
            changed = replace(rule, body=body)

            def change(update: Update, rule: CodedRule = rule, changed: CodedRule = changed) -> Update:
                return replace(
                    update, add_rules=tuple(changed if each == rule else each for each in update.add_rules)
                )

            yield _in_updates(walk, change)


def _simpler_bodies(body: Sequence[CodedCondition]) -> Iterator[tuple[CodedCondition, ...]]:
    yield from without_parts(body)
    for place, condition in enumerate(body):
        if isinstance(condition, AllOf | AbsentOf | AggregateOf):
            for inner in _simpler_bodies(condition.conditions):
                yield (*body[:place], replace(condition, conditions=inner), *body[place + 1 :])


def plainer(walk: EngineWalk) -> Iterator[EngineWalk]:
    """Yield walks without limits, derivations, keys and unused predicates."""
    if walk.limits != Limits():
        yield replace(walk, limits=Limits())
    if walk.statistics:
        yield replace(walk, statistics=None)
    if walk.derivations != "none":
        yield replace(walk, derivations="none")
    if walk.derivations == "all":
        yield replace(walk, derivations="one")
    if walk.predicates:
        yield replace(walk, predicates=walk.predicates[:-1])
    for place, predicate in enumerate(walk.predicates):
        if predicate.key is not None:
            plain = CodedPredicate(predicate.arity)
            yield replace(walk, predicates=(*walk.predicates[:place], plain, *walk.predicates[place + 1 :]))


def smaller_cells(walk: EngineWalk) -> Iterator[EngineWalk]:
    """Yield walks with one cell replaced by another in all facts; rules are unchanged."""
    facts = [*_all(walk, "add"), *_all(walk, "retract")]
    cells = sorted({cell for fact in facts for cell in fact.cells}, key=lambda cell: (abs(cell), cell))
    for place, cell in reversed([*enumerate(cells)]):
        for other in cells[:place]:

            def merged(facts: Sequence[Fact], cell: int = cell, other: int = other) -> tuple[Fact, ...]:
                return tuple(
                    Fact(number, tuple(other if each == cell else each for each in row))
                    for number, row in facts
                )

            yield replace(
                walk,
                steps=tuple(
                    replace(step, add=merged(step.add), retract=merged(step.retract))
                    if isinstance(step, Update)
                    else Ask(merged(step.facts))
                    if isinstance(step, Ask)
                    else step
                    for step in walk.steps
                ),
            )


PASSES: tuple[Callable[[EngineWalk], Iterator[EngineWalk]], ...] = (
    without_steps,
    without_rules,
    without_facts,
    without_parts_of_steps,
    without_conditions,
    plainer,
    smaller_cells,
)
