"""Tests of plans learned from a teacher's line, on the example of Tadepalli (1989, figure 2)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import chess
import pytest

import hornbook.theories.chess
from hornbook.inputs.theories import load
from hornbook.play.kep.cplans import NULL, OPlan
from hornbook.play.kep.goals import Actor
from hornbook.play.kep.lessons import PlanLearner, PlanLearningSetting, PlanLesson, learn_from_lesson
from hornbook.play.kep.planning import Planner
from hornbook.play.kep.testing import CPlanTest
from hornbook.play.kep.tree import PlanningTree
from hornbook.theories.chess import adapter
from hornbook.theories.chess.play import question
from hornbook.theories.chess.play.planning import ChessPlanning
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.notation import parse_uci

GAME = ChessPlanning()
GAINS = Path(hornbook.theories.chess.__file__).parent / "parts" / "gains.horn"
WHITE_PAWN, BLACK_PAWN = chess.Piece.from_symbol("P"), chess.Piece.from_symbol("p")
FIGURE = "6k1/1p6/8/P1P5/8/8/8/2K5 w - - 0 1"


def state(fen):
    return replace(parse_fen(fen), quiet_plies=0, number=1)


def lesson(fen, moves):
    at, actions = state(fen), []
    for each in moves.split():
        actions.append(question.action_of(parse_uci(at, each)))
        at = GAME.after(at, actions[-1])
    return PlanLesson("taught", state(fen), tuple(actions))


# The d-pawn runs past a king that stays away. A black pawn captures a pawn that passes it on its left.
RUNS = lesson("7k/8/8/3P4/8/8/8/K7 w - - 0 1", "d5d6 h8h7 a1a2 h7h8 d6d7 h8h7 d7d8q")
TAKEN = lesson("7k/6p1/8/5P1P/8/8/8/K7 w - - 0 1", "h5h6 g7h6 f5f6 h6h5 f6f7 h5h4 f7f8q")


@pytest.fixture(scope="module")
def learners():
    return PlanLearningSetting(
        GAME, load(GAINS), lambda at: list(adapter.facts(at)), Actor("side", "before at({0}, ?o, _)")
    )


@pytest.fixture(scope="module")
def first(learners):
    return learn_from_lesson(PlanLearner.new(learners), RUNS, "white", 2, 500)


@pytest.fixture(scope="module")
def second(first):
    return learn_from_lesson(first, TAKEN, "white", 2, 500)


def played(learner, mine, other):
    made = Planner(GAME, learner.plans(), PlanningTree(GAME, "white", state(FIGURE)), 5_000)
    goals = {f"{g.predicate} {g.terms[-1].value}": g for g in GAME.goals(made.tree.root)}
    plans = (frozenset(OPlan(goals[name], moves) for name, moves in side) for side in (mine, other))
    return CPlanTest(made.tree, made.applicable).run(*plans)


def plans_of(learner):
    return {entry.rule.name for entry in learner.base}


def test_a_promotion_gives_a_plan_for_each_of_its_moves(first):
    assert [entry.rule.head.moves for entry in first.base] == [1, 2, 3]
    assert all(entry.is_certified for entry in first.base)


def test_the_other_sides_goal_gives_his_plan(first, second):
    assert [entry.rule.head.game.predicate for entry in second.base][3:] == ["take"]
    assert plans_of(first) < plans_of(second)


def test_learned_plans_of_figure_two_come_to_what_the_paper_prints(learners, first, second):
    c, a, take_a, take_c = ("crown c5", 3), ("crown a5", 3), ("take a5", 1), ("take c5", 1)
    assert played(PlanLearner.new(learners), [c], NULL) == 0
    assert played(first, [c], NULL) == 200
    assert played(first, [c], [take_c]) == 200
    assert played(second, [c], [take_c]) == -20
    assert played(second, [a], [take_a]) == -20
    assert played(second, [a, c], [take_a, take_c]) == 180


@pytest.mark.parametrize(
    ("fen", "player"), [(FIGURE, "white"), ("1k6/8/8/8/p1p5/8/1P6/4K3 b - - 0 1", "black")]
)
def test_planning_by_learned_plans_comes_to_180_for_any_side(second, fen, player):
    made = Planner(GAME, second.plans(), PlanningTree(GAME, player, state(fen)), 5_000)
    assert made.run(100, 3)
    assert made.tree.value() == 180


def test_where_planning_comes_to_what_the_teacher_earns_nothing_is_learned(second):
    for known in (RUNS, TAKEN):
        assert plans_of(learn_from_lesson(second, known, "white", 2, 500)) == plans_of(second)
    other = lesson("k7/8/8/8/4p3/8/8/7K b - - 0 1", "e4e3 h1h2 e3e2 h2h1 e2e1q")
    assert learn_from_lesson(second, other, "black", 2, 500) == second


def test_a_line_that_reaches_no_goal_teaches_nothing(learners):
    idle = lesson("7k/8/8/3P4/8/8/8/K7 w - - 0 1", "a1a2 h8h7")
    assert learn_from_lesson(PlanLearner.new(learners), idle, "white", 2, 500) == PlanLearner.new(learners)


# The king blocks its own pawn, and steps aside.
ASIDE = lesson("8/3K4/3P4/8/8/8/8/k7 w - - 0 1", "d7e7 a1a2 d6d7 a2a1 d7d8q")


@pytest.fixture(scope="module")
def once(learners):
    return learn_from_lesson(PlanLearner.new(learners), ASIDE, "white", 2, 500)


@pytest.fixture(scope="module")
def twice(once):
    return learn_from_lesson(once, ASIDE, "white", 2, 500)


def test_what_a_later_move_needs_becomes_a_goal_and_then_has_a_plan(once, twice):
    assert set(once.goals) == {"made_at_none_empty"}
    assert "plan_made_at_none_empty_in_1_by_move_1" in plans_of(twice) - plans_of(once)
    assert all(entry.is_certified for entry in twice.base)


@pytest.mark.parametrize(
    ("fen", "player"),
    [("8/5K2/5P2/8/8/8/8/k7 w - - 0 1", "white"), ("K7/8/8/8/8/1p6/1k6/8 b - - 0 1", "black")],
)
def test_a_goal_that_promises_nothing_serves_one_that_does_on_all_files_and_for_both_sides(
    once, twice, fen, player
):
    values = []
    for learner in (once, twice):
        made = Planner(GAME, learner.plans(), PlanningTree(GAME, player, state(fen)), 500)
        values.append((made.run(100, 2), made.tree.value()))
    assert values == [(False, 0), (True, 200)]


def test_only_what_a_plan_lacks_or_rests_on_is_tried(twice):
    far = state("8/2K5/8/8/8/8/3P4/k7 w - - 0 1")
    parts = GAME.parts(far)
    relevant = twice.plans()
    assert any(GAME.stays(plan.goal) for plan in relevant.matcher.plans(parts))
    assert not any(GAME.stays(plan.goal) for plan in relevant.plans(parts))
    near = GAME.parts(state("8/5K2/5P2/8/8/8/8/k7 w - - 0 1"))
    tried = [plan.goal.terms[1].value for plan in relevant.plans(near) if GAME.stays(plan.goal)]
    assert set(tried) == {"f7"}


def test_a_reply_that_no_proof_answers_gives_the_opponents_plan(learners, first):
    """Black's king steps in front of the pawn, which the pass did not show."""
    stopped = lesson("4k3/8/1K6/2P5/8/8/8/8 w - - 0 1", "c5c6 e8f8 c6c7 f8g8 c7c8q")
    nothing = replace(learners, answers=lambda _: lambda _: False)
    found = learn_from_lesson(replace(first, setting=nothing), stopped, "white", 2, 500)
    assert set(found.goals) == {"ended_at_none_empty"}
    plans = [entry.rule.head for entry in found.base if entry.rule.head.game.predicate in found.goals]
    assert [head.moves for head in plans] == [1, 2]
    sides = (("3k4/8/6K1/5P2/8/8/8/8 w - - 0 1", "white"), ("8/8/8/8/2p5/1k6/8/4K3 b - - 0 1", "black"))
    for fen, player in sides:
        values = []
        for learner in (first, found):
            made = Planner(GAME, learner.plans(), PlanningTree(GAME, player, state(fen)), 500)
            values.append((made.run(100, 2), made.tree.value()))
        assert values == [(True, 200), (False, 0)]


