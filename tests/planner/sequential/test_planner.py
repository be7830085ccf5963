"""Sequential plans are legal, complete, minimal and of the most reward, and what is proved of them holds."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.planner.gdl.game import Game
from hornbook.planner.machines.twin import TwinMachine
from hornbook.planner.sequential.chain import strategy_of
from hornbook.planner.sequential.clocks import NO_CLOCK, clock_of
from hornbook.planner.sequential.plan import Limits
from hornbook.planner.sequential.planner import NoSequentialPlans, plan
from hornbook.planner.strategies.check import check_strategy
from oracles.gdl.best_plan import best_plan, reward
from oracles.gdl.one_player import one_player_sheet
from oracles.gdl.own_sheets import SHEETS

ONE_PLAYER = [name for name in SHEETS if len(Game.from_kif(SHEETS[name]).roles) == 1]


def planned(game, **given):
    return plan(game, TwinMachine(game), **given)


@pytest.mark.parametrize("name", ONE_PLAYER)
def test_a_plan_is_a_strategy_that_the_checker_finds_right(name):
    game = Game.from_kif(SHEETS[name])
    found = planned(game).plan
    if found is not None:
        assert check_strategy(game, strategy_of(game, found)) == ()


@pytest.mark.parametrize("name", ONE_PLAYER)
def test_the_plan_of_an_own_sheet_is_as_good_and_as_long_as_by_definition(name):
    game = Game.from_kif(SHEETS[name])
    expected, found = best_plan(game), planned(game)
    assert found.optimal
    assert found.shortest == (expected is not None)
    if expected is None:
        assert found.plan is None
        assert found.most is None
    else:
        assert (found.plan.value, len(found.plan.moves)) == (expected[0], len(expected[1]))
        assert reward(game, found.plan.moves) == expected[0]


def test_random_games_are_planned_as_by_definition_with_clocks_and_without():
    clocks, values = 0, set()
    for seed in range(150):
        try:
            game = Game(one_player_sheet(Random(seed)))
        except TheoryError:
            continue
        expected, found = best_plan(game), planned(game)
        whole = planned(game, clock=NO_CLOCK)
        clocks += found.phases > 1
        for each in (found, whole):
            assert each.optimal, seed
            got = each.plan and (each.plan.value, len(each.plan.moves))
            assert got == (expected and (expected[0], len(expected[1]))), seed
            assert each.plan is None or reward(game, each.plan.moves) == each.plan.value
        assert found.boards <= whole.boards
        values.add(expected and expected[0])
    assert clocks > 50
    assert len(values) > 8


TIMED = """(role hand)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(init (at 0)) (init (step 0))
(<= (legal hand left) (true (at 1)))
(<= (legal hand right) (true (at 0)))
(<= (legal hand jump) (true (at 1)))
(<= (next (at 1)) (does hand right))
(<= (next (at 0)) (does hand left))
(<= (next (at 2)) (does hand jump))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (at 2)))
(<= terminal (true (step 5)))
(<= (goal hand 100) (true (at 2)) (true (step 4)))
(<= (goal hand 60) (true (at 2)) (not (true (step 4))))
(<= (goal hand 0) (not (true (at 2))))
"""


def test_a_board_that_is_worth_most_after_one_number_of_moves_is_reached_after_that_many():
    found = planned(Game(TIMED))
    assert (found.plan.value, found.plan.moves) == (100, ("right", "left", "right", "jump"))
    assert found.phases == 7
    assert found.boards == 3


def test_a_plan_may_begin_in_another_state_where_the_clock_shows_something_else():
    game = Game(TIMED)
    begins = frozenset((("at", "0"), ("step", "2")))
    found = planned(game, begins=begins).plan
    assert (found.value, found.moves) == (100, ("right", "jump"))
    assert check_strategy(game, strategy_of(game, found, begins), begins) == ()
    with pytest.raises(RuntimeError, match="the clock does not follow"):
        planned(game, begins=begins, clock=clock(game))


def test_a_bound_that_no_plan_reaches_is_lowered_by_looking_at_all():
    game = Game(TIMED.replace("(step 4)", "(step 3)"))
    found = planned(game)
    assert (found.plan.value, found.most, found.optimal) == (60, 60, True)
    assert len(found.plan.moves) == 2


def test_plans_of_hundreds_of_moves_need_no_stack():
    found = planned(corridor(2000))
    assert (found.plan.value, len(found.plan.moves)) == (100, 2000)


def test_a_game_without_an_end_has_no_plan():
    game = Game(
        "(role one) (init p) (legal one go) (<= (next p) (does one go)) (<= terminal (not (true p))) (goal one 100)"
    )
    found = planned(game)
    assert (found.plan, found.most, found.stopped, found.optimal) == (None, None, None, True)


def corridor(rooms):
    doors = "".join(f"(door {room} {room + 1})" for room in range(rooms))
    return Game(
        f"(role one) {doors} (init (at 0)) (<= (legal one (go ?b)) (true (at ?a)) (door ?a ?b))"
        f"(<= (next (at ?b)) (does one (go ?b))) (<= terminal (true (at {rooms}))) (goal one 100)"
    )


@pytest.mark.parametrize(
    ("limits", "stopped"),
    [(Limits(states=5), "states"), (Limits(seconds=0.0), "seconds"), (Limits(memory=1000), "memory")],
)
def test_a_search_that_is_stopped_says_why_and_between_what_the_value_lies(limits, stopped):
    found = planned(corridor(20), limits=limits)
    assert (found.plan, found.most, found.stopped, found.optimal) == (None, 100, stopped, False)


def test_whoever_interrupts_is_told_what_was_found():
    heard = []

    def interrupt(progress):
        heard.append(progress)
        raise KeyboardInterrupt

    found = planned(corridor(1000), progress=interrupt)
    assert found.stopped == "interrupted"
    assert heard[0].states == found.states == found.depth + 1
    assert (heard[0].best, heard[0].most) == (None, 100)


def test_several_roles_have_no_sequential_plan():
    game = Game.from_kif(SHEETS["nim"])
    with pytest.raises(NoSequentialPlans, match="2 roles play this game"):
        planned(game)


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


def test_a_counter_that_a_move_stops_is_no_clock():
    stopped = Game(
        TIMED.replace(
            "(true (step ?m)) (succ ?m ?n))", "(true (step ?m)) (succ ?m ?n) (not (does hand left)))"
        )
    )
    assert clock(stopped).phases == (frozenset(),)
