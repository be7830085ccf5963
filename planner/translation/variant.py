"""Rules that depend on moves, specialised to one action of the theory."""

from __future__ import annotations

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.flattening import Column, Relation
from hornbook.planner.translation.literals import Literal


@dataclass(frozen=True, slots=True)
class Action:
    """An action of the theory for a relation of the sheet's moves.

    `may` is the predicate for its legality.
    """

    name: str
    may: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class Variant:
    """A rule specialised to one action.

    It has the columns of its head and of the action, and its other conditions.
    """

    action: Action
    head: tuple[Column, ...]
    columns: tuple[Column, ...]
    body: tuple[Literal, ...]
