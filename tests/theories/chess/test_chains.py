"""Tests of chains of matches in chess.

Every legal reply is answered. A player that leaves no reply without mating has not won.
"""

from __future__ import annotations

import pytest

from hornbook.compiler.learn.lessons import Problem, RuleLearner
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.play.answering.answering import Answerer
from hornbook.play.answering.plays import ByTurns
from hornbook.theories.chess.domain import DOMAIN
from hornbook.theories.chess.play import question, tactics
from hornbook.theories.chess.states.attacked import in_check
from hornbook.theories.chess.states.fen import parse_fen

MATED = Atom("mate", (Constant("black"),))


@pytest.fixture(scope="module")
def rules():
    """Return rules for two mates in one: a direct mate by a piece, and a discovered mate."""
    theory = load("chess")
    learner = RuleLearner(theory, tactics, RuleBase(theory.name))
    for fen in ("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", "2N5/3R1R2/3p4/7R/8/2P5/8/k1K5 w - - 0 1"):
        assert all(taught.first for taught in learner.learn([Problem(fen, "", parse_fen(fen), MATED, 1)]))
    return [entry.rule for entry in learner.base]


@pytest.fixture(scope="module")
def chain(rules):
    return Answerer(load("chess"), rules, ByTurns(DOMAIN))


@pytest.mark.deep
def test_games_are_won_alike_by_themselves_and_together(rules, chain):
    together = Answerer(load("chess"), rules, ByTurns(DOMAIN, together=True))
    for fen, mates in (
        ("6k1/7p/8/8/8/8/R7/1R4K1 w - - 0 1", True),
        ("6k1/8/2n5/8/8/8/R7/1R4K1 w - - 0 1", False),
    ):
        state, found = parse_fen(fen), []
        for answerer in (chain, together):
            answerer.forget()
            found.append({game: answerer.won(state, game, 1) for game in DOMAIN.own_games(state)})
        assert found[0] == found[1]
        assert (found[0][MATED] is not None) == mates
        assert together.matched < chain.matched


def test_a_chain_answers_every_legal_reply(chain):
    state = parse_fen("6k1/7p/8/8/8/8/R7/1R4K1 w - - 0 1")
    chain.forget()
    assert chain.chain(state, MATED) is None
    found, matched = chain.chain(state, MATED, 1), chain.matched
    assert chain.chain(state, MATED, 1) == found
    assert chain.matched == matched
    after = DOMAIN.after(state, action(found.move))
    assert [action(reply) for reply, _ in found.replies] == list(DOMAIN.moves(after))
    for reply, below in found.replies:
        answered = DOMAIN.after(DOMAIN.after(after, action(reply)), action(below.move))
        assert not list(DOMAIN.moves(answered))
        assert in_check(answered)


def action(move):
    return GroundFact(move.predicate, tuple(term.value for term in move.terms))


def test_a_mate_in_two_takes_a_level(chain):
    state = parse_fen("6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1")
    chain.forget()
    assert chain.won(state, MATED) is None
    assert chain.matched == 1
    assert chain.won(state, MATED, 1) is not None


def test_no_reply_is_left_out(chain):
    # The same with a knight that can capture a rook, or block.
    state = parse_fen("6k1/8/2n5/8/8/8/R7/1R4K1 w - - 0 1")
    chain.forget()
    assert chain.won(state, MATED, 1) is None


def test_stalemate_wins_nothing(chain):
    state = parse_fen("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1")
    chain.forget()
    assert list(question.moves(state)) == []
    for levels in (0, 1, 2):
        assert chain.second_player_win(state, MATED, levels) is None


def test_a_man_that_moves_is_followed(chain):
    state = parse_fen("4k3/8/8/8/3n4/8/8/4K3 b - - 0 1")
    game = Atom("take", (Constant("d4"),))
    (hop,) = [move for move in question.moves(state) if move.values == ("d4", "b3")]
    assert question.followed(state, game, hop) == Atom("take", (Constant("b3"),))
