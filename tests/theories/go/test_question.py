"""Tests of queries about boards: the partial facts are the adapter's, and relevance zones are sufficient."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.go import adapter
from hornbook.theories.go.play import question
from hornbook.theories.go.problems.making.games import game, noisy_move
from hornbook.theories.go.reader import legal_moves
from hornbook.theories.go.states.step import step


def test_the_parts_are_the_facts_of_the_adapter_each_once():
    for seed in range(8):
        for board in game(4 + seed % 3, Random(seed), noisy_move):
            found = [fact for part in question.parts(board, "white") for fact in part.facts()]
            assert len(found) == len(set(found))
            extra = {GroundFact("named", (board.name(point),)) for point in board.points()}
            assert set(found) == {*adapter.facts(board), *extra, GroundFact("defender", ("white",))}
            in_order = [fact for part in question.board_parts(board) for fact in part.facts()]
            assert in_order == list(adapter.facts(board))


@pytest.mark.deep
def test_a_reply_that_is_left_out_changes_no_fact_of_the_ground():
    left_out = changed = 0
    for seed in range(12):
        random = Random(seed)
        for board in list(game(6, random, noisy_move))[4::3]:
            target = random.choice(board.blocks)
            capture = Atom("take", (Constant(board.name(min(target.stones))),))
            facts = [fact for fact in adapter.facts(board) if fact.relation != "ko"]
            premises = random.sample(facts, 6)
            ground = question.ground(board, premises)
            tried = {str(action.values[1]) for action in question.replies(board, capture, ground)}
            for point in legal_moves(board, target.colour):
                after = step(board, target.colour, point)
                assert after is not None
                stays = set(premises) <= set(adapter.facts(after))
                if board.name(point) not in tried:
                    left_out += 1
                    assert stays
                changed += not stays
    assert (left_out > 500, changed > 200) == (True, True)
