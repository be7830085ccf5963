"""Tests of connections.

Learned rules are proved and never wrong, and the search is correct by exhaustive play.
"""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

import hornbook
from hornbook import cli
from hornbook.kb.ast.terms import Constant
from hornbook.theories.go.connection import links
from hornbook.theories.go.connection.domain import DOMAIN
from hornbook.theories.go.states.board import GoBoard
from hornbook.theories.go.states.diagram import parse_diagram
from hornbook.theories.problems import ProblemRequest
from oracles.go import plain_go

DIAGONAL = """to play: white
. . . .
. X . .
. . X .
. . . .
"""
ONE_WAY = DIAGONAL.replace("X . .", "X O .")


@cache
def theory():
    return hornbook.read_theory("connection")


def connects(board: GoBoard, pair: links.Pair, moves: int, *, first: bool) -> bool:
    """Return the same as `links` by exhaustive play, without using its code."""
    colours = [board.colours[point] for point in pair]
    if "empty" in colours or colours[0] != colours[1]:
        return False
    if pair[1] in plain_go.block(board, list(board.colours), pair[0])[0]:
        return True
    if moves == 0:
        return False
    player = colours[0] if first else plain_go.OTHER[colours[0]]
    found = [then for point in board.points() if (then := plain_go.play(board, player, point)) is not None]
    if first:
        return any(connects(then, pair, moves - 1, first=False) for then in found)
    found.append(plain_go.play_pass(board, player))
    return all(connects(then, pair, moves, first=True) for then in found)


def test_the_search_is_right():
    random, seen = Random(1), set()
    while len(seen) < 7:
        board = random.choice(DOMAIN.random_game(random))
        if board.rows > 5 or sum(colour == "empty" for colour in board.colours) > 15:
            continue
        for queried in DOMAIN.games(board):
            pair = tuple(board.point(str(term.value)) for term in queried.terms)
            for moves in (1, 2):
                first, second = links.connects(board, pair, moves), links.is_connected(board, pair, moves)
                assert first == connects(board, pair, moves, first=True)
                assert second == connects(board, pair, moves, first=False)
                seen |= {(moves, "first", first), (moves, "second", second)}


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    folder = tmp_path_factory.mktemp("connection")
    problems, file = folder / "links.jsonl", folder / "links.horn"
    DOMAIN.write_problems(list(DOMAIN.make_problems(ProblemRequest(6, 1, depths=(3,)))), problems)
    assert cli.main(["learn", "connection", "--problems", str(problems), "--into", str(file)]) == 0
    return hornbook.read_rules(file, theory())


def values(rules, text: str) -> set[object]:
    return {answer.conclusion.statement.value for answer in rules.match(parse_diagram(text))}


@pytest.mark.deep
def test_two_ways_are_enough_whatever_is_replied(rules):
    assert Constant("IG") in values(rules, DIAGONAL)
    assert values(rules, ONE_WAY) == {Constant("GI")}


@pytest.mark.deep
def test_nothing_wrong_is_reported_of_positions_of_other_games(rules, times):
    random, judged = Random(5), 0
    for _ in range(5 * times):
        board = random.choice(DOMAIN.random_game(random))
        for answer in rules.match(board):
            assert DOMAIN.judge(board, answer.conclusion.statement, 2, lambda *_: ())
            judged += 1
    assert judged > 10


def test_problems_have_the_depth_that_is_queried_for():
    problems = [
        each
        for seed in (7, 11)
        for each in DOMAIN.make_problems(ProblemRequest(3, seed, depths=(1, 3, None)))
    ]
    assert {problem.moves for problem in problems} == {1, 2, None}
    for problem in problems:
        pair = tuple(problem.state.point(str(term.value)) for term in problem.game.terms)
        if problem.moves is None:
            assert not links.connecting_moves(problem.state, pair, 2)
        else:
            assert problem.winning
            assert not links.connecting_moves(problem.state, pair, problem.moves - 1)


def test_of_connecting_the_theory_says_when_it_is_won_and_no_more():
    own = [rule for rule in theory().rules if rule.span.file.endswith("connection.horn")]
    assert {rule.label for rule in own} == {
        "legal_beside_one_with_another_liberty",
        "they_are_one_block",
        "one_connecting_move_is_enough",
        "connected_against_every_reply",
    }
