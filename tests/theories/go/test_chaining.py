"""Tests of queries about boards, and of the play around a block on boards in compact form, against plain
implementations.
"""

from __future__ import annotations

from random import Random

import pytest

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.go import adapter
from hornbook.theories.go.play import chaining, question
from hornbook.theories.go.problems.making.games import game, noisy_move
from hornbook.theories.go.reader import legal_moves
from hornbook.theories.go.states.board import PLAYERS, BoardError, GoBoard
from hornbook.theories.go.states.step import step
from oracles.go import block_play


def boards(seeds, size=None):
    """Yield boards of random games, each with one of its blocks as a game, and the generator."""
    for seed in seeds:
        random = Random(seed)
        for board in list(game(size or 4 + seed % 4, random, noisy_move))[3::2]:
            target = random.choice(board.blocks)
            yield board, Atom("take", (Constant(board.name(random.choice(sorted(target.stones)))),)), random


def test_the_parts_are_the_facts_of_the_adapter_each_once():
    for seed in range(8):
        for board in game(4 + seed % 3, Random(seed), noisy_move):
            found = [fact for part in question.parts(board, "white") for fact in part.facts()]
            assert len(found) == len(set(found))
            extra = {GroundFact("named", (board.name(point),)) for point in board.points()}
            assert set(found) == {*adapter.facts(board), *extra, GroundFact("defender", ("white",))}
            in_order = [fact for part in question.board_parts(board) for fact in part.facts()]
            assert in_order == list(adapter.facts(board))


def test_each_move_has_the_effect_of_the_plain_implementation():
    legal = kos = 0
    for board, _, _ in boards(range(12)):
        compact = chaining.compact(board)
        for player in PLAYERS:
            for point in board.points():
                after = chaining.after(compact, GroundFact("move", (player, board.name(point))))
                expected = step(board, player, point)
                assert (after is None) == (expected is None)
                if expected is not None:
                    assert after == chaining.compact(expected)
                    assert hash(after) == hash(chaining.compact(expected))
                    assert after != compact
                    legal += 1
                    kos += expected.ko is not None
    assert (legal > 4000, kos > 3) == (True, True)


def test_moves_and_zones_are_those_of_the_plain_implementation():
    number = 0
    for board, about, random in boards(range(12)):
        compact = chaining.compact(board)
        assert list(chaining.attempts(compact, about)) == list(block_play.attempts(board, about))
        facts = [fact for fact in adapter.facts(board) if fact.relation != "neighbour"]
        premises = random.sample(facts, 8)
        ground = chaining.ground(compact, premises)
        assert ground == block_play.ground(board, premises)
        assert chaining.proof_zone(compact, about, ground) == block_play.proof_zone(board, about, ground)
        assert list(chaining.replies(compact, about, ground)) == list(
            block_play.replies(board, about, ground)
        )
        for action in block_play.attempts(board, about):
            assert chaining.ground_of_move(compact, action) == block_play.ground_of_move(board, action)
        assert chaining.ground_of_move(compact, GroundFact("pass", ("black",))) == frozenset()
        number += len(ground)
    assert number > 1000


def test_a_compact_board_asks_what_the_board_asks():
    for board, about, _ in boards(range(4)):
        query = chaining.rule_query(chaining.compact(board), about)
        known = question.parts(board, question.defender_of(board, about))
        assert query.rule_query().parts == known
        assert query.rule_query().games == [about]
        (block,) = [each for each in board.blocks if board.point(str(about.terms[0].value)) in each.stones]
        assert query.number_of("liberties") == ("take", len(block.liberties))
        assert query.number_of("stones") is None
        assert not chaining.is_over(chaining.compact(board), about)


def test_points_that_a_board_has_not_are_refused():
    compact = chaining.compact(GoBoard(3, 3, ("black", *["empty"] * 8)))
    with pytest.raises(BoardError, match="z9"):
        chaining.is_over(compact, Atom("take", (Constant("z9"),)))
    for call in (lambda: compact.after(0, 9), lambda: compact.after(2, 1), lambda: compact.attempts(1)):
        with pytest.raises(ValueError, match=r"point|players"):
            call()
    assert chaining.is_over(compact, Atom("take", (Constant("b1"),)))


@pytest.mark.deep
def test_a_reply_that_is_left_out_changes_no_fact_of_the_ground():
    left_out = changed = 0
    for board, capture, random in boards(range(12), 6):
        player = question.defender_of(board, capture)
        premises = random.sample([fact for fact in adapter.facts(board) if fact.relation != "ko"], 6)
        compact = chaining.compact(board)
        ground = chaining.ground(compact, premises)
        tried = {str(action.values[1]) for action in chaining.replies(compact, capture, ground)}
        for point in legal_moves(board, player):
            after = step(board, player, point)
            assert after is not None
            stays = set(premises) <= set(adapter.facts(after))
            if board.name(point) not in tried:
                left_out += 1
                assert stays
            changed += not stays
    assert (left_out > 500, changed > 200) == (True, True)
