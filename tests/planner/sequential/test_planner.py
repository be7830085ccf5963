"""Tests of sequential plans: they are legal, complete, minimal and of greatest reward, and their claims hold."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from hornbook.kb.lower.budget import Budget
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.matcher.program.coded import Limits as GroundLimits
from hornbook.planner import _core
from hornbook.planner.gdl.game import Game
from hornbook.planner.machines.network import NetworkMachine
from hornbook.planner.machines.resolution import ResolutionMachine
from hornbook.planner.sequential.chain import strategy_of
from hornbook.planner.sequential.clocks import NO_CLOCK, clock_of, compiled_clock
from hornbook.planner.sequential.planner import NoSequentialPlans, plan
from hornbook.planner.sequential.setting import SequentialSetting, setting_of
from hornbook.planner.strategies.check import check_strategy
from oracles.gdl.best_plan import best_plan, reward
from oracles.gdl.one_player import one_player_sheet, puzzle_distances, puzzle_sheet
from oracles.gdl.own_sheets import SHEETS
from oracles.gdl.twin_machine import TwinMachine

ONE_PLAYER = [name for name in SHEETS if len(Game.read_kif(SHEETS[name]).roles) == 1]


def on_twin(game, begins=None, clock=None):
    """Return the input of a search without ground rules."""
    begins = game.initial if begins is None else begins
    found = clock_of(game, begins) if clock is None else clock
    return SequentialSetting(TwinMachine(game), found)


def on_goals(game):
    """Return the input of a search for games with too many ground rules."""
    found = setting_of(game, game.initial, GroundLimits(facts=1))
    assert isinstance(found.machine, ResolutionMachine)
    return found


def on_network(game):
    found = setting_of(game, game.initial)
    assert isinstance(found.machine, NetworkMachine)
    return found


@pytest.mark.parametrize("name", ONE_PLAYER)
def test_a_plan_is_a_strategy_that_the_checker_finds_right(name):
    game = Game.read_kif(SHEETS[name])
    found = plan(game).plan
    if found is not None:
        assert check_strategy(game, strategy_of(game, found)) == ()


@pytest.mark.parametrize("name", ONE_PLAYER)
def test_the_plan_of_an_own_sheet_is_as_good_and_as_long_as_by_definition(name):
    game = Game.read_kif(SHEETS[name])
    expected, found = best_plan(game), plan(game)
    assert found.optimal
    assert found.shortest == (expected is not None)
    if expected is None:
        assert found.plan is None
        assert found.most is None
    else:
        assert (found.plan.value, len(found.plan.moves)) == (expected[0], len(expected[1]))
        assert reward(game, found.plan.moves) == expected[0]


def test_random_games_are_planned_as_by_definition_by_every_machine_with_clocks_and_without():
    clocks, idle, values = 0, 0, set()
    for seed in range(80):
        try:
            game = Game(one_player_sheet(Random(seed)))
        except TheoryError:
            continue
        expected = best_plan(game)
        settings = [on_network(game), on_goals(game), on_twin(game), on_twin(game, clock=NO_CLOCK)]
        found = [plan(game, setting=setting) for setting in settings]
        for each in found:
            assert each.optimal, seed
            got = each.plan and (each.plan.value, len(each.plan.moves))
            assert got == (expected and (expected[0], len(expected[1]))), seed
            assert each.plan is None or reward(game, each.plan.moves) == each.plan.value
        boards = [each.boards for each in found]
        assert boards == sorted(boards)
        clocks += found[2].phases > 1
        idle += bool(settings[0].clock.idle)
        values.add(expected and expected[0])
    assert clocks > 25
    assert idle > 25
    assert len(values) > 8


def test_searches_that_prove_nothing_find_plans_that_are_right():
    best = 0
    for seed in range(60):
        try:
            game = Game(one_player_sheet(Random(seed)))
        except TheoryError:
            continue
        setting, expected = on_network(game), best_plan(game)
        clock, words = compiled_clock(setting.clock, setting.machine), setting.machine.words(game.initial)
        for kind in (_core.WidthSearch, _core.BeamSearch):
            search = kind(setting.machine.core, words, 100, clock, 2**30)
            while search.run(10) == _core.Status.searching:
                pass
            if search.best >= 0:
                assert reward(game, [setting.machine.move(0, move) for move in search.plan()]) == search.best
                assert search.best <= expected[0]
                best += search.best == expected[0]
    assert best > 15


LADDERS = """(role one)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)
(ladder a) (ladder b) (ladder c) (ladder d) (ladder e) (ladder f) (ladder g)
(<= (init (on ?x 0)) (ladder ?x))
(<= (legal one (up ?x)) (true (on ?x ?n)) (succ ?n ?m))
(<= (next (on ?x ?m)) (does one (up ?x)) (true (on ?x ?n)) (succ ?n ?m))
(<= (next (on ?x ?n)) (true (on ?x ?n)) (not (does one (up ?x))))
(<= low (true (on ?x ?n)) (distinct ?n 9))
(<= terminal (not low))
(<= (goal one 100) (not low))
(<= (goal one 0) low)
"""


def test_a_plan_of_the_greatest_value_is_optimal_though_ten_million_states_were_not_looked_at():
    game = Game(LADDERS)
    found = plan(game, Budget(steps=600_000))
    assert (found.plan.value, found.optimal, found.shortest) == (100, True, False)
    assert found.boards < 1_000_000
    assert reward(game, found.plan.moves) == 100


TIMED = (Path(__file__).parent / "data" / "planner_timed.txt").read_text(encoding="utf-8")


def test_a_board_that_is_worth_most_after_one_number_of_moves_is_reached_after_that_many():
    found = plan(Game(TIMED))
    assert (found.plan.value, found.plan.moves) == (100, ("right", "left", "right", "jump"))
    assert found.phases == 7
    assert found.boards == 3


def test_a_plan_may_begin_in_another_state_where_the_clock_shows_something_else():
    game = Game(TIMED)
    begins = frozenset((("at", "0"), ("step", "2")))
    found = plan(game, begins=begins).plan
    assert (found.value, found.moves) == (100, ("right", "jump"))
    assert check_strategy(game, strategy_of(game, found, begins), begins) == ()
    with pytest.raises(RuntimeError, match="the clock does not follow"):
        plan(game, begins=begins, setting=on_twin(game))


@pytest.mark.parametrize("detour", [0, 2])
def test_a_puzzle_takes_as_many_moves_as_its_distance_and_more_where_these_are_worth_more(detour):
    distances = puzzle_distances(2, 3)
    assert len(distances) == 360
    far = max(distances, key=lambda board: (distances[board], board))
    assert distances[far] == 21
    game = Game(puzzle_sheet(2, 3, far, 21 + detour))
    found = plan(game)
    assert (found.plan.value, len(found.plan.moves), found.boards) == (100, 21 + detour, 360)
    assert reward(game, found.plan.moves) == 100
    # After an odd number of moves the tiles alone can be in order.
    even = plan(Game(puzzle_sheet(2, 3, far, 22)))
    assert (even.plan.value, len(even.plan.moves), even.most) == (99, 21, 99)


def test_a_bound_that_no_plan_reaches_is_lowered_by_looking_at_all():
    game = Game(TIMED.replace("(step 4)", "(step 3)"))
    found = plan(game)
    assert (found.plan.value, found.most, found.optimal) == (60, 60, True)
    assert len(found.plan.moves) == 2


def test_plans_of_hundreds_of_moves_need_no_stack():
    found = plan(corridor(1000))
    assert (found.plan.value, len(found.plan.moves)) == (100, 1000)


def test_a_game_without_an_end_has_no_plan():
    game = Game(
        "(role one) (init p) (legal one go) (<= (next p) (does one go)) (<= terminal (not (true p))) (goal one 100)"
    )
    found = plan(game)
    assert (found.plan, found.most, found.stopped, found.optimal) == (None, None, None, True)


def corridor(rooms):
    doors = "".join(f"(door {room} {room + 1})" for room in range(rooms))
    return Game(
        f"(role one) {doors} (init (at 0)) (<= (legal one (go ?b)) (true (at ?a)) (door ?a ?b))"
        f"(<= (next (at ?b)) (does one (go ?b))) (<= terminal (true (at {rooms}))) (goal one 100)"
    )


@pytest.mark.parametrize(
    ("limits", "stopped"),
    [
        (Budget(steps=5), "states"),
        (Budget(seconds=0.0), "seconds"),
        (Budget(megabytes=0), "memory"),
    ],
)
def test_a_search_that_is_stopped_says_why_and_between_what_the_value_lies(limits, stopped):
    found = plan(corridor(20), limits)
    assert (found.plan, found.most, found.stopped, found.optimal) == (None, 100, stopped, False)


def test_whoever_interrupts_is_reported_what_was_found():
    heard = []

    def interrupt(progress):
        heard.append(progress)
        raise KeyboardInterrupt

    found = plan(corridor(300), progress=interrupt)
    assert found.stopped == "interrupted"
    assert heard[0].states == found.states
    assert 0 < found.depth < 1000
    assert (heard[0].best, heard[0].most) == (None, 100)


def test_several_roles_have_no_sequential_plan():
    game = Game.read_kif(SHEETS["nim"])
    with pytest.raises(NoSequentialPlans, match="2 roles play this game"):
        plan(game)


def clock(game):
    return clock_of(game, game.initial)


def test_a_clock_that_a_legal_move_reads_is_part_of_the_board():
    assert len(clock(Game(TIMED)).phases) == 7
    late = Game(
        TIMED.replace(
            "(<= (legal hand jump) (true (at 1)))", "(<= (legal hand jump) (true (at 1)) (true (step 3)))"
        )
    )
    assert clock(late).phases == (frozenset(),)


def test_a_clock_that_the_board_reads_is_part_of_the_board():
    driven = Game(TIMED.replace("(<= (next (at 2)) (does hand jump))", "(<= (next (at 2)) (true (step 2)))"))
    assert clock(driven).phases == (frozenset(),)


TWO_CLOCKS = (Path(__file__).parent / "data" / "planner_two_clocks.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("setting_for", [on_network, on_goals, on_twin])
def test_a_clock_may_wait_for_a_counter_that_legal_moves_read(setting_for):
    game = Game(TWO_CLOCKS)
    setting = setting_for(game)
    shown = [sorted(fluent[1] for fluent in phase) for phase in setting.clock.phases[:5]]
    assert shown == [["0"], ["0"], ["0"], ["1"], ["2"]]
    found = plan(game, setting=setting)
    assert (found.plan.value, len(found.plan.moves), found.optimal) == (100, 4, True)


def test_a_counter_that_a_move_stops_is_no_clock():
    stopped = Game(
        TIMED.replace(
            "(true (step ?m)) (succ ?m ?n))", "(true (step ?m)) (succ ?m ?n) (not (does hand left)))"
        )
    )
    assert clock(stopped).phases == (frozenset(),)


def test_an_interrupt_while_the_rules_are_grounded_leaves_what_the_sheet_says(monkeypatch):
    def interrupted(*_: object) -> SequentialSetting:
        raise KeyboardInterrupt

    monkeypatch.setattr("hornbook.planner.sequential.planner.setting_of", interrupted)
    found = plan(Game.read_kif(SHEETS["lights"]))
    assert (found.plan, found.most, found.stopped, found.optimal) == (None, 100, "interrupted", False)


def test_grounding_has_a_third_of_the_time(monkeypatch):
    queried = []

    def heard(game, begins, limits):
        queried.append(limits.seconds)
        return setting_of(game, begins, limits)

    monkeypatch.setattr("hornbook.planner.sequential.planner.setting_of", heard)
    assert plan(Game.read_kif(SHEETS["lights"]), Budget(seconds=30)).optimal
    assert queried == [10]


def test_a_state_that_the_game_never_makes_is_refused():
    game = Game.read_kif(SHEETS["lights"])
    with pytest.raises(ValueError, match="never makes"):
        setting_of(game, frozenset({("nothing", "like", "it")}))
