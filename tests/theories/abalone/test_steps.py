"""Tests that Abalone has the same moves, ends and positions in all implementations.

They are the theory, plain play, the native step, and a second version of plain play.
"""

from __future__ import annotations

from functools import cache
from random import Random

from hornbook.inputs.domains import domain_of
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import GroundFact
from hornbook.play.native import native_of
from hornbook.theories.abalone.domain import DOMAIN
from hornbook.theories.abalone.states import rules
from hornbook.theories.abalone.states.position import AbalonePosition, start
from hornbook.theories.abalone.states.text import parse
from oracles.abalone import coordinates
from oracles.abalone.games import THEORY, game
from oracles.games.steps import ComparedTheory, StepsTally

LATE = "OOO--/-OOO--/--OX---/---XX---/------XXO/--XXXX-O/--XXX--/--XX--/----- X"


@cache
def played() -> list[AbalonePosition]:
    """Return positions of random games, including finished ones."""
    return [position for seed in range(3) for position in list(game(Random(seed)))[::-6]]


def test_the_theory_knows_every_kind_of_move():
    """All moves of a position with marbles that are pushed, pushed off, and moved sideways."""
    theory, tally = ComparedTheory(*THEORY), StepsTally()
    state = parse(LATE)

    class Each:
        """A player that chooses a given action."""

        def __init__(self, action: GroundFact) -> None:
            self.action = action

        def choice(self, _: object) -> GroundFact:
            return self.action

    kinds = set()
    for action in DOMAIN.actions(state):
        after = DOMAIN.after(state, action)
        kinds.add(
            (action.relation, action.values[3:4], rules.lost(after, "white") - rules.lost(state, "white"))
        )
        theory.compare(state, Each(action), tally)  # type: ignore[arg-type]
    assert tally.wrong == []
    assert {("push", (), 0), ("push", (), 1), ("step", (2,), 0), ("step", (3,), 0)} <= kinds


def test_a_second_program_plays_the_same():
    for state in played()[::2]:
        own, other = coordinates.read(DOMAIN.write(state))
        found = sorted(map(_sorted, coordinates.successors(own, other)))
        mine = (DOMAIN.write(DOMAIN.after(state, action)) for action in DOMAIN.actions(state))
        assert found == sorted(_sorted(coordinates.read(text)) for text in mine)


def _sorted(found: tuple[coordinates.Marbles, coordinates.Marbles]) -> tuple[list[coordinates.Cell], ...]:
    return tuple(sorted(marbles) for marbles in found)


def test_features_and_the_evaluation_are_what_they_are_called():
    native = native_of(DOMAIN)
    for position in played()[::3]:
        state = native.State(DOMAIN.write(position))
        sides = coordinates.read(DOMAIN.write(position))
        near = [sum(4 - max(map(abs, cell)) for cell in side) for side in sides]
        next_to = [
            sum(coordinates.plus(cell, way) in side for cell in side for way in coordinates.WAYS) // 2
            for side in sides
        ]
        features = [len(sides[0]) - len(sides[1]), near[0] - near[1], next_to[0] - next_to[1]]
        assert state.features == features
        lead = rules.lost(position, position.opponent) - rules.lost(position, position.to_move)
        expected = (
            100 * lead
            if state.is_over
            else max(-599, min(599, 100 * lead + 6 * features[1] + 2 * features[2]))
        )
        assert state.evaluation == expected
        if state.is_over:
            assert state.outcome == rules.lost(position, "white") - rules.lost(position, "black")


def test_the_domain_knows_who_won():
    ended = next(position for position in played() if rules.winner(position) is not None)
    winner = rules.winner(ended)
    assert [DOMAIN.outcome(ended, game) for game in DOMAIN.games(ended)] == [
        winner == "black",
        winner == "white",
    ]
    assert [DOMAIN.outcome(start(), game) for game in DOMAIN.games(start())] == [None, None]
    assert list(DOMAIN.actions(ended)) == []
    assert domain_of(load("abalone")) is DOMAIN
