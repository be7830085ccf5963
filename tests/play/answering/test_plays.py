"""Tests of the game continuations that chains of matches use."""

from __future__ import annotations

from hornbook.play.answering.plays import ByTurns
from hornbook.theories.checkers.domain import DOMAIN
from hornbook.theories.checkers.states.text import parse
from hornbook.theories.domain import game


def test_a_game_is_not_looked_into_where_who_has_moved_goes_on():
    state, play = parse("B:W6,15,32:B1"), ByTurns(DOMAIN)
    last = game("reduce", "black", 1)
    (jump,) = play.candidate_moves(state, last)
    after, followed = play.after_move(state, last, jump)
    assert after.to_move == state.to_move
    assert followed is None
    (jump,) = play.candidate_moves(after, last)
    over, followed = play.after_move(after, last, jump)
    assert over.to_move != state.to_move
    assert followed == last
