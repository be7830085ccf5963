"""Tests that Othello has the same moves, ends and positions in all implementations.

They are the theory, plain play, the native step, and another program.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random

import pytest

from hornbook.play.native import native_of
from hornbook.theories.othello.domain import DOMAIN
from hornbook.theories.othello.states.position import start
from hornbook.theories.othello.states.rules import difference, places
from hornbook.theories.othello.states.text import parse
from oracles.games.steps import ComparedTheory, StepsTally
from oracles.othello import steps
from oracles.othello.steps import compare_native, positions, reachable


@cache
def theory(size: int) -> ComparedTheory:
    return steps.theory(size)


def test_published_counts_have_games_that_end_before():
    """Programs for Othello count a finished game as a line at every greater depth.

    228 games end after nine moves.
    """
    beginning = native_of(DOMAIN).State(DOMAIN.write(start()))
    assert (beginning.perft(9), beginning.perft(10)) == (3_005_288, 24_571_284 - 228)


def test_a_finished_game_has_no_lines_of_moves():
    over = native_of(DOMAIN).State("XXXXXXXXXXXX---- O")
    assert (over.is_over, over.outcome, over.moves(), over.perft(3)) == (True, 12, [], 0)


def test_the_theory_knows_passes_and_ends():
    tally = StepsTally()
    for state in islice(reachable(4), 0, 9000, 90):
        theory(4).compare(state, Random(1), tally, whole=False)
    assert tally.wrong == []
    assert min(tally.kinds["pass"], tally.ends) > 0


def test_what_differs_is_seen(monkeypatch):
    monkeypatch.setattr("oracles.othello.steps.rules.difference", lambda *_: 1)
    monkeypatch.setattr("oracles.othello.steps.DOMAIN.write_move", lambda *_: "a1")
    tally = StepsTally()
    compare_native(positions(4, Random(1)), tally)
    assert any(": moves: " in wrong for wrong in tally.wrong)
    assert any(": outcome: " in wrong for wrong in tally.wrong)


def test_another_program_plays_the_same():
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("othello")
    for seed in range(4):
        random, state, other = Random(seed), start(), game.new_initial_state()
        while not other.is_terminal():
            moves = {other.action_to_string(a).split()[0].lower(): a for a in other.legal_actions()}
            actions = {DOMAIN.write_move(state, action): action for action in DOMAIN.actions(state)}
            assert set(moves) == set(actions)
            move = random.choice(sorted(moves))
            other.apply_action(moves[move])
            state = DOMAIN.after(state, actions[move])
            assert state == parse(_cells(str(other)) + (" X" if state.to_move == "black" else " O"))
        assert list(DOMAIN.actions(state)) == []
        lead = difference(state, "black")
        assert other.returns()[0] == (lead > 0) - (lead < 0)


def _cells(shown: str) -> str:
    """Return the squares of the other program's diagram."""
    rows = [line.split()[1:9] for line in shown.splitlines() if line[:1].isdigit()]
    return "".join(cell.upper() for row in rows for cell in row)


def test_features_are_what_they_are_called():
    native = native_of(DOMAIN)
    for seed in range(3):
        for state in positions(8, Random(seed)):
            found = dict(zip(native.FEATURES, native.State(DOMAIN.write(state)).features, strict=True))
            own, theirs = "XO" if state.to_move == "black" else "OX"
            corners = "".join(state.cells[place] for place in (0, 7, 56, 63))
            moves = [sum(1 for _ in places(state, player)) for player in (state.to_move, state.opponent)]
            assert found["discs"] == state.cells.count(own) - state.cells.count(theirs)
            assert found["moves"] == moves[0] - moves[1]
            assert found["corners"] == corners.count(own) - corners.count(theirs)
            assert found["parity"] == state.cells.count("-") % 2


@pytest.mark.parametrize(
    ("text", "feature", "value"),
    [
        ("XX--O-----X----- X", "held edges", 2),
        ("OX--O-----X----X X", "held edges", -1),
        ("-X--O-----X----- X", "beside empty corners", 1),
        ("XXXXXXX-XXXOXXXX O", "frontier", -3),
    ],
)
def test_features_of_the_edge(text, feature, value):
    native = native_of(DOMAIN)
    assert dict(zip(native.FEATURES, native.State(text).features, strict=True))[feature] == value


def test_an_estimate_is_never_taken_for_a_certain_result():
    native = native_of(DOMAIN)
    state = native.State("XXXXXXXXXXOOOO--XXXXO-O-XXXXOOO-XXXXOOO-XXXXO---XXXX-O--XXXX---- O")
    assert state.evaluation == native.RANGE[0] + 1
    found = native.search("deepening", {})(state, depth=4)
    assert (found["depth"], found["why"]) == (4, "depth")
