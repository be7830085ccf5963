"""Whose turn it is: proved of a sheet, so that one role at a time chooses and the others do what they must.

A fluent with one value in each state names the role whose turn it is, where no other role can do anything but one move, always
the same (most often `noop`). Where only one role plays, it is always its turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hornbook.planner.gdl.flattening import Relation
from hornbook.planner.translation.grounding import Ground, Row
from hornbook.planner.translation.induction.one_step import Definitions, GroundAtom, Single, Step
from hornbook.planner.translation.induction.satisfiable import Unknown
from hornbook.planner.translation.refused import RefusedError

_WAY_OUT = "games are translated in which the players take turns, and a fact such as `(control white)` says whose turn it is"


@dataclass(frozen=True, slots=True)
class Turns:
    """`fluent` has in its `column` the role whose turn it is, None where only one role plays; `idle` is what a role does
    while it is not its turn.
    """

    fluent: Relation | None
    column: int
    idle: Mapping[str, GroundAtom]


def turns_of(definitions: Definitions, proved: Sequence[Single]) -> Turns:
    """Raises RefusedError where it could not be proved that the roles take turns."""
    ground = definitions.ground
    if len(ground.roles) == 1:
        return Turns(None, 0, {})
    blamed: tuple[str, Row] | None = None
    for single, column in _candidates(ground, proved):
        idle, wrong = _idle(definitions, proved, single.fluent, column)
        if wrong is None:
            return Turns(single.fluent, column, idle)
        blamed = blamed or wrong
    if blamed is None:
        clause = next(rule.origin.clause for rule in ground.rules if rule.head[0] == "legal")
        raise RefusedError(
            "no fact with one value in each state says whose turn it is", clause.span, _WAY_OUT
        )
    role, move = blamed
    span = next(
        ground.rules[number].origin.clause.span
        for number, rule in enumerate(ground.rules)
        if rule.head[0] == "legal" and _concludes(ground, number, (role, *move))
    )
    message = f"`{role}` may choose while it is the turn of another, so that moves are simultaneous"
    raise RefusedError(message, span, _WAY_OUT)


def _candidates(ground: Ground, proved: Sequence[Single]) -> Iterator[tuple[Single, int]]:
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
    definitions: Definitions, proved: Sequence[Single], fluent: Relation, column: int
) -> tuple[dict[str, GroundAtom], tuple[str, Row] | None]:
    """What each role does while it is not its turn, or a move that it might do then besides."""
    ground = definitions.ground
    idle: dict[str, GroundAtom] = {}
    for role in ground.roles:
        own = {(fluent, row) for row in ground.has(fluent) if row[column] == role}
        step: Step | None = None
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
                # The move with fewer words is what is done while waiting.
                other = max(atom, idle[role], key=lambda each: (len(each[1]), each))
                return idle, (role, other[1][1:])
            idle[role] = atom
    return idle, None


def _otherwise(definitions: Definitions, proved: Sequence[Single], own: set[GroundAtom]) -> Step:
    """A step from a state in which it is not a role's turn."""
    step = Step(definitions, proved)
    for atom in own:
        step.add([-step.number(atom)])
    return step


def _concludes(ground: Ground, number: int, row: Row) -> bool:
    rule = ground.rules[number]
    names = {name: place for place, name in enumerate(rule.variables)}
    return any(
        tuple(c if isinstance(c, str) else found[names[c.name]] for c in rule.columns) == row
        for found in ground.instances[number]
    )