def test_plans_are_carried_out_with_null_moves_between(second):
    """Another program's board checks that every first move is legal and that the last move makes a queen."""
    matcher, random, seen = second.plans(), Random(5), set()
    for _ in range(12):
        board = pawns(random)
        for plan in matcher.plans(adapter.facts(parse_fen(board.fen()))):
            if plan.goal.predicate == "crown":
                now, one = board.copy(), plan
                while one is not None:
                    now.turn = board.color_at(chess.parse_square(plan.goal.terms[1].value))
                    start, end, *kind = (term.value for term in one.action.terms)
                    move = chess.Move.from_uci(f"{start}{end}{'q' if kind else ''}")
                    assert now.is_pseudo_legal(move)
                    now.push(move)
                    rest = matcher.plans(adapter.facts(parse_fen(now.fen()))) if one.moves > 1 else []
                    one = next(
                        (p for p in rest if (p.moves, p.goal.terms[-1].value) == (one.moves - 1, end)), None
                    )
                assert now.piece_type_at(chess.parse_square(end)) == chess.QUEEN
                seen.add((not now.turn, plan.moves))
    assert seen == {(side, moves) for side in (True, False) for moves in (1, 2, 3)}


def pawns(random):
    """Return a board with four random pawns and with kings in corners that no pawn attacks."""
    while True:
        board = chess.Board("7k/8/8/8/8/8/8/K7 w - - 0 1")
        for square, man in zip(random.sample(range(8, 56), 4), "PPpp", strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        if board.piece_at(chess.B2) != BLACK_PAWN and board.piece_at(chess.G7) != WHITE_PAWN:
            return board
