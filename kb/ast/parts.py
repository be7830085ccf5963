"""The facts of a state in parts: what changes together, such as a point, a square or a block, is one part.

Who describes states keeps the parts that it made, so that two states with the same part have the same object, and what
differs between them is found without a look at a fact. A part tells its facts by relation, as rows, since a
fact by itself costs more to make than to match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hornbook.kb.ast.terms import Tense
from hornbook.kb.ast.theory import GroundFact, facts_of

Rows = dict[tuple[str, Tense | None], list[tuple[str | int, ...]]]
"""Facts by the name of their relation and their moment: of each its values."""


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """Facts that come and go together, made when they are asked for. One part equals no other, whatever its facts are."""

    make: Callable[..., Rows]
    of: tuple[Any, ...]

    def rows(self) -> Rows:
        """The facts by relation, each once and the same each time."""
        return self.make(*self.of)

    def facts(self) -> Iterator[GroundFact]:
        """The facts one by one."""
        return facts_in(self.rows())


@lru_cache(maxsize=100_000)
def kept(make: Callable[..., Rows], *of: Any) -> Part:
    """The part of what makes it and what of, the same object each time while there are not too many."""
    return Part(make, of)


def alone(*facts: GroundFact) -> Rows:
    """Makes a part of facts that are at hand: `kept(alone, fact)`."""
    return rows_of(facts)


def in_parts(facts: Iterable[GroundFact | Part]) -> Iterator[Part]:
    """Facts that stand by themselves as parts, and the parts among them."""
    return (fact if isinstance(fact, Part) else kept(alone, fact) for fact in facts)


@lru_cache(maxsize=100_000)
def singly(part: Part) -> tuple[Part, ...]:
    """A part for each fact of a part."""
    return tuple(kept(alone, fact) for fact in part.facts())


def rows_of(facts: Iterable[GroundFact]) -> Rows:
    """Facts by relation, in their order."""
    found: Rows = {}
    for relation, values, tense in facts:
        found.setdefault((relation, tense), []).append(values)
    return found


def facts_in(rows: Rows) -> Iterator[GroundFact]:
    """Rows as facts, those of one relation together."""
    for (relation, tense), found in rows.items():
        yield from facts_of(relation, found, tense)
