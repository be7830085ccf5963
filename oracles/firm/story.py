"""The form of a year of business: a firm, and twelve months with expectations, decisions and demand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hornbook.theories.firm.states.company import Firm
from hornbook.theories.firm.states.simulator import Decision


@dataclass(frozen=True, slots=True)
class Month:
    demand: Mapping[str, tuple[int, int]]
    """Bounds of demand, by product."""
    asked: Mapping[str, int]
    """Actual demand, by product."""
    decisions: tuple[Decision, ...]
    """The decisions in order."""
    ceilings: Mapping[str, int]
    costs: Mapping[str, int] = field(default_factory=dict)
    """Costs of materials from this month on, as far as they changed."""
    needed: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Story:
    name: str
    firm: Firm
    months: tuple[Month, ...]
    moments: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """Names of moments: the month, and the number of its decisions taken before."""
