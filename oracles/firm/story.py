"""How a year of business is told: a firm, and twelve months with expectations, decisions and demand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hornbook.theories.firm.states.company import Firm
from hornbook.theories.firm.states.simulator import Decision


@dataclass(frozen=True, slots=True)
class Month:
    demand: Mapping[str, tuple[int, int]]
    """Bounds of what customers ask for, by product."""
    asked: Mapping[str, int]
    """What they did ask for."""
    decisions: tuple[Decision, ...]
    """In order."""
    ceilings: Mapping[str, int]
    costs: Mapping[str, int] = field(default_factory=dict)
    """What materials cost from this month on, where that changed."""
    needed: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Story:
    name: str
    firm: Firm
    months: tuple[Month, ...]
    moments: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """Names of moments: the month, and how many of its decisions were taken by then."""
