"""The facts of a state in parts: what changes together, such as a point, a square or a block, is one part.

Who describes states keeps the parts that it made, so that two states with the same part have the same object, and what
differs between them is found without a look at a fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hornbook.kb.ast.theory import GroundFact


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """Facts that come and go together, made when they are asked for. One part equals no other, whatever its facts are."""

    make: Callable[..., Iterable[GroundFact]]
    of: tuple[Any, ...]

    def facts(self) -> tuple[GroundFact, ...]:
        """The facts, each once and the same each time."""
        return tuple(self.make(*self.of))


@lru_cache(maxsize=100_000)
def kept(make: Callable[..., Iterable[GroundFact]], *of: Any) -> Part:
    """The part of what makes it and what of, the same object each time while there are not too many."""
    return Part(make, of)


def alone(*facts: GroundFact) -> tuple[GroundFact, ...]:
    """Makes a part of facts that are at hand: `kept(alone, fact)`."""
    return facts


def in_parts(facts: Iterable[GroundFact | Part]) -> Iterator[Part]:
    """Facts that stand by themselves as parts, and the parts among them."""
    return (fact if isinstance(fact, Part) else kept(alone, fact) for fact in facts)


@lru_cache(maxsize=100_000)
def singly(part: Part) -> tuple[Part, ...]:
    """A part for each fact of a part."""
    return tuple(kept(alone, fact) for fact in part.facts())
