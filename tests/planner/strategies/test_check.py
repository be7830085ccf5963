"""Tests of the strategy checker.

It must accept correct strategies, and refuse each kind of error with its reason.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from hornbook.planner.conditional.solving import solve
from hornbook.planner.gdl.game import Game
from hornbook.planner.strategies.check import MOST_SHOWN, check_refutation, check_strategy
from hornbook.planner.strategies.refutation import Refutation, RefutationAnswer, RefutationNode
from hornbook.planner.strategies.strategy import JointReply, RoleStrategy, StrategyNode
from oracles.gdl.plain_minimax import plain_strategy
from oracles.gdl.twin_machine import TwinMachine

HEAPS = """
(role ann) (role ben) (init (left 4)) (init (turn ann))
(after ann ben) (after ben ann) (less 0 1) (less 1 2) (less 2 3) (less 3 4)
(two 0 2) (two 1 3) (two 2 4)
(<= (legal ?r (leave ?m)) (true (turn ?r)) (true (left ?n)) (or (less ?m ?n) (two ?m ?n)))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (left ?m)) (does ?r (leave ?m)))
(<= (next (turn ?r)) (true (turn ?s)) (after ?s ?r))
(<= terminal (true (left 0)))
(<= (goal ?r 100) (role ?r) (not (true (turn ?r))))
(<= (goal ?r 10) (true (turn ?r)))
"""
SIMULTANEOUS = """
(role ann) (role ben) (role cid) (init start)
(<= (legal ?r (say ?w)) (role ?r) (word ?w)) (word yes) (word no)
(<= (next (said ?r ?w)) (does ?r (say ?w)))
(<= terminal (true (said ann ?w)))
(<= (goal ann 70) (true (said ann yes)))
(<= (goal ann 30) (true (said ann no)))
(<= (goal ?r 0) (role ?r) (distinct ?r ann))
"""


def made(sheet: str, role: str, least: int) -> tuple[Game, RoleStrategy]:
    game = Game(sheet)
    strategy = plain_strategy(game, role, least)
    assert strategy is not None
    return game, strategy


def messages(game: Game, strategy: RoleStrategy) -> list[str]:
    return [mistake.message for mistake in check_strategy(game, strategy)]


def with_node(strategy: RoleStrategy, number: int, **changes: object) -> RoleStrategy:
    nodes = list(strategy.nodes)
    nodes[number] = replace(nodes[number], **changes)  # type: ignore[arg-type]
    return replace(strategy, nodes=tuple(nodes))


@pytest.mark.parametrize(
    ("sheet", "role", "least"), [(HEAPS, "ann", 100), (SIMULTANEOUS, "ann", 70), (HEAPS, "ben", 10)]
)
def test_right_strategies(sheet, role, least):
    game, strategy = made(sheet, role, least)
    counted: list[int] = []
    assert check_strategy(game, strategy, None, counted.append) == ()
    assert counted == list(range(1, len(strategy.nodes) + 1))


def test_a_strategy_from_a_given_state():
    game, strategy = made(HEAPS, "ann", 100)
    later = frozenset({("left", "2"), ("turn", "ann")})
    assert check_strategy(game, strategy, game.initial) == ()
    wrong = check_strategy(game, strategy, later)
    assert [each.message for each in wrong] == [
        "the strategy does not begin where the state that is given does"
    ]


def first_end(strategy: RoleStrategy) -> int:
    return next(number for number, node in enumerate(strategy.nodes) if node.move is None)


def test_falsified_strategies():
    game, right = made(HEAPS, "ann", 100)
    root, end = right.nodes[0], first_end(right)
    reply = root.replies[0]
    after = right.nodes[reply.to]
    falsified = {
        "the strategy does not begin where the game does": replace(right, nodes=right.nodes[end:]),
        "`(leave 4)` is not legal for ann": with_node(right, 0, move=("leave", "4")),
        "after the reply wait comes another state than that of node 0": with_node(right, 0, replies=(JointReply(("wait",), 0),)),
        f"the rank does not fall: {root.rank} here, {root.rank} at node {reply.to}": with_node(right, reply.to, rank=root.rank),
        "the goal of ann is 100, and the node guarantees 101": with_node(right, end, value=101),
        f"100 is guaranteed here, and 99 at node {reply.to}": with_node(right, reply.to, value=99),
        "the game is not over, and the node has no move": with_node(right, reply.to, move=None, replies=()),
        "the game is over, and ann does `wait`": with_node(right, end, move="wait"),
        "no answer to wait of ben": with_node(right, 0, replies=()),
        "two replies are the same: wait": with_node(right, 0, replies=(reply, reply)),
        "the reply (leave 1) is not legal for ben": with_node(right, 0, replies=(reply, JointReply((("leave", "1"),), reply.to))),
        "the reply wait leads to node 99, which is not there": with_node(right, 0, replies=(JointReply(("wait",), 99),)),
        "the rank -1 is below 0": with_node(right, end, rank=-1),
        "the strategy is for the roles ben, ann, and the game has ann, ben": replace(right, roles=("ben", "ann")),
        f"no answer to {next(m for r in after.replies[1:] for m in ['(leave ' + r.moves[0][1] + ')'])} of ben":
            with_node(right, reply.to, replies=after.replies[:1]),
    }  # fmt: skip
    for reason, strategy in falsified.items():
        assert reason in messages(game, strategy)


def test_a_state_with_a_fact_more_is_another_state():
    game, right = made(HEAPS, "ann", 100)
    to = right.nodes[0].replies[0].to
    forged = with_node(right, to, state=right.nodes[to].state | {"unheard_of"})
    assert f"after the reply wait comes another state than that of node {to}" in messages(game, forged)


def test_all_joint_replies_of_several_are_queried_for():
    game, right = made(SIMULTANEOUS, "ann", 70)
    assert len(right.nodes[0].replies) == 4
    for left_out in right.nodes[0].replies:
        fewer = tuple(reply for reply in right.nodes[0].replies if reply != left_out)
        words = ", ".join(f"(say {move[1]})" for move in left_out.moves)
        assert messages(game, with_node(right, 0, replies=fewer)) == [f"no answer to {words} of ben, cid"]


def test_an_end_without_a_goal_guarantees_nothing():
    game = Game(HEAPS.replace("(<= (goal ?r 10) (true (turn ?r)))", ""))
    over = frozenset({("left", "0"), ("turn", "ann")})
    found = check_strategy(game, RoleStrategy(game.roles, "ann", (StrategyNode(over, 0, 0),)), over)
    assert [mistake.message for mistake in found] == ["the game is over, and ann has no goal"]


def test_who_cannot_reply_makes_no_end():
    game = Game(HEAPS.replace("(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))", ""))
    root = StrategyNode(game.initial, 0, 1, ("leave", "3"))
    found = messages(game, RoleStrategy(game.roles, "ann", (root,)))
    assert found == ["ben has no legal move, so that the game goes nowhere"]


def test_not_all_mistakes_of_many_are_reported():
    game, right = made(HEAPS, "ben", 10)
    forged = replace(right, nodes=tuple(replace(node, rank=-1) for node in right.nodes * 20))
    assert len(check_strategy(game, forged)) == MOST_SHOWN


def refuted(sheet: str, role: str) -> tuple[Game, Refutation]:
    game = Game(sheet)
    refutation = solve(TwinMachine(game), role, game.initial, refuted=True).refutation
    assert refutation is not None
    return game, refutation


def with_stored(refutation: Refutation, number: int, **changes: object) -> Refutation:
    nodes = list(refutation.nodes)
    nodes[number] = replace(nodes[number], **changes)  # type: ignore[arg-type]
    return replace(refutation, nodes=tuple(nodes))


def test_falsified_refutations():
    game, right = refuted(HEAPS, "ben")
    assert right.most == 10
    root = right.nodes[0]
    to = root.answers[0].to
    end = next(number for number, node in enumerate(right.nodes) if game.terminal(node.state))
    choosing = next(number for number, node in enumerate(right.nodes) if len(node.answers) > 1)
    first, second = right.nodes[choosing].answers[:2]
    falsified = {
        "the strategy does not begin where the game does": replace(right, nodes=right.nodes[to:]),
        "the strategy is for the roles ben, ann, and the game has ann, ben": replace(right, roles=("ben", "ann")),
        "the goal of ben is 10, and 9 is to be the most": replace(right, most=9),
        "no answer to wait of ben": with_stored(right, 0, answers=()),
        "two answers to wait": with_stored(right, 0, answers=root.answers * 2),
        "`(leave 1)` is not legal for ben": with_stored(right, 0, answers=(replace(root.answers[0], move=("leave", "1")),)),
        "the reply wait to wait is not legal for ann": with_stored(right, 0, answers=(replace(root.answers[0], replies=("wait",)),)),
        "the reply (leave 3) to wait leads to node 99, which is not there":
            with_stored(right, 0, answers=(RefutationAnswer("wait", (("leave", "3"),), 99),)),
        "after the reply (leave 3) to wait comes another state than that of node 0":
            with_stored(right, 0, answers=(RefutationAnswer("wait", (("leave", "3"),), 0),)),
        f"no answer to {'(' + ' '.join(second.move) + ')'} of ben": with_stored(right, choosing, answers=(first,)),
        "the game is over, and there are answers to ben": with_stored(right, end, answers=root.answers),
    }  # fmt: skip
    for reason, refutation in falsified.items():
        assert reason in [mistake.message for mistake in check_refutation(game, refutation)]
    assert check_refutation(game, right) == ()


def test_what_counts_as_nothing_holds_a_role():
    """The cases are an end without a goal, an end with two goals, and a state without a move for some role."""
    nobody = Game(HEAPS.replace("(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))", ""))
    root = RefutationNode(nobody.initial)
    assert check_refutation(nobody, Refutation(nobody.roles, "ann", 0, (root,))) == ()
    for goals in (
        "(<= (goal ann 50) (not (true over)))",
        "(<= (goal ann 50) (true over)) (<= (goal ann 40) (true still))",
    ):
        game = Game(f"(role ann) (legal ann wait) (init over) (<= terminal (true over)) {goals} (init still)")
        assert check_refutation(game, Refutation(("ann",), "ann", 0, (RefutationNode(game.initial),))) == ()
