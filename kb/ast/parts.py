"""The facts of a state in parts. A part contains facts that change together, such as those of a point, a
square or a block.

A describer of states keeps the parts that it created, so that two states with the same part share one object.
Their difference is found without looking at facts. A part gives its facts as rows by relation, because
creating a fact object costs more than matching it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from hornbook.kb.ast.terms import Tense
from hornbook.kb.ast.theory import GroundFact, facts_of
from hornbook.matcher.program.dataclass import dataclass

Rows = dict[tuple[str, Tense | None], list[tuple[str | int, ...]]]
"""The values of facts, by the name of their relation and their moment."""


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """Facts that come and go together, created when they are needed. Parts are compared by identity."""

    make: Callable[..., Rows]
    of: tuple[Any, ...]

    def rows(self) -> Rows:
        """Return the facts by relation, without repetition and in the same order each time."""
        return self.make(*self.of)

    def facts(self) -> Iterator[GroundFact]:
        """Yield the facts one by one."""
        return facts_in(self.rows())


@lru_cache(maxsize=100_000)
def cached_part(make: Callable[..., Rows], *of: Any) -> Part:
    """Return the part for `make` and its arguments. The cache returns the same object each time."""
    return Part(make, of)


def part_of_fact(fact: GroundFact) -> Part:
    """Return the part of a single fact. Facts with a date and an equal integer have different parts."""
    return cached_part(_row_of_fact, fact, *map(type, fact.values))


def _row_of_fact(fact: GroundFact, *_: type) -> Rows:
    return rows_of((fact,))


def in_parts(facts: Iterable[GroundFact | Part]) -> Iterator[Part]:
    """Return an iterator over the parts, with a part of its own for each single fact."""
    return (fact if isinstance(fact, Part) else part_of_fact(fact) for fact in facts)


@lru_cache(maxsize=100_000)
def parts_of_facts(part: Part) -> tuple[Part, ...]:
    """Return a part for each fact of a part."""
    return tuple(map(part_of_fact, part.facts()))


def rows_of(facts: Iterable[GroundFact]) -> Rows:
    """Return facts by relation, in their order."""
    found: Rows = {}
    for relation, values, tense in facts:
        found.setdefault((relation, tense), []).append(values)
    return found


def facts_in(rows: Rows) -> Iterator[GroundFact]:
    """Yield rows as facts, grouped by relation."""
    for (relation, tense), found in rows.items():
        yield from facts_of(relation, found, tense)
