"""A proof that the roles of a sheet take turns: only one at a time has a choice.

A fluent with one value in each state names the role to move, if every other role has only one move, always
the same (usually `noop`). If there is only one role, it is always its turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.flattening import Relation
from hornbook.planner.translation.grounding import PossibleFacts
from hornbook.planner.translation.induction.one_step import (
    AtomDefinitions,
    GroundAtom,
    InductionStep,
    Single,
    Unknown,
)


@dataclass(frozen=True, slots=True)
class RoleTurns:
    """The turns of a game.

    The field `fluent` has in its `column` the role to move; it is None if there is only one role. The field
    `idle` maps each role to its move when it is not its turn.
    """

    fluent: Relation | None
    column: int
    idle: Mapping[str, GroundAtom]
    alternates: bool
    """Whether it is proved that two roles alternate move by move."""


def turns_of(definitions: AtomDefinitions, proved: Sequence[Single]) -> RoleTurns | None:
    """Return the turns of a game, or None if it could not be proved that the roles take turns."""
    ground = definitions.ground
    if len(ground.roles) == 1:
        return RoleTurns(None, 0, {}, alternates=False)
    for single, column in _candidates(ground, proved):
        idle = _idle(definitions, proved, single.fluent, column)
        if idle is not None:
            return RoleTurns(single.fluent, column, idle, _alternates(definitions, proved, single.fluent))
    return None


def _candidates(ground: PossibleFacts, proved: Sequence[Single]) -> Iterator[tuple[Single, int]]:
    roles = set(ground.roles)
    for single in proved:
        rows = ground.has(single.fluent)
        if single.key or not single.exactly:
            continue
        for column in range(len(next(iter(rows)))):
            values = {row[column] for row in rows}
            if values <= roles and len(values) > 1:
                yield single, column


def _idle(
    definitions: AtomDefinitions, proved: Sequence[Single], fluent: Relation, column: int
) -> dict[str, GroundAtom] | None:
    """Return the move of each role when it is not its turn, or None if it may have a choice."""
    ground = definitions.ground
    idle: dict[str, GroundAtom] = {}
    for role in ground.roles:
        own = {(fluent, row) for row in ground.has(fluent) if row[column] == role}
        step: InductionStep | None = None
        for atom in sorted(definitions.moves.get(role, ())):
            relation, row = atom
            legal = (("legal", relation[1]), row)
            bodies = definitions.bodies.get(legal, [])
            if all(any(sign and each in own for sign, each in body) for body in bodies):
                continue
            step = step or _otherwise(definitions, proved, own)
            try:
                if not step.can_hold([step.number(legal)]):
                    continue
            except Unknown:
                pass
            if role in idle:
                return None
            idle[role] = atom
    return idle


def _alternates(definitions: AtomDefinitions, proved: Sequence[Single], fluent: Relation) -> bool:
    """Return whether the fluent has only the role, one of two, and changes in every step."""
    rows = definitions.ground.has(fluent)
    if len(definitions.ground.roles) != 2 or any(len(row) > 1 for row in rows):
        return False
    step, coming = InductionStep(definitions, proved), ("next", fluent[1])
    try:
        return not any(
            step.can_hold([step.number((fluent, row)), step.number((coming, row))]) for row in rows
        )
    except Unknown:
        return False


def _otherwise(definitions: AtomDefinitions, proved: Sequence[Single], own: set[GroundAtom]) -> InductionStep:
    """Return a step from a state without the role's turn."""
    step = InductionStep(definitions, proved)
    for atom in own:
        step.add([-step.number(atom)])
    return step
