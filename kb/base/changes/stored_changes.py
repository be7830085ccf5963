"""Changes of a knowledge base with a store: the facts of both change together, or neither changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from hornbook.kb.ast.fact_columns import FactColumns
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.lower.coding import Coding
from hornbook.kb.store.write_through import WriteThroughStore
from hornbook.matcher.program.coded import CodedRule, Fact, PredicateId
from hornbook.matcher.program.engine import Engine


def stored_change(
    keeping: WriteThroughStore,
    engine: Engine,
    coding: Coding,
    add: Sequence[Fact],
    retract: Sequence[Fact],
    rules: Sequence[CodedRule],
) -> AbstractContextManager[None]:
    """Return a context that changes the facts of the store together with those of the engine."""
    given = {number: engine.given(number) for number in {fact.predicate for fact in (*add, *retract)}}
    new = [fact for fact in add if fact.cells not in given[fact.predicate]]
    old = [fact for fact in retract if fact.cells in given[fact.predicate]]
    return keeping.change(
        list(map(coding.ground, add)),
        list(map(coding.ground, retract)),
        lambda: engine.update(add=old, retract=new, remove_rules=[rule.id for rule in rules]),
    )


def stored_columns_change(
    keeping: WriteThroughStore,
    engine: Engine,
    coding: Coding,
    facts: FactColumns,
    number: PredicateId,
    coded: Callable[[Sequence[GroundFact]], Sequence[Fact]],
) -> AbstractContextManager[None]:
    """Return a context like `stored_change` for facts of a table. All given facts of their relation must come
    from the store.
    """

    def undo() -> None:
        before = [fact for fact in coded(keeping.facts()) if fact.predicate == number]
        engine.update(retract=coded(facts), add=before)

    tense = coding.relations[number].template.tense
    return keeping.change(replace(facts, tense=tense), (), undo)
