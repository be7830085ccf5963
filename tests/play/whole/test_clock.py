"""Tests of clocks: the time left after each move, and plans for our moves that never exceed it."""

from __future__ import annotations

from functools import cache

import pytest

from hornbook.commands.games.whole.game import whole_game
from hornbook.play.whole.clock import LEAST, Control, GameClock, Watch, stopping
from hornbook.play.whole.played import PlayedGame

known_game = cache(whole_game)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("60", GameClock(60)),
        ("60+0.5", GameClock(60, 0.5)),
        ("40/60", GameClock(60, 60, 40, 40)),
        ("1/5", GameClock(5, 5, 1, 1)),
    ],
)
def test_times_are_read_and_written(text, clock):
    control = Control.read(text)
    assert str(control) == text
    assert control.initial_clock() == clock


@pytest.mark.parametrize(
    "text", ["", "x", "0", "-1", "1+-1", "nan", "inf", "0/5", "1.5/5", "/5", "5/", "40/60+1", "1+"]
)
def test_what_is_no_time_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 - the command says what is wanted
        Control.read(text)


def test_what_is_left():
    assert GameClock(5, 1).spent(2) == GameClock(4, 1)
    assert GameClock(5, 1).allowed == 5
    assert GameClock(5).spent(2) == GameClock(3)
    period = GameClock(2, 10, 3, 0)
    assert period.allowed == 12
    assert period.spent(1) == GameClock(1, 10, 3, 0)
    assert period.spent(5) == GameClock(7, 10, 3, 2)
    assert period.spent(5).spent(6) == GameClock(1, 10, 3, 1)
    assert period.spent(5).spent(6).spent(1) == GameClock(10, 10, 3, 3)
    assert GameClock(5, 5, 1, 1).spent(4) == GameClock(5, 5, 1, 1)


@pytest.mark.parametrize("control", ["0.15+0.003", "0.5", "5", "60+0.5", "40/60", "1/5", "1/0.05", "25/0.15"])
@pytest.mark.parametrize("next_to", [0.0, 0.002])
def test_no_game_is_lost_by_what_is_planned(control, next_to):
    """Each move takes slightly more than the planned time, and after many moves time is left."""
    clock, late = Control.read(control).initial_clock(), 0.0
    for _ in range(60):
        planned = clock.for_a_move(late)
        took = planned + next_to
        late = max(next_to, 0.9 * late)
        assert planned >= LEAST
        assert took <= clock.allowed
        clock = clock.spent(took)


def test_a_clock_ends_every_search():
    known = known_game("chess")
    game, watch = PlayedGame.start(known.native, known.domain), Watch()
    found = watch.thought(known.player(), game, {}, GameClock(0.3))
    assert found.move in game.state.moves()
    watch.late = 1.0
    assert watch.thought(known.player(), game, {}, GameClock(0.3)).depth <= 3
    assert 0 < watch.late < 1


@pytest.mark.parametrize("search", ["deepening", "ordered-alpha-beta", "alpha-beta", "best-first"])
def test_who_was_stopped_has_a_move_all_the_same(search):
    known = known_game("othello")
    game, stop = PlayedGame.start(known.native, known.domain), known.native.Stop()
    stop.set()
    assert stopping(known.player(search), stop).think(game, {"depth": 12}).move in game.state.moves()
