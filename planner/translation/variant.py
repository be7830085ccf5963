"""Rules about what is done, as they are of one action of the theory."""

from __future__ import annotations

from dataclasses import dataclass

from hornbook.planner.gdl.flattening import Column, Relation
from hornbook.planner.translation.literals import Literal


@dataclass(frozen=True, slots=True)
class Action:
    """An action of the theory, by the sheet's relation of what is done; `may` says that it is legal."""

    name: str
    may: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class Variant:
    """A rule about what is done, where that is one action of the theory: the columns of its head and of the action, and
    what else is asked.
    """

    action: Action
    head: tuple[Column, ...]
    columns: tuple[Column, ...]
    body: tuple[Literal, ...]
