"""Tests that checkers has the same moves, ends and positions in all implementations.

They are the theory, plain play, the native step, and another program.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random

import pytest

from hornbook.play.native import native_of
from hornbook.theories.checkers.domain import DOMAIN
from hornbook.theories.checkers.states import rules
from hornbook.theories.checkers.states.position import CheckersPosition, start
from hornbook.theories.checkers.states.text import parse
from oracles.checkers import steps
from oracles.checkers.steps import compare_native, endings, played, strewn
from oracles.games.steps import ComparedTheory, StepsTally


@cache
def theory() -> ComparedTheory:
    return steps.theory()


def test_the_theory_knows_who_has_lost():
    tally = StepsTally()
    for state in islice(endings(1, 1), 0, None, 60):
        theory().compare(state, Random(1), tally, whole=False)
    assert tally.wrong == []
    assert tally.actions > 100


def test_what_differs_is_seen(monkeypatch):
    monkeypatch.setattr("oracles.checkers.steps.captures_by_the_book", lambda _: [((0, 9), "")])
    monkeypatch.setattr("oracles.checkers.steps.DOMAIN.turns", lambda _: [("1x10", start())])
    tally = StepsTally()
    compare_native(islice(played(Random(1)), 1), tally)
    assert any(": moves: " in wrong for wrong in tally.wrong)
    assert any(": captures: " in wrong for wrong in tally.wrong)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        # A piece must continue its captures, but a man that becomes a king must not.
        ("B:W15,22,32:B11", ["11x18x25"]),
        ("W:W10:B7,8", ["10x3"]),
        # A king returns to its first square, and jumps no piece twice.
        ("W:WK1:B6,7,14,15", ["1x10x19", "1x10x17", "1x10x3"]),
        ("W:WK2:B6,7,14,15", ["2x11x18x9x2", "2x9x18x11x2"]),
        # A step is illegal if a capture is possible.
        ("W:W18,32:B15", ["18x11"]),
        ("B:W18:B11:J11", []),
    ],
)
def test_captures(text, moves):
    native = native_of(DOMAIN)
    if not moves:
        with pytest.raises(ValueError, match="no position of checkers"):
            native.State(text)
        return
    assert sorted(native.State(text).moves()) == sorted(moves)
    assert sorted(move for move, _ in DOMAIN.turns(parse(text))) == sorted(moves)


def test_no_piece_has_more_captures_than_lists_have_room_for():
    most = 0
    for at in range(32):
        row = at // 4
        targets = [
            n for n in range(32) if (n // 4 - row) % 2 and 0 < n // 4 < 7 and rules.row_and_column(n)[1] % 7
        ]
        cells = "".join("W" if n == at else "b" if n in targets else "-" for n in range(32))
        most = max(most, sum(1 for _ in rules.turns(CheckersPosition("white", cells))))
    assert most == 16


def test_another_program_plays_the_same():
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("checkers")
    for seed in range(3):
        random, state, other = Random(seed), start(), game.new_initial_state()
        while not other.is_terminal():
            moves = {_turned(other.action_to_string(action)): action for action in other.legal_actions()}
            actions = {
                DOMAIN.write_move(state, action).replace("x", "-"): action for action in DOMAIN.actions(state)
            }
            assert set(moves) == set(actions)
            assert other.current_player() == ("black", "white").index(state.to_move)
            move = random.choice(sorted(moves))
            other.apply_action(moves[move])
            state = DOMAIN.after(state, actions[move])
        if not list(DOMAIN.actions(state)):
            assert other.returns()[0] == (1 if state.to_move == "white" else -1)


def _turned(move: str) -> str:
    """Return a step or jump of the other program in our square numbers. Its board is turned upside down."""
    columns, found = "abcdefgh", []
    for column, row in (move[:2], move[2:4]):
        found.append(4 * (int(row) - 1) + (7 - columns.index(column)) // 2 + 1)
    return "-".join(map(str, found))


def test_features_are_what_they_are_called():
    native = native_of(DOMAIN)
    for state in (strewn(Random(seed)) for seed in range(100)):
        found = dict(zip(native.FEATURES, native.State(DOMAIN.write(state)).features, strict=True))
        man, king, other_man, other_king = (
            ("b", "B", "w", "W") if state.to_move == "black" else ("w", "W", "b", "B")
        )
        assert found["men"] == state.cells.count(man) - state.cells.count(other_man)
        assert found["kings"] == state.cells.count(king) - state.cells.count(other_king)
        steps = [
            sum(1 for at in rules.pieces_of(state, player) for _ in rules.walks(state.cells, at))
            for player in (state.to_move, state.opponent)
        ]
        assert found["steps"] == steps[0] - steps[1]
        removed = [
            sum(
                at // 4 if player == "black" else 7 - at // 4
                for at in rules.pieces_of(state, player)
                if state.cells[at] == piece
            )
            for player, piece in ((state.to_move, man), (state.opponent, other_man))
        ]
        assert found["rows gone"] == removed[0] - removed[1]
